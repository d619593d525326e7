//! The command line: what a run is asked for, turned into the settings of [`datagen`],
//! [`mod@matches`] and [`book`].

use std::fs::File;
use std::io::{self, BufWriter};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use clap::{Args, Parser, Subcommand};
use skewer_movegen::CastlingMode;
use skewer_openings::{Recipe, Variant};

use crate::duel::GameRules;
use crate::evaluation::EvaluationChoice;
use crate::identity::Fingerprint;
use crate::limit::{Limit, TimeControl};
use crate::openings::{Openings, Order};
use crate::params;
use crate::rules::ScoreRule;
use crate::spec::EngineSpec;
use crate::stats::Sprt;
use crate::stop::Stop;
use crate::{book, datagen, matches};

/// Chess engines against each other: matches, training games, openings.
#[derive(Debug, Parser)]
#[command(name = "skewer-selfplay", version, arg_required_else_help = true, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  Is our engine weaker without the null move? At 10,000 nodes a move, on every core:
    skewer-selfplay match --engine ours --engine ours,without=null-move --nodes 10000

  Training games on every core, until Ctrl-C; the same command goes on later:
    skewer-selfplay datagen --name first --seed 1

  A thousand openings of Chess960, each within 0.9 of a pawn of level:
    skewer-selfplay book --count 1000 --variant chess960 --out frc.epd

Each command has its own help: skewer-selfplay match --help";

/// What the program does.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play two engines against each other and say which is stronger
    Match(Box<Match>),
    /// Play training games against itself and write them to a file
    Datagen(Datagen),
    /// Make a file of balanced random openings
    Book(Book),
}

/// Options of `match`.
#[derive(Debug, Args)]
#[command(after_help = MATCH_EXAMPLES)]
pub struct Match {
    /// An engine; give two. `ours` or the path of a UCI program, then settings after commas
    #[arg(long = "engine", value_name = "ENGINE", required = true)]
    engines: Vec<String>,

    /// Nodes a move
    #[arg(long, group = "limit", help_heading = "Limits")]
    nodes: Option<u64>,
    /// Plies a move
    #[arg(long, group = "limit", help_heading = "Limits")]
    depth: Option<u32>,
    /// Seconds a move
    #[arg(long, group = "limit", help_heading = "Limits", value_name = "SECONDS")]
    movetime: Option<f64>,
    /// Clock: SECONDS+INCREMENT, or MOVES/SECONDS
    #[arg(long, group = "limit", help_heading = "Limits")]
    tc: Option<TimeControl>,
    /// How much longer than its clock an engine may take, in milliseconds
    #[arg(long, help_heading = "Limits", value_name = "MS",
          default_value_t = params::matches::TIME_MARGIN.as_millis() as u64)]
    margin: u64,

    /// Stop after this many games (an even number: each opening is played from both sides)
    #[arg(long, default_value_t = 1000, help_heading = "Length")]
    games: u64,
    /// Stop as soon as a sequential test between these normalised Elo differences decides
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true,
          help_heading = "Length")]
    sprt: Option<Vec<f64>>,
    /// How often the test may err, one way and the other
    #[arg(long, num_args = 2, value_names = ["ALPHA", "BETA"], default_values_t = [0.05, 0.05],
          help_heading = "Length")]
    errors: Vec<f64>,
    /// Games at a time [default: every core]
    #[arg(long, visible_alias = "concurrency", help_heading = "Length")]
    threads: Option<NonZeroUsize>,

    /// Openings from a file: EPD or FEN lines, or PGN [default: random balanced openings]
    #[arg(long, help_heading = "Openings", value_name = "FILE")]
    openings: Option<PathBuf>,
    /// The order of the openings of a file
    #[arg(long, value_enum, default_value_t, help_heading = "Openings")]
    order: Order,
    /// How many plies of a PGN's games are the opening
    #[arg(
        long,
        default_value_t = 16,
        help_heading = "Openings",
        value_name = "PLIES"
    )]
    opening_plies: usize,
    /// The seed of random openings, or of the order of a file
    #[arg(long, default_value_t = 1, help_heading = "Openings")]
    seed: u64,
    /// The game of random openings: standard or chess960
    #[arg(long, default_value_t = Variant::Standard, help_heading = "Openings")]
    variant: Variant,
    /// Random moves of random openings
    #[arg(
        long,
        default_value_t = 8,
        help_heading = "Openings",
        value_name = "PLIES"
    )]
    random_plies: u32,

    /// A game is won when both engines agree for MOVES moves each on a score of SCORE or more
    #[arg(long, value_name = "MOVES:SCORE", value_parser = parse_resign,
          help_heading = "Adjudication")]
    resign: Option<ScoreRule>,
    /// A game is drawn when, from move FROM on, both agree for MOVES moves each on a score within SCORE
    #[arg(long, value_name = "FROM:MOVES:SCORE", value_parser = parse_draw,
          help_heading = "Adjudication")]
    draw: Option<ScoreRule>,

    /// Keep the match: OUT.journal (to go on with), OUT.pgn, OUT.json
    #[arg(long)]
    out: Option<PathBuf>,
}

