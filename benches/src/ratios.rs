//! Statistics of paired measurements: their median, and their mean with a confidence interval.

use std::fmt;

use skewer_types::Rng;

/// Resamples for the interval.
const RESAMPLES: usize = 2000;

/// Ratios of paired measurements; shown as their geometric mean with a 95% bootstrap interval
/// (Efron, 1979).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ratios(Vec<f64>);

impl Ratios {
    /// Adds a ratio, which must be positive.
    pub fn push(&mut self, ratio: f64) {
        self.0.push(ratio);
    }

    /// The geometric mean; NaN without ratios.
    pub fn mean(&self) -> f64 {
        geometric_mean(self.0.iter().copied())
    }

    /// The median; NaN without ratios.
    pub fn median(&self) -> f64 {
        median(self.0.clone())
    }

    /// The 95% bootstrap interval of the mean. The seed is fixed, so that equal measurements have
    /// equal intervals.
    pub fn interval(&self) -> (f64, f64) {
        let mut rng = Rng::new(1);
        let mut draw = || self.0[rng.below(self.0.len())];
        if self.0.is_empty() {
            return (f64::NAN, f64::NAN);
        }
        let mut means: Vec<f64> = (0..RESAMPLES)
            .map(|_| geometric_mean((0..self.0.len()).map(|_| draw())))
            .collect();
        means.sort_by(f64::total_cmp);
        (means[RESAMPLES / 40], means[RESAMPLES - 1 - RESAMPLES / 40])
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let (below, above) = (values.len().saturating_sub(1) / 2, values.len() / 2);
    match (values.get(below), values.get(above)) {
        (Some(below), Some(above)) => f64::midpoint(*below, *above),
        _ => f64::NAN,
    }
}

/// The seconds of `runs` runs that take turns, after a round that warms up tables, caches and clock:
/// for each run the median, and the median of its ratios to the first run of the same round.
pub fn alternate(
    runs: usize,
    rounds: usize,
    mut seconds: impl FnMut(usize) -> f64,
) -> Vec<(f64, f64)> {
    let mut round = || (0..runs).map(&mut seconds).collect::<Vec<f64>>();
    round();
    let times: Vec<_> = (0..rounds).map(|_| round()).collect();
    let of = |run: usize| {
        let seconds = times.iter().map(|round| round[run]).collect();
        let ratios = times.iter().map(|round| round[run] / round[0]).collect();
        (median(seconds), median(ratios))
    };
    (0..runs).map(of).collect()
}

fn geometric_mean(values: impl Iterator<Item = f64>) -> f64 {
    let (count, logs) = values.fold((0, 0.0), |(n, sum), value| (n + 1, sum + value.ln()));
    (logs / f64::from(count)).exp()
}

impl fmt::Display for Ratios {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = self.interval();
        f.pad(&format!("{:.3} ({low:.3} .. {high:.3})", self.mean()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratios(values: &[f64]) -> Ratios {
        Ratios(values.to_vec())
    }

    #[test]
    fn means_and_medians() {
        assert!((ratios(&[1.0, 4.0]).mean() - 2.0).abs() < 1e-12);
        assert!((ratios(&[9.0, 1.0, 2.0]).median() - 2.0).abs() < 1e-12);
        assert!((ratios(&[1.0, 9.0, 2.0, 4.0]).median() - 3.0).abs() < 1e-12);
        assert!(ratios(&[]).mean().is_nan() && ratios(&[]).median().is_nan());
        assert!(ratios(&[]).interval().0.is_nan());
    }

    #[test]
    fn the_interval_contains_the_mean_and_shrinks_with_more_ratios() {
        let few = ratios(&[1.5, 2.0, 1.8, 2.2]);
        let (low, high) = few.interval();
        assert!(low < few.mean() && few.mean() < high);
        let many = ratios(&[1.5, 2.0, 1.8, 2.2].repeat(50));
        assert!(many.interval().1 - many.interval().0 < (high - low) / 2.0);
        assert_eq!(ratios(&[1.7; 9]).to_string(), "1.700 (1.700 .. 1.700)");
    }
}
