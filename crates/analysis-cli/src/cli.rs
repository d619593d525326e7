//! The command line.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use clap::{Args, Parser, Subcommand, ValueEnum};
use skewer_analysis::analyst::{Confidence, PgnEvals, Settings, UciProgram};
use skewer_analysis::params::{DEFAULT_HASH_MB, DEFAULT_NODES};
use skewer_analysis::selection::Selection;
use skewer_console::options;
use skewer_eval::Evaluation;
use skewer_syzygy::Tables;
use skewer_types::not_utf8;
use skewer_uci_client::Program;

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
/// Label a file of positions, and check a hundredth of the labels:
///
///   skewer-analyse positions positions.epd --nodes 5000 --csv labels.csv
///   skewer-analyse verify labels.csv.manifest.json --sample 1%
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
    /// Label the positions of FEN, EPD or PGN files: score, chances, best line
    Positions(PositionsArgs),
    /// Compute labels again, and count the positions whose labels differ
    Verify(VerifyArgs),
    /// Solve the positions of EPD files
    Suite(SuiteArgs),
    /// Merge the journals of several machines into one result
    Merge(MergeArgs),
}

/// Search limits and engine settings.
#[derive(Args, Debug, Clone)]
pub(crate) struct LimitArgs {
    /// Nodes per position; results then do not depend on the machine [default: 100000 if there is no other limit]
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
    #[arg(long, short, value_name = "T", value_parser = options::thread_count)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Evaluation: hce (hand-written), net (built-in network), or a network file [default: net if built in]
    #[arg(long, value_name = "hce|net|FILE", value_parser = options::evaluation())]
    pub(crate) eval: Option<Evaluation>,
    /// Folders with Syzygy tables, separated by : (; on Windows)
    #[arg(long, value_name = "PATH")]
    pub(crate) syzygy: Option<String>,
    /// A UCI engine that searches instead, such as /usr/games/stockfish,option.Hash=64
    #[arg(long, value_name = "COMMAND")]
    pub(crate) engine: Option<Program>,
}

/// Further arguments of the commands that analyse whole files.
#[derive(Args, Debug, Clone)]
pub(crate) struct RunArgs {
    /// Search limits and engine settings.
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Analyse only every N-th game or position, starting with number I
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    pub(crate) shard: Selection,
    /// Keep results in this file as they are found, and resume from it after an interruption
    #[arg(long, value_name = "FILE", value_parser = options::own_file())]
    pub(crate) journal: Option<PathBuf>,
    /// If the journal is damaged, keep its good records and analyse the rest again
    #[arg(long, requires = "journal")]
    pub(crate) repair_journal: bool,
}

/// The words of a journal or a manifest as a command line.
#[derive(Parser)]
struct Words {
    #[command(flatten)]
    limits: LimitArgs,
}

impl LimitArgs {
    /// The arguments that these words give; the usual ones for no words.
    ///
    /// # Errors
    ///
    /// When a word is no argument.
    pub(crate) fn from_words(words: Vec<String>) -> Result<Self> {
        let line = std::iter::once(String::new()).chain(words);
        Ok(Words::try_parse_from(line)?.limits)
    }

    /// The settings of these arguments.
    ///
    /// # Errors
    ///
    /// When the evaluation or the endgame tables cannot be read.
    pub(crate) fn settings(&self) -> Result<Settings> {
        let evaluation = self.eval.clone().unwrap_or_default();
        let open = |list| Tables::open_checked(list).map(Arc::new);
        let tablebases = self.syzygy.as_deref().map(open).transpose();
        let tablebases = tablebases.context("--syzygy")?;
        let ask = |program: &Program| {
            UciProgram::ask(program.clone()).with_context(|| format!("--engine {program}"))
        };
        let unlimited = self.depth.is_none() && self.time.is_none();
        Ok(Settings {
            nodes: self.nodes.or(unlimited.then_some(DEFAULT_NODES)),
            depth: self.depth.map(|depth| depth.max(1)),
            time: self.time.map(Duration::from_millis),
            multi_pv: usize::from(self.multipv),
            hash: self.hash.max(1),
            evaluation,
            tablebases,
            engine: self.engine.as_ref().map(ask).transpose()?,
            ..Settings::default()
        })
    }

