//! A network's numbers and the file they live in: read, checked, written. Nothing here computes.
//!
//! The file is a header of 64 bytes and the parameters, all little-endian:
//!
//! | bytes | version 1 | version 2 |
//! |---|---|---|
//! | 0..8 | the magic, `SKEWERNN` | the same |
//! | 8..12 | version of the format, 1 | 2 |
//! | 12..16 | kind of network, 1: mirrored inputs, two perspectives, squared clipped activation | the same |
//! | 16..20 | hidden neurons a perspective | the same |
//! | 20..24 | output buckets | the same |
//! | 24..28, 28..32, 32..36 | quantisation: QA, QB, scale | the same |
//! | 36..40 | zero | king buckets |
//! | 40..48 | length of the parameters, in bytes | the same |
//! | 48..56 | checksum of the parameters and of the header up to here | the win model: even and spread (f32), or zeros |
//! | 56..64 | zero | checksum of the parameters and of the header up to here |
//!
//! The parameters: feature weights (i16, king bucket by king bucket, feature by feature), hidden
//! biases (i16), output weights (i16, bucket by bucket, own half first), output biases (i32).

use std::fs::{self, File};
use std::hash::Hasher;
use std::io::{self, Read};
use std::path::Path;

use fnv::FnvHasher;
use skewer_types::WinModel;

use super::KING_BUCKETS;
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
/// The oldest version, still written for a network that needs no more than it has room for.
const VERSION_1: u32 = 1;
const VERSION_2: u32 = 2;
const KIND: u32 = 1;
const HEADER: usize = 64;

/// A cache line of accumulator or weights: one AVX-512 register, two of AVX2, four of NEON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Block(pub(crate) [i16; BLOCK]);

impl Block {
    pub(crate) const ZERO: Self = Self([0; BLOCK]);
}

/// The shape of a network: 768 mirrored inputs for each king bucket, `hidden` neurons for each of two perspectives,
/// one output for each bucket of pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Architecture {
    hidden: usize,
    buckets: usize,
    king_buckets: usize,
}

impl Architecture {
    /// The sizes of hidden layer that can be run.
    pub const HIDDEN: [usize; 5] = [32, 64, 128, 256, 512];

