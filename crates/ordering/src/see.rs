//! Static exchange evaluation: what a series of captures on one square is worth, when each side
//! always captures with its cheapest piece and may stop at any time.
//!
//! The functions only decide whether an exchange is worth at least a threshold, and stop as soon as
//! that is known. Pieces of the side to move that are pinned to their king do not take part unless they
//! capture along the pin.

use skewer_movegen::attacks::{bishop_attacks, line, rook_attacks};
use skewer_movegen::{Bitboard, Board, Move, MoveKind, Piece, Square};

use crate::params;

/// The value of a piece in exchanges, in hundredths of a pawn. A king is worth 0, because it is
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
#[inline]
pub fn at_least(board: &Board, mv: Move, threshold: i32) -> bool {
    at_least_given(board, mv, threshold, Bitboard::FULL)
}

/// [`at_least`] with the squares that the opponent attacks, which saves time: a piece that moves from one
/// safe square to another cannot be captured. `attacked` may contain more squares than the opponent
/// attacks, but not fewer.
#[inline]
pub fn at_least_given(board: &Board, mv: Move, threshold: i32, attacked: Bitboard) -> bool {
    let on_square = match mv.kind() {
        MoveKind::Castle => return threshold <= 0,
        MoveKind::Promotion(piece) => piece,
        MoveKind::Normal | MoveKind::EnPassant => board.moved(mv),
    };
    // The gain so far less the threshold, for the side that has just captured.
    let balance = gain(board, mv) - threshold;
    if balance < 0 {
        return false;
    }
    // If the capturing piece is lost for nothing, is the exchange still worth the threshold?
    let balance = balance - value(on_square);
    if balance >= 0 {
        return true;
    }
    // The move can only open a line to its target through the square that it leaves, except en
    // passant, which also removes the captured pawn.
    if !attacked.contains(mv.to()) && !attacked.contains(mv.from()) && !mv.is_en_passant() {
        return true;
    }
    survives(board, mv, balance)
}

/// Continues the exchange after the first capture. `balance` is the gain less the threshold if the
/// capturing piece is lost; it is negative.
fn survives(board: &Board, mv: Move, mut balance: i32) -> bool {
    let (us, target) = (board.turn(), mv.to());
    let mut occupied = board.occupied() & !mv.from().bitboard() | target.bitboard();
    if mv.is_en_passant() {
        occupied ^= Square::new(target.file(), mv.from().rank()).bitboard();
    }
    let pin_breakers = if board.pinned().any() {
        board.pinned() & !line(board.king(us), target)
    } else {
        Bitboard::EMPTY
    };
    let diagonal = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
    let straight = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    let mut attackers = board.attackers_to(target, occupied) & occupied;
    let mut side = !us;

    loop {
        let mut mine = attackers & board.color(side);
        if side == us {
            mine &= !pin_breakers;
        }
        if mine.is_empty() {
            break;
        }
        side = !side;
        let piece = if let Some(square) = (mine & board.pieces(Piece::Pawn)).first() {
            occupied ^= square.bitboard();
            attackers |= bishop_attacks(target, occupied) & diagonal;
            Piece::Pawn
        } else if let Some(square) = (mine & board.pieces(Piece::Knight)).first() {
            occupied ^= square.bitboard();
            Piece::Knight
        } else if let Some(square) = (mine & board.pieces(Piece::Bishop)).first() {
            occupied ^= square.bitboard();
            attackers |= bishop_attacks(target, occupied) & diagonal;
            Piece::Bishop
        } else if let Some(square) = (mine & board.pieces(Piece::Rook)).first() {
            occupied ^= square.bitboard();
            attackers |= rook_attacks(target, occupied) & straight;
            Piece::Rook
        } else if let Some(square) = (mine & board.pieces(Piece::Queen)).first() {
            occupied ^= square.bitboard();
            attackers |= bishop_attacks(target, occupied) & diagonal
                | rook_attacks(target, occupied) & straight;
            Piece::Queen
        } else {
            // Only the king is left: it may capture if no piece defends.
            if (attackers & board.color(side)).any() {
                side = !side;
            }
            break;
        };
        attackers &= occupied;
        balance = -balance - 1 - value(piece);
        if balance >= 0 {
            break;
        }
    }
    // `side` is to move and cannot capture, or has lost too much to go on: it has lost the exchange.
    side != us
}
