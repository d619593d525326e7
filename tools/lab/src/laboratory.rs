//! Nodes, counters and memory for the textbook algorithms.
//!
//! All measuring is done here, so that the algorithms are as short as in the texts.

use fnv::{FnvHashMap, FnvHashSet};
use skewer_types::{Bound, mix};

use crate::game::{End, Game, INFINITE, Tally, Value, Window};
use crate::trace::{Recording, Step};

/// Whether to remember which leaves were seen (it costs memory).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Trace {
    /// Count visits only.
    #[default]
    Counts,
    /// Remember every leaf, by the path to it.
    Leaves,
}

/// What the algorithms may store between visits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Memory {
    /// Nothing.
    #[default]
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
    /// Whether the root's side is to move.
    pub maximises: bool,
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
            maximises: true,
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
            maximises: !self.maximises,
            path: child_path(self.path, number),
        }
    }
}

/// The hash of the path to a child.
fn child_path(parent: u64, number: u16) -> u64 {
    mix(parent ^ mix(u64::from(number)))
}

/// Bounds on a node's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Known {
    lower: Value,
    upper: Value,
}

type Keyed<T> = FnvHashMap<u64, T>;

/// The counters and the memory of one experiment. The memory outlives a call of an algorithm, so
/// that iterative deepening and the passes of MTD(f) profit from what came before.
#[derive(Debug, Default)]
pub struct Laboratory {
    /// What has been counted so far.
    pub tally: Tally,
    memory: Memory,
    trace: Trace,
    seen: FnvHashSet<u64>,
    known: Keyed<Known>,
    best: Keyed<u16>,
    recording: Option<Recording>,
    /// The recorded nodes by the path to them.
    places: Keyed<usize>,
}

impl Laboratory {
    /// An empty laboratory.
    pub fn new(memory: Memory, trace: Trace) -> Self {
        Self {
            memory,
            trace,
            ..Self::default()
        }
    }

    /// Records all steps from here on.
    pub fn record(&mut self) {
        self.recording = Some(Recording::default());
    }

    /// Adds the whole tree below `node` to the recording, so that the recording also shows the
    /// nodes that are not visited.
    pub fn plant<G: Game>(&mut self, node: &Node<G>) {
        let place = self.place(node);
        let moves = node.game.moves();
        let Some(recording) = &mut self.recording else {
            return;
        };
        if node.depth == 0 || moves.is_empty() {
            let tally = &mut Tally::default();
            let (value, _) = node.game.value(node.depth, Window::FULL, tally);
            recording.places[place].value = Some(if node.maximises { value } else { -value });
            return;
        }
        self.announce(node, &moves);
        for number in 0..moves.len() {
            self.plant(&node.nth_child(number));
        }
    }

    /// What was recorded; `None` without [`record`](Self::record).
    pub fn recording(self) -> Option<Recording> {
        self.recording
    }

    /// The recorded place of a node.
    fn place<G: Game>(&mut self, node: &Node<G>) -> usize {
        let Some(recording) = &mut self.recording else {
            return 0;
        };
        *self.places.entry(node.path).or_insert_with(|| {
            // Every other node is announced by its parent.
            recording.child(None, String::new(), || "root".to_owned())
        })
    }

    /// Adds the children of a node to the recording.
    fn announce<G: Game>(&mut self, node: &Node<G>, moves: &[G::Move]) {
        let parent = self.place(node);
        let Some(recording) = &mut self.recording else {
            return;
        };
        for (number, &mv) in (0..).zip(moves) {
            let label = || node.game.label(mv);
            let place = recording.child(Some(parent), number.to_string(), label);
            self.places.insert(child_path(node.path, number), place);
        }
    }

    /// Records a step of a node.
    pub(crate) fn tell<G: Game>(&mut self, node: &Node<G>, step: impl FnOnce(usize) -> Step) {
        let place = self.place(node);
        if let Some(recording) = &mut self.recording {
            recording.step(step(place));
        }
    }

    fn enter<G: Game>(&mut self, node: &Node<G>, window: Window) {
        self.tally.visits.enter(window);
        let place = self.place(node);
        if let Some(recording) = &mut self.recording {
            recording.enter(place, window, || node.game.fen());
        }
    }

