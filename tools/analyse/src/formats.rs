//! The output formats. A format is one type that implements [`Format`], in a file of its own, and
//! a line in [`FORMATS`]; the command line follows from the table.

pub(crate) mod annotate;
mod csv;
mod folder;
pub(crate) mod graph;
mod html;
mod insights_csv;
mod jsonl;
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
use skewer_analysis::report::{JudgedGame, Origin};

/// Writes the results of a run in one format. Games come in their order.
pub(crate) trait Format {
    /// Writes a game.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    fn game(&mut self, game: &JudgedGame) -> Result<()>;

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
    fn finish(self: Box<Self>, summary: &Summary<'_>) -> Result<()>;
}

/// Whether an output is a file or a folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// A file; `-` is the standard output.
    File,
    /// A folder, which is made if it does not exist.
    Folder,
}

/// A format as the command line knows it.
#[derive(Debug)]
pub(crate) struct FormatKind {
    /// The option, without its dashes.
    pub(crate) option: &'static str,
    /// What the option's value names.
    pub(crate) target: Target,
    /// The line in `--help`.
    pub(crate) help: &'static str,
    /// Begins an output.
    pub(crate) begin: fn(&Path, &RunInfo<'_>) -> Result<Box<dyn Format>>,
}

/// What a format receives at the beginning of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunInfo<'a> {
    /// The settings of the run, in a line.
    pub(crate) settings: &'a str,
    /// The engine for the pages of the report.
    pub(crate) page_engine: Option<&'a PageEngine>,
}

/// All formats.
pub(crate) const FORMATS: &[FormatKind] = &[
    FormatKind {
        option: "html",
        target: Target::File,
        help: "Report in one file, for up to 1000 games",
        begin: html::begin,
    },
    FormatKind {
        option: "html-folder",
        target: Target::Folder,
        help: "Report in a folder, for any number of games; open its index.html",
        begin: folder::begin,
    },
    FormatKind {
        option: "pgn",
        target: Target::File,
        help: "Annotated games",
        begin: pgn::begin,
    },
    FormatKind {
        option: "jsonl",
        target: Target::File,
        help: "A line of JSON for each game",
        begin: jsonl::begin,
    },
    FormatKind {
        option: "csv",
        target: Target::File,
        help: "A row for each move",
        begin: csv::begin,
    },
    FormatKind {
        option: "summary",
        target: Target::File,
        help: "Aggregates by player, opening, phase and so on, as JSON",
        begin: summary::begin,
    },
    FormatKind {
        option: "summary-csv",
        target: Target::File,
        help: "The same aggregates, a row for each group",
        begin: insights_csv::begin,
    },
    FormatKind {
        option: "png",
        target: Target::Folder,
        help: "A graph of each game, as a picture in this folder",
        begin: png::begin,
    },
];

/// All outputs of a run.
pub(crate) struct Outputs {
    formats: Vec<Box<dyn Format>>,
    insights: Insights,
}

impl Outputs {
    /// Begins the outputs. `settings` describes how the games are analysed. Without any output and
    /// unless `--quiet` is given, a summary goes to the standard output.
    ///
    /// # Errors
    ///
    /// When one of them cannot be created.
    pub(crate) fn create(arguments: &OutputArgs, settings: &str) -> Result<Self> {
        let page_engine = arguments.page_engine()?;
        let run = RunInfo {
            settings,
            page_engine: page_engine.as_ref(),
        };
        let mut formats = Vec::new();
        for (kind, path) in arguments.formats() {
            formats.push((kind.begin)(path, &run)?);
        }
        if formats.is_empty() && !arguments.quiet {
            formats.push(terminal::begin());
        }
        let player = Player::new(&arguments.player);
        Ok(Self {
            formats,
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
        self.formats
            .iter_mut()
            .try_for_each(|format| format.bad(origin, reason))
    }

    /// Completes the outputs.
    ///
    /// # Errors
    ///
    /// When that cannot be done; or if no game has the player of `--player`, though the outputs
    /// are complete then.
    pub(crate) fn finish(self) -> Result<()> {
        let summary = self.insights.summary();
        for format in self.formats {
            format.finish(&summary)?;
        }
        if let Some(player) = self.insights.player_not_found()
            && self.insights.games() > 0
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
    let mut files = CommandFiles::new();
    for input in inputs {
        files.input(input);
    }
    for journal in journals {
        files.journal(journal);
    }
    if let PageEngineFile::File(path) = &arguments.page_engine {
        files.input(path);
    }
    for (kind, path) in arguments.formats() {
        files.output(&format!("--{}", kind.option), path);
    }
    files.check()?;
    Ok(())
}
