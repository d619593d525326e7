//! Attacks of bishops, rooks and queens.
//!
//! Hyperbola quintessence (Gerd Isenberg and Aleks Peshkov, 2007): subtracting twice the slider from
//! the occupied squares of a line borrows up to the first piece; the exclusive or of the results for
//! both directions is the attack set. Reversing the bytes reverses files and diagonals, which
//! have one bit a byte; ranks come from a table.

use super::lines::axes;
use crate::{Bitboard, Square};

/// Attacks along a rank by the six inner bits of its occupancy and the file of the slider.
static RANKS: [[u8; 8]; 64] = {
    let mut table = [[0; 8]; 64];
    let mut inner = 0;
    while inner < 64 {
        let mut file = 0;
        while file < 8 {
            let slider = 1u8 << file;
            let others = (inner as u8) << 1 & !slider;
            let up = others.wrapping_sub(slider << 1);
            let reversed = slider.reverse_bits() << 1;
            let down = others.reverse_bits().wrapping_sub(reversed).reverse_bits();
            table[inner][file] = (up ^ down) & !slider;
            file += 1;
        }
        inner += 1;
    }
    table
};

#[inline]
fn along(line: u64, slider: u64, occupied: u64) -> u64 {
    let placement = occupied & line;
    let up = placement.wrapping_sub(slider.wrapping_mul(2));
    let down = placement
        .swap_bytes()
        .wrapping_sub(slider.swap_bytes().wrapping_mul(2))
        .swap_bytes();
    (up ^ down) & line
}

/// The squares that a bishop attacks, up to and including the first occupied square in each direction.
#[inline]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let [_, rising, falling] = axes(square);
    let slider = 1 << square as u32;
    Bitboard(along(rising, slider, occupied.0) | along(falling, slider, occupied.0))
}

/// The squares that a rook attacks, up to and including the first occupied square in each direction.
///
/// ```
/// use skewer_movegen::{attacks, Square};
/// let occupied = Square::A3.bitboard() | Square::C1.bitboard();
/// let rook = attacks::rook_attacks(Square::A1, occupied);
/// assert_eq!(rook.count(), 4); // a2, a3, b1, c1
/// ```
#[inline]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let shift = square as u32 & 56;
    let inner = (occupied.0 >> shift >> 1 & 63) as usize;
    let rank = u64::from(RANKS[inner][square.index() & 7]) << shift;
    let file = along(axes(square)[0], 1 << square as u32, occupied.0);
    Bitboard(rank | file)
}

/// The squares that a queen attacks, up to and including the first occupied square in each direction.
#[inline]
pub fn queen_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    bishop_attacks(square, occupied) | rook_attacks(square, occupied)
}
