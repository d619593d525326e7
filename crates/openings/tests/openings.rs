//! Random openings and the 960 starting positions.

use std::collections::HashSet;

use skewer_eval::Evaluation;
use skewer_movegen::{Board, Piece};
use skewer_openings::{Judge, Opening, Recipe, Rng, Variant, chess960_start};

#[test]
fn all_960_starting_positions_differ_and_are_valid() {
    let mut seen = HashSet::new();
    for number in 0..960 {
        let board = chess960_start(number);
        let placement = board.to_string();
        assert!(
            seen.insert(placement.clone()),
            "{number}: {placement} occurs twice"
        );
        let rank: Vec<char> = placement
            .split('/')
            .next()
            .map(|rank| rank.chars().collect())
            .unwrap();
        let places =
            |piece| -> Vec<usize> { (0..8).filter(|square| rank[*square] == piece).collect() };
        let (bishops, rooks, king) = (places('b'), places('r'), places('k'));
        assert_eq!((bishops[0] + bishops[1]) % 2, 1, "{placement}");
        assert!(rooks[0] < king[0] && king[0] < rooks[1], "{placement}");
        assert_eq!(board.castling().rooks().count(), 4, "{placement}");
        assert_eq!(board.pieces(Piece::King).count(), 2);
    }
    assert_eq!(chess960_start(518), Board::STARTPOS);
    // Number 0 and 959 of the published table.
    assert!(chess960_start(0).to_string().starts_with("bbqnnrkr/"));
    assert!(chess960_start(959).to_string().starts_with("rkrnnqbb/"));
}

#[test]
fn a_seed_repeats_its_openings_and_streams_differ() {
    let recipe = Recipe {
        variant: Variant::Chess960,
        ..Recipe::default()
    };
    let make = |seed, index| Opening::random(&recipe, &mut Rng::stream(seed, index));
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
        .map(|_| Opening::random(&Recipe::default(), &mut rng).moves.len())
        .collect();
    assert_eq!(lengths, HashSet::from([8, 9]));
}

#[test]
fn a_judge_scores_a_lost_queen_and_repeats_its_scores() {
    let mut judge = Judge::new(Evaluation::hand_crafted(), 300).unwrap();
    let level = judge.score(&Board::STARTPOS).unwrap();
    let lost = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1";
    let lost = judge.score(&lost.parse().unwrap()).unwrap();
    assert!(lost.raw() < level.raw() - 500, "{lost:?} {level:?}");
    assert_eq!(judge.score(&Board::STARTPOS), Some(level));
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    assert_eq!(judge.score(&mated.parse().unwrap()), None);
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
        let opening = Opening::balanced(&Recipe::default(), &mut rng, 0, 1000, material);
        assert_eq!(material(&opening.board), Some(0));
    }
}
