//! Null moves (Moreland).

use super::super::{Context, Searcher};
use super::{INNER, QUEENS, below, lines, passes, searcher, with};
use crate::chess::config::{Config, ConsecutiveNullMoves, Ideas, NullMove};
use crate::chess::position::Position;
use crate::chess::positions::from_fen;
use crate::game::{End, Window};
use crate::params::chess as params;

#[test]
fn a_null_move_is_searched_with_a_null_window_below_beta_also_in_an_open_window() {
    let position = from_fen(QUEENS);
    let window = Window {
        alpha: position.evaluate() - 700,
        beta: position.evaluate() - 500,
    };
    for (ideas, asked) in [
        (Ideas::empty(), Window::null(window.beta)),
        (Ideas::NULL_MOVE_OPEN_WINDOW, window),
    ] {
        let mut searcher = Searcher::new(Config {
            null_move: NullMove::Plain { reduction: 2 },
            ..Config::PLAIN.with(ideas)
        });
        searcher.record();
        assert_eq!(searcher.probe(&position, 3, window), window.beta);
        assert_eq!(passes(searcher), [(window, asked.flip())]);
    }
}

#[test]
fn a_null_move_cuts_at_beta_and_not_below() {
    let position = from_fen(QUEENS);
    let reduction = 2;
    // At depth 1 the opponent is at the horizon, and has nothing to take.
    let holds = |beta| {
        let mut searcher = searcher(NullMove::Plain { reduction });
        searcher.null_move_holds(&position, 1, Window::null(beta))
    };
    assert!(holds(position.evaluate()) && !holds(position.evaluate() + 1));
}

#[test]
fn the_reduction_of_a_null_move_is_taken_off_besides_its_own_ply() {
    // White is mated in one move unless Black has no ply to find it.
    let position = from_fen(crate::chess::positions::HORIZON);
    for reduction in 1..=4 {
        for depth in 1..=8 {
            let mut searcher = searcher(NullMove::Plain { reduction });
            let holds = searcher.null_move_holds(&position, depth, Window::null(100));
            assert_eq!(
                holds,
                depth - 1 - reduction < 1,
                "R={reduction}, depth {depth}"
            );
        }
    }
}

#[test]
fn null_moves_in_a_row_count_until_a_real_move() {
    let position = from_fen(QUEENS);
    for (consecutive, most) in [
        (ConsecutiveNullMoves::One, 1),
        (ConsecutiveNullMoves::Two, 2),
        (ConsecutiveNullMoves::Unlimited, 3),
    ] {
        let mut searcher = Searcher::new(Config {
            null_move: NullMove::Plain { reduction: 0 },
            consecutive,
            ..Config::PLAIN
        });
        searcher.record();
        searcher.probe(&position, 3, below(&position));
        let lines = lines(searcher);
        let passes = |line: &&String| line.split(' ').take_while(|&mv| mv == "pass").count();
        assert_eq!(lines.iter().map(|line| passes(&line)).max(), Some(most));
        if consecutive == ConsecutiveNullMoves::One {
            // After a pass and a king's move White may pass again.
            assert!(
                lines.iter().any(|line| line == "pass Kd8 pass"),
                "{lines:?}"
            );
        }
    }
}

#[test]
fn the_side_that_passes_needs_pieces_and_its_opponent_none() {
    let holds = |fen: &str, ideas: Ideas| {
        let position = from_fen(fen);
        let mut searcher = Searcher::new(Config {
            null_move: NullMove::Plain { reduction: 2 },
            ..Config::PLAIN.with(ideas)
        });
        searcher.null_move_holds(&position, 2, below(&position))
    };
    let pawns = "n3k3/8/8/8/8/8/PPPPPPP1/4K3 w - - 0 1";
    let piece = "4k3/ppp5/8/8/8/8/8/Q3K3 w - - 0 1";
    let needs = Ideas::NULL_NEEDS_PIECES;
    assert!(holds(piece, needs) && !holds(pawns, needs));
    assert!(holds(pawns, Ideas::empty()), "by default pawns are enough");
}

#[test]
fn the_watched_pattern_is_a_queen_and_a_pawn_of_the_opponent_on_either_wing() {
    let holds = |fen: &str| {
        let position = from_fen(fen);
        let mut searcher = Searcher::new(Config {
            null_move: NullMove::Plain { reduction: 2 },
            ..Config::PLAIN.with(Ideas::WATCH_QUEEN_AND_PAWN)
        });
        searcher.null_move_holds(&position, 1, below(&position))
    };
    for (fen, allowed) in [
        ("7k/8/8/8/8/5p1q/8/R3K3 w - - 0 1", false),
        ("6k1/8/8/8/8/q1p5/8/4K2R w - - 0 1", false),
        ("r3k3/8/5P1Q/8/8/8/8/7K b - - 0 1", false),
        ("1r2k3/8/Q1P5/8/8/8/8/7K b - - 0 1", false),
        // The queen of one wing with the pawn of the other wing; the queen or the pawn alone; both, of the side to move.
        ("7k/8/8/8/8/2p4q/8/R3K3 w - - 0 1", true),
        ("7k/8/8/8/8/7q/8/R3K3 w - - 0 1", true),
        ("7k/8/8/8/8/5p2/8/R3K3 w - - 0 1", true),
        ("r3k3/8/8/8/8/5P1Q/8/7K b - - 0 1", true),
    ] {
        assert_eq!(holds(fen), allowed, "{fen}");
    }
}

