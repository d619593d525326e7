//! A short search that says how good a position is: what "balanced" means here.

use skewer_eval::Evaluator;
use skewer_movegen::Board;
use skewer_search::{Context, Counters, Limits, Position, Signals, Worker};
use skewer_tt::{Table, TableError, TableSize};
use skewer_types::Score;

/// Judges positions by a short search on one thread.
pub struct Judge<E: Evaluator> {
    worker: Worker<E>,
    table: Table,
    signals: Signals,
    counters: Counters,
    limits: Limits,
}

impl<E: Evaluator> Judge<E> {
    /// A judge that looks at about `nodes` nodes of each position, and never at more than eight
    /// times as many.
    ///
    /// # Errors
    ///
    /// When there is no memory for its hash table (a megabyte).
    pub fn new(evaluator: E, nodes: u64) -> Result<Self, TableError> {
        Ok(Self {
            worker: Worker::new(0, evaluator),
            table: Table::new(TableSize::from_megabytes(1))?,
            signals: Signals::new(),
            counters: Counters::default(),
            limits: Limits {
                soft_nodes: Some(nodes),
                nodes: Some(nodes.saturating_mul(8)),
                ..Limits::default()
            },
        })
    }

    /// The score of a position for the side to move; `None` when it has no legal move. It depends
    /// on nothing but the position.
    pub fn score(&mut self, board: &Board) -> Option<Score> {
        self.worker.clear();
        self.table.clear();
        let context = Context::solo(&self.table, &self.signals, &self.counters);
        let outcome =
            self.worker
                .search(&Position::new(*board), &self.limits, &context, &mut |_| {});
        outcome.best.map(|_| outcome.score)
    }
}
