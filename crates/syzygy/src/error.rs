//! Why tables cannot be opened or a position cannot be probed.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{Material, TableKind};

/// Why a set of tables cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// No directory is named.
    #[error("no directory is named")]
    NoDirectory,
    /// A directory cannot be read.
    #[error("cannot read {}: {}", .0.display(), .1)]
    Directory(PathBuf, #[source] io::Error),
    /// None of the directories has a WDL table.
    #[error("no tables (*.rtbw) in {}", .0.display())]
    NoTables(PathBuf),
    /// A file is not a usable table.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// Why a position cannot be probed.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// No table covers positions with castling rights.
    #[error("the position has castling rights, which tables do not cover")]
    Castling,
    /// The position has more pieces than any table of the set.
    #[error("the position has {pieces} pieces, the largest table {largest}")]
    TooManyPieces {
        /// Pieces on the board, kings included.
        pieces: usize,
        /// The most pieces of any table in the set.
        largest: usize,
    },
    /// The set lacks a table that the probe needs.
    #[error("missing table {material}.{}", .kind.extension())]
    Missing {
        /// The pieces.
        material: Material,
        /// WDL or DTZ.
        kind: TableKind,
    },
    /// A table is damaged or cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// A table file that is damaged, is not a table, or cannot be read.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{}: {fault}", .path.display())]
pub struct TableError {
    path: Arc<Path>,
    fault: Fault,
}

impl TableError {
    pub(crate) fn new(path: &Path, fault: Fault) -> Self {
        Self {
            path: path.into(),
            fault,
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The offset of the damage in the file, in bytes, if the damage is in one place.
    pub fn offset(&self) -> Option<u64> {
        match self.fault {
            Fault::Damaged { at, .. } => Some(at),
            Fault::Io(_) | Fault::Unusable(_) => None,
        }
    }
}

/// What is wrong with a file.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum Fault {
    #[error("{0}")]
    Io(Arc<io::Error>),
    #[error("{0}")]
    Unusable(&'static str),
    #[error("damaged at byte {at}: {what}")]
    Damaged { at: u64, what: &'static str },
}

impl Fault {
    pub(crate) const fn damaged(at: u64, what: &'static str) -> Self {
        Self::Damaged { at, what }
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Io(Arc::new(error))
    }
}
