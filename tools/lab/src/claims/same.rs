//! Finds comparisons of a search with itself. They measure nothing, however many positions they take, so they are
//! errors of a run and have no verdict.

use std::fmt;

use thiserror::Error;

use crate::chess::config::Config;

/// The nodes that a search visited in one case: above the horizon, at it, and below it.
pub(super) type Visited = [u64; 3];

/// Both sides of a claim visit the same nodes in every case.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "a claim compares a search with itself: {sides} visit the same nodes in each of {cases} {of}"
)]
pub struct SameSearch {
    /// The two sides, in words.
    pub sides: String,
    /// How many positions, trees or pairs of games were searched by both.
    pub cases: usize,
    /// What the cases are: positions, trees or pairs.
    pub of: &'static str,
}

/// In how many cases the two sides of a claim visited different nodes: in one at least. Only `differ` makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Differ {
    different: usize,
    cases: usize,
    of: &'static str,
}

impl Differ {
    /// The one of two in which the smaller share of the cases differs: for a claim that follows from several
    /// comparisons.
    pub(super) fn or_fewer(self, other: Self) -> Self {
        if other.different * self.cases < self.different * other.cases {
            other
        } else {
            self
        }
    }
}

impl fmt::Display for Differ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} {}", self.different, self.cases, self.of)
    }
}

/// In how many cases the two sides visited different nodes. `of` names the cases: positions, trees or pairs.
///
/// # Errors
///
/// [`SameSearch`] if they visited the same nodes in every case.
pub(super) fn differ<V: PartialEq>(
    sides: impl FnOnce() -> String,
    of: &'static str,
    cases: impl IntoIterator<Item = (V, V)>,
) -> Result<Differ, SameSearch> {
    let (mut count, mut different) = (0, 0);
    for (ours, theirs) in cases {
        count += 1;
        different += usize::from(ours != theirs);
    }
    of_cases(sides, of, different, count)
}

/// [`differ`] for cases that are counted already.
pub(super) fn of_cases(
    sides: impl FnOnce() -> String,
    of: &'static str,
    different: usize,
    cases: usize,
) -> Result<Differ, SameSearch> {
    if different == 0 {
        let sides = sides();
        return Err(SameSearch { sides, cases, of });
    }
    Ok(Differ {
        different,
        cases,
        of,
    })
}

/// The differences of two configurations, in words.
pub(super) fn in_words(one: &Config, other: &Config) -> String {
    let fields = |config: &Config, other: &Config| {
        [
            format!("{:?}", config.ideas.difference(other.ideas)),
            format!("{:?}", config.null_move),
            format!("{:?} null moves in a row", config.consecutive),
            format!("{:?} quiet moves", config.quiet_order),
            format!("quiescence {:?}", config.quiescence),
            format!("margin {}", config.margin),
        ]
    };
    let pairs = fields(one, other).into_iter().zip(fields(other, one));
    let different: Vec<_> = pairs
        .filter(|(one, other)| one != other)
        .map(|(one, other)| format!("{one} and {other}"))
        .collect();
    if different.is_empty() {
        return "twice the same configuration".to_owned();
    }
    different.join(", ")
}
