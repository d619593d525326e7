//! A line of JSON for each game.

use std::path::Path;

use anyhow::Result;

use super::{Format, RunInfo};
use crate::insights::Summary;
use crate::json;
use crate::output::Output;
use crate::report::{JudgedGame, Origin};

struct JsonLines(Output);

pub(super) fn begin(path: &Path, run: &RunInfo<'_>) -> Result<Box<dyn Format>> {
    let mut out = Output::create(path)?;
    out.json_line(&json::Header::new(run.settings))?;
    Ok(Box::new(JsonLines(out)))
}

impl Format for JsonLines {
    fn game(&mut self, game: &JudgedGame) -> Result<()> {
        self.0.json_line(&json::Game::new(game))
    }

    fn bad(&mut self, origin: &Origin, reason: &str) -> Result<()> {
        self.0.json_line(&json::Bad::new(origin, reason))
    }

    fn finish(self: Box<Self>, _summary: &Summary<'_>) -> Result<()> {
        self.0.finish()
    }
}
