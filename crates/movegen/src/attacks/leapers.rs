//! Attacks of kings, knights and pawns: one table look-up each.

use crate::{Bitboard, Color, Square};

const KNIGHT_STEPS: [(i8, i8); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];
/// The steps of a king, by files and ranks: the eight directions.
pub(super) const KING_STEPS: [(i8, i8); 8] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];

/// The set of squares one step away, for every square; the last entry is empty.
const fn table(steps: &[(i8, i8)]) -> [u64; 65] {
    let mut table = [0; 65];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < steps.len() {
            if let Some(to) = Square::ALL[from].offset(steps[i].0, steps[i].1) {
                table[from] |= to.bitboard().0;
            }
            i += 1;
        }
        from += 1;
    }
    table
}

static KNIGHT: [u64; 65] = table(&KNIGHT_STEPS);
static KING: [u64; 65] = table(&KING_STEPS);
static PAWN: [[u64; 65]; 2] = [table(&[(-1, 1), (1, 1)]), table(&[(-1, -1), (1, -1)])];

/// The squares that a knight attacks.
#[inline]
pub fn knight_attacks(square: Square) -> Bitboard {
    Bitboard(KNIGHT[square.index()])
}

/// The squares that a king attacks.
#[inline]
pub fn king_attacks(square: Square) -> Bitboard {
    Bitboard(KING[square.index()])
}

/// The squares that a pawn of `color` attacks.
///
/// These are also the squares from which pawns of the other colour attack `square`.
#[inline]
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    Bitboard(PAWN[color.index()][square.index()])
}

/// The squares that the lowest knight of a set attacks; none if the set is empty.
#[inline(always)]
pub(crate) fn lone_knight(knights: u64) -> u64 {
    KNIGHT[knights.trailing_zeros() as usize]
}
