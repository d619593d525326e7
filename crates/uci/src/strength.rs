//! Playing below full strength: a search of fewer nodes, and a choice among several moves.
//!
//! A level has a step of strength, which sets the nodes, the number of moves and the tolerance of the choice. Moves that
//! lose much less than the tolerance are about equally likely, and moves that lose much more are hardly ever played, so
//! that a low level plays many weak moves and not one blunder among perfect moves. [`scale`] has the measured Elo of
//! the steps.

mod scale;

use skewer_search::{Limits, Report};
use skewer_types::{Bound, Rng};

use scale::SCALE;

/// The lowest level.
pub(crate) const MIN_ELO: u32 = SCALE[0].0;

/// The highest level.
pub(crate) const MAX_ELO: u32 = SCALE[SCALE.len() - 1].0;

/// The nodes of step 0.
const LEAST_NODES: f64 = 40.0;

/// The factor of the nodes from each step to the next.
const NODES_PER_STEP: f64 = 1.5;

/// The tolerance of step 0, in internal units of score.
const TOLERANCE: f64 = 140.0;

/// The factor of the tolerance from each step to the next.
const TOLERANCE_PER_STEP: f64 = 0.86;

/// How many moves most levels choose from.
const LINES: f64 = 6.0;

/// How many more moves each step below 0 chooses from.
const MORE_LINES: f64 = 3.0;

/// From the first of these steps on, the number of moves to choose from falls by one every two steps; from the second
/// on, it falls by one every step. Strong levels would be slow otherwise, because the search for each further move
/// takes as long as the search for the first.
const FEWER_LINES: [f64; 2] = [18.0, 20.0];

/// The limit of a move's loss, in internal units, so that a level that may lose a queen may also miss a
/// mate.
const GREATEST_LOSS: i32 = 800;

/// The step of strength of an Elo number, interpolated between the rows of the scale.
fn step_of(elo: u32) -> f64 {
    let elo = elo.clamp(MIN_ELO, MAX_ELO);
    let above = SCALE.partition_point(|row| row.0 < elo);
    let (high, high_step) = SCALE[above];
    let (low, low_step) = SCALE[above.saturating_sub(1)];
    let share = f64::from(elo - low) / f64::from((high - low).max(1));
    low_step + share * (high_step - low_step)
}

/// How many moves a step chooses from.
fn lines_of(step: f64) -> usize {
    let beyond = |from: f64| (step - from).max(0.0) / 2.0;
    let fewer: f64 = FEWER_LINES.map(beyond).iter().sum();
    let lines = LINES + MORE_LINES * (-step).max(0.0) - fewer;
    lines.max(2.0) as usize
}

/// A level of play.
#[derive(Debug, Clone)]
pub(crate) struct Level {
    nodes: u64,
    lines: usize,
    tolerance: f64,
    rng: Rng,
}

impl Level {
    /// The level of an Elo number, with a random seed.
    pub(crate) fn of_elo(elo: u32) -> Self {
        use std::hash::{BuildHasher, RandomState};
        Self::seeded(elo, RandomState::new().hash_one(elo))
    }

    fn seeded(elo: u32, seed: u64) -> Self {
        let step = step_of(elo);
        Self {
            // The first iteration is always finished, with however few nodes.
            nodes: (LEAST_NODES * NODES_PER_STEP.powf(step)).max(1.0) as u64,
            lines: lines_of(step),
            tolerance: TOLERANCE * TOLERANCE_PER_STEP.powf(step),
            rng: Rng::new(seed),
        }
    }

    /// Limits a search to the nodes of this level, and makes it report the lines that the level chooses from.
    pub(crate) fn restrict(&self, limits: &mut Limits) {
        limits.nodes = Some(
            limits
                .nodes
                .map_or(self.nodes, |nodes| nodes.min(self.nodes)),
        );
        limits.multi_pv = limits.multi_pv.max(self.lines);
    }

    /// Which of these lines, best first, is played; `None` if there is none.
    fn choose(&mut self, lines: &[Report]) -> Option<usize> {
        let best = lines.first()?.score;
        let weights: Vec<f64> = lines
            .iter()
            .map(|line| {
                let loss = f64::from((best - line.score).clamp(0, GREATEST_LOSS));
                (-(loss / self.tolerance).powi(2)).exp()
            })
            .collect();
        let total: f64 = weights.iter().sum();
        // A float has 53 bits of precision.
        let mut left = (self.rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64 * total;
        for (chosen, weight) in weights.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return Some(chosen);
            }
        }
        Some(0)
    }
}

