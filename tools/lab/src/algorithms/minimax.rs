//! Minimax: the definition of what all the others compute.

use crate::game::{Game, INFINITE, Value, Window};
use crate::laboratory::{Laboratory, Node};

/// The value of `node`, every leaf evaluated (von Neumann, 1928; Shannon, 1950), in the negamax
/// form: what is good for one side is as bad for the other.
pub fn minimax<G: Game>(lab: &mut Laboratory, node: &Node<G>) -> Value {
    let Some(children) = lab.expand(node) else {
        return lab.leaf(node, Window::FULL);
    };
    let mut best = -INFINITE;
    for child in children {
        best = best.max(-minimax(lab, &child));
    }
    best
}
