//! What one side attacks, by the strength of the attacker.

use super::{bishop_attacks, king_attacks, knight_attacks, rook_attacks};
use crate::{Bitboard, Color, File};

/// The squares that one side attacks, by the strength of the attacker. Squares of its own pieces count, too, if they
/// are defended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Threats {
    /// Squares attacked by pawns.
    pub pawns: Bitboard,
    /// Squares attacked by pawns, knights and bishops.
    pub minors: Bitboard,
    /// Squares attacked by pawns, knights, bishops and rooks.
    pub rooks: Bitboard,
    /// Squares attacked by anything.
    pub all: Bitboard,
}

impl Threats {
    /// What `pieces` of `color`, a set for each [`Piece`](crate::Piece), attack when `occupied` squares stop sliders.
    ///
    /// ```
    /// use skewer_movegen::{Board, Color, Piece, Square, attacks::Threats};
    ///
    /// let board = Board::STARTPOS;
    /// let pieces = Piece::ALL.map(|piece| board.colored(Color::White, piece));
    /// let threats = Threats::of(&pieces, Color::White, board.occupied());
    /// assert!(threats.pawns.contains(Square::E3) && !threats.all.contains(Square::E4));
    /// assert_eq!(threats.all, board.attacks_by(Color::White, board.occupied()));
    /// ```
    // Always inlined, so that a caller with other vector instructions has the loops compiled to them.
    #[inline(always)]
    pub fn of(pieces: &[Bitboard; 6], color: Color, occupied: Bitboard) -> Self {
        let [pawns, knights, bishops, rooks, queens, kings] = *pieces;
        let pawns = pawns_attack(pawns, color);
        let mut minors = pawns;
        for square in knights {
            minors |= knight_attacks(square);
        }
        for square in bishops {
            minors |= bishop_attacks(square, occupied);
        }
        let mut by_rooks = minors;
        for square in rooks {
            by_rooks |= rook_attacks(square, occupied);
        }
        let mut all = by_rooks;
        for square in kings {
            all |= king_attacks(square);
        }
        for square in queens {
            all |= bishop_attacks(square, occupied) | rook_attacks(square, occupied);
        }
        Self {
            pawns,
            minors,
            rooks: by_rooks,
            all,
        }
    }
}

/// The squares that `pawns` of one colour attack, all at once.
#[inline(always)]
fn pawns_attack(pawns: Bitboard, by: Color) -> Bitboard {
    let left = pawns.0 & !File::A.bitboard().0;
    let right = pawns.0 & !File::H.bitboard().0;
    Bitboard(match by {
        Color::White => left << 7 | right << 9,
        Color::Black => left >> 9 | right >> 7,
    })
}
