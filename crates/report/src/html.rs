//! The report as one file, for up to 1,000 games. It loads nothing from the network.

use std::io::{self, Write as _};
use std::path::Path;

use anyhow::Result;

use crate::Output;
use crate::page::{engine_element, one_file};
use crate::page_data::{Index, PageGame, insights_json, json_text};
use crate::{Format, RunInfo, Summaries};
use skewer_analysis::judged::{JudgedGame, Origin};

/// The most games in the report: they take about 10 MB.
pub const PAGE_GAMES: u64 = 1000;

struct OneFile {
    out: Output,
    /// The part of the page after the data.
    tail: String,
    index: Index,
}

/// Creates the file for the report; `-` is the standard output.
///
/// # Errors
///
/// When it cannot be created.
pub fn begin(path: &Path, run: &RunInfo<'_>) -> Result<Box<dyn Format>> {
    let mut out = Output::create(path)?;
    let [head, tail] = one_file(run.page_engine);
    out.text(&head)?;
    if let Some(engine) = run.page_engine {
        out.text(&engine_element(engine))?;
    }
    out.text("<script type=\"application/json\" id=\"data-games\">[")?;
    Ok(Box::new(OneFile {
        out,
        tail,
        index: Index::new(run, 0),
    }))
}

impl Format for OneFile {
    fn game(&mut self, game: &JudgedGame) -> Result<()> {
        if self.index.games() >= PAGE_GAMES {
            self.index.omitted += 1;
            return Ok(());
        }
        let comma = if self.index.games() == 0 { "\n" } else { ",\n" };
        self.out.text(comma)?;
        self.out.text(&json_text(&PageGame::new(game))?)?;
        self.index.add(game);
        Ok(())
    }

    fn bad(&mut self, origin: &Origin, reason: &str) -> Result<()> {
        self.index.add_bad(origin, reason);
        Ok(())
    }

    fn finish(mut self: Box<Self>, summaries: &Summaries<'_>) -> Result<()> {
        let index = json_text(&self.index)?;
        let insights = insights_json(summaries)?;
        self.out.text(&format!(
            "\n]</script>\n\
             <script type=\"application/json\" id=\"data-index\">{index}</script>\n\
             <script type=\"application/json\" id=\"data-insights\">{insights}</script>\n"
        ))?;
        self.out.text(&self.tail)?;
        self.out.finish()?;
        if self.index.omitted > 0 {
            let omitted = self.index.omitted;
            // Ignore a failure, because the report is complete even if this line cannot be written.
            drop(writeln!(
                io::stderr(),
                "the report holds the first {PAGE_GAMES} games and not the other {omitted}: use --html-folder for all",
            ));
        }
        Ok(())
    }
}
