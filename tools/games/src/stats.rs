//! Statistics: the median of a sample; for matches, Elo with its error, the likelihood of superiority, and the
//! precision at which to stop.
//!
//! Games come in pairs that share an opening, with colours changed. The two games of a pair are not independent (a
//! lost opening is lost for both), so pairs are counted. A pair has five possible results ("pentanomial"). All
//! results are from the first engine's point of view.

use std::str::FromStr;

use serde::Serialize;

/// Elo for a unit of log odds: 400 for a factor of ten.
const ELO_PER_LOG_ODDS: f64 = 400.0 / std::f64::consts::LN_10;
/// Normalised Elo per standard deviation of a single game by which the mean score is above a half
/// (Van den Bergh, 2020).
pub(crate) const NORMALISED_ELO: f64 = 2.0 * ELO_PER_LOG_ODDS;
/// Half the width of the 95% interval of a normal distribution, in standard deviations.
pub const NINETY_FIVE: f64 = 1.959_963_985;
/// The points of each kind of pair as a share of two.
pub(crate) const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Counts of pairs with 0, ½, 1, 1½ and 2 points.
///
/// ```
/// use skewer_games::stats::Pairs;
///
/// let pairs = Pairs::from([10, 20, 40, 20, 10]);
/// assert_eq!(pairs.games(), 200);
/// let elo = pairs.elo().unwrap();
/// assert!(elo.value.abs() < 1e-9 && elo.error > 0.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(transparent)]
pub struct Pairs([u64; 5]);

/// A difference in Elo and its error.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
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
    pub(crate) fn moments(&self) -> (f64, f64) {
        moments(&self.frequencies(0.0))
    }

    /// The share of each result; a count of zero is replaced by `unseen`.
    pub(crate) fn frequencies(&self, unseen: f64) -> [f64; 5] {
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
        // The deviation of a game is larger than the deviation of a mean of two games.
        let per_game = (2.0 * variance).sqrt();
        Some(Estimate {
            value: NORMALISED_ELO * (mean - 0.5) / per_game,
            error: NORMALISED_ELO * NINETY_FIVE * self.standard_error() / per_game,
        })
    }

    /// The likelihood of superiority of the first engine, 0 to 1. `None` while all pairs have the same result: their
    /// spread, and so the error of their mean, is unknown.
    pub fn likelihood_of_superiority(&self) -> Option<f64> {
        self.has_spread()
            .then(|| normal_cdf((self.score() - 0.5) / self.standard_error()))
    }

    /// Whether pairs have different results.
    fn has_spread(&self) -> bool {
        self.0.iter().filter(|count| **count > 0).count() > 1
    }
}

/// Mean and variance of the share of the points.
pub(crate) fn moments(distribution: &[f64; 5]) -> (f64, f64) {
    let mean: f64 = SHARES.iter().zip(distribution).map(|(s, p)| s * p).sum();
    let variance = SHARES
        .iter()
        .zip(distribution)
        .map(|(s, p)| (s - mean) * (s - mean) * p)
        .sum();
    (mean, variance)
}

/// The difference in Elo at which this share of the points is expected (Elo, 1978).
pub fn elo_of_score(score: f64) -> f64 {
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
/// use skewer_games::stats::{Pairs, Precision};
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

    /// Whether the result of `pairs` has this precision.
    pub fn is_reached(self, pairs: &Pairs) -> bool {
        pairs.pairs() >= Self::PAIRS && pairs.elo().is_some_and(|elo| elo.error <= self.0)
    }
}

/// A median, and the bounds of its 95% interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Median {
    /// The middle value, or the lower of two middle values.
    pub value: i32,
    /// The bounds of the interval. They are values of the sample, by the normal approximation of the ranks that hold
    /// the median. `None` for fewer than six values: the least and the greatest hold the median in fewer than 95 of a
    /// hundred samples.
    pub interval: Option<(i32, i32)>,
}

/// The fewest values whose least and greatest hold the median in 95 of a hundred samples.
const LEAST_FOR_INTERVAL: usize = 6;

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
        interval: (sample.len() >= LEAST_FOR_INTERVAL).then(|| {
            (
                sample[(low.round() as usize).saturating_sub(1)],
                sample[(high.round() as usize).min(last)],
            )
        }),
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
        let likelihood = |counts: [u64; 5]| Pairs::from(counts).likelihood_of_superiority();
        near(likelihood([3, 4, 10, 4, 3]).unwrap(), 0.5, 1e-12);
        assert!(likelihood([3, 4, 10, 8, 3]).unwrap() > 0.7);
        // Pairs with one and the same result do not show how much results vary.
        for alike in [[0; 5], [0, 0, 0, 1, 0], [0, 0, 0, 0, 4], [7, 0, 0, 0, 0]] {
            assert_eq!(likelihood(alike), None, "{alike:?}");
        }
    }

    #[test]
    fn the_median_is_the_middle() {
        let value = |sample: Vec<i32>| median(sample).map(|median| median.value);
        assert_eq!(value(vec![5, -1, 3]), Some(3));
        assert_eq!(value(vec![4, 1]), Some(1));
        assert_eq!(value(Vec::new()), None);
    }

    #[test]
    fn the_interval_of_the_median_agrees_with_tables() {
        // Ranks 40 and 61 of 100, and 2 and 9 of 10 (nonparametric tables, 95%).
        let interval = |sample: Vec<i32>| median(sample).unwrap().interval;
        assert_eq!(interval((1..=100).collect()), Some((40, 61)));
        assert_eq!(interval((1..=10).collect()), Some((2, 9)));
        // The least and the greatest of n values hold the median in all samples but 2 of 2^n: 31 of 32 for six.
        assert_eq!(interval((1..=6).collect()), Some((1, 6)));
        assert_eq!(interval((1..=5).collect()), None);
        assert_eq!(interval(vec![7]), None);
    }
}
