//! The shallower searches by which a node is cut off: their depths and windows, and what follows from them.

use super::*;
use crate::params;
use crate::prune::null_moves_again_from;
use crate::stack::NOT_IN_ORDER;
use crate::table_key::table_key;

/// White is two queens to one up; no move of either side changes that.
const QUEENS: &str = "3qk3/8/8/8/8/8/8/Q2QK3 w - - 0 1";

/// A node at which a null move is tried, with this evaluation.
fn hopeful(depth: Depth, evaluation: i32) -> Node {
    Node {
        expect: Expect::Cut,
        eval: Score::new(evaluation),
        static_eval: Score::new(evaluation),
        ..node(1, depth)
    }
}

/// Tries a null move at `node`. The table holds the position after the null move, with `score` for White and the depth
/// `known`; `Err` if this depth is not enough. Returns the score of the null move if it cuts the node.
fn pass(node: &Node, score: Score, known: Depth) -> Result<Option<Score>, ()> {
    let set = Techniques::NULL_MOVE | Techniques::HASH_CUTOFF;
    with_search(QUEENS, set, |search, board| {
        search.memory.stack.at_mut(0).mv = board.legal_moves().first().copied();
        let after = board.play_null().expect("no check");
        know(search, &after, 2, -score, known);
        // The pass, and no move below it.
        stop_after(search, 2);
        search.memory.stack.at_mut(4).cutoffs = 7;
        let cut = search.null_move(board, node);
        assert_eq!(
            search.memory.stack.at(4).cutoffs,
            0,
            "the node after it is at ply 2"
        );
        if search.aborted { Err(()) } else { Ok(cut) }
    })
}

#[test]
fn a_null_move_cuts_if_its_score_is_at_least_beta_and_a_won_score_counts_as_beta() {
    let node = hopeful(8, 100);
    let beta = node.beta;
    for (score, cut) in [
        (beta - 1, None),
        (beta, Some(beta)),
        (beta + 70, Some(beta + 70)),
        (Score::mate_in(9), Some(beta)),
        (Score::tb_win_in(9), Some(beta)),
        (-Score::tb_win_in(9), None),
    ] {
        assert_eq!(pass(&node, score, 60), Ok(cut), "{score:?}");
    }
}

#[test]
fn a_null_move_is_searched_with_a_null_window_below_any_beta() {
    for beta in [-30, 0, 30] {
        let mut node = hopeful(8, beta + 100);
        (node.alpha, node.beta) = (Score::new(beta - 1), Score::new(beta));
        assert_eq!(pass(&node, node.beta, 60), Ok(Some(node.beta)));
        assert_eq!(pass(&node, node.alpha, 60), Ok(None), "beta {beta}");
    }
}

#[test]
fn a_null_move_is_reduced_more_in_deep_nodes_and_far_above_beta() {
    for depth in [8, 11, 12, 13] {
        for plies in 0..=params::null_eval_max() + 2 {
            for rest in [0, params::null_eval_divisor() - 1] {
                // The evaluation must lie above beta by a margin as well.
                let surplus = plies * params::null_eval_divisor() + rest;
                if surplus < params::null_margin_base() {
                    continue;
                }
                let node = hopeful(depth, 1 + surplus);
                let reduction = params::null_base()
                    + depth / params::null_divisor()
                    + plies.min(params::null_eval_max());
                let below = depth - reduction;
                if below < 1 {
                    continue;
                }
                let score = Score::new(-7);
                assert_eq!(pass(&node, score, below), Ok(None), "depth {depth}");
                assert_eq!(pass(&node, score, below - 1), Err(()), "depth {depth}");
            }
        }
    }
}

#[test]
fn after_a_null_move_no_fail_high_is_expected_of_the_opponent() {
    // A node at which a fail-high is expected and no hash move is known loses a ply.
    let set = Techniques::NULL_MOVE | Techniques::INTERNAL_REDUCTION;
    let depth = 2 * (params::null_base() + params::iir_depth());
    let reduction = params::null_base() + depth / params::null_divisor();
    let below = depth - reduction;
    assert!(below >= params::iir_depth());
    with_search("4k3/8/8/8/8/8/8/RR2K3 w - - 0 1", set, |search, board| {
        search.memory.stack.at_mut(0).mv = board.legal_moves().first().copied();
        let node = hopeful(depth, 100);
        assert!(search.null_move(board, &node).is_some());
        let after = board.play_null().expect("no check");
        let entry = search.probe(&after, table_key(&after, search.set), 2);
        assert_eq!(entry.expect("stored").depth, below);
    });
}

#[test]
fn a_null_move_is_verified_to_the_depth_of_its_search() {
    let set = Techniques::NULL_MOVE | Techniques::NULL_MOVE_VERIFICATION | Techniques::HASH_CUTOFF;
    let depth = params::null_verify_depth();
    let reduction = params::null_base() + depth / params::null_divisor();
    let verified = |known| {
        with_search(QUEENS, set, |search, board| {
            search.memory.stack.at_mut(0).mv = board.legal_moves().first().copied();
            let after = board.play_null().expect("no check");
            know(search, &after, 2, Score::new(-50), 60);
            know(search, board, 1, Score::new(50), known);
            stop_after(search, 2);
            let cut = search.null_move(board, &hopeful(depth, 100));
            (!search.aborted).then_some(cut)
        })
    };
    assert_eq!(verified(depth - reduction), Some(Some(Score::new(50))));
    assert_eq!(verified(depth - reduction - 1), None);
}

