//! The options of `datagen`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Result, bail, ensure};
use clap::Args;
use skewer_console::options::{EvaluationArgs, own_file, thread_count, threads};
use skewer_console::standard::say;
use skewer_console::stop::Stop;
use skewer_gamedata::ScoreScale;
use skewer_games::rules::ScoreRule;
use skewer_openings::Variant;
use skewer_types::not_utf8;

use super::shared::{parse_draw, parse_resign};
use crate::datagen::{self, DatagenSettings, GameKind};
use crate::params;

/// Options of `datagen`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Datagen {
    /// The folder of the games
    #[arg(long, default_value = "data", value_name = "FOLDER", value_parser = own_file())]
    out: PathBuf,
    /// The name of the file, FOLDER/NAME-SEED.vf; each name has its own openings
    #[arg(long, default_value = "games", value_parser = beginning_of_a_name)]
    name: String,
    /// The seed of the openings; give each machine its own
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at a time, a thread each [default: every core]
    #[arg(long, value_parser = thread_count)]
    threads: Option<NonZeroUsize>,
    /// Nodes a move after which no iteration starts
    #[arg(long, default_value_t = params::datagen::SOFT_NODES, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Nodes a move at which the search stops, in games of no --part (games of a --part stop at twice their own
    /// nodes) [default: twice --nodes]
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    hard_nodes: Option<u64>,
    /// Chess variant: standard or chess960
    #[arg(long, default_value_t = Variant::Standard)]
    variant: Variant,
    /// Play PERCENT of the games at NODES soft nodes a move, of VARIANT [default: --variant]; repeatable
    #[arg(long, value_name = "PERCENT:NODES[:VARIANT]")]
    part: Vec<PartArg>,
    /// Random moves at the start of each game, from MIN to MAX, each 4 to 100
    #[arg(long, value_names = ["MIN", "MAX"], num_args = 2, help_heading = "Openings",
          value_parser = clap::value_parser!(u32).range(LEAST_RANDOM_PLIES..=100),
          default_values_t = [params::datagen::RANDOM_PLIES.0, params::datagen::RANDOM_PLIES.1])]
    random_plies: Vec<u32>,
    /// Discard openings whose first score is further from zero than this, in internal units
    #[arg(long, value_name = "SCORE", help_heading = "Openings",
          default_value_t = params::datagen::OPENING_LIMIT)]
    opening_limit: u32,
    /// Adjudicate a game as won after MOVES moves each with a score of SCORE or more
    #[arg(long, value_name = "MOVES:SCORE", value_parser = parse_resign,
          help_heading = "Adjudication", default_value = params::datagen::RESIGN)]
    resign: ScoreRule,
    /// Adjudicate a game as drawn when, from move FROM on, the score is within SCORE for MOVES moves each
    #[arg(long, value_name = "FROM:MOVES:SCORE", value_parser = parse_draw,
          help_heading = "Adjudication", default_value = params::datagen::DRAW)]
    draw: ScoreRule,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    /// Whether scores are scaled by the material: unscaled, for a network or weights to learn from, or scaled, as in
    /// play, for skewer-train scale
    #[arg(long, value_enum, default_value_t = Scores::Unscaled)]
    scores: Scores,
    /// Stop when the file holds this many games
    #[arg(long)]
    games: Option<u64>,
    /// Stop when the file holds this many usable positions
    #[arg(long)]
    positions: Option<u64>,
}

const EXAMPLES: &str = "\
Without --games or --positions the command plays until Ctrl-C. However it ends, at most the games under way \
are lost; the same command continues with new games.

The trainer takes these positions by default, and counts them as usable: from ply 16 on, four pieces or more, \
not in check, and with a quiet move as the best.

Examples:
  skewer-selfplay datagen --name first --seed 1
  skewer-selfplay datagen --name deep --seed 7 --nodes 5000 --positions 10000000
  skewer-selfplay datagen --name frc --variant chess960

  86% of the games at 250 nodes, 10% at 900 nodes, 4% of Chess960:
    skewer-selfplay datagen --name mix --nodes 250 --part 10:900 --part 4:250:chess960";

