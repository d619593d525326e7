//! `NegaScout` and principal variation search: the first move is expected to be the best, and the
//! others need only be shown to be no better.
//!
//! The encyclopedia article describes a null window as a window with equal ends. In fact it has beta = alpha + 1, so
//! that no value lies between the ends.

use super::alpha_beta::flip;
use crate::game::{Game, INFINITE, Value, Window};
use crate::laboratory::{Laboratory, Node};

/// `NegaScout` (Reinefeld, 1983), fail-soft and with the laboratory's memory. A move that fails high
/// in the null window is searched again with the window from that value to beta.
pub fn negascout<G: Game>(lab: &mut Laboratory, node: &Node<G>, window: Window) -> Value {
    let mut narrowed = window;
    if let Some(value) = lab.recall(node, &mut narrowed) {
        return value;
    }
    let Window { mut alpha, beta } = narrowed;
    let Some(children) = lab.expand(node, narrowed) else {
        return lab.leaf(node, narrowed);
    };
    let mut best = -INFINITE;
    let mut best_child = None;
    for child in children {
        let first = best == -INFINITE;
        let upper = if first { beta } else { alpha + 1 };
        let mut value = -negascout(lab, &child, flip(alpha, upper));
        if !first && value > alpha && value < beta {
            lab.tally.researches += 1;
            value = -negascout(lab, &child, flip(value, beta));
        }
        best = best.max(value);
        if value > alpha {
            best_child = Some(child.number);
        }
        if best >= beta {
            break;
        }
        alpha = alpha.max(best);
    }
    lab.remember(node, narrowed, best, best_child)
}

/// `NegaScout` as Reinefeld (1983) prints it: fail-hard below, and on the last ply without a second
/// search, because a leaf has its exact value at once. So leaves are evaluated without a window.
pub fn negascout_1983<G: Game>(lab: &mut Laboratory, node: &Node<G>, window: Window) -> Value {
    let Window { mut alpha, beta } = window;
    let Some(children) = lab.expand(node, window) else {
        return lab.leaf(node, Window::FULL);
    };
    let mut upper = beta;
    for (index, child) in children.enumerate() {
        let mut value = -negascout_1983(lab, &child, flip(alpha, upper));
        if value > alpha && value < beta && index > 0 && !is_leaf(&child) {
            lab.tally.researches += 1;
            value = -negascout_1983(lab, &child, flip(value, beta));
        }
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
        upper = alpha + 1;
    }
    lab.leave(node, window, alpha)
}

/// Whether a node is at the horizon, or the game is over there.
fn is_leaf<G: Game>(node: &Node<G>) -> bool {
    node.depth == 0 || node.game.moves().is_empty()
}

/// Principal variation search, line by line as in the encyclopedia article: leaves return their values
/// as they are, inner nodes at least alpha, and the second search of a move has the full window.
pub fn pvs<G: Game>(lab: &mut Laboratory, node: &Node<G>, window: Window) -> Value {
    pvs_by(lab, node, window, |value, _| value)
}

/// Principal variation search, fail-hard: a leaf too returns a value inside the window.
pub fn pvs_hard<G: Game>(lab: &mut Laboratory, node: &Node<G>, window: Window) -> Value {
    pvs_by(lab, node, window, |value, window| {
        value.clamp(window.alpha, window.beta)
    })
}

fn pvs_by<G: Game>(
    lab: &mut Laboratory,
    node: &Node<G>,
    window: Window,
    leaf: fn(Value, Window) -> Value,
) -> Value {
    let Window { mut alpha, beta } = window;
    let Some(children) = lab.expand(node, window) else {
        return leaf(lab.leaf(node, window), window);
    };
    let mut first = true;
    for child in children {
        let score = if first {
            -pvs_by(lab, &child, flip(alpha, beta), leaf)
        } else {
            let score = -pvs_by(lab, &child, flip(alpha, alpha + 1), leaf);
            if alpha < score && score < beta {
                lab.tally.researches += 1;
                -pvs_by(lab, &child, flip(alpha, beta), leaf)
            } else {
                score
            }
        };
        first = false;
        alpha = alpha.max(score);
        if alpha >= beta {
            break;
        }
    }
    lab.leave(node, window, alpha)
}
