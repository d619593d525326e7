//! Eight directions in one vector register, for processors with AVX-512 that count bits in vectors
//! (VPOPCNTDQ: Intel since Ice Lake, AMD since Zen 4).

#![allow(unsafe_code)]
#![allow(unused_unsafe, reason = "`vector!` is used in arguments of `vector!`")]

#[allow(
    clippy::wildcard_imports,
    reason = "instructions have long names that collide with nothing"
)]
use core::arch::x86_64::*;

use super::avx2::Quad;
use super::{NOT_A, NOT_H};
use crate::Rank;

/// Rotations that lead one step north, north-east, east, north-west, and to the opposite directions.
const STEPS: [u64; 8] = [8, 9, 1, 7, 56, 55, 63, 57];
const TWO_STEPS: [u64; 8] = [16, 18, 2, 14, 48, 46, 62, 50];
const FOUR_STEPS: [u64; 8] = [32, 36, 4, 28, 32, 28, 60, 36];

/// The squares where a step can end without wrapping round an edge.
const REACHABLE: [u64; 8] = {
    let not_first = !Rank::First.bitboard().0;
    let not_last = !Rank::Eighth.bitboard().0;
    [
        not_first,
        not_first & NOT_A,
        NOT_A,
        not_first & NOT_H,
        not_last,
        not_last & NOT_H,
        NOT_H,
        not_last & NOT_A,
    ]
};

/// Eight sets of squares.
#[derive(Clone, Copy)]
struct Octet(__m512i);

impl Octet {
    #[inline(always)]
    fn new(lanes: [u64; 8]) -> Self {
        // No `map`: without link-time optimisation it is not inlined.
        let [a, b, c, d, e, f, g, h] = lanes;
        Self(vector!(_mm512_set_epi64(
            h as i64, g as i64, f as i64, e as i64, d as i64, c as i64, b as i64, a as i64
        )))
    }

    /// The same set in every lane.
    #[inline(always)]
    fn splat(set: u64) -> Self {
        Self(vector!(_mm512_set1_epi64(set as i64)))
    }

    /// Each lane rotated to the left by its element of `by`.
    #[inline(always)]
    fn rotate(self, by: [u64; 8]) -> Self {
        Self(vector!(_mm512_rolv_epi64(self.0, Self::new(by).0)))
    }
}

/// The squares that sliders attack through `empty` squares, upwards and downwards; the lanes of
/// `sliders` are file, rising diagonal, rank, falling diagonal.
#[inline(always)]
pub(super) fn fill(sliders: Quad, empty: u64) -> [Quad; 2] {
    let mut open = Octet::splat(empty) & Octet::new(REACHABLE);
    let mut rays = Octet(vector!(_mm512_broadcast_i64x4(sliders.0)));
    rays = rays | (open & rays.rotate(STEPS));
    open = open & open.rotate(STEPS);
    rays = rays | (open & rays.rotate(TWO_STEPS));
    open = open & open.rotate(TWO_STEPS);
    rays = rays | (open & rays.rotate(FOUR_STEPS));
    rays = rays.rotate(STEPS) & Octet::new(REACHABLE);
    [
        Quad(vector!(_mm512_castsi512_si256(rays.0))),
        Quad(vector!(_mm512_extracti64x4_epi64::<1>(rays.0))),
    ]
}

/// The number of squares in all lanes of `a` and `b`.
#[inline(always)]
pub(super) fn count(a: Quad, b: Quad) -> u32 {
    let low = vector!(_mm512_castsi256_si512(a.0));
    let all = vector!(_mm512_inserti64x4::<1>(low, b.0));
    let counts = vector!(_mm512_popcnt_epi64(all));
    vector!(_mm512_reduce_add_epi64(counts)) as u32
}

operators! { Octet: BitAnd bitand _mm512_and_si512, BitOr bitor _mm512_or_si512 }
