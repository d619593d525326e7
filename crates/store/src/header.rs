//! The header of a finished file (not of a journal): kind, version, signature, and the length and checksum of the body.
//!
//! On disk: an 8-byte mark; the length of the header as a 32-bit number; the header in bincode; a CRC-32
//! of the length and the header. All numbers are little-endian and of fixed width, so that the header can
//! be overwritten when the body's length and checksum are known.

use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::StoreErrorKind as Kind;
use crate::{StoreError, open_regular, params};

/// The first bytes of every file with a header. A byte above ASCII, both kinds of line ends, and the end-of-file
/// character of DOS (Ctrl-Z) reveal a transfer in text mode (as in the PNG signature, 1996).
const MARK: [u8; 8] = *b"\x89SKW\r\n\x1a\n";

/// The version of the layout that this module describes.
const LAYOUT: u16 = 1;

/// The bytes before the header: the mark and the header's length.
const PREFIX: usize = MARK.len() + size_of::<u32>();

/// The bincode configuration: fixed width and little-endian, so that other implementations of the format
/// can read it.
pub(crate) const fn config<const LIMIT: usize>() -> bincode::config::Configuration<
    bincode::config::LittleEndian,
    bincode::config::Fixint,
    bincode::config::Limit<LIMIT>,
> {
    bincode::config::legacy().with_limit::<LIMIT>()
}

/// Identifies the content of a file. It is written into the file, and a file with another identity is
/// refused when it is opened.
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
    /// The identity of a file that holds a `kind` (a few words for people) in a `version` of that kind's
    /// layout, readable by programs with this `signature` (such as an engine's name, version and
    /// evaluation).
    ///
    /// Each text may have up to [`TEXT_LIMIT`](params::TEXT_LIMIT) bytes.
    pub const fn new(kind: &'a str, version: u32, signature: &'a str) -> Self {
        Self {
            kind,
            version,
            signature,
        }
    }
}

/// The header of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    layout: u16,
    kind: String,
    version: u32,
    signature: String,
    /// What follows: always [`BODY`].
    shape: u32,
    /// The length of the body, in bytes.
    pub(crate) length: u64,
    /// The CRC-32 of the body.
    pub(crate) checksum: u32,
}

/// The shape of a file whose header is followed by a single body.
const BODY: u32 = 0;

impl Header {
    /// The kind of the file's content.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// Identifies the programs that can read the file.
    pub fn signature(&self) -> &str {
        &self.signature
    }

    /// The header of a file with an empty body.
    pub(crate) fn new(identity: &Identity<'_>) -> Result<Self, Kind> {
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
            shape: BODY,
            length: 0,
            checksum: 0,
        })
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

    /// Reads the header. Also returns its length in bytes, mark and checksum included.
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
            // Part of our mark: a damaged file of this crate rather than a foreign one.
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
        // The layout number is always the first field, so that a newer layout is not taken for damage.
        let layout = u16::from_le_bytes(header.first_chunk().copied().unwrap_or_default());
        if layout > LAYOUT {
            return Err(Kind::NewerLayout { found: layout });
        }
        let (header, used) = bincode::serde::decode_from_slice::<Self, _>(
            header,
            config::<{ params::HEADER_LIMIT }>(),
        )
        .map_err(|_| Kind::DamagedHeader)?;
        if used != length || header.layout != LAYOUT || header.shape != BODY {
            return Err(Kind::DamagedHeader);
        }
        Ok((header, whole as u64))
    }

    /// Checks that the file has this identity.
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

/// Reads the header of a file of any kind. The contents are not read.
///
/// # Errors
///
/// [`StoreError`] if the file cannot be read, is not of this crate or its header is damaged.
pub fn inspect(path: impl AsRef<Path>) -> Result<Header, StoreError> {
    let path = path.as_ref();
    let mut file = open_regular(path, u64::MAX)?;
    let (header, _) = Header::read(&mut file).map_err(|kind| StoreError::new(path, kind))?;
    Ok(header)
}
