//! The squares that a side attacks, which both the quiet history and the order of quiet moves use.

use skewer_movegen::attacks::{bishop_attacks, king_attacks, knight_attacks, rook_attacks};
use skewer_movegen::{Bitboard, Board, Color, File, Piece};

/// What one side attacks, by the strength of the attacker.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Threats {
    /// Squares attacked by pawns.
    pub pawns: Bitboard,
    /// Squares attacked by pawns, knights and bishops.
    pub minors: Bitboard,
    /// Squares attacked by pawns, knights, bishops and rooks.
    pub rooks: Bitboard,
    /// Squares attacked by anything.
    pub all: Bitboard,
}

/// The squares that `pawns` of one colour attack, all at once.
#[inline]
fn pawns_attack(pawns: Bitboard, by: Color) -> Bitboard {
    let left = pawns.0 & !File::A.bitboard().0;
    let right = pawns.0 & !File::H.bitboard().0;
    Bitboard(match by {
        Color::White => left << 7 | right << 9,
        Color::Black => left >> 9 | right >> 7,
    })
}

/// Everything that `by` attacks on `board`, its own pieces included.
///
/// ```
/// use skewer_movegen::{Board, Color, Square};
/// let threats = skewer_ordering::attacked_by(&Board::STARTPOS, Color::White);
/// assert!(threats.pawns.contains(Square::E3) && !threats.all.contains(Square::E4));
/// ```
#[inline]
pub fn attacked_by(board: &Board, by: Color) -> Threats {
    let occupied = board.occupied();
    let pawns = pawns_attack(board.colored(by, Piece::Pawn), by);
    let mut minors = pawns;
    for square in board.colored(by, Piece::Knight) {
        minors |= knight_attacks(square);
    }
    for square in board.colored(by, Piece::Bishop) {
        minors |= bishop_attacks(square, occupied);
    }
    let mut rooks = minors;
    for square in board.colored(by, Piece::Rook) {
        rooks |= rook_attacks(square, occupied);
    }
    let mut all = rooks | king_attacks(board.king(by));
    for square in board.colored(by, Piece::Queen) {
        all |= bishop_attacks(square, occupied) | rook_attacks(square, occupied);
    }
    Threats {
        pawns,
        minors,
        rooks,
        all,
    }
}
