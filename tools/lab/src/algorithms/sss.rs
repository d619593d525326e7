//! SSS*: best-first search for the best strategy (Stockman, 1979).
//!
//! A state is a node, whether it is live (to be expanded) or solved, and its merit: an upper bound
//! on the value for the root's side of any strategy through it. The OPEN list holds the states. Each
//! step removes the state of highest merit and adds the states that the Gamma operator makes of it,
//! until the root is solved. The list grows as b^ceil(d/2), which is why SSS* was rarely used.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::game::{Game, INFINITE, Value, Window};
use crate::laboratory::{Laboratory, Node};
use crate::trace::Step;

/// The path from the root to a node: from the most significant byte on, a byte for each ply with the
/// move's number plus one; the last byte is the length. Paths sort from left to right in the tree.
type Path = u128;

/// The longest path that fits.
const MAX_PLIES: u32 = 15;

/// Live or solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    Live,
    Solved,
}

/// The OPEN list: states by merit, states of equal merit from left to right; and by place, to remove
/// subtrees.
struct Open<G> {
    by_merit: BTreeMap<(Reverse<Value>, Path), (Status, Line<G>)>,
    by_place: BTreeMap<Path, Value>,
}

/// A node with its ancestors.
type Line<G> = std::rc::Rc<Link<G>>;

struct Link<G> {
    node: Node<G>,
    parent: Option<Line<G>>,
    siblings: usize,
    place: Path,
    ply: u32,
}

impl<G: Game> Open<G> {
    fn push(&mut self, lab: &mut Laboratory, status: Status, merit: Value, line: Line<G>) {
        let solved = status == Status::Solved;
        lab.tell(&line.node, |node| Step::Push {
            node,
            solved,
            merit,
        });
        self.by_place.insert(line.place, merit);
        self.by_merit
            .insert((Reverse(merit), line.place), (status, line));
        lab.tally.stored = lab.tally.stored.max(self.by_merit.len() as u64);
    }

    fn pop(&mut self, lab: &mut Laboratory) -> Option<(Status, Value, Line<G>)> {
        let ((Reverse(merit), place), (status, line)) = self.by_merit.pop_first()?;
        lab.tell(&line.node, |node| Step::Pop { node });
        self.by_place.remove(&place);
        Some((status, merit, line))
    }

    /// Removes all states at and below `line`.
    fn purge(&mut self, lab: &mut Laboratory, line: &Link<G>) {
        let first = line.place & !0xff;
        let last = first | (Path::MAX >> (8 * line.ply));
        let doomed: Vec<_> = self
            .by_place
            .range(first..=last)
            .map(|(&place, &merit)| (place, merit))
            .collect();
        for (place, merit) in doomed {
            self.by_place.remove(&place);
            if let Some((_, line)) = self.by_merit.remove(&(Reverse(merit), place)) {
                lab.tell(&line.node, |node| Step::Purge { node });
            }
        }
    }
}

/// The value of `node` by SSS*; the side to move is the maximiser.
///
/// # Panics
///
/// If the depth is over 15 plies.
pub fn sss<G: Game>(lab: &mut Laboratory, node: &Node<G>) -> Value {
    assert!(
        node.depth <= MAX_PLIES,
        "SSS* searches at most {MAX_PLIES} plies"
    );
    let mut open = Open {
        by_merit: BTreeMap::new(),
        by_place: BTreeMap::new(),
    };
    let root = Line::new(Link {
        node: node.clone(),
        parent: None,
        siblings: 1,
        place: 0,
        ply: 0,
    });
    open.push(lab, Status::Live, INFINITE, root);
    while let Some((status, merit, line)) = open.pop(lab) {
        match status {
            Status::Live => expand(lab, &mut open, merit, &line),
            Status::Solved => {
                let Some(parent) = line.parent.clone() else {
                    return merit;
                };
                if parent.node.maximises {
                    // The parent is solved, so its other moves are not needed.
                    open.purge(lab, &parent);
                    open.push(lab, Status::Solved, merit, parent);
                } else if let Some(next) = sibling(&line) {
                    open.push(lab, Status::Live, merit, next);
                } else {
                    open.push(lab, Status::Solved, merit, parent);
                }
            }
        }
    }
    unreachable!("the root's state, or one below it, is always on the list")
}

/// The Gamma operator on a live state: all moves of the maximiser, the first of the minimiser.
fn expand<G: Game>(lab: &mut Laboratory, open: &mut Open<G>, merit: Value, line: &Line<G>) {
    let children = lab.expand(&line.node, Window::FULL);
    let count = children.map_or(0, |children| children.len());
    if count == 0 {
        let sign = if line.node.maximises { 1 } else { -1 };
        let value = sign * lab.leaf(&line.node, Window::FULL);
        open.push(lab, Status::Solved, merit.min(value), line.clone());
        return;
    }
    let wanted = if line.node.maximises { count } else { 1 };
    for number in 0..wanted {
        open.push(lab, Status::Live, merit, descend(line, number, count));
    }
}

fn sibling<G: Game>(line: &Link<G>) -> Option<Line<G>> {
    let number = usize::from(line.node.number) + 1;
    let parent = line.parent.as_ref()?;
    (number < line.siblings).then(|| descend(parent, number, line.siblings))
}

fn descend<G: Game>(parent: &Line<G>, number: usize, siblings: usize) -> Line<G> {
    let ply = parent.ply + 1;
    let digit = (number as Path + 1) << (128 - 8 * ply);
    Line::new(Link {
        node: parent.node.nth_child(number),
        parent: Some(parent.clone()),
        siblings,
        place: (parent.place & !0xff) | digit | Path::from(ply),
        ply,
    })
}
