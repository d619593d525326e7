//! Why a network cannot be used.

use std::io;

use super::parameters::{QA, QB, SCALE};
use super::view::KING_BUCKETS;

/// Why a network cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum NetworkError {
    /// The file could not be read.
    Io(io::Error),
    /// The bytes do not begin as a network file does.
    Magic,
    /// A version or kind of network that this build does not know: version, kind.
    Version(u32, u32),
    /// A shape that this build cannot run.
    Architecture {
        /// Hidden neurons asked for.
        hidden: usize,
        /// Output buckets asked for.
        buckets: usize,
    },
    /// A number of king buckets that this build cannot run.
    KingBuckets(usize),
    /// The even score and the spread of the win model are out of range.
    WinModel(f32, f32),
    /// Quantised otherwise than this build expects: QA, QB, scale.
    Quantisation(i32, i32, i32),
    /// The file is shorter or longer than its header says.
    Length {
        /// Bytes that there should be.
        expected: usize,
        /// Bytes that there are.
        found: usize,
    },
    /// The bytes are damaged.
    Checksum,
    /// The unused bytes of the header, which the checksum does not cover, are not zero.
    Unused,
    /// Weights so large that some position's sum would not fit its integer.
    Overflow,
}

impl core::fmt::Display for NetworkError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Io(error) => write!(f, "the network file cannot be read: {error}"),
            Self::Magic => f.write_str("this is not a Skewer network file"),
            Self::Version(version, kind) => {
                write!(
                    f,
                    "network format {version} of kind {kind} is not known to this build"
                )
            }
            Self::Architecture { hidden, buckets } => write!(
                f,
                "a network of {hidden} neurons and {buckets} buckets cannot be run: \
                 neurons are 32, 64, 128, 256 or 512, buckets 1 or 8"
            ),
            Self::KingBuckets(count) => write!(
                f,
                "a network of {count} king buckets cannot be run: there are 1 or {KING_BUCKETS}"
            ),
            Self::WinModel(even, spread) => write!(
                f,
                "the network's win model is out of range: even {even}, spread {spread}"
            ),
            Self::Quantisation(qa, qb, scale) => {
                write!(
                    f,
                    "the network is quantised {qa}, {qb}, {scale}; expected {QA}, {QB}, {SCALE}"
                )
            }
            Self::Length { expected, found } => {
                write!(
                    f,
                    "the network file has {found} bytes where {expected} were expected"
                )
            }
            Self::Checksum => f.write_str("the network file is damaged: its checksum is wrong"),
            Self::Unused => f.write_str(
                "the network file is damaged: the unused bytes of its header are not zero",
            ),
            Self::Overflow => f.write_str("the network's weights are too large: sums may overflow"),
        }
    }
}

impl core::error::Error for NetworkError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}
