//! A network's numbers and the file they live in: read, checked, written. Nothing here computes.
//!
//! The file is a header of 64 bytes and the numbers, all little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 0..8 | the magic, `SKEWERNN` |
//! | 8..12 | version of the format, 1 |
//! | 12..16 | kind of network, 1: mirrored inputs, two perspectives, squared clipped activation |
//! | 16..20 | hidden neurons a perspective |
//! | 20..24 | output buckets |
//! | 24..28, 28..32, 32..36 | quantisation: QA, QB, scale |
//! | 36..40 | unused, zero |
//! | 40..48 | length of the numbers, in bytes |
//! | 48..56 | checksum of the numbers and of the header up to here |
//! | 56..64 | unused, zero; anything else is refused |
//!
//! The numbers: feature weights (i16, feature by feature), hidden biases (i16), output weights
//! (i16, bucket by bucket, own half first), output biases (i32).

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use crate::Feature;

/// What an activation of one is in the accumulator.
pub const QA: i32 = 255;
/// What an output weight of one is.
pub const QB: i32 = 64;
/// Units of [`Score`](skewer_types::Score) for an output of one.
pub const SCALE: i32 = 400;
/// The largest weight, before quantisation, of either layer: `127 * 255` still fits an `i16`.
pub const WEIGHT_LIMIT: f32 = 1.98;

/// Most output buckets that a network can have.
pub const MAX_BUCKETS: usize = 8;
/// Numbers a block; hidden layers are whole blocks.
pub(crate) const BLOCK: usize = 32;

const MAGIC: [u8; 8] = *b"SKEWERNN";
const VERSION: u32 = 1;
const KIND: u32 = 1;
const HEADER: usize = 64;

/// A cache line of accumulator or weights: one AVX-512 register, two of AVX2, four of NEON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Block(pub(crate) [i16; BLOCK]);

impl Block {
    pub(crate) const ZERO: Self = Self([0; BLOCK]);
}

/// The shape of a network: 768 mirrored inputs, `hidden` neurons for each of two perspectives,
/// one output for each bucket of men.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Architecture {
    hidden: usize,
    buckets: usize,
}

impl Architecture {
    /// The sizes of hidden layer that can be run.
    pub const HIDDEN: [usize; 5] = [32, 64, 128, 256, 512];

    /// The network with `hidden` neurons a perspective and `buckets` outputs.
    ///
    /// # Errors
    ///
    /// [`NetworkError::Architecture`] unless `hidden` is one of [`Self::HIDDEN`] and `buckets`
    /// is 1 or 8.
    ///
    /// ```
    /// # use skewer_eval::network::Architecture;
    /// assert!(Architecture::new(128, 8).is_ok());
    /// assert!(Architecture::new(100, 8).is_err());
    /// ```
    pub fn new(hidden: usize, buckets: usize) -> Result<Self, NetworkError> {
        if Self::HIDDEN.contains(&hidden) && matches!(buckets, 1 | MAX_BUCKETS) {
            Ok(Self { hidden, buckets })
        } else {
            Err(NetworkError::Architecture { hidden, buckets })
        }
    }

    /// Hidden neurons of one perspective.
    #[inline]
    pub const fn hidden(self) -> usize {
        self.hidden
    }

    /// Output buckets: 1, or 8 of four men each.
    #[inline]
    pub const fn buckets(self) -> usize {
        self.buckets
    }

    /// The bucket of a position with this many men, kings included.
    #[inline]
    pub const fn bucket(self, men: usize) -> usize {
        if self.buckets == 1 {
            0
        } else {
            let bucket = men.saturating_sub(2) / 4;
            if bucket < self.buckets {
                bucket
            } else {
                self.buckets - 1
            }
        }
    }

    /// The length of the largest network's file.
    const MOST_BYTES: u64 = {
        let hidden = Self::HIDDEN[Self::HIDDEN.len() - 1];
        let buckets = MAX_BUCKETS;
        (HEADER + Self { hidden, buckets }.payload_len()) as u64
    };

    const fn payload_len(self) -> usize {
        let shorts = Feature::COUNT * self.hidden + self.hidden + self.buckets * 2 * self.hidden;
        shorts * 2 + self.buckets * 4
    }
}

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

