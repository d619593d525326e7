//! Castling rights, and how castling is written.

use core::fmt;

use bitflags::bitflags;

use crate::{Bitboard, Color, File, Rank, Square};

/// The notation of castling moves and castling rights.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum CastlingMode {
    /// Moves as the king's two steps (`e1g1`), rights as `KQkq`.
    #[default]
    Standard,
    /// Moves as the king taking its own rook (`e1h1`), rights as files of rooks (`HAha`).
    Chess960,
}

/// The side of the board to castle to: kingside or queenside.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum CastlingSide {
    /// Kingside (`O-O`): the king goes to the g file.
    King,
    /// Queenside (`O-O-O`): the king goes to the c file.
    Queen,
}

impl CastlingSide {
    /// Both sides, kingside first.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// The side of `king` on which `rook` stands.
    #[inline]
    pub const fn of(king: Square, rook: Square) -> Self {
        if rook as u8 > king as u8 {
            Self::King
        } else {
            Self::Queen
        }
    }

    /// Where the king stands after castling.
    #[inline]
    pub const fn king_target(self, color: Color) -> Square {
        match (color, self) {
            (Color::White, Self::King) => Square::G1,
            (Color::White, Self::Queen) => Square::C1,
            (Color::Black, Self::King) => Square::G8,
            (Color::Black, Self::Queen) => Square::C8,
        }
    }

    /// Where the rook stands after castling.
    #[inline]
    pub const fn rook_target(self, color: Color) -> Square {
        match (color, self) {
            (Color::White, Self::King) => Square::F1,
            (Color::White, Self::Queen) => Square::D1,
            (Color::Black, Self::King) => Square::F8,
            (Color::Black, Self::Queen) => Square::D8,
        }
    }
}

bitflags! {
    /// Castling rights as four flags, without the files of the rooks.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub struct CastlingFlags: u8 {
        /// White may castle kingside.
        const WHITE_KING = 1;
        /// White may castle queenside.
        const WHITE_QUEEN = 2;
        /// Black may castle kingside.
        const BLACK_KING = 4;
        /// Black may castle queenside.
        const BLACK_QUEEN = 8;
    }
}

/// The castling rights of both colours, with the files of the rooks.
///
/// ```
/// use skewer_movegen::{Board, CastlingFlags, CastlingSide, Color, File};
///
/// let rights = Board::STARTPOS.castling();
/// assert_eq!(rights.rook(Color::White, CastlingSide::King), Some(File::H));
/// assert_eq!(rights.flags(), CastlingFlags::all());
/// assert_eq!(rights.to_string(), "KQkq");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CastlingRights {
    /// By colour, then kingside before queenside.
    rooks: [[Option<File>; 2]; 2],
}

impl CastlingRights {
    /// No castling rights.
    pub const NONE: Self = Self {
        rooks: [[None; 2]; 2],
    };

    /// The rights that rooks have, given the squares of the kings. Of two rooks on one side of a king
    /// the outer one counts.
    pub(crate) fn from_rooks(rooks: Bitboard, kings: [Square; 2]) -> Self {
        let mut rights = Self::NONE;
        for color in Color::ALL {
            let back = Rank::First.relative_to(color).bitboard();
            for rook in rooks & back {
                let side = CastlingSide::of(kings[color.index()], rook);
                rights.rooks[color.index()][side as usize].get_or_insert(rook.file());
                if side == CastlingSide::King {
                    rights.rooks[color.index()][0] = Some(rook.file());
                }
            }
        }
        rights
    }

    /// The file of the rook with which `color` may castle on `side`.
    #[inline]
    pub const fn rook(self, color: Color, side: CastlingSide) -> Option<File> {
        self.rooks[color.index()][side as usize]
    }

    /// The same rights, with the right of `color` on `side` set to a rook on `file`, or removed.
    #[inline]
    #[must_use]
    pub const fn with_rook(mut self, color: Color, side: CastlingSide, file: Option<File>) -> Self {
        self.rooks[color.index()][side as usize] = file;
        self
    }

    /// Whether `color` may castle on `side`.
    #[inline]
    pub const fn has(self, color: Color, side: CastlingSide) -> bool {
        self.rook(color, side).is_some()
    }

    /// Whether `color` may castle at all.
    #[inline]
    pub const fn any(self, color: Color) -> bool {
        self.has(color, CastlingSide::King) || self.has(color, CastlingSide::Queen)
    }

    /// The squares of the rooks that may castle, on the back ranks.
    pub fn rooks(self) -> Bitboard {
        let mut squares = Bitboard::EMPTY;
        for color in Color::ALL {
            for file in self.rooks[color.index()].iter().flatten() {
                squares |= Square::new(*file, Rank::First.relative_to(color)).bitboard();
            }
        }
        squares
    }

    /// The rights as four flags.
    pub fn flags(self) -> CastlingFlags {
        let mut flags = CastlingFlags::empty();
        for (flag, file) in CastlingFlags::all().iter().zip(self.rooks.as_flattened()) {
            flags.set(flag, file.is_some());
        }
        flags
    }
}

impl fmt::Display for CastlingRights {
    /// `KQkq`, or `-` without rights. For files of rooks see
    /// [`Board::to_fen`](crate::Board::to_fen).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::NONE {
            return f.pad("-");
        }
        for (letter, file) in ["K", "Q", "k", "q"].iter().zip(self.rooks.as_flattened()) {
            if file.is_some() {
                f.write_str(letter)?;
            }
        }
        Ok(())
    }
}
