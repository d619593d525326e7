//! `spsa`: tuning of search parameters.

use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use crate::game::TIME_MARGIN;
use crate::limit::{Limit, TimeControl};
use anyhow::{Context as _, Result, bail, ensure};
use clap::Args;
use skewer_console::options::{thread_count, threads};
use skewer_console::standard::{self, say};
use skewer_console::stop::Stop;
use skewer_search::Parameters;

use super::shared::{EndArgs, OpeningArgs, beginning_of_names};
use crate::spec::{self, EngineKind, EngineSpec};
use crate::spsa::tuner::{TunedParameter, Tuner};
use crate::spsa::{self, TuningSettings};

/// Options of `spsa`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Spsa {
    /// Our engine, with settings after commas as in `match`: eval=FILE, hash=MB, without=NAME
    #[arg(long, default_value = "ours,hash=4", value_name = "ours[,SETTING]")]
    engine: String,
    /// The parameters to tune; NAME* stands for all that begin with NAME
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "*",
        value_name = "NAME,.."
    )]
    parameters: Vec<String>,
    /// Parameters to leave alone; the default names parameters that these games cannot judge, because
    /// they use no endgame tables and one thread
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "tb_*,aspiration_helper,time_reserve",
        value_name = "NAME,.."
    )]
    but: Vec<String>,
    /// Print every parameter with its range and meaning, and exit
    #[arg(long)]
    list: bool,
    /// Clock that counts nodes: SECONDS+INCREMENT@NODES, with NODES searched nodes a millisecond.
    /// The best values depend on the depth of the trees, so choose the clock of the intended games
    #[arg(long, default_value = "1+0.01@500")]
    tc: TimeControl,
    /// Nodes a move instead of a clock. Every move then ends in the middle of an iteration, which
    /// is rare on a clock
    #[arg(long, conflicts_with = "tc", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Pairs of games to play
    #[arg(long, default_value_t = 10_000)]
    pairs: u64,
    /// Learning rate at the end of the run: a parameter moves by this share of its perturbation for each point by
    /// which a pair of games is won
    #[arg(long, default_value_t = 0.003)]
    rate: f64,
    /// Games at a time [default: every core]
    #[arg(long, value_parser = thread_count)]
    threads: Option<NonZeroUsize>,
    #[command(flatten)]
    openings: OpeningArgs,
    #[command(flatten)]
    ends: EndArgs,
    /// The file that keeps the run, OUT.spsa; the same command resumes it
    #[arg(long, required_unless_present = "list", value_parser = beginning_of_names())]
    out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Parameters are constants in the usual build. Build with the feature `tune` first:
  cargo build --release -p skewer-selfplay --features tune

In each pair of games the engine plays against itself: one side has every parameter moved up or down \
at random, the other side has every parameter moved the opposite way. All parameters then take a \
small step toward the winner's side. It takes thousands of pairs to find more than noise. The same \
command resumes a run that was stopped or killed. --seed also determines the random directions.

At the end the program prints the new values, and an engine that uses them: the mean over the second \
half of the run, less the part of the change that chance explains. `sigmas` is the change in standard \
deviations of a random walk; below 1 a parameter keeps its value. Confirm the engine by a match over \
other openings (another --seed) and then at a real clock.

Examples:
  skewer-selfplay spsa --list
  skewer-selfplay spsa --pairs 20000 --out results/all
  skewer-selfplay spsa --parameters 'lmr_*,rfp_margin' --tc 1+0.01@250 --out results/reductions";

impl Spsa {
    pub(super) fn run(self) -> Result<()> {
        skewer_store::check_standard_output()?;
        let mut out = standard::output();
        if self.list {
            for param in Parameters::all() {
                writeln!(
                    out,
                    "{} = {} ({} to {}): {} ({})",
                    param.name, param.default, param.min, param.max, param.meaning, param.unit
                )?;
            }
            return Ok(());
        }
        if !cfg!(feature = "tune") {
            bail!(spec::CONSTANT_PARAMETERS);
        }
        let settings = self.settings()?;
        let stop = Stop::on_signals()?;
        let tuned = spsa::run(&settings, &stop)?;
        write!(out, "{}", spsa::table(&tuned))?;
        writeln!(
            out,
            "after {} of {} pairs",
            tuned.pairs,
            tuned.tuner.pairs()
        )?;
        match spsa::settings(&tuned.tuner).as_str() {
            "" => writeln!(out, "no parameter has changed")?,
            changed => say(format_args!("--engine {}{changed}", settings.text))?,
        }
        // Only a signal ends a run before all pairs are played.
        ensure!(
            tuned.pairs >= tuned.tuner.pairs(),
            "the run was stopped before all pairs were played"
        );
        Ok(())
    }

