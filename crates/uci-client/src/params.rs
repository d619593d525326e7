//! How much time and memory an engine may take.

use std::sync::Arc;
use std::time::Duration;

use crate::clock::{Clock, SystemClock};

/// How often a wait looks at the clock and asks whether to give up.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// How long an engine may take to quit before it is killed.
pub(crate) const QUIT_TIMEOUT: Duration = Duration::from_secs(1);

/// The size of the queue of commands to an engine; when it is full, the engine does not read.
pub(crate) const INPUT_LINES: usize = 64;

/// The size of the queue of lines from an engine; when it is full, no more lines are read.
pub(crate) const OUTPUT_LINES: usize = 1024;

/// The greatest depth that is accepted, in plies.
pub(crate) const MOST_DEPTH: u32 = 1000;

/// The most lines that are accepted; no position has more moves.
pub(crate) const MOST_LINES: u32 = 256;

/// The greatest distance of a score from zero that is accepted, in hundredths of a pawn.
pub(crate) const MOST_CENTIPAWNS: i32 = 1_000_000;

/// The longest mate that is accepted, in moves.
pub(crate) const MOST_MATE: i32 = 1000;

/// The most nodes that are accepted: a search of a day at more than ten thousand million nodes a second.
pub(crate) const MOST_NODES: u64 = 1_000_000_000_000_000;

/// The longest time of a search that is accepted, in milliseconds: 30 years.
pub(crate) const MOST_MILLISECONDS: u64 = 1_000_000_000_000;

/// What an engine may take before it counts as broken.
#[derive(Debug, Clone)]
pub struct Bounds {
    /// How long it may take to start, to get ready, or to answer a `stop`.
    pub response: Duration,
    /// The longest line that it may write, in bytes.
    pub line_bytes: usize,
    /// How much it may write after a command, in bytes a second, averaged over at least a second.
    pub bytes_per_second: u32,
    /// The clock that all of this is measured by.
    pub clock: Arc<dyn Clock>,
}

impl Default for Bounds {
    /// 15 seconds, lines of 64 KiB, 4 MiB a second, the clock of the system.
    fn default() -> Self {
        Self {
            response: Duration::from_secs(15),
            line_bytes: 1 << 16,
            bytes_per_second: 4 << 20,
            clock: Arc::new(SystemClock),
        }
    }
}
