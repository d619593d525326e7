//! Errors of files, with messages that say what to do.

use std::io;
use std::path::{Path, PathBuf};

/// Why a file could not be written or was not accepted. Nothing was changed by the attempt,
/// unless the function says otherwise.
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

    /// For `map_err`: a failure of the system while it did `action`.
    pub(crate) fn io(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::new(path, StoreErrorKind::Io { action, error })
    }

    /// A failure of the system to write to the file at `path`, for programs that write through
    /// [`io::Write`].
    pub fn writing(path: &Path, error: io::Error) -> Self {
        Self::io(path, "write")(error)
    }

    /// The file that it is about.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What was wrong.
    pub fn kind(&self) -> &StoreErrorKind {
        &self.kind
    }

    /// What was wrong, for an error type that has the path already.
    pub fn into_kind(self) -> StoreErrorKind {
        self.kind
    }
}

/// The ways in which a file can be wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreErrorKind {
    /// The system failed.
    ///
    /// The system's error is part of the message, so it is not also the
    /// [source](std::error::Error::source): a caller that prints the chain would repeat it.
    #[error("cannot {action}: {error}")]
    Io {
        /// What was being done: "open the file", "write", ...
        action: &'static str,
        /// What the system said.
        error: io::Error,
    },
    /// The path names a folder, a device or the like, which cannot hold such a file.
    #[error("this is not a regular file")]
    NotAFile,
    /// The path names a folder.
    #[error("this is a folder; give the name of a file")]
    IsAFolder,
    /// The file does not begin with the mark of this crate.
    #[error("this is not a file of this program")]
    Foreign,
    /// The file's outer layout is newer than this crate.
    #[error("the file is laid out in version {found}, which is newer than this program")]
    NewerLayout {
        /// The version of the layout.
        found: u16,
    },
    /// The header does not match its checksum, or makes no sense.
    #[error("the file's header is damaged")]
    DamagedHeader,
    /// The file holds something else.
    #[error("the file holds \"{found}\" and not \"{expected}\"")]
    WrongKind {
        /// What was wanted.
        expected: String,
        /// What the file says it is.
        found: String,
    },
    /// The file's contents are of another version.
    #[error("the file's contents are of version {found}; this program reads version {expected}")]
    WrongVersion {
        /// What was wanted.
        expected: u32,
        /// What the file says.
        found: u32,
    },
    /// The file was written by something whose contents do not mean the same here.
    #[error("the file was written by \"{found}\" and means nothing to \"{expected}\"")]
    WrongSignature {
        /// What was wanted.
        expected: String,
        /// What the file says.
        found: String,
    },
    /// A journal where a finished file was wanted, or the other way round.
    #[error("the file is {}, and should be {}", journal_or_not(*found_journal), journal_or_not(!*found_journal))]
    WrongShape {
        /// Whether the file is a journal.
        found_journal: bool,
    },
    /// The file ends too soon.
    #[error("the file has been cut off: {found} bytes of {expected}")]
    CutOff {
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
    /// A record of a journal is damaged, and it is not the last.
    #[error("the journal is damaged at byte {offset}, after {records} good records")]
    DamagedRecord {
        /// How many records before it are good.
        records: u32,
        /// Where the damaged record begins, in bytes from the file's beginning.
        offset: u64,
    },
    /// The contents are whole, but are not what they should be.
    #[error("the file's contents do not make sense: {reason}")]
    Senseless {
        /// What the decoder said.
        reason: String,
    },
    /// A value cannot be written.
    #[error("this cannot be written: {reason}")]
    Unwritable {
        /// What the encoder said.
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
    #[error("another program is using the journal")]
    InUse,
}

const fn journal_or_not(journal: bool) -> &'static str {
    if journal {
        "a journal"
    } else {
        "a finished file"
    }
}
