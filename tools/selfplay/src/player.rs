//! Our own engine as a player, in this process: one search thread, one small table.

use anyhow::Result;
use skewer_eval::Evaluator;
use skewer_movegen::Move;
use skewer_search::{Limits, Numbers, Position, Solo};
use skewer_tt::TableSize;
use skewer_types::{Depth, Score, Techniques};

/// What a player says to a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// The score for the side to move.
    pub score: Score,
    /// The depth reached, in plies.
    pub depth: Depth,
    /// Nodes searched.
    pub nodes: u64,
}

/// Our engine on one thread. After [`new_game`](Self::new_game) it plays the same moves as any other that is set
/// up alike, as long as its limits count nodes or plies and not time.
pub struct Player<E: Evaluator> {
    solo: Solo<E>,
}

impl<E: Evaluator> Player<E> {
    /// A player with a hash table of this many megabytes that searches with these techniques.
    ///
    /// # Errors
    ///
    /// When there is no memory for the table.
    pub fn new(evaluator: E, hash_mb: usize, techniques: Techniques) -> Result<Self> {
        Ok(Self {
            solo: Solo::new(evaluator, TableSize::from_megabytes(hash_mb))?
                .with_techniques(techniques),
        })
    }

    /// The same with these numbers. Without the feature `tune` they are constants, and this changes
    /// nothing.
    #[must_use]
    pub fn with_numbers(self, numbers: Numbers) -> Self {
        Self {
            solo: self.solo.with_numbers(numbers),
        }
    }

    /// Forgets everything learnt in the games before.
    pub fn new_game(&mut self) {
        self.solo.clear();
    }

    /// Chooses a move; `None` when there is none.
    pub fn choose(&mut self, position: &Position, limits: &Limits) -> Option<Choice> {
        let outcome = self.solo.search(position, limits);
        outcome.best.map(|mv| Choice {
            mv,
            score: outcome.score,
            depth: outcome.depth,
            nodes: outcome.nodes,
        })
    }
}
