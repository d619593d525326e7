//! Attacks, checks and pins: what restricts the moves of the side to move.
//!
//! A board knows its checks and pins, and lists of moves use them. When moves are counted, and for boards that store
//! no checks and pins, checks and pins are found together with the moves of the sliders.

use crate::board::placement::Placement;
use crate::side::Side;
use crate::{Bitboard, Piece, Square, attacks};

/// What restricts the moves of the side to move.
pub(crate) struct Safety {
    /// The squares that the enemy attacks if the king is removed from the board.
    pub(crate) attacked: u64,
    /// The squares to which pieces other than the king may move: all squares; in check, the squares that end the
    /// check; in double check, none.
    pub(crate) check_mask: u64,
    /// The pinned pieces.
    pub(crate) pinned: u64,
}

/// The square of the king of `S`.
#[inline(always)]
pub(super) fn king<S: Side>(placement: &Placement) -> Square {
    let king = placement.pieces(Piece::King) & placement.color(S::COLOR);
    Square::wrapping(king.trailing_zeros() as u8)
}

/// The squares that the pieces of `S` attack, sliders aside.
#[inline(always)]
pub(super) fn attacked_by_others<S: Side>(placement: &Placement) -> u64 {
    let own = placement.color(S::COLOR);
    let pawns = placement.pieces(Piece::Pawn) & own;
    knight_map(placement.pieces(Piece::Knight) & own)
        | S::left(pawns)
        | S::right(pawns)
        | attacks::king_attacks(king::<S>(placement)).0
}

/// The squares that knights attack. Two are looked up without a branch; there are seldom more.
#[inline(always)]
fn knight_map(knights: u64) -> u64 {
    let others = knights & knights.wrapping_sub(1);
    let mut more = others & others.wrapping_sub(1);
    let mut map = attacks::lone_knight(knights) | attacks::lone_knight(others);
    while more != 0 {
        map |= attacks::lone_knight(more);
        more &= more - 1;
    }
    map
}

/// The squares that the pieces of `S` attack if `occupied` squares stop sliders.
#[inline(always)]
pub(super) fn attacked_by<S: Side>(placement: &Placement, occupied: u64) -> u64 {
    let own = placement.color(S::COLOR);
    let (straight, diagonal) = (placement.straight() & own, placement.diagonal() & own);
    #[cfg(target_arch = "x86_64")]
    let sliders = crate::lanes::attacks(straight, diagonal, occupied);
    #[cfg(not(target_arch = "x86_64"))]
    let sliders = Bitboard(straight | diagonal)
        .into_iter()
        .fold(0, |set, from| {
            set | slider_attacks(placement, from, occupied)
        });
    sliders | attacked_by_others::<S>(placement)
}

/// Where pieces other than the king may go, given the pieces that give check to the king on `king`, see
/// [`Safety::check_mask`].
#[inline(always)]
pub(super) fn check_mask(king: Square, checkers: u64) -> u64 {
    match Bitboard(checkers).first() {
        None => !0,
        Some(_) if checkers & checkers.wrapping_sub(1) != 0 => 0,
        Some(checker) => attacks::between(king, checker).0 | checkers,
    }
}

/// The check mask and the pinned pieces of `S`, by a loop over the enemy sliders in line with the king.
#[inline(always)]
pub(super) fn checks_and_pins<S: Side>(placement: &Placement) -> (u64, u64) {
    let (checkers, pinned) = placement.checkers_and_pinned(S::COLOR);
    (check_mask(king::<S>(placement), checkers), pinned)
}

/// The squares that the slider on `from` attacks.
#[inline(always)]
pub(super) fn slider_attacks(placement: &Placement, from: Square, occupied: u64) -> u64 {
    let mut to = 0;
    if Bitboard(placement.straight()).contains(from) {
        to |= attacks::rook_attacks(from, Bitboard(occupied)).0;
    }
    if Bitboard(placement.diagonal()).contains(from) {
        to |= attacks::bishop_attacks(from, Bitboard(occupied)).0;
    }
    to
}
