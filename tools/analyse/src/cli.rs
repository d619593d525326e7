//! The command line.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use clap::{Args, Parser, Subcommand};
use skewer_analysis::analyst::Settings;
use skewer_analysis::params::{DEFAULT_HASH_MB, DEFAULT_NODES};
use skewer_analysis::selection::Selection;
use skewer_eval::Evaluation;
use skewer_syzygy::{OpenError, Tables};

use crate::page_engine::PageEngineFile;

/// Analyse chess games, positions and test suites on every core.
///
/// Analyse a file of games and write a report:
///
///   skewer-analyse games my-games.pgn --html report.html --pgn annotated.pgn
///
/// Analyse one position:
///
///   skewer-analyse position "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -"
///
/// Solve a test suite:
///
///   skewer-analyse suite wac.epd --nodes 1000000
///
/// Files may be compressed (.zst .gz .bz2); "-" is the standard input or output.
#[allow(clippy::doc_markdown, reason = "this is what --help prints, as it is")]
#[derive(Parser, Debug)]
#[command(name = "skewer-analyse", version, verbatim_doc_comment)]
pub(crate) struct Cli {
    /// The command.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Analyse the games of PGN files, each worker its own game
    Games(GamesArgs),
    /// Analyse one position with all threads
    Position(PositionArgs),
    /// Solve the positions of EPD files
    Suite(SuiteArgs),
    /// Merge the journals of several machines into one result
    Merge(MergeArgs),
}

/// Search limits and engine settings.
#[derive(Args, Debug, Clone)]
pub(crate) struct LimitArgs {
    /// Nodes per position [default: 100000 if there is no other limit]; results do not depend on the machine
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,
    /// Depth in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(i32).range(1..))]
    pub(crate) depth: Option<i32>,
    /// Milliseconds per position
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) time: Option<u64>,
    /// Number of best lines
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) multipv: u16,
    /// Hash table of each worker, in MiB
    #[arg(long, value_name = "MB", default_value_t = DEFAULT_HASH_MB)]
    pub(crate) hash: usize,
    /// Worker threads [default: one per core]
    #[arg(long, short, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Evaluation: hce (hand-written), net (built-in network), or a network file [default: net if built in]
    #[arg(long, value_name = "hce|net|FILE")]
    pub(crate) eval: Option<Evaluation>,
    /// Folders with Syzygy tables, separated by : (; on Windows)
    #[arg(long, value_name = "PATH")]
    pub(crate) syzygy: Option<String>,
}

impl LimitArgs {
    /// The settings of these arguments.
    ///
    /// # Errors
    ///
    /// When the evaluation or the endgame tables cannot be read.
    pub(crate) fn settings(&self, split: usize) -> Result<Settings> {
        let evaluation = self.eval.clone().unwrap_or_default();
        let open = |list| -> Result<Arc<Tables>, OpenError> {
            let tables = Tables::open_list(list)?;
            tables.check_headers()?;
            Ok(Arc::new(tables))
        };
        let tablebases = self.syzygy.as_deref().map(open).transpose();
        let tablebases = tablebases.context("--syzygy")?;
        let unlimited = self.depth.is_none() && self.time.is_none();
        Ok(Settings {
            nodes: self.nodes.or(unlimited.then_some(DEFAULT_NODES)),
            depth: self.depth.map(|depth| depth.max(1)),
            time: self.time.map(Duration::from_millis),
            multi_pv: usize::from(self.multipv),
            hash: self.hash.max(1),
            split,
            evaluation,
            tablebases,
        })
    }

    /// Number of workers.
    pub(crate) fn workers(&self) -> usize {
        self.threads.map_or_else(
            || std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            usize::from,
        )
    }
}

/// The heading of the options for results.
const OUTPUTS: &str = "Outputs (none: a summary on the terminal)";

