//! All sliders of a direction at once, in vectors.

use super::safety::{Safety, attacked_by_others, king};
#[cfg(not(target_feature = "avx2"))]
use super::safety::{checks_and_pins, slider_attacks};
use super::sliders::Sliders;
use crate::board::placement::Placement;
#[cfg(target_feature = "avx2")]
use crate::lanes::quads::{Lanes, Quad, axes};
use crate::side::Side;

/// The pinned pieces of each axis: file, rising diagonal, rank, falling diagonal.
#[cfg(target_feature = "avx2")]
pub(super) struct Vectors(Quad);

#[cfg(target_feature = "avx2")]
impl Sliders for Vectors {
    #[inline(always)]
    fn safety<S: Side>(placement: &Placement) -> (Safety, Self) {
        use crate::{Piece, attacks};

        let occupied = placement.occupied();
        let own = placement.color(S::COLOR);
        let enemy = placement.color(S::Opponent::COLOR);
        let king_square = king::<S>(placement);
        let king = king_square.bitboard().0;

        let sliders = axes(placement.straight() & enemy, placement.diagonal() & enemy);
        let rays = Lanes::fill(sliders, !(occupied ^ king));
        let attacked = rays.any() | attacked_by_others::<S::Opponent>(placement);

        // A piece is pinned if an enemy slider reaches it from one direction and the king from the opposite
        // direction.
        let king_rays = Lanes::from_king(king_square, occupied);
        let pins = ((rays.up & king_rays.down) | (rays.down & king_rays.up)) & Quad::splat(own);

        let mut check_mask = !0;
        if attacked & king != 0 {
            let knights = attacks::knight_attacks(king_square).0 & placement.pieces(Piece::Knight);
            let pawns =
                attacks::pawn_attacks(S::COLOR, king_square).0 & placement.pieces(Piece::Pawn);
            let leapers = (knights | pawns) & enemy;
            if leapers != 0 {
                let is_double = leapers & (leapers - 1) != 0;
                check_mask = if is_double { 0 } else { leapers };
            }
            // Where a ray reaches the king, only the squares that the king sees on it are left.
            let king = Quad::splat(king);
            let up = (rays.up & king).is_empty() | king_rays.down;
            let down = (rays.down & king).is_empty() | king_rays.up;
            check_mask &= (up & down).every();
        }
        let safety = Safety {
            attacked,
            check_mask,
            pinned: pins.any(),
        };
        (safety, Self(pins))
    }

    #[inline(always)]
    fn count<S: Side>(self, placement: &Placement, safety: &Safety, others: [u64; 6]) -> u32 {
        let own = placement.color(S::COLOR);
        // Pinned sliders take part along their axis alone.
        let sliders = axes(placement.straight(), placement.diagonal());
        let movable = sliders & (Quad::splat(own & !safety.pinned) | self.0);
        let slides = Lanes::fill(movable, !placement.occupied());
        slides.count_in(safety.check_mask & !own) + super::sliders::count_squares(others)
    }
}

/// The attacks of the sliders of both sides, without the pinned sliders of the side to move.
#[cfg(not(target_feature = "avx2"))]
pub(super) struct Vectors(crate::lanes::pairs::Rays);

#[cfg(not(target_feature = "avx2"))]
impl Sliders for Vectors {
    #[inline(always)]
    fn safety<S: Side>(placement: &Placement) -> (Safety, Self) {
        let occupied = placement.occupied();
        let enemy = placement.color(S::Opponent::COLOR);
        let king = king::<S>(placement).bitboard().0;
        let (check_mask, pinned) = checks_and_pins::<S>(placement);
        let (straight, diagonal) = (placement.straight(), placement.diagonal());
        let free = placement.color(S::COLOR) & !pinned;
        let rays = crate::lanes::pairs::fill(
            [straight & free, straight & enemy],
            [diagonal & free, diagonal & enemy],
            [!occupied, !(occupied ^ king)],
        );
        let safety = Safety {
            attacked: rays.any()[1] | attacked_by_others::<S::Opponent>(placement),
            check_mask,
            pinned,
        };
        (safety, Self(rays))
    }

    #[inline(always)]
    fn count<S: Side>(self, placement: &Placement, safety: &Safety, others: [u64; 6]) -> u32 {
        use crate::{Bitboard, attacks};

        let targets = safety.check_mask & !placement.color(S::COLOR);
        let sliders = placement.straight() | placement.diagonal();
        let mut count = self.0.count_with(targets, others);
        for from in Bitboard(safety.pinned & sliders) {
            let to = slider_attacks(placement, from, placement.occupied())
                & attacks::line(king::<S>(placement), from).0;
            count += (to & targets).count_ones();
        }
        count
    }
}
