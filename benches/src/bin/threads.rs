//! Measures how a UCI engine scales with threads: nodes per second, time to a depth, and time to answer.
//!
//! Works with any UCI engine, so that peers are measured in the same way. Compares neighbouring runs
//! on one position, because the speed of shared machines drifts. With `depth --lockstep`, which needs an
//! engine with the option `Lockstep`, the result is the same on every machine and under any load.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use clap::{Parser, Subcommand};
use skewer_benches::ratios::Ratios;
use skewer_search::bench::POSITIONS;
use skewer_uci_client::{Answer, Bound, Bounds, Go, Info, Output, Program, UciEngine, Variant};

/// Measure how a UCI engine scales with threads.
///
/// Run the measurement on a machine that does nothing else. `depth --lockstep` counts nodes and runs on
/// any machine.
#[derive(Parser)]
#[command(after_help = "Examples:
  threads --engine target/release/skewer nodes
  threads --engine target/release/skewer --threads 2,4,8,16 --hash 256 nodes --millis 3000
  threads --engine target/release/skewer depth
  threads --engine target/release/skewer --threads 2,4,8 --file benches/positions.fen depth --lockstep
  threads --engine target/release/skewer --threads 2,64 answer")]
struct Arguments {
    /// The engine: any program that speaks UCI, with settings if it needs them:
    /// PROGRAM,arg=ARGUMENT,dir=FOLDER,option.NAME=VALUE
    #[arg(long, value_name = "PROGRAM")]
    engine: Program,
    /// Its hash table, in MB
    #[arg(long, value_name = "MB", default_value_t = 64)]
    hash: u32,
    /// Numbers of threads to compare with one thread
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "2")]
    threads: Vec<u32>,
    /// Use only the first N positions; without --file at most 30 unless given
    #[arg(long, value_name = "N")]
    positions: Option<usize>,
    /// Positions to search, one FEN a line, in place of the positions of `bench` (openings, middlegames, endgames)
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// What to measure
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Nodes per second, relative to one thread. For comparison also the nodes per
    /// second of as many one-thread engines that run at the same time: the most that the machine allows
    Nodes {
        /// How long each search lasts, in milliseconds
        #[arg(long, value_name = "MS", default_value_t = 1000)]
        millis: u64,
        /// How often each position is searched in each way
        #[arg(long, value_name = "N", default_value_t = 2)]
        rounds: usize,
    },
    /// Time to the first depth for which one thread needs a given time
    Depth {
        /// The least time of one thread, in milliseconds
        #[arg(long, value_name = "MS", default_value_t = 3000)]
        millis: u64,
        /// How often each position is searched in each way
        #[arg(long, value_name = "N", default_value_t = 2)]
        rounds: usize,
        /// Let the threads take turns of a few hundred nodes, and count the nodes of a thread in place of
        /// time. Each position is searched once, since the result is always the same
        #[arg(long, conflicts_with_all = ["millis", "rounds"])]
        lockstep: bool,
        /// With --lockstep: the least nodes of one thread
        #[arg(
            long,
            value_name = "N",
            default_value_t = 50_000,
            requires = "lockstep"
        )]
        nodes: u64,
    },
    /// Time from `stop` to the best move, and from `go` to the first line of analysis, also of one thread
    Answer {
        /// How many searches are stopped
        #[arg(long, value_name = "N", default_value_t = 1000)]
        searches: usize,
    },
}

/// An engine process.
struct Engine(UciEngine);

impl Engine {
    fn start(arguments: &Arguments, threads: u32) -> Result<Self> {
        Self::start_with(arguments, threads, &[])
    }

    /// Starts an engine with the options of all measurements, and these `more`.
    fn start_with(arguments: &Arguments, threads: u32, more: &[(&str, &str)]) -> Result<Self> {
        let mut program = arguments.engine.clone();
        let settings = [("Threads", threads), ("Hash", arguments.hash)];
        let settings = settings.map(|(name, value)| (name.to_owned(), value.to_string()));
        program.options.extend(settings);
        let more = more.iter().copied();
        let more = more.map(|(name, value)| (name.to_owned(), value.to_owned()));
        program.options.extend(more);
        let engine = UciEngine::start(&program, Variant::Standard, Bounds::default(), &|| false);
        Ok(Self(engine.context(program.command)?))
    }

    fn new_game(&mut self) -> Result<()> {
        Ok(self.0.new_game(&|| false)?)
    }

    fn go(&mut self, fen: &str, go: &Go) -> Result<()> {
        Ok(self.0.go(&format!("position fen {fen}"), go)?)
    }

