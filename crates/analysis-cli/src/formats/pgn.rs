//! Annotated games.

use std::io::Write;
use std::path::Path;

use anyhow::Result;

use super::annotate::annotated;
use super::{Format, RunInfo, Summaries};
use crate::output::Output;
use skewer_analysis::judged::JudgedGame;

struct Pgn(Output);

pub(crate) fn begin(path: &Path, _run: &RunInfo<'_>) -> Result<Box<dyn Format>> {
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
