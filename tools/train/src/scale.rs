//! The scale of a network's scores: the win model that is written into its file, fitted to games
//! that it played.
//!
//! At each material, the chance to win is a logistic function of the score (see [`WinModel`]). The parameters of the
//! model are the maximum-likelihood estimates from the results of the games.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use skewer_gamedata::Game;
use skewer_movegen::Outcome;
use skewer_types::{Score, WinCurve, WinModel};

/// Scores beyond this are of decided games, and do not affect the curves.
const GREATEST: i32 = 1500;
/// The width of the bins of scores, small enough to have no effect on the fit.
const BIN: i32 = 10;
/// The initial parameters of the fit (even and spread at full material, then at bare material), its first step as a
/// share of each parameter, and the share at which it ends.
const START: [f64; 4] = [120.0, 90.0, 300.0, 90.0];
const FIRST_STEP: f64 = 0.25;
const LAST_STEP: f64 = 0.001;

/// The fewest games of a model that a network is given, because a smaller sample fits chance.
pub const LEAST_GAMES: u64 = 100;
/// A fit that moved a parameter beyond these has found no maximum of the likelihood, for example because all results
/// are alike.
const PLAUSIBLE: RangeInclusive<f64> = 2.0..=4_000.0;

/// Whether a fit found a maximum of the likelihood.
pub fn is_plausible(model: WinModel) -> bool {
    [model.full(), model.bare()]
        .iter()
        .all(|curve| PLAUSIBLE.contains(&curve.even()) && PLAUSIBLE.contains(&curve.spread()))
}

/// Counts of positions and results by material and score.
#[derive(Debug, Clone, Default)]
pub struct Outcomes {
    /// By the material and the middle of the bin of scores.
    bins: BTreeMap<(u32, i32), Count>,
    games: u64,
    positions: u64,
}

/// The positions of a bin.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    won: u64,
    lost: u64,
    all: u64,
}

/// How many positions of a group were won, how many points were scored, and what a model expected.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tally {
    /// Positions counted.
    pub positions: u64,
    /// Positions that were won.
    pub won: f64,
    /// Positions that the model expects to be won.
    pub expected_won: f64,
    /// Points: 1 for a win, a half for a draw.
    pub points: f64,
    /// The points that the model expects.
    pub expected_points: f64,
}

impl Tally {
    /// Adds the positions of another tally.
    pub fn add(&mut self, other: Self) {
        self.positions += other.positions;
        self.won += other.won;
        self.expected_won += other.expected_won;
        self.points += other.points;
        self.expected_points += other.expected_points;
    }
}

impl Outcomes {
    /// Counts the positions of a game, for both sides, so that the curves are symmetric.
    pub fn add(&mut self, game: &Game) {
        self.games += 1;
        for position in game.positions() {
            let score = i32::from(position.score);
            if score.abs() > GREATEST {
                continue;
            }
            self.positions += 1;
            let material = position.board.material();
            let sides = [
                (score, Outcome::WhiteWins, Outcome::BlackWins),
                (-score, Outcome::BlackWins, Outcome::WhiteWins),
            ];
            for (own, win, loss) in sides {
                let bin = (f64::from(own) / f64::from(BIN)).round() as i32 * BIN;
                let count = self.bins.entry((material, bin)).or_default();
                count.won += u64::from(game.result == win);
                count.lost += u64::from(game.result == loss);
                count.all += 1;
            }
        }
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Positions counted.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Adds the positions of other games.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.positions += other.positions;
        for (&bin, more) in &other.bins {
            let count = self.bins.entry(bin).or_default();
            count.won += more.won;
            count.lost += more.lost;
            count.all += more.all;
        }
    }

    /// The positions with such a material, in pawns, and a score of so many centipawns by the model.
    pub fn tally(
        &self,
        material: &RangeInclusive<u32>,
        centipawns: &Range<i32>,
        model: WinModel,
    ) -> Tally {
        let mut tally = Tally::default();
        for (&(at, score), count) in &self.bins {
            let curve = model.at(at);
            if material.contains(&at) && centipawns.contains(&curve.centipawns(Score::new(score))) {
                let all = count.all as f64;
                let [win, loss] = [score, -score].map(|score| chance(curve, score));
                tally.add(Tally {
                    positions: count.all,
                    won: count.won as f64,
                    expected_won: all * win,
                    points: (all + count.won as f64 - count.lost as f64) / 2.0,
                    expected_points: all * (1.0 + win - loss) / 2.0,
                });
            }
        }
        tally
    }

