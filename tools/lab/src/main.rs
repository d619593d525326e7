//! The command line of the lab.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::{Parser, Subcommand};
use skewer_lab::claims::{self, Pace};
use skewer_lab::compare::{self, Arena};
use skewer_lab::plot::{Bar, Chart};
use skewer_lab::report::{self, Claim, Verdict};

/// The textbook search algorithms beside the real search.
///
/// Start with `skewer-lab compare`, which lays minimax, alpha-beta, SCOUT, NegaScout, MTD(f) and
/// SSS* side by side on one game, or with `skewer-lab claims`, which measures what five texts on
/// search claim and says which of it is true.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  skewer-lab compare chess --depth 4     all algorithms on one chess position
  skewer-lab compare tree --branching 10 --depth 4
  skewer-lab claims                      every claim, measured (some minutes)
  skewer-lab claims --only 3             the claims of seed 003
  skewer-lab claims --json > claims.json
  skewer-lab claims --plot claims.svg";

#[derive(Subcommand)]
enum Command {
    /// Lays all algorithms side by side on one game.
    Compare {
        /// What to search.
        #[arg(value_enum, default_value = "tree")]
        game: Arena,
        /// How deep, in plies.
        #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=12))]
        depth: u32,
        /// Moves of every node, for `tree` and its kin.
        #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u16).range(1..=64))]
        branching: u16,
        /// Which random tree.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// The chess position; the first of the lab's own where none is given.
        #[arg(long)]
        fen: Option<String>,
        #[command(flatten)]
        output: Output,
    },
    /// Measures every claim of the texts and says whether it holds.
    Claims {
        /// One text only, by its number: 0 futility, 1 alpha-beta, 2 move order, 3 null move, 4
        /// principal variation search.
        #[arg(long, value_name = "SEED", value_parser = clap::value_parser!(u16).range(0..=4))]
        only: Option<u16>,
        /// A few seconds instead of some minutes, and figures that prove little.
        #[arg(long)]
        quick: bool,
        #[command(flatten)]
        output: Output,
    },
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
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

impl Output {
    /// Prints `text` or `items` as they were asked for, and draws the chart.
    fn put<T: serde::Serialize>(
        &self,
        items: &[T],
        text: impl FnOnce() -> String,
        markdown: impl FnOnce() -> String,
        chart: impl FnOnce() -> Chart,
    ) -> Result<()> {
        let printed = if self.json {
            serde_json::to_string_pretty(items)? + "\n"
        } else if self.markdown {
            markdown()
        } else {
            text()
        };
        io::stdout().write_all(printed.as_bytes())?;
        self.plot.as_deref().map_or(Ok(()), |path| draw(path, &chart()))
    }
}

/// Writes the chart beside where it will have its name, so that no half of it is ever seen.
fn draw(path: &Path, chart: &Chart) -> Result<()> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    if !extension.is_some_and(|extension| extension.eq_ignore_ascii_case("svg")) {
        bail!("{}: charts are drawn as SVG; end the name in .svg", path.display());
    }
    fs::write(path, chart.to_svg()).with_context(|| format!("{} cannot be written", path.display()))
}

fn claims_chart(claims: &[Claim]) -> Chart {
    let bar = |claim: &Claim| Bar {
        label: format!("{}: {}", claim.source, claim.claim),
        length: claim.margin(),
        note: format!("{} ({} needed)", report::brief(claim.figure), claim.needs),
        colour: match claim.verdict {
            Verdict::Confirmed => "#3a8f5c",
            Verdict::Depends => "#d9a227",
            Verdict::NotConfirmed => "#c0483c",
        },
    };
    Chart {
        title: "What the texts claim, and what was measured".to_owned(),
        axis: "doublings beyond what the claim needs: right of the line it is met (green \
               confirmed, yellow depends, red not confirmed)"
            .to_owned(),
        bars: claims.iter().map(bar).collect(),
    }
}

fn main() -> Result<()> {
    match Cli::parse().command {
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
            output.put(
                &rows,
                || compare::as_text(&rows),
                || compare::as_markdown(&rows),
                || compare::chart(&rows),
            )
        }
        Command::Claims {
            only,
            quick,
            output,
        } => {
            let claims = claims::measure(only, if quick { Pace::Quick } else { Pace::Full });
            output.put(
                &claims,
                || report::as_text(&claims),
                || report::as_markdown(&claims),
                || claims_chart(&claims),
            )
        }
    }
}
