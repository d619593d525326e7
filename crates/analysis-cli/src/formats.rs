//! The output formats. A format is one type that implements [`Format`], in a file of its own, an
//! option of the command line, and a line in [`chosen`].

pub(crate) mod annotate;
mod csv;
pub(crate) use csv::Table;
mod folder;
pub(crate) mod graph;
mod html;
mod insights_csv;
mod jsonl;
mod notes;
mod page;
mod pgn;
mod png;
mod summary;
mod terminal;

pub(crate) use html::PAGE_GAMES;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use skewer_store::CommandFiles;

use crate::cli::OutputArgs;
use crate::page_engine::{PageEngine, PageEngineFile};
use skewer_analysis::insights::{Insights, Player, Summary};
use skewer_analysis::judged::{Counted, JudgedGame, Origin};

/// Writes the results of a run in one format. Games come in their order.
pub(crate) trait Format {
    /// Writes a game.
    fn game(&mut self, _game: &JudgedGame) -> Result<()> {
        Ok(())
    }

    /// Notes a game that could not be read.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    fn bad(&mut self, _origin: &Origin, _reason: &str) -> Result<()> {
        Ok(())
    }

    /// Completes the output.
    ///
    /// # Errors
    ///
    /// When that cannot be done.
    fn finish(self: Box<Self>, summaries: &Summaries<'_>) -> Result<()>;
}

/// The aggregates of a run.
pub(crate) struct Summaries<'a> {
    /// With every label.
    pub(crate) every: Summary<'a>,
    /// Without labels that are not sure.
    pub(crate) sure: Summary<'a>,
}

/// Begins the output in a file or folder.
type Begin = fn(&Path, &RunInfo<'_>) -> Result<Box<dyn Format>>;

/// What a format receives at the beginning of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunInfo<'a> {
    /// The settings of the run, in a line.
    pub(crate) settings: &'a str,
    /// The engine for the pages of the report.
    pub(crate) page_engine: Option<&'a PageEngine>,
    /// Whether there is none because `--page-engine none` asks for that.
    pub(crate) engine_left_out: bool,
}

/// The chosen formats: the option, its file or folder, and what begins the output.
fn chosen(arguments: &OutputArgs) -> impl Iterator<Item = (&'static str, &Path, Begin)> {
    let formats: [(_, &Option<PathBuf>, Begin); 8] = [
        ("--html", &arguments.html, html::begin),
        ("--html-folder", &arguments.html_folder, folder::begin),
        ("--pgn", &arguments.pgn, pgn::begin),
        ("--jsonl", &arguments.jsonl, jsonl::begin),
        ("--csv", &arguments.csv, csv::begin),
        ("--summary", &arguments.summary, summary::begin),
        ("--summary-csv", &arguments.summary_csv, insights_csv::begin),
        ("--png", &arguments.png, png::begin),
    ];
    formats
        .into_iter()
        .filter_map(|(option, path, begin)| Some((option, path.as_deref()?, begin)))
}

/// All outputs of a run.
pub(crate) struct Outputs {
    formats: Vec<Box<dyn Format>>,
    insights: Insights,
    /// The same without labels that are not sure.
    sure: Insights,
}

impl Outputs {
    /// Begins the outputs. `settings` describes how the games are analysed. Without any output and
    /// unless `--quiet` is given, a summary goes to the standard output.
    ///
    /// # Errors
    ///
    /// When one of them cannot be created.
    pub(crate) fn create(arguments: &OutputArgs, settings: &str) -> Result<Self> {
        let has_page = arguments.html.is_some() || arguments.html_folder.is_some();
        let page_engine = if has_page {
            arguments.page_engine.clone().unwrap_or_default().read()?
        } else {
            None
        };
        let run = RunInfo {
            settings,
            page_engine: page_engine.as_ref(),
            engine_left_out: arguments.page_engine == Some(PageEngineFile::None),
        };
        let mut formats = Vec::new();
        for (_, path, begin) in chosen(arguments) {
            formats.push(begin(path, &run)?);
        }
        if formats.is_empty() && !arguments.quiet {
            formats.push(terminal::begin());
        }
        let player = Player::new(&arguments.player);
        Ok(Self {
            formats,
            sure: Insights::new(settings, player.clone()).counting(Counted::Sure),
            insights: Insights::new(settings, player),
        })
    }

    /// Writes a game.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub(crate) fn game(&mut self, game: &JudgedGame) -> Result<()> {
        self.insights.game(game);
        self.sure.game(game);
        self.formats
            .iter_mut()
            .try_for_each(|format| format.game(game))
    }

    /// Notes a game that could not be read.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub(crate) fn bad(&mut self, origin: &Origin, reason: &str) -> Result<()> {
        self.insights.bad();
        self.sure.bad();
        self.formats
            .iter_mut()
            .try_for_each(|format| format.bad(origin, reason))
    }

    /// Completes the outputs.
    ///
    /// # Errors
    ///
    /// When that cannot be done; or if no game has the player of `--player` (unless `surveyed`: the input has
    /// been searched for it before), though the outputs are complete then.
    pub(crate) fn finish(self, surveyed: bool) -> Result<()> {
        let summaries = Summaries {
            every: self.insights.summary(),
            sure: self.sure.summary(),
        };
        for format in self.formats {
            format.finish(&summaries)?;
        }
        if let Some(player) = self.insights.player_not_found()
            && self.insights.games() > 0
            && !surveyed
        {
            bail!("no game has the player {}", player.names().join(" or "));
        }
        Ok(())
    }
}

/// Checks that no output is an input, a journal or another output.
///
/// # Errors
///
/// When one is.
pub(crate) fn check_files(
    inputs: &[String],
    journals: &[PathBuf],
    arguments: &OutputArgs,
) -> Result<()> {
    let mut files = CommandFiles::reading(inputs);
    for journal in journals {
        files.journal(journal);
    }
    if let Some(PageEngineFile::File(path)) = &arguments.page_engine {
        files.input(path);
    }
    for (option, path, _) in chosen(arguments) {
        files.output(option, path);
    }
    files.check()?;
    Ok(())
}
