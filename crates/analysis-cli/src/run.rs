//! What the commands that go through files have in common: a journal, workers, progress.

use std::fmt::Display;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, anyhow};
use skewer_analysis::analyst::Settings;
use skewer_analysis::error::{AnalysisError, GameError};
use skewer_analysis::journal::Damage;
use skewer_analysis::run::{Input, Rejected, Run, Step};
use skewer_analysis::selection::Selection;
use skewer_console::progress::note;

use crate::cli::RunArgs;
use crate::progress::Progress;

/// The journals that a command names.
pub(crate) fn journals(arguments: &RunArgs) -> Vec<PathBuf> {
    arguments.journal.iter().cloned().collect()
}

/// Starts a run, and says so if it resumes one.
pub(crate) fn start<T: Input>(
    files: &[String],
    arguments: &RunArgs,
    settings: &Settings,
    quiet: bool,
) -> Result<Run<T>> {
    let damage = if arguments.repair_journal {
        Damage::Repair
    } else {
        Damage::Report
    };
    let journal = match &arguments.journal {
        Some(path) => Some((path.as_path(), damage, arguments.limits.words()?)),
        None => None,
    };
    let workers = arguments.limits.workers();
    let run = Run::start(files.to_vec(), arguments.shard, settings, workers, journal);
    let run = run.map_err(|error| match error {
        AnalysisError::Damaged(error) => anyhow!(
            "{error}; add --repair-journal to keep all good records and resume, \
             or delete the file to start over"
        ),
        AnalysisError::Memory(error) => anyhow!("--hash: {error}"),
        error => error.into(),
    })?;
    if run.in_journal() > 0 && !quiet {
        note(format_args!(
            "resuming from the journal: {} done",
            run.in_journal()
        ));
    }
    Ok(run)
}

/// The error, with the commands that read a file of positions if that is what is wrong.
pub(crate) fn with_hint(error: AnalysisError) -> anyhow::Error {
    match &error {
        AnalysisError::Positions { path } => anyhow!(with_commands(&error, path)),
        _ => error.into(),
    }
}

/// The error of a file of positions in the place of games, with the commands that read such a file.
fn with_commands(error: &dyn Display, path: &str) -> String {
    format!(
        "{error}: use `skewer-analyse positions {path}` to label them, \
         or `skewer-analyse suite {path}` to solve a test suite"
    )
}

/// What a command analyses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unit {
    /// Games.
    Games,
    /// Positions.
    Positions,
}

/// The numbers of games or positions of a run, by result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tally {
    /// Games or positions with an analysis.
    pub(crate) done: u64,
    /// Games, or lines of positions, that could not be read.
    pub(crate) bad: u64,
    /// Games or positions that lack evaluations.
    pub(crate) bare: u64,
    /// Games or positions at which an engine failed.
    pub(crate) failed: u64,
    /// Inputs that have positions where games should be.
    pub(crate) misplaced: u64,
    /// Variations that end at an error.
    pub(crate) cuts: u64,
}

impl Tally {
    /// All games or positions.
    pub(crate) fn all(self) -> u64 {
        self.done + self.bad + self.bare + self.failed
    }

    /// Prints how many were left out. Returns the exit status: 1 if an engine failed, or if something could not be read.
    /// What a shard could not read does not set its status, because the command that joins the shards reads it again.
    pub(crate) fn report(self, unit: Unit, selection: Selection) -> u8 {
        let (all, bad, bare) = (self.all(), self.bad, self.bare);
        match unit {
            _ if bad == 0 => {}
            Unit::Games => note(format_args!(
                "{bad} of {all} games could not be read and {} left out; \
                 add --partial to analyse them up to the error",
                was(bad),
            )),
            // A game has many positions, so the two numbers have no sum.
            Unit::Positions => note(format_args!(
                "{} positions have labels; {bad} {} could not be read and {} left out",
                self.done,
                if bad == 1 {
                    "line or game"
                } else {
                    "lines or games"
                },
                was(bad),
            )),
        }
        if bare > 0 {
            note(format_args!(
                "{bare} of {all} games lack evaluations and {} left out",
                was(bare),
            ));
        }
        if self.misplaced > 0 {
            let (inputs, s) = (self.misplaced, if self.misplaced == 1 { "" } else { "s" });
            note(format_args!(
                "{inputs} input{s} with positions {} left out",
                was(inputs),
            ));
        }
        if self.cuts > 0 {
            let (cuts, s) = (self.cuts, if self.cuts == 1 { "" } else { "s" });
            note(format_args!(
                "{cuts} variation{s} {} cut at an error; the main lines are whole",
                was(cuts),
            ));
        }
        let is_unread = bad + self.misplaced > 0 && selection == Selection::ALL;
        u8::from(self.failed > 0 || is_unread)
    }
}

fn was(count: u64) -> &'static str {
    if count == 1 { "was" } else { "were" }
}

/// Gives the results of a run in their order to `take`, which returns the nodes of each. Calls `look` at least once a
/// second, and ends with its error.
pub(crate) fn drive<T: Input>(
    run: &mut Run<T>,
    progress: &mut Progress,
    mut look: impl FnMut() -> Result<()>,
    mut take: impl FnMut(Result<Box<T::Output>, Rejected>) -> Result<u64>,
) -> Result<Tally> {
    let mut tally = Tally::default();
    loop {
        let step = run.step(Duration::from_secs(1)).map_err(with_hint)?;
        look()?;
        run.notes().for_each(|note| progress.warn(&note));
        match step {
            Step::Done(Ok(output)) => {
                tally.done += 1;
                progress.done(take(Ok(output))?);
            }
            Step::Done(Err(rejected)) => {
                let (origin, error) = (&rejected.origin, &rejected.error);
                match error {
                    GameError::Failed(_) => tally.failed += 1,
                    GameError::NoEvaluation(_) => tally.bare += 1,
                    GameError::Positions { .. } => tally.misplaced += 1,
                    _ => tally.bad += 1,
                }
                let file = &origin.file;
                progress.warn(&match error {
                    GameError::Bad(game) => format!("{file}: {game}"),
                    GameError::BadPosition(error) => format!("{file}: {error}"),
                    GameError::Positions { path } => with_commands(error, path),
                    _ => format!("{file}: game {}: {error}", origin.number),
                });
                take(Err(rejected))?;
                progress.skip();
            }
            Step::Pending => {}
            Step::End => {
                tally.cuts = run.cuts();
                return Ok(tally);
            }
        }
    }
}
