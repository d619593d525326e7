//! The squares a side attacks, which both the quiet history and the order of quiet moves ask for.

use skewer_movegen::attacks::{
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks,
};
use skewer_movegen::{Bitboard, Board, Color, Piece};

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

/// Everything that `by` attacks on `board`, its own pieces included.
///
/// ```
/// use skewer_movegen::{Board, Color, Square};
/// let threats = skewer_ordering::attacked_by(&Board::startpos(), Color::White);
/// assert!(threats.pawns.contains(Square::E3) && !threats.all.contains(Square::E4));
/// ```
#[inline]
pub fn attacked_by(board: &Board, by: Color) -> Threats {
    let occupied = board.occupied();
    let mut pawns = Bitboard::EMPTY;
    for square in board.colored(by, Piece::Pawn) {
        pawns |= pawn_attacks(by, square);
    }
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
