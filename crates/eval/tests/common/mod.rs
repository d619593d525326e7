//! Helpers of the tests: reproducible random games, and positions with files flipped.

#![allow(dead_code, reason = "each test file uses its own part")]

use skewer_movegen::{Board, Move, Setup, Strictness};
use skewer_types::Rng;

/// Starting points of every kind: standard, middlegame, endgames, promotions, Chess960.
pub(crate) const STARTS: [&str; 7] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
    "nrbbkqrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBKQRN w GBgb - 0 1",
    "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 b EAea - 0 1",
];

/// Plays random legal moves from `board`, up to `plies` of them, and calls `each` for every one.
pub(crate) fn random_game(
    mut board: Board,
    plies: usize,
    rng: &mut Rng,
    mut each: impl FnMut(&Board, Move, &Board),
) {
    for _ in 0..plies {
        let moves = board.legal_moves();
        let Some(&mv) = rng.choose(&moves) else {
            return;
        };
        let after = board.play(mv);
        each(&board, mv, &after);
        board = after;
    }
}

/// The position with files reversed, without castling rights, which no evaluation uses.
pub(crate) fn files_flipped(board: &Board) -> Board {
    let mut setup = Setup::empty().with_turn(board.turn());
    for square in board.occupied() {
        let piece = board.color_at(square).zip(board.piece_at(square));
        setup.set_piece(square.flip_file(), piece);
    }
    setup.build(Strictness::Relaxed).unwrap()
}