#[test]
fn null_moves_are_tried_again_after_three_quarters_of_the_depth_that_is_verified() {
    assert_eq!(params::null_verify_share(), 75);
    for (depth, plies) in [(8, 7), (10, 8), (12, 10), (0, 1), (-3, 1)] {
        for ply in [1, 20] {
            assert_eq!(null_moves_again_from(ply, depth), ply + plies, "{depth}");
        }
    }
}

#[test]
fn a_node_that_its_evaluation_settles_is_not_searched() {
    let set = Techniques::REVERSE_FUTILITY | Techniques::NULL_MOVE | Techniques::PROBCUT;
    with_search(QUEENS, set, |search, board| {
        search.memory.stack.at_mut(0).mv = board.legal_moves().first().copied();
        let node = hopeful(6, 900);
        let expected = node.beta + (node.eval - node.beta) / params::rfp_blend();
        assert_eq!(search.prune_node::<NonPv>(board, &node), Some(expected));
        assert_eq!(search.nodes, 0);
        // The score of a decided position is not a static evaluation: nothing is pruned by it.
        let decided = Node {
            eval: Score::tb_win_in(9),
            ..node
        };
        let set = search.set;
        search.set = Techniques::REVERSE_FUTILITY;
        assert_eq!(search.prune_node::<NonPv>(board, &decided), None);
        search.set = set;
    });
}

// ProbCut.

/// White can take a queen with its pawn.
const HANGS: &str = "4k3/8/8/3q4/4P3/8/8/R3K3 w - - 0 1";

/// Tries `ProbCut` at a node of this depth with beta 0. The table holds the score `score`, of depth `known`,
/// for the capture; `Err` if another search is needed. Returns the score if it cuts the node.
fn probcut(
    depth: Depth,
    score: Score,
    known: Depth,
    change: impl FnOnce(&mut Node),
) -> Result<Option<Score>, ()> {
    let set = Techniques::PROBCUT | Techniques::HASH_CUTOFF | Techniques::HASH_QUIESCENCE;
    let set = set | Techniques::QUIESCENCE;
    with_search(HANGS, set, |search, board| {
        know(search, &board.play(uci(board, "e4d5")), 2, -score, known);
        stop_after(search, 2);
        let mut node = node(1, depth);
        (node.alpha, node.beta) = (Score::new(-1), Score::ZERO);
        change(&mut node);
        let cut = search.prune_node::<NonPv>(board, &node);
        if search.aborted {
            return Err(());
        }
        if search.nodes > 0 {
            assert_eq!(search.memory.stack.at(1).number, NOT_IN_ORDER);
        }
        Ok(cut)
    })
}

#[test]
fn probcut_needs_a_capture_above_beta_in_quiescence_and_in_a_shallower_search() {
    let margin = params::probcut_margin();
    for depth in [params::probcut_depth(), 9] {
        let shallow = depth - params::probcut_reduction();
        let cut = |score: i32, known| probcut(depth, Score::new(score), known, |_| {});
        assert_eq!(cut(margin, shallow), Ok(Some(Score::ZERO)), "depth {depth}");
        assert_eq!(cut(margin + 60, shallow), Ok(Some(Score::new(60))));
        assert_eq!(cut(margin - 1, shallow), Ok(None), "not above");
        // Quiescence alone is not enough.
        assert_eq!(cut(margin, shallow - 1), Err(()), "depth {depth}");
        assert_eq!(cut(margin - 1, 0), Ok(None), "depth {depth}");
    }
}

#[test]
fn a_won_score_of_probcut_is_returned_as_it_is_and_a_decided_beta_is_not_tried() {
    let won = Score::tb_win_in(9);
    assert_eq!(probcut(9, won, 60, |_| {}), Ok(Some(won)));
    for decided in [Score::tb_win_in(20), Score::tb_loss_in(20)] {
        let beta = |node: &mut Node| (node.alpha, node.beta) = (decided - 1, decided);
        assert_eq!(probcut(9, won, 60, beta), Ok(None));
    }
}

#[test]
fn probcut_tries_captures_that_can_win_what_the_evaluation_lacks() {
    let queen = skewer_ordering::see::value(skewer_movegen::Piece::Queen);
    let searched = |evaluation: i32| {
        let score = Score::new(params::probcut_margin());
        let lacks = |node: &mut Node| node.static_eval = Score::new(evaluation);
        probcut(9, score, 60, lacks) == Ok(Some(Score::ZERO))
    };
    let enough = params::probcut_margin() - queen;
    assert!(searched(enough) && !searched(enough - 1));
}

#[test]
fn a_node_that_a_null_move_settles_is_not_probed_further() {
    let nodes = |set| {
        with_search(HANGS, set, |search, board| {
            search.memory.stack.at_mut(0).mv = board.legal_moves().first().copied();
            let mut node = hopeful(6, 900);
            (node.alpha, node.beta) = (Score::new(-2001), Score::new(-2000));
            let cut = search.prune_node::<NonPv>(board, &node);
            (cut.is_some(), search.nodes)
        })
    };
    // The capture alone would be enough as well.
    assert!(nodes(Techniques::PROBCUT).0);
    let null = nodes(Techniques::NULL_MOVE);
    assert!(null.0);
    assert_eq!(nodes(Techniques::NULL_MOVE | Techniques::PROBCUT), null);
}
