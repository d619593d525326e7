//! How many legal moves there are, found without a loop over men.
//!
//! The sliders of one direction run together; their rays are disjoint, since each stops at the
//! next man, so the size of the set reached is the number of moves. The same holds for the
//! knights' leaps and the pawns' steps. Pins are sets too: a man on the ray of an enemy slider
//! and on the king's ray the other way is pinned, and takes part only along that axis.

use crate::board::men::Men;
use crate::lanes::{self, Half, Lanes};
use crate::side::Side;
use crate::{Bitboard, Piece, Square, attacks};

/// What the king's safety demands of the other men.
pub(crate) struct Safety {
    /// The squares that the enemy attacks, the king lifted out.
    pub(crate) attacked: u64,
    /// Where another man may go: anywhere, or to where it ends a check, or nowhere.
    pub(crate) answers: u64,
    /// The pinned men of each axis: file, rising diagonal, rank, falling diagonal.
    pub(crate) pins: Half,
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

    let enemy_sliders = lanes::sliders(men.straight() & enemy, men.diagonal() & enemy);
    let rays = lanes::fill(enemy_sliders, !(occupied ^ king));
    // In the lane of a direction, the king's ray against it.
    let sight = lanes::fill(lanes::splat(king), !occupied).opposite();
    let pins = rays.zip(sight, |ray, sight| ray & sight & own).axes();
    let lines = rays
        .zip(
            Lanes {
                up: lanes::splat(king),
                down: lanes::splat(king),
            },
            |ray, king| {
                if ray & king == 0 { !0 } else { 0 }
            },
        )
        .zip(sight, |free, sight| free | sight);

    let enemy_knights = men.pieces(Piece::Knight) & enemy;
    let enemy_pawns = men.pieces(Piece::Pawn) & enemy;
    let enemy_king = men.pieces(Piece::King) & enemy;
    let attacked = rays.zip(lanes::knights(enemy_knights), |a, b| a | b).any()
        | S::Opponent::left(enemy_pawns)
        | S::Opponent::right(enemy_pawns)
        | attacks::king_attacks(Square::wrapping(enemy_king.trailing_zeros() as u8)).0;

    let leapers = (attacks::knight_attacks(king_square).0 & enemy_knights)
        | (attacks::pawn_attacks(S::COLOR, king_square).0 & enemy_pawns);
    // Two checks have no square in common, so that nothing answers both.
    let leapers = if leapers == 0 { !0 } else { leapers };
    Safety {
        attacked,
        answers: lines.every() & leapers,
        pins,
        pinned: lanes::any(pins),
    }
}

/// How many legal moves `S` has, castling and en passant left out.
#[inline(always)]
fn count_plain<S: Side>(men: &Men, safety: &Safety) -> u32 {
    let occupied = men.occupied();
    let own = men.color(S::COLOR);
    let enemy = men.color(S::Opponent::COLOR);
    let targets = safety.answers & !own;
    let free = own & !safety.pinned;

    let king = Square::wrapping((men.pieces(Piece::King) & own).trailing_zeros() as u8);
    let steps = attacks::king_attacks(king).0 & !own & !safety.attacked;

    let sliders = lanes::sliders(men.straight(), men.diagonal());
    let movable = [
        sliders[0] & (free | safety.pins[0]),
        sliders[1] & (free | safety.pins[1]),
        sliders[2] & (free | safety.pins[2]),
        sliders[3] & (free | safety.pins[3]),
    ];
    let slides = lanes::fill(movable, !occupied).map(|set| set & targets);
    let leaps = lanes::knights(men.pieces(Piece::Knight) & free).map(|set| set & targets);

    let pawns = men.pieces(Piece::Pawn) & own;
    let (left_pins, right_pins) = S::by_diagonal(safety.pins[1], safety.pins[3]);
    let left = S::left(pawns & (free | left_pins)) & enemy & safety.answers;
    let right = S::right(pawns & (free | right_pins)) & enemy & safety.answers;
    let once = S::forward(pawns & (free | safety.pins[0])) & !occupied;
    let twice = S::forward(once & S::THIRD) & !occupied & safety.answers;
    let once = once & safety.answers;

    let mut count = steps.count_ones() + slides.count() + leaps.count();
    count += left.count_ones() + right.count_ones() + once.count_ones() + twice.count_ones();
    if (left | right | once) & S::LAST != 0 {
        count += 3
            * ((left & S::LAST).count_ones()
                + (right & S::LAST).count_ones()
                + (once & S::LAST).count_ones());
    }
    count
}

/// How many legal moves `S` has.
#[inline(always)]
pub(crate) fn count<S: Side>(men: &Men, rights: u64) -> u32 {
    let safety = safety::<S>(men);
    let mut count = count_plain::<S>(men, &safety);
    if rights & S::BACK != 0 {
        count += castlings::<S>(men, rights, &safety);
    }
    if rights & !Bitboard::BACK_RANKS.0 != 0 {
        count += en_passants::<S>(men, rights);
    }
    count
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
