//! The trait through which a search evaluates positions. It knows nothing of how.

use skewer_movegen::{Board, Move};
use skewer_types::Score;

/// A static evaluation that follows a search up and down its lines.
///
/// The search calls [`reset`](Self::reset) at the root, then [`push`](Self::push) and
/// [`pop`](Self::pop) as it makes and takes back moves. Null moves are not pushed: they change
/// no piece, and [`evaluate`](Self::evaluate) takes the side to move from the board.
///
/// ```
/// use skewer_eval::{Evaluator, HandCrafted};
/// use skewer_movegen::Board;
///
/// let mut eval = HandCrafted::default();
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
    /// Forgets everything and starts from `board`.
    fn reset(&mut self, board: &Board);

    /// Records that `mv` led from `before` to `after`. Costs a few stores: what changed is
    /// worked out only if the position is evaluated.
    fn push(&mut self, before: &Board, mv: Move, after: &Board);

    /// Takes back the last [`push`](Self::push). Without one it does nothing.
    fn pop(&mut self);

    /// The value of `board` for the side to move, which must be the position reached by the
    /// calls so far (or the same with the turn passed).
    fn evaluate(&mut self, board: &Board) -> Score;

    /// How much better the piece-square score of the side to move becomes by `mv`, in units of
    /// [`Score`]: the cheap guess that orders quiet moves (Kornilov, 2005). Captures and
    /// promotions count the moved piece only.
    fn quiet_delta(&self, board: &Board, mv: Move) -> i16;
}
