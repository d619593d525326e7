//! Which games of a list to analyse.

use std::ops::Range;

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

#[cfg(test)]
mod tests {
    use super::*;

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
