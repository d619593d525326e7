//! Which games of a list to analyse.

use std::fmt::{self, Display, Formatter};
use std::ops::Range;
use std::str::FromStr;

/// Which games to analyse, by their numbers among the games of all files, from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Selection {
    first: u64,
    step: u64,
    /// The first number after the selected games.
    pub(crate) end: u64,
}

impl Selection {
    /// All games.
    pub const ALL: Self = Self {
        first: 1,
        step: 1,
        end: u64::MAX,
    };

    /// Every `of`-th game, starting with game `part`. `None` unless 1 <= `part` <= `of`.
    pub fn shard(part: u64, of: u64) -> Option<Self> {
        (1..=of).contains(&part).then_some(Self {
            first: part,
            step: of,
            ..Self::ALL
        })
    }

    /// The games with these numbers.
    pub fn range(numbers: Range<u64>) -> Self {
        Self {
            first: numbers.start.max(1),
            step: 1,
            end: numbers.end,
        }
    }

    /// Whether the game with this number is selected.
    pub fn has(self, number: u64) -> bool {
        (self.first..self.end).contains(&number) && (number - self.first).is_multiple_of(self.step)
    }
}

/// A shard as `I/N`. A range of numbers has its bounds in words.
impl Display for Selection {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { first, step, end } = self;
        if *end == u64::MAX {
            write!(f, "{first}/{step}")
        } else {
            write!(f, "numbers {first} to {}", end.saturating_sub(1))
        }
    }
}

/// A text that is no shard.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{0}\" is not I/N with I from 1 to N")]
pub struct NoShard(String);

/// Reads a shard, `I/N`.
impl FromStr for Selection {
    type Err = NoShard;

    fn from_str(text: &str) -> Result<Self, NoShard> {
        let parts = text.split_once('/');
        parts
            .and_then(|(part, of)| Self::shard(part.trim().parse().ok()?, of.trim().parse().ok()?))
            .ok_or_else(|| NoShard(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_read_as_they_are_written() {
        assert_eq!("2/3".parse().ok(), Selection::shard(2, 3));
        assert_eq!(Selection::ALL.to_string(), "1/1");
        assert_eq!("4/9".parse::<Selection>().unwrap().to_string(), "4/9");
        for wrong in ["0/3", "4/3", "1", "a/b", "1/0", "-1/2"] {
            assert!(wrong.parse::<Selection>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn shards_share_the_games() {
        for number in 1..100 {
            let owners = (1..=7)
                .filter(|&part| Selection::shard(part, 7).unwrap().has(number))
                .count();
            assert_eq!(owners, 1);
            assert!(Selection::ALL.has(number));
            assert_eq!(Selection::range(3..5).has(number), [3, 4].contains(&number));
        }
        for (part, of) in [(0, 3), (4, 3), (1, 0)] {
            assert_eq!(Selection::shard(part, of), None);
        }
    }
}
