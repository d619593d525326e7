//! Annotated games.

use std::io::Write;
use std::path::Path;

use anyhow::Result;

use crate::Output;
use crate::annotate::annotated;
use crate::{Format, RunInfo, Summaries};
use skewer_analysis::judged::JudgedGame;

struct Pgn(Output);

/// Creates the file for the annotated games; `-` is the standard output.
///
/// # Errors
///
/// When it cannot be created.
pub fn begin(path: &Path, _run: &RunInfo<'_>) -> Result<Box<dyn Format>> {
    Ok(Box::new(Pgn(Output::create(path)?)))
}

impl Format for Pgn {
    fn game(&mut self, game: &JudgedGame) -> Result<()> {
        Ok(write!(self.0, "{}", annotated(game))?)
    }

    fn finish(self: Box<Self>, _summaries: &Summaries<'_>) -> Result<()> {
        self.0.finish()
    }
}