/// Where the results go.
#[derive(Args, Debug, Clone)]
pub(crate) struct OutputArgs {
    /// Report in one file, for up to 1000 games
    #[arg(long, value_name = "FILE", help_heading = OUTPUTS)]
    pub(crate) html: Option<PathBuf>,
    /// Report in a folder, for any number of games; open its index.html
    #[arg(long, value_name = "FOLDER", help_heading = OUTPUTS)]
    pub(crate) html_folder: Option<PathBuf>,
    /// Annotated games
    #[arg(long, value_name = "FILE", help_heading = OUTPUTS)]
    pub(crate) pgn: Option<PathBuf>,
    /// A line of JSON for each game
    #[arg(long, value_name = "FILE", help_heading = OUTPUTS)]
    pub(crate) jsonl: Option<PathBuf>,
    /// A row for each move
    #[arg(long, value_name = "FILE", help_heading = OUTPUTS)]
    pub(crate) csv: Option<PathBuf>,
    /// Aggregates by player, opening, phase and so on, as JSON
    #[arg(long, value_name = "FILE", help_heading = OUTPUTS)]
    pub(crate) summary: Option<PathBuf>,
    /// The same aggregates, a row for each group
    #[arg(long, value_name = "FILE", help_heading = OUTPUTS)]
    pub(crate) summary_csv: Option<PathBuf>,
    /// A graph of each game, as a picture in this folder
    #[arg(long, value_name = "FOLDER", help_heading = OUTPUTS)]
    pub(crate) png: Option<PathBuf>,
    /// Also aggregate the games of this player; repeat for further names of the same player
    #[arg(long, value_name = "NAME")]
    pub(crate) player: Vec<String>,
    /// WebAssembly engine for the report, built by `make wasm` [default: skewer.wasm beside this program, if it exists]
    #[arg(long, value_name = "FILE|none")]
    pub(crate) page_engine: Option<PageEngineFile>,
    /// Print errors only
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// The arguments of `games`.
#[derive(Args, Debug, Clone)]
pub(crate) struct GamesArgs {
    /// PGN files; "-" is the standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// Search limits and engine settings.
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Split games into segments of this many positions, for few long games; results differ slightly from whole games
    #[arg(long, value_name = "POSITIONS", default_value_t = 0)]
    pub(crate) split: usize,
    /// Analyse only every N-th game, starting with game I
    #[arg(long, value_name = "I/N", default_value = "1/1", value_parser = shard)]
    pub(crate) shard: Selection,
    /// Keep results in this file as they are found, and resume from it after an interruption
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
    /// If the journal is damaged, keep its good records and analyse the rest again
    #[arg(long, requires = "journal")]
    pub(crate) repair_journal: bool,
    /// Where the results go.
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// The arguments of `merge`.
#[derive(Args, Debug, Clone)]
pub(crate) struct MergeArgs {
    /// The PGN files that were analysed, in the same order
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// The journals of all shards
    #[arg(long, required = true, num_args = 1.., value_name = "JOURNAL")]
    pub(crate) from: Vec<PathBuf>,
    /// Where the results go.
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// The arguments of `position`.
#[derive(Args, Debug, Clone)]
pub(crate) struct PositionArgs {
    /// The position as FEN, or "startpos"
    #[arg(value_name = "FEN")]
    pub(crate) fen: String,
    /// Search limits and engine settings.
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Print the final lines as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Print the final lines only
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// The arguments of `suite`.
#[derive(Args, Debug, Clone)]
pub(crate) struct SuiteArgs {
    /// EPD files with bm, am or dm; "-" is the standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// Search limits and engine settings.
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Exit with 0 if at least this many are solved [default: all]
    #[arg(long, value_name = "COUNT")]
    pub(crate) at_least: Option<u64>,
    /// A line of JSON for each position
    #[arg(long, value_name = "FILE")]
    pub(crate) jsonl: Option<PathBuf>,
    /// Print the totals only
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// The games of a shard: `I/N`.
fn shard(text: &str) -> Result<Selection, String> {
    let parts = text.split_once('/');
    parts
        .and_then(|(part, of)| Selection::shard(part.trim().parse().ok()?, of.trim().parse().ok()?))
        .ok_or_else(|| format!("\"{text}\" is not I/N with I from 1 to N"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        use clap::CommandFactory as _;
        Cli::command().debug_assert();
    }

    #[test]
    fn shards() {
        assert_eq!(shard("2/3").ok(), Selection::shard(2, 3));
        for wrong in ["0/3", "4/3", "1", "a/b", "1/0", "-1/2"] {
            assert!(shard(wrong).is_err(), "{wrong}");
        }
    }
}
