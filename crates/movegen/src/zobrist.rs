//! Position keys (Albert Zobrist, 1970).
//!
//! The key of a position is the exclusive or of a random number for each piece on its square, for
//! each rook that may castle, for the file of a legal en passant capture, and for Black to move. The
//! numbers are specific to this crate and the same in every build. Polyglot opening books use
//! other numbers: see [`Board::polyglot_key`].

#[cfg(doc)]
use crate::Board;
use crate::{Color, File, Piece, Square};

pub(crate) struct Keys {
    /// By colour, by the code of the piece (its index plus one; zero for code 0), by square.
    placement: [[[u64; 64]; 8]; Color::COUNT],
    /// By square: a rook that may castle, on the back ranks; an en passant square, on the other
    /// ranks, where all squares of a file have the same number.
    rights: [u64; 64],
    pub(crate) black: u64,
}

pub(crate) static KEYS: Keys = keys();

/// Fills the tables by the generator `splitmix64` (Guy Steele and others, 2014).
const fn keys() -> Keys {
    let mut state = 0x0005_6b65_7765_7221;
    let mut placement = [[[0; 64]; 8]; Color::COUNT];
    let mut color = 0;
    while color < Color::COUNT {
        let mut piece = 0;
        while piece < Piece::COUNT {
            let mut square = 0;
            while square < 64 {
                placement[color][piece + 1][square] = next(&mut state);
                square += 1;
            }
            piece += 1;
        }
        color += 1;
    }
    let mut rights = [0; 64];
    let mut square = 0;
    while square < 64 {
        rights[square] = if square < 16 || square >= 56 {
            next(&mut state)
        } else {
            rights[8 + square % 8]
        };
        square += 1;
    }
    Keys {
        placement,
        rights,
        black: next(&mut state),
    }
}

const fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// The random number of a piece on a square.
#[inline]
pub const fn piece_key(color: Color, piece: Piece, square: Square) -> u64 {
    KEYS.placement[color.index()][piece.index() + 1][square.index()]
}

/// The number of a rook that may still castle, by the square where it stands.
#[inline]
pub const fn castling_key(rook: Square) -> u64 {
    KEYS.rights[rook.index()]
}

/// The number of the file on which a pawn may be captured en passant.
#[inline]
pub const fn en_passant_key(file: File) -> u64 {
    KEYS.rights[8 + file.index()]
}

/// The number that stands for Black to move.
#[inline]
pub const fn black_to_move_key() -> u64 {
    KEYS.black
}

/// The number of a piece on a square by its code: its index plus one, or 0 for no piece.
#[inline(always)]
pub(crate) const fn code_key(color: Color, code: u64, square: Square) -> u64 {
    KEYS.placement[color.index()][(code & 7) as usize][square.index()]
}

/// The number of a right by its square: castling on the back ranks, en passant elsewhere.
#[inline(always)]
pub(crate) const fn right_key(square: Square) -> u64 {
    KEYS.rights[square.index()]
}
