//! Why endgame tables could not be opened.

use std::path::PathBuf;

/// Why endgame tables could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TablebaseError {
    /// The path names no folder, or holds a character that no path may.
    #[error("the endgame table path is empty or has a NUL character in it")]
    BadPath,
    /// A folder cannot be read.
    #[error("cannot read the endgame table folder {}: {}", .0.display(), .1)]
    Folder(PathBuf, std::io::Error),
    /// A folder's name has the character in it by which the library separates folders: on Windows,
    /// it is on another drive than the folder that the program runs in.
    #[error(
        "the endgame table folder {} is not on the drive that the program runs on; start it there, \
         or move the tables",
        .0.display()
    )]
    Colon(PathBuf),
    /// No folder has a table.
    #[error("no endgame tables (*.rtbw) in these folders")]
    Empty,
    /// A file is not the table that its name says.
    #[error("{} is damaged, or no endgame table", .0.display())]
    Damaged(PathBuf),
    /// Tables from other folders are still in use.
    #[error("endgame tables from other folders are still in use")]
    InUse,
    /// The library came upon something that it could not go on from, and may not be used again.
    #[error("the endgame table library has failed; no tables can be used until the next start")]
    Failed,
    /// This build has no library that reads tables.
    #[error(
        "this build cannot read endgame tables: the library for them is not made for this kind of machine"
    )]
    Unsupported,
}