/// A network's numbers, quantised, aligned and checked: no position can overflow a sum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameters {
    architecture: Architecture,
    pub(crate) feature_weights: Vec<Block>,
    pub(crate) feature_bias: Vec<Block>,
    pub(crate) output_weights: Vec<Block>,
    pub(crate) output_bias: [i32; MAX_BUCKETS],
}

impl Parameters {
    /// A network from its quantised numbers, in the order of the file: `feature_weights` has
    /// 768 rows, `output_weights` a row of twice the hidden neurons for each bucket.
    ///
    /// # Errors
    ///
    /// [`NetworkError::Length`] if a slice does not fit the architecture,
    /// [`NetworkError::Overflow`] if some position could overflow an `i16` accumulator or the
    /// `i32` output sum.
    pub fn from_quantised(
        architecture: Architecture,
        feature_weights: &[i16],
        feature_bias: &[i16],
        output_weights: &[i16],
        output_bias: &[i32],
    ) -> Result<Self, NetworkError> {
        let Architecture { hidden, buckets } = architecture;
        for (found, expected) in [
            (feature_weights.len(), Feature::COUNT * hidden),
            (feature_bias.len(), hidden),
            (output_weights.len(), buckets * 2 * hidden),
            (output_bias.len(), buckets),
        ] {
            if found != expected {
                return Err(NetworkError::Length { expected, found });
            }
        }
        let mut biases = [0; MAX_BUCKETS];
        biases[..buckets].copy_from_slice(output_bias);
        let network = Self {
            architecture,
            feature_weights: blocks(feature_weights),
            feature_bias: blocks(feature_bias),
            output_weights: blocks(output_weights),
            output_bias: biases,
        };
        if network.fits() {
            Ok(network)
        } else {
            Err(NetworkError::Overflow)
        }
    }

