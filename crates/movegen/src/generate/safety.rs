//! Attacks, checks and pins: what restricts the moves of the side to move.
//!
//! A board knows its checks and pins, and lists of moves use them. To count moves, and for boards that
//! keep neither, they are computed here: with AVX2 by direction in vectors; without it, and with few
//! sliders, by a loop over the enemy sliders that are in line with the king.

use crate::Bitboard;
use crate::board::placement::Placement;
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
use crate::lanes::quads::{Lanes, Quad, axes};
use crate::side::Side;
use crate::{Piece, Square, attacks};

/// What restricts the moves of the side to move.
pub(crate) struct Safety {
    /// The squares that the enemy attacks if the king is removed from the board.
    pub(crate) attacked: u64,
    /// Where pieces other than the king may go: anywhere; in check, to where they end it; in double
    /// check, nowhere.
    pub(crate) answers: u64,
    /// The pinned pieces.
    pub(crate) pinned: u64,
}

/// The squares that the pieces of `S` attack, sliders aside.
#[inline(always)]
fn attacked_by_others<S: Side>(placement: &Placement) -> u64 {
    let own = placement.color(S::COLOR);
    let pawns = placement.pieces(Piece::Pawn) & own;
    let king = placement.pieces(Piece::King) & own;
    knight_map(placement.pieces(Piece::Knight) & own)
        | S::left(pawns)
        | S::right(pawns)
        | attacks::king_attacks(Square::wrapping(king.trailing_zeros() as u8)).0
}

/// The squares that knights attack. Two are looked up without a branch; there are seldom more.
#[inline(always)]
pub(super) fn knight_map(knights: u64) -> u64 {
    let others = knights & knights.wrapping_sub(1);
    let mut more = others & others.wrapping_sub(1);
    let mut map = attacks::lone_knight(knights) | attacks::lone_knight(others);
    while more != 0 {
        map |= attacks::lone_knight(more);
        more &= more - 1;
    }
    map
}

/// The squares that the enemy of `S` attacks if the king of `S` is removed from the board.
#[inline(always)]
pub(super) fn attacked<S: Side>(placement: &Placement) -> u64 {
    let enemy = placement.color(S::Opponent::COLOR);
    let king = placement.pieces(Piece::King) & placement.color(S::COLOR);
    let sliders = crate::lanes::attacks(
        placement.straight() & enemy,
        placement.diagonal() & enemy,
        placement.occupied() ^ king,
    );
    sliders | attacked_by_others::<S::Opponent>(placement)
}

/// Where pieces other than the king may go, given the pieces that give check to the king on `king`, see
/// [`Safety::answers`].
#[inline(always)]
pub(super) fn answers(king: Square, checkers: u64) -> u64 {
    match Bitboard(checkers).first() {
        None => !0,
        Some(_) if checkers & checkers.wrapping_sub(1) != 0 => 0,
        Some(checker) => attacks::between(king, checker).0 | checkers,
    }
}

/// Attacks, checks and pins of the position with `S` to move.
#[inline(always)]
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(crate) fn safety<S: Side>(placement: &Placement) -> Safety {
    survey::<S>(placement).0
}

/// As [`safety`], and the pinned pieces of each axis: file, rising diagonal, rank, falling diagonal.
#[inline(always)]
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
fn survey<S: Side>(placement: &Placement) -> (Safety, Quad) {
    let occupied = placement.occupied();
    let own = placement.color(S::COLOR);
    let enemy = placement.color(S::Opponent::COLOR);
    let king = placement.pieces(Piece::King) & own;
    let king_square = Square::wrapping(king.trailing_zeros() as u8);

    let sliders = axes(placement.straight() & enemy, placement.diagonal() & enemy);
    let rays = Lanes::fill(sliders, !(occupied ^ king));
    let attacked = rays.any() | attacked_by_others::<S::Opponent>(placement);

    // A pinned piece is on an enemy ray and on the king's opposite ray.
    let sight = Lanes::sight(king_square, occupied);
    let pins = ((rays.up & sight.down) | (rays.down & sight.up)) & Quad::splat(own);

    let mut answers = !0;
    if attacked & king != 0 {
        let leapers =
            (attacks::knight_attacks(king_square).0 & placement.pieces(Piece::Knight) & enemy)
                | (attacks::pawn_attacks(S::COLOR, king_square).0
                    & placement.pieces(Piece::Pawn)
                    & enemy);
        if leapers != 0 {
            // Two leapers give check in set-up positions only; no move but the king's answers.
            let is_double = leapers & (leapers - 1) != 0;
            answers = if is_double { 0 } else { leapers };
        }
        // If a slider gives check too, the two sets are disjoint, so the intersection is empty.
        let king = Quad::splat(king);
        let up = (rays.up & king).is_empty() | sight.down;
        let down = (rays.down & king).is_empty() | sight.up;
        answers &= (up & down).every();
    }
    let safety = Safety {
        attacked,
        answers,
        pinned: pins.any(),
    };
    (safety, pins)
}

