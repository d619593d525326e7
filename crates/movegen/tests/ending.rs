//! The end of a game, by the position and by the number of its occurrences.

use skewer_movegen::{Board, Color, DrawRules, Outcome, Termination};

fn claimed(fen: &str) -> Option<Termination> {
    fen.parse::<Board>().unwrap().ending(1, DrawRules::Claimed)
}

fn unclaimed(fen: &str) -> Option<Termination> {
    fen.parse::<Board>()
        .unwrap()
        .ending(1, DrawRules::Unclaimed)
}

#[test]
fn mates_stalemates_and_too_little_material_end_a_game() {
    let dead = Some(Termination::InsufficientMaterial);
    let won = Termination::Checkmate {
        winner: Color::White,
    };
    let mate = Some(won);
    for (fen, end) in [
        (
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            Some(Termination::Stalemate),
        ),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", mate),
        ("7k/8/6K1/8/8/8/8/8 b - - 0 1", dead),
        ("7k/8/6K1/8/8/8/8/N7 b - - 0 1", dead),
        ("7k/8/6K1/8/8/8/8/NN6 b - - 0 1", None),
        // Bishops on one colour of squares, then on both.
        ("b6k/8/6K1/8/8/8/8/7B b - - 0 1", dead),
        ("b6k/8/6K1/8/8/8/8/B7 b - - 0 1", None),
    ] {
        assert_eq!(claimed(fen), end, "{fen}");
        assert_eq!(unclaimed(fen), end, "{fen}");
    }
    assert_eq!(won.outcome(), Outcome::WhiteWins);
}

#[test]
fn moves_without_progress_end_a_game_at_50_when_claimed_and_at_75_otherwise() {
    let at = |clock: u8| format!("7k/8/R5K1/8/8/8/8/8 b - - {clock} 80");
    assert_eq!(claimed(&at(99)), None);
    assert_eq!(claimed(&at(100)), Some(Termination::FiftyMoves));
    assert_eq!(unclaimed(&at(149)), None);
    assert_eq!(unclaimed(&at(150)), Some(Termination::SeventyFiveMoves));
    // Mate comes before either rule.
    let mate = Some(Termination::Checkmate {
        winner: Color::White,
    });
    assert_eq!(claimed("7k/6Q1/6K1/8/8/8/8/8 b - - 100 80"), mate);
    assert_eq!(unclaimed("7k/6Q1/6K1/8/8/8/8/8 b - - 150 80"), mate);
}

#[test]
fn repetitions_end_a_game_at_the_third_when_claimed_and_at_the_fifth_otherwise() {
    let board = Board::STARTPOS;
    assert_eq!(board.ending(2, DrawRules::Claimed), None);
    assert_eq!(
        board.ending(3, DrawRules::Claimed),
        Some(Termination::ThreefoldRepetition)
    );
    assert_eq!(board.ending(4, DrawRules::Unclaimed), None);
    assert_eq!(
        board.ending(5, DrawRules::Unclaimed),
        Some(Termination::FivefoldRepetition)
    );
}

#[test]
fn every_outcome_comes_back_from_its_byte() {
    for outcome in [Outcome::WhiteWins, Outcome::BlackWins, Outcome::Draw] {
        assert_eq!(Outcome::from_byte(outcome.to_byte()), Some(outcome));
        let half_points = Color::ALL.map(|color| (2.0 * outcome.points_for(color)) as u8);
        assert_eq!(half_points[0] + half_points[1], 2);
        assert_eq!(outcome.to_byte(), half_points[0]);
    }
    assert!((3..=255).all(|byte| Outcome::from_byte(byte).is_none()));
}
