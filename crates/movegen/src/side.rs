//! The side to move as a type, so that the generator is compiled for each colour.

use crate::{Color, File, Rank};

/// White or Black at compile time.
pub(crate) trait Side {
    /// The other side.
    type Opponent: Side<Opponent = Self>;
    /// The side as a value.
    const COLOR: Color;
    /// The rank that a pawn passes by a double step.
    const THIRD: u64 = Rank::Third.relative_to(Self::COLOR).bitboard().0;
    /// The rank on which pawns promote.
    const LAST: u64 = Rank::Eighth.relative_to(Self::COLOR).bitboard().0;
    /// The rank on which kings castle.
    const BACK: u64 = Rank::First.relative_to(Self::COLOR).bitboard().0;
    /// The difference of squares of a pawn's step.
    const FORWARD: i8 = if matches!(Self::COLOR, Color::White) {
        8
    } else {
        -8
    };
    /// The difference of squares of a pawn's capture towards the a file.
    const LEFT: i8 = Self::FORWARD - 1;
    /// The difference of squares of a pawn's capture towards the h file.
    const RIGHT: i8 = Self::FORWARD + 1;

    /// The squares one step ahead of pawns.
    #[inline(always)]
    fn forward(set: u64) -> u64 {
        if matches!(Self::COLOR, Color::White) {
            set << 8
        } else {
            set >> 8
        }
    }

    /// The squares that pawns attack towards the a file.
    #[inline(always)]
    fn left(set: u64) -> u64 {
        let set = set & !File::A.bitboard().0;
        if matches!(Self::COLOR, Color::White) {
            set << 7
        } else {
            set >> 9
        }
    }

    /// The squares that pawns attack towards the h file.
    #[inline(always)]
    fn right(set: u64) -> u64 {
        let set = set & !File::H.bitboard().0;
        if matches!(Self::COLOR, Color::White) {
            set << 9
        } else {
            set >> 7
        }
    }

    /// Orders the values of the rising and the falling diagonal: first the value of the diagonal on
    /// which pawns capture towards the a file.
    #[inline(always)]
    fn by_diagonal<T>(rising: T, falling: T) -> (T, T) {
        if matches!(Self::COLOR, Color::White) {
            (falling, rising)
        } else {
            (rising, falling)
        }
    }
}

/// White to move.
pub(crate) enum White {}

/// Black to move.
pub(crate) enum Black {}

impl Side for White {
    type Opponent = Black;
    const COLOR: Color = Color::White;
}

impl Side for Black {
    type Opponent = White;
    const COLOR: Color = Color::Black;
}
