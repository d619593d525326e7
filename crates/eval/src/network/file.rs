//! The file of a network: read, checked, written.
//!
//! It is a header of 64 bytes and the parameters, all little-endian:
//!
//! | bytes | |
//! |---|---|
//! | 0..8 | the magic, `SKEWERNN` |
//! | 8..12 | version of the format, 4 |
//! | 12..16 | kind of network, 1: mirrored inputs, two perspectives, squared clipped activation; 2: also en prise |
//! | 16..20 | hidden neurons a perspective |
//! | 20..24 | output buckets |
//! | 24..28, 28..32, 32..36 | quantisation: QA, QB, scale |
//! | 36..40 | king buckets |
//! | 40..48 | length of the parameters, in bytes |
//! | 48..56 | the win model's curves at full and at bare material (`even` and `spread` in eighths, u16), or zeros |
//! | 56..64 | checksum of the parameters and of the header up to here |
//!
//! The parameters: feature weights (i8, king bucket by king bucket, feature by feature; in networks of kind 2 then the
//! features of pieces that are [en prise](super::EnPrise)), hidden biases (i16), output weights (i16, bucket by bucket,
//! own half first), output biases (i32).
//!
//! Version 3 had one curve for all material (`even` and `spread`, f32). Version 2 had one curve too, feature weights of
//! 16 bits and another quantisation; the weights of such a file are rounded when they are read.

use std::hash::Hasher;
use std::io::Read;
use std::path::Path;

use fnv::FnvHasher;
use skewer_store::open_regular;
use skewer_types::{WinCurve, WinModel};

use super::architecture::Architecture;
use super::error::NetworkError;
use super::parameters::Parameters;
use super::{QA, QB, SCALE};

const MAGIC: [u8; 8] = *b"SKEWERNN";
const VERSION: u32 = 4;
/// The version of the format that had one curve of the win model for all material.
const FLAT_VERSION: u32 = 3;
/// The version of the format that had other values of QA and QB, too.
const OLD_VERSION: u32 = 2;
const OLD_QA: i32 = 255;
const OLD_QB: i32 = 64;
/// The kind of a network whose inputs are the pieces.
const PIECES: u32 = 1;
/// The kind of a network that has inputs for pieces that are en prise, too.
const EN_PRISE: u32 = 2;
const HEADER: usize = 64;

/// The length of the largest network's file.
const MOST_BYTES: u64 = (HEADER + payload_len(Architecture::LARGEST, OLD_VERSION)) as u64;

/// The length of the parameters, in bytes.
const fn payload_len(architecture: Architecture, version: u32) -> usize {
    let (hidden, buckets) = (architecture.hidden(), architecture.buckets());
    let feature = if version == OLD_VERSION { 2 } else { 1 };
    let shorts = hidden + buckets * 2 * hidden;
    architecture.inputs() * hidden * feature + shorts * 2 + buckets * 4
}

impl Parameters {
    /// Reads a network from the bytes of its file.
    ///
    /// # Errors
    ///
    /// Every [`NetworkError`] except `Io`: every field is checked before it is used.
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
        if !matches!(
            (version, word(12)),
            (VERSION, PIECES | EN_PRISE) | (FLAT_VERSION | OLD_VERSION, PIECES)
        ) {
            return Err(NetworkError::Version(version, word(12)));
        }
        let architecture = Architecture::new(word(16) as usize, word(20) as usize)?
            .with_king_buckets(word(36) as usize)?;
        let architecture = if word(12) == EN_PRISE {
            architecture.with_en_prise()
        } else {
            architecture
        };
        let (qa, qb, scale) = (word(24) as i32, word(28) as i32, word(32) as i32);
        let units = if version == OLD_VERSION {
            (OLD_QA, OLD_QB, SCALE)
        } else {
            (QA, QB, SCALE)
        };
        if (qa, qb, scale) != units {
            return Err(NetworkError::Quantisation(qa, qb, scale));
        }
        let expected = payload_len(architecture, version);
        if payload.len() != expected {
            return Err(NetworkError::Length {
                expected: HEADER + expected,
                found: bytes.len(),
            });
        }
        let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
        if long(56) != checksum(&header[..56], payload) || long(40) != expected as u64 {
            return Err(NetworkError::Checksum);
        }
        let win_model = if long(48) == 0 {
            None
        } else {
            let [full, bare] = [48, 52].map(word);
            Some(if version == VERSION {
                WinModel::new(curve_of_eighths(full)?, curve_of_eighths(bare)?)
            } else {
                curve([full, bare].map(|bits| f32::from_bits(bits).into()))?.into()
            })
        };

