//! Two lanes as an array, for processors other than x86-64.

use core::ops::{BitAnd, BitOr, BitXor};

/// Two sets of squares.
#[derive(Clone, Copy)]
pub(crate) struct Pair([u64; 2]);

/// The lowest bit of each byte.
const LOW_BITS: u64 = 0x0101_0101_0101_0101;
/// The highest bit of each byte.
const HIGH_BITS: u64 = LOW_BITS << 7;

impl Pair {
    #[inline(always)]
    pub(crate) const fn new(lanes: [u64; 2]) -> Self {
        Self(lanes)
    }

    #[inline(always)]
    pub(crate) const fn lanes(self) -> [u64; 2] {
        self.0
    }

    /// Both lanes shifted to the left.
    #[inline(always)]
    pub(crate) const fn shl<const BY: i32>(self) -> Self {
        Self([self.0[0] << BY, self.0[1] << BY])
    }

    /// Both lanes shifted to the right.
    #[inline(always)]
    pub(crate) const fn shr<const BY: i32>(self) -> Self {
        Self([self.0[0] >> BY, self.0[1] >> BY])
    }

    /// The difference of each byte, without borrow between bytes.
    #[inline(always)]
    pub(crate) const fn sub_bytes(self, other: Self) -> Self {
        const fn sub(a: u64, b: u64) -> u64 {
            // The highest bits are subtracted apart, so that no borrow leaves a byte.
            (a | HIGH_BITS).wrapping_sub(b & !HIGH_BITS) ^ ((a ^ !b) & HIGH_BITS)
        }
        Self([sub(self.0[0], other.0[0]), sub(self.0[1], other.0[1])])
    }

    /// The sum of each byte, without carry between bytes.
    #[inline(always)]
    pub(crate) const fn add_bytes(self, other: Self) -> Self {
        const fn add(a: u64, b: u64) -> u64 {
            (a & !HIGH_BITS).wrapping_add(b & !HIGH_BITS) ^ ((a ^ b) & HIGH_BITS)
        }
        Self([add(self.0[0], other.0[0]), add(self.0[1], other.0[1])])
    }

    /// The low lanes of two pairs.
    #[inline(always)]
    pub(crate) const fn low_lanes(self, other: Self) -> Self {
        Self([self.0[0], other.0[0]])
    }

    /// The sum of all bytes.
    #[inline(always)]
    pub(crate) const fn sum_bytes(self) -> u32 {
        const EVERY_OTHER: u64 = 0x00ff_00ff_00ff_00ff;
        const fn sum(bytes: u64) -> u64 {
            let words = (bytes & EVERY_OTHER) + (bytes >> 8 & EVERY_OTHER);
            words.wrapping_mul(0x0001_0001_0001_0001) >> 48
        }
        (sum(self.0[0]) + sum(self.0[1])) as u32
    }
}

impl BitAnd for Pair {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self([self.0[0] & other.0[0], self.0[1] & other.0[1]])
    }
}

impl BitOr for Pair {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }
}

impl BitXor for Pair {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self([self.0[0] ^ other.0[0], self.0[1] ^ other.0[1]])
    }
}