    /// The model of maximum likelihood for these results; `None` without positions.
    pub fn fit(&self) -> Option<WinModel> {
        if self.bins.is_empty() {
            return None;
        }
        let mut best = START;
        let mut least = self.cost(model_of(best)?);
        let mut step = FIRST_STEP;
        while step >= LAST_STEP {
            let before = least;
            for at in 0..best.len() {
                for factor in [1.0 + step, 1.0 / (1.0 + step)] {
                    let mut moved = best;
                    moved[at] *= factor;
                    let Some(model) = model_of(moved) else {
                        continue;
                    };
                    let cost = self.cost(model);
                    if cost < least {
                        (least, best) = (cost, moved);
                    }
                }
            }
            if least >= before {
                step /= 2.0;
            }
        }
        model_of(best)
    }

    /// The negative logarithm of the likelihood.
    fn cost(&self, model: WinModel) -> f64 {
        let mut curve = (0, model.at(0));
        self.bins
            .iter()
            .map(|(&(material, score), count)| {
                if curve.0 != material {
                    curve = (material, model.at(material));
                }
                let chance = chance(curve.1, score).clamp(1e-9, 1.0 - 1e-9);
                let others = (count.all - count.won) as f64;
                -(count.won as f64 * chance.ln() + others * (1.0 - chance).ln())
            })
            .sum()
    }
}

/// The chance to win with a score in internal units.
fn chance(curve: WinCurve, score: i32) -> f64 {
    1.0 / (1.0 + ((curve.even() - f64::from(score)) / curve.spread()).exp())
}

/// The model with these parameters, in the order of [`START`]; `None` if one is out of range.
fn model_of([even, spread, bare_even, bare_spread]: [f64; 4]) -> Option<WinModel> {
    let full = WinCurve::new(even, spread)?;
    Some(WinModel::new(full, WinCurve::new(bare_even, bare_spread)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The likelihood of a game that one side wins grows without end as the curve gets steeper.
    #[test]
    fn a_model_of_results_that_are_alike_is_not_plausible() {
        let mut outcomes = Outcomes::default();
        for score in (10..200).step_by(BIN as usize) {
            let (won, lost, all) = (100, 0, 100);
            outcomes.bins.insert((40, score), Count { won, lost, all });
            let (won, lost) = (lost, won);
            outcomes.bins.insert((40, -score), Count { won, lost, all });
        }
        assert!(!is_plausible(outcomes.fit().unwrap()));
        assert!(is_plausible(model_of(START).unwrap()));
    }

    #[test]
    fn the_model_of_made_up_results_is_found() {
        let mut outcomes = Outcomes::default();
        let truth = model_of([110.0, 60.0, 330.0, 80.0]).unwrap();
        for material in 5..=78 {
            for score in (-600..=600).step_by(BIN as usize) {
                let curve = truth.at(material);
                let [won, lost] =
                    [score, -score].map(|score| (chance(curve, score) * 10_000.0).round() as u64);
                let all = 10_000;
                outcomes
                    .bins
                    .insert((material, score), Count { won, lost, all });
            }
        }
        let model = outcomes.fit().unwrap();
        for (found, true_curve) in [(model.full(), truth.full()), (model.bare(), truth.bare())] {
            assert!(
                (found.even() / true_curve.even() - 1.0).abs() < 0.01,
                "{model:?}"
            );
            assert!(
                (found.spread() / true_curve.spread() - 1.0).abs() < 0.01,
                "{model:?}"
            );
        }
        let tally = outcomes.tally(&(70..=78), &(95..105), model);
        assert!(tally.positions >= 90_000 && tally.positions % 10_000 == 0);
        let all = tally.positions as f64;
        assert!((tally.won / all - 0.5).abs() < 0.05, "{tally:?}");
        assert!(
            (tally.won - tally.expected_won).abs() < 0.01 * all,
            "{tally:?}"
        );
        assert!(
            (tally.points - tally.expected_points).abs() < 0.01 * all,
            "{tally:?}"
        );
        assert!(tally.points > tally.won);
        let none = outcomes.tally(&(0..=4), &(95..105), model);
        assert_eq!(none, Tally::default());
        let mut twice = outcomes.clone();
        twice.merge(&outcomes);
        let doubled = twice.tally(&(70..=78), &(95..105), model);
        assert_eq!(doubled.positions, 2 * tally.positions);
        assert!(Outcomes::default().fit().is_none());
    }
}
