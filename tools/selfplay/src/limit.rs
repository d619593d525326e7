//! What an engine may spend on a move: nodes, plies, or time.

use std::fmt::{self, Write as _};
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

use skewer_search::{Clock, Limits};
use skewer_types::Depth;

use crate::params::matches as params;

/// The limit of each move of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// So many nodes.
    Nodes(u64),
    /// So many plies.
    Depth(u32),
    /// So much time.
    MoveTime(Duration),
    /// A clock for the game.
    Clock(TimeControl),
}

impl Limit {
    /// Whether it is time that a move costs, so that the machine has a part in the moves.
    pub fn is_time(self) -> bool {
        matches!(self, Self::MoveTime(_) | Self::Clock(_))
    }
}

/// A clock: so much time for so many moves (or for all), and some more with each move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeControl {
    /// Moves that the time is for, after which it is given again; `None` is the whole game.
    pub moves: Option<NonZeroU32>,
    /// The time.
    pub base: Duration,
    /// What each move adds.
    pub increment: Duration,
}

/// Text that is no time control.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadTimeControl;

impl fmt::Display for BadTimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a time control; say SECONDS+INCREMENT (as 1+0.01) or MOVES/SECONDS")
    }
}

impl std::error::Error for BadTimeControl {}

impl FromStr for TimeControl {
    type Err = BadTimeControl;

    /// Reads `10+0.1`, `10`, `40/60`, `40/60+0.5`; times are in seconds.
    fn from_str(text: &str) -> Result<Self, BadTimeControl> {
        let seconds = |text: &str| {
            text.parse::<f64>()
                .ok()
                .filter(|seconds| (0.0..=1e6).contains(seconds))
                .map(Duration::from_secs_f64)
                .ok_or(BadTimeControl)
        };
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(moves.parse().map_err(|_| BadTimeControl)?), rest),
            None => (None, text),
        };
        let (base, increment) = match rest.split_once('+') {
            Some((base, increment)) => (seconds(base)?, seconds(increment)?),
            None => (seconds(rest)?, Duration::ZERO),
        };
        if base.is_zero() && increment.is_zero() {
            return Err(BadTimeControl);
        }
        Ok(Self {
            moves,
            base,
            increment,
        })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if self.increment.is_zero() {
            return Ok(());
        }
        write!(f, "+{}", self.increment.as_secs_f64())
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nodes(nodes) => write!(f, "{nodes} nodes a move"),
            Self::Depth(depth) => write!(f, "{depth} plies"),
            Self::MoveTime(time) => write!(f, "{} s a move", time.as_secs_f64()),
            Self::Clock(control) => write!(f, "{control}"),
        }
    }
}

/// One player's clock in a game.
#[derive(Debug, Clone, Copy)]
pub struct Timer {
    limit: Limit,
    left: Duration,
    moves: u32,
}

impl Timer {
    /// A clock that has not been started.
    pub fn new(limit: Limit) -> Self {
        Self {
            limit,
            left: match limit {
                Limit::Clock(control) => control.base,
                _ => Duration::ZERO,
            },
            moves: 0,
        }
    }

    /// Time left; `None` if there is no clock.
    pub fn left(&self) -> Option<Duration> {
        matches!(self.limit, Limit::Clock(_)).then_some(self.left)
    }

    fn moves_to_go(&self, control: &TimeControl) -> Option<NonZeroU32> {
        control
            .moves
            .and_then(|moves| NonZeroU32::new(moves.get() - self.moves % moves))
    }

    /// How long an engine may take for its move before it counts as hung, which is later than it
    /// loses on time.
    pub fn patience(&self) -> Duration {
        match self.limit {
            Limit::Nodes(_) | Limit::Depth(_) => params::LONGEST_MOVE,
            Limit::MoveTime(time) => time + params::HUNG_AFTER,
            Limit::Clock(_) => self.left + params::HUNG_AFTER,
        }
    }

    /// Takes the time of a move off the clock and gives what the move adds. `false` if the move
    /// came too late.
    pub fn spend(&mut self, time: Duration, margin: Duration) -> bool {
        self.moves += 1;
        match self.limit {
            Limit::Nodes(_) | Limit::Depth(_) => true,
            Limit::MoveTime(allowed) => time <= allowed + margin,
            Limit::Clock(control) => {
                if time > self.left + margin {
                    return false;
                }
                self.left = self.left.saturating_sub(time) + control.increment;
                if let Some(moves) = control.moves
                    && self.moves.is_multiple_of(moves.get())
                {
                    self.left += control.base;
                }
                true
            }
        }
    }

    /// The limits of the next move, for a search in this process.
    pub fn limits(&self) -> Limits {
        match self.limit {
            Limit::Nodes(nodes) => Limits::nodes(nodes),
            Limit::Depth(depth) => Limits::depth(depth as Depth),
            Limit::MoveTime(time) => Limits::move_time(time),
            Limit::Clock(control) => Limits::clock(Clock {
                remaining: self.left,
                increment: control.increment,
                moves_to_go: self.moves_to_go(&control),
            }),
        }
    }
}

/// The `go` command for White's and Black's clocks with `mover` to move.
pub fn go_command(mover: &Timer, white: &Timer, black: &Timer) -> String {
    match mover.limit {
        Limit::Nodes(nodes) => format!("go nodes {nodes}"),
        Limit::Depth(depth) => format!("go depth {depth}"),
        Limit::MoveTime(time) => format!("go movetime {}", time.as_millis()),
        Limit::Clock(control) => {
            let milliseconds = |timer: &Timer| match timer.limit {
                Limit::Clock(own) => (timer.left.as_millis(), own.increment.as_millis()),
                // The other side has no clock: whatever is said of it is a guess.
                _ => (mover.left.as_millis(), control.increment.as_millis()),
            };
            let ((wtime, winc), (btime, binc)) = (milliseconds(white), milliseconds(black));
            let mut command = format!("go wtime {wtime} btime {btime} winc {winc} binc {binc}");
            if let Some(moves) = mover.moves_to_go(&control) {
                let _ = write!(command, " movestogo {moves}");
            }
            command
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_MARGIN: Duration = Duration::ZERO;

    #[test]
    fn time_controls_are_read_and_written() {
        for text in ["1+0.01", "10", "40/60", "40/60.5+0.5", "0+0.1"] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), text);
        }
        for text in ["", "x", "0", "0/10", "10+", "-1", "nan", "1+inf", "40/"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn clocks_run() {
        let control = "2/10+1".parse().unwrap();
        let mut timer = Timer::new(Limit::Clock(control));
        let seconds = Duration::from_secs;
        assert!(timer.spend(seconds(4), NO_MARGIN));
        assert_eq!(timer.left(), Some(seconds(7)));
        let other = Timer::new(Limit::Clock("5".parse().unwrap()));
        assert_eq!(
            go_command(&timer, &other, &timer),
            "go wtime 5000 btime 7000 winc 0 binc 1000 movestogo 1"
        );
        assert!(timer.spend(seconds(7), NO_MARGIN));
        assert_eq!(timer.left(), Some(seconds(11)));
        assert!(!timer.spend(seconds(12), NO_MARGIN));
        assert!(timer.spend(seconds(12), seconds(1)));
        let mut timer = Timer::new(Limit::MoveTime(seconds(1)));
        assert!(timer.spend(seconds(1), NO_MARGIN) && !timer.spend(seconds(2), NO_MARGIN));
        assert!(Timer::new(Limit::Nodes(5)).spend(seconds(200), NO_MARGIN));
    }
}
