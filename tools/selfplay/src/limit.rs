//! The limits of a game: nodes, plies or time a move, or a clock, which may count searched nodes
//! instead of seconds.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

use skewer_search::{Clock, Limits, TimeSource};
use skewer_types::Depth;
use skewer_uci_client::{Go, Timers};

/// How long an engine may think on a move without a time limit.
const LONGEST_MOVE: Duration = Duration::from_mins(5);
/// How much longer than its clock an engine may think before it counts as hung.
const HUNG_AFTER: Duration = Duration::from_secs(5);

/// The limit of each move of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Limit {
    /// Nodes a move.
    Nodes(u64),
    /// Plies a move.
    Depth(u32),
    /// Wall time a move.
    MoveTime(Duration),
    /// A clock for the game.
    Clock(TimeControl),
}

impl Limit {
    /// Whether wall time limits a move, so that the same game may be played differently on another
    /// machine. A clock that counts nodes does not.
    pub(crate) fn is_wall_time(self) -> bool {
        match self {
            Self::MoveTime(_) => true,
            Self::Clock(control) => control.source == TimeSource::Wall,
            Self::Nodes(_) | Self::Depth(_) => false,
        }
    }

    /// The nodes that count as a millisecond, if this is a clock that counts nodes.
    pub(crate) fn nodes_per_millisecond(self) -> Option<NonZeroU32> {
        match self {
            Self::Clock(TimeControl {
                source: TimeSource::Nodes { per_millisecond },
                ..
            }) => Some(per_millisecond),
            _ => None,
        }
    }
}

/// A game clock: a base time for a number of moves (or for the whole game), and an increment a
/// move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TimeControl {
    /// Moves after which the base time is added again; `None` if it is for the whole game.
    pub(crate) moves: Option<NonZeroU32>,
    /// The base time.
    pub(crate) base: Duration,
    /// Time added after each move.
    pub(crate) increment: Duration,
    /// What the clock counts. With [`TimeSource::Nodes`] a game is independent of the machine and
    /// its load, and still exercises time management.
    pub(crate) source: TimeSource,
}

/// A time for each move, from 0.001 to a million seconds; `None` outside this range.
pub(crate) fn move_time(seconds: f64) -> Option<Duration> {
    (0.001..=1e6)
        .contains(&seconds)
        .then(|| Duration::from_secs_f64(seconds))
}

/// The error for text that is not a time control.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "not a time control; write SECONDS+INCREMENT (1+0.01) or MOVES/SECONDS (40/60), with @NODES after \
     it for a clock that counts NODES searched nodes as a millisecond"
)]
pub(crate) struct TimeControlError;

impl FromStr for TimeControl {
    type Err = TimeControlError;

    /// Reads `10+0.1`, `10`, `40/60`, `40/60+0.5`, `1+0.01@500`; times are in seconds, and the
    /// number after `@` is the nodes that count as a millisecond.
    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let (text, source) = match text.split_once('@') {
            Some((text, nodes)) => {
                let per_millisecond = nodes.parse().map_err(|_| TimeControlError)?;
                (text, TimeSource::Nodes { per_millisecond })
            }
            None => (text, TimeSource::Wall),
        };
        let seconds = |text: &str| {
            text.parse::<f64>()
                .ok()
                .filter(|seconds| (0.0..=1e6).contains(seconds))
                .map(Duration::from_secs_f64)
                .ok_or(TimeControlError)
        };
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(moves.parse().map_err(|_| TimeControlError)?), rest),
            None => (None, text),
        };
        let (base, increment) = match rest.split_once('+') {
            Some((base, increment)) => (seconds(base)?, seconds(increment)?),
            None => (seconds(rest)?, Duration::ZERO),
        };
        if base.is_zero() && increment.is_zero() {
            return Err(TimeControlError);
        }
        Ok(Self {
            moves,
            base,
            increment,
            source,
        })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        match self.source {
            TimeSource::Wall => Ok(()),
            TimeSource::Nodes { per_millisecond } => write!(f, "@{per_millisecond}"),
        }
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
pub(crate) struct GameClock {
    limit: Limit,
    left: Duration,
    moves: u32,
}

