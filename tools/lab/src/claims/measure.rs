//! What several chapters measure in the same way.

use crate::algorithms::{Algorithm, solve};
use crate::chess::match_play::{Player, play};
use crate::chess::position::Position;
use crate::chess::recipe::Recipe;
use crate::chess::searcher::{Effort, Limits, Searcher, Thought};
use crate::game::Game;
use crate::laboratory::{Laboratory, Tally};
use crate::standing::Standing;

/// What a recipe thought of every position, and what it cost altogether.
pub(super) struct Run {
    pub(super) thoughts: Vec<Thought>,
    pub(super) effort: Effort,
}

impl Run {
    /// The mean of the last finished depths.
    pub(super) fn mean_depth(&self) -> f64 {
        let sum: i32 = self.thoughts.iter().map(|thought| thought.depth).sum();
        f64::from(sum) / self.thoughts.len() as f64
    }

    /// In how many of the positions the best move is the same.
    pub(super) fn agreement(&self, other: &Self) -> f64 {
        let pairs = self.thoughts.iter().zip(&other.thoughts);
        let same = pairs.filter(|(a, b)| a.best == b.best).count();
        same as f64 / self.thoughts.len() as f64
    }
}

fn run(positions: &[Position], mut think: impl FnMut(&Position) -> (Thought, Effort)) -> Run {
    let mut all = Run {
        thoughts: Vec::new(),
        effort: Effort::default(),
    };
    for position in positions {
        let (thought, effort) = think(position);
        all.thoughts.push(thought);
        all.effort += effort;
    }
    all
}

/// Thinks about every position by iterative deepening.
pub(super) fn think(recipe: Recipe, positions: &[Position], limits: Limits) -> Run {
    run(positions, |position| {
        let mut searcher = Searcher::new(recipe);
        (searcher.think(position, limits), searcher.effort)
    })
}

/// Searches every position to one depth, without the shallower ones.
pub(super) fn look(recipe: Recipe, positions: &[Position], depth: i32) -> Run {
    run(positions, |position| {
        let mut searcher = Searcher::new(recipe);
        (searcher.look(position, depth), searcher.effort)
    })
}

/// Plays `first` against `second`.
pub(super) fn duel(first: (Recipe, Limits), second: (Recipe, Limits), pairs: usize) -> Standing {
    let player = |(recipe, limits)| Player { recipe, limits };
    play([player(first), player(second)], pairs, 2005, || ())
}

/// What an algorithm did, with its own least memory.
pub(super) fn tally(algorithm: Algorithm, game: &impl Game, depth: u32) -> Tally {
    laboratory(algorithm, game, depth).tally
}

/// The laboratory after an algorithm has been there.
pub(super) fn laboratory(algorithm: Algorithm, game: &impl Game, depth: u32) -> Laboratory {
    let mut laboratory = algorithm.laboratory();
    solve(algorithm, game, depth, &mut laboratory);
    laboratory
}

/// `a / b` of two counts.
pub(super) fn ratio(a: u64, b: u64) -> f64 {
    a as f64 / b.max(1) as f64
}

/// A match as the reports tell it.
pub(super) fn told(standing: Standing) -> String {
    format!(
        "{} ({:+.0} Elo, {:.1}% sure to be better)",
        standing.summary(),
        standing.elo(),
        100.0 * standing.confidence()
    )
}