const MATCH_EXAMPLES: &str = "\
Engines: settings follow after commas.
  ours                           our engine, in this process, on one thread
    without=NAME+NAME            with these techniques switched off; only=NAME+NAME all others
    eval=hce|net evalfile=FILE   what evaluates
    hash=MB                      the hash table (default 16)
  /path/of/program               any UCI engine
    arg=ARG                      called with this argument (as often as needed)
    option.NAME=VALUE            with this UCI option
    dir=FOLDER                   in this folder
  for both: name=NAME, and a limit of its own: nodes=N, depth=N, movetime=SECONDS, tc=CLOCK

The result is told from the first engine's side. A game that an engine loses on time, by an illegal
move or by dying is told at once and counted at the end. With --out, a match that was stopped or
killed goes on with the same command; the pairs of games under way are lost. It does not go on with
another build of an engine, or another network: that is another match.

Openings of a file begin again at its end. Two of our engines without a clock would then only play
the same games again, so such a match ends there.

Scores are in hundredths of a pawn, as the engines say them.

Examples:
  skewer-selfplay match --engine ours --engine ours,without=null-move --nodes 10000 --games 400
  skewer-selfplay match --engine ./new,name=new --engine ./old,name=old --tc 1+0.01 \\
      --openings book.epd --sprt 0 10 --games 20000 --resign 4:600 --draw 35:6:8 --out results/new
  skewer-selfplay match --engine ours,nodes=5000 --engine /usr/games/gnuchess,arg=-u --tc 1+0.01";

/// Options of `datagen`.
#[derive(Debug, Args)]
#[command(after_help = DATAGEN_EXAMPLES)]
pub struct Datagen {
    /// The folder that the games go to
    #[arg(long, default_value = "data", value_name = "FOLDER")]
    out: PathBuf,
    /// The first part of the file's name: FOLDER/NAME-SEED.vf; each has openings of its own
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
    /// What evaluates the positions: hce (by hand), net (the network that is built in), or the
    /// file of a network [default: what is built in]
    #[arg(
        long,
        default_value_t,
        hide_default_value = true,
        value_name = "hce|net|FILE"
    )]
    eval: EvaluationChoice,
    /// The file of a network, the same as --eval FILE
    #[arg(long, value_name = "FILE")]
    evalfile: Option<PathBuf>,
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

