//! The file of a network: read, checked, written.
//!
//! It is a header of 64 bytes and the parameters, all little-endian:
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

use super::architecture::Architecture;
use super::error::NetworkError;
use super::parameters::Parameters;
use super::{QA, QB, SCALE};

const MAGIC: [u8; 8] = *b"SKEWERNN";
/// The oldest version, still written for a network that needs no more than it has room for.
const VERSION_1: u32 = 1;
const VERSION_2: u32 = 2;
const KIND: u32 = 1;
const HEADER: usize = 64;

/// The length of the largest network's file.
const MOST_BYTES: u64 = (HEADER + payload_len(Architecture::LARGEST)) as u64;

/// The length of the parameters, in bytes.
const fn payload_len(architecture: Architecture) -> usize {
    let (hidden, buckets) = (architecture.hidden(), architecture.buckets());
    let shorts = architecture.inputs() * hidden + hidden + buckets * 2 * hidden;
    shorts * 2 + buckets * 4
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
        let expected = payload_len(architecture);
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

        let (hidden, buckets) = (architecture.hidden(), architecture.buckets());
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
            .and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes))
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
        let architecture = self.architecture;
        let (hidden, buckets) = (architecture.hidden(), architecture.buckets());
        let king_buckets = architecture.king_buckets();
        let length = payload_len(architecture);
        let mut payload = Vec::with_capacity(length);
        payload.extend(self.weights().flat_map(i16::to_le_bytes));
        payload.extend(
            self.output_bias()
                .iter()
                .flat_map(|bias| bias.to_le_bytes()),
        );

        // A network that version 1 can hold keeps its bytes, and with them its fingerprint.
        let version = if king_buckets == 1 && self.win_model.is_none() {
            VERSION_1
        } else {
            VERSION_2
        };
        let mut bytes = Vec::with_capacity(HEADER + length);
        bytes.extend_from_slice(&MAGIC);
        let shown_king_buckets = if version == VERSION_1 {
            0
        } else {
            king_buckets
        };
        for word in [
            version,
            KIND,
            hidden as u32,
            buckets as u32,
            QA as u32,
            QB as u32,
            SCALE as u32,
            shown_king_buckets as u32,
        ] {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes.extend_from_slice(&(length as u64).to_le_bytes());
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
}

/// FNV-1a over 64 bits (Fowler, Noll, Vo, 1991): guards against damage, not against malice.
fn checksum(header: &[u8], payload: &[u8]) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(header);
    hasher.write(payload);
    hasher.finish()
}
