//! Why a network cannot be used.

use std::io;

use super::view::KING_BUCKETS;
use super::{QA, QB, SCALE};

/// Why a network cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// The file could not be read.
    #[error("the network file cannot be read: {0}")]
    Io(#[source] io::Error),
    /// The bytes do not begin as a network file does.
    #[error("this is not a Skewer network file")]
    Magic,
    /// A version or kind of network that this build does not know: version, kind.
    #[error("network format {0} of kind {1} is not known to this build")]
    Version(u32, u32),
    /// A shape that this build cannot run.
    #[error(
        "a network of {hidden} neurons and {buckets} buckets cannot be run: \
         neurons are 32, 64, 128, 256 or 512, buckets 1 or 8"
    )]
    Architecture {
        /// Hidden neurons asked for.
        hidden: usize,
        /// Output buckets asked for.
        buckets: usize,
    },
    /// A number of king buckets that this build cannot run.
    #[error("a network of {0} king buckets cannot be run: there are 1 or {KING_BUCKETS}")]
    KingBuckets(usize),
    /// The even score and the spread of the win model are out of range.
    #[error("the network's win model is out of range: even {0}, spread {1}")]
    WinModel(f64, f64),
    /// Quantised otherwise than this build expects: QA, QB, scale.
    #[error("the network is quantised {0}, {1}, {2}; expected {QA}, {QB}, {SCALE}")]
    Quantisation(i32, i32, i32),
    /// The file is shorter or longer than its header says.
    #[error("the network file has {found} bytes where {expected} were expected")]
    Length {
        /// The expected number of bytes.
        expected: usize,
        /// The actual number of bytes.
        found: usize,
    },
    /// The bytes are damaged.
    #[error("the network file is damaged: its checksum is wrong")]
    Checksum,
    /// A sum may overflow, because weights are too large.
    #[error("the network's weights are too large: sums may overflow")]
    Overflow,
}
