//! Two lanes in one vector register: SSE2, which every x86-64 processor has.

#![allow(unsafe_code)]
#![allow(unused_unsafe, reason = "`vector!` is used in arguments of `vector!`")]

#[allow(
    clippy::wildcard_imports,
    reason = "the long names of intrinsics do not collide with ours"
)]
use core::arch::x86_64::*;

/// Two sets of squares.
#[derive(Clone, Copy)]
pub(crate) struct Pair(__m128i);

impl Pair {
    #[inline(always)]
    pub(crate) fn new([low, high]: [u64; 2]) -> Self {
        Self(vector!(_mm_set_epi64x(high as i64, low as i64)))
    }

    #[inline(always)]
    pub(crate) fn lanes(self) -> [u64; 2] {
        let high = vector!(_mm_unpackhi_epi64(self.0, self.0));
        [
            vector!(_mm_cvtsi128_si64(self.0)) as u64,
            vector!(_mm_cvtsi128_si64(high)) as u64,
        ]
    }

    /// Both lanes shifted to the left.
    #[inline(always)]
    pub(crate) fn shl<const BY: i32>(self) -> Self {
        Self(vector!(_mm_slli_epi64::<BY>(self.0)))
    }

    /// Both lanes shifted to the right.
    #[inline(always)]
    pub(crate) fn shr<const BY: i32>(self) -> Self {
        Self(vector!(_mm_srli_epi64::<BY>(self.0)))
    }

    /// The difference of each byte, without borrow between bytes.
    #[inline(always)]
    pub(crate) fn sub_bytes(self, other: Self) -> Self {
        Self(vector!(_mm_sub_epi8(self.0, other.0)))
    }

    /// The sum of each byte, without carry between bytes.
    #[inline(always)]
    pub(crate) fn add_bytes(self, other: Self) -> Self {
        Self(vector!(_mm_add_epi8(self.0, other.0)))
    }

    /// The low lanes of two pairs.
    #[inline(always)]
    pub(crate) fn low_lanes(self, other: Self) -> Self {
        Self(vector!(_mm_unpacklo_epi64(self.0, other.0)))
    }

    /// The sum of all bytes.
    #[inline(always)]
    pub(crate) fn sum_bytes(self) -> u32 {
        let sums = vector!(_mm_sad_epu8(self.0, vector!(_mm_setzero_si128())));
        let both = vector!(_mm_add_epi64(sums, vector!(_mm_unpackhi_epi64(sums, sums))));
        vector!(_mm_cvtsi128_si32(both)) as u32
    }
}

operators! { Pair: BitAnd bitand _mm_and_si128, BitOr bitor _mm_or_si128, BitXor bitxor _mm_xor_si128 }
