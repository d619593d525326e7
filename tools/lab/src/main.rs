//! The command line of the lab.

mod documents;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use clap::{Parser, Subcommand};
use skewer_common::chart::{Bar, Chart, Scale, Tone};
use skewer_common::limit::{Limit, TimeControl};
use skewer_common::options::{EvaluationArgs, technique, techniques};
use skewer_common::stats::Precision;
use skewer_lab::claims::{self, Pace};
use skewer_lab::compare::{self, Arena};
use skewer_lab::real::{ablate, duel, tactics};
use skewer_lab::report::{self, Claim, Verdict};
use skewer_store::CommandFiles;
use skewer_types::{Depth, Techniques};

#[allow(
    clippy::doc_markdown,
    reason = "the help page is read on a terminal, where backticks are noise"
)]
/// Compares textbook search algorithms, and measures the techniques of the real search.
///
/// Start here; it takes a second:
///
///   skewer-lab compare chess --depth 3
///
/// It searches one chess position by minimax, alpha-beta, SCOUT, NegaScout, PVS, MTD(f), SSS* and
/// MT-SSS*, and prints the nodes of each. `skewer-lab claims` measures the claims of five texts about such
/// searches, and prints a verdict and an interval for each.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  skewer-lab compare tree --branching 10 --depth 4
  skewer-lab claims --only pvs --quick   the claims on one subject, in seconds, with wide intervals
  skewer-lab claims                      every claim, measured (some minutes)
  skewer-lab claims --json > claims.json
  skewer-lab claims --plot claims.svg
  skewer-lab ablate                      the real search without each of its techniques
  skewer-lab ablate --only null-move,killers --depth 12
  skewer-lab match --without null-move   the Elo of a technique in games
  skewer-lab docs docs/techniques.md     makes the tables of that page again";

#[derive(Subcommand)]
enum Command {
    /// Runs all algorithms on one game and compares them.
    Compare {
        /// What to search.
        #[arg(value_enum, default_value = "tree")]
        game: Arena,
        /// How deep, in plies.
        #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=12))]
        depth: u32,
        /// Moves of every node, for artificial trees.
        #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u16).range(1..=64))]
        branching: u16,
        /// The seed of an artificial tree: each number gives another one.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// The chess position [default: a position of the lab].
        #[arg(long)]
        fen: Option<String>,
        #[command(flatten)]
        output: Output,
    },
    /// Measures the real search without each of its techniques: nodes and time to a depth, and
    /// tactical positions solved.
    Ablate {
        /// These techniques alone, each by itself. `skewer help techniques` lists the names.
        #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = technique)]
        only: Vec<Techniques>,
        /// How deep, in plies.
        #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(Depth).range(1..=40))]
        depth: Depth,
        /// Nodes after which a position is given up.
        #[arg(long, value_name = "NODES", default_value_t = 2_000_000)]
        most_nodes: u64,
        /// Tactical positions with best moves, an EPD file (Win at Chess, for instance). Without it
        /// none are searched.
        #[arg(long, value_name = "FILE")]
        epd: Option<PathBuf>,
        /// The most positions of the EPD file that are searched, from its start.
        #[arg(long, default_value_t = 100)]
        tactics: usize,
        /// Nodes for each position of the EPD file.
        #[arg(long, value_name = "NODES", default_value_t = 30_000)]
        tactic_nodes: u64,
        #[command(flatten)]
        engine: Engine,
        #[command(flatten)]
        output: Output,
    },
    /// Plays the real search against itself without a technique, and prints the Elo of the technique.
    Match {
        /// The techniques that the second player lacks, joined by `+`. Each `--without` is a match of
        /// its own.
        #[arg(long, value_name = "NAME", required_unless_present = "each", value_delimiter = ',', value_parser = techniques)]
        without: Vec<Techniques>,
        /// A match for each technique, one after another; those for the clock are left out, unless
        /// there is one.
        #[arg(long, conflicts_with = "without")]
        each: bool,
        /// Games; an even number, since each opening is played from both sides.
        #[arg(long, default_value_t = 200, value_parser = even)]
        games: usize,
        /// Stop a match sooner, when the error of its result (95%) is no more than this.
        #[arg(long, value_name = "ELO")]
        precision: Option<Precision>,
        /// Nodes for each move.
        #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "tc")]
        nodes: u64,
        /// A clock instead: SECONDS+INCREMENT, for example 5+0.05. With @NODES after it the clock counts
        /// nodes, NODES a millisecond, and games are the same on every machine: 1+0.01@150
        #[arg(long, value_name = "CLOCK")]
        tc: Option<TimeControl>,
        /// The seed of the openings: each number gives others.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[command(flatten)]
        engine: Engine,
        #[command(flatten)]
        output: Output,
    },
    /// Regenerates the tables of a Markdown file. A comment before each table has the command that makes
    /// it; another ends it.
    Docs {
        /// The file, `docs/techniques.md` for instance.
        file: PathBuf,
        /// Only the tables whose command contains this.
        #[arg(long, value_name = "TEXT")]
        only: Option<String>,
    },
    /// Measures every claim of the texts and prints whether it holds.
    Claims {
        /// The claims about one subject only.
        #[arg(long, value_name = "SUBJECT", value_parser = claims::CHAPTERS.map(|chapter| chapter.name))]
        only: Option<String>,
        /// A few seconds instead of minutes; the figures are less reliable.
        #[arg(long)]
        quick: bool,
        #[command(flatten)]
        output: Output,
    },
}

