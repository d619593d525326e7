//! The phase of a game at each of its positions.

use serde::Serialize;
use skewer_movegen::{Bitboard, Board, Color, Piece};
use strum::IntoStaticStr;

/// The opening is over when both sides together have at most this many queens, rooks, bishops and knights.
pub(crate) const MIDDLEGAME_PIECES: u32 = 10;

/// The endgame begins when both sides together have at most this many queens, rooks, bishops and knights.
const ENDGAME_PIECES: u32 = 6;

/// A side is developed when at most this many of its bishops and knights are on its back rank.
const UNDEVELOPED: u32 = 1;

/// Plies after which the opening is over in any case.
const LONGEST_OPENING: usize = 40;

/// A phase of the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Phase {
    /// Until both sides are developed, many pieces are gone, or 20 moves have been played.
    Opening,
    /// Between the two.
    Middlegame,
    /// At most six pieces other than kings and pawns are left.
    Endgame,
}

/// The phase of each position of a game. A game never goes back to an earlier phase.
///
/// The endgame begins when at most six queens, rooks, bishops and knights are left on the board,
/// of both sides together. The opening ends when each side has at most one bishop or knight on its
/// back rank, when at most ten pieces are left, or after 40 plies, whichever comes first.
pub fn phases(boards: &[Board]) -> Vec<Phase> {
    let mut phase = Phase::Opening;
    boards
        .iter()
        .enumerate()
        .map(|(ply, board)| {
            phase = phase.max(phase_of(board, ply));
            phase
        })
        .collect()
}

/// The number of queens, rooks, bishops and knights of both sides.
pub(crate) fn pieces(board: &Board) -> u32 {
    let kings_and_pawns = board.pieces(Piece::King) | board.pieces(Piece::Pawn);
    (board.occupied() & !kings_and_pawns).count()
}

fn phase_of(board: &Board, ply: usize) -> Phase {
    let pieces = pieces(board);
    let minor = board.pieces(Piece::Knight) | board.pieces(Piece::Bishop);
    let undeveloped = |color: Color, rank: Bitboard| (minor & board.color(color) & rank).count();
    let developed = undeveloped(Color::White, Bitboard(0xff)) <= UNDEVELOPED
        && undeveloped(Color::Black, Bitboard(0xff << 56)) <= UNDEVELOPED;
    if pieces <= ENDGAME_PIECES {
        Phase::Endgame
    } else if pieces <= MIDDLEGAME_PIECES || developed || ply >= LONGEST_OPENING {
        Phase::Middlegame
    } else {
        Phase::Opening
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phase(fen: &str, ply: usize) -> Phase {
        phase_of(&Board::from_fen(fen).unwrap(), ply)
    }

    #[test]
    fn phases_by_development_and_material() {
        assert_eq!(phase_of(&Board::STARTPOS, 0), Phase::Opening);
        assert_eq!(phase_of(&Board::STARTPOS, 40), Phase::Middlegame);
        // White developed, Black not.
        let half = "rnbqkbnr/pppppppp/8/8/8/2NBBN2/PPPPPPPP/R2QK2R w KQkq - 0 1";
        assert_eq!(phase(half, 8), Phase::Opening);
        let both = "r2qk2r/pppppppp/2nbbn2/8/8/2NBBN2/PPPPPPPP/R2QK2R w KQkq - 0 1";
        assert_eq!(phase(both, 8), Phase::Middlegame);
        // Six pieces: queens, rooks, and a knight each.
        let six = "3qk1nr/pppppppp/8/8/8/8/PPPPPPPP/3QK1NR w - - 0 1";
        assert_eq!(phase(six, 8), Phase::Endgame);
        let seven = "3qk1nr/pppppppp/8/8/8/8/PPPPPPPP/3QKBNR w - - 0 1";
        assert_eq!(phase(seven, 8), Phase::Middlegame);
    }

    #[test]
    fn phases_never_go_back() {
        // A promotion in the endgame brings a seventh piece.
        let boards = [
            "3qk1nr/P7/8/8/8/8/8/3QK1NR w - - 0 1",
            "Q2qk1nr/8/8/8/8/8/8/3QK1NR b - - 0 1",
        ]
        .map(|fen| Board::from_fen(fen).unwrap());
        assert_eq!(phases(&boards), [Phase::Endgame, Phase::Endgame]);
    }
}
