//! The same interface where the library does not compile: no tables can be made.

use std::sync::Arc;

use skewer_movegen::Board;
use skewer_types::Wdl;

use crate::{RootProbe, TablebaseError};

/// A set of Syzygy endgame tables, of which there is none in this build.
#[derive(Debug)]
pub enum Tablebases {}

impl Tablebases {
    /// Opens no tables.
    ///
    /// # Errors
    ///
    /// [`TablebaseError::Unsupported`], always.
    pub fn open(_path: &str) -> Result<Arc<Self>, TablebaseError> {
        Err(TablebaseError::Unsupported)
    }

    /// The most men on the board, kings included, of any table in the set.
    pub fn largest(&self) -> u32 {
        match *self {}
    }

    /// The outcome of `board` for the side to move, if the tables know it.
    pub fn probe_wdl(&self, _board: &Board) -> Option<Wdl> {
        match *self {}
    }

    /// What the tables say of every legal move of `board`, if they know them all.
    pub fn probe_root(&self, _board: &Board) -> Option<Vec<RootProbe>> {
        match *self {}
    }
}