#[derive(clap::Args)]
struct Engine {
    /// The size of the hash table, in megabytes.
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    /// Searches at the same time. With more than one, times are unreliable.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,
    #[command(flatten)]
    evaluation: EvaluationArgs,
}

#[derive(clap::Args)]
struct Output {
    /// Print a list of JSON objects.
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print a Markdown table.
    #[arg(long)]
    markdown: bool,
    /// Draw a bar chart too.
    #[arg(long, value_name = "FILE.svg", value_parser = svg_file)]
    plot: Option<PathBuf>,
}

impl Output {
    /// Refuses a chart that would overwrite one of the files that are read.
    fn check<'a>(&self, inputs: impl IntoIterator<Item = &'a Path>) -> Result<()> {
        let mut files = CommandFiles::new();
        for path in inputs {
            files.input(path);
        }
        if let Some(path) = &self.plot {
            files.output("--plot", path);
        }
        Ok(files.check()?)
    }

    /// The output: `text`, `markdown`, or `items` as JSON. Also writes the chart with `--plot`.
    fn render<T: serde::Serialize>(
        &self,
        items: &[T],
        text: impl FnOnce() -> String,
        markdown: impl FnOnce() -> String,
        chart: impl FnOnce() -> Chart,
    ) -> Result<String> {
        if let Some(path) = &self.plot {
            skewer_store::write(path, chart().to_svg())?;
        }
        Ok(if self.json {
            serde_json::to_string_pretty(items)? + "\n"
        } else if self.markdown {
            markdown()
        } else {
            text()
        })
    }
}

/// A number of games that come in pairs.
fn even(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(games) if (1..=1_000_000).contains(&games) && games % 2 == 0 => Ok(games),
        Ok(games) if games % 2 == 1 => Err(
            "give an even number: games are played in pairs, each opening from both sides"
                .to_owned(),
        ),
        _ => Err("give a number from 1 to 1000000".to_owned()),
    }
}

/// The name of a chart.
fn svg_file(name: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(name);
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("svg") => Ok(path),
        _ => Err("charts are drawn as SVG; end the name in .svg".to_owned()),
    }
}

/// The first `most` tactical positions of `epd`; none without a file.
fn read_tactics(epd: Option<PathBuf>, most: usize) -> Result<Vec<tactics::Tactic>> {
    let Some(path) = epd.filter(|_| most > 0) else {
        return Ok(Vec::new());
    };
    let found = tactics::read(&path, most)?;
    if found.is_empty() {
        return Err(anyhow!("{}: no position with a best move", path.display()));
    }
    Ok(found)
}