    /// Waits for the end of the search, and hands its lines of analysis to `see`, with the engine, so that
    /// it may be stopped.
    fn wait(&mut self, mut see: impl FnMut(&mut UciEngine, &Info) -> Result<()>) -> Result<Answer> {
        loop {
            match self.0.next(Instant::now() + LONGEST, &|| false)? {
                Output::Info(info) => see(&mut self.0, &info)?,
                Output::Best(answer) => return Ok(answer),
            }
        }
    }

    /// Nodes per second of the running search.
    fn speed(&mut self) -> Result<f64> {
        let mut last = None;
        self.wait(|_, info| {
            let time = info.time.filter(|time| !time.is_zero());
            last = info.nodes.zip(time).or(last);
            Ok(())
        })?;
        let (nodes, time) =
            last.context("the search was too short to measure; use a larger --millis")?;
        Ok(nodes as f64 / time.as_secs_f64())
    }

    /// Seconds to this depth.
    fn time_to(&mut self, fen: &str, depth: u32) -> Result<f64> {
        self.new_game()?;
        self.go(fen, &Go::depth(depth))?;
        Ok(self.wait(|_, _| Ok(()))?.time.as_secs_f64())
    }

    /// The first depth that a search completes after `enough` nodes, and how many it has then visited.
    fn depth_of_nodes(&mut self, fen: &str, enough: u64) -> Result<(u32, u64)> {
        self.new_game()?;
        self.go(fen, &Go::default())?;
        let mut found = None;
        self.wait(|engine, info| {
            let nodes = info.nodes.filter(|&nodes| nodes >= enough);
            if found.is_none() && info.bound == Bound::Exact && nodes.is_some() {
                found = info.depth.zip(nodes);
                engine.stop()?;
            }
            Ok(())
        })?;
        found.context(TOO_EARLY)
    }

    /// Nodes of all threads up to this depth.
    fn nodes_to(&mut self, fen: &str, depth: u32) -> Result<u64> {
        self.new_game()?;
        self.go(fen, &Go::depth(depth))?;
        let mut nodes = None;
        self.wait(|_, info| {
            nodes = info.nodes.or(nodes);
            Ok(())
        })?;
        nodes.context("the engine counts no nodes")
    }

    /// The first depth that a search completes after `enough`.
    fn depth_that_takes(&mut self, fen: &str, enough: Duration) -> Result<u32> {
        self.new_game()?;
        self.go(fen, &Go::default())?;
        let mut depth = None;
        self.wait(|engine, info| {
            let is_whole =
                info.bound == Bound::Exact && info.time.is_some_and(|time| time >= enough);
            if depth.is_none() && is_whole {
                depth = info.depth;
                engine.stop()?;
            }
            Ok(())
        })?;
        depth.context(TOO_EARLY)
    }

    /// Stops an infinite search after `wait`: the times from `go` to the first line and from `stop` to the move.
    fn times_to_answer(&mut self, fen: &str, wait: Duration) -> Result<[Duration; 2]> {
        let start = Instant::now();
        self.go(fen, &Go::default())?;
        let first = self.0.next(start + LONGEST, &|| false)?;
        ensure!(matches!(first, Output::Info(_)), TOO_EARLY);
        let begun = start.elapsed();
        std::thread::sleep(wait);
        let stopped = Instant::now();
        self.0.stop()?;
        self.wait(|_, _| Ok(()))?;
        Ok([begun, stopped.elapsed()])
    }
}

/// The error of an engine that does not wait for `stop`.
const TOO_EARLY: &str = "the engine ended its search too early";

/// The longest time without a line from an engine that searches.
const LONGEST: Duration = Duration::from_mins(10);

fn nodes(arguments: &Arguments, fens: &[String], millis: u64, rounds: usize) -> Result<()> {
    let most = arguments.threads.iter().copied().max().unwrap_or(1);
    let mut singles = (0..most)
        .map(|_| Engine::start(arguments, 1))
        .collect::<Result<Vec<_>>>()?;
    println!("threads   nodes/s relative to 1        one-thread engines, together");
    for &threads in &arguments.threads {
        let mut many = Engine::start(arguments, threads)?;
        let (mut together, mut apart) = (Ratios::default(), Ratios::default());
        let go = Go::move_time(Duration::from_millis(millis));
        for fen in fens.iter().cycle().take(fens.len() * rounds) {
            // Searches on all these engines at once and adds up their nodes per second.
            let speed = |engines: &mut [Engine]| -> Result<f64> {
                for engine in &mut *engines {
                    engine.new_game()?;
                }
                for engine in &mut *engines {
                    engine.go(fen, &go)?;
                }
                engines.iter_mut().map(Engine::speed).sum()
            };
            // One thread before and after, so that a slow drift of the machine cancels out.
            let before = speed(&mut singles[..1])?;
            let shared = speed(std::slice::from_mut(&mut many))?;
            let side_by_side = speed(&mut singles[..threads as usize])?;
            let after = speed(&mut singles[..1])?;
            let single = f64::midpoint(before, after);
            together.push(shared / single);
            apart.push(side_by_side / single);
        }
        println!("{threads:>7}   {together:<28} {apart}");
    }
    Ok(())
}