    fn settings(self) -> Result<TuningSettings> {
        let spec: EngineSpec = self
            .engine
            .parse()
            .with_context(|| format!("--engine {}", self.engine))?;
        let EngineKind::Ours(engine) = spec.kind else {
            bail!(
                "--engine {}: only `ours` has parameters to tune",
                self.engine
            );
        };
        if !(self.rate > 0.0 && self.rate <= 1.0) {
            bail!("--rate: give a number above 0, up to 1");
        }
        let limit = spec
            .limit
            .unwrap_or_else(|| self.nodes.map_or(Limit::Clock(self.tc), Limit::Nodes));
        if limit.is_wall_time() {
            bail!(
                "{limit}: games at wall time depend on the machine; use a clock that counts nodes \
                 (1+0.01@500), --nodes, or depth=N for the engine"
            );
        }
        let tuned = chosen(&self.parameters, &self.but, &engine.parameters)?;
        let tuner = Tuner::new(
            (*engine.parameters).clone(),
            tuned,
            self.pairs,
            self.rate,
            self.openings.seed,
        );
        let openings = self.openings.openings()?;
        let mode = openings.mode();
        let conditions = format!(
            "{}, {limit}, {} pairs, rate {}, {}, {}",
            self.engine,
            self.pairs,
            self.rate,
            self.openings.description(&openings),
            self.ends.description()
        );
        Ok(TuningSettings {
            engine,
            text: self.engine,
            limit,
            tuner,
            rules: self.ends.rules(TIME_MARGIN, mode),
            openings,
            threads: threads(self.threads),
            out: self.out.context("--out is needed")?,
            conditions,
        })
    }
}

/// The parameters that `names` match and `but` does not. Every name must match at least one.
fn chosen(
    names: &[String],
    but: &[String],
    parameters: &Parameters,
) -> Result<Vec<TunedParameter>> {
    let matches = |pattern: &String, name: &str| match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == pattern,
    };
    // `--but ''` leaves nothing out.
    let but: Vec<&String> = but.iter().filter(|name| !name.is_empty()).collect();
    for name in names.iter().chain(but.iter().copied()) {
        if !Parameters::all().any(|param| matches(name, param.name)) {
            bail!("no parameter is called `{name}`; `skewer-selfplay spsa --list` shows them");
        }
    }
    let tuned: Vec<TunedParameter> = Parameters::all()
        .map(|param| param.name)
        .filter(|name| names.iter().any(|pattern| matches(pattern, name)))
        .filter(|name| !but.iter().any(|pattern| matches(pattern, name)))
        .filter_map(|name| TunedParameter::new(name, parameters))
        .collect();
    if tuned.is_empty() {
        bail!(
            "no parameter is left to tune: --but {} excludes all of --parameters",
            but.iter()
                .map(|name| name.as_str())
                .collect::<Vec<_>>()
                .join(",")
        );
    }
    Ok(tuned)
}

#[cfg(test)]
mod tests {
    use super::{Parameters, TunedParameter};

    fn chosen(names: &str, but: &str) -> Result<Vec<&'static str>, String> {
        let split = |names: &str| names.split(',').map(str::to_owned).collect::<Vec<_>>();
        super::chosen(&split(names), &split(but), &Parameters::default())
            .map(|tuned| tuned.iter().map(TunedParameter::name).collect())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn parameters_are_chosen_by_name_and_by_beginning() {
        assert_eq!(
            chosen("rfp_*,see_pawn", "rfp_depth").unwrap(),
            ["rfp_margin", "rfp_improving", "rfp_blend", "see_pawn"]
        );
        assert_eq!(chosen("*", "").unwrap().len(), Parameters::all().count());
        for (names, but, said) in [
            ("magic", "", "no parameter is called `magic`"),
            ("magic_*", "", "no parameter is called `magic_*`"),
            ("*", "magic", "no parameter is called `magic`"),
            (
                "rfp_margin",
                "rfp_*",
                "--but rfp_* excludes all of --parameters",
            ),
        ] {
            let error = chosen(names, but).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
    }
}
