//! The sum of selected rows of a matrix, which takes nine tenths of the training time. The forward pass sums the
//! weights of the active inputs. The backward pass sums the gradients of the positions that have an input.
//!
//! The compiler vectorises the plain Rust version with 256 bits, even for processors with 512, because
//! that is faster for most programs. Here 512 bits were 1.3 times as fast, so there is a version with
//! intrinsics.

/// Sums rows with the best instructions of this processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Adder {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Adder {
    pub(crate) fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx512f") {
            return Self::Avx512;
        }
        Self::Plain
    }

    /// Adds `rows[i]` to `to` for every `i` in `list`.
    ///
    /// Panics if an index is outside `rows`.
    #[inline]
    pub(crate) fn add<const H: usize>(self, to: &mut [f32; H], rows: &[[f32; H]], list: &[u16]) {
        match self {
            Self::Plain => plain(to, rows, list),
            // SAFETY: `best` makes this variant only where the processor has AVX-512F.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => unsafe { avx512(to, rows, list) },
        }
    }
}

/// How many sums the plain version keeps in registers at once.
const TILE: usize = 32;

#[inline]
fn plain<const H: usize>(to: &mut [f32; H], rows: &[[f32; H]], list: &[u16]) {
    for (tile, out) in to.as_chunks_mut::<TILE>().0.iter_mut().enumerate() {
        let mut sum = *out;
        for &index in list {
            let row = &rows[usize::from(index)].as_chunks::<TILE>().0[tile];
            for i in 0..TILE {
                sum[i] += row[i];
            }
        }
        *out = sum;
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn avx512<const H: usize>(to: &mut [f32; H], rows: &[[f32; H]], list: &[u16]) {
    match H {
        128 => avx512_tiles::<H, 8>(to, rows, list),
        256 | 512 => avx512_tiles::<H, 16>(to, rows, list),
        64 => avx512_tiles::<H, 4>(to, rows, list),
        _ => avx512_tiles::<H, 2>(to, rows, list),
    }
}

/// `R` registers of sums at a time; `H` must be a multiple of `16 * R`.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
#[inline]
fn avx512_tiles<const H: usize, const R: usize>(
    to: &mut [f32; H],
    rows: &[[f32; H]],
    list: &[u16],
) {
    use std::arch::x86_64::{_mm512_add_ps, _mm512_loadu_ps, _mm512_setzero_ps, _mm512_storeu_ps};

    assert!(H.is_multiple_of(16 * R), "rows are whole tiles");
    for tile in 0..H / (16 * R) {
        let at = tile * 16 * R;
        let mut sums = [_mm512_setzero_ps(); R];
        for (r, sum) in sums.iter_mut().enumerate() {
            // SAFETY: `at + 16 * r + 16 <= H`, the length of the array.
            *sum = unsafe { _mm512_loadu_ps(to.as_ptr().add(at + 16 * r)) };
        }
        for &index in list {
            let row = &rows[usize::from(index)];
            for (r, sum) in sums.iter_mut().enumerate() {
                // SAFETY: as above.
                let values = unsafe { _mm512_loadu_ps(row.as_ptr().add(at + 16 * r)) };
                *sum = _mm512_add_ps(*sum, values);
            }
        }
        for (r, sum) in sums.iter().enumerate() {
            // SAFETY: as above.
            unsafe { _mm512_storeu_ps(to.as_mut_ptr().add(at + 16 * r), *sum) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const H: usize>() {
        let rows: Vec<[f32; H]> = (0..50u16)
            .map(|r| std::array::from_fn(|c| f32::from(r * 7 % 13) - c as f32 * 0.25))
            .collect();
        let start: [f32; H] = std::array::from_fn(|c| c as f32);
        for list in [&[][..], &[3], &[0, 49, 7, 7, 12]] {
            let (mut a, mut b) = (start, start);
            plain(&mut a, &rows, list);
            Adder::best().add(&mut b, &rows, list);
            assert_eq!(a.map(f32::to_bits), b.map(f32::to_bits));
            for c in 0..H {
                let expected =
                    start[c] + list.iter().map(|&i| rows[usize::from(i)][c]).sum::<f32>();
                assert!((a[c] - expected).abs() < 1e-3);
            }
        }
    }

    #[test]
    fn wide_and_plain_sums_agree() {
        check::<32>();
        check::<64>();
        check::<128>();
        check::<256>();
        check::<512>();
    }
}
