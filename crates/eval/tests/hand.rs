//! The hand-written evaluation: incremental updates agree with an evaluation from scratch, both
//! colours are evaluated alike, and terms have the expected sign.

mod common;

use common::{STARTS, random_game};
use skewer_eval::{Evaluator, HandWritten, Trace, WEIGHTS};
use skewer_movegen::{Board, Color, Piece};
use skewer_types::Rng;

#[test]
fn incremental_evaluation_agrees_with_one_from_scratch() {
    let mut rng = Rng::new(0x5eed);
    let mut checked = 0;
    for fen in STARTS {
        for _ in 0..20 {
            let board = Board::from_fen(fen).unwrap();
            let mut eval = HandWritten::new(&board);
            random_game(board, 150, &mut rng, |before, mv, after| {
                let score_before = eval.evaluate(before);
                eval.push(before, mv, after);
                assert_eq!(
                    eval.evaluate(after),
                    HandWritten::new(after).evaluate(after),
                    "{after}"
                );
                eval.pop();
                assert_eq!(eval.evaluate(before), score_before);
                eval.push(before, mv, after);
                checked += 1;
            });
        }
    }
    assert!(checked > 5_000, "only {checked} positions");
}

#[test]
fn many_moves_without_evaluation_are_caught_up() {
    let mut rng = Rng::new(77);
    let board = Board::STARTPOS;
    let mut eval = HandWritten::new(&board);
    let mut last = board;
    random_game(board, 200, &mut rng, |before, mv, after| {
        eval.push(before, mv, after);
        last = *after;
    });
    assert_eq!(
        eval.evaluate(&last),
        HandWritten::new(&last).evaluate(&last)
    );
}

#[test]
fn positions_with_colours_exchanged_have_the_same_score() {
    let mut rng = Rng::new(99);
    for fen in STARTS {
        for _ in 0..10 {
            random_game(
                Board::from_fen(fen).unwrap(),
                100,
                &mut rng,
                |_, _, board| {
                    let score = HandWritten::new(board).evaluate(board);
                    let mirrored = board.mirrored();
                    assert_eq!(
                        HandWritten::new(&mirrored).evaluate(&mirrored),
                        score,
                        "{board}"
                    );
                },
            );
        }
    }
}

#[test]
fn quiet_delta_is_the_same_for_both_colours() {
    let white = Board::from_fen("4k3/8/8/8/8/8/8/N3K3 w - - 0 1").unwrap();
    let black = white.mirrored();
    let eval = HandWritten::default();
    let to_the_middle = eval.quiet_delta(&white, Piece::Knight, white.parse_uci("a1b3").unwrap());
    assert!(to_the_middle > 0);
    assert_eq!(
        to_the_middle,
        eval.quiet_delta(&black, Piece::Knight, black.parse_uci("a8b6").unwrap())
    );
}

#[test]
fn explanation_and_trace_add_up_to_the_evaluation() {
    let mut rng = Rng::new(0xe417);
    for fen in STARTS {
        for _ in 0..5 {
            random_game(
                Board::from_fen(fen).unwrap(),
                120,
                &mut rng,
                |_, _, board| {
                    let score = HandWritten::new(board).evaluate(board).raw();
                    let white = if board.turn() == Color::White {
                        score
                    } else {
                        -score
                    };
                    let explained = HandWritten::explain(board);
                    assert_eq!(explained.total, white, "{board}\n{explained}");

                    let trace = Trace::of(board);
                    let (mut middlegame, mut endgame) = (0, 0);
                    for &(at, count) in &trace.counts {
                        let (mg, eg) = WEIGHTS[usize::from(at)];
                        middlegame += i32::from(mg) * i32::from(count);
                        endgame += i32::from(eg) * i32::from(count);
                    }
                    let score = (middlegame * trace.phase + endgame * (24 - trace.phase)) / 24;
                    let scale = trace.scale[usize::from(score < 0)];
                    assert_eq!(score * scale / 64, white, "{board}");
                },
            );
        }
    }
}

/// White's score of a position, in units of `Score`.
fn white(fen: &str) -> i32 {
    HandWritten::explain(&Board::from_fen(fen).unwrap()).total
}

#[test]
fn terms_have_the_expected_sign() {
    // A passed pawn is worth more than a pawn that an enemy pawn can stop, and more when further advanced.
    let (stoppable, free, far) = (
        white("4k3/2p5/8/3P4/8/8/6p1/4K3 w - - 0 1"),
        white("4k3/6p1/8/3P4/8/8/6p1/4K3 w - - 0 1"),
        white("4k3/6p1/3P4/8/8/8/6p1/4K3 w - - 0 1"),
    );
    assert!(stoppable < free && free < far, "{stoppable} {free} {far}");
    // Doubled, isolated pawns are worse than connected ones.
    assert!(
        white("4k3/8/8/8/8/2P5/2P5/4K3 w - - 0 1") < white("4k3/8/8/8/8/2P5/3P4/4K3 w - - 0 1")
    );
    // A rook is better on an open file.
    assert!(
        white("4k3/p6p/8/8/8/8/P6P/R3K3 w - - 0 1") < white("4k3/p6p/8/8/8/8/P6P/3RK3 w - - 0 1")
    );
    // An attacked, unprotected piece lowers the score of its side.
    assert!(white("4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1") > white("4k3/8/8/2n5/8/8/8/3RK3 w - - 0 1"));
}

#[test]
fn drawn_endings_are_scaled_down() {
    // A lone minor piece; two knights; a rook's pawn with a bishop that does not control the
    // promotion square, and with one that does.
    assert_eq!(white("4k3/8/8/8/8/8/8/2B1K3 w - - 0 1"), 0);
    assert!(white("4k3/8/8/8/8/8/8/1NN1K3 w - - 0 1").abs() < 40);
    assert_eq!(white("k7/8/8/P7/8/8/8/2B1K3 w - - 0 1"), 0);
    assert!(white("k7/8/8/P7/8/8/8/3BK3 w - - 0 1") > 200);
    // Bishops on opposite colours are more drawish than bishops on the same colour.
    let (opposite, same) = (
        white("2b1k3/8/8/8/3P4/8/8/2B1K3 w - - 0 1"),
        white("3bk3/8/8/8/3P4/8/8/2B1K3 w - - 0 1"),
    );
    assert!(opposite > 0 && opposite * 3 < same * 2, "{opposite} {same}");
}
