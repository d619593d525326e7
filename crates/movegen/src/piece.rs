//! The six kinds of pieces.

use core::fmt;

use crate::Color;

/// A kind of piece, without its colour: pawn, knight, bishop, rook, queen or king.
///
/// ```
/// use skewer_movegen::{Color, Piece};
/// assert_eq!(Piece::from_letter('n'), Some(Piece::Knight));
/// assert_eq!(Piece::Knight.letter(Color::White), 'N');
/// assert!(Piece::Queen > Piece::Rook);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum Piece {
    /// A pawn.
    Pawn = 0,
    /// A knight.
    Knight = 1,
    /// A bishop.
    Bishop = 2,
    /// A rook.
    Rook = 3,
    /// A queen.
    Queen = 4,
    /// A king.
    King = 5,
}

impl Piece {
    /// The number of kinds.
    pub const COUNT: usize = 6;
    /// Every kind, from pawn to king.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Pawn,
        Self::Knight,
        Self::Bishop,
        Self::Rook,
        Self::Queen,
        Self::King,
    ];
    /// The kinds to which a pawn may promote, the most common first.
    pub const PROMOTIONS: [Self; 4] = [Self::Queen, Self::Knight, Self::Rook, Self::Bishop];

    /// 0 (pawn) to 5 (king).
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The inverse of [`index`](Self::index).
    #[inline]
    pub const fn from_index(index: usize) -> Option<Self> {
        match index {
            0 => Some(Self::Pawn),
            1 => Some(Self::Knight),
            2 => Some(Self::Bishop),
            3 => Some(Self::Rook),
            4 => Some(Self::Queen),
            5 => Some(Self::King),
            _ => None,
        }
    }

    /// The FEN letter: upper case for White, lower case for Black.
    #[inline]
    pub const fn letter(self, color: Color) -> char {
        let letter = b"pnbrqk"[self as usize];
        match color {
            Color::White => letter.to_ascii_uppercase() as char,
            Color::Black => letter as char,
        }
    }

    /// The kind of a letter, in either case.
    #[inline]
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter.to_ascii_lowercase() {
            'p' => Some(Self::Pawn),
            'n' => Some(Self::Knight),
            'b' => Some(Self::Bishop),
            'r' => Some(Self::Rook),
            'q' => Some(Self::Queen),
            'k' => Some(Self::King),
            _ => None,
        }
    }
}

impl fmt::Display for Piece {
    /// The English name in lower case: `pawn`, `knight`, ...
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Pawn => "pawn",
            Self::Knight => "knight",
            Self::Bishop => "bishop",
            Self::Rook => "rook",
            Self::Queen => "queen",
            Self::King => "king",
        })
    }
}
