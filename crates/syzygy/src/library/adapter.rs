//! Our attack tables, in the words of the library.

use pyrrhic_rs::EngineAdapter;
use skewer_movegen::attacks::{
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks, queen_attacks, rook_attacks,
};
use skewer_movegen::{Bitboard, Color, Square};

/// Answers the library's questions about attacks.
#[derive(Debug, Clone)]
pub(crate) struct Attacks;

/// The library counts squares as we do, and never past 63.
fn square(index: u64) -> Square {
    Square::from_index((index & 63) as u8).unwrap_or(Square::A1)
}

impl EngineAdapter for Attacks {
    fn pawn_attacks(color: pyrrhic_rs::Color, from: u64) -> u64 {
        let color = match color {
            pyrrhic_rs::Color::White => Color::White,
            pyrrhic_rs::Color::Black => Color::Black,
        };
        pawn_attacks(color, square(from)).0
    }

    fn knight_attacks(from: u64) -> u64 {
        knight_attacks(square(from)).0
    }

    fn bishop_attacks(from: u64, occupied: u64) -> u64 {
        bishop_attacks(square(from), Bitboard(occupied)).0
    }

    fn rook_attacks(from: u64, occupied: u64) -> u64 {
        rook_attacks(square(from), Bitboard(occupied)).0
    }

    fn queen_attacks(from: u64, occupied: u64) -> u64 {
        queen_attacks(square(from), Bitboard(occupied)).0
    }

    fn king_attacks(from: u64) -> u64 {
        king_attacks(square(from)).0
    }
}
