//! Finds comparisons of a search with itself. They measure nothing, however many positions they take, so they are
//! errors of a run and have no verdict.

use thiserror::Error;

use crate::chess::config::Config;

/// The nodes that a search visited in one case: above the horizon, at it, and below it.
pub(super) type Visited = [u64; 3];

/// Both sides of a claim visit the same nodes in every case.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "a claim compares a search with itself: {sides} visit the same nodes in each of {cases} cases"
)]
pub struct SameSearch {
    /// The two sides, in words.
    pub sides: String,
    /// How many positions, trees or pairs of games were searched by both.
    pub cases: usize,
}

/// Refuses two sides that visited the same nodes in every case.
pub(super) fn refuse_same(
    sides: impl FnOnce() -> String,
    cases: impl IntoIterator<Item = (Visited, Visited)>,
) -> Result<(), SameSearch> {
    let (mut count, mut same) = (0, true);
    for (ours, theirs) in cases {
        count += 1;
        same &= ours == theirs;
    }
    if same {
        let (sides, cases) = (sides(), count);
        return Err(SameSearch { sides, cases });
    }
    Ok(())
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
