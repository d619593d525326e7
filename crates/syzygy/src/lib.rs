//! Syzygy endgame tables for Skewer, an adapter to pyrrhic-rs.

use skewer_movegen::Board;
use skewer_types::Wdl;

/// A set of Syzygy endgame tables, opened from one or more folders.
#[derive(Debug)]
pub struct Tablebases {
    largest: u32,
}

impl Tablebases {
    /// The most men on the board, kings included, of any table in the set.
    pub fn largest(&self) -> u32 {
        self.largest
    }

    /// The outcome of `board` for the side to move, if the tables know it.
    pub fn probe_wdl(&self, _board: &Board) -> Option<Wdl> {
        None
    }
}
