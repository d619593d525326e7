//! SCOUT: tests whether a move can be better before evaluating it.

use crate::game::{Game, Value, Window};
use crate::laboratory::{Laboratory, Node};

/// The value of `node` by SCOUT (Pearl, 1980), the first algorithm to beat alpha-beta: the first
/// move is evaluated; each other one is tested, and evaluated only if it is better. Evaluation has
/// no window, so it may visit leaves that alpha-beta prunes.
pub fn scout<G: Game>(lab: &mut Laboratory, node: &Node<G>) -> Value {
    let Some(mut children) = lab.expand(node, Window::FULL) else {
        return lab.leaf(node, Window::FULL);
    };
    let Some(first) = children.next() else {
        return lab.leaf(node, Window::FULL);
    };
    let mut best = -scout(lab, &first);
    for child in children {
        // A move is better than `best` if the opponent gets less than `-best`.
        if !at_least(lab, &child, -best) {
            lab.tally.researches += 1;
            best = -scout(lab, &child);
        }
    }
    lab.leave(node, Window::FULL, best)
}

/// Pearl's TEST: whether the value of `node` is at least `bound`.
fn at_least<G: Game>(lab: &mut Laboratory, node: &Node<G>, bound: Value) -> bool {
    let window = Window::null(bound);
    let Some(children) = lab.expand(node, window) else {
        return lab.leaf(node, window) >= bound;
    };
    for child in children {
        // A move reaches `bound` if the opponent cannot get more than `-bound` after it.
        if !at_least(lab, &child, 1 - bound) {
            lab.leave(node, window, bound);
            return true;
        }
    }
    lab.leave(node, window, bound - 1);
    false
}
