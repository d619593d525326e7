//! Workers whose evaluator is chosen when the program runs.

use skewer_eval::Evaluator;

use crate::{Context, Limits, Outcome, Position, Report, Worker};

/// A [`Worker`] whose evaluator is not known to the compiler here: one indirect call a search, and
/// none at its nodes.
pub trait AnyWorker: Send {
    /// See [`Worker::clear`].
    fn clear(&mut self);

    /// See [`Worker::search`].
    fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        context: &Context<'_>,
        report: &mut dyn FnMut(&Report),
    ) -> Outcome;
}

impl<E: Evaluator + Send> AnyWorker for Worker<E> {
    fn clear(&mut self) {
        Self::clear(self);
    }

    fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        context: &Context<'_>,
        report: &mut dyn FnMut(&Report),
    ) -> Outcome {
        Self::search(self, position, limits, context, report)
    }
}
