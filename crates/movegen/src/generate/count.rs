//! Counting the legal moves without a loop over pieces.
//!
//! All sliders of one direction are filled together. Their rays are disjoint, because each stops at
//! the next piece, so the size of the set reached is the number of moves; the same holds for pawn
//! moves of one direction. A piece on a ray of an enemy slider and on the king's opposite ray is
//! pinned, and moves only along that axis.

use crate::board::placement::Placement;
use crate::lanes::{self, Lanes, Quad};
use crate::side::Side;
use crate::{Bitboard, Piece, Square, attacks};

/// Attacks, checks and pins: what restricts the moves of the side to move.
pub(crate) struct Safety {
    /// The squares that the enemy attacks if the king is removed from the board.
    pub(crate) attacked: u64,
    /// Where pieces other than the king may go: anywhere; in check, to where they end it; in double
    /// check, nowhere.
    pub(crate) answers: u64,
    /// The pinned pieces of each axis: file, rising diagonal, rank, falling diagonal.
    pub(crate) pins: Quad,
    /// All the pinned pieces.
    pub(crate) pinned: u64,
}

/// Attacks, checks and pins of the position with `S` to move.
#[inline(always)]
pub(crate) fn safety<S: Side>(placement: &Placement) -> Safety {
    let occupied = placement.occupied();
    let own = placement.color(S::COLOR);
    let enemy = placement.color(S::Opponent::COLOR);
    let king = placement.pieces(Piece::King) & own;
    let king_square = Square::wrapping(king.trailing_zeros() as u8);

    let sliders = lanes::axes(placement.straight() & enemy, placement.diagonal() & enemy);
    let rays = Lanes::fill(sliders, !(occupied ^ king));
    let knights = placement.pieces(Piece::Knight) & enemy;
    let pawns = placement.pieces(Piece::Pawn) & enemy;
    let enemy_king = placement.pieces(Piece::King) & enemy;
    let attacked = rays.any()
        | knight_map(knights)
        | S::Opponent::left(pawns)
        | S::Opponent::right(pawns)
        | attacks::king_attacks(Square::wrapping(enemy_king.trailing_zeros() as u8)).0;

    // A pinned piece is on an enemy ray and on the king's opposite ray.
    let sight = Lanes::sight(king_square, occupied);
    let pins = ((rays.up & sight.down) | (rays.down & sight.up)) & Quad::splat(own);

    let mut answers = !0;
    if attacked & king != 0 {
        let leapers = (attacks::knight_attacks(king_square).0 & knights)
            | (attacks::pawn_attacks(S::COLOR, king_square).0 & pawns);
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
    Safety {
        attacked,
        answers,
        pins,
        pinned: pins.any(),
    }
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

/// The number of moves of the knights to `targets`.
#[inline(always)]
fn knight_count(knights: u64, targets: u64) -> u32 {
    let others = knights & knights.wrapping_sub(1);
    let mut more = others & others.wrapping_sub(1);
    let mut count = (attacks::lone_knight(knights) & targets).count_ones()
        + (attacks::lone_knight(others) & targets).count_ones();
    while more != 0 {
        count += (attacks::lone_knight(more) & targets).count_ones();
        more &= more - 1;
    }
    count
}

/// The number of legal moves of `S`.
#[inline(always)]
pub(crate) fn count<S: Side>(placement: &Placement, rights: u64) -> u32 {
    let safety = safety::<S>(placement);
    let occupied = placement.occupied();
    let own = placement.color(S::COLOR);
    let enemy = placement.color(S::Opponent::COLOR);
    let targets = safety.answers & !own;
    let free = own & !safety.pinned;

    let king = Square::wrapping((placement.pieces(Piece::King) & own).trailing_zeros() as u8);
    let steps = attacks::king_attacks(king).0 & !own & !safety.attacked;

    let sliders = lanes::axes(placement.straight(), placement.diagonal());
    let movable = sliders & (Quad::splat(free) | safety.pins);
    let slides = Lanes::fill(movable, !occupied).count_in(targets);
    let leaps = knight_count(placement.pieces(Piece::Knight) & free, targets);

    let pawns = placement.pieces(Piece::Pawn) & own;
    let (straight, left, right) = pawns_by_way::<S>(pawns, &safety);
    let left = S::left(left) & enemy & safety.answers;
    let right = S::right(right) & enemy & safety.answers;
    let once = S::forward(straight) & !occupied;
    let twice = S::forward(once & S::THIRD) & !occupied & safety.answers;
    let once = once & safety.answers;

    let mut count = steps.count_ones() + slides + leaps;
    count += left.count_ones() + right.count_ones() + once.count_ones() + twice.count_ones();
    if (left | right | once) & S::LAST != 0 {
        count += 3
            * ((left & S::LAST).count_ones()
                + (right & S::LAST).count_ones()
                + (once & S::LAST).count_ones());
    }
    if rights & S::BACK != 0 {
        count += castlings::<S>(placement, rights, &safety);
    }
    if rights & !Bitboard::BACK_RANKS.0 != 0 {
        count += en_passants::<S>(placement, rights);
    }
    count
}

/// The pawns that may move forward, capture to the left and capture to the right: those not pinned,
/// or pinned along that direction.
#[inline(always)]
pub(crate) fn pawns_by_way<S: Side>(pawns: u64, safety: &Safety) -> (u64, u64, u64) {
    let held = pawns & safety.pinned;
    if held == 0 {
        return (pawns, pawns, pawns);
    }
    let free = pawns ^ held;
    let [file, rising, _, falling] = safety.pins.lanes();
    let (left, right) = S::by_diagonal(rising, falling);
    (
        free | (held & file),
        free | (held & left),
        free | (held & right),
    )
}

fn castlings<S: Side>(placement: &Placement, rights: u64, safety: &Safety) -> u32 {
    let own = placement.color(S::COLOR);
    let king = Square::wrapping((placement.pieces(Piece::King) & own).trailing_zeros() as u8);
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
