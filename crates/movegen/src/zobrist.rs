//! The random numbers of position keys (Albert Zobrist, 1970).
//!
//! A position's key is the exclusive or of one number for each man on its square, one for each
//! rook that may still castle, one for the file of a legal en passant capture and one if Black is
//! to move. The numbers are this crate's own and stay the same from build to build; the
//! published numbers of opening books are another set, see [`Board::polyglot_key`](crate::Board::polyglot_key).

use crate::{Color, File, Piece, Square};

pub(crate) struct Keys {
    men: [[[u64; 64]; Piece::COUNT]; Color::COUNT],
    castling: [u64; 64],
    en_passant: [u64; 8],
    pub(crate) black: u64,
}

pub(crate) static KEYS: Keys = keys();

/// Fills the tables by the generator `splitmix64` (Guy Steele and others, 2014).
const fn keys() -> Keys {
    let mut state = 0x0005_6b65_7765_7221;
    let mut men = [[[0; 64]; Piece::COUNT]; Color::COUNT];
    let mut color = 0;
    while color < Color::COUNT {
        let mut piece = 0;
        while piece < Piece::COUNT {
            let mut square = 0;
            while square < 64 {
                men[color][piece][square] = next(&mut state);
                square += 1;
            }
            piece += 1;
        }
        color += 1;
    }
    let mut castling = [0; 64];
    let mut square = 0;
    while square < 64 {
        castling[square] = next(&mut state);
        square += 1;
    }
    let mut en_passant = [0; 8];
    let mut file = 0;
    while file < 8 {
        en_passant[file] = next(&mut state);
        file += 1;
    }
    Keys {
        men,
        castling,
        en_passant,
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

/// The number of a man on a square.
#[inline]
pub const fn piece_key(color: Color, piece: Piece, square: Square) -> u64 {
    KEYS.men[color.index()][piece.index()][square.index()]
}

/// The number of a rook that may still castle, by the square where it stands.
#[inline]
pub const fn castling_key(rook: Square) -> u64 {
    KEYS.castling[rook.index()]
}

/// The number of the file on which a pawn may be captured en passant.
#[inline]
pub const fn en_passant_key(file: File) -> u64 {
    KEYS.en_passant[file.index()]
}

/// The number that stands for Black to move.
#[inline]
pub const fn black_to_move_key() -> u64 {
    KEYS.black
}
