//! Errors of files, with messages that say what to do.

use std::io;
use std::path::{Path, PathBuf};

/// Why a file could not be written or read. After an error no file has changed, unless the
/// documentation of the function says otherwise.
#[derive(Debug, thiserror::Error)]
#[error("{}: {kind}", path.display())]
pub struct StoreError {
    path: PathBuf,
    kind: StoreErrorKind,
}

impl StoreError {
    pub(crate) fn new(path: &Path, kind: StoreErrorKind) -> Self {
        Self {
            path: path.to_owned(),
            kind,
        }
    }

    /// For `map_err`: a system error in `action`.
    pub(crate) fn io(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::new(path, StoreErrorKind::Io { action, error })
    }

    /// A system error when writing to the file at `path`, for programs that write through
    /// [`io::Write`].
    pub fn writing(path: &Path, error: io::Error) -> Self {
        Self::io(path, "write")(error)
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The kind of error.
    pub fn kind(&self) -> &StoreErrorKind {
        &self.kind
    }

    /// The kind of error, for an error type that has the path already.
    pub fn into_kind(self) -> StoreErrorKind {
        self.kind
    }
}

/// The kinds of errors.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreErrorKind {
    /// A system error.
    ///
    /// The system's error is part of the message, so it is not also the
    /// [source](std::error::Error::source): a caller that prints the chain would repeat it.
    #[error("cannot {action}: {error}")]
    Io {
        /// The action that failed: "open the file", "write", ...
        action: &'static str,
        /// The system's error.
        error: io::Error,
    },
    /// The path names a folder, a device or the like, which cannot hold such a file.
    #[error("this is not a regular file")]
    NotAFile,
    /// The path names a folder.
    #[error("this is a folder; give the name of a file")]
    IsAFolder,
    /// The file does not begin with the mark of this crate's files.
    #[error("this is not a file of this program")]
    Foreign,
    /// The file's outer layout is newer than this crate.
    #[error(
        "the file has format version {found}, which is newer than this program; use a newer program"
    )]
    NewerLayout {
        /// The version of the layout.
        found: u16,
    },
    /// The header does not match its checksum, or is inconsistent.
    #[error("the file's header is damaged")]
    DamagedHeader,
    /// The file is of another kind.
    #[error("the file holds \"{found}\" and not \"{expected}\"")]
    WrongKind {
        /// The expected value.
        expected: String,
        /// The kind in the file's header.
        found: String,
    },
    /// The file's contents are of another version.
    #[error("the file's contents are of version {found}; this program reads version {expected}")]
    WrongVersion {
        /// The expected value.
        expected: u32,
        /// The value in the file's header.
        found: u32,
    },
    /// The file was written with another signature, so its contents may have another meaning.
    #[error("the file was written by \"{found}\" and cannot be used by \"{expected}\"")]
    WrongSignature {
        /// The expected value.
        expected: String,
        /// The value in the file's header.
        found: String,
    },
    /// The file ends too soon.
    #[error("the file is truncated: {found} bytes of {expected}")]
    Truncated {
        /// How long the file should be, in bytes.
        expected: u64,
        /// How long it is, in bytes.
        found: u64,
    },
    /// There are bytes after the end of the contents.
    #[error("the file is too long: {found} bytes, not {expected}")]
    TooLong {
        /// How long the file should be, in bytes.
        expected: u64,
        /// How long it is, in bytes.
        found: u64,
    },
    /// The contents do not match their checksum.
    #[error("the file's contents are damaged")]
    Damaged,
    /// A line of a journal is damaged.
    #[error("line {number} is damaged: its checksum does not match")]
    DamagedLine {
        /// The number of the line, from 1.
        number: usize,
    },
    /// The contents match their checksum, but are not the expected value.
    #[error("the file's contents cannot be decoded: {reason}")]
    Malformed {
        /// The error of the decoder.
        reason: String,
    },
    /// A value cannot be written.
    #[error("this cannot be written: {reason}")]
    Unwritable {
        /// The error of the encoder.
        reason: String,
    },
    /// A text, value or record is larger than files of this crate may hold.
    #[error("{what} of {size} bytes is over the limit of {limit}")]
    TooLarge {
        /// What was too large.
        what: &'static str,
        /// Its size in bytes.
        size: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// Another process is writing to the journal.
    #[error(
        "another program is using the journal; wait until that program ends, or choose another journal"
    )]
    InUse,
    /// Another output file with this path has been begun and not completed.
    #[error(
        "another program is writing this file; wait until that program ends, or choose another name"
    )]
    BeingWritten,
}

impl From<StoreErrorKind> for io::Error {
    /// The system's error, or one with the same text.
    fn from(kind: StoreErrorKind) -> Self {
        match kind {
            StoreErrorKind::Io { error, .. } => error,
            kind => Self::new(io::ErrorKind::InvalidInput, kind.to_string()),
        }
    }
}
