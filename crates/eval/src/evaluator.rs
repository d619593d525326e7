//! The trait through which a search evaluates positions, whatever the evaluation.

use skewer_movegen::{Board, Move, Piece};
use skewer_types::Score;

/// A static evaluation that follows a search up and down its lines.
///
/// Only [`evaluate`](Self::evaluate) must be written. The other methods do nothing by default; they are for evaluations
/// that keep sums from position to position, or that help to order moves.
///
/// The search calls [`reset`](Self::reset) at the root, then [`push`](Self::push) and
/// [`pop`](Self::pop) as it makes and takes back moves. Null moves are not pushed: they change
/// no piece, and [`evaluate`](Self::evaluate) takes the side to move from the board.
///
/// ```
/// use skewer_eval::{Evaluator, HandWritten};
/// use skewer_movegen::Board;
///
/// let mut eval = HandWritten::default();
/// let before = Board::STARTPOS;
/// eval.reset(&before);
/// let level = eval.evaluate(&before);
///
/// let mv = before.legal_moves()[0];
/// let after = before.play(mv);
/// eval.push(&before, mv, &after);
/// let _black_sees = eval.evaluate(&after);
/// eval.pop();
/// assert_eq!(eval.evaluate(&before), level);
/// ```
pub trait Evaluator {
    /// Forgets everything and starts from a position.
    fn reset(&mut self, _board: &Board) {}

    /// Records that a move led from one position to the next. It should be cheap: many positions are never evaluated.
    fn push(&mut self, _before: &Board, _mv: Move, _after: &Board) {}

    /// Takes back the last [`push`](Self::push). Without one it does nothing.
    fn pop(&mut self) {}

    /// The value of `board` for the side to move. `board` must be the position that the calls of the other methods
    /// have reached (or this position after a null move).
    fn evaluate(&mut self, board: &Board) -> Score;

    /// The change of the piece-square score of the side to move by a quiet move of a piece, in units of [`Score`]: a
    /// cheap estimate to order quiet moves (Kornilov, 2005).
    fn quiet_delta(&self, _board: &Board, _piece: Piece, _mv: Move) -> i16 {
        0
    }
}
