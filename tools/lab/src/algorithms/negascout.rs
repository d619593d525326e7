//! `NegaScout` and principal variation search: the first move is expected to be the best, and the
//! others need only be shown to be no better.
//!
//! The encyclopedia article describes a null window as one with equal ends. It is beta = alpha + 1,
//! with no value between the ends.

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
    let Some(children) = lab.expand(node) else {
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
        if value > best {
            best = value;
            if value > alpha {
                best_child = Some(child.number);
            }
        }
        if best >= beta {
            break;
        }
        alpha = alpha.max(best);
    }
    lab.remember(node, narrowed, best, best_child);
    best
}

/// Principal variation search, line by line as in the encyclopedia article: fail-hard, and the second
/// search of a move has the full window.
pub fn pvs<G: Game>(lab: &mut Laboratory, node: &Node<G>, window: Window) -> Value {
    let Window { mut alpha, beta } = window;
    let Some(children) = lab.expand(node) else {
        return lab.leaf(node, window).clamp(alpha, beta);
    };
    let mut first = true;
    for child in children {
        let score = if first {
            -pvs(lab, &child, flip(alpha, beta))
        } else {
            let score = -pvs(lab, &child, flip(alpha, alpha + 1));
            if alpha < score && score < beta {
                lab.tally.researches += 1;
                -pvs(lab, &child, flip(alpha, beta))
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
    alpha
}
