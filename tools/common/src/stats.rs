//! Statistics. Of samples: the median. Of matches: Elo with its error, the likelihood of superiority, and the sequential test that
//! decides when to stop.
//!
//! Games come in pairs that share an opening, with colours changed. The two games of a pair are
//! not independent (a lost opening is lost for both), so pairs are counted, which have five possible
//! results, hence "pentanomial". All results are from the first engine's point of view.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Elo for a unit of log odds: 400 for a factor of ten.
const ELO_PER_LOG_ODDS: f64 = 400.0 / std::f64::consts::LN_10;
/// Normalised Elo per standard deviation of a single game by which the mean score is above a half
/// (Van den Bergh, 2020).
const NORMALISED_ELO: f64 = 2.0 * ELO_PER_LOG_ODDS;
/// Half the width of the 95% interval of a normal distribution, in standard deviations.
pub const NINETY_FIVE: f64 = 1.959_963_985;
/// The points of each kind of pair as a share of two.
const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// Replaces a count of zero, because a result that no pair had is still possible.
const UNSEEN: f64 = 1e-3;

/// Counts of pairs with 0, ½, 1, 1½ and 2 points.
///
/// ```
/// use skewer_common::stats::Pairs;
///
/// let pairs = Pairs::from([10, 20, 40, 20, 10]);
/// assert_eq!(pairs.games(), 200);
/// let elo = pairs.elo().unwrap();
/// assert!(elo.value.abs() < 1e-9 && elo.error > 0.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pairs([u64; 5]);

/// A difference in Elo and its error.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Half the width of the 95% confidence interval.
    pub error: f64,
}

impl From<[u64; 5]> for Pairs {
    fn from(counts: [u64; 5]) -> Self {
        Self(counts)
    }
}

impl Pairs {
    /// Counts a pair with this many half points, 0 to 4; more counts as 4.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points.min(4)] += 1;
    }

    /// The numbers of pairs with 0, ½, 1, 1½ and 2 points.
    pub fn counts(&self) -> [u64; 5] {
        self.0
    }

    /// How many pairs there are.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// How many games there are.
    pub fn games(&self) -> u64 {
        2 * self.pairs()
    }

    /// The mean share of the points, 0 to 1; ½ before the first pair.
    pub fn score(&self) -> f64 {
        if self.pairs() == 0 {
            0.5
        } else {
            self.moments().0
        }
    }

    /// Mean and variance of a pair's share of the points.
    fn moments(&self) -> (f64, f64) {
        moments(&self.frequencies(0.0))
    }

    /// The share of each result; a count of zero is replaced by `unseen`.
    fn frequencies(&self, unseen: f64) -> [f64; 5] {
        let counts = self
            .0
            .map(|count| if count == 0 { unseen } else { count as f64 });
        let total: f64 = counts.iter().sum();
        counts.map(|count| count / total)
    }

    /// The standard error of the mean share of the points.
    fn standard_error(&self) -> f64 {
        (self.moments().1 / self.pairs() as f64).sqrt()
    }

    /// The difference in (logistic) Elo; `None` before the first pair. The error is infinite while the
    /// interval includes a score of 0 or 1, and while all pairs have the same result.
    pub fn elo(&self) -> Option<Estimate> {
        if self.pairs() == 0 {
            return None;
        }
        let interval = self.elo_interval();
        Some(Estimate {
            value: elo_of_score(self.score()),
            error: interval.map_or(f64::INFINITY, |(low, high)| (high - low) / 2.0),
        })
    }

    /// The ends of the 95% interval of the difference in Elo; infinite where the interval of the score
    /// includes 0 or 1. `None` while all pairs have the same result.
    pub fn elo_interval(&self) -> Option<(f64, f64)> {
        let half = NINETY_FIVE * self.standard_error();
        let score = self.score();
        self.has_spread()
            .then(|| (elo_of_score(score - half), elo_of_score(score + half)))
    }

    /// The difference in normalised Elo, which measures how many games are needed to show the
    /// difference rather than what it is worth in points (Van den Bergh, 2020). `None` while all pairs have
    /// the same result.
    pub fn normalised_elo(&self) -> Option<Estimate> {
        if !self.has_spread() {
            return None;
        }
        let (mean, variance) = self.moments();
        // The deviation of a game is larger than that of a mean of two games.
        let per_game = (2.0 * variance).sqrt();
        Some(Estimate {
            value: NORMALISED_ELO * (mean - 0.5) / per_game,
            error: NORMALISED_ELO * NINETY_FIVE * self.standard_error() / per_game,
        })
    }

    /// The likelihood of superiority of the first engine, 0 to 1; ½ without information.
    pub fn likelihood_of_superiority(&self) -> f64 {
        if !self.has_spread() {
            // No pairs, or all with the same result.
            return match self.0.iter().position(|count| *count > 0) {
                Some(0 | 1) => 0.0,
                None | Some(2) => 0.5,
                Some(_) => 1.0,
            };
        }
        normal_cdf((self.score() - 0.5) / self.standard_error())
    }

    /// Whether pairs have different results.
    fn has_spread(&self) -> bool {
        self.0.iter().filter(|count| **count > 0).count() > 1
    }
}

