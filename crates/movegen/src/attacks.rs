//! Attack sets of pieces, and lines between squares.

mod leapers;
mod lines;
mod sliders;
mod threats;

pub(crate) use leapers::lone_knight;
pub use leapers::{king_attacks, knight_attacks, pawn_attacks};
#[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx2")))]
pub(crate) use lines::ray;
pub(crate) use lines::{axes, rays};
pub use lines::{between, line};
pub use sliders::{bishop_attacks, queen_attacks, rook_attacks};
pub use threats::Threats;

use crate::{Bitboard, Color, Piece, Square};

/// The squares that a `piece` of `color` on `square` attacks when `occupied` squares stop sliders.
///
/// ```
/// use skewer_movegen::{attacks, Bitboard, Color, Piece, Square};
///
/// let knight = attacks::piece_attacks(Piece::Knight, Color::White, Square::A1, Bitboard::EMPTY);
/// assert_eq!(knight, Square::B3.bitboard() | Square::C2.bitboard());
/// ```
#[inline]
pub fn piece_attacks(piece: Piece, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match piece {
        Piece::Pawn => pawn_attacks(color, square),
        Piece::Knight => knight_attacks(square),
        Piece::Bishop => bishop_attacks(square, occupied),
        Piece::Rook => rook_attacks(square, occupied),
        Piece::Queen => queen_attacks(square, occupied),
        Piece::King => king_attacks(square),
    }
}
