//! Slider attacks of whole sets of pieces, several sets in one vector register.
//!
//! All sliders of one direction are filled together by a parallel prefix algorithm (Peter Kogge and Harold Stone,
//! 1973; for chess Steffen Jakob and Gerd Isenberg). With AVX-512 the lanes of a vector are [eight
//! directions](octets), with AVX2 [four](quads); and without either the [two sides](pairs), which share each
//! direction's shift.

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
        // SAFETY: the instructions need nothing but a processor that has them. SSE2 is part of
        // x86-64, and AVX2 and AVX-512 are used only when the whole crate is compiled for them.
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

#[cfg(target_feature = "avx2")]
mod avx2;
#[cfg(target_feature = "avx512vpopcntdq")]
mod octets;
#[cfg(any(test, not(target_feature = "avx2")))]
pub(crate) mod pairs;
#[cfg(target_feature = "avx2")]
pub(crate) mod quads;
#[cfg(any(test, not(target_feature = "avx2")))]
mod sse2;

use crate::File;

const NOT_A: u64 = !File::A.bitboard().0;
const NOT_H: u64 = !File::H.bitboard().0;

/// The squares that sliders attack, given the occupied squares.
#[inline(always)]
pub(crate) fn attacks(straight: u64, diagonal: u64, occupied: u64) -> u64 {
    #[cfg(target_feature = "avx2")]
    return quads::Lanes::fill(quads::axes(straight, diagonal), !occupied).any();
    #[cfg(not(target_feature = "avx2"))]
    return pairs::fill([straight, 0], [diagonal, 0], [!occupied, 0]).any()[0];
}
