//! The report as one file, for up to [`PAGE_GAMES`] games. It asks nothing of the network.

use std::path::Path;

use anyhow::Result;

use super::Format;
use super::page::{Data, Index, PageGame, one_file};
use crate::insights::Summary;
use crate::output::Output;
use crate::params::PAGE_GAMES;
use crate::report::{JudgedGame, Origin};

struct OneFile {
    out: Output,
    index: Index,
    /// Games that did not fit.
    omitted: u64,
}

pub(super) fn begin(path: &Path, settings: &str) -> Result<Box<dyn Format>> {
    let mut out = Output::create(path)?;
    let [head, _] = one_file();
    out.text(&head)?;
    out.text("<script type=\"application/json\" id=\"data-games\">[")?;
    Ok(Box::new(OneFile {
        out,
        index: Index::new(settings, 0),
        omitted: 0,
    }))
}

impl Format for OneFile {
    fn game(&mut self, game: &JudgedGame) -> Result<()> {
        if self.index.games() >= PAGE_GAMES {
            self.omitted += 1;
            return Ok(());
        }
        let comma = if self.index.games() == 0 { "\n" } else { ",\n" };
        self.out.text(comma)?;
        self.out.text(&Data::json(&PageGame::new(game))?)?;
        self.index.add(game);
        Ok(())
    }

    fn bad(&mut self, origin: &Origin, reason: &str) -> Result<()> {
        self.index.add_bad(origin, reason);
        Ok(())
    }

    fn finish(mut self: Box<Self>, summary: &Summary<'_>) -> Result<()> {
        self.index.omit(self.omitted);
        let [_, tail] = one_file();
        let index = Data::json(&self.index)?;
        let insights = Data::insights(summary)?;
        self.out.text(&format!(
            "\n]</script>\n\
             <script type=\"application/json\" id=\"data-index\">{index}</script>\n\
             <script type=\"application/json\" id=\"data-insights\">{insights}</script>\n"
        ))?;
        self.out.text(&tail)?;
        self.out.finish()?;
        if self.omitted > 0 {
            eprintln!(
                "the report holds the first {PAGE_GAMES} games and not the other {}: use --html-folder for all",
                self.omitted
            );
        }
        Ok(())
    }
}
