//! The commands, one file each. This file has the parts that several commands share.

pub(crate) mod bench;
pub(crate) mod dedup;
pub(crate) mod lag;
pub(crate) mod net;
pub(crate) mod scale;
pub(crate) mod shuffle;
pub(crate) mod stats;
pub(crate) mod tune;

use std::io::Write as _;
use std::iter;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::Args;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use skewer_console::options::{thread_count, threads};
use skewer_console::progress::{Progress, note};
use skewer_gamedata::{DataError, Filter, Game, Provenance, Reader, Run, ScoreScale, Tail};
use skewer_store::{CommandFiles, OutputFile, StoreError};
use skewer_train::data::{FileRead, Source};
use skewer_train::labels::LambdaReturn;

/// Which files to read.
#[derive(Debug, Args)]
pub(crate) struct Files {
    /// Game files (viriformat), plain or packed with zstd.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Leave out a torn game at the end of a file, as a killed run leaves it, instead of
    /// refusing the file.
    #[arg(long)]
    pub(crate) accept_torn: bool,
}

impl Files {
    /// The files of a command that reads these files and writes `output`, the value of the option `option`.
    pub(crate) fn with_output(&self, option: &str, output: &Path) -> CommandFiles {
        let mut files = CommandFiles::reading(&self.files);
        // The records beside the games are read, too.
        for file in &self.files {
            files.input(Provenance::path(file));
        }
        files.output(option, output);
        files
    }

    /// The games of all files, one after the other. Torn games that are left out are named.
    pub(crate) fn games(&self) -> impl Iterator<Item = Result<Game, DataError>> {
        let tail = self.tail();
        self.files.iter().flat_map(move |file| {
            let (mut reader, mut error) = match Reader::open(file, tail) {
                Ok(reader) => (Some(reader), None),
                Err(error) => (None, Some(error)),
            };
            let mut games = 0;
            iter::from_fn(move || {
                if let Some(error) = error.take() {
                    return Some(Err(error));
                }
                let game = reader.as_mut()?.next();
                match &game {
                    Some(_) => games += 1,
                    None if reader.take().is_some_and(|reader| reader.has_torn_end()) => {
                        note(torn(file, games));
                    }
                    None => {}
                }
                game
            })
        })
    }

    /// Refuses files whose record says that their scores are on another scale than `wanted`.
    pub(crate) fn check_scores(&self, wanted: ScoreScale) -> anyhow::Result<()> {
        let (other, use_instead) = match wanted {
            ScoreScale::Unscaled => ("scaled by the material", "--scores unscaled"),
            ScoreScale::Scaled => ("not scaled by the material", "--scores scaled"),
        };
        for file in &self.files {
            let runs = Provenance::load(file)?.runs;
            let differs = |run: &Run| run.score_scale().is_some_and(|scores| scores != wanted);
            ensure!(
                !runs.iter().any(differs),
                "{}: its scores are {other}; play games with {use_instead}",
                file.display()
            );
        }
        Ok(())
    }

    pub(crate) fn tail(&self) -> Tail {
        if self.accept_torn {
            Tail::AcceptTorn
        } else {
            Tail::Refuse
        }
    }
}

/// Which positions to use.
#[derive(Debug, Args)]
pub(crate) struct Choice {
    /// The first ply of a game that is used, counted from the starting position.
    #[arg(long, default_value_t = Filter::default().min_ply, value_name = "PLY")]
    min_ply: u32,
    /// Scores must be nearer to zero than this.
    #[arg(long, default_value_t = Filter::default().max_score, value_name = "UNITS")]
    max_score: u16,
    /// Also use positions whose best move captures or promotes.
    #[arg(long)]
    with_captures: bool,
}

impl Choice {
    pub(crate) fn filter(&self) -> Filter {
        Filter {
            min_ply: self.min_ply,
            max_score: self.max_score,
            quiet_moves_only: !self.with_captures,
            ..Filter::default()
        }
    }
}

