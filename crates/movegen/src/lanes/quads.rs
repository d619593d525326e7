//! Eight directions at once: two vectors of four lanes.
//!
//! A lane holds the squares of one direction. The four directions that lead to higher squares are
//! shifted to the left, and the four opposite directions to the right by the same numbers of bits.

pub(crate) use super::avx2::Quad;
#[cfg(any(test, not(target_feature = "avx512vpopcntdq")))]
use super::{NOT_A, NOT_H};
use crate::Square;
use crate::attacks::ray;

/// A set of squares for each of the eight directions.
#[derive(Clone, Copy)]
pub(crate) struct Lanes {
    /// North, north-east, east, north-west.
    pub(crate) up: Quad,
    /// South, south-west, west, south-east.
    pub(crate) down: Quad,
}

impl Lanes {
    /// The squares that sliders attack through `empty` squares; the lanes of `sliders` are file,
    /// rising diagonal, rank, falling diagonal.
    #[inline(always)]
    pub(crate) fn fill(sliders: Quad, empty: u64) -> Self {
        #[cfg(target_feature = "avx512vpopcntdq")]
        {
            let [up, down] = super::octets::fill(sliders, empty);
            Self { up, down }
        }
        #[cfg(not(target_feature = "avx512vpopcntdq"))]
        Self::fill_by_halves(sliders, empty)
    }

    /// [`fill`](Self::fill) for AVX2 alone.
    #[inline(always)]
    #[cfg(any(test, not(target_feature = "avx512vpopcntdq")))]
    fn fill_by_halves(sliders: Quad, empty: u64) -> Self {
        /// The difference of neighbouring squares on a file, a rising diagonal, a rank and a falling
        /// diagonal.
        const STEPS: [u64; 4] = [8, 9, 1, 7];
        const TWO_STEPS: [u64; 4] = [16, 18, 2, 14];
        const FOUR_STEPS: [u64; 4] = [32, 36, 4, 28];

        /// The squares where a step up can end without wrapping round an edge.
        const UP: [u64; 4] = [!0, NOT_A, NOT_A, NOT_H];
        /// The squares where a step down can end without wrapping round an edge.
        const DOWN: [u64; 4] = [!0, NOT_H, NOT_H, NOT_A];

        let empty = Quad::splat(empty);
        let mut open = empty & Quad::new(UP);
        let mut up = sliders;
        up = up | (open & up.shl(STEPS));
        open = open & open.shl(STEPS);
        up = up | (open & up.shl(TWO_STEPS));
        open = open & open.shl(TWO_STEPS);
        up = up | (open & up.shl(FOUR_STEPS));
        up = up.shl(STEPS) & Quad::new(UP);

        let mut open = empty & Quad::new(DOWN);
        let mut down = sliders;
        down = down | (open & down.shr(STEPS));
        open = open & open.shr(STEPS);
        down = down | (open & down.shr(TWO_STEPS));
        open = open & open.shr(TWO_STEPS);
        down = down | (open & down.shr(FOUR_STEPS));
        down = down.shr(STEPS) & Quad::new(DOWN);
        Self { up, down }
    }

    /// The squares visible from the king in each direction, up to and including the first occupied square.
    #[inline(always)]
    pub(crate) fn from_king(king: Square, occupied: u64) -> Self {
        let rays = &RAYS[king.index()];
        let occupied = Quad::splat(occupied);
        let (up, down) = (Quad::new(rays[0]), Quad::new(rays[1]));
        Self {
            up: up & (up & occupied).to_lowest(),
            down: down & (down & occupied).to_highest(),
        }
    }

    /// The union of all lanes.
    #[inline(always)]
    pub(crate) fn any(self) -> u64 {
        (self.up | self.down).any()
    }

    /// The union of the lanes of files and ranks, and the union of the lanes of diagonals.
    #[inline(always)]
    pub(crate) fn by_line(self) -> [u64; 2] {
        (self.up | self.down).any_of_pairs()
    }

    /// The number of squares of `targets` in all lanes together.
    #[inline(always)]
    pub(crate) fn count_in(self, targets: u64) -> u32 {
        let targets = Quad::splat(targets);
        let (up, down) = (self.up & targets, self.down & targets);
        #[cfg(target_feature = "avx512vpopcntdq")]
        return super::octets::count(up, down);
        #[cfg(not(target_feature = "avx512vpopcntdq"))]
        return Quad::count_by_bytes(up, down);
    }
}

/// The sliders as [`Lanes::fill`] takes them: `straight` sliders on file and rank, `diagonal` sliders on the diagonals.
#[inline(always)]
pub(crate) fn axes(straight: u64, diagonal: u64) -> Quad {
    Quad::new([straight, diagonal, straight, diagonal])
}

/// The squares that sliders attack, given the occupied squares.
#[inline(always)]
pub(crate) fn attacks(straight: u64, diagonal: u64, occupied: u64) -> u64 {
    Lanes::fill(axes(straight, diagonal), !occupied).any()
}

/// The squares from each square to the edge: `RAYS[square][0]` for the directions up, and `[1]` for the directions down.
static RAYS: [[[u64; 4]; 2]; 64] = rays();

const fn rays() -> [[[u64; 4]; 2]; 64] {
    let mut table = [[[0; 4]; 2]; 64];
    let mut at = 0;
    while at < 64 {
        let from = Square::ALL[at];
        table[at] = [
            [
                ray(from, 0, 1),
                ray(from, 1, 1),
                ray(from, 1, 0),
                ray(from, -1, 1),
            ],
            [
                ray(from, 0, -1),
                ray(from, -1, -1),
                ray(from, -1, 0),
                ray(from, 1, -1),
            ],
        ];
        at += 1;
    }
    table
}

#[cfg(all(test, target_feature = "avx2"))]
mod tests {
    use super::*;
    use crate::{Bitboard, Color, Piece, attacks};

    /// Tests both implementations, although a build uses only one.
    #[test]
    fn fills_attack_and_count_like_single_pieces() {
        let mut rng = fastrand::Rng::with_seed(7);
        for _ in 0..20_000 {
            let mut random = || rng.u64(..);
            let occupied = random() & random();
            let straight = occupied & random() & random();
            let diagonal = occupied & random() & random();
            let targets = random();
            let attacks = |squares: u64, piece| {
                let from = Bitboard(squares).into_iter();
                from.map(move |from| {
                    attacks::piece_attacks(piece, Color::White, from, Bitboard(occupied))
                })
            };
            let all = attacks(straight, Piece::Rook).chain(attacks(diagonal, Piece::Bishop));
            let union = all.clone().fold(Bitboard::EMPTY, |union, set| union | set);
            let count: u32 = all.map(|set| (set & Bitboard(targets)).count()).sum();
            let sliders = axes(straight, diagonal);
            for rays in [
                Lanes::fill(sliders, !occupied),
                Lanes::fill_by_halves(sliders, !occupied),
            ] {
                assert_eq!(rays.any(), union.0);
                assert_eq!(rays.count_in(targets), count);
                let targets = Quad::splat(targets);
                assert_eq!(
                    Quad::count_by_bytes(rays.up & targets, rays.down & targets),
                    count
                );
            }
        }
    }
}
