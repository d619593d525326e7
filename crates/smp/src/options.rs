//! The options of a new engine.

use skewer_tt::TableSize;
use skewer_types::Techniques;

use crate::params::DEFAULT_HASH_MB;

/// Which threads an engine searches on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Execution {
    /// Its own, one for each worker and one that coordinates them. The default where programs have threads.
    #[cfg_attr(not(target_family = "wasm"), default)]
    Threads,
    /// The caller's, with one worker: see [`Engine::take_search`](crate::Engine::take_search). The default
    /// for WebAssembly.
    #[cfg_attr(target_family = "wasm", default)]
    Caller,
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
    /// The number of workers, from 1 to [`MAX_THREADS`](crate::MAX_THREADS). Only with one is the
    /// engine deterministic.
    pub threads: usize,
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
            execution: Execution::default(),
            hash: TableSize::from_megabytes(DEFAULT_HASH_MB),
            techniques: Techniques::DEFAULT,
        }
    }
}
