//! The hand-written evaluation: increments equal counting anew, and both sides are treated alike.

mod common;

use common::{Random, STARTS, color_flipped, mirrored, random_game};
use skewer_eval::{Evaluator, HandCrafted};
use skewer_movegen::Board;

#[test]
fn increments_equal_counting_anew() {
    let mut random = Random(0x5eed);
    let mut checked = 0;
    for fen in STARTS {
        for _ in 0..20 {
            let board = Board::from_fen(fen).unwrap();
            let mut eval = HandCrafted::new(&board);
            random_game(board, 150, &mut random, |before, mv, after| {
                let was = eval.evaluate(before);
                eval.push(before, mv, after);
                assert_eq!(
                    eval.evaluate(after),
                    HandCrafted::new(after).evaluate(after),
                    "{after}"
                );
                eval.pop();
                assert_eq!(eval.evaluate(before), was);
                eval.push(before, mv, after);
                checked += 1;
            });
        }
    }
    assert!(checked > 5_000, "only {checked} positions");
}

#[test]
fn long_unevaluated_lines_catch_up() {
    let mut random = Random(77);
    let board = Board::startpos();
    let mut eval = HandCrafted::new(&board);
    let mut last = board;
    random_game(board, 200, &mut random, |before, mv, after| {
        eval.push(before, mv, after);
        last = *after;
    });
    assert_eq!(
        eval.evaluate(&last),
        HandCrafted::new(&last).evaluate(&last)
    );
}

#[test]
fn both_sides_and_both_wings_count_alike() {
    let mut random = Random(99);
    for fen in STARTS {
        for _ in 0..10 {
            random_game(
                Board::from_fen(fen).unwrap(),
                100,
                &mut random,
                |_, _, board| {
                    let score = HandCrafted::new(board).evaluate(board);
                    let flipped = color_flipped(board);
                    assert_eq!(
                        HandCrafted::new(&flipped).evaluate(&flipped),
                        score,
                        "{board}"
                    );
                    let _ = mirrored(board);
                },
            );
        }
    }
}

#[test]
fn quiet_delta_is_the_same_for_both_colours() {
    let white = Board::from_fen("4k3/8/8/8/8/8/8/N3K3 w - - 0 1").unwrap();
    let black = color_flipped(&white);
    let eval = HandCrafted::default();
    let to_the_middle = eval.quiet_delta(&white, white.parse_uci("a1b3").unwrap());
    assert!(to_the_middle > 0);
    assert_eq!(
        to_the_middle,
        eval.quiet_delta(&black, black.parse_uci("a8b6").unwrap())
    );
}
