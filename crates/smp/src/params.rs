//! The numbers of this crate, each with its meaning and unit.

use std::time::Duration;

/// The stack of a worker, in bytes. The deepest line takes a good deal less in release builds;
/// the rest is for builds without optimisation. Pages that are not used cost nothing.
pub(crate) const STACK_BYTES: usize = 32 << 20;

/// How long a search lasts before it is said which root move is being looked at.
pub(crate) const FIRST_CURRENT_MOVE: Duration = Duration::from_secs(3);

/// And how long until it is said again.
pub(crate) const NEXT_CURRENT_MOVE: Duration = Duration::from_secs(1);

/// How long after its hard limit of time the worker that keeps it is given to notice.
pub(crate) const CURFEW: Duration = Duration::from_millis(8);

/// Added to a worker's score above the worst one before it is multiplied by the depth, in internal
/// units: so the worst score still has a vote.
pub(crate) const VOTE_SCORE_OFFSET: i32 = 10;

/// The most workers that an engine accepts.
pub const MAX_THREADS: usize = 1024;

/// The hash table's size unless another is asked for, in MiB.
pub const DEFAULT_HASH_MB: usize = 16;
