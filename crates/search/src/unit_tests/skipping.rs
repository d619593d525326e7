//! Which moves of a node are skipped.

use super::*;
use crate::params;
use skewer_ordering::{Guide, MovePicker, see};

/// A score that every move of these positions exceeds.
const LOST: Score = Score::new(-5000);

/// Whether the move loop left out a move, and the quiet moves after it.
#[derive(Debug, PartialEq, Eq)]
struct Skipped {
    left_out: bool,
    /// Whether the quiet moves that follow are left out too.
    no_more_quiets: bool,
    best: Score,
}

/// Asks whether the move `text` is skipped by one technique, at a node of this depth that `change` arranges.
fn skip(
    fen: &str,
    text: &str,
    technique: Techniques,
    depth: Depth,
    change: impl FnOnce(&mut Node, &mut Candidate),
) -> Skipped {
    skip_after(LOST, fen, text, technique, depth, change)
}

/// [`skip`] if the best score so far is `best`.
fn skip_after(
    mut best: Score,
    fen: &str,
    text: &str,
    technique: Techniques,
    depth: Depth,
    change: impl FnOnce(&mut Node, &mut Candidate),
) -> Skipped {
    with_search(fen, technique, |search, board| {
        let mut candidate = second(board, text);
        let mut node = node(1, depth);
        change(&mut node, &mut candidate);
        let mut picker = MovePicker::new(None, [None; 2], None);
        let left_out = search.skip_move(
            board,
            &node,
            Bitboard::FULL,
            &candidate,
            &mut picker,
            &mut best,
        );
        let (threats, context) = search.threats_and_context(board, 1);
        let guide = Guide {
            histories: &search.memory.histories,
            context: &context,
            threats: &threats,
            checks: None,
        };
        let mut quiets = 0;
        while let Some(mv) = picker.next(search.set, board, guide, |_, _| 0) {
            quiets += u32::from(!board.is_capture(mv) && !mv.is_promotion());
        }
        Skipped {
            left_out,
            no_more_quiets: quiets == 0,
            best,
        }
    })
}

/// A rook, which moves quietly, checks, or takes a pawn that another pawn defends.
const ROOK: &str = "4k3/2p5/3p4/8/8/8/3R4/4K3 w - - 0 1";

#[test]
fn at_low_depth_quiet_moves_end_at_a_place_that_grows_with_the_square_of_the_depth() {
    let ends = |depth, number, improving| {
        let technique = Techniques::LATE_MOVE_PRUNING;
        let skipped = skip(ROOK, "d2d3", technique, depth, |node, candidate| {
            node.improving = improving;
            candidate.number = number;
        });
        assert!(!skipped.left_out, "the move itself has been picked");
        skipped.no_more_quiets
    };
    for depth in [1, 3, params::lmp_depth()] {
        let last = (params::lmp_base() + depth * depth) as u32;
        assert!(
            ends(depth, last, true) && !ends(depth, last - 1, true),
            "depth {depth}"
        );
        // Half as many if the evaluation does not rise.
        assert!(ends(depth, last / 2, false) && !ends(depth, last / 2 - 1, false));
    }
    let deep = params::lmp_depth() + 1;
    assert!(!ends(deep, 250, true));
}

#[test]
fn a_quiet_move_with_a_bad_history_is_left_out_but_no_capture_and_no_check() {
    let technique = Techniques::HISTORY_PRUNING;
    let skips = |text, depth, history| {
        let skipped = skip(ROOK, text, technique, depth, |_, candidate| {
            candidate.history = history;
        });
        assert!(!skipped.no_more_quiets);
        skipped.left_out
    };
    let worst = -params::history_slope();
    assert!(skips("d2d3", 1, worst - 1) && !skips("d2d3", 1, worst));
    assert!(skips("d2d3", 2, 2 * worst - 1) && !skips("d2d3", 2, 2 * worst));
    assert!(!skips("d2d6", 1, 4 * worst), "a capture");
    assert!(!skips("d2e2", 1, 4 * worst), "a check");
    assert!(!skips("d2d3", 30, 100 * worst), "far from the horizon");
}

#[test]
fn a_quiet_move_that_cannot_make_up_the_distance_to_alpha_ends_the_quiet_moves() {
    let technique = Techniques::PARENT_FUTILITY;
    let at = |text, evaluation: i32, change: &dyn Fn(&mut Node)| {
        skip(ROOK, text, technique, 1, |node, _| {
            node.static_eval = Score::new(evaluation);
            change(node);
        })
    };
    let same = |_: &mut Node| {};
    let margin = params::futility_base() + params::futility_slope();
    let skipped = at("d2d3", -margin, &same);
    assert!(skipped.left_out && skipped.no_more_quiets);
    assert_eq!(skipped.best, Score::ZERO, "what it could reach at best");
    let kept = at("d2d3", 1 - margin, &same);
    assert!(!kept.left_out && !kept.no_more_quiets);
    assert_eq!(kept.best, LOST);
    assert!(!at("d2d6", -2000, &same).left_out, "a capture");
    assert!(!at("d2e2", -2000, &same).left_out, "a check");
    assert!(!at("d2d3", -2000, &|node| node.in_check = true).left_out);
    let mate = |node: &mut Node| node.alpha = Score::mate_in(9);
    assert!(
        !at("d2d3", -2000, &mate).left_out,
        "no evaluation is a mate"
    );
}

