//! Four lanes in one vector register.
//!
//! The code uses intrinsics, because code that the compiler vectorises itself is 1.8 times slower in perft
//! (docs/movegen.md).

#![allow(unsafe_code)]
#![allow(unused_unsafe, reason = "`vector!` is used in arguments of `vector!`")]

#[allow(
    clippy::wildcard_imports,
    reason = "instructions have long names that collide with nothing"
)]
use core::arch::x86_64::*;

/// Four sets of squares.
#[derive(Clone, Copy)]
pub(crate) struct Quad(pub(super) __m256i);

impl Quad {
    #[inline(always)]
    pub(crate) fn new(lanes: [u64; 4]) -> Self {
        // No `map`: without link-time optimisation it is not inlined, and perft is ten times
        // slower.
        let [a, b, c, d] = lanes;
        Self(vector!(_mm256_set_epi64x(
            d as i64, c as i64, b as i64, a as i64
        )))
    }

    /// The same set in every lane.
    #[inline(always)]
    pub(crate) fn splat(set: u64) -> Self {
        Self(vector!(_mm256_set1_epi64x(set as i64)))
    }

    /// Each lane shifted to the left by its element of `by`.
    #[inline(always)]
    #[cfg(any(test, not(target_feature = "avx512vpopcntdq")))]
    pub(crate) fn shl(self, by: [u64; 4]) -> Self {
        Self(vector!(_mm256_sllv_epi64(self.0, Self::new(by).0)))
    }

    /// Each lane shifted to the right by its element of `by`.
    #[inline(always)]
    #[cfg(any(test, not(target_feature = "avx512vpopcntdq")))]
    pub(crate) fn shr(self, by: [u64; 4]) -> Self {
        Self(vector!(_mm256_srlv_epi64(self.0, Self::new(by).0)))
    }

    /// In each lane all squares up to and including the lowest of the set; all if it is empty.
    #[inline(always)]
    pub(crate) fn to_lowest(self) -> Self {
        let less = vector!(_mm256_add_epi64(self.0, Self::splat(!0).0));
        Self(vector!(_mm256_xor_si256(self.0, less)))
    }

    /// In each lane all squares down to and including the highest of the set; all if it is empty.
    #[inline(always)]
    #[cfg(all(target_feature = "avx512cd", target_feature = "avx512vl"))]
    pub(crate) fn to_highest(self) -> Self {
        let above = vector!(_mm256_lzcnt_epi64(self.0));
        Self(vector!(_mm256_srav_epi64(Self::splat(1 << 63).0, above)))
    }

    /// In each lane all squares down to and including the highest of the set; all if it is empty.
    #[inline(always)]
    #[cfg(not(all(target_feature = "avx512cd", target_feature = "avx512vl")))]
    pub(crate) fn to_highest(self) -> Self {
        // Smear the highest bit down: everything below it.
        let mut below = vector!(_mm256_srli_epi64::<1>(self.0));
        macro_rules! smear {
            ($($by:literal)*) => {$(
                let lower = vector!(_mm256_srli_epi64::<$by>(below));
                below = vector!(_mm256_or_si256(below, lower));
            )*};
        }
        smear!(1 2 4 8 16 32);
        Self(vector!(_mm256_xor_si256(below, Self::splat(!0).0)))
    }

    /// The union of the lanes.
    #[inline(always)]
    pub(crate) fn any(self) -> u64 {
        let low = vector!(_mm256_castsi256_si128(self.0));
        let high = vector!(_mm256_extracti128_si256::<1>(self.0));
        let two = vector!(_mm_or_si128(low, high));
        let one = vector!(_mm_or_si128(two, vector!(_mm_unpackhi_epi64(two, two))));
        vector!(_mm_cvtsi128_si64(one)) as u64
    }

    /// The union of the first and the third lane, and the union of the second and the fourth.
    #[inline(always)]
    pub(crate) fn any_of_pairs(self) -> [u64; 2] {
        let low = vector!(_mm256_castsi256_si128(self.0));
        let high = vector!(_mm256_extracti128_si256::<1>(self.0));
        let two = vector!(_mm_or_si128(low, high));
        let second = vector!(_mm_unpackhi_epi64(two, two));
        [
            vector!(_mm_cvtsi128_si64(two)) as u64,
            vector!(_mm_cvtsi128_si64(second)) as u64,
        ]
    }

    /// All squares in each lane that is empty, nothing in the others.
    #[inline(always)]
    pub(crate) fn is_empty(self) -> Self {
        Self(vector!(_mm256_cmpeq_epi64(
            self.0,
            vector!(_mm256_setzero_si256())
        )))
    }

    /// The intersection of the lanes.
    #[inline(always)]
    pub(crate) fn every(self) -> u64 {
        let low = vector!(_mm256_castsi256_si128(self.0));
        let high = vector!(_mm256_extracti128_si256::<1>(self.0));
        let two = vector!(_mm_and_si128(low, high));
        let one = vector!(_mm_and_si128(two, vector!(_mm_unpackhi_epi64(two, two))));
        vector!(_mm_cvtsi128_si64(one)) as u64
    }

    /// The number of squares in all lanes of `a` and `b` (counting by bytes after Wojciech Muła).
    #[inline(always)]
    #[cfg(any(test, not(target_feature = "avx512vpopcntdq")))]
    pub(super) fn count_by_bytes(a: Self, b: Self) -> u32 {
        let bytes = vector!(_mm256_add_epi8(a.count_bytes(), b.count_bytes()));
        let sums = vector!(_mm256_sad_epu8(bytes, vector!(_mm256_setzero_si256())));
        let low = vector!(_mm256_castsi256_si128(sums));
        let high = vector!(_mm256_extracti128_si256::<1>(sums));
        let two = vector!(_mm_add_epi64(low, high));
        let one = vector!(_mm_add_epi64(two, vector!(_mm_unpackhi_epi64(two, two))));
        vector!(_mm_cvtsi128_si32(one)) as u32
    }

    /// The number of squares in each byte.
    #[inline(always)]
    #[cfg(any(test, not(target_feature = "avx512vpopcntdq")))]
    fn count_bytes(self) -> __m256i {
        const LOW: u64 = u64::from_le_bytes([0, 1, 1, 2, 1, 2, 2, 3]);
        const HIGH: u64 = u64::from_le_bytes([1, 2, 2, 3, 2, 3, 3, 4]);
        let table = Self::new([LOW, HIGH, LOW, HIGH]).0;
        let nibble = Self::splat(0x0f0f_0f0f_0f0f_0f0f).0;
        let low = vector!(_mm256_and_si256(self.0, nibble));
        let high = vector!(_mm256_and_si256(
            vector!(_mm256_srli_epi64::<4>(self.0)),
            nibble
        ));
        vector!(_mm256_add_epi8(
            vector!(_mm256_shuffle_epi8(table, low)),
            vector!(_mm256_shuffle_epi8(table, high))
        ))
    }
}

operators! { Quad: BitAnd bitand _mm256_and_si256, BitOr bitor _mm256_or_si256 }