/// A sequential probability ratio test (Wald, 1945) between two hypotheses about the difference
/// in normalised Elo, over pairs of games (Van den Bergh, 2019).
///
/// ```
/// use skewer_common::stats::{Decision, Pairs, Sprt};
///
/// let test = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };
/// let pairs = Pairs::from([40, 240, 600, 360, 90]);
/// assert_eq!(test.decide(&pairs), Decision::Accept);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference under the null hypothesis.
    pub elo0: f64,
    /// The difference under the alternative hypothesis.
    pub elo1: f64,
    /// The rate of acceptance if `elo0` is true.
    pub alpha: f64,
    /// The rate of rejection if `elo1` is true.
    pub beta: f64,
}

/// The decision of a sequential test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// More games are needed.
    Continue,
    /// Accepted: the games are evidence for a difference of `elo1` against one of `elo0`.
    Accept,
    /// Rejected: they are evidence for `elo0` against `elo1`.
    Reject,
}

impl Sprt {
    /// The log-likelihood ratios at which the test ends: rejected at or below the first, accepted
    /// at or above the second.
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// The log-likelihood ratio of the two hypotheses; 0 without information.
    pub fn log_likelihood_ratio(&self, pairs: &Pairs) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let seen = pairs.frequencies(UNSEEN);
        // Mean over deviation, of pairs rather than games.
        let effect = |elo: f64| elo / NORMALISED_ELO * std::f64::consts::SQRT_2;
        let (null, gain) = (
            most_likely(&seen, effect(self.elo0)),
            most_likely(&seen, effect(self.elo1)),
        );
        let per_pair: f64 = seen
            .iter()
            .zip(null.iter().zip(&gain))
            .map(|(share, (null, gain))| share * (gain / null).ln())
            .sum();
        pairs.pairs() as f64 * per_pair
    }

    /// The decision after these pairs.
    pub fn decide(&self, pairs: &Pairs) -> Decision {
        let (reject, accept) = self.bounds();
        let ratio = self.log_likelihood_ratio(pairs);
        if ratio >= accept {
            Decision::Accept
        } else if ratio <= reject {
            Decision::Reject
        } else {
            Decision::Continue
        }
    }
}

/// The maximum-likelihood distribution over the five results, among those whose mean is `effect` standard
/// deviations above ½.
///
/// The condition is `sum p (share - 1/2 - effect * deviation) = 0`, where the deviation depends on
/// `p`. Linearised around a guess, it is `sum p g = 0`, under which the most likely distribution is
/// `seen / (1 + x g)` with one unknown `x`. So iterate: linearise and solve.
fn most_likely(seen: &[f64; 5], effect: f64) -> [f64; 5] {
    let mut guess = [0.2; 5];
    for _ in 0..200 {
        let (mean, variance) = moments(&guess);
        let deviation = variance.sqrt();
        // The derivatives of the condition by the probabilities, on which the deviation depends too.
        let slopes = SHARES.map(|share| {
            let apart = (share - mean) / deviation;
            share - 0.5 - effect * deviation * f64::midpoint(1.0, apart * apart)
        });
        let x = balance(seen, &slopes);
        let mut next = [0.0; 5];
        for (next, (share, slope)) in next.iter_mut().zip(seen.iter().zip(&slopes)) {
            *next = share / (1.0 + x * slope);
        }
        let moved = next
            .iter()
            .zip(&guess)
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f64::max);
        guess = next;
        if moved < 1e-12 {
            break;
        }
    }
    guess
}

