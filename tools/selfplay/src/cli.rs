//! The command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use anyhow::Result;
use clap::{Args, Parser, Subcommand};
use skewer_openings::Variant;

use crate::datagen;
use crate::evaluation::EvaluationKind;
use crate::params;
use crate::stop::Stop;

/// Chess engines against each other: matches, training games, openings.
#[derive(Debug, Parser)]
#[command(name = "skewer-selfplay", version, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  Training games on every core, until Ctrl-C; the same command goes on later:
    skewer-selfplay datagen --name first --seed 1

Each command has its own help: skewer-selfplay datagen --help";

/// What the program does.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play training games against itself and write them to a file
    Datagen(Datagen),
}

/// Options of `datagen`.
#[derive(Debug, Args)]
#[command(after_help = DATAGEN_EXAMPLES)]
pub struct Datagen {
    /// The folder that the games go to
    #[arg(long, default_value = "data", value_name = "FOLDER")]
    out: PathBuf,
    /// The first part of the file's name: FOLDER/NAME-SEED.vf
    #[arg(long, default_value = "games")]
    name: String,
    /// The seed of the openings; machines that share work take one each
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at a time, a thread each [default: every core]
    #[arg(long)]
    threads: Option<NonZeroUsize>,
    /// Nodes a move after which the search goes no deeper
    #[arg(long, default_value_t = params::datagen::SOFT_NODES)]
    nodes: u64,
    /// Nodes a move at which the search is cut off [default: 8 times --nodes]
    #[arg(long, value_name = "NODES")]
    hard_nodes: Option<u64>,
    /// Random moves at the start of each game, from MIN to MAX
    #[arg(long, value_names = ["MIN", "MAX"], num_args = 2,
          default_values_t = [params::datagen::RANDOM_PLIES.0, params::datagen::RANDOM_PLIES.1])]
    random_plies: Vec<u32>,
    /// The game: standard or chess960
    #[arg(long, default_value_t = Variant::Standard)]
    variant: Variant,
    /// What evaluates the positions
    #[arg(long, value_enum, default_value_t)]
    eval: EvaluationKind,
    /// Stop when the file holds this many games
    #[arg(long)]
    games: Option<u64>,
    /// Stop when the file holds this many usable positions
    #[arg(long)]
    positions: Option<u64>,
}

const DATAGEN_EXAMPLES: &str = "\
Without --games or --positions it plays until Ctrl-C. However it ends, at most the games under way
are lost; the same command goes on where it stopped, with new games.

Usable positions are those that the trainer takes by default: from ply 16 on, four men or more, not
in check, and with a quiet move as the best.

Examples:
  skewer-selfplay datagen --name first --seed 1
  skewer-selfplay datagen --name deep --seed 7 --nodes 5000 --positions 10000000
  skewer-selfplay datagen --name frc --variant chess960";

impl Cli {
    /// Does what was asked for.
    ///
    /// # Errors
    ///
    /// Whatever went wrong, in words for a person.
    pub fn run(self) -> Result<()> {
        match self.command {
            Command::Datagen(options) => options.run(),
        }
    }
}

/// The cores of this machine, as far as one can know.
pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

impl Datagen {
    fn run(self) -> Result<()> {
        let (min, max) = match self.random_plies[..] {
            [min, max] => (min.min(max), min.max(max)),
            _ => params::datagen::RANDOM_PLIES,
        };
        let settings = datagen::Settings {
            folder: self.out,
            name: self.name,
            seed: self.seed,
            threads: self.threads.map_or_else(cores, NonZeroUsize::get),
            soft_nodes: self.nodes,
            hard_nodes: self
                .hard_nodes
                .unwrap_or_else(|| self.nodes.saturating_mul(params::datagen::HARD_FACTOR)),
            random_plies: (min, max),
            variant: self.variant,
            evaluation: self.eval,
            games: self.games,
            positions: self.positions,
        };
        let stop = Stop::on_signals()?;
        let tally = datagen::run(&settings, &stop)?;
        println!(
            "{}: {} games, {} plies, {} usable positions",
            settings.path().display(),
            tally.games,
            tally.plies,
            tally.usable
        );
        Ok(())
    }
}
