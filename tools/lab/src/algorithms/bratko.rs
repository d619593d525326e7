//! Alpha-beta as Bratko gives it in Prolog: two sides, MAX and MIN, without negation, and the move is
//! returned with the value.
//!
//! Each function is a relation of the program: `alphabeta`, `boundedbest`, `goodenough`, `newbounds`
//! and `betterof`.

use crate::game::{Game, Value, Window};
use crate::laboratory::{Laboratory, Node};

/// The comparison by which `goodenough` leaves a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// Only beyond the bound, as in the program.
    Beyond,
    /// At the bound too. The value is still right, but the move may be wrong: a later move that was cut at the bound
    /// seems as good as the best move, and `betterof` prefers the later of two equal moves.
    At,
}

/// The value of `node` for the root's side, and the number of the best move.
pub fn bratko<G: Game>(
    lab: &mut Laboratory,
    node: &Node<G>,
    window: Window,
    cut: Cut,
) -> (Value, Option<u16>) {
    let sided = |window: Window| {
        if node.maximises {
            window
        } else {
            window.flip()
        }
    };
    let Some(children) = lab.expand(node, sided(window)) else {
        let value = lab.leaf(node, Window::FULL);
        return (if node.maximises { value } else { -value }, None);
    };
    let (value, best) = bounded_best(lab, node, children, window, cut);
    lab.leave(
        node,
        sided(window),
        if node.maximises { value } else { -value },
    );
    (value, Some(best))
}

/// The best of the moves that are left, or the first that is good enough.
fn bounded_best<G: Game>(
    lab: &mut Laboratory,
    node: &Node<G>,
    mut rest: impl ExactSizeIterator<Item = Node<G>>,
    window: Window,
    cut: Cut,
) -> (Value, u16) {
    let Some(child) = rest.next() else {
        unreachable!("a node that is expanded has a move, and the last is not followed");
    };
    let (value, _) = bratko(lab, &child, window, cut);
    let one = (value, child.number);
    if rest.len() == 0 || good_enough(node, value, window, cut) {
        return one;
    }
    let window = new_bounds(node, value, window);
    let other = bounded_best(lab, node, rest, window, cut);
    better_of(node, one, other)
}

fn good_enough<G>(node: &Node<G>, value: Value, window: Window, cut: Cut) -> bool {
    let (value, bound) = if node.maximises {
        (value, window.beta)
    } else {
        (-value, -window.alpha)
    };
    value > bound || (cut == Cut::At && value == bound)
}

fn new_bounds<G>(node: &Node<G>, value: Value, window: Window) -> Window {
    let Window { alpha, beta } = window;
    if node.maximises {
        Window {
            alpha: alpha.max(value),
            beta,
        }
    } else {
        Window {
            alpha,
            beta: beta.min(value),
        }
    }
}

/// The better of two moves; of two equal ones the later.
fn better_of<G>(node: &Node<G>, one: (Value, u16), other: (Value, u16)) -> (Value, u16) {
    let first = if node.maximises {
        one.0 > other.0
    } else {
        one.0 < other.0
    };
    if first { one } else { other }
}
