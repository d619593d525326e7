//! A graph of each game, as a picture in a folder.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::graph;
use skewer_analysis::judged::JudgedGame;
use skewer_report::{Format, Output, RunInfo, Summaries};

struct Png(PathBuf);

pub(crate) fn begin(folder: &Path, _run: &RunInfo<'_>) -> Result<Box<dyn Format>> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    Ok(Box::new(Png(folder.to_owned())))
}

impl Format for Png {
    fn game(&mut self, game: &JudgedGame) -> Result<()> {
        let name = format!("game-{:06}.png", game.origin.number);
        let mut out = Output::create(&self.0.join(name))?;
        graph::write_png(&mut out, game)?;
        out.finish()
    }

    fn finish(self: Box<Self>, _summaries: &Summaries<'_>) -> Result<()> {
        Ok(())
    }
}
