//! What the options are set to, as far as the session keeps it; the rest is the engine's.

use std::num::NonZeroU32;
use std::time::Duration;

use skewer_movegen::CastlingMode;
use skewer_smp::TimeSource;

use crate::options::{Change, DEFAULT_MOVE_OVERHEAD_MS};
use crate::output::Style;

/// The settings of a session.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) multi_pv: usize,
    pub(crate) move_overhead: Duration,
    pub(crate) castling: CastlingMode,
    pub(crate) time_source: TimeSource,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            multi_pv: 1,
            move_overhead: Duration::from_millis(DEFAULT_MOVE_OVERHEAD_MS as u64),
            castling: CastlingMode::Standard,
            time_source: TimeSource::Wall,
        }
    }
}

impl Settings {
    /// Makes a change, if it is one that the session keeps.
    pub(crate) fn change(&mut self, change: &Change) {
        match *change {
            Change::MultiPv(lines) => self.multi_pv = lines,
            Change::MoveOverhead(overhead) => self.move_overhead = overhead,
            Change::Chess960(true) => self.castling = CastlingMode::Chess960,
            Change::Chess960(false) => self.castling = CastlingMode::Standard,
            Change::NodesTime(nodes) => {
                self.time_source = NonZeroU32::new(nodes)
                    .map_or(TimeSource::Wall, |per_millisecond| TimeSource::Nodes {
                        per_millisecond,
                    });
            }
            _ => {}
        }
    }

    /// How lines of analysis are to be written.
    pub(crate) fn style(&self) -> Style {
        Style {
            castling: self.castling,
        }
    }
}
