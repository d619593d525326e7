//! Counts the legal moves. If there are more than two sliders on the board, it does so without a loop over pieces.
//!
//! All sliders of one direction are filled together. Their rays are disjoint, because each stops at
//! the next piece, so the size of the set reached is the number of moves; the same holds for pawn
//! moves of one direction. A piece on a ray of an enemy slider and on the king's opposite ray is
//! pinned, and moves only along that axis.

use super::safety::{Safety, king};
#[cfg(not(target_arch = "x86_64"))]
pub(super) use super::sliders::OneByOne as Vectors;
use super::sliders::{OneByOne, Sliders};
#[cfg(target_arch = "x86_64")]
pub(super) use super::vectors::Vectors;
use crate::board::placement::Placement;
use crate::side::Side;
use crate::{Bitboard, Piece, attacks};

/// The squares that the first two of the knights attack, each by itself, and the other knights.
#[inline(always)]
fn two_knights(knights: u64) -> ([u64; 2], u64) {
    let others = knights & knights.wrapping_sub(1);
    let more = others & others.wrapping_sub(1);
    let two = [attacks::lone_knight(knights), attacks::lone_knight(others)];
    (two, more)
}

/// The number of legal moves of `S`.
#[inline(always)]
pub(crate) fn count<S: Side>(placement: &Placement, rights: u64) -> u32 {
    let sliders = placement.straight() | placement.diagonal();
    let others = sliders & sliders.wrapping_sub(1);
    let has_few = others & others.wrapping_sub(1) == 0;
    if has_few {
        count_with_few_sliders::<S>(placement, rights)
    } else {
        count_by::<S, Vectors>(placement, rights)
    }
}

/// [`count`] with at most two sliders on the board. A function of its own, so that the usual case does
/// not pay for its registers.
#[inline(never)]
fn count_with_few_sliders<S: Side>(placement: &Placement, rights: u64) -> u32 {
    count_by::<S, OneByOne>(placement, rights)
}

/// The number of legal moves of `S`. `W` counts the moves of sliders.
#[inline(always)]
fn count_by<S: Side, W: Sliders>(placement: &Placement, rights: u64) -> u32 {
    let occupied = placement.occupied();
    let own = placement.color(S::COLOR);
    let enemy = placement.color(S::Opponent::COLOR);
    let (safety, sliders) = W::safety::<S>(placement);
    let targets = safety.check_mask & !own;
    let steps = attacks::king_attacks(king::<S>(placement)).0 & !own & !safety.attacked;

    let knights = placement.pieces(Piece::Knight) & own & !safety.pinned;
    let ([first, second], more_knights) = two_knights(knights);

    let pawns = placement.pieces(Piece::Pawn) & own;
    let (straight, left, right) = pawns_by_way::<S>(placement, pawns, safety.pinned);
    let left = S::left(left) & enemy & safety.check_mask;
    let right = S::right(right) & enemy & safety.check_mask;
    let once = S::forward(straight) & !occupied;
    let twice = S::forward(once & S::THIRD) & !occupied & safety.check_mask;
    let once = once & safety.check_mask;
    let mut promotions = 0;
    if (left | right | once) & S::LAST != 0 {
        promotions = (left & S::LAST).count_ones()
            + (right & S::LAST).count_ones()
            + (once & S::LAST).count_ones();
    }
    // Captures go to occupied squares and steps to empty ones, so they can share a set.
    let others = [
        first & targets,
        second & targets,
        left | once,
        right | twice,
        steps,
        0,
    ];
    // Each promotion is four moves.
    let mut count = sliders.count::<S>(placement, &safety, others) + 3 * promotions;
    for knight in Bitboard(more_knights) {
        count += (attacks::knight_attacks(knight).0 & targets).count_ones();
    }
    if rights & S::BACK != 0 {
        count += castlings::<S>(placement, rights, &safety);
    }
    if rights & !Bitboard::BACK_RANKS.0 != 0 {
        count += en_passants::<S>(placement, rights);
    }
    count
}

/// The pawns that may move forward, capture to the left and capture to the right: the pawns that are not pinned, or
/// pinned along that direction.
#[inline(always)]
pub(crate) fn pawns_by_way<S: Side>(
    placement: &Placement,
    pawns: u64,
    pinned: u64,
) -> (u64, u64, u64) {
    let held = pawns & pinned;
    if held == 0 {
        return (pawns, pawns, pawns);
    }
    let free = pawns ^ held;
    let [file, rising, falling] = attacks::axes(king::<S>(placement));
    let (left, right) = S::by_diagonal(rising, falling);
    (
        free | (held & file),
        free | (held & left),
        free | (held & right),
    )
}

fn castlings<S: Side>(placement: &Placement, rights: u64, safety: &Safety) -> u32 {
    let king = king::<S>(placement);
    if safety.attacked & king.bitboard().0 != 0 {
        return 0;
    }
    Bitboard(rights & S::BACK & !safety.pinned)
        .into_iter()
        .filter(|rook| super::may_castle::<S>(placement, king, *rook, safety.attacked))
        .count() as u32
}

fn en_passants<S: Side>(placement: &Placement, rights: u64) -> u32 {
    let Some(target) = Bitboard(rights & !Bitboard::BACK_RANKS.0).first() else {
        return 0;
    };
    let pawns = placement.pieces(Piece::Pawn) & placement.color(S::COLOR);
    (attacks::pawn_attacks(S::Opponent::COLOR, target) & Bitboard(pawns))
        .into_iter()
        .filter(|from| placement.en_passant_is_safe(S::COLOR, *from, target))
        .count() as u32
}