/// Options of `book`.
#[derive(Debug, Args)]
pub struct Book {
    /// How many openings
    #[arg(long, default_value_t = 1000)]
    count: usize,
    /// Random moves
    #[arg(long, default_value_t = 8)]
    plies: u32,
    /// The game: standard or chess960
    #[arg(long, default_value_t = Variant::Standard)]
    variant: Variant,
    /// How far from level an opening may be, in hundredths of a pawn
    #[arg(long, default_value_t = params::matches::OPENING_MARGIN, value_name = "SCORE")]
    within: u32,
    /// Nodes with which an opening is judged
    #[arg(long, default_value_t = params::matches::JUDGE_NODES)]
    nodes: u64,
    /// The seed: the same seed makes the same book
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Openings judged at a time [default: every core]
    #[arg(long)]
    threads: Option<NonZeroUsize>,
    /// The file, a FEN a line [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Cli {
    /// Does what was asked for.
    ///
    /// # Errors
    ///
    /// Whatever went wrong, in words for a person.
    pub fn run(self) -> Result<()> {
        match self.command {
            Command::Match(options) => options.run(),
            Command::Datagen(options) => options.run(),
            Command::Book(options) => options.run(),
        }
    }
}

/// The threads that were asked for, or the cores of this machine as far as one can know.
fn threads(asked: Option<NonZeroUsize>) -> usize {
    asked.map_or_else(
        || thread::available_parallelism().map_or(1, NonZeroUsize::get),
        NonZeroUsize::get,
    )
}

fn numbers<const N: usize>(text: &str) -> Option<[i32; N]> {
    let numbers: Option<Vec<i32>> = text
        .split(':')
        .map(|part| part.trim().parse().ok().filter(|number| *number >= 0))
        .collect();
    numbers?.try_into().ok()
}

fn parse_resign(text: &str) -> Result<ScoreRule, String> {
    let [moves, score] =
        numbers(text).ok_or("say MOVES:SCORE, as 4:600 for four moves each at 6 pawns")?;
    Ok(ScoreRule {
        score,
        plies: 2 * moves as u32,
        from: 0,
    })
}

fn parse_draw(text: &str) -> Result<ScoreRule, String> {
    let [from, moves, score] = numbers(text)
        .ok_or("say FROM:MOVES:SCORE, as 35:6:8 for six moves each within 0.08 from move 35 on")?;
    Ok(ScoreRule {
        score,
        plies: 2 * moves as u32,
        from: 2 * (from as u32).saturating_sub(1),
    })
}

impl Match {
    fn run(self) -> Result<()> {
        let settings = self.settings()?;
        let stop = Stop::on_signals()?;
        let standing = matches::run(&settings, &stop)?;
        print!("{standing}");
        Ok(())
    }

    fn settings(self) -> Result<matches::Settings> {
        let texts: [String; 2] =
            self.engines.clone().try_into().map_err(|given: Vec<_>| {
                anyhow::anyhow!("give two engines, not {}", given.len())
            })?;
        let parse = |text: &String| {
            text.parse::<EngineSpec>()
                .with_context(|| format!("--engine {text}"))
        };
        let engines = [parse(&texts[0])?, parse(&texts[1])?];
        let limit = self.limit()?;
        if limit.is_none() && engines.iter().any(|engine| engine.limit.is_none()) {
            bail!("say what a move may cost: --nodes, --depth, --movetime or --tc");
        }
        let own_limits = engines.iter().all(|engine| engine.limit.is_some());
        let openings = self.openings()?;
        let mode = if openings.need_chess960() {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        };
        let sprt = match (self.sprt.as_deref(), &self.errors[..]) {
            (None, _) => None,
            (Some([elo0, elo1]), [alpha, beta]) => Some(sprt(*elo0, *elo1, *alpha, *beta)?),
            _ => bail!("--sprt takes two numbers"),
        };
        Ok(matches::Settings {
            engines,
            texts,
            // Never used when both engines have their own.
            limit: limit.unwrap_or(Limit::Depth(1)),
            conditions: self.conditions(limit.filter(|_| !own_limits), mode)?,
            openings,
            rules: GameRules {
                win: self.resign,
                draw: self.draw,
                margin: Duration::from_millis(self.margin),
                mode,
            },
            pairs: self.games.div_ceil(2),
            sprt,
            threads: threads(self.threads),
            out: self.out,
        })
    }

