//! Two sides at once: eight vectors of two lanes, one vector for each direction.

use super::sse2::Pair;
use super::{NOT_A, NOT_H};

/// For each of the eight directions the squares that the sliders of two sides attack.
#[derive(Clone, Copy)]
pub(crate) struct Rays([Pair; 8]);

/// A fill towards higher squares: `$by` is the difference of neighbouring squares, `$edge` the
/// squares where a step can end without wrapping round.
macro_rules! up {
    ($sliders:expr, $empty:expr, $edge:expr, $one:literal, $two:literal, $four:literal) => {{
        let edge = Pair::new([$edge; 2]);
        let mut open = $empty & edge;
        let mut fill = $sliders | (open & $sliders.shl::<$one>());
        open = open & open.shl::<$one>();
        fill = fill | (open & fill.shl::<$two>());
        open = open & open.shl::<$two>();
        fill = fill | (open & fill.shl::<$four>());
        fill.shl::<$one>() & edge
    }};
}

/// A fill towards lower squares.
macro_rules! down {
    ($sliders:expr, $empty:expr, $edge:expr, $one:literal, $two:literal, $four:literal) => {{
        let edge = Pair::new([$edge; 2]);
        let mut open = $empty & edge;
        let mut fill = $sliders | (open & $sliders.shr::<$one>());
        open = open & open.shr::<$one>();
        fill = fill | (open & fill.shr::<$two>());
        open = open & open.shr::<$two>();
        fill = fill | (open & fill.shr::<$four>());
        fill.shr::<$one>() & edge
    }};
}

/// The attacks of the sliders of two sides, each through its own `empty` squares.
#[inline(always)]
pub(crate) fn fill(straight: [u64; 2], diagonal: [u64; 2], empty: [u64; 2]) -> Rays {
    let (straight, diagonal) = (Pair::new(straight), Pair::new(diagonal));
    let empty = Pair::new(empty);
    // Along a rank, subtracting twice the sliders borrows through the empty squares up to the next
    // piece; the bytes of a vector are the ranks.
    let occupied = (empty ^ Pair::new([!0; 2])) | straight;
    let east = occupied ^ occupied.sub_bytes(straight.add_bytes(straight));
    Rays([
        up!(straight, empty, !0, 8, 16, 32),
        down!(straight, empty, !0, 8, 16, 32),
        east,
        down!(straight, empty, NOT_H, 1, 2, 4),
        up!(diagonal, empty, NOT_A, 9, 18, 36),
        down!(diagonal, empty, NOT_H, 9, 18, 36),
        up!(diagonal, empty, NOT_H, 7, 14, 28),
        down!(diagonal, empty, NOT_A, 7, 14, 28),
    ])
}

/// The squares that sliders attack, given the occupied squares.
///
/// The second lane holds the board upside down, so that one fill serves a direction up the board and its mirror image.
#[inline(always)]
pub(crate) fn attacks(straight: u64, diagonal: u64, occupied: u64) -> u64 {
    let upright_and_mirrored = |set: u64| Pair::new([set, set.swap_bytes()]);
    let straight = upright_and_mirrored(straight);
    let diagonal = upright_and_mirrored(diagonal);
    let occupied = upright_and_mirrored(occupied);
    let empty = occupied ^ Pair::new([!0; 2]);
    // Along a rank as in `fill`. Both lanes find the same squares.
    let occupied = occupied | straight;
    let east = occupied ^ occupied.sub_bytes(straight.add_bytes(straight));
    let west = down!(straight, empty, NOT_H, 1, 2, 4);
    let up = up!(straight, empty, !0, 8, 16, 32);
    let right = up!(diagonal, empty, NOT_A, 9, 18, 36);
    let left = up!(diagonal, empty, NOT_H, 7, 14, 28);
    let [upright, mirrored] = ((east | west) | (up | (right | left))).lanes();
    upright | mirrored.swap_bytes()
}

impl Rays {
    /// The union of all directions for each side.
    #[inline(always)]
    pub(crate) fn any(&self) -> [u64; 2] {
        let [a, b, c, d, e, f, g, h] = self.0;
        (((a | b) | (c | d)) | ((e | f) | (g | h))).lanes()
    }

    /// The number of moves of the first side to `targets`, and the number of squares in `others`.
    #[inline(always)]
    pub(crate) fn count_with(&self, targets: u64, others: [u64; 6]) -> u32 {
        let targets = Pair::new([targets; 2]);
        let [a, b, c, d, e, f, g, h] = self.0;
        let first = nibbles(a.low_lanes(b) & targets).add_bytes(nibbles(c.low_lanes(d) & targets));
        let second = nibbles(e.low_lanes(f) & targets).add_bytes(nibbles(g.low_lanes(h) & targets));
        let [i, j, k, l, m, n] = others;
        let third = nibbles(Pair::new([i, j])).add_bytes(nibbles(Pair::new([k, l])));
        let bytes = bytes(first)
            .add_bytes(bytes(second))
            .add_bytes(bytes(third))
            .add_bytes(bytes(nibbles(Pair::new([m, n]))));
        bytes.sum_bytes()
    }
}

/// The number of bits in each half of a byte.
#[inline(always)]
fn nibbles(set: Pair) -> Pair {
    let twos = set.sub_bytes(set.shr::<1>() & Pair::new([0x5555_5555_5555_5555; 2]));
    let mask = Pair::new([0x3333_3333_3333_3333; 2]);
    (twos & mask).add_bytes(twos.shr::<2>() & mask)
}

/// The sum of the halves of each byte.
#[inline(always)]
fn bytes(nibbles: Pair) -> Pair {
    let mask = Pair::new([0x0f0f_0f0f_0f0f_0f0f; 2]);
    (nibbles & mask).add_bytes(nibbles.shr::<4>() & mask)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bitboard, Color, Piece, attacks};

    /// Miri takes a tenth of a second for each.
    const CASES: u32 = if cfg!(miri) { 200 } else { 20_000 };

    #[test]
    fn fills_attack_and_count_like_single_pieces() {
        let mut rng = fastrand::Rng::with_seed(5);
        for _ in 0..CASES {
            let mut random = || rng.u64(..);
            let occupied = random() & random();
            let straight = [(); 2].map(|()| occupied & random() & random());
            let diagonal = [(); 2].map(|()| occupied & random() & random());
            let targets = random();
            let attacks = |squares: u64, piece| {
                let from = Bitboard(squares).into_iter();
                from.map(move |from| {
                    attacks::piece_attacks(piece, Color::White, from, Bitboard(occupied))
                })
            };
            let rays = fill(straight, diagonal, [!occupied; 2]);
            let mut count = 0;
            for side in 0..2 {
                let rooks = attacks(straight[side], Piece::Rook);
                let all = rooks.chain(attacks(diagonal[side], Piece::Bishop));
                let union = all.clone().fold(Bitboard::EMPTY, |union, set| union | set);
                assert_eq!(rays.any()[side], union.0);
                let of_one_side = super::attacks(straight[side], diagonal[side], occupied);
                assert_eq!(of_one_side, union.0);
                if side == 0 {
                    count = all.map(|set| (set & Bitboard(targets)).count()).sum();
                }
            }
            let others = [(); 6].map(|()| random());
            count += others.iter().map(|set| set.count_ones()).sum::<u32>();
            assert_eq!(rays.count_with(targets, others), count);
        }
    }
}
