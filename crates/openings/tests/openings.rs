//! Random and balanced openings.

use std::collections::HashSet;

use skewer_movegen::{Board, Piece};
use skewer_openings::{Opening, RandomOpening, Rng, Variant};

#[test]
fn a_seed_repeats_its_openings_and_streams_differ() {
    let kind = RandomOpening {
        variant: Variant::Chess960,
        ..RandomOpening::default()
    };
    let make = |seed, index| Opening::random(&kind, &mut Rng::stream(seed, index));
    assert_eq!(make(3, 5), make(3, 5));
    let different: HashSet<String> = (0..200)
        .map(|index| make(3, index).board.to_string())
        .chain((0..200).map(|index| make(4, index).board.to_string()))
        .collect();
    assert!(different.len() > 395, "{} of 400 differ", different.len());
}

#[test]
fn openings_have_either_side_to_move() {
    let mut rng = Rng::new(9);
    let lengths: HashSet<usize> = (0..50)
        .map(|_| {
            Opening::random(&RandomOpening::default(), &mut rng)
                .moves
                .len()
        })
        .collect();
    assert_eq!(lengths, HashSet::from([8, 9]));
}

#[test]
fn balanced_openings_are_within_the_margin_if_one_is_found() {
    let mut rng = Rng::new(11);
    let material = |board: &Board| {
        let count = |color| {
            [1, 3, 3, 5, 9, 0]
                .iter()
                .zip(Piece::ALL)
                .map(|(value, piece)| value * board.colored(color, piece).count() as i32)
                .sum::<i32>()
        };
        Some(count(board.turn()) - count(!board.turn()))
    };
    for _ in 0..50 {
        let opening = Opening::balanced(&RandomOpening::default(), &mut rng, 0, 1000, material);
        assert_eq!(material(&opening.board), Some(0));
    }
}
