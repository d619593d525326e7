//! Slider attacks of whole sets of pieces, several sets in one vector register.
//!
//! All sliders of one direction are filled together by a parallel prefix algorithm (Peter Kogge and
//! Harold Stone, 1973; for chess Steffen Jakob and Gerd Isenberg). With AVX-512 the lanes of a vector
//! are [eight directions](octets), with AVX2 [four](quads); without these they are the [two sides](pairs), which share each
//! direction's shift.

/// Calls a vector instruction.
#[cfg(target_arch = "x86_64")]
macro_rules! vector {
    ($function:ident $(::<$n:tt>)? ($($argument:expr),*)) => {{
        // SAFETY: the instructions need nothing but a processor that has them. SSE2 is part of
        // x86-64, and AVX2 and AVX-512 are used only when the whole crate is compiled for them.
        unsafe { $function$(::<$n>)?($($argument),*) }
    }};
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "avx512vpopcntdq"))]
mod octets;
#[cfg(any(test, not(target_arch = "x86_64")))]
mod pair;
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
pub(crate) mod pairs;
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(crate) mod quads;
#[cfg(all(target_arch = "x86_64", any(test, not(target_feature = "avx2"))))]
mod sse2;

use crate::File;

const NOT_A: u64 = !File::A.bitboard().0;
const NOT_H: u64 = !File::H.bitboard().0;

/// The squares that sliders attack, given the occupied squares.
#[inline(always)]
pub(crate) fn attacks(straight: u64, diagonal: u64, occupied: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    return quads::Lanes::fill(quads::axes(straight, diagonal), !occupied).any();
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    return pairs::fill([straight, 0], [diagonal, 0], [!occupied, 0]).any()[0];
}

/// A small generator of random numbers (splitmix64, 2014).
#[cfg(test)]
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}