/// Solves `sum seen g / (1 + x g) = 0` for `x` by bisection, because the sum decreases between the poles.
fn balance(seen: &[f64; 5], slopes: &[f64; 5]) -> f64 {
    let least = slopes.iter().copied().fold(f64::INFINITY, f64::min);
    let most = slopes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // All slopes have one sign: no distribution meets the condition. This cannot happen for an effect
    // that is possible with five results.
    if least >= 0.0 || most <= 0.0 {
        return 0.0;
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        let sum: f64 = seen
            .iter()
            .zip(slopes)
            .map(|(share, slope)| share * slope / (1.0 + middle * slope))
            .sum();
        if sum > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// Mean and variance of the share of the points.
fn moments(distribution: &[f64; 5]) -> (f64, f64) {
    let mean: f64 = SHARES.iter().zip(distribution).map(|(s, p)| s * p).sum();
    let variance = SHARES
        .iter()
        .zip(distribution)
        .map(|(s, p)| (s - mean) * (s - mean) * p)
        .sum();
    (mean, variance)
}

/// The difference in Elo at which this share of the points is expected (Elo, 1978).
fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        ELO_PER_LOG_ODDS * (score / (1.0 - score)).ln()
    }
}

/// The share of a normal distribution below `x`.
fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

/// Ends a match once its 95% error is at most this, 1 to 100 Elo.
///
/// ```
/// use skewer_common::stats::{Pairs, Precision};
///
/// let fifteen: Precision = "15".parse().unwrap();
/// assert!(!fifteen.is_reached(&Pairs::from([10, 20, 40, 20, 10])));
/// assert!(fifteen.is_reached(&Pairs::from([100, 200, 400, 200, 100])));
/// assert!("0".parse::<Precision>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Precision(f64);

/// Not a precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("give an error in Elo from 1 to 100")]
pub struct PrecisionError;

impl FromStr for Precision {
    type Err = PrecisionError;

    fn from_str(text: &str) -> Result<Self, PrecisionError> {
        let error = text.parse().map_err(|_| PrecisionError)?;
        let possible = (1.0..=100.0).contains(&error);
        possible.then_some(Self(error)).ok_or(PrecisionError)
    }
}

impl Precision {
    /// The fewest pairs, because the error is estimated from them as well.
    const PAIRS: u64 = 50;

    /// Whether the result of `pairs` is as precise as that.
    pub fn is_reached(self, pairs: &Pairs) -> bool {
        pairs.pairs() >= Self::PAIRS && pairs.elo().is_some_and(|elo| elo.error <= self.0)
    }
}

/// A median, and the bounds of its 95% interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Median {
    /// The middle value; of two, the lower.
    pub value: i32,
    /// The bounds of the interval. They are values of the sample, by the normal approximation of the
    /// ranks that hold the median; of fewer than six values, the least and the greatest.
    pub interval: (i32, i32),
}

