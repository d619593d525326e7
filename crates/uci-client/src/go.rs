//! The limits of a search as the `go` command.

use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;

/// Both clocks of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timers {
    /// Time left of White and Black.
    pub left: [Duration; 2],
    /// Time added after each move of White and Black.
    pub increment: [Duration; 2],
    /// Moves until time is added for the side to move; `None` if that never happens.
    pub moves_to_go: Option<NonZeroU32>,
}

/// The limits of a search; the tightest ends it. Displayed as the `go` command. Without a limit it is
/// `go infinite`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Go {
    /// Nodes.
    pub nodes: Option<u64>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Time for the move.
    pub move_time: Option<Duration>,
    /// The clocks.
    pub timers: Option<Timers>,
}

impl Go {
    /// A search of this many nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }

    /// A search of this many plies.
    pub fn depth(plies: u32) -> Self {
        Self {
            depth: Some(plies),
            ..Self::default()
        }
    }

    /// A search of this time.
    pub fn move_time(time: Duration) -> Self {
        Self {
            move_time: Some(time),
            ..Self::default()
        }
    }

    /// A search by the clocks.
    pub fn timers(timers: Timers) -> Self {
        Self {
            timers: Some(timers),
            ..Self::default()
        }
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::default() {
            return f.write_str("go infinite");
        }
        f.write_str("go")?;
        if let Some(nodes) = self.nodes {
            write!(f, " nodes {nodes}")?;
        }
        if let Some(depth) = self.depth {
            write!(f, " depth {depth}")?;
        }
        if let Some(time) = self.move_time {
            write!(f, " movetime {}", time.as_millis())?;
        }
        if let Some(timers) = self.timers {
            let [wtime, btime] = timers.left.map(|time| time.as_millis());
            let [winc, binc] = timers.increment.map(|time| time.as_millis());
            write!(f, " wtime {wtime} btime {btime} winc {winc} binc {binc}")?;
            if let Some(moves) = timers.moves_to_go {
                write!(f, " movestogo {moves}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_written_as_the_command() {
        assert_eq!(Go::default().to_string(), "go infinite");
        assert_eq!(Go::depth(7).to_string(), "go depth 7");
        let both = Go {
            move_time: Some(Duration::from_millis(20)),
            ..Go::nodes(5)
        };
        assert_eq!(both.to_string(), "go nodes 5 movetime 20");
        let timers = Timers {
            left: [Duration::from_secs(1), Duration::from_secs(2)],
            increment: [Duration::ZERO, Duration::from_millis(10)],
            moves_to_go: NonZeroU32::new(3),
        };
        assert_eq!(
            Go::timers(timers).to_string(),
            "go wtime 1000 btime 2000 winc 0 binc 10 movestogo 3"
        );
    }
}
