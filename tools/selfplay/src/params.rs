//! The numbers that games are played by, unless a command says otherwise.

use std::time::Duration;

/// How training games are played and ended. Scores are in units of
/// [`Score`](skewer_types::Score), about a hundredth of a pawn.
pub mod datagen {
    /// Nodes a move after which the search goes no deeper.
    pub const SOFT_NODES: u64 = 1000;
    /// How many times as many nodes a move may take at most.
    pub const HARD_FACTOR: u64 = 8;
    /// Random moves at the start of a game: the fewest and the most.
    pub const RANDOM_PLIES: (u32, u32) = (8, 9);
    /// An opening whose first score is further from zero than this is discarded.
    pub const OPENING_LIMIT: u32 = 1000;
    /// When a game ends as won, as `--resign` has it: moves of each side and their score.
    pub const RESIGN: &str = "2:2250";
    /// When a game ends as drawn, as `--draw` has it: the first move that counts, moves of each
    /// side and the farthest that their scores may be from zero.
    pub const DRAW: &str = "41:6:8";
    /// A game of this many plies is drawn.
    pub const MAX_PLIES: u32 = 500;
    /// Size of each thread's hash table, in megabytes: enough for a game at a few thousand nodes
    /// a move, and quick to clear.
    pub const HASH_MB: usize = 4;
}

/// How matches are played.
pub mod matches {
    use super::Duration;

    /// Size of each engine's hash table, in megabytes.
    pub const HASH_MB: usize = 16;
    /// How much longer than its clock allows an engine may take before it loses on time: what
    /// the pipes and a busy machine may cost.
    pub const TIME_MARGIN: Duration = Duration::from_millis(20);
    /// How long an engine may take to start, to get ready, or to answer a stop.
    pub const PATIENCE: Duration = Duration::from_secs(15);
    /// How long an engine may think when its clock does not say so.
    pub const LONGEST_MOVE: Duration = Duration::from_mins(5);
    /// How much longer than its clock an engine may think before it counts as hung.
    pub const HUNG_AFTER: Duration = Duration::from_secs(5);
    /// The longest line that an engine may write, in bytes.
    pub const LINE_BYTES: usize = 1 << 16;
    /// How many lines of an engine wait to be looked at before no more are read.
    pub const OUTPUT_LINES: usize = 1024;
    /// How many commands wait for an engine to read them before it counts as one that never reads.
    pub const INPUT_LINES: usize = 64;
    /// How much an engine may write, in bytes a second. One second's worth may come at once.
    pub const OUTPUT_RATE: usize = 4 << 20;
    /// A game of this many plies is drawn.
    pub const MAX_PLIES: u32 = 600;
    /// Random openings are within this of level by the judge's search, in units of
    /// [`Score`](skewer_types::Score).
    pub const OPENING_MARGIN: u32 = 90;
    /// How many random openings are tried for a balanced one.
    pub const OPENING_TRIES: u32 = 200;
    /// Nodes with which the judge looks at an opening.
    pub const JUDGE_NODES: u64 = 5_000;
}
