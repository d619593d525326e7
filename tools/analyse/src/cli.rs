//! The command line.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches, Parser, Subcommand};
use skewer_eval::Evaluation;
use skewer_syzygy::{OpenError, Tables};

use crate::formats::{FORMATS, FormatKind, Target};
use crate::page_engine::{PageEngine, PageEngineFile};
use skewer_analysis::analyst::Settings;
use skewer_analysis::params::{DEFAULT_HASH_MB, DEFAULT_NODES};

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

/// Where the results go. There is an option for each of the [`FORMATS`].
#[derive(Debug, Clone, Default)]
pub(crate) struct OutputArgs {
    /// The chosen formats and their files or folders.
    chosen: Vec<(&'static FormatKind, PathBuf)>,
    /// The names of the player whose games are aggregated apart.
    pub(crate) player: Vec<String>,
    /// The engine for the pages of the report.
    pub(crate) page_engine: PageEngineFile,
    /// Print errors only.
    pub(crate) quiet: bool,
}

impl OutputArgs {
    /// Reads the engine for the pages of the report, if there are any and it is wanted.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is not WebAssembly.
    pub(crate) fn page_engine(&self) -> Result<Option<PageEngine>> {
        let mut formats = self.chosen.iter();
        if formats.any(|(kind, _)| kind.option.starts_with("html")) {
            self.page_engine.read()
        } else {
            Ok(None)
        }
    }

    /// The chosen formats and their files or folders.
    pub(crate) fn formats(&self) -> impl Iterator<Item = (&'static FormatKind, &Path)> {
        self.chosen
            .iter()
            .map(|(kind, path)| (*kind, path.as_path()))
    }
}

impl Args for OutputArgs {
    fn augment_args(command: clap::Command) -> clap::Command {
        let mut command = command;
        for kind in FORMATS {
            let value = match kind.target {
                Target::File => "FILE",
                Target::Folder => "FOLDER",
            };
            command = command.arg(
                Arg::new(kind.option)
                    .long(kind.option)
                    .value_name(value)
                    .help(kind.help)
                    .help_heading("Outputs (none: a summary on the terminal)")
                    .value_parser(clap::value_parser!(PathBuf)),
            );
        }
        command
            .arg(
                Arg::new("player")
                    .long("player")
                    .value_name("NAME")
                    .help("Also aggregate the games of this player; repeat for further names of the same player")
                    .action(ArgAction::Append),
            )
            .arg(
                Arg::new("page-engine")
                    .long("page-engine")
                    .value_name("FILE|none")
                    .help("WebAssembly engine for the report, built by `make wasm` [default: skewer.wasm beside this program, if it exists]")
                    .value_parser(clap::value_parser!(PageEngineFile)),
            )
            .arg(
                Arg::new("quiet")
                    .long("quiet")
                    .short('q')
                    .help("Print errors only")
                    .action(ArgAction::SetTrue),
            )
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for OutputArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let path = |kind: &FormatKind| matches.get_one::<PathBuf>(kind.option).cloned();
        Ok(Self {
            chosen: FORMATS
                .iter()
                .filter_map(|kind| Some((kind, path(kind)?)))
                .collect(),
            player: matches
                .get_many("player")
                .map_or_else(Vec::new, |names| names.cloned().collect()),
            page_engine: matches.get_one("page-engine").cloned().unwrap_or_default(),
            quiet: matches.get_flag("quiet"),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
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
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    pub(crate) shard: Shard,
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

/// One part of the games: every `of`-th, beginning with the `part`-th.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shard {
    /// Which part, from 1.
    pub(crate) part: u64,
    /// Of how many.
    pub(crate) of: u64,
}

impl Shard {
    /// All games.
    pub(crate) const WHOLE: Self = Self { part: 1, of: 1 };

    /// Whether the game with this number, from 1, belongs to the part.
    pub(crate) fn has(self, number: u64) -> bool {
        number % self.of == self.part % self.of
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("\"{text}\" is not I/N with I from 1 to N");
        let (part, of) = text.split_once('/').ok_or_else(wrong)?;
        let part = part.trim().parse().map_err(|_| wrong())?;
        let of = of.trim().parse().map_err(|_| wrong())?;
        if part >= 1 && part <= of {
            Ok(Self { part, of })
        } else {
            Err(wrong())
        }
    }
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
    fn shards_share_the_games() {
        for number in 1..100 {
            let owners = (1..=7)
                .filter(|&part| Shard { part, of: 7 }.has(number))
                .count();
            assert_eq!(owners, 1);
            assert!(Shard::WHOLE.has(number));
        }
        assert_eq!("2/3".parse(), Ok(Shard { part: 2, of: 3 }));
        for wrong in ["0/3", "4/3", "1", "a/b", "1/0", "-1/2"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