/// The median of a sample. `None` if it is empty.
pub fn median(mut sample: Vec<i32>) -> Option<Median> {
    sample.sort_unstable();
    let last = sample.len().checked_sub(1)?;
    let middle = sample.len() as f64 / 2.0;
    // The number of values below the median has a standard deviation of half the root.
    let margin = NINETY_FIVE * (sample.len() as f64).sqrt() / 2.0;
    let (low, high) = (middle - margin, middle + margin);
    Some(Median {
        value: sample[last / 2],
        interval: (
            sample[(low.round() as usize).saturating_sub(1)],
            sample[(high.round() as usize).min(last)],
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64, within: f64) {
        assert!((a - b).abs() <= within, "{a} is not {b} (within {within})");
    }

    #[test]
    fn elo_follows_from_mean_and_variance() {
        // 100 pairs, worked by hand: mean 0.55, variance 0.05375.
        let pairs = Pairs::from([5, 15, 40, 35, 5]);
        let mean = (15.0 * 0.25 + 40.0 * 0.5 + 35.0 * 0.75 + 5.0) / 100.0;
        near(pairs.score(), mean, 1e-12);
        near(mean, 0.55, 1e-12);
        let variance =
            (5.0 * 0.3025 + 15.0 * 0.09 + 40.0 * 0.0025 + 35.0 * 0.04 + 5.0 * 0.2025) / 100.0;
        let half = 1.959_963_985 * (variance / 100.0_f64).sqrt();
        let elo = |score: f64| -400.0 * (1.0 / score - 1.0).log10();
        let estimate = pairs.elo().unwrap();
        near(estimate.value, elo(0.55), 1e-9);
        near(
            estimate.error,
            (elo(0.55 + half) - elo(0.55 - half)) / 2.0,
            1e-9,
        );
        let normalised = pairs.normalised_elo().unwrap();
        near(
            normalised.value,
            0.05 / (2.0 * variance).sqrt() * 800.0 / 10.0_f64.ln(),
            1e-9,
        );
    }

    #[test]
    fn likelihood_of_superiority_is_the_normal_distribution() {
        near(normal_cdf(0.0), 0.5, 1e-15);
        near(normal_cdf(1.959_963_985), 0.975, 1e-9);
        near(normal_cdf(-1.281_551_566), 0.1, 1e-9);
        near(normal_cdf(3.5), 0.999_767_370_920_964_5, 1e-12);
        near(
            Pairs::from([3, 4, 10, 4, 3]).likelihood_of_superiority(),
            0.5,
            1e-12,
        );
        assert!(Pairs::from([3, 4, 10, 8, 3]).likelihood_of_superiority() > 0.7);
        near(Pairs::default().likelihood_of_superiority(), 0.5, 0.0);
        near(
            Pairs::from([0, 0, 0, 0, 4]).likelihood_of_superiority(),
            1.0,
            0.0,
        );
    }

    #[test]
    fn the_constrained_distribution_meets_its_condition_and_is_the_most_likely() {
        let seen = Pairs::from([7, 30, 50, 44, 9]).frequencies(UNSEEN);
        for effect in [-0.2, -0.02, 0.0, 0.01, 0.1, 0.3] {
            let found = most_likely(&seen, effect);
            near(found.iter().sum(), 1.0, 1e-9);
            let (mean, variance) = moments(&found);
            near((mean - 0.5) / variance.sqrt(), effect, 1e-9);
            // Other distributions that meet the condition make the match less likely: try the
            // solutions of slightly different matches.
            let likelihood =
                |p: &[f64; 5]| -> f64 { seen.iter().zip(p).map(|(s, p)| s * p.ln()).sum() };
            for other in [[8, 30, 50, 44, 9], [7, 33, 50, 44, 9], [7, 30, 50, 44, 13]] {
                let other = most_likely(&Pairs::from(other).frequencies(UNSEEN), effect);
                assert!(likelihood(&other) < likelihood(&found));
            }
        }
    }

    #[test]
    fn the_ratio_is_near_its_second_order_formula_when_differences_are_small() {
        // For small differences the ratio is N (t1 - t0) (2 t - t0 - t1) / 2, with t the mean over
        // the deviation of a pair.
        let pairs = Pairs::from([400, 2400, 6000, 2560, 440]);
        let test = Sprt {
            elo0: 0.0,
            elo1: 5.0,
            alpha: 0.05,
            beta: 0.05,
        };
        let (mean, variance) = pairs.moments();
        let t = (mean - 0.5) / variance.sqrt();
        let t1 = 5.0 * 10.0_f64.ln() / 800.0 * 2.0_f64.sqrt();
        let formula = pairs.pairs() as f64 * t1 * (2.0 * t - t1) / 2.0;
        let ratio = test.log_likelihood_ratio(&pairs);
        near(ratio, formula, 0.02 * formula.abs());
        // Exchanging the engines changes the sign of the ratio.
        let mut mirrored = pairs.counts();
        mirrored.reverse();
        let turned = Sprt {
            elo0: -5.0,
            elo1: 0.0,
            ..test
        };
        near(
            turned.log_likelihood_ratio(&Pairs::from(mirrored)),
            -ratio,
            1e-6,
        );
    }

    #[test]
    fn bounds_and_decisions() {
        let test = Sprt {
            elo0: 0.0,
            elo1: 10.0,
            alpha: 0.05,
            beta: 0.05,
        };
        let (reject, accept) = test.bounds();
        near(accept, 19.0_f64.ln(), 1e-12);
        near(reject, -(19.0_f64.ln()), 1e-12);
        assert_eq!(test.decide(&Pairs::default()), Decision::Continue);
        assert_eq!(
            test.decide(&Pairs::from([0, 0, 5, 0, 0])),
            Decision::Continue
        );
        // Equal pairs are evidence too, though little, so that the test ends.
        assert_eq!(
            test.decide(&Pairs::from([0, 0, 10_000, 0, 0])),
            Decision::Reject
        );
        assert_eq!(
            test.decide(&Pairs::from([0, 0, 0, 0, 200])),
            Decision::Accept
        );
        assert_eq!(
            test.decide(&Pairs::from([200, 0, 0, 0, 0])),
            Decision::Reject
        );
        assert_eq!(
            test.decide(&Pairs::from([1, 5, 10, 5, 2])),
            Decision::Continue
        );
        assert_eq!(
            test.decide(&Pairs::from([20, 300, 700, 520, 60])),
            Decision::Accept
        );
        assert_eq!(
            test.decide(&Pairs::from([60, 520, 700, 300, 20])),
            Decision::Reject
        );
    }

    #[test]
    fn the_condition_is_met_when_all_pairs_have_one_result() {
        for alike in 0..5 {
            for many in [1, 30, 3000] {
                let mut counts = [0; 5];
                counts[alike] = many;
                let seen = Pairs::from(counts).frequencies(UNSEEN);
                for effect in [0.0, 0.04, 0.2] {
                    let found = most_likely(&seen, effect);
                    near(found.iter().sum(), 1.0, 1e-6);
                    let (mean, variance) = moments(&found);
                    near((mean - 0.5) / variance.sqrt(), effect, 1e-6);
                }
            }
        }
    }

    /// The number of 200 simulated matches that a test accepts, with results in proportion to `weights`.
    fn accepted(test: &Sprt, weights: [u64; 5], seed: u64) -> u32 {
        let mut rng = skewer_openings::Rng::new(seed);
        let total: u64 = weights.iter().sum();
        let mut accepted = 0;
        for _ in 0..200 {
            let mut pairs = Pairs::default();
            let decision = loop {
                let mut drawn = rng.below(total as usize) as u64;
                let mut result = 0;
                while drawn >= weights[result] {
                    drawn -= weights[result];
                    result += 1;
                }
                pairs.add(result);
                match test.decide(&pairs) {
                    Decision::Continue => {}
                    decided => break decided,
                }
            };
            accepted += u32::from(decision == Decision::Accept);
        }
        accepted
    }

    #[test]
    fn error_rates_of_the_test_are_as_specified() {
        let test = Sprt {
            elo0: 0.0,
            elo1: 30.0,
            alpha: 0.05,
            beta: 0.05,
        };
        // Under either hypothesis, about one match in twenty has the wrong decision.
        let null = [100, 400, 800, 400, 100];
        near(elo_of(null), test.elo0, 0.01);
        let wrong = accepted(&test, null, 2024);
        assert!((2..=18).contains(&wrong), "{wrong} of 200 accepted");
        let gain = [100, 297, 800, 503, 100];
        near(elo_of(gain), test.elo1, 0.5);
        let wrong = 200 - accepted(&test, gain, 2025);
        assert!((2..=18).contains(&wrong), "{wrong} of 200 rejected");
    }

    /// The normalised Elo of pairs with results in proportion to `weights`.
    fn elo_of(weights: [u64; 5]) -> f64 {
        Pairs::from(weights).normalised_elo().unwrap().value
    }

    #[test]
    fn the_median_is_the_middle() {
        let value = |sample: Vec<i32>| median(sample).map(|median| median.value);
        assert_eq!(value(vec![5, -1, 3]), Some(3));
        assert_eq!(value(vec![4, 1]), Some(1));
        assert_eq!(value(Vec::new()), None);
    }

    #[test]
    fn the_interval_of_the_median_is_that_of_the_tables() {
        // Ranks 40 and 61 of 100, and 2 and 9 of 10 (nonparametric tables, 95%).
        assert_eq!(median((1..=100).collect()).unwrap().interval, (40, 61));
        assert_eq!(median((1..=10).collect()).unwrap().interval, (2, 9));
        assert_eq!(median(vec![7]).unwrap().interval, (7, 7));
    }
}
