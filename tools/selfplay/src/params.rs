//! Parameters of games, and the defaults of command-line options.

use std::time::Duration;

/// How training games are played and ended. Scores are in units of
/// [`Score`](skewer_types::Score), about a hundredth of a pawn.
pub mod datagen {
    /// Nodes of a move after which no iteration starts.
    pub const SOFT_NODES: u64 = 1000;
    /// The hard node limit of a move, as a multiple of the soft one.
    pub const HARD_FACTOR: u64 = 8;
    /// Random moves at the start of a game: the fewest and the most.
    pub const RANDOM_PLIES: (u32, u32) = (8, 9);
    /// An opening whose first score is further from zero than this is discarded.
    pub const OPENING_LIMIT: u32 = 1000;
    /// When a game is adjudicated as won, in the syntax of `--resign`: moves of each side and their score.
    pub const RESIGN: &str = "2:2250";
    /// When a game is adjudicated as drawn, in the syntax of `--draw`: the first move that counts, moves of
    /// each side and the greatest distance of their scores from zero.
    pub const DRAW: &str = "41:6:8";
    /// A game of this many plies is drawn.
    pub const MAX_PLIES: u32 = 500;
    /// Size of each thread's hash table, in megabytes: enough for a game at a thousand nodes a move, and
    /// small enough for the processor's second-level cache.
    pub const HASH_MB: usize = 1;
}

/// How matches are played.
pub mod matches {
    use super::Duration;

    /// Size of each engine's hash table, in megabytes.
    pub const HASH_MB: usize = 16;
    /// The largest hash table of an engine, in megabytes.
    pub const MAX_HASH_MB: u64 = 65_536;
    /// By how much an engine may exceed its clock before it loses on time: an allowance for pipes and a
    /// busy machine.
    pub const TIME_MARGIN: Duration = Duration::from_millis(20);
    /// How long an engine may take to start, to get ready, or to answer a stop.
    pub const RESPONSE_TIMEOUT: Duration = Duration::from_secs(15);
    /// How long an engine may think on a move without a time limit.
    pub const LONGEST_MOVE: Duration = Duration::from_mins(5);
    /// How much longer than its clock an engine may think before it counts as hung.
    pub const HUNG_AFTER: Duration = Duration::from_secs(5);
    /// The longest line that an engine may write, in bytes.
    pub const LINE_BYTES: usize = 1 << 16;
    /// The size of the queue of lines from an engine; when it is full, no more are read.
    pub const OUTPUT_LINES: usize = 1024;
    /// The size of the queue of commands to an engine; when it is full, the engine counts as hung.
    pub const INPUT_LINES: usize = 64;
    /// How much an engine may write, in bytes a second, averaged over a second.
    pub const OUTPUT_RATE: usize = 4 << 20;
    /// A game of this many plies is drawn.
    pub const MAX_PLIES: u32 = 600;
    /// The greatest score of a random opening by the judge's search, in units of
    /// [`Score`](skewer_types::Score).
    pub const OPENING_MARGIN: u32 = 90;
    /// How many random openings are tried for a balanced one.
    pub const OPENING_TRIES: u32 = 200;
    /// Nodes that the judge searches for an opening.
    pub const JUDGE_NODES: u64 = 5_000;
}
