//! An evaluation with a hook, for the tests.

use skewer_eval::{Evaluator, HandWritten};
use skewer_movegen::{Board, Move, Piece};
use skewer_types::Score;

/// The hand-written evaluation, which calls a function after each position.
pub(crate) struct Hooked<F> {
    inner: HandWritten,
    after: F,
}

impl<F: FnMut()> Hooked<F> {
    pub(crate) fn new(after: F) -> Self {
        Self {
            inner: HandWritten::default(),
            after,
        }
    }
}

impl<F: FnMut()> Evaluator for Hooked<F> {
    fn reset(&mut self, board: &Board) {
        self.inner.reset(board);
    }
    fn push(&mut self, before: &Board, mv: Move, after: &Board) {
        self.inner.push(before, mv, after);
    }
    fn pop(&mut self) {
        self.inner.pop();
    }
    fn evaluate(&mut self, board: &Board) -> Score {
        let score = self.inner.evaluate(board);
        (self.after)();
        score
    }
    fn quiet_delta(&self, board: &Board, piece: Piece, mv: Move) -> i16 {
        self.inner.quiet_delta(board, piece, mv)
    }
}
