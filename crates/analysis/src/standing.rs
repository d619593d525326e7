//! Won, level and lost: one definition for motifs, sentences and aggregates, by the chances of the win model.

use serde::Serialize;
use strum::IntoStaticStr;

use crate::params::{CLEAR, LEVEL_LOSS, SLIPPED_FROM, SLIPPED_WIN};

/// The chances of a player to win, draw and lose, in thousandths.
pub type Chances = [u32; 3];

/// The state of the game for a player.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Standing {
    /// The player wins at least three games of four.
    Winning,
    /// Between the two.
    Level,
    /// The player loses at least three games of four.
    Losing,
}

impl Standing {
    /// The standing of a player with these chances.
    pub fn of([win, _, loss]: Chances) -> Self {
        if win >= CLEAR {
            Self::Winning
        } else if loss >= CLEAR {
            Self::Losing
        } else {
            Self::Level
        }
    }
}

/// What a move did to a standing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// The position was clearly won, and is far from it.
    WinToNoWin,
    /// The position was far from lost, and is lost.
    LevelToLost,
}

impl Change {
    /// The change from the chances before a move to the chances after it.
    pub fn of(before: Chances, after: Chances) -> Option<Self> {
        let is_level = Standing::of(before) == Standing::Level && before[2] < LEVEL_LOSS;
        if before[0] >= SLIPPED_FROM && after[0] < SLIPPED_WIN {
            Some(Self::WinToNoWin)
        } else if is_level && Standing::of(after) == Standing::Losing {
            Some(Self::LevelToLost)
        } else {
            None
        }
    }
}

/// The chances of one player, from White's chances.
pub fn for_player([win, draw, loss]: Chances, is_white: bool) -> Chances {
    if is_white {
        [win, draw, loss]
    } else {
        [loss, draw, win]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Won and lost are three games of four, for either side.
    #[test]
    fn won_and_lost_are_three_games_of_four() {
        assert_eq!(Standing::of([750, 250, 0]), Standing::Winning);
        assert_eq!(Standing::of([749, 251, 0]), Standing::Level);
        assert_eq!(Standing::of([0, 249, 751]), Standing::Losing);
        assert_eq!(
            Standing::of(for_player([750, 250, 0], false)),
            Standing::Losing
        );
    }

    /// A win that is still likely has not been let go, and a bad position that gets worse was not level.
    #[test]
    fn only_clear_changes_have_a_name() {
        let changes = [
            (
                [SLIPPED_FROM, 140, 10],
                [SLIPPED_WIN - 1, 700, 101],
                Some(Change::WinToNoWin),
            ),
            ([SLIPPED_FROM, 140, 10], [SLIPPED_WIN, 600, 100], None),
            ([SLIPPED_FROM - 1, 150, 1], [0, 900, 100], None),
            // Won, if not clearly, is not level.
            ([CLEAR, 250, 0], [0, 50, 950], None),
            (
                [100, 700, LEVEL_LOSS - 1],
                [0, 200, 800],
                Some(Change::LevelToLost),
            ),
            ([0, 600, LEVEL_LOSS], [0, 200, 800], None),
            ([900, 100, 0], [0, 50, 950], Some(Change::WinToNoWin)),
        ];
        for (before, after, change) in changes {
            assert_eq!(Change::of(before, after), change, "{before:?} {after:?}");
        }
    }
}
