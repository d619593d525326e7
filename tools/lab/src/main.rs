//! The command line of the lab.

mod documents;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Parser, Subcommand};
use skewer_console::options::{exit_code, own_file};
use skewer_console::standard;
use skewer_lab::claims::{self, CHAPTERS, Pace};
use skewer_lab::compare::{self, Trial};
use skewer_lab::lesson::Lesson;
use skewer_lab::real::ablate;
use skewer_lab::recipe::{self, Observe, Question};
use skewer_lab::report::{self, Claim, Verdict};
use skewer_lab::tree_page;
use skewer_store::CommandFiles;
use skewer_svg::chart::{Bar, Chart, Scale, Tone};
use skewer_types::printable_lines;

/// The command line.
#[derive(Parser)]
#[command(version, about = ABOUT, long_about = LONG_ABOUT, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const ABOUT: &str =
    "Searches by the algorithms of five texts, shows how, and measures what the texts claim.";

/// A doc comment would lose the line breaks.
const LONG_ABOUT: &str = "\
Searches by the algorithms of five texts, shows how, and measures what the texts claim.

Start here; each takes a second:

  skewer-lab search --recipe futility --depth 4
  skewer-lab search --recipe alpha-beta --recipe sss --tree \"((3 5) (6 9) (1 2))\"
  skewer-lab tree --recipe alpha-beta --recipe sss --tree \"((3 5) (6 9) (1 2))\" --html tree.html
  skewer-lab lesson null-move --html lesson.html

The first searches a chess position with one technique and counts nodes, windows and cut-offs. The \
second compares two algorithms on a tree that is typed in. The third makes a page that steps \
through both, and the last a lesson about one text. `skewer-lab claims` measures the claims of the \
texts, and prints a verdict and an interval for each.";

const EXAMPLES: &str = "\
Examples:
  skewer-lab search --recipe null-move+futility --recipe plain --game pawns --depth 6
  skewer-lab tree --game zugzwang --at-least -300 --recipe null-move --html tree.html
  skewer-lab lesson null-move --html lesson.html
  skewer-lab compare chess --depth 3     all algorithms on one chess position
  skewer-lab compare tree --branching 10 --depth 4
  skewer-lab claims --only pvs --quick   the claims on one subject, in seconds, with wide intervals
  skewer-lab claims                      every claim, measured (ten to twenty minutes)
  skewer-lab claims --json > claims.json
  skewer-lab claims --plot claims.svg
  skewer-lab ablate                      the real search without each of its techniques
  skewer-lab ablate --only null-move,killers --depth 12
  skewer-lab docs --only claims          makes those tables of the documents again";

#[derive(Subcommand)]
enum Command {
    /// Searches a position or a tree by any algorithm or combination of techniques, and counts.
    #[command(after_help = recipe::help())]
    Search {
        #[command(flatten)]
        question: Question,
        /// Print a list of JSON objects.
        #[arg(long)]
        json: bool,
    },
    /// Makes a page that steps through a search, or through several side by side.
    #[command(after_help = recipe::help())]
    Tree {
        #[command(flatten)]
        question: Question,
        /// The page to write.
        #[arg(long, value_name = "FILE.html", value_parser = own_file())]
        html: PathBuf,
    },
    /// Writes a lesson about one of the five texts: the idea, searches to step through, questions, the position in
    /// which it errs, and what was measured. About ten minutes.
    Lesson {
        /// Which text.
        #[arg(value_parser = CHAPTERS.map(|chapter| chapter.name))]
        name: String,
        /// The page to write.
        #[arg(long, value_name = "FILE.html", value_parser = own_file())]
        html: PathBuf,
    },
    /// Runs all algorithms on one game and compares them.
    Compare {
        #[command(flatten)]
        trial: Trial,
        #[command(flatten)]
        output: Output,
    },
    /// Measures the real search without each of its techniques: nodes and time to a depth, and
    /// tactical positions solved.
    Ablate {
        #[command(flatten)]
        setup: ablate::Setup,
        #[command(flatten)]
        output: Output,
    },
    /// Makes the tables of the documents again. The last column of each says how: the command, the build
    /// and the date.
    Docs(documents::Setup),
    /// Measures every claim of the texts and prints whether it holds.
    Claims {
        /// The claims of one chapter only (futility, alpha-beta, quiet-moves, null-move, pvs), or of one of
        /// its measurements, such as pvs/orders.
        #[arg(long, value_name = "CHAPTER[/MEASUREMENT]")]
        only: Option<claims::Choice>,
        /// A few seconds instead of minutes; the figures are less reliable.
        #[arg(long)]
        quick: bool,
        #[command(flatten)]
        output: Output,
    },
}