    /// What a move may cost, if that is said for both engines.
    fn limit(&self) -> Result<Option<Limit>> {
        Ok(match (self.nodes, self.depth, self.movetime, self.tc) {
            (Some(nodes), ..) => Some(Limit::Nodes(nodes.max(1))),
            (_, Some(depth), ..) => Some(Limit::Depth(depth.clamp(1, 240))),
            (_, _, Some(seconds), _) => Some(Limit::MoveTime(
                Duration::try_from_secs_f64(seconds).context("--movetime is no time")?,
            )),
            (.., control) => control.map(Limit::Clock),
        })
    }

    fn openings(&self) -> Result<Openings> {
        Ok(match &self.openings {
            Some(path) => Openings::read(path, self.opening_plies, self.order, self.seed)?,
            None => Openings::Random {
                recipe: Recipe {
                    variant: self.variant,
                    min_plies: self.random_plies,
                    max_plies: self.random_plies,
                },
                seed: self.seed,
                margin: Some(params::matches::OPENING_MARGIN),
            },
        })
    }

    /// Everything but the engines that changes the games, in words; without a limit, each engine
    /// has its own.
    fn conditions(&self, limit: Option<Limit>, mode: CastlingMode) -> Result<String> {
        let limit = limit.map_or("own limits".to_owned(), |limit| limit.to_string());
        let start = match (&self.openings, mode) {
            (Some(path), _) => {
                let fingerprint =
                    Fingerprint::of_file(path).with_context(|| path.display().to_string())?;
                format!(
                    "openings of {} ({fingerprint}, {:?} order, {} plies of a game)",
                    path.display(),
                    self.order,
                    self.opening_plies
                )
            }
            (None, CastlingMode::Standard) => format!("{} random plies", self.random_plies),
            (None, CastlingMode::Chess960) => {
                format!("{} random plies of Chess960", self.random_plies)
            }
        };
        let rule = |rule: Option<ScoreRule>| {
            rule.map_or("none".to_owned(), |rule| {
                format!(
                    "{} for {} plies from ply {}",
                    rule.score, rule.plies, rule.from
                )
            })
        };
        Ok(format!(
            "{limit}, {start}, seed {}, resign {}, draw {}, margin {} ms",
            self.seed,
            rule(self.resign),
            rule(self.draw),
            self.margin
        ))
    }
}

fn sprt(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt> {
    let share = 0.0001..0.5;
    if !(elo0 < elo1 && elo0.abs() <= 1000.0 && elo1.abs() <= 1000.0) {
        bail!("--sprt ELO0 ELO1: the first must be below the second");
    }
    if !(share.contains(&alpha) && share.contains(&beta)) {
        bail!("--errors: shares between 0.0001 and 0.5, as 0.05");
    }
    Ok(Sprt {
        elo0,
        elo1,
        alpha,
        beta,
    })
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
            threads: threads(self.threads),
            soft_nodes: self.nodes,
            hard_nodes: self
                .hard_nodes
                .unwrap_or_else(|| self.nodes.saturating_mul(params::datagen::HARD_FACTOR)),
            random_plies: (min, max),
            variant: self.variant,
            evaluation: self.evalfile.map_or(self.eval, EvaluationChoice::File),
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

impl Book {
    fn run(self) -> Result<()> {
        let settings = book::Settings {
            count: self.count,
            recipe: Recipe {
                variant: self.variant,
                min_plies: self.plies,
                max_plies: self.plies,
            },
            seed: self.seed,
            margin: self.within,
            nodes: self.nodes,
            threads: threads(self.threads),
        };
        let stop = Stop::on_signals()?;
        let written = match &self.out {
            Some(path) => {
                let file = File::create(path).with_context(|| path.display().to_string())?;
                book::write(&settings, &mut BufWriter::new(file), &stop)?
            }
            None => book::write(&settings, &mut io::stdout().lock(), &stop)?,
        };
        if written < self.count {
            bail!("stopped after {written} of {} openings", self.count);
        }
        Ok(())
    }
}
