//! Slider attacks of whole sets of pieces, several sets in one vector register.
//!
//! All sliders of one direction are filled together by a parallel prefix algorithm (Peter Kogge and Harold Stone,
//! 1973; for chess Steffen Jakob and Gerd Isenberg). With AVX-512 the lanes of a vector are [eight
//! directions](octets), with AVX2 [four](quads); and without either the [two sides](pairs), which share each
//! direction's shift.
//!
//! Which of them is used is known when the crate is compiled, with one exception: with the feature `std`, [`attacks`]
//! tests at run time whether the processor has AVX2.

#![cfg_attr(
    target_feature = "avx512vl",
    allow(
        clippy::incompatible_msrv,
        reason = "builds for AVX-512 need Rust 1.89, as the manual says"
    )
)]

/// Calls a vector instruction.
macro_rules! vector {
    ($function:ident $(::<$n:tt>)? ($($argument:expr),*)) => {{
        // SAFETY: the instructions need nothing but a processor that has them. SSE2 is part of x86-64. AVX2 and
        // AVX-512 are used only if the whole crate is compiled for them, and AVX2 in `attacks_avx2`.
        unsafe { $function$(::<$n>)?($($argument),*) }
    }};
}

/// Operators of a vector, each by the instruction that does it.
macro_rules! operators {
    ($vector:ident: $($operator:ident $function:ident $instruction:ident),*) => {$(
        impl core::ops::$operator for $vector {
            type Output = Self;

            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                Self(vector!($instruction(self.0, other.0)))
            }
        }
    )*};
}

#[cfg(any(feature = "std", target_feature = "avx2"))]
#[cfg_attr(
    not(target_feature = "avx2"),
    allow(dead_code, reason = "only `attacks_avx2` uses it, and not all of it")
)]
mod avx2;
#[cfg(target_feature = "avx512vpopcntdq")]
mod octets;
#[cfg(any(test, not(target_feature = "avx2")))]
pub(crate) mod pairs;
#[cfg(any(feature = "std", target_feature = "avx2"))]
#[cfg_attr(
    not(target_feature = "avx2"),
    allow(dead_code, reason = "only `attacks_avx2` uses it, and not all of it")
)]
pub(crate) mod quads;
#[cfg(any(test, not(target_feature = "avx2")))]
mod sse2;

use crate::File;

const NOT_A: u64 = !File::A.bitboard().0;
const NOT_H: u64 = !File::H.bitboard().0;

/// The squares that sliders attack, given the occupied squares.
#[cfg(target_feature = "avx2")]
#[inline(always)]
pub(crate) fn attacks(straight: u64, diagonal: u64, occupied: u64) -> u64 {
    quads::attacks(straight, diagonal, occupied)
}

/// The squares that sliders attack, given the occupied squares.
///
/// Not inlined, because the fill by pairs is long and would stand, seldom used, in every generator.
#[cfg(not(target_feature = "avx2"))]
#[inline(never)]
pub(crate) fn attacks(straight: u64, diagonal: u64, occupied: u64) -> u64 {
    #[cfg(feature = "std")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        #[allow(unsafe_code)]
        return unsafe { attacks_avx2(straight, diagonal, occupied) };
    }
    pairs::attacks(straight, diagonal, occupied)
}

/// [`quads::attacks`] in a build for processors without AVX2.
///
/// # Safety
///
/// The processor must have AVX2.
#[cfg(all(feature = "std", not(target_feature = "avx2")))]
#[target_feature(enable = "avx2")]
#[allow(unsafe_code)]
unsafe fn attacks_avx2(straight: u64, diagonal: u64, occupied: u64) -> u64 {
    quads::attacks(straight, diagonal, occupied)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In a build for processors without AVX2 this compares what is chosen when the program runs.
    #[test]
    fn attacks_do_not_depend_on_the_instructions_of_the_processor() {
        let mut rng = fastrand::Rng::with_seed(11);
        for _ in 0..2_000 {
            let mut random = || rng.u64(..);
            let occupied = random() & random();
            let straight = occupied & random() & random();
            let diagonal = occupied & random() & random();
            let expected = pairs::attacks(straight, diagonal, occupied);
            assert_eq!(attacks(straight, diagonal, occupied), expected);
        }
    }
}
