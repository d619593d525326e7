//! Sets of squares for the terms of pawn structure and king safety.

use skewer_movegen::{Bitboard, Color, Square};

const FILE_A: u64 = 0x0101_0101_0101_0101;

/// One step forward.
#[inline]
pub(super) fn forward(us: Color, set: Bitboard) -> Bitboard {
    Bitboard(match us {
        Color::White => set.0 << 8,
        Color::Black => set.0 >> 8,
    })
}

/// The squares beside the squares of `set`, on the same rank.
#[inline]
pub(super) fn beside(set: Bitboard) -> Bitboard {
    Bitboard((set.0 & !FILE_A) >> 1 | (set.0 & !(FILE_A << 7)) << 1)
}

/// All squares in front of the squares of `set` on their files, without the squares themselves.
#[inline]
pub(super) fn ahead(us: Color, set: Bitboard) -> Bitboard {
    let mut fill = forward(us, set).0;
    match us {
        Color::White => {
            fill |= fill << 8;
            fill |= fill << 16;
            fill |= fill << 32;
        }
        Color::Black => {
            fill |= fill >> 8;
            fill |= fill >> 16;
            fill |= fill >> 32;
        }
    }
    Bitboard(fill)
}

/// The squares that pawns attack.
#[inline]
pub(super) fn pawns_attack(us: Color, pawns: Bitboard) -> Bitboard {
    forward(us, beside(pawns))
}

/// The files of the squares of `set`.
#[inline]
pub(super) fn files(set: Bitboard) -> Bitboard {
    ahead(Color::White, set) | ahead(Color::Black, set) | set
}

/// How many ranks a square is from its side's back rank: 0..=7.
#[inline]
pub(super) fn rank_of(us: Color, square: Square) -> usize {
    square.relative_to(us).index() / 8
}