/// Which positions of game files a network learns from, and how they are labelled.
#[derive(Debug, Args)]
pub(crate) struct Selection {
    #[command(flatten)]
    choice: Choice,
    #[command(flatten)]
    lambda_return: LambdaReturn,
    /// The share of games that are held out for validation.
    #[arg(long, default_value_t = Self::HOLD_OUT, value_name = "SHARE")]
    hold_out: f64,
}

impl Selection {
    const HOLD_OUT: f64 = 0.02;

    pub(crate) fn check(&self) -> anyhow::Result<()> {
        between("hold-out", self.hold_out, 0.0, 0.9)?;
        between("future-decay", self.lambda_return.decay, 0.0, 1.0)?;
        check_stretch("future-stretch", self.lambda_return.stretch)
    }

    pub(crate) fn source(&self, files: &Files) -> Source {
        Source {
            files: files.files.clone(),
            tail: files.tail(),
            filter: self.choice.filter(),
            lambda_return: self.lambda_return,
            hold_out: self.hold_out,
        }
    }

    /// Whether every option of this group has its default value.
    pub(crate) fn is_default(&self) -> bool {
        self.hold_out == Self::HOLD_OUT
            && self.lambda_return == LambdaReturn::default()
            && self.choice.filter() == Filter::default()
    }
}

/// The line about a torn game at the end of a file that was left out.
fn torn(file: &Path, games: u64) -> String {
    format!(
        "{}: the file ends in the middle of a game; all after game {games} is left out",
        file.display()
    )
}

/// Prints what was left out of a file.
pub(crate) fn print_left_out(file: FileRead<'_>, progress: &Progress) {
    if file.torn {
        progress.print(&torn(file.path, file.games));
    }
    if file.duplicates > 0 {
        progress.print(&format!(
            "{}: {} of {} games repeat earlier games of this file, and are left out",
            file.path.display(),
            file.duplicates,
            file.games
        ));
    }
}

/// How many threads to use.
#[derive(Debug, Args)]
pub(crate) struct Threads {
    /// Threads [default: all processors].
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<NonZeroUsize>,
}

impl Threads {
    pub(crate) fn count(&self) -> usize {
        threads(self.threads)
    }

    /// A pool of these threads.
    pub(crate) fn pool(&self) -> Result<ThreadPool, ThreadPoolBuildError> {
        ThreadPoolBuilder::new().num_threads(self.count()).build()
    }
}

/// Writes an output that was created before the work, so that a bad path fails early.
pub(crate) fn finish(mut output: OutputFile, text: &str) -> Result<(), StoreError> {
    output
        .write_all(text.as_bytes())
        .map_err(|error| StoreError::writing(output.path(), error))?;
    output.commit()
}

/// Refuses an output that exists.
pub(crate) fn refuse_existing(output: &Path) -> anyhow::Result<()> {
    ensure!(
        !output.exists(),
        "{} exists; delete it, or choose another --output",
        output.display()
    );
    Ok(())
}

/// Refuses the value of an option that is not from `low` to `high`.
pub(crate) fn between<T: Copy + PartialOrd + std::fmt::Display>(
    name: &str,
    value: T,
    low: T,
    high: T,
) -> anyhow::Result<()> {
    ensure!(
        low <= value && value <= high,
        "--{name} is {value}; it must be from {low} to {high}"
    );
    Ok(())
}

/// Refuses values of options that `net` and `tune` share.
pub(crate) fn check(wdl: f32, epochs: u32, batch: usize) -> anyhow::Result<()> {
    between("wdl", wdl, 0.0, 1.0)?;
    between("epochs", epochs, 1, 100_000)?;
    between("batch", batch, 1, 1 << 24)
}

/// Refuses a scale of expected points that is out of range.
pub(crate) fn check_stretch(name: &str, stretch: f32) -> anyhow::Result<()> {
    between(name, stretch, 10.0, 10_000.0)
}
