//! Castling rights, and how castling is written.

use core::fmt;

use bitflags::bitflags;

use crate::{Bitboard, Color, File, Rank, Square};

/// Which of the two ways moves and rights of castling are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum CastlingMode {
    /// Moves as the king's two steps (`e1g1`), rights as `KQkq`.
    #[default]
    Standard,
    /// Moves as the king taking its own rook (`e1h1`), rights as files of rooks (`HAha`).
    Chess960,
}

/// A side of the board to castle to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Wing {
    /// To the right as White sees it: the king goes to the g file.
    King,
    /// To the left as White sees it: the king goes to the c file.
    Queen,
}

impl Wing {
    /// Both wings, the king's first.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// The wing of a rook, by where its king stands.
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
        /// White may castle on the king's wing.
        const WHITE_KING = 1;
        /// White may castle on the queen's wing.
        const WHITE_QUEEN = 2;
        /// Black may castle on the king's wing.
        const BLACK_KING = 4;
        /// Black may castle on the queen's wing.
        const BLACK_QUEEN = 8;
    }
}

/// Who may still castle, with which rooks.
///
/// ```
/// use skewer_movegen::{Board, CastlingFlags, Color, File, Wing};
///
/// let rights = Board::STARTPOS.castling();
/// assert_eq!(rights.rook(Color::White, Wing::King), Some(File::H));
/// assert_eq!(rights.flags(), CastlingFlags::all());
/// assert_eq!(rights.to_string(), "KQkq");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CastlingRights {
    /// By colour, then the king's wing before the queen's.
    rooks: [[Option<File>; 2]; 2],
}

impl CastlingRights {
    /// Nobody may castle.
    pub const NONE: Self = Self {
        rooks: [[None; 2]; 2],
    };

    /// The rights of rooks, by where the kings stand. For each side and wing the rook furthest
    /// from the king counts.
    pub(crate) fn from_rooks(rooks: Bitboard, kings: [Square; 2]) -> Self {
        let mut rights = Self::NONE;
        for color in Color::ALL {
            let back = Rank::First.relative_to(color).bitboard();
            for rook in rooks & back {
                let wing = Wing::of(kings[color.index()], rook);
                rights.rooks[color.index()][wing as usize].get_or_insert(rook.file());
                if wing == Wing::King {
                    rights.rooks[color.index()][0] = Some(rook.file());
                }
            }
        }
        rights
    }

    /// The file of the rook with which `color` may castle on `wing`.
    #[inline]
    pub const fn rook(self, color: Color, wing: Wing) -> Option<File> {
        self.rooks[color.index()][wing as usize]
    }

    /// The same rights with that of `color` on `wing` given to a rook on `file`, or taken away.
    #[inline]
    #[must_use]
    pub const fn with_rook(mut self, color: Color, wing: Wing, file: Option<File>) -> Self {
        self.rooks[color.index()][wing as usize] = file;
        self
    }

    /// Whether `color` may castle on `wing`.
    #[inline]
    pub const fn has(self, color: Color, wing: Wing) -> bool {
        self.rook(color, wing).is_some()
    }

    /// Whether `color` may castle at all.
    #[inline]
    pub const fn any(self, color: Color) -> bool {
        self.has(color, Wing::King) || self.has(color, Wing::Queen)
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
        flags.set(
            CastlingFlags::WHITE_KING,
            self.has(Color::White, Wing::King),
        );
        flags.set(
            CastlingFlags::WHITE_QUEEN,
            self.has(Color::White, Wing::Queen),
        );
        flags.set(
            CastlingFlags::BLACK_KING,
            self.has(Color::Black, Wing::King),
        );
        flags.set(
            CastlingFlags::BLACK_QUEEN,
            self.has(Color::Black, Wing::Queen),
        );
        flags
    }
}

impl fmt::Display for CastlingRights {
    /// `KQkq`, or `-` when nobody may castle. For files of rooks see
    /// [`Board::to_fen`](crate::Board::to_fen).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::NONE {
            return f.pad("-");
        }
        for color in Color::ALL {
            for (wing, white, black) in [(Wing::King, "K", "k"), (Wing::Queen, "Q", "q")] {
                if self.has(color, wing) {
                    f.write_str(color.fold(white, black))?;
                }
            }
        }
        Ok(())
    }
}
