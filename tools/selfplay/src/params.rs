//! Parameters of games, and the defaults of command-line options.

use std::time::Duration;

/// How training games are played and ended. Scores are in units of
/// [`Score`](skewer_types::Score), about a hundredth of a pawn.
pub(crate) mod datagen {
    /// Nodes of a move after which no iteration starts.
    pub(crate) const SOFT_NODES: u64 = 1000;
    /// The hard node limit of a move, as a multiple of the soft one. Few iterations are longer, and those would take a
    /// large share of all nodes.
    pub(crate) const HARD_FACTOR: u64 = 2;
    /// Divides the nodes of a move out of check, because positions in check are not used for training.
    pub(crate) const CHECK_DIVISOR: u64 = 2;
    /// Random moves at the start of a game: the fewest and the most.
    pub(crate) const RANDOM_PLIES: (u32, u32) = (8, 9);
    /// An opening whose first score is further from zero than this is discarded.
    pub(crate) const OPENING_LIMIT: u32 = 1000;
    /// When a game is adjudicated as won, in the syntax of `--resign`: moves of each side and their score.
    pub(crate) const RESIGN: &str = "2:2250";
    /// When a game is adjudicated as drawn, in the syntax of `--draw`: the first move that counts, moves of
    /// each side and the greatest distance of their scores from zero.
    pub(crate) const DRAW: &str = "41:6:8";
    /// A game of this many plies is drawn.
    pub(crate) const MAX_PLIES: u32 = 500;
    /// Size of each thread's hash table, in megabytes: enough for a game at a thousand nodes a move, and
    /// small enough for the processor's second-level cache.
    pub(crate) const HASH_MB: usize = 1;
}

/// How matches are played.
pub(crate) mod matches {
    use super::Duration;

    /// Size of each engine's hash table, in megabytes.
    pub(crate) const HASH_MB: usize = 16;
    /// The largest hash table of an engine, in megabytes.
    pub(crate) const MAX_HASH_MB: u64 = 65_536;
    /// How long an engine may take to start, to get ready, or to answer a stop.
    pub(crate) const RESPONSE_TIMEOUT: Duration = Duration::from_secs(15);
    /// The longest line that an engine may write, in bytes.
    pub(crate) const LINE_BYTES: usize = 1 << 16;
    /// The size of the queue of lines from an engine; when it is full, no more are read.
    pub(crate) const OUTPUT_LINES: usize = 1024;
    /// The size of the queue of commands to an engine; when it is full, the engine counts as hung.
    pub(crate) const INPUT_LINES: usize = 64;
    /// How much an engine may write, in bytes a second, averaged over a second.
    pub(crate) const OUTPUT_RATE: usize = 4 << 20;
}