    /// Reads a network from the bytes of its file.
    ///
    /// # Errors
    ///
    /// Every [`NetworkError`] except `Io`: the bytes are checked before anything is believed.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        if bytes.get(..8) != Some(&MAGIC) {
            return Err(NetworkError::Magic);
        }
        let Some((header, payload)) = bytes.split_at_checked(HEADER) else {
            return Err(NetworkError::Length {
                expected: HEADER,
                found: bytes.len(),
            });
        };
        let word = |at: usize| {
            let mut word = [0; 4];
            word.copy_from_slice(&header[at..at + 4]);
            u32::from_le_bytes(word)
        };
        if (word(8), word(12)) != (VERSION, KIND) {
            return Err(NetworkError::Version(word(8), word(12)));
        }
        let architecture = Architecture::new(word(16) as usize, word(20) as usize)?;
        let quantisation = (word(24) as i32, word(28) as i32, word(32) as i32);
        if quantisation != (QA, QB, SCALE) {
            let (qa, qb, scale) = quantisation;
            return Err(NetworkError::Quantisation(qa, qb, scale));
        }
        let expected = architecture.payload_len();
        if payload.len() != expected {
            return Err(NetworkError::Length {
                expected: HEADER + expected,
                found: bytes.len(),
            });
        }
        let stored = u64::from(word(48)) | u64::from(word(52)) << 32;
        let said = u64::from(word(40)) | u64::from(word(44)) << 32;
        if stored != checksum(&header[..48], payload) || said != expected as u64 {
            return Err(NetworkError::Checksum);
        }
        if header[56..] != [0; HEADER - 56] {
            return Err(NetworkError::Unused);
        }

        let Architecture { hidden, buckets } = architecture;
        let (shorts, longs) = payload.split_at(payload.len() - 4 * buckets);
        let shorts: Vec<i16> = shorts
            .as_chunks()
            .0
            .iter()
            .map(|&pair| i16::from_le_bytes(pair))
            .collect();
        let longs: Vec<i32> = longs
            .as_chunks()
            .0
            .iter()
            .map(|&four| i32::from_le_bytes(four))
            .collect();
        let (feature_weights, rest) = shorts.split_at(Feature::COUNT * hidden);
        let (feature_bias, output_weights) = rest.split_at(hidden);
        Self::from_quantised(
            architecture,
            feature_weights,
            feature_bias,
            output_weights,
            &longs,
        )
    }

    /// Reads a network file. No more is read of it than the largest network has.
    ///
    /// # Errors
    ///
    /// [`NetworkError::Io`] if it cannot be read or is no regular file (a pipe would be waited for), and
    /// those of [`from_bytes`](Self::from_bytes).
    pub fn load(path: impl AsRef<Path>) -> Result<Self, NetworkError> {
        let path = path.as_ref();
        let metadata = fs::metadata(path).map_err(NetworkError::Io)?;
        if !metadata.is_file() {
            let error = io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file");
            return Err(NetworkError::Io(error));
        }
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| {
                file.take(Architecture::MOST_BYTES + 1)
                    .read_to_end(&mut bytes)
            })
            .map_err(NetworkError::Io)?;
        Self::from_bytes(&bytes).map_err(|error| match error {
            NetworkError::Length { expected, .. } => NetworkError::Length {
                expected,
                found: usize::try_from(metadata.len()).unwrap_or(usize::MAX),
            },
            error => error,
        })
    }

    /// The bytes of the file that [`from_bytes`](Self::from_bytes) reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Architecture { hidden, buckets } = self.architecture;
        let payload_len = self.architecture.payload_len();
        let mut payload = Vec::with_capacity(payload_len);
        for blocks in [
            &self.feature_weights,
            &self.feature_bias,
            &self.output_weights,
        ] {
            for number in blocks.iter().flat_map(|block| block.0) {
                payload.extend_from_slice(&number.to_le_bytes());
            }
        }
        for bias in &self.output_bias[..buckets] {
            payload.extend_from_slice(&bias.to_le_bytes());
        }

        let mut bytes = Vec::with_capacity(HEADER + payload_len);
        bytes.extend_from_slice(&MAGIC);
        for word in [
            VERSION,
            KIND,
            hidden as u32,
            buckets as u32,
            QA as u32,
            QB as u32,
        ] {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes.extend_from_slice(&(SCALE as u32).to_le_bytes());
        bytes.extend_from_slice(&[0; 4]);
        bytes.extend_from_slice(&(payload_len as u64).to_le_bytes());
        let sum = checksum(&bytes, &payload);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes.resize(HEADER, 0);
        bytes.extend_from_slice(&payload);
        bytes
    }

    /// A number that tells networks apart: the checksum of the file.
    pub fn fingerprint(&self) -> u64 {
        let mut checksum = [0; 8];
        checksum.copy_from_slice(&self.to_bytes()[48..56]);
        u64::from_le_bytes(checksum)
    }

    /// The shape of the network.
    #[inline]
    pub const fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// Whether no position can overflow a sum. A board has at most 32 men, so an accumulator is
    /// a bias and at most 32 weights; an output is `QA * QA` times the weights of one sign.
    fn fits(&self) -> bool {
        let numbers = |blocks: &[Block]| -> Vec<i32> {
            blocks
                .iter()
                .flat_map(|block| block.0)
                .map(i32::from)
                .collect()
        };
        let largest = |values: &[i32]| values.iter().map(|v| v.abs()).max().unwrap_or(0);
        let accumulator =
            largest(&numbers(&self.feature_bias)) + 32 * largest(&numbers(&self.feature_weights));
        let weights = numbers(&self.output_weights);
        let product = QA * largest(&weights);
        let sums = weights.chunks(2 * self.architecture.hidden).all(|row| {
            let side = |sign: i32| -> i64 {
                row.iter()
                    .map(|&w| i64::from((w * sign).max(0)))
                    .sum::<i64>()
                    * i64::from(QA * QA)
            };
            side(1) <= i64::from(i32::MAX) && side(-1) <= i64::from(i32::MAX)
        });
        let biases = self
            .output_bias
            .iter()
            .all(|bias| bias.unsigned_abs() <= 1 << 20);
        accumulator <= i32::from(i16::MAX) && product <= i32::from(i16::MAX) && sums && biases
    }
}

fn blocks(numbers: &[i16]) -> Vec<Block> {
    numbers
        .as_chunks()
        .0
        .iter()
        .map(|&chunk| Block(chunk))
        .collect()
}

/// FNV-1a over 64 bits (Fowler, Noll, Vo, 1991): guards against damage, not against malice.
fn checksum(header: &[u8], payload: &[u8]) -> u64 {
    header
        .iter()
        .chain(payload)
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
}
