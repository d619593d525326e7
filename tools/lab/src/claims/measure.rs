//! Measurements that several chapters share.

use skewer_games::stats::Pairs;

use super::same::{Differ, SameSearch, Visited, differ, in_words as sides, of_cases};
use crate::algorithms::{Algorithm, solve};
use crate::chess::config::Config;
use crate::chess::match_play::{Played, Player, play};
use crate::chess::position::Position;
use crate::chess::searcher::{Effort, Limits, Searcher, Thought};
use crate::figure::{Figure, Unit};
use crate::game::{Game, Tally, Value};
use crate::laboratory::Laboratory;
use crate::report::Claim;

/// The results of searching positions by one configuration, and what each search cost.
pub(super) struct Run {
    config: Config,
    pub(super) thoughts: Vec<Thought>,
    pub(super) efforts: Vec<Effort>,
}

impl Run {
    /// The mean of the last finished depths.
    pub(super) fn mean_depth(&self) -> f64 {
        let sum: i32 = self.thoughts.iter().map(|thought| thought.depth).sum();
        f64::from(sum) / self.thoughts.len() as f64
    }

    /// In how many of the positions this run visited different nodes from `other`.
    pub(super) fn differ(&self, other: &Self) -> Result<Differ, SameSearch> {
        differ(
            || sides(&self.config, &other.config),
            "positions",
            self.visited(other),
        )
    }

    /// By how many plies this run finished deeper than the other, on average over the positions.
    pub(super) fn deeper_than(&self, other: &Self) -> Result<Figure, SameSearch> {
        self.differ(other)?;
        let pairs = self.thoughts.iter().zip(&other.thoughts);
        let gains: Vec<f64> = pairs.map(|(a, b)| f64::from(a.depth - b.depth)).collect();
        Ok(Figure::mean(&gains).in_unit(Unit::Plies))
    }

    /// In how many of the positions the best move is the same.
    pub(super) fn same_moves(&self, other: &Self) -> Result<usize, SameSearch> {
        self.differ(other)?;
        let pairs = self.thoughts.iter().zip(&other.thoughts);
        Ok(pairs.filter(|(a, b)| a.best == b.best).count())
    }

    /// How many times as much this run cost as the other, position by position.
    pub(super) fn costs_against(
        &self,
        other: &Self,
        cost: fn(&Effort) -> u64,
    ) -> Result<Vec<f64>, SameSearch> {
        self.differ(other)?;
        let pairs = self.efforts.iter().zip(&other.efforts);
        Ok(pairs.map(|(a, b)| ratio(cost(a), cost(b))).collect())
    }

    /// How many times as many positions this run looked at as the other.
    pub(super) fn nodes_against(&self, other: &Self) -> Result<Figure, SameSearch> {
        Ok(Figure::ratio(&self.costs_against(other, Effort::total)?))
    }

    /// As [`differ`](Self::differ), but 0 positions are an answer and not an error.
    pub(super) fn different_trees(&self, other: &Self) -> usize {
        self.visited(other).filter(|(a, b)| a != b).count()
    }

    /// The nodes that this run and the other visited, position by position.
    fn visited(&self, other: &Self) -> impl Iterator<Item = (Visited, Visited)> {
        let pairs = self.efforts.iter().zip(&other.efforts);
        pairs.map(move |(a, b)| (visited(a), visited(b)))
    }
}

fn run(
    config: Config,
    positions: &[Position],
    think: impl Fn(&Position) -> (Thought, Effort),
) -> Run {
    let (thoughts, efforts) = positions.iter().map(think).unzip();
    Run {
        config,
        thoughts,
        efforts,
    }
}

/// Searches every position by iterative deepening.
pub(super) fn think(config: Config, positions: &[Position], limits: Limits) -> Run {
    run(config, positions, |position| {
        let mut searcher = Searcher::new(config);
        (searcher.think(position, limits), searcher.effort)
    })
}

/// Searches every position to one depth, without shallower iterations.
pub(super) fn search_to_depth(config: Config, positions: &[Position], depth: i32) -> Run {
    run(config, positions, |position| {
        let mut searcher = Searcher::new(config);
        (searcher.search_to_depth(position, depth), searcher.effort)
    })
}

/// The value of a position by a search of the ordered moves to one depth.
pub(super) fn value(position: &Position, depth: i32) -> Value {
    let mut searcher = Searcher::new(Config::ORDERED);
    searcher.search_to_depth(position, depth).value
}

/// What a match showed, and in how many of its pairs the players searched differently.
pub(super) struct Duel {
    pub(super) results: Pairs,
    pub(super) differ: Differ,
}