/// The lines that a level chooses from, as a search reports them.
#[derive(Debug)]
pub(crate) struct Choice {
    level: Level,
    lines: Vec<Report>,
}

impl Choice {
    pub(crate) fn new(level: Level) -> Self {
        Self {
            level,
            lines: Vec::new(),
        }
    }

    /// Takes a reported line, unless its score is a bound.
    pub(crate) fn add(&mut self, report: &Report) {
        if report.bound == Bound::Exact {
            // The lines of an iteration come in order; the first one begins a new list.
            self.lines.truncate(report.multi_pv - 1);
            self.lines.push(report.clone());
        }
    }

    /// The line that is played; `None` if there is none.
    pub(crate) fn line(&mut self) -> Option<&Report> {
        let chosen = self.level.choose(&self.lines)?;
        self.lines.get(chosen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skewer_search::Line;
    use skewer_types::Score;
    use std::time::Duration;

    fn lines(scores: &[i32]) -> Vec<Report> {
        (1..)
            .zip(scores)
            .map(|(multi_pv, &score)| Report {
                depth: 3,
                seldepth: 3,
                multi_pv,
                lines: scores.len(),
                score: Score::new(score),
                bound: Bound::Exact,
                nodes: 1,
                time: Duration::ZERO,
                hashfull: 0,
                tb_hits: 0,
                pv: Line::new(),
            })
            .collect()
    }

    fn share_of_best(elo: u32, scores: &[i32]) -> f64 {
        let mut level = Level::seeded(elo, 1);
        let lines = lines(scores);
        let best = (0..2000)
            .filter(|_| level.choose(&lines) == Some(0))
            .count();
        best as f64 / 2000.0
    }

    #[test]
    fn the_scale_rises() {
        assert!(
            SCALE.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1),
            "{SCALE:?}"
        );
        for &(elo, step) in SCALE {
            assert!((step_of(elo) - step).abs() < 1e-9, "{elo}");
        }
        assert_eq!(step_of(0).to_bits(), SCALE[0].1.to_bits());
        let between = step_of(SCALE[0].0.midpoint(SCALE[1].0));
        assert!(between > SCALE[0].1 && between < SCALE[1].1);
    }

    #[test]
    fn nothing_is_chosen_from_nothing() {
        assert_eq!(Level::of_elo(MIN_ELO).choose(&[]), None);
    }

    #[test]
    fn the_higher_the_level_the_better_the_choice() {
        let scores = [30, 0, -40, -200];
        let shares: Vec<f64> = [0, 1, 2, 3]
            .into_iter()
            .map(|third| MIN_ELO + third * (MAX_ELO - MIN_ELO) / 3)
            .map(|elo| share_of_best(elo, &scores))
            .collect();
        assert!(
            shares.is_sorted() && shares[0] < 0.6 && shares[3] > 0.8,
            "{shares:?}"
        );
    }

    #[test]
    fn small_losses_are_nearly_alike_and_great_ones_rare() {
        let mut level = Level {
            nodes: 1,
            lines: 4,
            tolerance: 100.0,
            rng: Rng::new(2),
        };
        let lines = lines(&[0, -20, -100, -300]);
        let mut counts = [0; 4];
        for _ in 0..4000 {
            counts[level.choose(&lines).unwrap()] += 1;
        }
        assert!(
            counts[1] * 10 > counts[0] * 8
                && counts[2] * 2 < counts[1]
                && counts[3] * 100 < counts[2],
            "{counts:?}"
        );
    }

    #[test]
    fn low_levels_choose_among_more_moves() {
        let counts = [-10.0, 0.0, 18.0, 20.0, 22.0, 24.0, 40.0].map(lines_of);
        assert_eq!(counts, [36, 6, 6, 5, 3, 2, 2]);
    }

    #[test]
    fn levels_see_further_and_further() {
        let nodes: Vec<u64> = (MIN_ELO..=MAX_ELO)
            .step_by(100)
            .map(|elo| Level::of_elo(elo).nodes)
            .collect();
        assert!(nodes.is_sorted() && nodes[nodes.len() - 1] > 100 * nodes[0]);
    }
}