/// A chart of each claim's figure and interval, relative to the limit of the range that it needs.
fn claims_chart(claims: &[Claim]) -> Chart {
    let bar = |claim: &Claim| {
        let (low, high) = claim.needed();
        // Lengths are shares of the limit, or hundreds of Elo where that is zero.
        let limit = if low.is_finite() { low } else { high };
        let unit = if limit == 0.0 { 100.0 } else { limit.abs() };
        let met = |figure: f64| {
            let inside = (figure - low).min(high - figure) / unit;
            inside.clamp(-1.5, 1.5)
        };
        let figure = claim.figure;
        let ends = [figure.low, figure.high].map(met);
        Bar {
            label: format!("{}: {}", claim.source, claim.claim),
            length: met(figure.value),
            interval: (!figure.is_exact()).then(|| (ends[0].min(ends[1]), ends[0].max(ends[1]))),
            note: format!(
                "{}: {}, needs {}",
                claim.verdict,
                figure.with_unit(),
                claim.needs
            ),
            tone: match claim.verdict {
                Verdict::Confirmed => Tone::Good,
                Verdict::Depends => Tone::Mixed,
                Verdict::Refuted => Tone::Bad,
                Verdict::CannotTell => Tone::Unknown,
            },
        }
    };
    Chart {
        title: "What the texts claim, and what was measured".to_owned(),
        subtitle:
            "textbook searcher and artificial trees; figures are ratios, shares or Elo, with 95% \
                   intervals"
                .to_owned(),
        axis: "distance from what the claim needs, as a share of it (hundreds of Elo for matches)"
            .to_owned(),
        scale: Scale::Linear,
        bars: claims.iter().map(bar).collect(),
    }
}

fn main() -> ExitCode {
    skewer_store::report_file_size_limit();
    let printed = execute(Cli::parse().command);
    match printed.and_then(|text| print(&text)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("skewer-lab: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn print(text: &str) -> Result<()> {
    match io::stdout().write_all(text.as_bytes()) {
        // The reader, `head` for instance, has closed the pipe.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

fn print_claims(only: Option<&str>, quick: bool, output: &Output) -> Result<String> {
    let claims = claims::measure(only, if quick { Pace::Quick } else { Pace::Full })?;
    output.render(
        &claims,
        || report::as_text(&claims),
        || report::as_markdown(&claims),
        || claims_chart(&claims),
    )
}

fn remake_tables(file: &Path, only: Option<&str>) -> Result<String> {
    documents::remake(file, only, |line| {
        let words = ["skewer-lab"].into_iter().chain(line.split_whitespace());
        match Cli::try_parse_from(words)?.command {
            Command::Docs { .. } => bail!("a table cannot be made by `docs`"),
            command => execute(command),
        }
    })
}

/// Runs a command and returns its output.
fn execute(command: Command) -> Result<String> {
    match command {
        Command::Compare {
            game,
            depth,
            branching,
            seed,
            fen,
            output,
        } => {
            let trial = compare::Trial {
                arena: game,
                depth,
                branching,
                seed,
                fen,
            };
            let rows = trial.run()?;
            output.render(
                &rows,
                || compare::as_text(&rows),
                || compare::as_markdown(&rows),
                || compare::chart(&trial, &rows),
            )
        }
        Command::Docs { file, only } => remake_tables(&file, only.as_deref()),
        Command::Ablate {
            only,
            depth,
            most_nodes,
            epd,
            tactics,
            tactic_nodes,
            engine,
            output,
        } => {
            output.check(epd.as_deref().into_iter().chain(engine.evaluation.file()))?;
            let each = || Techniques::all().iter().collect();
            let setup = ablate::Setup {
                techniques: if only.is_empty() { each() } else { only },
                depth,
                most_nodes,
                tactics: read_tactics(epd, tactics)?,
                tactic_nodes,
                hash_mb: engine.hash as usize,
                jobs: engine.jobs.into(),
                evaluation: engine.evaluation.load()?,
            };
            let rows = ablate::run(&setup)?;
            output.render(
                &rows,
                || ablate::as_text(&rows),
                || ablate::as_markdown(&rows),
                || ablate::chart(&setup, &rows),
            )
        }
        Command::Match {
            mut without,
            each,
            games,
            precision,
            nodes,
            tc,
            seed,
            engine,
            output,
        } => {
            output.check(engine.evaluation.file())?;
            let limit = tc.map_or(Limit::Nodes(nodes), Limit::Clock);
            if each {
                without = duel::each(limit);
            }
            let evaluation = engine.evaluation.load()?;
            let setup = |without| duel::Setup {
                without,
                pairs: games / 2,
                precision,
                limit,
                seed,
                hash_mb: engine.hash as usize,
                jobs: engine.jobs.into(),
                evaluation: evaluation.clone(),
            };
            let play = |without| duel::play(&setup(without));
            let results: Vec<_> = without.into_iter().map(play).collect::<Result<_>>()?;
            output.render(
                &results,
                || duel::as_text(&results),
                || duel::as_markdown(&results),
                || duel::chart(&results, limit),
            )
        }
        Command::Claims {
            only,
            quick,
            output,
        } => print_claims(only.as_deref(), quick, &output),
    }
}