    fn end<G: Game>(&mut self, node: &Node<G>, value: Value, end: End) {
        self.tally.visits.leave(end);
        self.tell(node, |node| Step::Leave { node, value, end });
    }

    /// Leaves a node whose moves were searched with `window`, and returns its `value`.
    pub fn leave<G: Game>(&mut self, node: &Node<G>, window: Window, value: Value) -> Value {
        self.end(node, value, End::of(value, window));
        value
    }

    /// Begins a search from the root.
    pub fn pass(&mut self, window: Window) {
        self.tally.passes += 1;
        if let Some(recording) = &mut self.recording {
            recording.step(Step::Pass(window));
        }
    }

    /// Whether every leaf visited here was also visited in `other`.
    pub fn saw_only_leaves_of(&self, other: &Self) -> bool {
        self.seen.is_subset(&other.seen)
    }

    /// The children of `node`, to be searched with `window`, or `None` where it is a leaf: at the
    /// horizon, or with the game over. With [`Memory::Position`], the best move of the last visit comes
    /// first.
    pub fn expand<'a, G: Game>(
        &mut self,
        node: &'a Node<G>,
        window: Window,
    ) -> Option<impl ExactSizeIterator<Item = Node<G>> + use<'a, G>> {
        if node.depth == 0 {
            return None;
        }
        let moves = node.game.moves();
        if moves.is_empty() {
            return None;
        }
        self.tally.interior += 1;
        self.enter(node, window);
        self.announce(node, &moves);
        let mut moves: Vec<_> = (0..).zip(moves).collect();
        if self.memory == Memory::Position
            && let Some(&number) = self.best.get(&mix(node.game.key()))
            && let Some(place) = moves.iter().position(|&(n, _)| n == number)
        {
            moves[..=place].rotate_right(1);
        }
        let moves = moves.into_iter();
        Some(moves.map(|(number, mv)| node.child(number, mv)))
    }

    /// The value of a leaf: exact within `window`, otherwise a bound.
    pub fn leaf<G: Game>(&mut self, node: &Node<G>, window: Window) -> Value {
        self.tally.leaves += 1;
        if self.trace == Trace::Leaves && self.seen.insert(node.path) {
            self.tally.distinct_leaves += 1;
        }
        self.enter(node, window);
        let (value, bound) = node.game.value(node.depth, window, &mut self.tally);
        self.keep(node, value, bound);
        self.end(node, value, End::Leaf);
        value
    }

    /// Returns the value from memory if it settles the search with `window`; otherwise narrows
    /// `window` to the stored bounds and returns `None`.
    pub fn recall<G: Game>(&mut self, node: &Node<G>, window: &mut Window) -> Option<Value> {
        let known = *self.known.get(&self.key(node)?)?;
        let value = if known.lower >= window.beta || known.lower == known.upper {
            Some(known.lower)
        } else {
            (known.upper <= window.alpha).then_some(known.upper)
        };
        if let Some(value) = value {
            self.enter(node, *window);
            self.end(node, value, End::Known);
            return Some(value);
        }
        window.alpha = window.alpha.max(known.lower);
        window.beta = window.beta.min(known.upper);
        None
    }

    /// Leaves a node after a fail-soft search with `window`: stores its value and its best child, and
    /// returns the value.
    pub fn remember<G: Game>(
        &mut self,
        node: &Node<G>,
        window: Window,
        value: Value,
        best: Option<u16>,
    ) -> Value {
        self.keep(node, value, window.bound(value));
        if self.memory == Memory::Position
            && let Some(number) = best
        {
            self.best.insert(mix(node.game.key()), number);
        }
        self.leave(node, window, value)
    }

    /// The lower and the upper bound of `node` in memory; infinite where there is none.
    pub fn bounds<G: Game>(&self, node: &Node<G>) -> (Value, Value) {
        self.key(node)
            .and_then(|key| self.known.get(&key))
            .map_or((-INFINITE, INFINITE), |known| (known.lower, known.upper))
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