/// [`safety`], and the number of moves of sliders together with the number of squares in `others`,
/// which is called with the safety.
#[inline(always)]
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(super) fn safety_and_count<S: Side>(
    placement: &Placement,
    others: impl FnOnce(&Safety) -> [u64; 6],
) -> (Safety, u32) {
    let own = placement.color(S::COLOR);
    let (safety, pins) = survey::<S>(placement);
    let sliders = axes(placement.straight(), placement.diagonal());
    let movable = sliders & (Quad::splat(own & !safety.pinned) | pins);
    let targets = safety.answers & !own;
    let slides = Lanes::fill(movable, !placement.occupied()).count_in(targets);
    // No iterator: without link-time optimisation it would stay a loop.
    let [a, b, c, d, e, f] = others(&safety);
    let others = (a.count_ones() + b.count_ones() + c.count_ones())
        + (d.count_ones() + e.count_ones() + f.count_ones());
    (safety, slides + others)
}

/// Attacks, checks and pins of the position with `S` to move.
#[inline(always)]
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(crate) fn safety<S: Side>(placement: &Placement) -> Safety {
    let (answers, pinned) = answers_and_pinned::<S>(placement);
    Safety {
        attacked: attacked::<S>(placement),
        answers,
        pinned,
    }
}

/// See the fields of [`Safety`].
#[inline(always)]
fn answers_and_pinned<S: Side>(placement: &Placement) -> (u64, u64) {
    let (checkers, pinned) = placement.checkers_and_pinned(S::COLOR);
    let king = placement.pieces(Piece::King) & placement.color(S::COLOR);
    let king = Square::wrapping(king.trailing_zeros() as u8);
    (answers(king, checkers), pinned)
}

/// [`safety`], and the number of moves of sliders together with the number of squares in `others`,
/// which is called with the safety.
#[inline(always)]
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(super) fn safety_and_count<S: Side>(
    placement: &Placement,
    others: impl FnOnce(&Safety) -> [u64; 6],
) -> (Safety, u32) {
    use crate::lanes::pairs::{Pair, fill};

    let occupied = placement.occupied();
    let own = placement.color(S::COLOR);
    let enemy = placement.color(S::Opponent::COLOR);
    let king = placement.pieces(Piece::King) & own;
    let (answers, pinned) = answers_and_pinned::<S>(placement);
    let (straight, diagonal) = (placement.straight(), placement.diagonal());
    let free = own & !pinned;
    let rays = fill(
        [straight & free, straight & enemy],
        [diagonal & free, diagonal & enemy],
        [!occupied, !(occupied ^ king)],
    );
    let safety = Safety {
        attacked: rays.any()[1] | attacked_by_others::<S::Opponent>(placement),
        answers,
        pinned,
    };
    let targets = answers & !own;
    let [a, b, c, d, e, f] = others(&safety);
    let others = [Pair::new([a, b]), Pair::new([c, d]), Pair::new([e, f])];
    let mut count = rays.count_with(targets, others);
    // Pinned sliders are rare: one by one.
    let king = Square::wrapping(king.trailing_zeros() as u8);
    for from in Bitboard(pinned & (straight | diagonal)) {
        let to = slider_attacks(placement, from, occupied) & attacks::line(king, from).0;
        count += (to & targets).count_ones();
    }
    (safety, count)
}

/// As `safety_and_count`, with a loop over the sliders: faster if there are at most two.
#[inline(always)]
pub(super) fn safety_and_count_one_by_one<S: Side>(
    placement: &Placement,
    others: impl FnOnce(&Safety) -> [u64; 6],
) -> (Safety, u32) {
    let occupied = placement.occupied();
    let own = placement.color(S::COLOR);
    let king = placement.pieces(Piece::King) & own;
    let sliders = placement.straight() | placement.diagonal();
    let (answers, pinned) = answers_and_pinned::<S>(placement);
    let mut attacked = attacked_by_others::<S::Opponent>(placement);
    for from in Bitboard(sliders & !own) {
        attacked |= slider_attacks(placement, from, occupied ^ king);
    }
    let safety = Safety {
        attacked,
        answers,
        pinned,
    };
    let [a, b, c, d, e, f] = others(&safety);
    let mut count = (a.count_ones() + b.count_ones() + c.count_ones())
        + (d.count_ones() + e.count_ones() + f.count_ones());
    let targets = answers & !own;
    let king = Square::wrapping(king.trailing_zeros() as u8);
    for from in Bitboard(sliders & own) {
        let mut to = slider_attacks(placement, from, occupied) & targets;
        if Bitboard(pinned).contains(from) {
            to &= attacks::line(king, from).0;
        }
        count += to.count_ones();
    }
    (safety, count)
}

/// The squares that the slider on `from` attacks.
#[inline(always)]
fn slider_attacks(placement: &Placement, from: Square, occupied: u64) -> u64 {
    let mut to = 0;
    if Bitboard(placement.straight()).contains(from) {
        to |= attacks::rook_attacks(from, Bitboard(occupied)).0;
    }
    if Bitboard(placement.diagonal()).contains(from) {
        to |= attacks::bishop_attacks(from, Bitboard(occupied)).0;
    }
    to
}