/// With fewer random moves, most games would have the opening and so the moves of another game.
const LEAST_RANDOM_PLIES: i64 = 4;

/// The values of `--scores`.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Scores {
    Unscaled,
    Scaled,
}

impl From<Scores> for ScoreScale {
    fn from(scores: Scores) -> Self {
        match scores {
            Scores::Unscaled => Self::Unscaled,
            Scores::Scaled => Self::Scaled,
        }
    }
}

/// `PERCENT:NODES[:VARIANT]`.
#[derive(Debug, Clone, Copy)]
struct PartArg {
    percent: u32,
    nodes: u64,
    variant: Option<Variant>,
}

impl FromStr for PartArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let usage =
            || "expected PERCENT:NODES or PERCENT:NODES:VARIANT, such as 4:250:chess960".to_owned();
        let mut fields = text.split(':');
        let mut number = || fields.next()?.trim().parse::<u64>().ok();
        let percent = number().filter(|percent| (1..=100).contains(percent));
        let nodes = number().filter(|nodes| *nodes > 0);
        let variant = fields.next().map(Variant::from_str).transpose();
        match (percent, nodes, variant, fields.next()) {
            (Some(percent), Some(nodes), Ok(variant), None) => Ok(Self {
                percent: percent as u32,
                nodes,
                variant,
            }),
            _ => Err(usage()),
        }
    }
}

/// Reads the beginning of the names of files in a folder, which names no other folder.
fn beginning_of_a_name(text: &str) -> Result<String, String> {
    if text.chars().any(std::path::is_separator) {
        return Err(
            "give the beginning of a name, without a folder; --out is the folder".to_owned(),
        );
    }
    Ok(text.to_owned())
}

impl Datagen {
    pub(super) fn run(self) -> Result<()> {
        skewer_store::check_standard_output()?;
        let settings = self.settings()?;
        let stop = Stop::on_signals()?;
        let tally = datagen::run(&settings, &stop)?;
        say(format_args!(
            "{}: {} games, {} plies, {} usable positions",
            settings.path().display(),
            tally.games,
            tally.plies,
            tally.usable
        ))?;
        // Without --games and --positions, a signal is the usual end.
        ensure!(
            settings.is_done(&tally) || settings.is_endless(),
            "stopped before the file had as much as was asked for"
        );
        Ok(())
    }

    fn settings(self) -> Result<DatagenSettings> {
        let (min, max) = match self.random_plies[..] {
            [min, max] => (min.min(max), min.max(max)),
            _ => params::datagen::RANDOM_PLIES,
        };
        let hard = |nodes: u64| nodes.saturating_mul(params::datagen::HARD_FACTOR);
        if let Some(most) = self.hard_nodes.filter(|most| *most < self.nodes) {
            bail!("--hard-nodes {most} is less than --nodes {}", self.nodes);
        }
        let parts: Vec<(u32, GameKind)> = self
            .part
            .iter()
            .map(|part| {
                let kind = GameKind {
                    soft_nodes: part.nodes,
                    hard_nodes: hard(part.nodes),
                    variant: part.variant.unwrap_or(self.variant),
                };
                (part.percent, kind)
            })
            .collect();
        let percent: u32 = parts.iter().map(|(percent, _)| percent).sum();
        if percent > 100 {
            bail!("the parts add up to {percent}%; give 100% or less");
        }
        if let Some(path) = self
            .evaluation
            .file()
            .filter(|path| path.to_str().is_none())
        {
            let reason = not_utf8(path.as_os_str());
            bail!("the record beside the games names the network of --eval: {reason}");
        }
        Ok(DatagenSettings {
            out: self.out,
            name: self.name,
            seed: self.seed,
            threads: threads(self.threads),
            games: self.games,
            positions: self.positions,
            opening_limit: self.opening_limit,
            resign: self.resign,
            draw: self.draw,
            main: GameKind {
                soft_nodes: self.nodes,
                hard_nodes: self.hard_nodes.unwrap_or_else(|| hard(self.nodes)),
                variant: self.variant,
            },
            parts,
            random_plies: (min, max),
            evaluation: self.evaluation.chosen(),
            scores: self.scores.into(),
        })
    }
}