#[test]
fn against_the_watched_pattern_a_node_gets_a_ply_or_its_null_moves_reduce_by_one() {
    // White, a rook ahead, is mated next move. The search sees the mate only if it has a ply left
    // for Black's move.
    let position = from_fen(crate::chess::positions::HORIZON);
    let apart = from_fen("6k1/5pp1/7p/8/8/2N3pq/PPP2P1P/R4RK1 w - - 0 1");
    let probe = |position: &Position, reduction, depth, ideas| {
        let mut searcher = Searcher::new(Config {
            null_move: NullMove::Plain { reduction },
            ..Config::PLAIN.with(ideas)
        });
        let holds = searcher.null_move_holds(position, depth, Window::null(100));
        let mut searcher = with(ideas);
        searcher.search(position, 1, Window::FULL, INNER);
        (holds, searcher.effort.nodes > 1)
    };
    for reduction in 1..=4 {
        let smaller = Ideas::SMALLER_R_QUEEN_AND_PAWN;
        for depth in 2..=6 {
            // With R=1 the mate is hidden from two plies alone.
            assert_eq!(probe(&position, reduction, depth, smaller).0, depth == 2);
            let plain = depth - 1 - reduction < 1;
            assert_eq!(probe(&position, reduction, depth, Ideas::empty()).0, plain);
        }
    }
    let extend = Ideas::EXTEND_QUEEN_AND_PAWN;
    assert!(probe(&position, 2, 1, extend).1, "one ply becomes two");
    assert!(!probe(&apart, 2, 1, extend).1, "another pattern");
    assert!(!probe(&position, 2, 1, Ideas::empty()).1, "not by default");
    // Once in a line: White's next node is not extended.
    let depths = |depth| {
        let mut searcher = with(extend);
        searcher.record();
        searcher.search(&position, depth, Window::FULL, INNER);
        let line = lines(searcher)
            .into_iter()
            .map(|line| line.split(' ').count());
        line.max()
    };
    assert_eq!((depths(1), depths(2)), (Some(2), Some(3)));
}

#[test]
fn a_position_that_two_passes_bring_back_is_no_repetition() {
    let config = |consecutive| Config {
        null_move: NullMove::Plain { reduction: 0 },
        consecutive,
        ..Config::PLAIN.with(Ideas::PATH_DRAWS)
    };
    // White passes, and Black would pass as well: the third node has the position of the first.
    let position = from_fen("4k3/8/8/8/8/8/8/Q3K2Q w - - 10 20");
    let mut searcher = Searcher::new(config(ConsecutiveNullMoves::Two));
    searcher.probe(&position, 3, below(&position));
    assert_eq!(searcher.effort.visits.ended(End::Drawn), 0);
    assert_eq!(searcher.since_null_move, 0, "a null move is taken back");
    // Nor does a pass repeat a position of the game, here the position with Black to move.
    let passed = position.play_null().expect("no check");
    let mut searcher = Searcher::new(config(ConsecutiveNullMoves::One));
    searcher.remember_game(&[passed.board().key(), 1, 2, 3]);
    searcher.probe(&position, 2, below(&position));
    assert_eq!(searcher.effort.visits.ended(End::Drawn), 0);
    // A repetition by real moves counts: the kings go out and back.
    let mut searcher = Searcher::new(config(ConsecutiveNullMoves::One));
    searcher.search_to_depth(&position, 5);
    assert!(searcher.effort.visits.ended(End::Drawn) > 0);
}

#[test]
fn a_null_move_may_follow_a_capture() {
    let position = from_fen(QUEENS);
    for noisy in [false, true] {
        let context = Context { noisy, ..INNER };
        let mut searcher = searcher(NullMove::Plain { reduction: 2 });
        assert!(searcher.null_move_cuts(&position, 4, below(&position), context));
    }
}

#[test]
fn a_pass_that_leaves_the_opponent_no_move_is_a_draw() {
    let position = from_fen("k7/2Q5/8/8/8/8/8/7K w - - 0 1");
    for depth in 1..=6 {
        for (beta, holds) in [(0, true), (1, false)] {
            let mut searcher = searcher(NullMove::Plain { reduction: 2 });
            let window = Window::null(beta);
            let found = searcher.null_move_holds(&position, depth, window);
            assert_eq!(found, holds, "depth {depth}, beta {beta}");
        }
    }
}

#[test]
fn a_pass_is_a_ply_of_the_distance_to_a_mate() {
    // White passes at the first ply, and Black mates with Ra1: White is mated at the third.
    let position = from_fen("6k1/8/8/8/8/8/r5PP/7K w - - 0 1");
    for (distance, cuts) in [(2, true), (3, true), (4, false)] {
        let mut searcher = searcher(NullMove::Plain { reduction: 2 });
        let window = Window::null(distance - params::MATE);
        let holds = searcher.null_move_holds(&position, 4, window);
        assert_eq!(holds, cuts, "mated at ply {distance} or later");
    }
}
