//! Alpha-beta: skips moves that cannot change the result.

use crate::game::{Game, INFINITE, Value, Window};
use crate::laboratory::{Laboratory, Node};

/// Alpha-beta, fail-hard (Knuth and Moore, 1975): the result never leaves the window.
///
/// It also cuts if `value == beta`, because the opponent already has a move of value beta. Bratko's
/// program must not cut there: see [`bratko`](super::bratko()).
pub fn alpha_beta<G: Game>(lab: &mut Laboratory, node: &Node<G>, window: Window) -> Value {
    let Window { mut alpha, beta } = window;
    let Some(children) = lab.expand(node, window) else {
        return lab.leaf(node, window).clamp(alpha, beta);
    };
    for child in children {
        let value = -alpha_beta(lab, &child, flip(alpha, beta));
        if value >= beta {
            return lab.leave(node, window, beta);
        }
        alpha = alpha.max(value);
    }
    lab.leave(node, window, alpha)
}

/// Alpha-beta, fail-soft (Fishburn, 1983), with the laboratory's memory (Plaat's
/// `AlphaBetaWithMemory`, 1996): a result outside the window is a bound on the true value, which
/// MTD(f) and MT-SSS* need.
pub fn alpha_beta_soft<G: Game>(lab: &mut Laboratory, node: &Node<G>, window: Window) -> Value {
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
        let value = -alpha_beta_soft(lab, &child, flip(alpha, beta));
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

/// Alpha-beta at the root, with a null window for the last move (Fishburn, 1981), because only
/// whether it is better than the others matters. Returns the number of the best move.
pub fn last_move_null_window<G: Game>(lab: &mut Laboratory, root: &Node<G>) -> Option<usize> {
    let mut alpha = -INFINITE;
    let mut best = None;
    let children = lab.expand(root, Window::FULL)?;
    let last = root.game.moves().len() - 1;
    for (index, child) in children.enumerate() {
        let beta = if index == last && index > 0 {
            alpha + 1
        } else {
            INFINITE
        };
        let value = -alpha_beta(lab, &child, flip(alpha, beta));
        if value > alpha {
            (alpha, best) = (value, Some(index));
        }
    }
    lab.leave(root, Window::FULL, alpha);
    best
}

/// The window from `alpha` to `beta` as the other side sees it.
pub(super) fn flip(alpha: Value, beta: Value) -> Window {
    Window { alpha, beta }.flip()
}

#[cfg(test)]
mod tests {
    use super::super::negascout::negascout;
    use super::*;
    use crate::games::typed::TypedTree;
    use crate::laboratory::{Memory, Trace};

    type Search = fn(&mut Laboratory, &Node<TypedTree>, Window) -> Value;

    #[test]
    fn a_move_is_remembered_only_if_it_is_better_than_alpha() {
        let tree: TypedTree = "(3 5 4)".parse().unwrap();
        let root = Node::root(&tree, 1);
        let searches: [Search; 2] = [alpha_beta_soft, negascout];
        for search in searches {
            for (alpha, tried_first) in [(4, 1), (5, 0)] {
                let mut lab = Laboratory::new(Memory::Position, Trace::Counts);
                let window = Window { alpha, beta: 9 };
                assert_eq!(search(&mut lab, &root, window), 5);
                let next = lab.expand(&root, Window::FULL);
                let next = next.and_then(|mut children| children.next());
                assert_eq!(next.map(|child| child.number), Some(tried_first));
            }
        }
    }
}
