//! Minimax, which defines the value that all other algorithms compute.

use crate::game::{Game, INFINITE, Value, Window};
use crate::laboratory::{Laboratory, Node};

/// The value of `node` by evaluating every leaf (von Neumann, 1928; Shannon, 1950), in negamax form:
/// the value for one side is the negated value for the other.
pub fn minimax<G: Game>(lab: &mut Laboratory, node: &Node<G>) -> Value {
    let Some(children) = lab.expand(node, Window::FULL) else {
        return lab.leaf(node, Window::FULL);
    };
    let mut best = -INFINITE;
    for child in children {
        best = best.max(-minimax(lab, &child));
    }
    lab.leave(node, Window::FULL, best)
}
