//! Figures with 95% intervals, from matches, shares, means and ratios.

use std::fmt;

use serde::Serialize;
use skewer_games::stats::{NINETY_FIVE, Pairs, elo_of_score};
use strum::Display;

/// What a figure counts. It is displayed as the text after the figure: a space and a word, or nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Display)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// A number of its own, such as an exponent or a count.
    #[strum(to_string = "")]
    Number,
    /// A ratio of two counts.
    #[strum(to_string = " times")]
    Times,
    /// A share of all cases, from 0 to 1.
    #[strum(to_string = " of all")]
    Share,
    /// Elo points.
    #[strum(to_string = " Elo")]
    Elo,
    /// Plies of depth.
    #[strum(to_string = " plies")]
    Plies,
    /// Passes of a search over the same tree.
    #[strum(to_string = " passes")]
    Passes,
}

/// An estimate and its 95% interval. The interval of an exact figure has no width. It is displayed
/// without its unit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Figure {
    /// The estimate.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// What all three count.
    pub unit: Unit,
}

impl Figure {
    /// No estimate.
    pub const UNKNOWN: Self = Self {
        value: f64::NAN,
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
        unit: Unit::Number,
    };

    /// A figure without error: a proof, or a count of everything that the claim is about.
    pub const fn exact(value: f64) -> Self {
        Self {
            value,
            low: value,
            high: value,
            unit: Unit::Number,
        }
    }

    /// The same figure in this unit.
    #[must_use]
    pub const fn in_unit(self, unit: Unit) -> Self {
        Self { unit, ..self }
    }

    /// The Elo difference of a match, with the interval from pairs of games, which is not symmetric. If
    /// the interval of the score reaches 0 or 1, that end is infinite.
    ///
    /// If all n pairs have the same result, the interval assumes that a share of up to 3/n of all pairs would have the
    /// most different result (the rule of three; Hanley and Lippman-Hand, 1983).
    pub fn elo(pairs: &Pairs) -> Self {
        let Some(elo) = pairs.elo() else {
            return Self::UNKNOWN;
        };
        let (low, high) = pairs.elo_interval().unwrap_or_else(|| {
            let others = (3.0 / pairs.pairs() as f64).min(1.0);
            let score = pairs.score();
            let ends = [score * (1.0 - others), score + (1.0 - score) * others];
            let [low, high] = ends.map(elo_of_score);
            (low, high)
        });
        Self {
            value: elo.value,
            low,
            high,
            unit: Unit::Elo,
        }
    }

    /// The share of `count` cases in `all` (interval: Wilson, 1927).
    pub fn share(count: usize, all: usize) -> Self {
        if all == 0 {
            return Self::UNKNOWN;
        }
        let (n, p) = (all as f64, count as f64 / all as f64);
        let z2 = NINETY_FIVE * NINETY_FIVE;
        let middle = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
        let half = NINETY_FIVE / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
        // Shares of 0 and 1 are ends of their interval; avoid rounding errors.
        Self {
            value: p,
            low: if count == 0 { 0.0 } else { middle - half },
            high: if count == all { 1.0 } else { middle + half },
            unit: Unit::Share,
        }
    }

    /// The same figure without an interval, for a count of all cases instead of a sample.
    #[must_use]
    pub fn counted(self) -> Self {
        Self::exact(self.value).in_unit(self.unit)
    }

    /// The mean of measurements of different positions or trees (interval: Student, 1908).
    pub fn mean(values: &[f64]) -> Self {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        if values.len() < 2 {
            return Self {
                value: mean,
                ..Self::UNKNOWN
            };
        }
        let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
        let half = student(n - 1.0) * (variance / n).sqrt();
        Self {
            value: mean,
            low: mean - half,
            high: mean + half,
            unit: Unit::Number,
        }
    }

    /// The geometric mean of ratios, each measured on one position or tree.
    pub fn ratio(ratios: &[f64]) -> Self {
        let logarithms: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
        Self::mean(&logarithms).map(f64::exp).in_unit(Unit::Times)
    }

    /// Applies a monotonic function to the estimate and the interval.
    #[must_use]
    pub fn map(self, function: impl Fn(f64) -> f64) -> Self {
        let [value, a, b] = [self.value, self.low, self.high].map(function);
        Self {
            value,
            low: a.min(b),
            high: a.max(b),
            unit: self.unit,
        }
    }

    /// The figure and its unit, as text.
    pub fn with_unit(self) -> String {
        format!("{self}{}", self.unit)
    }