    /// The network with `hidden` neurons a perspective and `buckets` outputs, whose inputs do not
    /// depend on where in its wing the king stands.
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
            Ok(Self {
                hidden,
                buckets,
                king_buckets: 1,
            })
        } else {
            Err(NetworkError::Architecture { hidden, buckets })
        }
    }

    /// The same shape with inputs of its own for each of `king_buckets` regions of the own king.
    ///
    /// # Errors
    ///
    /// [`NetworkError::KingBuckets`] unless it is 1 or [`KING_BUCKETS`].
    pub fn with_king_buckets(self, king_buckets: usize) -> Result<Self, NetworkError> {
        if matches!(king_buckets, 1 | KING_BUCKETS) {
            Ok(Self {
                king_buckets,
                ..self
            })
        } else {
            Err(NetworkError::KingBuckets(king_buckets))
        }
    }

    /// Regions of the own king that have inputs of their own: 1 or [`KING_BUCKETS`].
    #[inline]
    pub const fn king_buckets(self) -> usize {
        self.king_buckets
    }

    /// Inputs of one perspective: a row of feature weights each.
    #[inline]
    pub const fn inputs(self) -> usize {
        Feature::COUNT * self.king_buckets
    }

    /// Hidden neurons of one perspective.
    #[inline]
    pub const fn hidden(self) -> usize {
        self.hidden
    }

    /// Output buckets: 1, or 8 of four pieces each.
    #[inline]
    pub const fn buckets(self) -> usize {
        self.buckets
    }

    /// The bucket of a position with this many pieces, kings included.
    #[inline]
    pub const fn bucket(self, pieces: usize) -> usize {
        if self.buckets == 1 {
            0
        } else {
            let bucket = pieces.saturating_sub(2) / 4;
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
        let largest = Self {
            hidden,
            buckets: MAX_BUCKETS,
            king_buckets: KING_BUCKETS,
        };
        (HEADER + largest.payload_len()) as u64
    };

    const fn payload_len(self) -> usize {
        let shorts = self.inputs() * self.hidden + self.hidden + self.buckets * 2 * self.hidden;
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

/// A network's numbers, quantised, aligned and checked: no position can overflow a sum.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameters {
    architecture: Architecture,
    win_model: Option<WinModel>,
    pub(crate) feature_weights: Vec<Block>,
    pub(crate) feature_bias: Vec<Block>,
    pub(crate) output_weights: Vec<Block>,
    pub(crate) output_bias: [i32; MAX_BUCKETS],
}

impl Parameters {
    /// A network from its quantised numbers, in the order of the file: `feature_weights` has
    /// a row for each of [`Architecture::inputs`], `output_weights` a row of twice the hidden neurons for each bucket.
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
        let Architecture {
            hidden, buckets, ..
        } = architecture;
        for (found, expected) in [
            (feature_weights.len(), architecture.inputs() * hidden),
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
            win_model: None,
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
        let version = word(8);
        if !matches!((version, word(12)), (VERSION_1 | VERSION_2, KIND)) {
            return Err(NetworkError::Version(version, word(12)));
        }
        let king_buckets = if version == VERSION_1 { 1 } else { word(36) };
        let architecture = Architecture::new(word(16) as usize, word(20) as usize)?
            .with_king_buckets(king_buckets as usize)?;
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
        let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
        let sum_at = if version == VERSION_1 { 48 } else { 56 };
        let sum = checksum(&header[..sum_at], payload);
        if long(sum_at) != sum || long(40) != expected as u64 {
            return Err(NetworkError::Checksum);
        }
        if version == VERSION_1 && (word(36), long(56)) != (0, 0) {
            return Err(NetworkError::Unused);
        }
        let win_model = match (version, long(48)) {
            (VERSION_1, _) | (_, 0) => None,
            _ => {
                let (even, spread) = (f32::from_bits(word(48)), f32::from_bits(word(52)));
                let model = WinModel::new(even.into(), spread.into());
                Some(model.ok_or(NetworkError::WinModel(even, spread))?)
            }
        };

        let Architecture {
            hidden, buckets, ..
        } = architecture;
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
        let (feature_weights, rest) = shorts.split_at(architecture.inputs() * hidden);
        let (feature_bias, output_weights) = rest.split_at(hidden);
        let network = Self::from_quantised(
            architecture,
            feature_weights,
            feature_bias,
            output_weights,
            &longs,
        )?;
        Ok(Self {
            win_model,
            ..network
        })
    }

    /// The same network with the win model that was fitted to its games, which the file keeps to
    /// the precision of an `f32`.
    #[must_use]
    pub fn with_win_model(self, model: WinModel) -> Self {
        let short = |value: f64| f64::from(value as f32);
        let win_model = WinModel::new(short(model.even()), short(model.spread()));
        Self { win_model, ..self }
    }

    /// How the network's scores mean chances; the default model if the file has none.
    pub fn win_model(&self) -> WinModel {
        self.win_model.unwrap_or_default()
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
        let Architecture {
            hidden,
            buckets,
            king_buckets,
        } = self.architecture;
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

        // A network that version 1 can hold keeps its bytes, and with them its fingerprint.
        let version = if king_buckets == 1 && self.win_model.is_none() {
            VERSION_1
        } else {
            VERSION_2
        };
        let mut bytes = Vec::with_capacity(HEADER + payload_len);
        bytes.extend_from_slice(&MAGIC);
        for word in [
            version,
            KIND,
            hidden as u32,
            buckets as u32,
            QA as u32,
            QB as u32,
        ] {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes.extend_from_slice(&(SCALE as u32).to_le_bytes());
        let king_buckets = if version == VERSION_1 {
            0
        } else {
            king_buckets
        };
        bytes.extend_from_slice(&(king_buckets as u32).to_le_bytes());
        bytes.extend_from_slice(&(payload_len as u64).to_le_bytes());
        if version == VERSION_2 {
            let [even, spread] = self
                .win_model
                .map_or([0.0; 2], |model| [model.even(), model.spread()]);
            bytes.extend_from_slice(&(even as f32).to_le_bytes());
            bytes.extend_from_slice(&(spread as f32).to_le_bytes());
        }
        let sum = checksum(&bytes, &payload);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes.resize(HEADER, 0);
        bytes.extend_from_slice(&payload);
        bytes
    }

    /// The checksum of the file, by which networks are distinguished.
    pub fn fingerprint(&self) -> u64 {
        let bytes = self.to_bytes();
        let at = if bytes[8..12] == VERSION_1.to_le_bytes() {
            48
        } else {
            56
        };
        let mut checksum = [0; 8];
        checksum.copy_from_slice(&bytes[at..at + 8]);
        u64::from_le_bytes(checksum)
    }

    /// The shape of the network.
    #[inline]
    pub const fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// Whether no position can overflow a sum. A board has at most 32 pieces, so an accumulator is
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
    let mut hasher = FnvHasher::default();
    hasher.write(header);
    hasher.write(payload);
    hasher.finish()
}
