//! The first bytes of every file: what it is, in which version, by whom, how long and how to
//! tell that it is whole.
//!
//! On the disk: 8 bytes of mark; the length of the header as a 32-bit number; the header in
//! bincode; a CRC-32 of the length and the header. All numbers are little-endian and of fixed
//! width, so that a header can be written over once the body's length and checksum are known.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::StoreErrorKind as Kind;
use crate::{StoreError, params};

/// How files of this crate begin. A byte above ASCII, both line ends and an end-of-text byte
/// show at once what a transfer as text has done to a file (after the PNG mark, 1996).
const MARK: [u8; 8] = *b"\x89SKW\r\n\x1a\n";

/// The version of the layout that this file describes.
const LAYOUT: u16 = 1;

/// Before the header: the mark and the header's length.
const PREFIX: usize = MARK.len() + size_of::<u32>();

/// How numbers and texts become bytes here: fixed width, little-endian, nothing clever, so that
/// other readers of the same plain format read it too.
pub(crate) const fn config<const LIMIT: usize>() -> bincode::config::Configuration<
    bincode::config::LittleEndian,
    bincode::config::Fixint,
    bincode::config::Limit<LIMIT>,
> {
    bincode::config::legacy().with_limit::<LIMIT>()
}

/// What a file is and who can read it. Given when a file is written, and wanted back when it is
/// read: a file with any other identity is refused.
///
/// ```
/// use skewer_store::Identity;
///
/// const BOOK: Identity<'_> = Identity::new("book of openings", 3, "any engine");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity<'a> {
    kind: &'a str,
    version: u32,
    signature: &'a str,
}

impl<'a> Identity<'a> {
    /// A file that holds a `kind` (a few words that a person understands, in whatever language),
    /// laid out in this `version` of that kind, whose contents mean something to those who have this
    /// `signature` (say an engine's name, version and evaluation).
    ///
    /// Each text may have [`TEXT_LIMIT`](params::TEXT_LIMIT) bytes.
    pub const fn new(kind: &'a str, version: u32, signature: &'a str) -> Self {
        Self {
            kind,
            version,
            signature,
        }
    }
}

/// What the header of a file says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    layout: u16,
    kind: String,
    version: u32,
    signature: String,
    contents: Contents,
}

/// What follows the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Contents {
    /// A body that was finished when the file was written.
    Finished {
        /// Its length in bytes.
        length: u64,
        /// Its CRC-32.
        checksum: u32,
    },
    /// Records, to which more can be added at any time.
    Journal,
}

impl Header {
    /// What the file holds.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// The version of that kind of contents.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Who wrote it, and can read it.
    pub fn signature(&self) -> &str {
        &self.signature
    }

    /// What follows.
    pub fn contents(&self) -> Contents {
        self.contents
    }

