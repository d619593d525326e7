//! The arithmetic of the network on whole blocks, and the choice of the instructions it runs
//! with.
//!
//! The arithmetic is written once, in plain Rust over arrays of fixed size, which the compiler
//! turns into vector code. It is inlined into one entry for each instruction set (see
//! [`super::forward`]), so every kernel is the same program and gives the same bits. NEON is
//! part of every aarch64 target, so there the portable kernel is the NEON kernel. For WebAssembly
//! [`activate`] calls the instruction for dot products by its intrinsic; the searches of
//! `.ci/conformance` check that the bits are the same.

use super::QA;
use super::parameters::{BLOCK, Block, Weights};

/// Which instructions the network's arithmetic is compiled to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kernel {
    /// The instructions for which the whole build is compiled (NEON on aarch64).
    Portable,
    /// 256-bit integers.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 512-bit integers with the dot-product instructions.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Kernel {
    /// The kernels that this processor can run, slowest first.
    pub fn available() -> Vec<Self> {
        #[allow(unused_mut, reason = "other processors have the portable kernel alone")]
        let mut kernels = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if std::arch::is_x86_feature_detected!("avx2")
                && std::arch::is_x86_feature_detected!("bmi1")
                && std::arch::is_x86_feature_detected!("popcnt")
            {
                kernels.push(Self::Avx2);
            }
            if kernels.contains(&Self::Avx2)
                && std::arch::is_x86_feature_detected!("avx512f")
                && std::arch::is_x86_feature_detected!("avx512bw")
                && std::arch::is_x86_feature_detected!("avx512vl")
                && std::arch::is_x86_feature_detected!("avx512vnni")
            {
                kernels.push(Self::Avx512);
            }
        }
        kernels
    }

    /// The fastest kernel that this processor can run.
    pub fn best() -> Self {
        Self::available().pop().unwrap_or(Self::Portable)
    }
}

/// Tells the compiler that the values are aligned.
///
/// The compiler knows the alignment of an argument, but forgets it when the function is inlined. Then it takes the
/// alignment of a single weight, which is 1 or 2 bytes, and in builds that are not for one particular processor it
/// loads and stores unaligned vectors of 256 bits in halves.
#[inline(always)]
pub(crate) fn assume_aligned<T>(values: &[T]) {
    // SAFETY: every slice is aligned.
    unsafe { std::hint::assert_unchecked(values.as_ptr().is_aligned()) }
}

/// `to = from + added - removed`, rows of weights.
#[inline(always)]
pub(crate) fn update<const N: usize, const A: usize, const R: usize>(
    from: &[Block; N],
    to: &mut [Block; N],
    added: [&[Weights; N]; A],
    removed: [&[Weights; N]; R],
) {
    assume_aligned(from);
    assume_aligned(to);
    for row in added {
        assume_aligned(row);
    }
    for row in removed {
        assume_aligned(row);
    }
    // A row at a time for each block. From one loop that adds all rows to a value, the compiler makes scalar code for
    // one piece in builds without a profile, in which the search is a quarter slower (2026-11-28).
    for n in 0..N {
        let mut sum = from[n].0;
        for row in added {
            for (sum, &weight) in sum.iter_mut().zip(&row[n].0) {
                *sum = sum.wrapping_add(weight.into());
            }
        }
        for row in removed {
            for (sum, &weight) in sum.iter_mut().zip(&row[n].0) {
                *sum = sum.wrapping_sub(weight.into());
            }
        }
        to[n].0 = sum;
    }
}

/// Adds a row to `to`, or subtracts it, as `change` does.
#[inline(always)]
pub(crate) fn change<const N: usize>(
    to: &mut [Block; N],
    row: &[Weights; N],
    change: impl Fn(i16, i16) -> i16,
) {
    assume_aligned(to);
    assume_aligned(row);
    for n in 0..N {
        for i in 0..BLOCK {
            to[n].0[i] = change(to[n].0[i], row[n].0[i].into());
        }
    }
}

/// The sum over one perspective of the squared clipped activation times the weight, in units of
/// `QA * QA * QB`. The product of one activation and the weight fits an `i16` (weights are at
/// most 258), which lets the compiler use the instruction that multiplies pairs and adds them.
#[cfg(not(all(target_family = "wasm", target_feature = "simd128")))]
#[inline(always)]
pub(crate) fn activate<const N: usize>(accumulator: &[Block; N], weights: &[Block; N]) -> i32 {
    assume_aligned(accumulator);
    assume_aligned(weights);
    let mut sum = 0i32;
    for (&value, &weight) in Block::values(accumulator)
        .iter()
        .zip(Block::values(weights))
    {
        let clipped = value.clamp(0, QA as i16);
        let weighted = clipped.wrapping_mul(weight);
        sum = sum.wrapping_add(i32::from(clipped).wrapping_mul(i32::from(weighted)));
    }
    sum
}

/// The same sum for WebAssembly, where the compiler does not select the instruction by itself.
#[cfg(all(target_family = "wasm", target_feature = "simd128"))]
#[inline(always)]
pub(crate) fn activate<const N: usize>(accumulator: &[Block; N], weights: &[Block; N]) -> i32 {
    use std::arch::wasm32::{
        i16x8, i16x8_max, i16x8_min, i16x8_mul, i16x8_splat, i32x4_add, i32x4_dot_i16x8,
        i32x4_extract_lane, i32x4_splat, v128,
    };

    // A call for every eight values halves the speed of the whole search (2026-11-29).
    #[inline(always)]
    fn vector(&[a, b, c, d, e, f, g, h]: &[i16; 8]) -> v128 {
        i16x8(a, b, c, d, e, f, g, h)
    }
    let (zero, limit) = (i16x8_splat(0), i16x8_splat(QA as i16));
    let mut sum = i32x4_splat(0);
    for n in 0..N {
        let values = accumulator[n].0.as_chunks::<8>().0;
        for (values, weights) in values.iter().zip(weights[n].0.as_chunks::<8>().0) {
            let clipped = i16x8_min(i16x8_max(vector(values), zero), limit);
            let weighted = i16x8_mul(clipped, vector(weights));
            sum = i32x4_add(sum, i32x4_dot_i16x8(clipped, weighted));
        }
    }
    i32x4_extract_lane::<0>(sum)
        .wrapping_add(i32x4_extract_lane::<1>(sum))
        .wrapping_add(i32x4_extract_lane::<2>(sum))
        .wrapping_add(i32x4_extract_lane::<3>(sum))
}
