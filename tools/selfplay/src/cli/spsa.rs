//! `spsa`: better numbers for the search.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use skewer_search::{Numbers, Param};

use super::shared::{EndArgs, OpeningArgs, threads};
use crate::limit::Limit;
use crate::spec::{EngineKind, EngineSpec};
use crate::spsa::walk::{Knob, Walk};
use crate::spsa::{self, Settings};
use crate::stop::Stop;

/// Options of `spsa`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Spsa {
    /// Our engine, with settings after commas as in `match`: evalfile=FILE, hash=MB, without=NAME
    #[arg(long, default_value = "ours,hash=4", value_name = "ours[,SETTING]")]
    engine: String,
    /// The numbers to look for; a name that ends in * stands for all that begin so
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "*",
        value_name = "NAME,.."
    )]
    numbers: Vec<String>,
    /// Numbers to leave as they are
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "time_*,tb_*,aspiration_helper",
        value_name = "NAME,.."
    )]
    but: Vec<String>,
    /// Print every number with its range and meaning, and nothing else
    #[arg(long)]
    list: bool,
    /// Nodes a move
    #[arg(long, default_value_t = 3000)]
    nodes: u64,
    /// Pairs of games to play
    #[arg(long, default_value_t = 10_000)]
    pairs: u64,
    /// The part of its step by which a number moves for a point, at the end of the run
    #[arg(long, default_value_t = 0.004)]
    rate: f64,
    /// Games at a time [default: every core]
    #[arg(long)]
    threads: Option<NonZeroUsize>,
    #[command(flatten)]
    openings: OpeningArgs,
    #[command(flatten)]
    ends: EndArgs,
    /// The file to go on from: OUT.spsa
    #[arg(long, required_unless_present = "list")]
    out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
The numbers are constants in a usual build; this needs one in which they are not:
  cargo build --release -p skewer-selfplay --features tune

Each pair of games is played by our engine with every number moved a step up or down, as a coin falls,
against itself with every number moved the other way, and all numbers go a little towards the winner's
side. It takes thousands of pairs until what a number is worth shows, and the more of them for the
larger a part of it. A run that is stopped or killed goes on with the same command.

At the end, or when stopped, it prints where the numbers stand. Whether they are better a match must say,
over other openings: skewer-selfplay match --engine ours,set.rfp_margin=80 --engine ours --seed 2 ..

Examples:
  skewer-selfplay spsa --list
  skewer-selfplay spsa --pairs 20000 --out results/all
  skewer-selfplay spsa --numbers 'lmr_*,rfp_margin' --nodes 10000 --out results/reductions";

impl Spsa {
    pub(super) fn run(self) -> Result<()> {
        if self.list {
            for param in Numbers::all() {
                println!(
                    "{} = {} ({} to {}): {} ({})",
                    param.name, param.default, param.min, param.max, param.meaning, param.unit
                );
            }
            return Ok(());
        }
        if !cfg!(feature = "tune") {
            bail!("the numbers of this program are constants; build it with `--features tune`");
        }
        let settings = self.settings()?;
        let stop = Stop::on_signals()?;
        let (walk, played) = spsa::run(&settings, &stop)?;
        print!("{}", spsa::table(&walk));
        println!("after {played} of {} pairs", settings.pairs);
        Ok(())
    }

    fn settings(self) -> Result<Settings> {
        let spec: EngineSpec = self
            .engine
            .parse()
            .with_context(|| format!("--engine {}", self.engine))?;
        let EngineKind::Ours(engine) = spec.kind else {
            bail!(
                "--engine {}: only `ours` has numbers to look for",
                self.engine
            );
        };
        if !(self.rate > 0.0 && self.rate <= 1.0) {
            bail!("--rate: a number above 0, up to 1");
        }
        let chosen = chosen(&self.numbers, &self.but)?;
        let limit = spec.limit.unwrap_or(Limit::Nodes(self.nodes.max(1)));
        let openings = self.openings.openings()?;
        let mode = openings.mode();
        let conditions = format!(
            "{}, {limit}, {} pairs, rate {}, {}, {}",
            self.engine,
            self.pairs,
            self.rate,
            self.openings.words(mode)?,
            self.ends.words()
        );
        Ok(Settings {
            engine,
            limit,
            walk: Walk::new(chosen, self.pairs, self.rate, self.openings.seed()),
            pairs: self.pairs,
            rules: self.ends.rules(Duration::ZERO, mode),
            openings,
            threads: threads(self.threads),
            out: self.out.context("--out is needed")?,
            conditions,
        })
    }
}

/// The numbers of these names, but for those; every name must stand for one at least.
fn chosen(names: &[String], but: &[String]) -> Result<Vec<Knob>> {
    let matches = |name: &str, param: &Param| match name.strip_suffix('*') {
        Some(start) => param.name.starts_with(start),
        None => param.name == name,
    };
    for name in names.iter().chain(but) {
        if !Numbers::all().any(|param| matches(name, param)) {
            bail!("no number is called `{name}`; `skewer-selfplay spsa --list` shows them");
        }
    }
    let knobs: Vec<Knob> = Numbers::all()
        .filter(|param| names.iter().any(|name| matches(name, param)))
        .filter(|param| !but.iter().any(|name| matches(name, param)))
        .map(Knob::new)
        .collect();
    if knobs.is_empty() {
        bail!("--but leaves none of --numbers");
    }
    Ok(knobs)
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_are_chosen_by_name_and_by_beginning() {
        let chosen = |names: &[&str], but: &[&str]| {
            let owned = |names: &[&str]| {
                names
                    .iter()
                    .map(|&name| name.to_owned())
                    .collect::<Vec<_>>()
            };
            super::chosen(&owned(names), &owned(but))
        };
        let knobs = chosen(&["rfp_*", "see_pawn"], &["rfp_depth"]).unwrap();
        let names: Vec<_> = knobs.iter().map(|knob| knob.param.name).collect();
        assert_eq!(
            names,
            ["rfp_margin", "rfp_improving", "rfp_blend", "see_pawn"]
        );
        for (names, but, said) in [
            (["magic"], [], "no number is called `magic`"),
            (["magic_*"], [], "no number is called `magic_*`"),
        ] as [([&str; 1], [&str; 0], &str); 2]
        {
            assert!(chosen(&names, &but).unwrap_err().to_string().contains(said));
        }
        let error = chosen(&["rfp_margin"], &["rfp_*"]).unwrap_err().to_string();
        assert!(error.contains("leaves none"), "{error}");
    }
}
