//! Won, level and lost positions by the chances of the win model: the one definition for motifs, sentences and
//! aggregates.

use serde::Serialize;
use skewer_movegen::Color;
use strum::IntoStaticStr;

use crate::params::{CLEAR, LEVEL_POINTS, SLIPPED_FROM, SLIPPED_POINTS};

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

/// A change of standing by a move.
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
        let is_level = Standing::of(before) == Standing::Level && points(before) >= LEVEL_POINTS;
        if before[0] >= SLIPPED_FROM && points(after) < SLIPPED_POINTS {
            Some(Self::WinToNoWin)
        } else if is_level && Standing::of(after) == Standing::Losing {
            Some(Self::LevelToLost)
        } else {
            None
        }
    }
}

/// The points of a player, in thousandths: a draw is half a point.
fn points([win, draw, _]: Chances) -> u32 {
    win + draw / 2
}

/// The chances of one player, from White's chances.
pub fn for_player([win, draw, loss]: Chances, player: Color) -> Chances {
    match player {
        Color::White => [win, draw, loss],
        Color::Black => [loss, draw, win],
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
            Standing::of(for_player([750, 250, 0], Color::Black)),
            Standing::Losing
        );
    }

    /// A win that is still likely has not been let go, and a bad position that gets worse was not level.
    #[test]
    fn only_clear_changes_have_a_name() {
        let changes = [
            ([850, 140, 10], [300, 598, 102], Some(Change::WinToNoWin)),
            ([850, 140, 10], [300, 600, 100], None),
            // Half of the games won, and most of the others lost, is no win either.
            ([850, 140, 10], [500, 100, 400], Some(Change::WinToNoWin)),
            ([849, 150, 1], [0, 900, 100], None),
            // Won, if not clearly, is not level.
            ([CLEAR, 250, 0], [0, 50, 950], None),
            // A level position in an opening, and one in an endgame.
            ([250, 500, 250], [0, 200, 800], Some(Change::LevelToLost)),
            ([10, 980, 10], [0, 200, 800], Some(Change::LevelToLost)),
            ([0, 900, 100], [0, 200, 800], Some(Change::LevelToLost)),
            ([0, 898, 102], [0, 200, 800], None),
            ([900, 100, 0], [0, 50, 950], Some(Change::WinToNoWin)),
        ];
        for (before, after, change) in changes {
            assert_eq!(Change::of(before, after), change, "{before:?} {after:?}");
        }
    }
}