    /// The words of a command line that give the same results, for a journal or a manifest. Threads are left out,
    /// because the results do not depend on them.
    ///
    /// # Errors
    ///
    /// When the name of the network is not UTF-8, so that no text can name the file.
    pub(crate) fn words(&self) -> Result<Vec<String>> {
        let name = |eval: &Evaluation| match eval.path() {
            Some(path) => path.to_str().map(str::to_owned).ok_or_else(|| {
                let reason = not_utf8(path.as_os_str());
                anyhow!("a journal or a manifest names the network of --eval: {reason}")
            }),
            None if eval.network().is_some() => Ok("net".to_owned()),
            None => Ok("hce".to_owned()),
        };
        let eval = self.eval.as_ref().map(name).transpose()?;
        let given = [
            ("--nodes", self.nodes.map(|nodes| nodes.to_string())),
            ("--depth", self.depth.map(|depth| depth.to_string())),
            ("--time", self.time.map(|time| time.to_string())),
            ("--multipv", Some(self.multipv.to_string())),
            ("--hash", Some(self.hash.to_string())),
            ("--eval", eval),
            ("--syzygy", self.syzygy.clone()),
            ("--engine", self.engine.as_ref().map(Program::to_string)),
        ];
        let words = given
            .into_iter()
            .filter_map(|(name, value)| Some(format!("{name}={}", value?)));
        Ok(words.collect())
    }

    /// Number of workers.
    pub(crate) fn workers(&self) -> usize {
        options::threads(self.threads)
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
    #[arg(long, value_name = "FOLDER", help_heading = OUTPUTS, value_parser = options::own_file())]
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
    /// The same aggregates as CSV: a row for each group
    #[arg(long, value_name = "FILE", help_heading = OUTPUTS)]
    pub(crate) summary_csv: Option<PathBuf>,
    /// A graph of each game, as an SVG picture in this folder
    #[arg(long, value_name = "FOLDER", help_heading = OUTPUTS, value_parser = options::own_file())]
    pub(crate) graphs: Option<PathBuf>,
    /// Also aggregate the games of this player; repeat for further names of the same player
    #[arg(long, value_name = "NAME")]
    pub(crate) player: Vec<String>,
    /// WebAssembly engine for the report, built by `make wasm` [default: skewer.wasm beside this program, or the built-in one]
    #[arg(long, value_name = "FILE|none", value_parser = PageEngineFile::parser())]
    pub(crate) page_engine: Option<PageEngineFile>,
    /// Print errors only
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// What `games --help` says of `--nodes`: the option has other defaults than in other commands.
const NODES_OF_GAMES: &str = "\
Nodes of the first search of each position; results then do not depend on the machine [default: 25000; \
100000 with --confidence, --split or --engine; no limit with --depth or --time]";

/// The arguments of `games`.
#[derive(Args, Debug, Clone)]
#[command(mut_arg("nodes", |nodes| nodes.help(NODES_OF_GAMES)))]
pub(crate) struct GamesArgs {
    /// PGN files, or folders of them; "-" is the standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// Limits, shard and journal.
    #[command(flatten)]
    pub(crate) run: RunArgs,
    /// Split games into segments of this many positions, for few long games; results differ slightly from whole games
    #[arg(long, value_name = "POSITIONS", default_value_t = 0)]
    pub(crate) split: usize,
    /// Take the [%eval] of the games: "use" them and search nothing, or "refine" evaluations that a label depends on
    #[arg(long, value_name = "use|refine", conflicts_with = "split")]
    pub(crate) pgn_evals: Option<EvalsArg>,
    /// Analyse the moves before an illegal move [default: leave the game out, and exit with 1]
    #[arg(long)]
    pub(crate) partial: bool,
    /// Search the positions of doubtful moves again, with up to 64 times the nodes, until the chance that a much longer
    /// search gives the same label is at least this; "none" searches every position once [default: none with --depth,
    /// --time, --split, --engine or --pgn-evals use; else 90%, but on average over a game at most 180000 nodes a
    /// position, or 1.8 times --nodes if it is given; a percentage that is given sets no such limit]
    #[arg(long, value_name = "PERCENT|none", conflicts_with_all = ["split", "depth", "time"], value_parser = percent)]
    pub(crate) confidence: Option<ConfidenceArg>,
    /// Where the results go.
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// What `--confidence` may say.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum ConfidenceArg {
    /// Doubtful labels are searched again until they have this chance to stay, from 0 to 1.
    Until(f64),
    /// Every position is searched once.
    Once,
}

/// What `--pgn-evals` may say.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EvalsArg {
    /// Search nothing
    Use,
    /// Search the positions that a label depends on
    Refine,
}

impl GamesArgs {
    /// The settings of these arguments.
    ///
    /// # Errors
    ///
    /// When the evaluation, the endgame tables or the engine cannot be used.
    pub(crate) fn settings(&self) -> Result<Settings> {
        let plain = self.run.limits.settings()?;
        let (confidence, nodes) = self.confidence(&plain);
        Ok(Settings {
            split: self.split,
            pgn_evals: match self.pgn_evals {
                None => PgnEvals::Ignore,
                Some(EvalsArg::Use) => PgnEvals::Use,
                Some(EvalsArg::Refine) => PgnEvals::Refine,
            },
            confidence,
            nodes,
            ..plain
        })
    }

