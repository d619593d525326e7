//! The program `skewer-soak`: attacks in turn, until the time is over.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::Parser;
use fastrand::Rng;
use skewer_soak::programs::{Fixtures, Programs};
use skewer_soak::{files, hostile, kill, storm};

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
    /// A good network file to damage
    #[arg(
        long,
        default_value = "crates/eval/nets/skewer-4.nnue",
        value_name = "FILE"
    )]
    network: PathBuf,
    /// How long to go on, in minutes
    #[arg(long, default_value_t = 60.0)]
    minutes: f64,
    /// Stop after this many rounds; each makes every attack
    #[arg(long)]
    rounds: Option<u64>,
    /// The seed of the first round; the next have the numbers after it
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Make only this attack
    #[arg(long, value_parser = NAMES)]
    only: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  cargo build --release -p skewer -p skewer-selfplay -p skewer-train -p skewer-analyse
  skewer-soak --minutes 10
  skewer-soak --only storm --seed 77 --rounds 1";

/// The attacks.
const NAMES: [&str; 11] = [
    "storm",
    "snapshot",
    "network",
    "journal",
    "analysis",
    "games",
    "kill-save",
    "kill-match",
    "kill-datagen",
    "kill-analysis",
    "hostile",
];

/// How many scripts a round has: one takes a fraction of a second.
const SCRIPTS: u64 = 20;

fn attack(
    name: &str,
    cli: &Cli,
    programs: &Programs,
    fixtures: &Fixtures,
    seed: u64,
) -> Result<()> {
    let rng = &mut Rng::with_seed(seed);
    match name {
        "storm" => (0..SCRIPTS)
            .try_for_each(|number| storm::script(&programs.path("skewer"), seed << 8 | number)),
        "snapshot" => files::snapshot(programs, fixtures, rng),
        "network" => files::network(programs, &cli.network, rng),
        "journal" => files::journal(programs, fixtures, rng),
        "analysis" => files::analysis(programs, fixtures, rng),
        "games" => files::games(programs, fixtures, rng),
        "kill-save" => kill::save(programs, rng),
        "kill-match" => kill::a_match(programs, fixtures, rng),
        "kill-datagen" => kill::training_games(programs, rng),
        "kill-analysis" => kill::analysis(programs, fixtures, rng),
        _ => hostile::engine(programs, rng),
    }
}

fn run(cli: &Cli) -> Result<()> {
    let programs = Programs::new(&cli.programs)?;
    let fixtures = Fixtures::make(&programs)?;
    let begun = Instant::now();
    let time = Duration::try_from_secs_f64(cli.minutes * 60.0)?;
    let (mut attacks, mut failures, mut rounds) = (0, 0, 0);
    while begun.elapsed() < time && cli.rounds.is_none_or(|most| rounds < most) {
        let seed = cli.seed + rounds;
        for name in NAMES {
            if cli.only.as_deref().is_some_and(|only| only != name) {
                continue;
            }
            attacks += 1;
            if let Err(error) = attack(name, cli, &programs, &fixtures, seed) {
                failures += 1;
                println!("{name}: {error:#}");
                println!("repeat with: skewer-soak --only {name} --seed {seed} --rounds 1\n");
            }
        }
        rounds += 1;
    }
    println!(
        "{rounds} rounds, {attacks} attacks, {failures} failures in {} s",
        begun.elapsed().as_secs()
    );
    ensure!(attacks > 0, "no attack was made: the time was too short");
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
