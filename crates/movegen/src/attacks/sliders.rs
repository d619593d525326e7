//! Attacks of bishops, rooks and queens.
//!
//! Hyperbola quintessence (Gerd Isenberg and Aleks Peshkov, 2007): subtracting twice the slider from
//! the occupied squares of a line borrows up to the first piece; the exclusive or of the results for
//! both directions is the attack set. Reversing the bytes reverses files and diagonals, which
//! have one bit a byte; ranks come from a table.

use crate::{Bitboard, Square};

/// The lines through a square, without the square: file, diagonal, antidiagonal.
struct Lines {
    file: u64,
    diagonal: u64,
    antidiagonal: u64,
}

const fn lines() -> [Lines; 64] {
    const NONE: Lines = Lines {
        file: 0,
        diagonal: 0,
        antidiagonal: 0,
    };
    let mut table = [NONE; 64];
    let mut i = 0;
    while i < 64 {
        let square = Square::ALL[i];
        let mut j = 0;
        while j < 64 {
            if i != j {
                let other = Square::ALL[j];
                let files = other.file() as i8 - square.file() as i8;
                let ranks = other.rank() as i8 - square.rank() as i8;
                if files == 0 {
                    table[i].file |= 1 << j;
                }
                if files == ranks {
                    table[i].diagonal |= 1 << j;
                }
                if files == -ranks {
                    table[i].antidiagonal |= 1 << j;
                }
            }
            j += 1;
        }
        i += 1;
    }
    table
}

/// Attacks along a rank by the six inner bits of its occupancy and the file of the slider.
const fn ranks() -> [[u8; 8]; 64] {
    let mut table = [[0; 8]; 64];
    let mut inner = 0;
    while inner < 64 {
        let occupied = (inner as u8) << 1;
        let mut file = 0;
        while file < 8 {
            let mut attacks = 0u8;
            let mut bit = 1u8 << file;
            while bit < 0x80 {
                bit <<= 1;
                attacks |= bit;
                if occupied & bit != 0 {
                    break;
                }
            }
            bit = 1u8 << file;
            while bit > 1 {
                bit >>= 1;
                attacks |= bit;
                if occupied & bit != 0 {
                    break;
                }
            }
            table[inner][file] = attacks;
            file += 1;
        }
        inner += 1;
    }
    table
}

static LINES: [Lines; 64] = lines();
static RANKS: [[u8; 8]; 64] = ranks();

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

/// The squares that a bishop attacks, up to and including the first occupied one each way.
#[inline]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let lines = &LINES[square.index()];
    let slider = 1 << square as u32;
    Bitboard(
        along(lines.diagonal, slider, occupied.0) | along(lines.antidiagonal, slider, occupied.0),
    )
}

/// The squares that a rook attacks, up to and including the first occupied one each way.
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
    let file = along(LINES[square.index()].file, 1 << square as u32, occupied.0);
    Bitboard(rank | file)
}

/// The squares that a queen attacks, up to and including the first occupied one each way.
#[inline]
pub fn queen_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    bishop_attacks(square, occupied) | rook_attacks(square, occupied)
}