    /// Whether the interval has no width.
    pub fn is_exact(self) -> bool {
        self.low >= self.value && self.high <= self.value
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.value.is_nan() {
            return f.write_str("nothing measured");
        }
        f.write_str(&brief(self.value))?;
        if self.is_exact() {
            return Ok(());
        }
        write!(f, " ({} .. {})", brief(self.low), brief(self.high))
    }
}

/// A number with two decimals, or with four where two would show it as zero; a whole number with none.
pub fn brief(number: f64) -> String {
    if number.fract() == 0.0 {
        format!("{number:.0}")
    } else if number.abs() < 0.005 {
        format!("{number:.4}")
    } else {
        format!("{number:.2}")
    }
}

/// The 97.5% point of Student's distribution with `degrees` degrees of freedom, to 0.002: from a table up to
/// seven degrees, then by an expansion (Cornish and Fisher, 1938).
fn student(degrees: f64) -> f64 {
    // The expansion is too small for fewer degrees of freedom.
    const TABLED: [f64; 7] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365];
    if let Some(point) = TABLED.get((degrees.max(1.0) - 1.0) as usize) {
        return *point;
    }
    let z = NINETY_FIVE;
    let v = degrees;
    z + (z.powi(3) + z) / (4.0 * v)
        + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * v.powi(2))
        + (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / (384.0 * v.powi(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 2e-3, "{a} is not {b}");
    }

    #[test]
    fn students_points_agree_with_the_tables() {
        for (degrees, point) in [
            (1.0, 12.706),
            (7.0, 2.365),
            (8.0, 2.306),
            (11.0, 2.201),
            (17.0, 2.110),
            (100.0, 1.984),
        ] {
            close(student(degrees), point);
        }
    }

    #[test]
    fn shares_have_wilsons_interval() {
        let figure = Figure::share(7, 18);
        close(figure.low, 0.203);
        close(figure.high, 0.614);
        let none = Figure::share(0, 10);
        close(none.low, 0.0);
        assert!(none.high > 0.2);
        let all = Figure::share(10, 10);
        close(all.high, 1.0);
        assert!(all.low < 0.8);
    }

    #[test]
    fn means_and_ratios_have_intervals_around_them() {
        let figure = Figure::mean(&[1.0, 2.0, 3.0]);
        close(figure.value, 2.0);
        assert!(figure.low < 1.0 && figure.high > 3.0, "three say little");
        let ratio = Figure::ratio(&[0.5, 2.0, 0.5, 2.0, 0.5, 2.0]);
        close(ratio.value, 1.0);
        close(ratio.low * ratio.high, 1.0);
        assert!(Figure::mean(&[1.0]).low.is_infinite(), "one says nothing");
    }

    #[test]
    fn a_match_of_equal_pairs_has_wide_bounds() {
        let shown = |counts| Figure::elo(&Pairs::from(counts)).to_string();
        assert_eq!(shown([0, 0, 30, 0, 0]), "0 (-34.86 .. 34.86)");
        assert_eq!(shown([0, 0, 2, 0, 0]), "0 (-inf .. inf)");
        assert_eq!(shown([0; 5]), "nothing measured");
    }

    #[test]
    fn matches_are_counted_by_pairs() {
        // The same score from drawn pairs and from won and lost pairs: the same Elo, but another
        // interval.
        let split = Figure::elo(&Pairs::from([0, 10, 30, 10, 0]));
        let same = Figure::elo(&Pairs::from([15, 0, 20, 0, 15]));
        close(split.value, same.value);
        assert!(same.high - same.low > 2.0 * (split.high - split.low));
        // A win of nearly every pair has a lower bound, but no upper one.
        let crushing = Figure::elo(&Pairs::from([0, 0, 0, 1, 24]));
        assert!(crushing.low > 200.0 && crushing.high.is_infinite());
    }

    #[test]
    fn figures_are_shown_with_their_intervals() {
        assert_eq!(Figure::exact(2.0).to_string(), "2");
        let figure = Figure {
            value: 1.5,
            low: 1.25,
            high: 2.0,
            unit: Unit::Times,
        };
        assert_eq!(figure.to_string(), "1.50 (1.25 .. 2)");
        assert_eq!(figure.with_unit(), "1.50 (1.25 .. 2) times");
        assert_eq!(figure.map(|x| 1.0 / x).to_string(), "0.67 (0.50 .. 0.80)");
    }
}
