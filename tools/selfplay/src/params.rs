//! Parameters of games, and the defaults of command-line options.

/// How training games are played and ended. Scores are in units of
/// [`Score`](skewer_types::Score).
pub(crate) mod datagen {
    /// Nodes of a move after which no iteration starts.
    pub(crate) const SOFT_NODES: u64 = 150;
    /// The hard node limit of a move, as a multiple of the soft limit. Few iterations are longer, but they would take
    /// a large share of all nodes.
    pub(crate) const HARD_FACTOR: u64 = 2;
    /// Divides the node limits of a move if the side to move is in check, because positions in check are not used
    /// for training.
    pub(crate) const CHECK_DIVISOR: u64 = 2;
    /// Random moves at the start of a game: the fewest and the most.
    pub(crate) const RANDOM_PLIES: (u32, u32) = (8, 9);
    /// An opening whose first score is further from zero than this is discarded.
    pub(crate) const OPENING_LIMIT: u32 = 250;
    /// When a game is adjudicated as won, in the syntax of `--resign`: moves of each side and their score.
    pub(crate) const RESIGN: &str = "2:1000";
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
    /// Size of each engine's hash table, in megabytes.
    pub(crate) const HASH_MB: usize = 16;
    /// The largest hash table of an engine, in megabytes.
    pub(crate) const MAX_HASH_MB: u64 = 65_536;
}
