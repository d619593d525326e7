//! `match`: two engines against each other.

use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use crate::game::TIME_MARGIN;
use crate::limit::{Limit, TimeControl, move_time};
use anyhow::{Context as _, Result, bail, ensure};
use clap::Args;
use skewer_console::options::{thread_count, threads};
use skewer_console::standard;
use skewer_console::stop::Stop;
use skewer_games::sprt::Sprt;
use skewer_games::stats::Precision;
use skewer_store::CommandFiles;
use skewer_types::{MAX_DEPTH, printable_lines};

use super::shared::{EndArgs, OpeningArgs, beginning_of_names};
use crate::matches;
use crate::openings::Openings;
use crate::spec::{EngineKind, EngineSpec};

/// Options of `match`.
#[derive(Debug, Args)]
#[command(after_help = MATCH_EXAMPLES)]
pub(crate) struct Match {
    /// An engine; give two. `ours` or the path of a UCI program, then settings after commas
    #[arg(long = "engine", value_name = "ENGINE", required = true)]
    engines: Vec<String>,

    /// Nodes a move
    #[arg(long, group = "limit", help_heading = "Limits",
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies a move
    #[arg(long, group = "limit", help_heading = "Limits",
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<u32>,
    /// Seconds a move
    #[arg(long, group = "limit", help_heading = "Limits", value_name = "SECONDS")]
    movetime: Option<f64>,
    /// Clock: SECONDS+INCREMENT, or MOVES/SECONDS. With @NODES appended the clock counts nodes instead
    /// of time, NODES a millisecond, so that games do not depend on the machine: 1+0.01@500
    #[arg(long, group = "limit", help_heading = "Limits")]
    tc: Option<TimeControl>,
    /// Milliseconds by which an engine may exceed its clock
    #[arg(long, help_heading = "Limits", value_name = "MS",
          default_value_t = TIME_MARGIN.as_millis() as u64)]
    margin: u64,

    /// Stop after this many games (an even number: each opening is played from both sides)
    #[arg(long, default_value_t = 1000, help_heading = "Length")]
    games: u64,
    /// Stop as soon as a sequential test between these normalised Elo differences decides
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true,
          help_heading = "Length")]
    sprt: Option<Vec<f64>>,
    /// Error rates of the test: false positives and false negatives
    #[arg(long, num_args = 2, value_names = ["ALPHA", "BETA"], default_values_t = [0.05, 0.05],
          help_heading = "Length", requires = "sprt")]
    errors: Vec<f64>,
    /// Stop when the error of the result (95%) is no more than this
    #[arg(long, value_name = "ELO", help_heading = "Length")]
    precision: Option<Precision>,
    /// Games at a time [default: every core]
    #[arg(long, visible_alias = "concurrency", help_heading = "Length", value_parser = thread_count)]
    threads: Option<NonZeroUsize>,

    #[command(flatten)]
    openings: OpeningArgs,
    #[command(flatten)]
    ends: EndArgs,

    /// Save the match: OUT.journal (to resume it), OUT.pgn, OUT.json
    #[arg(long, value_parser = beginning_of_names())]
    out: Option<PathBuf>,
}

const MATCH_EXAMPLES: &str = "\
Engines: settings follow after commas.
  ours                           our engine, in this process, on one thread
    without=NAME+NAME            with these techniques switched off
    with=NAME+NAME               with these switched on that are off by default
    only=NAME+NAME               with these and no others
    eval=hce|net|FILE            the evaluation
    hash=MB                      the hash table (default 16)
    set.NAME=VALUE               with another value of a search parameter (in a build with
                                 --features tune; `skewer-selfplay spsa --list` lists them)
  /path/of/program               any UCI engine
    arg=ARG                      called with this argument (as often as needed)
    option.NAME=VALUE            with this UCI option
    dir=FOLDER                   in this folder
  for both: name=NAME, and a limit of its own: nodes=N, depth=N, movetime=SECONDS, tc=CLOCK

Results are from the first engine's side. A game that an engine loses on time, by an illegal move or \
by a crash is reported at once and counted at the end. With --out, a match that was stopped or killed \
is resumed by the same command; unfinished pairs of games are lost. A match is not resumed with \
another build of an engine or another network of `ours`. Networks that options of a program name are \
not checked.

At the end of a file of openings, the match starts again with the first one. Two of our engines \
without a clock would repeat their games, so such a match ends there. A random opening that was played \
before is left out; its pair counts toward --games.

Scores of programs are in centipawns, as they report them. Scores of `ours` are in internal units:
with the built-in network, 103 to 111 of them are 100 centipawns, by the material.