impl GameClock {
    /// A clock that has not been started.
    pub(crate) fn new(limit: Limit) -> Self {
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
    pub(crate) fn left(&self) -> Option<Duration> {
        matches!(self.limit, Limit::Clock(_)).then_some(self.left)
    }

    fn moves_to_go(&self, control: &TimeControl) -> Option<NonZeroU32> {
        control
            .moves
            .and_then(|moves| NonZeroU32::new(moves.get() - self.moves % moves))
    }

    /// Wall time after which an engine that has not moved counts as hung. It is later than a loss
    /// on time.
    pub(crate) fn hung_after(&self) -> Duration {
        match self.limit {
            Limit::MoveTime(time) => time + HUNG_AFTER,
            Limit::Clock(control) if control.source == TimeSource::Wall => self.left + HUNG_AFTER,
            _ => LONGEST_MOVE,
        }
    }

    /// The cost of a move on this clock, from its wall time and its searched nodes.
    pub(crate) fn cost(&self, elapsed: Duration, nodes: u64) -> Duration {
        match self.limit.nodes_per_millisecond() {
            Some(per_millisecond) => {
                Duration::from_micros(nodes.saturating_mul(1000) / u64::from(per_millisecond.get()))
            }
            None => elapsed,
        }
    }

    /// Subtracts the cost of a move from the clock and adds the increment. Returns `false` if the move came
    /// too late.
    pub(crate) fn spend(&mut self, time: Duration, margin: Duration) -> bool {
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
    pub(crate) fn limits(&self) -> Limits {
        match self.limit {
            Limit::Nodes(nodes) => Limits::nodes(nodes),
            Limit::Depth(depth) => Limits::depth(depth as Depth),
            Limit::MoveTime(time) => Limits::move_time(time),
            Limit::Clock(control) => Limits {
                time_source: control.source,
                ..Limits::clock(Clock {
                    remaining: self.left,
                    increment: control.increment,
                    moves_to_go: self.moves_to_go(&control),
                })
            },
        }
    }
}

/// The limits of the next move for an engine in a process of its own, from White's and Black's clocks, with `mover` to
/// move.
pub(crate) fn go(mover: &GameClock, white: &GameClock, black: &GameClock) -> Go {
    match mover.limit {
        Limit::Nodes(nodes) => Go::nodes(nodes),
        Limit::Depth(depth) => Go::depth(depth),
        Limit::MoveTime(time) => Go::move_time(time),
        Limit::Clock(control) => {
            let times = |timer: &GameClock| match timer.limit {
                Limit::Clock(own) => (timer.left, own.increment),
                // The other side has no clock; send this side's values for it.
                _ => (mover.left, control.increment),
            };
            let (white, black) = (times(white), times(black));
            Go::timers(Timers {
                left: [white.0, black.0],
                increment: [white.1, black.1],
                moves_to_go: mover.moves_to_go(&control),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_MARGIN: Duration = Duration::ZERO;

    #[test]
    fn time_controls_are_read_and_written() {
        for text in [
            "1+0.01",
            "10",
            "40/60",
            "40/60.5+0.5",
            "0+0.1",
            "1+0.01@500",
        ] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), text);
        }
        for text in [
            "", "x", "0", "0/10", "10+", "-1", "nan", "1+inf", "40/", "1@", "1@0", "1@x", "@500",
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn clocks_run() {
        let control = "2/10+1".parse().unwrap();
        let mut timer = GameClock::new(Limit::Clock(control));
        let seconds = Duration::from_secs;
        assert!(timer.spend(seconds(4), NO_MARGIN));
        assert_eq!(timer.left(), Some(seconds(7)));
        let other = GameClock::new(Limit::Clock("5".parse().unwrap()));
        assert_eq!(
            go(&timer, &other, &timer).to_string(),
            "go wtime 5000 btime 7000 winc 0 binc 1000 movestogo 1"
        );
        assert!(timer.spend(seconds(7), NO_MARGIN));
        assert_eq!(timer.left(), Some(seconds(11)));
        assert!(!timer.spend(seconds(12), NO_MARGIN));
        assert!(timer.spend(seconds(12), seconds(1)));
        let mut timer = GameClock::new(Limit::MoveTime(seconds(1)));
        assert!(timer.spend(seconds(1), NO_MARGIN) && !timer.spend(seconds(2), NO_MARGIN));
        assert!(GameClock::new(Limit::Nodes(5)).spend(seconds(200), NO_MARGIN));
    }

    #[test]
    fn a_node_clock_counts_nodes_alone() {
        let limit = Limit::Clock("1+0.01@500".parse().unwrap());
        assert!(!limit.is_wall_time());
        let mut timer = GameClock::new(limit);
        let hour = Duration::from_hours(1);
        let cost = timer.cost(hour, 250_000);
        assert_eq!(cost, Duration::from_millis(500));
        assert!(timer.spend(cost, NO_MARGIN));
        assert_eq!(timer.left(), Some(Duration::from_millis(510)));
        let limits = timer.limits();
        assert_eq!(limits.clock.unwrap().remaining, Duration::from_millis(510));
        let TimeSource::Nodes { per_millisecond } = limits.time_source else {
            panic!("the search counts wall time");
        };
        assert_eq!(per_millisecond.get(), 500);
        assert!(!timer.spend(timer.cost(Duration::ZERO, 255_500), NO_MARGIN));
        let wall = GameClock::new(Limit::Clock("1+0.01".parse().unwrap()));
        assert_eq!(wall.cost(hour, 250_000), hour);
    }
}
