//! Sets of squares: one bit a square.

use core::fmt;
use core::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};

use crate::Square;

/// A set of squares; bit 0 is `a1`, bit 63 is `h8`.
///
/// ```
/// use skewer_movegen::{Bitboard, Rank, Square};
///
/// let center = Square::D4.bitboard() | Square::E4.bitboard();
/// assert_eq!(center.count(), 2);
/// assert!(center.contains(Square::E4));
/// assert_eq!(center - Rank::Fourth.bitboard(), Bitboard::EMPTY);
/// let squares: Vec<Square> = center.into_iter().collect();
/// assert_eq!(squares, [Square::D4, Square::E4]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// Every square.
    pub const FULL: Self = Self(!0);
    /// The squares of the colour of `h1`.
    pub const LIGHT: Self = Self(0x55aa_55aa_55aa_55aa);
    /// The squares of the colour of `a1`.
    pub const DARK: Self = Self(0xaa55_aa55_aa55_aa55);
    /// The first and the eighth rank.
    pub const BACK_RANKS: Self = Self(0xff00_0000_0000_00ff);

    /// Whether `square` is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square as u32 & 1 != 0
    }

    /// The number of squares in the set.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether no square is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether at least one square is in the set.
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether exactly one square is in the set.
    #[inline]
    pub const fn is_single(self) -> bool {
        self.0.is_power_of_two()
    }

    /// Whether two squares or more are in the set.
    #[inline]
    pub const fn has_more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The square with the lowest index.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::wrapping(self.0.trailing_zeros() as u8))
        }
    }

    /// The square with the highest index.
    #[inline]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::wrapping(63 - self.0.leading_zeros() as u8))
        }
    }

    /// Removes the square with the lowest index from the set and returns it.
    #[inline]
    pub const fn pop_first(&mut self) -> Option<Square> {
        let first = self.first();
        self.0 &= self.0.wrapping_sub(1);
        first
    }

    /// Whether every square of this set is in `other`.
    #[inline]
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The set with `square` added.
    #[inline]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | 1 << square as u32)
    }

    /// The set with `square` removed.
    #[inline]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !(1 << square as u32))
    }

    /// Every subset, the empty set first: two to the power of [`count`](Self::count).
    ///
    /// Uses the carry-rippler (Marcel van Kervinck).
    pub fn subsets(self) -> impl Iterator<Item = Self> {
        let mut next = Some(0u64);
        core::iter::from_fn(move || {
            let subset = next?;
            let following = subset.wrapping_sub(self.0) & self.0;
            next = (following != 0).then_some(following);
            Some(Self(subset))
        })
    }
}

macro_rules! binary {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign:ident, |$a:ident, $b:ident| $e:expr) => {
        impl $trait for Bitboard {
            type Output = Self;

            #[inline]
            fn $method(self, other: Self) -> Self {
                let ($a, $b) = (self.0, other.0);
                Self($e)
            }
        }

        impl $assign_trait for Bitboard {
            #[inline]
            fn $assign(&mut self, other: Self) {
                *self = $trait::$method(*self, other);
            }
        }
    };
}

binary!(BitAnd, bitand, BitAndAssign, bitand_assign, |a, b| a & b);
binary!(BitOr, bitor, BitOrAssign, bitor_assign, |a, b| a | b);
binary!(BitXor, bitxor, BitXorAssign, bitxor_assign, |a, b| a ^ b);
// The difference of two sets.
binary!(Sub, sub, SubAssign, sub_assign, |a, b| a & !b);

impl Not for Bitboard {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Self {
        square.bitboard()
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl Extend<Square> for Bitboard {
    fn extend<I: IntoIterator<Item = Square>>(&mut self, squares: I) {
        *self = squares.into_iter().fold(*self, Self::with);
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// The squares of a [`Bitboard`], from the lowest index up.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        self.0.pop_first()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

impl DoubleEndedIterator for Squares {
    #[inline]
    fn next_back(&mut self) -> Option<Square> {
        let last = self.0.last()?;
        self.0 = self.0.without(last);
        Some(last)
    }
}

impl core::iter::FusedIterator for Squares {}

impl fmt::Debug for Bitboard {
    /// `{a1, e4}`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

impl fmt::Display for Bitboard {
    /// Eight lines, the eighth rank first: `X` for a square in the set, `.` for one that is not.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            for file in 0..8 {
                let mark = if self.contains(Square::wrapping(rank * 8 + file)) {
                    "X"
                } else {
                    "."
                };
                f.write_str(mark)?;
                f.write_str(if file == 7 { "\n" } else { " " })?;
            }
        }
        Ok(())
    }
}