#[derive(clap::Args)]
struct Output {
    /// Print a list of JSON objects.
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print the table as CSV.
    #[arg(long)]
    csv: bool,
    /// Draw a bar chart too.
    #[arg(long, value_name = "FILE.svg", value_parser = svg_file())]
    plot: Option<PathBuf>,
}

impl Output {
    /// Refuses a chart that would overwrite one of the files that are read.
    fn check<'a>(&self, inputs: impl IntoIterator<Item = &'a Path>) -> Result<()> {
        let mut files = CommandFiles::reading(inputs);
        if let Some(path) = &self.plot {
            files.output("--plot", path);
        }
        Ok(files.check()?)
    }

    /// The output: `text`, `csv`, or `items` as JSON. Also writes the chart with `--plot`.
    fn render<T: serde::Serialize>(
        &self,
        items: &[T],
        text: impl FnOnce() -> String,
        csv: impl FnOnce() -> Result<String>,
        chart: impl FnOnce() -> Chart,
    ) -> Result<String> {
        if let Some(path) = &self.plot {
            skewer_store::write(path, chart().to_svg())?;
        }
        Ok(if self.json {
            serde_json::to_string_pretty(items)? + "\n"
        } else if self.csv {
            csv()?
        } else {
            text()
        })
    }
}

/// The name of a chart.
fn svg_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("svg") => Ok(path),
        _ => Err("charts are drawn as SVG; end the name in .svg"),
    })
}

/// A chart of each claim's figure and interval, relative to the limit of the range that the claim needs.
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
    let command = standard::parse::<Cli>().command;
    let open = skewer_store::check_standard_output().map_err(Into::into);
    let printed = open.and_then(|()| execute(command));
    // Trees and names of files come from the user.
    let print = |text: String| Ok(write!(standard::output(), "{}", printable_lines(&text))?);
    let printed = printed.and_then(print);
    exit_code("skewer-lab", printed)
}

/// Runs the command of a table.
fn make_table(line: &str) -> Result<String> {
    match Cli::try_parse_from(line.split_whitespace())?.command {
        Command::Docs(_) => bail!("a table cannot be made by `docs`"),
        command => execute(command),
    }
}

/// Runs a command and returns its output.
fn execute(command: Command) -> Result<String> {
    match command {
        Command::Search { question, json } => {
            let observed = question.answer(Observe::Counts)?;
            let answers: Vec<_> = observed.into_iter().map(|(answer, _)| answer).collect();
            Ok(if json {
                serde_json::to_string_pretty(&answers)? + "\n"
            } else {
                recipe::as_text(&question, &answers)
            })
        }
        Command::Tree { question, html } => {
            let observed = question.answer(Observe::Steps)?;
            skewer_store::write(&html, tree_page::page(&question, &observed)?)?;
            Ok(format!("{}: open it in a browser\n", html.display()))
        }
        Command::Lesson { name, html } => {
            let lesson = Lesson::named(&name).context("there is no such lesson")?;
            skewer_store::write(&html, lesson.page()?)?;
            Ok(format!("{}: open it in a browser\n", html.display()))
        }
        Command::Compare { trial, output } => {
            let rows = trial.run()?;
            output.render(
                &rows,
                || compare::as_text(&rows),
                || compare::as_csv(&rows),
                || compare::chart(&trial, &rows),
            )
        }
        Command::Docs(setup) => setup.remake(make_table),
        Command::Ablate { setup, output } => {
            let evaluation = &setup.engine.evaluation;
            output.check(setup.epd.as_deref().into_iter().chain(evaluation.file()))?;
            let evaluation = evaluation.chosen();
            let rows = ablate::run(&setup, &evaluation)?;
            output.render(
                &rows,
                || ablate::as_text(&rows),
                || ablate::as_csv(&rows),
                || ablate::chart(&setup, &evaluation, &rows),
            )
        }
        Command::Claims {
            only,
            quick,
            output,
        } => {
            let pace = if quick { Pace::Quick } else { Pace::Full };
            let claims = claims::measure(only.as_ref(), pace)?;
            output.render(
                &claims,
                || report::as_text(&claims),
                || report::as_csv(&claims),
                || claims_chart(&claims),
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_has_whole_paragraphs() {
        use clap::CommandFactory as _;
        let found = skewer_console::manual::early_line_end(&Cli::command());
        assert_eq!(found, None);
    }
}
