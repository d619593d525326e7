//! The scale of a network's scores: the win model that is written into its file, fitted to games
//! that it played.
//!
//! At each material, the chance to win is a logistic function of the score (see [`WinModel`]). The parameters of the
//! model are the maximum-likelihood estimates from the results of the games.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use skewer_gamedata::Game;
use skewer_movegen::Outcome;
use skewer_types::{WinCurve, WinModel};

/// Scores beyond this are of decided games, and do not affect the curves.
const GREATEST: i32 = 1500;
/// The width of the bins of scores, small enough to have no effect on the fit.
const BIN: i32 = 10;
/// The initial parameters of the fit (even and spread at full material, then at bare material), its first step as a
/// share of each parameter, and the share at which it ends.
const START: [f64; 4] = [120.0, 90.0, 300.0, 90.0];
const FIRST_STEP: f64 = 0.25;
const LAST_STEP: f64 = 0.001;

/// Counts of positions and wins by material and score.
#[derive(Debug, Clone, Default)]
pub struct Outcomes {
    /// Wins and all positions, by the material and the middle of the bin of scores.
    bins: BTreeMap<(u32, i32), (u64, u64)>,
    games: u64,
    positions: u64,
}

/// The share of the positions with some material and score that were won, and the model's share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// Positions counted.
    pub positions: u64,
    /// The share of them that was won, from 0 to 1.
    pub won: f64,
    /// The share that the model expects.
    pub expected: f64,
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
                (score, game.result == Outcome::WhiteWins),
                (-score, game.result == Outcome::BlackWins),
            ];
            for (own, won) in sides {
                let bin = (f64::from(own) / f64::from(BIN)).round() as i32 * BIN;
                let (wins, all) = self.bins.entry((material, bin)).or_default();
                *wins += u64::from(won);
                *all += 1;
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

    /// The positions with such a material, in pawns, and a score within `width` of `score`; `None` if there are none.
    pub fn share(
        &self,
        material: &RangeInclusive<u32>,
        score: i32,
        width: i32,
        model: WinModel,
    ) -> Option<Share> {
        let (mut wins, mut all, mut expected) = (0, 0, 0.0);
        for (&(at, bin), &(won, positions)) in &self.bins {
            if material.contains(&at) && (bin - score).abs() <= width {
                wins += won;
                all += positions;
                expected += positions as f64 * chance(model.at(at), bin);
            }
        }
        (all > 0).then(|| Share {
            positions: all,
            won: wins as f64 / all as f64,
            expected: expected / all as f64,
        })
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
            .map(|(&(material, score), &(wins, all))| {
                if curve.0 != material {
                    curve = (material, model.at(material));
                }
                let chance = chance(curve.1, score).clamp(1e-9, 1.0 - 1e-9);
                -(wins as f64 * chance.ln() + (all - wins) as f64 * (1.0 - chance).ln())
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

    #[test]
    fn the_model_of_made_up_results_is_found() {
        let mut outcomes = Outcomes::default();
        let truth = model_of([110.0, 60.0, 330.0, 80.0]).unwrap();
        for material in 5..=78 {
            for score in (-600..=600).step_by(BIN as usize) {
                let wins = (chance(truth.at(material), score) * 10_000.0).round() as u64;
                outcomes.bins.insert((material, score), (wins, 10_000));
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
        let share = outcomes.share(&(70..=78), 100, 5, model).unwrap();
        assert_eq!(share.positions, 90_000);
        assert!((share.won - share.expected).abs() < 0.01, "{share:?}");
        assert!(outcomes.share(&(0..=4), 100, 5, model).is_none());
        assert!(Outcomes::default().fit().is_none());
    }
}
