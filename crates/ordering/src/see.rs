//! Static exchange evaluation: what a series of captures on one square is worth, when each side
//! always captures with its cheapest man and stops when it pleases.
//!
//! The threshold form answers only whether the exchange is worth at least so much, which is all a
//! search asks, and stops as soon as that is settled. Men of the side to move that are pinned to
//! their king take no part unless they capture along the pin.

use skewer_movegen::attacks::{bishop_attacks, line, rook_attacks};
use skewer_movegen::{Bitboard, Board, Move, MoveKind, Piece, Square};

use crate::params;

/// The value of a piece in exchanges, in hundredths of a pawn. A king counts nothing, since it is
/// never captured.
#[inline]
pub fn value(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => params::see_pawn(),
        Piece::Knight => params::see_knight(),
        Piece::Bishop => params::see_bishop(),
        Piece::Rook => params::see_rook(),
        Piece::Queen => params::see_queen(),
        Piece::King => 0,
    }
}

/// The value of what `mv` captures, and of what a pawn gains by its promotion.
#[inline]
pub fn gain(board: &Board, mv: Move) -> i32 {
    let captured = board.captured(mv).map_or(0, value);
    match mv.promotion() {
        Some(piece) => captured + value(piece) - value(Piece::Pawn),
        None => captured,
    }
}

/// Whether the exchange that `mv` begins is worth at least `threshold` hundredths of a pawn to
/// the side to move. `mv` must be legal.
///
/// ```
/// use skewer_movegen::Board;
/// use skewer_ordering::see;
///
/// // A rook takes a pawn that another pawn defends.
/// let board: Board = "4k3/2p5/3p4/8/8/8/3R4/4K3 w - - 0 1".parse().unwrap();
/// let takes = board.parse_uci("d2d6").unwrap();
/// assert!(!see::at_least(&board, takes, 0));
/// assert!(see::at_least(&board, takes, see::value(skewer_movegen::Piece::Pawn)
///     - see::value(skewer_movegen::Piece::Rook)));
/// ```
pub fn at_least(board: &Board, mv: Move, threshold: i32) -> bool {
    let mut on_square = board.moved(mv);
    let mut occupied = board.occupied();
    match mv.kind() {
        MoveKind::Castle => return threshold <= 0,
        MoveKind::Promotion(piece) => on_square = piece,
        MoveKind::EnPassant => {
            occupied ^= Square::new(mv.to().file(), mv.from().rank()).bitboard();
        }
        MoveKind::Normal => {}
    }

    // What is over the threshold so far, for the side that has just captured.
    let mut balance = gain(board, mv) - threshold;
    if balance < 0 {
        return false;
    }
    // Even if the capturing man is lost for nothing it was worth it.
    balance -= value(on_square);
    if balance >= 0 {
        return true;
    }

    let target = mv.to();
    let us = board.turn();
    occupied ^= mv.from().bitboard();
    occupied |= target.bitboard();
    let pinned = board.pinned();
    let pin_breakers = pinned & !line(board.king(us), target);
    let diagonal = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
    let straight = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    let mut attackers = board.attackers_to(target, occupied) & occupied;
    let mut side = !us;

    loop {
        let mut mine = attackers & board.color(side);
        if side == us {
            mine &= !pin_breakers;
        }
        let Some((piece, square)) = cheapest(board, mine) else {
            break;
        };
        if piece == Piece::King {
            // The king may capture last, and only where nothing defends.
            if (attackers & board.color(!side)).is_empty() {
                side = !side;
            }
            break;
        }
        occupied ^= square.bitboard();
        attackers &= occupied;
        if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen) {
            attackers |= bishop_attacks(target, occupied) & diagonal & occupied;
        }
        if matches!(piece, Piece::Rook | Piece::Queen) {
            attackers |= rook_attacks(target, occupied) & straight & occupied;
        }
        side = !side;
        balance = -balance - 1 - value(piece);
        if balance >= 0 {
            break;
        }
    }
    // The side that could not, or need not, capture any more is the one left with the loss.
    side != us
}

/// The cheapest of the men in `among`.
#[inline]
fn cheapest(board: &Board, among: Bitboard) -> Option<(Piece, Square)> {
    if among.is_empty() {
        return None;
    }
    Piece::ALL.into_iter().find_map(|piece| {
        (among & board.pieces(piece))
            .first()
            .map(|square| (piece, square))
    })
}
