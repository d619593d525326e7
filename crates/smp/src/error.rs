//! Errors of an engine.

use skewer_tt::TableError;

use crate::params::MAX_THREADS;

/// Why an engine could not be created or changed. After a failed change the engine is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The number of threads is not in 1..=[`MAX_THREADS`].
    #[error("{requested} threads: from 1 to {MAX_THREADS} are possible")]
    Threads {
        /// The requested number.
        requested: usize,
    },
    /// The system did not start that many threads, or the engine searches on its caller's thread.
    #[error("{requested} threads could not be started: {reason}")]
    Pool {
        /// The requested number.
        requested: usize,
        /// The error message of the system, or a text that says that the engine searches on its caller's thread.
        reason: String,
    },
    /// The hash table could not be created.
    #[error(transparent)]
    Table(#[from] TableError),
}
