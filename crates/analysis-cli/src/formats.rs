//! The output formats of the command line. A format is one type that implements [`Format`], in a file of its own
//! here or in `crates/report`, an option of the command line, and a line in [`chosen`]. The summary on the
//! terminal has neither an option nor a line.

mod graph;
mod terminal;

use std::path::{Path, PathBuf};

use anyhow::Result;
use skewer_analysis::analyst::SettingsRecord;
use skewer_analysis::insights::Player;
use skewer_report::{
    Format, Outputs, RunInfo, csv, folder, html, insights_csv, jsonl, pgn, summary,
};
use skewer_store::CommandFiles;

use crate::cli::OutputArgs;
use crate::page_engine::PageEngineFile;

/// Creates the file or folder of an output.
type Begin = fn(&Path, &RunInfo<'_>) -> Result<Box<dyn Format>>;

/// The chosen formats: the option, its file or folder, and the function that begins the output.
fn chosen(arguments: &OutputArgs) -> impl Iterator<Item = (&'static str, &Path, Begin)> {
    let formats: [(_, &Option<PathBuf>, Begin); 8] = [
        ("--html", &arguments.html, html::begin),
        ("--html-folder", &arguments.html_folder, folder::begin),
        ("--pgn", &arguments.pgn, pgn::begin),
        ("--jsonl", &arguments.jsonl, jsonl::begin),
        ("--csv", &arguments.csv, csv::begin),
        ("--summary", &arguments.summary, summary::begin),
        ("--summary-csv", &arguments.summary_csv, insights_csv::begin),
        ("--graphs", &arguments.graphs, graph::begin),
    ];
    formats
        .into_iter()
        .filter_map(|(option, path, begin)| Some((option, path.as_deref()?, begin)))
}

/// Whether no output goes to a file.
pub(crate) fn only_prints(arguments: &OutputArgs) -> bool {
    chosen(arguments).all(|(_, path, _)| path == Path::new("-"))
}

/// Creates the outputs of a run with these settings. Without any output, and unless `--quiet` is given, a summary goes to
/// the standard output.
///
/// # Errors
///
/// When one of them cannot be created, or the engine of the page cannot be read.
pub(crate) fn create(arguments: &OutputArgs, settings: &SettingsRecord) -> Result<Outputs> {
    let has_page = arguments.html.is_some() || arguments.html_folder.is_some();
    let page_engine = if has_page {
        arguments.page_engine.clone().unwrap_or_default().read()?
    } else {
        None
    };
    let run = RunInfo {
        settings: Some(settings),
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
    Ok(Outputs::new(
        formats,
        &run.settings_text(),
        Player::new(&arguments.player),
    ))
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
