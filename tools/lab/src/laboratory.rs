//! Nodes, counters and memory for the textbook algorithms.
//!
//! All measuring is done here, so that the algorithms are as short as in the texts.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use skewer_types::{Bound, mix};

use crate::game::{Game, INFINITE, Tally, Value, Window};

/// Whether to remember which leaves were seen (it costs memory).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trace {
    /// Count visits only.
    Counts,
    /// Remember every leaf, by the path to it.
    Leaves,
}

/// What the algorithms may store between visits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// Nothing.
    Off,
    /// Bounds of every node of the tree, keyed by the path to it. This is the setting in
    /// which the texts compare algorithms: no transpositions, no change of the move order.
    Path,
    /// Bounds of every position, and the best move of the last visit, which is tried first: like the
    /// hash table of a real program.
    Position,
}

/// A node of the search tree.
#[derive(Debug, Clone)]
pub struct Node<G> {
    /// The position.
    pub game: G,
    /// Plies left to the horizon.
    pub depth: u32,
    /// Which of its parent's moves led here, counted from 0 in the game's own order.
    pub number: u16,
    /// A hash of the path from the root.
    path: u64,
}

impl<G: Game> Node<G> {
    /// The root of a search of `depth` plies.
    pub fn root(game: &G, depth: u32) -> Self {
        Self {
            game: game.clone(),
            depth,
            number: 0,
            path: 0,
        }
    }

    /// The child after the move `number`, in the game's own order.
    ///
    /// # Panics
    ///
    /// If there is no such move, or no depth left.
    pub fn nth_child(&self, number: usize) -> Self {
        self.child(number as u16, self.game.moves()[number])
    }

    fn child(&self, number: u16, mv: G::Move) -> Self {
        Self {
            game: self.game.play(mv),
            depth: self.depth - 1,
            number,
            path: mix(self.path ^ mix(u64::from(number))),
        }
    }
}

/// The children of a node, created lazily.
#[derive(Debug)]
pub struct Children<'a, G: Game> {
    parent: &'a Node<G>,
    moves: std::vec::IntoIter<(u16, G::Move)>,
}

impl<G: Game> Iterator for Children<'_, G> {
    type Item = Node<G>;

    fn next(&mut self) -> Option<Node<G>> {
        let (number, mv) = self.moves.next()?;
        Some(self.parent.child(number, mv))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.moves.size_hint()
    }
}

impl<G: Game> ExactSizeIterator for Children<'_, G> {}

/// Bounds on a node's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Known {
    lower: Value,
    upper: Value,
}

/// A hasher that returns `u64` keys as they are, because they are hashes already.
#[derive(Debug, Default)]
pub(crate) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = mix(self.0 ^ u64::from(byte));
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

type Keyed<T> = HashMap<u64, T, BuildHasherDefault<KeyHasher>>;

/// The counters and the memory of one experiment. The memory outlives a call of an algorithm, so
/// that iterative deepening and the passes of MTD(f) profit from what came before.
#[derive(Debug)]
pub struct Laboratory {
    /// What has been counted so far.
    pub tally: Tally,
    memory: Memory,
    trace: Trace,
    seen: HashSet<u64, BuildHasherDefault<KeyHasher>>,
    known: Keyed<Known>,
    best: Keyed<u16>,
}

impl Laboratory {
    /// An empty laboratory.
    pub fn new(memory: Memory, trace: Trace) -> Self {
        Self {
            tally: Tally::default(),
            memory,
            trace,
            seen: HashSet::default(),
            known: Keyed::default(),
            best: Keyed::default(),
        }
    }

    /// Whether every leaf visited here was also visited in `other`.
    pub fn saw_only_leaves_of(&self, other: &Self) -> bool {
        self.seen.is_subset(&other.seen)
    }

    /// The children of `node`, or `None` where it is a leaf: at the horizon, or with the game
    /// over. With [`Memory::Position`], the best move of the last visit comes first.
    pub fn expand<'a, G: Game>(&mut self, node: &'a Node<G>) -> Option<Children<'a, G>> {
        if node.depth == 0 {
            return None;
        }
        let moves = node.game.moves();
        if moves.is_empty() {
            return None;
        }
        self.tally.interior += 1;
        let mut moves: Vec<_> = (0..).zip(moves).collect();
        if self.memory == Memory::Position
            && let Some(&number) = self.best.get(&mix(node.game.key()))
            && let Some(place) = moves.iter().position(|&(n, _)| n == number)
        {
            moves[..=place].rotate_right(1);
        }
        Some(Children {
            parent: node,
            moves: moves.into_iter(),
        })
    }

    /// The value of a leaf: exact within `window`, otherwise a bound.
    pub fn leaf<G: Game>(&mut self, node: &Node<G>, window: Window) -> Value {
        self.tally.leaves += 1;
        if self.trace == Trace::Leaves && self.seen.insert(node.path) {
            self.tally.distinct_leaves += 1;
        }
        let (value, bound) = node.game.value(node.depth, window, &mut self.tally);
        self.keep(node, value, bound);
        value
    }

    /// Returns the value from memory if that decides for `window`; otherwise narrows `window` to the
    /// stored bounds and returns `None`.
    pub fn recall<G: Game>(&self, node: &Node<G>, window: &mut Window) -> Option<Value> {
        let known = self.known.get(&self.key(node)?)?;
        if known.lower >= window.beta || known.lower == known.upper {
            return Some(known.lower);
        }
        if known.upper <= window.alpha {
            return Some(known.upper);
        }
        window.alpha = window.alpha.max(known.lower);
        window.beta = window.beta.min(known.upper);
        None
    }

    /// Stores the value of a fail-soft search of `node` with `window`, and its best child.
    pub fn remember<G: Game>(
        &mut self,
        node: &Node<G>,
        window: Window,
        value: Value,
        best: Option<u16>,
    ) {
        self.keep(node, value, window.bound(value));
        if self.memory == Memory::Position
            && let Some(number) = best
        {
            self.best.insert(mix(node.game.key()), number);
        }
    }

    /// The upper bound of `node` in memory; infinite if there is none.
    pub fn upper_bound<G: Game>(&self, node: &Node<G>) -> Value {
        self.key(node)
            .and_then(|key| self.known.get(&key))
            .map_or(INFINITE, |known| known.upper)
    }

    /// The lower bound of `node` in memory; minus infinity if there is none.
    pub fn lower_bound<G: Game>(&self, node: &Node<G>) -> Value {
        self.key(node)
            .and_then(|key| self.known.get(&key))
            .map_or(-INFINITE, |known| known.lower)
    }

    fn keep<G: Game>(&mut self, node: &Node<G>, value: Value, bound: Bound) {
        let Some(key) = self.key(node) else { return };
        let known = self.known.entry(key).or_insert(Known {
            lower: -INFINITE,
            upper: INFINITE,
        });
        if bound.is_lower() {
            known.lower = known.lower.max(value);
        }
        if bound.is_upper() {
            known.upper = known.upper.min(value);
        }
        self.tally.stored = self.tally.stored.max(self.known.len() as u64);
    }

    /// A bound holds for one depth only, so the depth is part of the key.
    fn key<G: Game>(&self, node: &Node<G>) -> Option<u64> {
        match self.memory {
            Memory::Off => None,
            Memory::Path => Some(node.path),
            Memory::Position => Some(mix(node.game.key() ^ mix(u64::from(node.depth)))),
        }
    }
}
