//! Attacks and moves of sliders, one slider after the other.

use super::safety::{Safety, attacked_by_others, checks_and_pins, king, slider_attacks};
use crate::board::placement::Placement;
use crate::side::Side;
use crate::{Bitboard, attacks};

/// A way to find the attacks of sliders.
pub(super) trait Sliders: Sized {
    /// Attacks, checks and pins of the position with `S` to move, and what `count` needs.
    fn safety<S: Side>(placement: &Placement) -> (Safety, Self);

    /// The number of moves of the sliders of `S`, plus the number of squares in `others`.
    fn count<S: Side>(self, placement: &Placement, safety: &Safety, others: [u64; 6]) -> u32;
}

/// Sliders looked up one by one: faster than vectors if there are few sliders, and the only way on processors without
/// vectors.
pub(super) struct OneByOne;

impl Sliders for OneByOne {
    #[inline(always)]
    fn safety<S: Side>(placement: &Placement) -> (Safety, Self) {
        let own = placement.color(S::COLOR);
        let enemies = (placement.straight() | placement.diagonal()) & !own;
        let occupied = placement.occupied() ^ king::<S>(placement).bitboard().0;
        let (check_mask, pinned) = checks_and_pins::<S>(placement);
        let mut attacked = attacked_by_others::<S::Opponent>(placement);
        for from in Bitboard(enemies) {
            attacked |= slider_attacks(placement, from, occupied);
        }
        let safety = Safety {
            attacked,
            check_mask,
            pinned,
        };
        (safety, Self)
    }

    #[inline(always)]
    fn count<S: Side>(self, placement: &Placement, safety: &Safety, others: [u64; 6]) -> u32 {
        let own = placement.color(S::COLOR);
        let mut count = count_squares(others);
        for from in Bitboard((placement.straight() | placement.diagonal()) & own) {
            let mut to = slider_attacks(placement, from, placement.occupied());
            if Bitboard(safety.pinned).contains(from) {
                to &= attacks::line(king::<S>(placement), from).0;
            }
            count += (to & safety.check_mask & !own).count_ones();
        }
        count
    }
}

/// The number of squares in all sets.
#[inline(always)]
pub(super) fn count_squares([a, b, c, d, e, f]: [u64; 6]) -> u32 {
    (a.count_ones() + b.count_ones() + c.count_ones())
        + (d.count_ones() + e.count_ones() + f.count_ones())
}
