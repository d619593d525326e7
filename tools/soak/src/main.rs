//! The program `skewer-soak`: makes all attacks, round after round, for a given time.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use clap::Parser;
use clap::builder::PossibleValuesParser;
use fastrand::Rng;
#[cfg(unix)]
use skewer_soak::hostile;
use skewer_soak::programs::{Fixtures, Programs};
use skewer_soak::{files, kill, storm};

/// Attack the programs with random scripts, damaged files, kills and hostile engines.
///
/// Prints a line for each failure, with the command that repeats it, and at the end how often each
/// attack was made. Exits with 1 if anything failed.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES)]
struct Cli {
    /// The folder with the programs, built beforehand
    #[arg(long, default_value = "target/release", value_name = "FOLDER")]
    programs: PathBuf,
    /// A folder of good endgame tables to damage
    #[arg(
        long,
        default_value = "crates/syzygy/tests/data",
        value_name = "FOLDER"
    )]
    tables: PathBuf,
    /// How long to run, in minutes
    #[arg(long, default_value_t = 60.0)]
    minutes: f64,
    /// Stop after this many rounds; each makes every attack
    #[arg(long)]
    rounds: Option<u64>,
    /// The seed of the first round; it grows by 1 with each round
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// UCI scripts in each `storm`
    #[arg(long, default_value_t = 20, value_name = "N")]
    scripts: u64,
    /// Make only this attack
    #[arg(long, value_parser = PossibleValuesParser::new(NAMES))]
    only: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  cargo build --release -p skewer -p skewer-selfplay -p skewer-train -p skewer-analyse
  skewer-soak --minutes 10
  skewer-soak --only storm --seed 77 --rounds 1";

/// The attacks.
const NAMES: &[&str] = &[
    "storm",
    "snapshot",
    "network",
    "journal",
    "analysis",
    "games",
    "compressed",
    "training",
    "tables",
    "book",
    "kill-save",
    "kill-match",
    "kill-datagen",
    "kill-analysis",
    "kill-training",
    "kill-outputs",
    #[cfg(unix)]
    "hostile",
];

fn attack(
    name: &str,
    cli: &Cli,
    programs: &Programs,
    fixtures: &Fixtures,
    seed: u64,
) -> Result<()> {
    let rng = &mut Rng::with_seed(seed);
    match name {
        "storm" => (0..cli.scripts)
            .try_for_each(|number| storm::script(&programs.path("skewer"), seed << 16 | number)),
        "snapshot" => files::snapshot(programs, fixtures, rng),
        "network" => files::network(programs, fixtures, rng),
        "journal" => files::journal(programs, fixtures, rng),
        "analysis" => files::analysis(programs, fixtures, rng),
        "games" => files::games(programs, fixtures, rng),
        "compressed" => files::compressed(programs, fixtures, rng),
        "training" => files::training(programs, fixtures, rng),
        "tables" => files::tables(programs, &cli.tables, rng),
        "book" => files::book(programs, rng),
        "kill-save" => kill::save(programs, rng),
        "kill-match" => kill::match_games(programs, fixtures, rng),
        "kill-datagen" => kill::training_games(programs, rng),
        "kill-analysis" => kill::analysis(programs, fixtures, rng),
        "kill-training" => kill::training(programs, fixtures, rng),
        "kill-outputs" => kill::outputs(programs, fixtures, rng),
        #[cfg(unix)]
        "hostile" => hostile::engine(programs, rng),
        _ => bail!("there is no attack of this name"),
    }
}

fn run(cli: &Cli) -> Result<()> {
    let programs = Programs::new(&cli.programs)?;
    let fixtures = Fixtures::make(&programs)?;
    let begun = Instant::now();
    let time = Duration::try_from_secs_f64(cli.minutes * 60.0)
        .context("--minutes must be a number of minutes, at least 0")?;
    let (mut attacks, mut failures, mut rounds) = (0, 0, 0);
    let mut made = vec![0; NAMES.len()];
    while begun.elapsed() < time && cli.rounds.is_none_or(|most| rounds < most) {
        let seed = cli.seed.wrapping_add(rounds);
        for (name, made) in NAMES.iter().zip(&mut made) {
            if cli.only.as_deref().is_some_and(|only| only != *name) {
                continue;
            }
            attacks += 1;
            *made += 1;
            if let Err(error) = attack(name, cli, &programs, &fixtures, seed) {
                failures += 1;
                println!("{name}: {error:#}");
                println!("repeat with: skewer-soak --only {name} --seed {seed} --rounds 1\n");
            }
        }
        rounds += 1;
    }
    for (name, made) in NAMES.iter().zip(&made).filter(|(_, made)| **made > 0) {
        match *name {
            "storm" => println!("{made:>5} {name} ({} scripts)", made * cli.scripts),
            _ => println!("{made:>5} {name}"),
        }
    }
    println!(
        "{rounds} rounds, {attacks} attacks, {failures} failures in {} s",
        begun.elapsed().as_secs()
    );
    ensure!(
        attacks > 0,
        "no attack was made; give more --minutes, or --rounds of at least 1"
    );
    ensure!(failures == 0, "{failures} attacks failed");
    Ok(())
}

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("skewer-soak: {error:#}");
            ExitCode::FAILURE
        }
    }
}