        let (hidden, buckets) = (architecture.hidden(), architecture.buckets());
        let (rest, longs) = payload.split_at(payload.len() - 4 * buckets);
        let (weights, rest) = rest.split_at(rest.len() - 2 * hidden * (1 + 2 * buckets));
        let feature_weights: Vec<i8> = if version == OLD_VERSION {
            let weights = shorts(weights, qa, QA).into_iter();
            weights.map(|v| v.clamp(-127, 127) as i8).collect()
        } else {
            weights.iter().map(|&byte| byte as i8).collect()
        };
        let (feature_bias, output_weights) = rest.split_at(2 * hidden);
        let (fours, _) = longs.as_chunks();
        let biases = fours.iter().map(|&four| i32::from_le_bytes(four));
        let biases: Vec<i32> = biases.map(|bias| rounded(bias, qa * qb, QA * QB)).collect();
        let network = Self::from_quantised(
            architecture,
            &feature_weights,
            &shorts(feature_bias, qa, QA),
            &shorts(output_weights, qb, QB),
            &biases,
        )?;
        Ok(Self {
            win_model,
            ..network
        })
    }

    /// Reads a network file. Reads no more bytes than the largest network has.
    ///
    /// # Errors
    ///
    /// [`NetworkError::Io`] if the file cannot be read or is not a regular file, because reading a pipe might never
    /// end, and the errors of [`from_bytes`](Self::from_bytes).
    pub fn load(path: impl AsRef<Path>) -> Result<Self, NetworkError> {
        let path = path.as_ref();
        let file = open_regular(path, u64::MAX)
            .map_err(|error| NetworkError::Io(error.into_kind().into()))?;
        let length = file.limit();
        let mut bytes = Vec::new();
        file.take(MOST_BYTES + 1)
            .read_to_end(&mut bytes)
            .map_err(NetworkError::Io)?;
        Self::from_bytes(&bytes).map_err(|error| match error {
            NetworkError::Length { expected, .. } => NetworkError::Length {
                expected,
                found: usize::try_from(length).unwrap_or(usize::MAX),
            },
            error => error,
        })
    }

    /// The bytes of the file that [`from_bytes`](Self::from_bytes) reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let architecture = self.architecture;
        let (hidden, buckets) = (architecture.hidden(), architecture.buckets());
        let length = payload_len(architecture, VERSION);
        let mut payload = Vec::with_capacity(length);
        payload.extend(self.feature_weights().map(|weight| weight as u8));
        payload.extend(self.weights().flat_map(i16::to_le_bytes));
        payload.extend(
            self.output_bias()
                .iter()
                .flat_map(|bias| bias.to_le_bytes()),
        );

        let kind = if architecture.has_en_prise() {
            EN_PRISE
        } else {
            PIECES
        };
        let mut bytes = Vec::with_capacity(HEADER + length);
        bytes.extend_from_slice(&MAGIC);
        for word in [
            VERSION,
            kind,
            hidden as u32,
            buckets as u32,
            QA as u32,
            QB as u32,
            SCALE as u32,
            architecture.king_buckets() as u32,
        ] {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes.extend_from_slice(&(length as u64).to_le_bytes());
        let eighths = self.win_model.map_or([0; 4], |model| {
            let (full, bare) = (model.full(), model.bare());
            [full.even(), full.spread(), bare.even(), bare.spread()]
                .map(|value| (8.0 * value).round() as u16)
        });
        bytes.extend(eighths.into_iter().flat_map(u16::to_le_bytes));
        let sum = checksum(&bytes, &payload);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes.extend_from_slice(&payload);
        bytes
    }

    /// The checksum of the file, by which networks are distinguished.
    pub fn fingerprint(&self) -> u64 {
        let mut checksum = [0; 8];
        checksum.copy_from_slice(&self.to_bytes()[56..HEADER]);
        u64::from_le_bytes(checksum)
    }
}

fn curve([even, spread]: [f64; 2]) -> Result<WinCurve, NetworkError> {
    WinCurve::new(even, spread).ok_or(NetworkError::WinModel(even, spread))
}

/// The curve whose even score stands in the lower half of a word, and whose spread stands in the upper half.
fn curve_of_eighths(word: u32) -> Result<WinCurve, NetworkError> {
    curve([word & 0xFFFF, word >> 16].map(|eighths| f64::from(eighths) / 8.0))
}

/// Converts a number from units of 1 / `from` to units of 1 / `to`.
fn rounded(value: i32, from: i32, to: i32) -> i32 {
    (f64::from(value) * f64::from(to) / f64::from(from)).round() as i32
}

/// Reads numbers of 16 bits and converts their units. A number that no longer fits becomes `i16::MAX`, which a later
/// check refuses as too large.
fn shorts(bytes: &[u8], from: i32, to: i32) -> Vec<i16> {
    let (pairs, _) = bytes.as_chunks();
    let values = pairs.iter().map(|&pair| i16::from_le_bytes(pair).into());
    values
        .map(|value| rounded(value, from, to).try_into().unwrap_or(i16::MAX))
        .collect()
}

/// FNV-1a over 64 bits (Fowler, Noll, Vo, 1991): guards against damage, not against malice.
fn checksum(header: &[u8], payload: &[u8]) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(header);
    hasher.write(payload);
    hasher.finish()
}