#[test]
fn a_capture_may_lose_in_proportion_to_the_depth_and_a_quiet_move_to_the_square_of_the_depth() {
    let technique = Techniques::SEE_PRUNING;
    let skips = |text, depth, history| {
        skip(ROOK, text, technique, depth, |_, candidate| {
            candidate.history = history;
        })
        .left_out
    };
    // The rook for a pawn.
    let piece = |piece| see::value(piece);
    let loss = piece(skewer_movegen::Piece::Rook) - piece(skewer_movegen::Piece::Pawn);
    for depth in 1..=params::see_depth() {
        let allowed = params::see_capture_slope() * depth;
        assert_eq!(skips("d2d6", depth, 0), allowed < loss, "depth {depth}");
    }
    assert!(!skips("d2d6", params::see_depth() + 1, 0));
    // A good history allows more, a bad one less, but never a gain.
    let rest = params::see_history() * (loss - params::see_capture_slope());
    assert!(!skips("d2d6", 1, rest) && skips("d2d6", 1, rest - params::see_history()));
    let fair = "4k3/8/3p4/8/8/8/3R4/4K3 w - - 0 1";
    let takes = skip(fair, "d2d6", technique, 1, |_, candidate| {
        candidate.history = -1_000_000;
    });
    assert!(!takes.left_out, "it loses nothing");
    // A quiet move to an attacked square.
    let quiet = "4k3/2p5/8/8/8/8/3R4/4K3 w - - 0 1";
    let rook = piece(skewer_movegen::Piece::Rook);
    for depth in 1..=4 {
        let skipped = skip(quiet, "d2d6", technique, depth, |_, _| {}).left_out;
        assert_eq!(
            skipped,
            params::see_quiet_slope() * depth * depth < rook,
            "depth {depth}"
        );
    }
}

#[test]
fn a_good_history_makes_the_distance_to_alpha_seem_less_and_the_depth_greater() {
    let skipped = |depth, history, evaluation: i32| {
        let technique = Techniques::PARENT_FUTILITY;
        skip(ROOK, "d2d3", technique, depth, |node, candidate| {
            candidate.history = history;
            node.static_eval = Score::new(evaluation);
        })
        .left_out
    };
    // The depth of a second move, reduced by its place alone.
    let late = |depth| {
        let board: Board = ROOK.parse().expect("a legal position");
        depth - crate::reduce::reduction(depth, &second(&board, "d2d3")) / 1024
    };
    let ply = 1024 * params::lmr_history();
    for depth in [1, 3] {
        for history in [
            0,
            7 * params::futility_history(),
            ply,
            2 * ply,
            -ply,
            -3 * ply,
        ] {
            let reduced = (late(depth) + history / ply).max(0);
            let margin = params::futility_base()
                + params::futility_slope() * reduced
                + history / params::futility_history();
            assert!(skipped(depth, history, -margin), "{depth} {history}");
            assert!(!skipped(depth, history, 1 - margin), "{depth} {history}");
        }
    }
    // Far from the horizon the distance does not matter.
    assert!(skipped(params::futility_depth(), 0, -5000));
    assert!(!skipped(params::futility_depth() + 12, 0, -5000));
    assert!(
        !skip(ROOK, "d2d3", Techniques::empty(), 1, |node, _| {
            node.static_eval = Score::new(-5000);
        })
        .left_out
    );
}

#[test]
fn the_best_score_is_raised_to_what_a_skipped_move_could_reach_unless_it_is_more_or_decided() {
    let best = |before: Score| {
        let technique = Techniques::PARENT_FUTILITY;
        let skipped = skip_after(before, ROOK, "d2d3", technique, 1, |node, _| {
            node.static_eval = Score::new(-2000);
        });
        assert!(skipped.left_out);
        skipped.best
    };
    let reach = Score::new(-2000 + params::futility_base() + params::futility_slope());
    assert_eq!(best(LOST), reach);
    assert_eq!(best(reach - 1), reach);
    assert_eq!(best(reach + 1), reach + 1);
    assert_eq!(best(Score::tb_loss_in(9)), Score::tb_loss_in(9));
}

#[test]
fn a_quiet_move_may_lose_a_piece_of_a_value_that_grows_with_the_square_of_the_depth() {
    use skewer_movegen::Piece;
    // Each piece moves to where a pawn takes it.
    for (piece, fen, text) in [
        (Piece::Knight, "4k3/2p5/8/8/N7/8/8/4K3 w - - 0 1", "a4b6"),
        (Piece::Rook, "4k3/2p5/8/8/8/8/3R4/4K3 w - - 0 1", "d2d6"),
        (Piece::Queen, "4k3/p7/8/8/8/8/1Q6/4K3 w - - 0 1", "b2b6"),
    ] {
        for depth in 1..=params::see_depth() + 2 {
            let skips = |technique| skip(fen, text, technique, depth, |_, _| {}).left_out;
            let board: Board = fen.parse().expect("a legal position");
            let reduced = depth - crate::reduce::reduction(depth, &second(&board, text)) / 1024;
            let allowed = params::see_quiet_slope() * reduced * reduced;
            let expected = reduced <= params::see_depth() && allowed < see::value(piece);
            assert_eq!(
                skips(Techniques::SEE_PRUNING),
                expected,
                "{piece:?}, depth {depth}"
            );
            assert!(!skips(Techniques::empty()));
        }
    }
}
