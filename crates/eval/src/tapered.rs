//! A pair of values, one for the middlegame and one for the endgame, added as one number.

use core::fmt;
use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middlegame and an endgame value, packed into one integer so that both are added at once.
///
/// Each half holds -32768..=32767 units of [`Score`](skewer_types::Score); a sum outside this range would change the
/// other half. No sum of evaluation terms comes near the limit.
///
/// ```
/// use skewer_eval::Tapered;
///
/// let pawn = Tapered::new(90, 120) - Tapered::new(100, 20);
/// assert_eq!((pawn.middlegame(), pawn.endgame()), (-10, 100));
/// assert_eq!(pawn.blend(24), -10);
/// assert_eq!(pawn.blend(0), 100);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Tapered(i32);

impl Tapered {
    /// Nothing in either phase.
    pub const ZERO: Self = Self(0);
    /// The phase of the starting position, at which [`blend`](Self::blend) returns the middlegame value.
    pub const FULL_PHASE: i32 = 24;

    /// The pair of these two values.
    #[inline]
    pub const fn new(middlegame: i32, endgame: i32) -> Self {
        Self((endgame << 16).wrapping_add(middlegame))
    }

    /// The value with all pieces on the board.
    #[inline]
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The value with all pieces gone.
    #[inline]
    pub const fn endgame(self) -> i32 {
        // A negative low half has borrowed 1 from the high half. Adding 0x8000 gives it back.
        self.0.wrapping_add(0x8000) >> 16
    }

    /// The value between the two, at `phase` from 0 (bare kings and pawns) to
    /// [`FULL_PHASE`](Self::FULL_PHASE) or more (all pieces).
    #[inline]
    pub const fn blend(self, phase: i32) -> i32 {
        let phase = if phase > Self::FULL_PHASE {
            Self::FULL_PHASE
        } else {
            phase
        };
        (self.middlegame() * phase + self.endgame() * (Self::FULL_PHASE - phase)) / Self::FULL_PHASE
    }
}

impl Add for Tapered {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Tapered {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Neg for Tapered {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;

    #[inline]
    fn mul(self, times: i32) -> Self {
        Self(self.0.wrapping_mul(times))
    }
}

impl fmt::Debug for Tapered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tapered({}, {})", self.middlegame(), self.endgame())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_disturb_each_other() {
        for mg in [-9000, -1, 0, 1, 77, 9000] {
            for eg in [-9000, -1, 0, 1, 77, 9000] {
                let value = Tapered::new(mg, eg);
                assert_eq!((value.middlegame(), value.endgame()), (mg, eg));
                let doubled = value + value;
                assert_eq!((doubled.middlegame(), doubled.endgame()), (2 * mg, 2 * eg));
                let tripled = value * -3;
                assert_eq!(
                    (tripled.middlegame(), tripled.endgame()),
                    (-3 * mg, -3 * eg)
                );
                assert_eq!(value - value, Tapered::ZERO);
                assert_eq!(-value, Tapered::new(-mg, -eg));
            }
        }
    }
}