fn depth(arguments: &Arguments, fens: &[String], millis: u64, rounds: usize) -> Result<()> {
    let mut single = Engine::start(arguments, 1)?;
    let enough = Duration::from_millis(millis);
    let depths = fens.iter().map(|fen| single.depth_that_takes(fen, enough));
    let depths = depths.collect::<Result<Vec<_>>>()?;
    println!("threads   speedup to the same depth, median of {rounds} for each position");
    for &threads in &arguments.threads {
        let mut many = Engine::start(arguments, threads)?;
        let mut all = Ratios::default();
        for (fen, &depth) in fens.iter().zip(&depths) {
            let mut here = Ratios::default();
            for _ in 0..rounds {
                let alone = single.time_to(fen, depth)?;
                here.push(alone / many.time_to(fen, depth)?);
            }
            println!("          depth {depth:>2}: {:.2}   {fen}", here.median());
            all.push(here.median());
        }
        println!("{threads:>7}   {all}");
    }
    Ok(())
}

/// Speed to a depth in lockstep: the nodes of a single thread divided by the nodes of one of many
/// threads. The threads take turns of equal length, so that their nodes differ by a turn at most.
fn lockstep(arguments: &Arguments, fens: &[String], nodes: u64) -> Result<()> {
    let mut single = Engine::start(arguments, 1)?;
    let depths = fens.iter().map(|fen| single.depth_of_nodes(fen, nodes));
    let depths = depths.collect::<Result<Vec<_>>>()?;
    println!("threads   speed to the same depth in lockstep, by nodes of a thread");
    for &threads in &arguments.threads {
        let mut many = Engine::start_with(arguments, threads, &[("Lockstep", "true")])?;
        let mut all = Ratios::default();
        for (fen, &(depth, alone)) in fens.iter().zip(&depths) {
            let share = many.nodes_to(fen, depth)? as f64 / f64::from(threads);
            let ratio = alone as f64 / share;
            println!("          depth {depth:>2}: {ratio:.2}   {fen}");
            all.push(ratio);
        }
        println!("{threads:>7}   {all}");
    }
    Ok(())
}

/// Percentiles of times in milliseconds, for printing.
fn percentiles(mut times: Vec<Duration>) -> String {
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1000.0;
    let (half, most, all) = (at(50), at(99), at(100));
    format!("p50 {half:.2}, p99 {most:.2}, at most {all:.2}")
}

fn answer(arguments: &Arguments, fens: &[String], searches: usize) -> Result<()> {
    println!(
        "milliseconds of {searches} searches\nthreads   from stop to the best move              from go to the first line"
    );
    for &threads in [1].iter().chain(&arguments.threads) {
        let mut engine = Engine::start(arguments, threads)?;
        let (mut first, mut last) = (Vec::new(), Vec::new());
        for (number, fen) in (0_u64..).zip(fens.iter().cycle()).take(searches) {
            // At varying moments of the iterations.
            let wait = Duration::from_micros(500 + 137 * (number % 50));
            let [begun, stopped] = engine.times_to_answer(fen, wait)?;
            first.push(begun);
            last.push(stopped);
        }
        println!(
            "{threads:>7}   {:<40} {}",
            percentiles(last),
            percentiles(first)
        );
    }
    Ok(())
}

/// The positions to search.
fn positions(arguments: &Arguments) -> Result<Vec<String>> {
    let (mut fens, most): (Vec<String>, usize) = match &arguments.file {
        Some(path) => {
            let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            (lines.map(str::to_owned).collect(), usize::MAX)
        }
        None => (POSITIONS.iter().copied().map(str::to_owned).collect(), 30),
    };
    fens.truncate(arguments.positions.unwrap_or(most).max(1));
    ensure!(!fens.is_empty(), "--file holds no position");
    Ok(fens)
}

fn run() -> Result<()> {
    let arguments = Arguments::parse();
    ensure!(
        arguments.threads.iter().all(|threads| *threads > 0),
        "--threads must be at least 1"
    );
    let fens = &positions(&arguments)?;
    match arguments.what {
        What::Nodes { millis, rounds } => nodes(&arguments, fens, millis, rounds.max(1)),
        What::Depth {
            nodes,
            lockstep: true,
            ..
        } => lockstep(&arguments, fens, nodes.max(1)),
        What::Depth { millis, rounds, .. } => depth(&arguments, fens, millis, rounds.max(1)),
        What::Answer { searches } => answer(&arguments, fens, searches.max(1)),
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("threads: {error:#}");
            ExitCode::FAILURE
        }
    }
}