Examples:
  skewer-selfplay match --engine ours --engine ours,without=null-move --nodes 10000 --games 400
  skewer-selfplay match --engine ./new,name=new --engine ./old,name=old --tc 1+0.01 \\
      --openings book.epd --sprt 0 10 --games 20000 --resign 4:600 --draw 35:6:8 --out results/new
  skewer-selfplay match --engine ours --engine ours,without=killers --tc 1+0.01@500 --sprt 0 8
  skewer-selfplay match --engine ours,nodes=5000 --engine /usr/games/gnuchess,arg=-u --tc 1+0.01";

impl Match {
    pub(super) fn run(self) -> Result<()> {
        skewer_store::check_standard_output()?;
        let settings = self.settings()?;
        skewer_uci_client::adopt_helpers();
        let stop = Stop::on_signals_with(skewer_uci_client::end_engines)?;
        let report = matches::run(&settings, &stop)?;
        // Names of engines may contain control characters.
        let text = report.to_string();
        write!(standard::output(), "{}", printable_lines(&text))?;
        // Only a signal ends a match before it is decided.
        ensure!(
            report.finished,
            "the match was stopped before it was decided"
        );
        Ok(())
    }

    fn settings(self) -> Result<matches::MatchSettings> {
        let texts: [String; 2] =
            self.engines.clone().try_into().map_err(|given: Vec<_>| {
                anyhow::anyhow!("give two engines, not {}", given.len())
            })?;
        let parse = |text: &String| {
            text.parse::<EngineSpec>()
                .with_context(|| format!("--engine {text}"))
        };
        let engines = [parse(&texts[0])?, parse(&texts[1])?];
        self.check_files(&engines)?;
        let limit = self.limit()?;
        if limit.is_none() && engines.iter().any(|engine| engine.limit.is_none()) {
            bail!("give a limit: --nodes, --depth, --movetime or --tc");
        }
        let own_limits = engines.iter().all(|engine| engine.limit.is_some());
        let openings = self.openings.openings()?;
        let mode = openings.mode();
        let sprt = match (self.sprt.as_deref(), &self.errors[..]) {
            (None, _) => None,
            (Some([elo0, elo1]), [alpha, beta]) => Some(sprt(*elo0, *elo1, *alpha, *beta)?),
            _ => bail!("--sprt takes two numbers"),
        };
        Ok(matches::MatchSettings {
            engines,
            texts,
            // This default is never used, because without a limit both engines have limits of their own.
            limit: limit.unwrap_or(Limit::Depth(1)),
            conditions: self.conditions(limit.filter(|_| !own_limits), &openings),
            openings,
            rules: self.ends.rules(Duration::from_millis(self.margin), mode),
            pairs: self.games.div_ceil(2),
            sprt,
            precision: self.precision,
            threads: threads(self.threads),
            out: self.out,
        })
    }

    /// Refuses an --out whose files are the openings, an engine or a network.
    fn check_files(&self, engines: &[EngineSpec; 2]) -> Result<()> {
        let mut files = CommandFiles::reading(&self.openings.file);
        for engine in engines {
            match &engine.kind {
                EngineKind::External(external) => files.input(&external.command),
                EngineKind::Ours(ours) => match ours.evaluation.path() {
                    Some(path) => files.input(path),
                    None => &mut files,
                },
            };
        }
        if let Some(out) = &self.out {
            files.journal(out.with_added_extension("journal"));
            for extension in ["pgn", "json"] {
                files.output("--out", out.with_added_extension(extension));
            }
        }
        Ok(files.check()?)
    }

    /// The limit of both engines, if one is given.
    fn limit(&self) -> Result<Option<Limit>> {
        Ok(match (self.nodes, self.depth, self.movetime, self.tc) {
            (Some(nodes), ..) => Some(Limit::Nodes(nodes)),
            (_, Some(depth), ..) => Some(Limit::Depth(depth)),
            (_, _, Some(seconds), _) => Some(Limit::MoveTime(
                move_time(seconds).context("--movetime: give seconds, such as 0.1")?,
            )),
            (.., control) => control.map(Limit::Clock),
        })
    }

    /// Everything but the engines that affects the games, as text. Without `limit`, each engine has a
    /// limit of its own.
    fn conditions(&self, limit: Option<Limit>, openings: &Openings) -> String {
        let limit = limit.map_or("own limits".to_owned(), |limit| limit.to_string());
        format!(
            "{limit}, {}, {}, margin {} ms",
            self.openings.description(openings),
            self.ends.description(),
            self.margin
        )
    }
}

fn sprt(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt> {
    let share = 0.0001..0.5;
    if !(elo0 < elo1 && elo0.abs() <= 100.0 && elo1.abs() <= 100.0) {
        bail!("--sprt ELO0 ELO1: give two numbers from -100 to 100, the first below the second");
    }
    if !(share.contains(&alpha) && share.contains(&beta)) {
        bail!("--errors: give rates from 0.0001 to 0.5, such as 0.05");
    }
    Ok(Sprt {
        elo0,
        elo1,
        alpha,
        beta,
    })
}
