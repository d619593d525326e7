//! What can go wrong with an engine.

use std::fmt;

use skewer_tt::TableError;

use crate::params::MAX_THREADS;

/// Why an engine could not be made or changed. When a change fails the engine is as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EngineError {
    /// The number of threads is not in 1..=[`MAX_THREADS`].
    Threads {
        /// What was asked for.
        requested: usize,
    },
    /// The system would not start that many threads.
    Pool {
        /// What was asked for.
        requested: usize,
        /// What the system said.
        reason: String,
    },
    /// The hash table could not be made.
    Table(TableError),
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Threads { requested } => {
                write!(
                    f,
                    "{requested} threads: from 1 to {MAX_THREADS} are possible"
                )
            }
            Self::Pool { requested, reason } => {
                write!(f, "{requested} threads could not be started: {reason}")
            }
            Self::Table(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for EngineError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Table(error) => Some(error),
            _ => None,
        }
    }
}

impl From<TableError> for EngineError {
    fn from(error: TableError) -> Self {
        Self::Table(error)
    }
}
