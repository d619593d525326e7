//! Why an analysis cannot begin or go on.

use std::io;
use std::path::PathBuf;

use skewer_store::StoreError;
use skewer_tt::TableError;
use skewer_uci_client::EngineError;

/// Why an analysis cannot begin or go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// A file of games cannot be opened.
    #[error("cannot open {path}: {error}")]
    Open {
        /// The file.
        path: String,
        /// What the system says.
        error: io::Error,
    },
    /// A file of games cannot be read to its end.
    #[error("cannot read {path}: {error}")]
    Read {
        /// The file.
        path: String,
        /// What the system says.
        error: io::Error,
    },
    /// No file has a game with moves.
    #[error("no game with a move in {paths}{problem}")]
    NoGame {
        /// The files, separated by commas.
        paths: String,
        /// What is wrong with the first bad game, with the colon or semicolon before it; empty if
        /// there is none.
        problem: String,
    },
    /// A file that should have games has positions.
    #[error("{path} holds positions (EPD), not games (PGN)")]
    Positions {
        /// The file.
        path: String,
    },
    /// There is no memory for the hash tables.
    #[error(transparent)]
    Memory(#[from] TableError),
    /// A thread cannot be started.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    /// All workers have ended, because there was no memory for a new hash table after a panic.
    #[error("the analysis threads ran out of memory; use fewer threads or a smaller hash table")]
    NoWorkers,
    /// The engine that analyses has failed.
    #[error("the engine {name} {error}")]
    Engine {
        /// Its name.
        name: String,
        /// How the engine failed.
        error: EngineError,
    },
    /// The searches were ended before they were done.
    #[error("the analysis was interrupted")]
    Interrupted,
    /// A journal cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file cannot be used as a journal.
    #[error("cannot use the journal: {0}")]
    Unusable(StoreError),
    /// A journal has a damaged record.
    #[error("{0}")]
    Damaged(StoreError),
    /// A journal was made with other settings.
    #[error(
        "cannot use the journal {}: it was made with other settings ({found}, not {settings}); \
         use the same settings or another journal", path.display()
    )]
    OtherSettings {
        /// The journal.
        path: PathBuf,
        /// Its settings.
        found: String,
        /// The settings of this run.
        settings: String,
    },
    /// Journals that are to be merged have different settings.
    #[error(
        "{} was made with other settings: {found}, not {settings}; give only journals of one run",
        path.display()
    )]
    MixedSettings {
        /// The journal.
        path: PathBuf,
        /// Its settings.
        found: String,
        /// The settings of the journals before it.
        settings: String,
    },
    /// There are no journals to merge.
    #[error("there is no journal to merge")]
    NoJournal,
    /// A journal was written by another version, whose records differ.
    #[error(
        "the journals were written by another version of skewer-analyse; analyse the games again"
    )]
    OtherVersion,
    /// A journal holds findings of another game under this number.
    #[error(
        "the journal is of other games or positions: its number {0} is not number {0} of the input; \
         give the same files in the same order, or another journal"
    )]
    OtherGame(u64),
    /// A journal holds findings of this game, which is not selected.
    #[error(
        "the journal is of another shard: it has number {0}; give the same --shard as before, or another journal"
    )]
    OtherShard(u64),
    /// The journals that are merged lack findings of this game.
    #[error(
        "the journals do not have all of game or position {0}; give the journals of all shards"
    )]
    MissingGame(u64),
    /// A journal holds findings of more games than there are.
    #[error(
        "the journal has games or positions that are not in the input; give all files, in the same order"
    )]
    MoreGames,
}

/// Why a game or a position has no analysis.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// The game could not be read.
    #[error("{}: {}", .0.location, .0.reason)]
    Bad(Box<skewer_pgn::GameError>),
    /// The line of positions could not be read.
    #[error("{0}")]
    BadPosition(skewer_pgn::EpdReadError),
    /// An input that should have games has positions. It is not the first input, and it is a pipe, which cannot be
    /// checked before it is read.
    #[error("{path} holds positions (EPD), not games (PGN)")]
    Positions {
        /// The file.
        path: String,
    },
    /// Evaluations are to be taken from the game, and it lacks one.
    #[error("there is no [%eval] after ply {0}")]
    NoEvaluation(usize),
    /// The engine failed. A failure of Skewer's own search is a bug.
    #[error("{0}")]
    Failed(String),
}
