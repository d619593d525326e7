//! The data of a report in a page that shows games as they are done.

use anyhow::Result;
use skewer_analysis::judged::{JudgedGame, Origin};

use crate::page_data::{Index, PageGame, insights_json, json_text};
use crate::{Outputs, RunInfo};

/// The data of a report in a page that shows games as they are done, in any order. All texts are JSON.
pub struct LiveReport {
    index: Index,
    outputs: Outputs,
}

impl LiveReport {
    /// A report without games.
    pub fn new(run: &RunInfo<'_>) -> Self {
        Self {
            index: Index::new(run, 0),
            outputs: Outputs::new(Vec::new(), &run.settings_text(), None),
        }
    }

    /// Adds a game. Returns its data.
    ///
    /// # Errors
    ///
    /// None in practice, because JSON can hold all of the data.
    pub fn game(&mut self, game: &JudgedGame) -> Result<String> {
        self.index.add(game);
        self.outputs.game(game)?;
        json_text(&PageGame::new(game))
    }

    /// Notes a game that could not be read.
    ///
    /// # Errors
    ///
    /// None in practice.
    pub fn bad(&mut self, origin: &Origin, reason: &str) -> Result<()> {
        self.index.add_bad(origin, reason);
        self.outputs.bad(origin, reason)
    }

    /// The list of the games so far, in the order in which they were added.
    ///
    /// # Errors
    ///
    /// None in practice.
    pub fn index(&self) -> Result<String> {
        json_text(&self.index)
    }

    /// The aggregates of the games so far.
    ///
    /// # Errors
    ///
    /// None in practice.
    pub fn insights(&self) -> Result<String> {
        insights_json(&self.outputs.summaries())
    }
}