    /// The identity with which the file can be opened, for programs that take any.
    pub fn identity(&self) -> Identity<'_> {
        Identity::new(&self.kind, self.version, &self.signature)
    }

    pub(crate) fn new(identity: &Identity<'_>, contents: Contents) -> Result<Self, Kind> {
        for (what, text) in [
            ("a kind", identity.kind),
            ("a signature", identity.signature),
        ] {
            check_size(what, text.len(), params::TEXT_LIMIT)?;
        }
        Ok(Self {
            layout: LAYOUT,
            kind: identity.kind.to_owned(),
            version: identity.version,
            signature: identity.signature.to_owned(),
            contents,
        })
    }

    pub(crate) fn set_contents(&mut self, contents: Contents) {
        self.contents = contents;
    }

    /// The bytes with which the file begins.
    pub(crate) fn encode(&self) -> Result<Vec<u8>, Kind> {
        let header = bincode::serde::encode_to_vec(self, config::<{ params::HEADER_LIMIT }>())
            .map_err(|error| Kind::Unwritable {
                reason: error.to_string(),
            })?;
        let mut bytes = MARK.to_vec();
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(header);
        bytes.extend(crc32fast::hash(&bytes[MARK.len()..]).to_le_bytes());
        Ok(bytes)
    }

    /// Reads the header, and says how many bytes it took.
    pub(crate) fn read(source: &mut impl Read) -> Result<(Self, u64), Kind> {
        let reading = |error| Kind::Io {
            action: "read the header",
            error,
        };
        let mut bytes = Vec::with_capacity(PREFIX);
        source
            .take(PREFIX as u64)
            .read_to_end(&mut bytes)
            .map_err(reading)?;
        if bytes.len() < PREFIX {
            // A beginning of ours that was cut short is said to be one.
            let ours = !bytes.is_empty() && bytes.iter().zip(&MARK).all(|(a, b)| a == b);
            return Err(if ours {
                Kind::DamagedHeader
            } else {
                Kind::Foreign
            });
        }
        if bytes[..MARK.len()] != MARK {
            return Err(Kind::Foreign);
        }
        let length = u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]) as usize;
        if length > params::HEADER_LIMIT {
            return Err(Kind::DamagedHeader);
        }
        let whole = PREFIX + length + size_of::<u32>();
        source
            .take((whole - PREFIX) as u64)
            .read_to_end(&mut bytes)
            .map_err(reading)?;
        if bytes.len() < whole {
            return Err(Kind::DamagedHeader);
        }
        let (covered, checksum) = bytes[MARK.len()..].split_at(whole - MARK.len() - 4);
        if crc32fast::hash(covered).to_le_bytes() != checksum {
            return Err(Kind::DamagedHeader);
        }
        let header = &covered[size_of::<u32>()..];
        // The first field never moves, so that a newer layout can be told from damage.
        let layout = u16::from_le_bytes(header.first_chunk().copied().unwrap_or_default());
        if layout > LAYOUT {
            return Err(Kind::NewerLayout { found: layout });
        }
        let (header, used) = bincode::serde::decode_from_slice::<Self, _>(
            header,
            config::<{ params::HEADER_LIMIT }>(),
        )
        .map_err(|_| Kind::DamagedHeader)?;
        if used != length || header.layout != LAYOUT {
            return Err(Kind::DamagedHeader);
        }
        Ok((header, whole as u64))
    }

    /// Whether the file is what the caller wants.
    pub(crate) fn expect(&self, identity: &Identity<'_>) -> Result<(), Kind> {
        if self.kind != identity.kind {
            return Err(Kind::WrongKind {
                expected: identity.kind.to_owned(),
                found: self.kind.clone(),
            });
        }
        if self.version != identity.version {
            return Err(Kind::WrongVersion {
                expected: identity.version,
                found: self.version,
            });
        }
        if self.signature != identity.signature {
            return Err(Kind::WrongSignature {
                expected: identity.signature.to_owned(),
                found: self.signature.clone(),
            });
        }
        Ok(())
    }
}

pub(crate) fn check_size(what: &'static str, size: usize, limit: usize) -> Result<(), Kind> {
    if size > limit {
        return Err(Kind::TooLarge {
            what,
            size: size as u64,
            limit: limit as u64,
        });
    }
    Ok(())
}

/// Opens a regular file, and says how long it is. Others are not so much as opened: a pipe would be
/// waited for until somebody writes to it.
pub(crate) fn open_regular(path: &Path) -> Result<(File, u64), StoreError> {
    let metadata = fs::metadata(path).map_err(StoreError::io(path, "open the file"))?;
    if !metadata.is_file() {
        return Err(StoreError::new(path, Kind::NotAFile));
    }
    let file = File::open(path).map_err(StoreError::io(path, "open the file"))?;
    Ok((file, metadata.len()))
}

/// What a file says about itself, whatever it holds. Its contents are not looked at.
///
/// # Errors
///
/// [`StoreError`] if the file cannot be read, is not of this crate or its header is damaged.
pub fn inspect(path: impl AsRef<Path>) -> Result<Header, StoreError> {
    let path = path.as_ref();
    let (mut file, _) = open_regular(path)?;
    let (header, _) = Header::read(&mut file).map_err(|kind| StoreError::new(path, kind))?;
    Ok(header)
}
