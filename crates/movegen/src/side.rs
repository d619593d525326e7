//! The side to move as a type, so that the generator is compiled apart for White and Black.

use crate::{Color, File, Rank};

/// White or Black at compile time.
pub(crate) trait Side {
    /// The other side.
    type Opponent: Side<Opponent = Self>;
    /// The side as a value.
    const COLOR: Color;
    /// The rank from which pawns make two steps, one step on.
    const THIRD: u64 = Rank::Third.relative_to(Self::COLOR).bitboard().0;
    /// The rank on which pawns promote.
    const LAST: u64 = Rank::Eighth.relative_to(Self::COLOR).bitboard().0;
    /// The rank on which kings castle.
    const BACK: u64 = Rank::First.relative_to(Self::COLOR).bitboard().0;
    /// How far a pawn steps.
    const FORWARD: i8 = if matches!(Self::COLOR, Color::White) {
        8
    } else {
        -8
    };
    /// How far a pawn goes that captures to the left as White sees it.
    const LEFT: i8 = Self::FORWARD - 1;
    /// How far a pawn goes that captures to the right as White sees it.
    const RIGHT: i8 = Self::FORWARD + 1;

    /// The squares one pawn's step ahead.
    #[inline(always)]
    fn forward(set: u64) -> u64 {
        if matches!(Self::COLOR, Color::White) {
            set << 8
        } else {
            set >> 8
        }
    }

    /// The squares that pawns attack to the left as White sees it.
    #[inline(always)]
    fn left(set: u64) -> u64 {
        let set = set & !File::A.bitboard().0;
        if matches!(Self::COLOR, Color::White) {
            set << 7
        } else {
            set >> 9
        }
    }

    /// The squares that pawns attack to the right as White sees it.
    #[inline(always)]
    fn right(set: u64) -> u64 {
        let set = set & !File::H.bitboard().0;
        if matches!(Self::COLOR, Color::White) {
            set << 9
        } else {
            set >> 7
        }
    }

    /// Of two things, one a diagonal: that on which pawns capture to the left comes first.
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
