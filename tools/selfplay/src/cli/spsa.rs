//! `spsa`: better numbers for the search.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use skewer_search::Numbers;

use super::shared::{EndArgs, OpeningArgs, threads};
use crate::limit::{Limit, TimeControl};
use crate::params;
use crate::spec::{self, EngineKind, EngineSpec};
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
    /// Numbers to leave as they are: unless said otherwise those that such games cannot judge, having no
    /// clock, no endgame tables and one thread
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
    /// Clock that counts nodes: SECONDS+INCREMENT@NODES, with NODES searched nodes a millisecond.
    /// Choose it near the clock the parameters are for: deeper trees prefer other values
    #[arg(long, default_value = "1+0.01@500")]
    tc: TimeControl,
    /// Nodes a move instead of a clock. Every move then ends in the middle of an iteration, which
    /// no clock does
    #[arg(long, conflicts_with = "tc")]
    nodes: Option<u64>,
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
side. It takes thousands of pairs until that adds up to more than luck. A run that is stopped or killed
goes on with the same command. The --seed of the openings is that of the coins too.

At the end, or when stopped, it prints where the numbers stood on average in the latter half of the run,
and an engine with them. Whether it is stronger a match must say, over openings that it was not found with: another --seed of random ones, or
another file.

Examples:
  skewer-selfplay spsa --list
  skewer-selfplay spsa --pairs 20000 --out results/all
  skewer-selfplay spsa --numbers 'lmr_*,rfp_margin' --tc 1+0.01@250 --out results/reductions";

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
            bail!(spec::CONSTANT_NUMBERS);
        }
        let settings = self.settings()?;
        let stop = Stop::on_signals()?;
        let (walk, played) = spsa::run(&settings, &stop)?;
        print!("{}", spsa::table(&walk));
        println!("after {played} of {} pairs", walk.pairs());
        match spsa::settings(&walk).as_str() {
            "" => println!("no number has moved by a whole one"),
            changed => println!("--engine {}{changed}", settings.text),
        }
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
        let limit = spec.limit.unwrap_or_else(|| {
            self.nodes
                .map_or(Limit::Clock(self.tc), |nodes| Limit::Nodes(nodes.max(1)))
        });
        if limit.is_wall_time() {
            bail!(
                "{limit}: games at wall time depend on the machine; use a clock that counts nodes \
                 (1+0.01@500), --nodes, or depth=N for the engine"
            );
        }
        let knobs = chosen(&self.numbers, &self.but, &engine.numbers)?;
        let walk = Walk::new(
            (*engine.numbers).clone(),
            knobs,
            self.pairs,
            self.rate,
            self.openings.seed(),
        );
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
            text: self.engine,
            limit,
            walk,
            rules: self.ends.rules(params::matches::TIME_MARGIN, mode),
            openings,
            threads: threads(self.threads),
            out: self.out.context("--out is needed")?,
            conditions,
        })
    }
}

/// The numbers of these names, but for those, where `numbers` has them; every name must stand for one at
/// least.
fn chosen(names: &[String], but: &[String], numbers: &Numbers) -> Result<Vec<Knob>> {
    let matches = |name: &String, of: &str| match name.strip_suffix('*') {
        Some(start) => of.starts_with(start),
        None => of == name,
    };
    // `--but ''` leaves nothing out.
    let but: Vec<&String> = but.iter().filter(|name| !name.is_empty()).collect();
    for name in names.iter().chain(but.iter().copied()) {
        if !Numbers::all().any(|param| matches(name, param.name)) {
            bail!("no number is called `{name}`; `skewer-selfplay spsa --list` shows them");
        }
    }
    let knobs: Vec<Knob> = Numbers::all()
        .map(|param| param.name)
        .filter(|of| names.iter().any(|name| matches(name, of)))
        .filter(|of| !but.iter().any(|name| matches(name, of)))
        .filter_map(|name| Knob::new(name, numbers))
        .collect();
    if knobs.is_empty() {
        bail!(
            "--but leaves none of --numbers; it stands for {}",
            but.iter()
                .map(|name| name.as_str())
                .collect::<Vec<_>>()
                .join(",")
        );
    }
    Ok(knobs)
}

#[cfg(test)]
mod tests {
    use super::{Knob, Numbers};

    fn chosen(names: &str, but: &str) -> Result<Vec<&'static str>, String> {
        let split = |names: &str| names.split(',').map(str::to_owned).collect::<Vec<_>>();
        super::chosen(&split(names), &split(but), &Numbers::default())
            .map(|knobs| knobs.iter().map(Knob::name).collect())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn numbers_are_chosen_by_name_and_by_beginning() {
        assert_eq!(
            chosen("rfp_*,see_pawn", "rfp_depth").unwrap(),
            ["rfp_margin", "rfp_improving", "rfp_blend", "see_pawn"]
        );
        assert_eq!(chosen("*", "").unwrap().len(), Numbers::all().count());
        for (names, but, said) in [
            ("magic", "", "no number is called `magic`"),
            ("magic_*", "", "no number is called `magic_*`"),
            ("*", "magic", "no number is called `magic`"),
            (
                "rfp_margin",
                "rfp_*",
                "leaves none of --numbers; it stands for rfp_*",
            ),
        ] {
            let error = chosen(names, but).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
    }
}
