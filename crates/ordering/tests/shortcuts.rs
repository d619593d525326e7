//! The fast functions agree with the slow ones: `Checks`, which are computed once for a position, give the checks that
//! the board gives, and exchanges have the same worth with and without known attacked squares.

use skewer_movegen::Board;
use skewer_ordering::{Checks, attacked_by, see};
use skewer_types::Rng;

const FENS: [&str; 7] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "8/8/8/2k5/3Pp3/8/8/4K2R b - d3 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "2r3k1/3q1ppp/8/1b6/4R3/2B5/1Q3PPP/4R1K1 w - - 0 1",
];

/// Calls `each` for the positions of twelve random games from each of [`FENS`].
fn random_games(mut each: impl FnMut(&Board)) {
    let mut rng = Rng::new(1);
    for fen in FENS {
        let start: Board = fen.parse().unwrap();
        for _ in 0..12 {
            let mut board = start;
            for _ in 0..60 {
                each(&board);
                let moves = board.legal_moves();
                let Some(&mv) = rng.choose(&moves) else {
                    break;
                };
                board = board.play(mv);
            }
        }
    }
}

#[test]
fn checks_agree_with_the_board() {
    let (mut given, mut all) = (0, 0);
    random_games(|board| {
        let checks = Checks::new(board);
        for mv in &board.legal_moves() {
            let gives = board.gives_check(mv);
            assert_eq!(checks.given_by(board, mv), gives, "{mv:?} in {board}");
            given += usize::from(gives);
            all += 1;
        }
    });
    assert!(given > 500 && all > 10 * given, "{given} of {all}");
}

#[test]
fn exchanges_are_the_same_with_the_attacked_squares_known() {
    let mut different = 0;
    random_games(|board| {
        let attacked = attacked_by(board, !board.turn()).all;
        assert_eq!(attacked, board.attacks_by(!board.turn(), board.occupied()));
        for mv in &board.legal_moves() {
            for threshold in [-300, -90, 0, 90] {
                assert_eq!(
                    see::at_least_given(board, mv, threshold, attacked),
                    see::at_least(board, mv, threshold),
                    "{mv:?} in {board}, {threshold}"
                );
            }
            different += usize::from(see::at_least(board, mv, -90) != see::at_least(board, mv, 90));
        }
    });
    assert!(different > 1000, "{different}");
}
