//! The command line.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use clap::{Args, Parser, Subcommand};
use skewer_eval::Evaluation;
use skewer_smp::syzygy::{OpenError, Tables};

use crate::analyst::Settings;
use crate::params::{DEFAULT_HASH_MB, DEFAULT_NODES};

/// Analyse chess games, positions and test suites on every core.
///
/// A file of games, and a page to look at:
///
///   skewer-analyse games my-games.pgn --html report.html --pgn annotated.pgn
///
/// One position, deeply:
///
///   skewer-analyse position "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -"
///
/// A test suite:
///
///   skewer-analyse suite wac.epd --nodes 1000000
///
/// Files may be compressed (.zst .gz .bz2); "-" is the standard input or output.
#[allow(clippy::doc_markdown, reason = "this is what --help prints, as it is")]
#[derive(Parser, Debug)]
#[command(name = "skewer-analyse", version, verbatim_doc_comment)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Analyse the games of PGN files, each worker its own game
    Games(GamesArgs),
    /// Analyse one position with all threads
    Position(PositionArgs),
    /// Solve the positions of EPD files
    Suite(SuiteArgs),
    /// Put together what several machines have found
    Merge(MergeArgs),
}

/// How far to look.
#[derive(Args, Debug, Clone)]
pub struct LimitArgs {
    /// Nodes a position (100000 unless there is another limit); the only limit whose results are the same on every machine
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Depth in plies
    #[arg(long, value_name = "PLIES")]
    pub depth: Option<i32>,
    /// Milliseconds a position
    #[arg(long, value_name = "MS")]
    pub time: Option<u64>,
    /// How many lines to find
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub multipv: u16,
    /// Hash table in MiB, of each worker
    #[arg(long, value_name = "MB", default_value_t = DEFAULT_HASH_MB)]
    pub hash: usize,
    /// Workers [default: one for each core]
    #[arg(long, short, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// What evaluates: the hand-written terms, the network that is built in, or a network's file [default: what is built in]
    #[arg(long, value_name = "hce|net|FILE")]
    pub eval: Option<Evaluation>,
    /// Folders with Syzygy endgame tables, separated by ; (or : elsewhere than on Windows)
    #[arg(long, value_name = "PATH")]
    pub syzygy: Option<String>,
}

impl LimitArgs {
    /// The settings that these arguments ask for.
    ///
    /// # Errors
    ///
    /// When the evaluation or the endgame tables cannot be read.
    pub fn settings(&self, split: usize) -> Result<Settings> {
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

    /// How many workers.
    pub fn workers(&self) -> usize {
        self.threads.map_or_else(
            || std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            usize::from,
        )
    }
}

/// Where the results go.
#[derive(Args, Debug, Clone, Default)]
pub struct OutputArgs {
    /// Annotated games
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
    /// A line of JSON for each game
    #[arg(long, value_name = "FILE")]
    pub jsonl: Option<PathBuf>,
    /// A row for each move
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// A page with boards and graphs, in one file
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// A graph of each game, as a picture in this folder
    #[arg(long, value_name = "FOLDER")]
    pub png: Option<PathBuf>,
    /// Say nothing but what is wrong
    #[arg(long, short)]
    pub quiet: bool,
}

/// The arguments of `games`.
#[derive(Args, Debug, Clone)]
pub struct GamesArgs {
    /// PGN files; "-" is the standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// How far to look.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Cut games into pieces of this many positions, for few long games; results differ a little from those of whole games
    #[arg(long, value_name = "POSITIONS", default_value_t = 0)]
    pub split: usize,
    /// Do only every N-th game, beginning with the I-th
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    pub shard: Shard,
    /// Keep what has been found in this file, and go on from there after an interruption
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,
    /// Where the results go.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// The arguments of `merge`.
#[derive(Args, Debug, Clone)]
pub struct MergeArgs {
    /// The PGN files that were analysed, in the same order
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// The journals of all shards
    #[arg(long, required = true, num_args = 1.., value_name = "JOURNAL")]
    pub from: Vec<PathBuf>,
    /// Where the results go.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// The arguments of `position`.
#[derive(Args, Debug, Clone)]
pub struct PositionArgs {
    /// The position as FEN, or "startpos"
    #[arg(value_name = "FEN")]
    pub fen: String,
    /// How far to look.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Say the final lines as JSON
    #[arg(long)]
    pub json: bool,
    /// Say only the final lines
    #[arg(long, short)]
    pub quiet: bool,
}

/// The arguments of `suite`.
#[derive(Args, Debug, Clone)]
pub struct SuiteArgs {
    /// EPD files with bm, am or dm; "-" is the standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// How far to look.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Succeed if this many are solved [default: all]
    #[arg(long, value_name = "COUNT")]
    pub at_least: Option<u64>,
    /// A line of JSON for each position
    #[arg(long, value_name = "FILE")]
    pub jsonl: Option<PathBuf>,
    /// Say only the sum
    #[arg(long, short)]
    pub quiet: bool,
}

/// One part of the games: every `of`-th, beginning with the `part`-th.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Which part, from 1.
    pub part: u64,
    /// Of how many.
    pub of: u64,
}

impl Shard {
    /// All games.
    pub const WHOLE: Self = Self { part: 1, of: 1 };

    /// Whether the game with this number, from 1, belongs to the part.
    pub fn has(self, number: u64) -> bool {
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
