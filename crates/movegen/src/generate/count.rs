//! How many legal moves there are, found without a loop over men.
//!
//! The sliders of one direction run together; their rays are disjoint, since each stops at the
//! next man, so the size of the set reached is the number of moves. The same holds for the
//! pawns' steps. Pins are sets too: a man on the ray of an enemy slider and on the king's ray the
//! other way is pinned, and takes part only along that axis.

use crate::board::men::Men;
use crate::lanes::{self, Lanes, Quad};
use crate::side::Side;
use crate::{Bitboard, Piece, Square, attacks};

/// What the king's safety demands of the other men.
pub(crate) struct Safety {
    /// The squares that the enemy attacks, the king lifted out.
    pub(crate) attacked: u64,
    /// Where another man may go: anywhere, or to where it ends a check, or nowhere.
    pub(crate) answers: u64,
    /// The pinned men of each axis: file, rising diagonal, rank, falling diagonal.
    pub(crate) pins: Quad,
    /// All the pinned men.
    pub(crate) pinned: u64,
}

/// Attacks, checks and pins of the position with `S` to move.
#[inline(always)]
pub(crate) fn safety<S: Side>(men: &Men) -> Safety {
    let occupied = men.occupied();
    let own = men.color(S::COLOR);
    let enemy = men.color(S::Opponent::COLOR);
    let king = men.pieces(Piece::King) & own;
    let king_square = Square::wrapping(king.trailing_zeros() as u8);

    let sliders = lanes::axes(men.straight() & enemy, men.diagonal() & enemy);
    let rays = Lanes::fill(sliders, !(occupied ^ king));
    let knights = men.pieces(Piece::Knight) & enemy;
    let pawns = men.pieces(Piece::Pawn) & enemy;
    let enemy_king = men.pieces(Piece::King) & enemy;
    let attacked = rays.any()
        | knight_map(knights)
        | S::Opponent::left(pawns)
        | S::Opponent::right(pawns)
        | attacks::king_attacks(Square::wrapping(enemy_king.trailing_zeros() as u8)).0;

    // A man is pinned where a ray meets the king's sight the other way.
    let sight = Lanes::sight(king_square, occupied);
    let pins = ((rays.up & sight.down) | (rays.down & sight.up)) & Quad::splat(own);

    let mut answers = !0;
    if attacked & king != 0 {
        let leapers = (attacks::knight_attacks(king_square).0 & knights)
            | (attacks::pawn_attacks(S::COLOR, king_square).0 & pawns);
        if leapers != 0 {
            answers = leapers;
        }
        // Two checks have no square in common, so that nothing answers both.
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

/// The squares that knights attack. Two are looked up; there are seldom more.
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

/// How many squares of `targets` the knights attack, each knight for itself.
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

/// How many legal moves `S` has.
#[inline(always)]
pub(crate) fn count<S: Side>(men: &Men, rights: u64) -> u32 {
    let safety = safety::<S>(men);
    let occupied = men.occupied();
    let own = men.color(S::COLOR);
    let enemy = men.color(S::Opponent::COLOR);
    let targets = safety.answers & !own;
    let free = own & !safety.pinned;

    let king = Square::wrapping((men.pieces(Piece::King) & own).trailing_zeros() as u8);
    let steps = attacks::king_attacks(king).0 & !own & !safety.attacked;

    let sliders = lanes::axes(men.straight(), men.diagonal());
    let movable = sliders & (Quad::splat(free) | safety.pins);
    let slides = Lanes::fill(movable, !occupied).count_in(targets);
    let leaps = knight_count(men.pieces(Piece::Knight) & free, targets);

    let pawns = men.pieces(Piece::Pawn) & own;
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
        count += castlings::<S>(men, rights, &safety);
    }
    if rights & !Bitboard::BACK_RANKS.0 != 0 {
        count += en_passants::<S>(men, rights);
    }
    count
}

/// The pawns that may go ahead, capture to the left, capture to the right: those that are not
/// pinned, or pinned along that way.
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

fn castlings<S: Side>(men: &Men, rights: u64, safety: &Safety) -> u32 {
    let own = men.color(S::COLOR);
    let king = Square::wrapping((men.pieces(Piece::King) & own).trailing_zeros() as u8);
    if safety.attacked & king.bitboard().0 != 0 {
        return 0;
    }
    Bitboard(rights & S::BACK & !safety.pinned)
        .into_iter()
        .filter(|rook| super::may_castle::<S>(men, king, *rook, safety.attacked))
        .count() as u32
}

fn en_passants<S: Side>(men: &Men, rights: u64) -> u32 {
    let Some(target) = Bitboard(rights & !Bitboard::BACK_RANKS.0).first() else {
        return 0;
    };
    let pawns = men.pieces(Piece::Pawn) & men.color(S::COLOR);
    (attacks::pawn_attacks(S::Opponent::COLOR, target) & Bitboard(pawns))
        .into_iter()
        .filter(|from| men.en_passant_is_safe(S::COLOR, *from, target))
        .count() as u32
}