    /// How sure labels must be, and the nodes of the first search of a position. `plain` are the settings by which
    /// every position is searched once.
    fn confidence(&self, plain: &Settings) -> (Option<Confidence>, Option<u64>) {
        match self.confidence {
            Some(ConfidenceArg::Once) => (None, plain.nodes),
            // The mean number of nodes has no limit.
            Some(ConfidenceArg::Until(chance)) => {
                let mean_nodes = None;
                (Some(Confidence { chance, mean_nodes }), plain.nodes)
            }
            // The chances were measured on whole games that Skewer searched with a node limit. So other analyses search
            // every position once by default.
            None if plain.depth.is_some()
                || plain.time.is_some()
                || plain.engine.is_some()
                || self.split > 0
                || self.pgn_evals == Some(EvalsArg::Use) =>
            {
                (None, plain.nodes)
            }
            None => {
                let sure = plain.clone().until_sure(self.run.limits.nodes);
                (sure.confidence, sure.nodes)
            }
        }
    }
}

/// The arguments of `merge`.
#[derive(Args, Debug, Clone)]
pub(crate) struct MergeArgs {
    /// The PGN files or folders that were analysed, in the same order
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// The journals of all shards
    #[arg(long, required = true, num_args = 1.., value_name = "JOURNAL")]
    pub(crate) from: Vec<PathBuf>,
    /// The shards were analysed with --partial
    #[arg(long)]
    pub(crate) partial: bool,
    /// Where the results go.
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// The arguments of `positions`.
#[derive(Args, Debug, Clone)]
pub(crate) struct PositionsArgs {
    /// Files of FEN lines, EPD lines or games (every position of a game is labelled); "-" is the standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// Limits, shard and journal.
    #[command(flatten)]
    pub(crate) run: RunArgs,
    /// Take all labels from the journals of all shards, and search nothing
    #[arg(long, num_args = 1.., value_name = "JOURNAL", conflicts_with_all = ["journal", "shard"])]
    pub(crate) from: Vec<PathBuf>,
    /// A line of JSON for each label [default: the standard output]
    #[arg(long, value_name = "FILE", help_heading = "Outputs")]
    pub(crate) jsonl: Option<PathBuf>,
    /// A row for each label
    #[arg(long, value_name = "FILE", help_heading = "Outputs")]
    pub(crate) csv: Option<PathBuf>,
    /// Manifest: what was labelled and how, with fingerprints [default: the name of the first output that is a file,
    /// and .manifest.json]
    #[arg(long, value_name = "FILE", help_heading = "Outputs")]
    pub(crate) manifest: Option<PathBuf>,
    /// Print errors only
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl PositionsArgs {
    /// Whether no output goes to a file, and no journal is written.
    pub(crate) fn only_prints(&self) -> bool {
        let files = self.jsonl.iter().chain(&self.csv).chain(&self.manifest);
        let mut files = files.chain(&self.run.journal);
        files.all(|path| path == Path::new("-"))
    }
}

/// The arguments of `verify`.
#[derive(Args, Debug, Clone)]
pub(crate) struct VerifyArgs {
    /// The manifest that `positions` wrote
    #[arg(value_name = "MANIFEST")]
    pub(crate) manifest: PathBuf,
    /// How many of the positions to compute again; at least one of each file
    #[arg(long, value_name = "PERCENT", default_value = "1%", value_parser = share)]
    pub(crate) sample: f64,
    /// Seed of the sample: another number chooses other positions
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,
    /// The UCI engine that made the labels, as the manifest names it
    #[arg(long, value_name = "COMMAND")]
    pub(crate) engine: Option<Program>,
    /// Worker threads [default: one per core]
    #[arg(long, short, value_name = "T", value_parser = options::thread_count)]
    pub(crate) threads: Option<NonZeroUsize>,
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
    pub(crate) files: Vec<PathBuf>,
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

/// A percentage as a share, from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%').parse();
    let share = number
        .ok()
        .filter(|percent| (0.0..=100.0).contains(percent));
    let share = share.ok_or_else(|| format!("\"{text}\" is not a percentage from 0 to 100"));
    share.map(|percent: f64| percent / 100.0)
}

fn percent(text: &str) -> Result<ConfidenceArg, String> {
    match text {
        "none" => Ok(ConfidenceArg::Once),
        text => share(text).map(ConfidenceArg::Until),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        use clap::CommandFactory as _;
        Cli::command().debug_assert();
        let found = skewer_console::manual::early_line_end(&Cli::command());
        assert_eq!(
            found, None,
            "a paragraph of the help has an early end of a line"
        );
    }

    /// The help of an option in a command.
    fn help_of(command: &str, option: &str) -> String {
        use clap::CommandFactory as _;
        let cli = Cli::command();
        let command = cli.find_subcommand(command).unwrap();
        let mut options = command.get_arguments();
        let option = options.find(|argument| argument.get_id() == option);
        option.unwrap().get_help().unwrap().to_string()
    }

    /// Each command has its own numbers in its help, and refers to no other command.
    #[test]
    fn the_help_has_the_default_limits_of_the_command() {
        use skewer_analysis::params::{FIRST_NODES, MOST_PER_CENT};
        let (nodes, confidence) = (help_of("games", "nodes"), help_of("games", "confidence"));
        let defaults = format!("[default: {FIRST_NODES}; {DEFAULT_NODES} with --confidence");
        assert!(nodes.contains(&defaults), "{nodes}");
        let most = DEFAULT_NODES * MOST_PER_CENT / 100;
        let times = MOST_PER_CENT as f64 / 100.0;
        let limit = format!("at most {most} nodes a position, or {times} times --nodes");
        assert!(confidence.contains(&limit), "{confidence}");
        for command in ["position", "positions", "suite"] {
            let nodes = help_of(command, "nodes");
            let default = format!("[default: {DEFAULT_NODES} if there is no other limit]");
            assert!(nodes.ends_with(&default), "{command}: {nodes}");
        }
    }
}
