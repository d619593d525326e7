//! The error of its result with which a match ends.

use std::fmt;
use std::str::FromStr;

use crate::stats::Pairs;

/// The 95% error of a difference in Elo, 1 to 100, with which a match ends.
///
/// ```
/// use skewer_selfplay::precision::Precision;
/// use skewer_selfplay::stats::Pairs;
///
/// let fifteen: Precision = "15".parse().unwrap();
/// assert!(!fifteen.is_reached(&Pairs::from([10, 20, 40, 20, 10])));
/// assert!(fifteen.is_reached(&Pairs::from([100, 200, 400, 200, 100])));
/// assert!("0".parse::<Precision>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Precision(f64);

/// Not a precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadPrecision;

impl fmt::Display for BadPrecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("give an error in Elo from 1 to 100")
    }
}

impl std::error::Error for BadPrecision {}

impl FromStr for Precision {
    type Err = BadPrecision;

    fn from_str(text: &str) -> Result<Self, BadPrecision> {
        let error = text.parse().map_err(|_| BadPrecision)?;
        let possible = (1.0..=100.0).contains(&error);
        possible.then_some(Self(error)).ok_or(BadPrecision)
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
