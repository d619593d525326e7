//! The scale of a network's scores: the win model that is written into its file, fitted to games
//! that it played.
//!
//! The chance to win is a logistic function of the score (see [`WinModel`]). Its two parameters are
//! the maximum-likelihood estimates from the results of the games.

use std::collections::BTreeMap;

use skewer_gamedata::Game;
use skewer_movegen::Outcome;
use skewer_types::WinModel;

/// Scores beyond this are of decided games, and do not affect the curve.
const GREATEST: i32 = 1500;
/// The width of the bins of scores, small enough to have no effect on the fit.
const BIN: i32 = 10;
/// The initial parameters of the fit, its first step, and the step at which it ends.
const START: (f64, f64) = (150.0, 90.0);
const FIRST_STEP: f64 = 64.0;
const LAST_STEP: f64 = 0.25;

/// Counts of positions and wins by score.
#[derive(Debug, Clone, Default)]
pub struct Outcomes {
    /// Wins and all positions, by the middle of the bin.
    bins: BTreeMap<i32, (u64, u64)>,
    games: u64,
    positions: u64,
}

impl Outcomes {
    /// Counts the positions of a game, for both sides, so that the curve is symmetric.
    pub fn add(&mut self, game: &Game) {
        self.games += 1;
        for scored in &game.moves {
            let score = i32::from(scored.score);
            if score.abs() > GREATEST {
                continue;
            }
            self.positions += 1;
            let sides = [
                (score, game.result == Outcome::WhiteWins),
                (-score, game.result == Outcome::BlackWins),
            ];
            for (own, won) in sides {
                let bin = (f64::from(own) / f64::from(BIN)).round() as i32 * BIN;
                let (wins, all) = self.bins.entry(bin).or_default();
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

    /// Wins and all positions with scores within `width` of `score`.
    pub fn around(&self, score: i32, width: i32) -> (u64, u64) {
        self.bins
            .range(score - width..=score + width)
            .fold((0, 0), |(wins, all), (_, bin)| (wins + bin.0, all + bin.1))
    }

    /// The model of maximum likelihood for these results; `None` without positions.
    pub fn fit(&self) -> Option<WinModel> {
        if self.bins.is_empty() {
            return None;
        }
        let (mut even, mut spread) = START;
        let mut least = self.cost(even, spread);
        let mut step = FIRST_STEP;
        while step >= LAST_STEP {
            let around = [(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)];
            let nearest = around
                .into_iter()
                .map(|(a, b)| (even + a * step, spread + b * step))
                .filter(|&(even, spread)| WinModel::new(even, spread).is_some())
                .map(|(even, spread)| (self.cost(even, spread), even, spread))
                .min_by(|a, b| a.0.total_cmp(&b.0));
            match nearest {
                Some((cost, new_even, new_spread)) if cost < least => {
                    (least, even, spread) = (cost, new_even, new_spread);
                }
                _ => step /= 2.0,
            }
        }
        WinModel::new(even, spread)
    }

    /// The negative logarithm of the likelihood.
    fn cost(&self, even: f64, spread: f64) -> f64 {
        self.bins
            .iter()
            .map(|(&score, &(wins, all))| {
                let chance = 1.0 / (1.0 + ((even - f64::from(score)) / spread).exp());
                let chance = chance.clamp(1e-9, 1.0 - 1e-9);
                -(wins as f64 * chance.ln() + (all - wins) as f64 * (1.0 - chance).ln())
            })
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_of_made_up_results_is_found() {
        let mut outcomes = Outcomes::default();
        for score in (-600..=600).step_by(BIN as usize) {
            let chance = 1.0 / (1.0 + ((170.0 - f64::from(score)) / 60.0).exp());
            let wins = (chance * 10_000.0).round() as u64;
            outcomes.bins.insert(score, (wins, 10_000));
        }
        let model = outcomes.fit().unwrap();
        assert!((model.even() - 170.0).abs() < 1.0, "{model:?}");
        assert!((model.spread() - 60.0).abs() < 1.0, "{model:?}");
        assert_eq!(outcomes.around(0, 10).1, 30_000);
        assert!(Outcomes::default().fit().is_none());
    }
}
