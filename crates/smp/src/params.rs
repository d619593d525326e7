//! Parameters of this crate.

use std::time::Duration;

/// The stack of a worker, in bytes: far more than a build with optimisations needs, since builds without them need more.
/// Unused pages take no memory.
pub(crate) const STACK_BYTES: usize = 32 << 20;

/// Workers take turns if there are more than this many for each core.
pub(crate) const CROWD: usize = 4;

/// How long a search runs before it reports its current root move.
pub(crate) const FIRST_CURRENT_MOVE: Duration = Duration::from_secs(3);

/// The interval between reports of the current root move.
pub(crate) const NEXT_CURRENT_MOVE: Duration = Duration::from_secs(1);

/// The interval at which a caller that waits for a search is asked whether to stop the search.
pub(crate) const LOOK_INTERVAL: Duration = Duration::from_millis(5);

/// Added to the difference between a worker's score and the worst score, in units of `Score`, before the difference is
/// multiplied by the depth, so that the worst score still has a vote.
pub(crate) const VOTE_SCORE_OFFSET: i32 = 10;

/// The greatest number of workers.
pub const MAX_THREADS: usize = if cfg!(target_family = "wasm") {
    1
} else {
    1024
};

/// The default size of the hash table, in MiB.
pub const DEFAULT_HASH_MB: usize = 16;

/// The most threads of one rayon pool of workers.
pub(crate) const POOL_THREADS: usize = 32;
