//! The options of a new engine.

use skewer_tt::TableSize;
use skewer_types::Techniques;

use crate::params::DEFAULT_HASH_MB;

/// Which threads an engine searches on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Execution {
    /// The engine's own threads, one for each worker and one that coordinates the workers. The default where programs
    /// have threads.
    #[cfg_attr(not(target_family = "wasm"), default)]
    Threads,
    /// The caller's thread, with one worker: see [`Engine::take_search`](crate::Engine::take_search). The default for
    /// WebAssembly.
    #[cfg_attr(target_family = "wasm", default)]
    Caller,
}

/// When the workers of a search run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Schedule {
    /// All at once, as the system schedules their threads: for play and analysis.
    #[default]
    Free,
    /// One at a time, in turns of a few hundred nodes, as if each worker had a core of its own and all cores were
    /// equally fast. For tests, and for reports of faults with many threads: all workers together are as slow as one
    /// worker.
    ///
    /// The same searches then visit the same nodes and have the same result on every run, with any number of
    /// workers, while their limits are plies, nodes or time counted in nodes, and nobody stops them or plays the
    /// move that they ponder on. A result waits for all workers.
    Lockstep,
}

/// The options of a new [`Engine`](crate::Engine).
///
/// ```
/// use skewer_smp::Options;
/// use skewer_tt::TableSize;
/// use skewer_types::Techniques;
///
/// let options = Options {
///     threads: 4,
///     hash: TableSize::from_megabytes(256),
///     ..Options::default()
/// };
/// assert_eq!(options.techniques, Techniques::DEFAULT);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The number of workers, from 1 to [`MAX_THREADS`](crate::MAX_THREADS). The engine is
    /// deterministic with one worker, or in [lockstep](Schedule::Lockstep).
    pub threads: usize,
    /// When the workers run.
    pub schedule: Schedule,
    /// Which threads the searches run on.
    pub execution: Execution,
    /// The size of the hash table, which the workers share.
    pub hash: TableSize,
    /// The techniques to search with.
    pub techniques: Techniques,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            threads: 1,
            schedule: Schedule::default(),
            execution: Execution::default(),
            hash: TableSize::from_megabytes(DEFAULT_HASH_MB),
            techniques: Techniques::DEFAULT,
        }
    }
}
