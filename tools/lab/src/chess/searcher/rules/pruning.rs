//! Futility pruning and forward pruning.

use super::super::{Context, Searcher};
use super::{INNER, QUEENS, below, passes, uci, with};
use crate::chess::config::{Config, Ideas, NullMove};
use crate::chess::position::Position;
use crate::chess::positions::from_fen;
use crate::game::{End, INFINITE, Window};
use crate::params::chess as params;

#[test]
fn mates_are_settled_if_neither_end_of_the_window_is_a_mate() {
    let careful = with(Ideas::MATES_FIRST);
    let (mate, bound) = (params::MATE - 5, params::MATE_BOUND);
    for (alpha, beta, settled) in [
        (0, 1, true),
        (-INFINITE, INFINITE, true),
        (-mate, 0, false),
        (0, mate, false),
        (mate, mate + 1, false),
        (-bound, 0, false),
        (1 - bound, bound - 1, true),
        (0, params::MATE, false),
        (0, params::MATE + 1, true),
    ] {
        assert_eq!(
            careful.mates_are_settled(alpha, beta),
            settled,
            "{alpha} {beta}"
        );
        assert!(with(Ideas::empty()).mates_are_settled(alpha, beta));
    }
}

#[test]
fn futility_waits_for_mates_in_both_forms_only_if_it_is_told_to() {
    let position = from_fen("6k1/5ppp/8/8/8/8/5PPP/Q5K1 w - - 0 1");
    let after = position.play(uci(&position, "a1b1"));
    let arrival = Context { ply: 2, ..INNER };
    for (ideas, expected) in [(Ideas::empty(), true), (Ideas::MATES_FIRST, false)] {
        let searcher = with(ideas | Ideas::FUTILITY_NODE | Ideas::FUTILITY_PARENT);
        let window = Window {
            alpha: -params::MATE + 3,
            beta: 0,
        };
        assert_eq!(searcher.futile_node(&position, 1, window, INNER), expected);
        let alpha = params::MATE - 3;
        let skipped = searcher.futile_move(&position, &after, 1, alpha, arrival, INNER);
        assert_eq!(skipped, expected);
    }
}

#[test]
fn a_move_after_which_the_node_is_extended_is_not_futile() {
    // Black's pawn goes to f3 beside its queen on h3: the pattern that is searched a ply deeper.
    let position = from_fen("6k1/8/8/8/5p2/7q/8/R4RK1 b - - 0 1");
    let after = position.play(uci(&position, "f4f3"));
    let alpha = -after.evaluate() + 500;
    let skips = |ideas, extended| {
        let context = Context { extended, ..INNER };
        let arrival = Context { ply: 2, ..context };
        let searcher = with(Ideas::FUTILITY_PARENT | ideas);
        searcher.futile_move(&position, &after, 1, alpha, arrival, context)
    };
    let extend = Ideas::EXTEND_QUEEN_AND_PAWN;
    assert!(skips(Ideas::empty(), false) && !skips(extend, false));
    assert!(skips(extend, true), "a line is extended once");
}

#[test]
fn where_the_margin_decides_no_null_move_is_searched() {
    let position = from_fen(QUEENS);
    for (ideas, end, passed, futile) in [
        (Ideas::empty(), End::NullMove, 1, 0),
        (Ideas::FUTILITY_NODE, End::Futile, 0, 1),
    ] {
        let mut searcher = Searcher::new(Config {
            null_move: NullMove::Plain { reduction: 2 },
            ..Config::PLAIN.with(ideas)
        });
        searcher.record();
        let window = below(&position);
        assert_eq!(searcher.probe(&position, 2, window), window.beta);
        assert_eq!(searcher.effort.visits.ended(end), 1, "{end:?}");
        assert_eq!(searcher.effort.futile, futile);
        assert_eq!(passes(searcher).len(), passed);
    }
}

#[test]
fn forward_pruning_skips_late_quiet_moves_but_no_check_and_no_evasion() {
    let quiet = from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    let in_check = from_fen("4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1");
    let skips = |position: &Position, mv: &str, depth, place, ply| {
        let context = Context { ply, ..INNER };
        let mv = uci(position, mv);
        with(Ideas::FORWARD_PRUNING).implausible(position, mv, depth, place, context)
    };
    for (depth, width) in [(0, 6), (1, 6), (2, 8), (3, 10), (4, 14), (9, 14)] {
        assert!(!skips(&quiet, "a1a2", depth, width, 1), "depth {depth}");
        assert!(skips(&quiet, "a1a2", depth, width + 1, 1), "depth {depth}");
    }
    assert!(!skips(&quiet, "a1a8", 1, 99, 1), "a check");
    assert!(!skips(&in_check, "e1d1", 1, 99, 1), "an evasion");
    assert!(!skips(&quiet, "a1a2", 1, 99, 0), "at the root");
    let plain = with(Ideas::empty());
    assert!(!plain.implausible(&quiet, uci(&quiet, "a1a2"), 1, 99, INNER));
}

#[test]
fn forward_pruning_counts_quiet_moves_alone() {
    // At a depth of one ply six quiet moves are searched, whatever captures come before them.
    for (fen, captures) in [
        ("7k/8/8/8/8/8/4P3/4K2B w - - 0 1", 0),
        ("7k/8/8/3p1p2/4P3/8/8/4K2B w - - 0 1", 2),
    ] {
        let position = from_fen(fen);
        let mut searcher = with(Ideas::FORWARD_PRUNING);
        searcher.search(&position, 1, Window::FULL, INNER);
        let moves = position.board().legal_moves();
        let checks = moves.iter().filter(|&&mv| position.board().gives_check(mv));
        assert_eq!(checks.count(), 0);
        assert_eq!(searcher.effort.horizons, 6 + captures, "{fen}");
        let skipped = moves.len() as u64 - 6 - captures;
        assert_eq!(searcher.effort.skipped, skipped, "{fen}");
    }
}

#[test]
fn a_futile_move_leaves_two_plies_or_less() {
    let position = from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    let board = position.board();
    let moves = board.legal_moves();
    let checks = moves.iter().filter(|&&mv| board.gives_check(mv)).count();
    // No move gains a rook.
    let window = Window::null(position.evaluate() + 500);
    for (depth, searched) in [(1, checks), (2, checks), (3, checks), (4, moves.len())] {
        let mut searcher = with(Ideas::FUTILITY_PARENT);
        searcher.record();
        searcher.search(&position, depth, window, INNER);
        let lines = super::lines(searcher);
        let of_white = lines.iter().filter(|line| line.split(' ').count() == 1);
        assert_eq!(
            of_white.count(),
            searched + 1,
            "depth {depth}, with the root"
        );
    }
}
