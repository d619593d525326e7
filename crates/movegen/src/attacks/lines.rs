//! The squares between two squares, and the whole line through them.

use super::leapers::KING_STEPS;
use crate::{Bitboard, Square};

/// For every pair of squares on a line: the squares between them, and the whole line.
#[allow(clippy::large_stack_arrays, reason = "evaluated by the compiler")]
const fn tables() -> ([[u64; 64]; 64], [[u64; 64]; 64]) {
    let mut between = [[0; 64]; 64];
    let mut line = [[0; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < 8 {
            let (files, ranks) = KING_STEPS[i];
            let start = Square::ALL[from];
            let ahead = ray(start, files, ranks);
            let whole = ahead | ray(start, -files, -ranks) | start.bitboard().0;
            let mut passed = 0;
            let mut at = start;
            while let Some(to) = at.offset(files, ranks) {
                between[from][to.index()] = passed;
                line[from][to.index()] = whole;
                passed |= to.bitboard().0;
                at = to;
            }
            i += 1;
        }
        from += 1;
    }
    (between, line)
}

/// The squares from `square` (left out) to the edge.
pub(crate) const fn ray(square: Square, files: i8, ranks: i8) -> u64 {
    let mut set = 0;
    let mut at = square;
    while let Some(to) = at.offset(files, ranks) {
        set |= to.bitboard().0;
        at = to;
    }
    set
}

static BETWEEN: [[u64; 64]; 64] = tables().0;
static LINE: [[u64; 64]; 64] = tables().1;

/// The axes through every square, without the square: file, rising and falling diagonal, rank.
static AXES: [[u64; 4]; 64] = {
    let mut axes = [[0; 4]; 64];
    let mut from = 0;
    while from < 64 {
        let square = Square::ALL[from];
        axes[from] = [
            ray(square, 0, 1) | ray(square, 0, -1),
            ray(square, 1, 1) | ray(square, -1, -1),
            ray(square, -1, 1) | ray(square, 1, -1),
            ray(square, 1, 0) | ray(square, -1, 0),
        ];
        from += 1;
    }
    axes
};

/// From every square the squares that a rook attacks on an empty board, and the squares that a bishop attacks.
static RAYS: [(u64, u64); 64] = {
    let mut rays = [(0, 0); 64];
    let mut from = 0;
    while from < 64 {
        let [file, rising, falling, rank] = AXES[from];
        rays[from] = (file | rank, rising | falling);
        from += 1;
    }
    rays
};

/// The file, the rising and the falling diagonal through a square, without the square.
#[inline(always)]
pub(crate) fn axes(square: Square) -> [u64; 3] {
    let [file, rising, falling, _] = AXES[square.index()];
    [file, rising, falling]
}

/// The squares that a rook attacks on an empty board, and the squares that a bishop attacks.
#[inline(always)]
pub(crate) fn rays(square: Square) -> (u64, u64) {
    RAYS[square.index()]
}

/// The squares strictly between two squares on one rank, file or diagonal; empty for other pairs.
///
/// ```
/// use skewer_movegen::{attacks, Square};
/// assert_eq!(attacks::between(Square::A1, Square::C3), Square::B2.bitboard());
/// assert!(attacks::between(Square::A1, Square::B3).is_empty());
/// ```
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    Bitboard(BETWEEN[a.index()][b.index()])
}

/// The whole rank, file or diagonal, edge to edge, on which two squares stand; empty if there is no such line, or if
/// both squares are the same.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    Bitboard(LINE[a.index()][b.index()])
}
