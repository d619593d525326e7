//! Errors of data files, with the place of the damage.

use std::io;
use std::path::{Path, PathBuf};

use skewer_store::StoreErrorKind;

/// The path of a data file that cannot be used, the game and byte of the damage, and its kind.
#[derive(Debug, thiserror::Error)]
#[error("{}: {}{kind}", path.display(), text_of(*place))]
pub struct DataError {
    path: PathBuf,
    /// The game and the byte at which it begins.
    place: Option<(u64, u64)>,
    kind: DataErrorKind,
}

/// What is wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataErrorKind {
    /// The file could not be opened, read or written.
    #[error("{0}")]
    Io(io::Error),
    /// The file has no bytes.
    #[error("the file is empty")]
    Empty,
    /// The beginning of the file is not what it was when its checksum was recorded.
    #[error(
        "the file is damaged: its first {bytes} bytes do not match the checksum in the record \
         beside it (.json)"
    )]
    Checksum {
        /// The number of bytes that the checksum covers.
        bytes: u64,
    },
    /// The file is shorter than when a checksum was recorded.
    #[error(
        "the file is cut off: {found} bytes of complete games, where the record beside it (.json) \
         has a checksum of {expected}"
    )]
    ShorterThanRecorded {
        /// The number of bytes that the checksum covers.
        expected: u64,
        /// How many bytes of complete games the file has.
        found: u64,
    },
    /// The file of run records could not be written.
    #[error("{0}")]
    Store(StoreErrorKind),
    /// The file has no complete game.
    #[error("the file has no complete game")]
    NoCompleteGame,
    /// The file ends in the middle of a game.
    #[error("the file ends in the middle of this game")]
    Cut,
    /// The first 32 bytes of a game do not encode a position.
    #[error("the starting position is damaged: {0}")]
    BadStart(String),
    /// The result is not a win, a draw or a loss.
    #[error("the result is {0}, which is none of 0 (Black won), 1 (draw) and 2 (White won)")]
    BadResult(u8),
    /// Sixteen bits that encode no move, or a move that is not legal in its position.
    #[error("move {number} of the game (bits {bits:#06x}) is not legal in {position}")]
    IllegalMove {
        /// Which move of the game, from 1.
        number: usize,
        /// The sixteen bits.
        bits: u16,
        /// The position, as FEN.
        position: String,
    },
    /// The file of run records beside the data is damaged.
    #[error("the record of runs is damaged: {0}")]
    BadProvenance(serde_json::Error),
    /// Another program is writing to the file.
    #[error(
        "another program is writing to the file; wait until that program ends, or give another name"
    )]
    InUse,
    /// A file that may be of another kind is not appended to.
    #[error(
        "the file has no complete game and no record beside it (.json); give another name, or \
         delete the file"
    )]
    NoGame,
    /// A compressed file cannot be appended to.
    #[error("cannot append to a compressed file; give another name, or decompress it first")]
    AppendToCompressed,
}

impl From<io::Error> for DataErrorKind {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl DataError {
    pub(crate) fn new(path: &Path, kind: impl Into<DataErrorKind>) -> Self {
        Self {
            path: path.to_owned(),
            place: None,
            kind: kind.into(),
        }
    }

    pub(crate) fn at(path: &Path, game: u64, offset: u64, kind: impl Into<DataErrorKind>) -> Self {
        Self {
            place: Some((game, offset)),
            ..Self::new(path, kind)
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The game in which the fault was found, from 1; `None` if the fault is in no game.
    pub fn game(&self) -> Option<u64> {
        self.place.map(|(game, _)| game)
    }

    /// The byte at which that game begins, counted in the decompressed data.
    pub fn offset(&self) -> Option<u64> {
        self.place.map(|(_, offset)| offset)
    }

    /// What is wrong.
    pub fn kind(&self) -> &DataErrorKind {
        &self.kind
    }
}

fn text_of(place: Option<(u64, u64)>) -> String {
    place.map_or(String::new(), |(game, offset)| {
        format!("game {game} (at byte {offset}): ")
    })
}
