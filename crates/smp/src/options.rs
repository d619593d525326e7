//! What an engine is made of, apart from the evaluator.

use skewer_tt::TableSize;
use skewer_types::Techniques;

use crate::params::DEFAULT_HASH_MB;

/// What an [`Engine`](crate::Engine) is made with.
///
/// ```
/// use skewer_smp::{Options, TableSize};
///
/// let options = Options {
///     threads: 4,
///     hash: TableSize::from_megabytes(256),
///     ..Options::default()
/// };
/// assert_eq!(options.techniques, skewer_smp::Techniques::DEFAULT);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How many workers search at once, from 1 to [`MAX_THREADS`](crate::MAX_THREADS). With one
    /// the engine is deterministic; with more it is not.
    pub threads: usize,
    /// The size of the hash table that they share.
    pub hash: TableSize,
    /// The techniques to search with.
    pub techniques: Techniques,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            threads: 1,
            hash: TableSize::from_megabytes(DEFAULT_HASH_MB),
            techniques: Techniques::DEFAULT,
        }
    }
}