impl Duel {
    /// Refuses a match of a player against itself.
    pub(super) fn of(played: &Played, sides: impl FnOnce() -> String) -> Result<Self, SameSearch> {
        let Played { results, repeated } = *played;
        let pairs = results.pairs() as usize;
        let differ = of_cases(sides, "pairs of games", pairs - repeated, pairs)?;
        Ok(Self { results, differ })
    }
}

/// The nodes that a search visited.
pub(super) fn visited(effort: &Effort) -> Visited {
    [effort.nodes, effort.horizons, effort.quiescence]
}

/// Plays `first` against `second`. In a pair of games whose players are one search, the second game repeats the
/// first, with as many nodes for each move.
pub(super) fn duel(first: Player, second: Player, pairs: usize) -> Result<Duel, SameSearch> {
    Duel::of(&play([first, second], pairs, 2005), || {
        sides(&first.0, &second.0)
    })
}

/// The counts of an algorithm that runs with no more memory than it needs.
pub(super) fn tally(algorithm: Algorithm, game: &impl Game, depth: u32) -> Tally {
    laboratory(algorithm, game, depth).tally
}

/// In how many of the trees or positions two algorithms, or two forms of one, visited different numbers of nodes.
pub(super) fn tallies_differ<'a>(
    sides: &str,
    of: &'static str,
    tallies: impl IntoIterator<Item = (&'a Tally, &'a Tally)>,
) -> Result<Differ, SameSearch> {
    let visited = |tally: &Tally| [tally.interior, tally.leaves, tally.quiescence];
    let pairs = tallies.into_iter().map(|(a, b)| (visited(a), visited(b)));
    differ(|| sides.to_owned(), of, pairs)
}

/// Runs an algorithm and returns its laboratory, with counts and memory.
pub(super) fn laboratory(algorithm: Algorithm, game: &impl Game, depth: u32) -> Laboratory {
    let mut laboratory = algorithm.laboratory();
    solve(algorithm, game, depth, &mut laboratory);
    laboratory
}

/// The mean of shares by cluster (a position, say). A share is a count and the whole that it is a part of; clusters
/// whose whole is 0 are left out. If all shares are 0, or all 1, the interval is the same as for as many single cases.
pub(super) fn mean_share(shares: impl IntoIterator<Item = (usize, usize)>) -> Figure {
    let counts: Vec<_> = shares.into_iter().filter(|(_, all)| *all > 0).collect();
    if counts.iter().all(|(count, _)| *count == 0) {
        return Figure::share(0, counts.len());
    }
    if counts.iter().all(|(count, all)| count == all) {
        return Figure::share(counts.len(), counts.len());
    }
    let share = |(count, all): (usize, usize)| count as f64 / all as f64;
    let shares: Vec<f64> = counts.into_iter().map(share).collect();
    let mean = Figure::mean(&shares).in_unit(Unit::Share);
    Figure {
        low: mean.low.max(0.0),
        high: mean.high.min(1.0),
        ..mean
    }
}

/// `a / b` of two counts. Zero counts as one, so that the logarithm of the ratio exists.
pub(super) fn ratio(a: u64, b: u64) -> f64 {
    a.max(1) as f64 / b.max(1) as f64
}

/// The result of a match as text: Elo, games, and the number of pairs by points.
pub(super) fn in_words(pairs: &Pairs) -> String {
    format!(
        "{:+.0} Elo in {} games (pairs {:?})",
        Figure::elo(pairs).value,
        pairs.games(),
        pairs.counts()
    )
}

impl Claim {
    /// Sets the Elo of a match as the figure; `what` says what was played.
    pub(super) fn measure_games(self, duel: &Duel, what: &str) -> Self {
        let Duel { results, differ } = duel;
        let measured = format!("{what}: {}", in_words(results));
        self.measure(Figure::elo(results), *differ, measured)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_by_cluster_have_an_interval_even_if_all_are_alike() {
        let all = mean_share([(3, 3), (5, 5), (0, 0), (1, 1)]);
        assert!(all.low < 0.5, "three positions say little: {all}");
        assert_eq!(mean_share([(0, 4), (0, 2)]), Figure::share(0, 2));
        assert_eq!(mean_share([(4, 4), (2, 2)]), Figure::share(2, 2));
        let some = mean_share([(1, 2), (1, 4), (3, 4)]);
        assert_eq!(some.to_string(), "0.50 (0 .. 1)");
        assert!(mean_share([(0, 0)]).value.is_nan(), "nothing is measured");
    }
}
