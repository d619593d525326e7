//! Scores positions by a short search, to find balanced ones.

use skewer_movegen::Board;
use skewer_tt::{TableError, TableSize};
use skewer_types::Score;

use crate::{Limits, Position, Solo, WorkerFactory};

/// Judges positions by a short search on one thread.
pub struct Judge {
    solo: Solo,
    limits: Limits,
}

impl Judge {
    /// A judge that searches about `nodes` nodes for each position, and at most eight times as many.
    ///
    /// # Errors
    ///
    /// If there is no memory for its hash table (a megabyte).
    pub fn new(evaluation: impl Into<WorkerFactory>, nodes: u64) -> Result<Self, TableError> {
        Ok(Self {
            solo: Solo::new(evaluation, TableSize::from_megabytes(1))?,
            limits: Limits::soft_nodes(nodes),
        })
    }

    /// The score of a position for the side to move; `None` if it has no legal move. The score does not
    /// depend on earlier positions.
    pub fn score(&mut self, board: &Board) -> Option<Score> {
        self.solo.clear();
        let outcome = self.solo.search(&Position::new(*board), &self.limits);
        outcome.best.map(|_| outcome.score)
    }
}
