//! The squares that a side attacks, which both the quiet history and the order of quiet moves use.

pub use skewer_movegen::attacks::Threats;
use skewer_movegen::{Board, Color, Piece};

/// Everything that `by` attacks on `board`, its own pieces included.
///
/// ```
/// use skewer_movegen::{Board, Color, Square};
/// let threats = skewer_ordering::attacked_by(&Board::STARTPOS, Color::White);
/// assert!(threats.pawns.contains(Square::E3) && !threats.all.contains(Square::E4));
/// ```
#[inline]
pub fn attacked_by(board: &Board, by: Color) -> Threats {
    let pieces = Piece::ALL.map(|piece| board.colored(by, piece));
    Threats::of(&pieces, by, board.occupied())
}
