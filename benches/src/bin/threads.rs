//! Measures how a UCI engine scales with threads: nodes per second, and time to a depth.
//!
//! Works with any UCI engine, so that peers are measured in the same way. Compares neighbouring runs
//! on one position, because the speed of shared machines drifts.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::{Parser, Subcommand};
use skewer_benches::ratios::Ratios;

/// Ten middlegames, none of them decided, from our own bench.
const MIDDLEGAMES: [&str; 10] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/2N1B1P1/PP2PPBP/R2Q1RK1 w - - 6 12",
    "r1bq1rk1/pp1n1pbp/2pp1np1/4p3/2PPP3/2N2N1P/PP2BPP1/R1BQ1RK1 w - - 0 10",
    "3r1rk1/1p2qppp/p1n1bn2/4p3/4P3/1BP1BN1P/PP2QPP1/3R1RK1 b - - 4 17",
    "r1b2rk1/2q1bppp/p2p1n2/np2p3/3PP3/2P2N1P/PPBN1PP1/R1BQR1K1 b - - 2 13",
    "2kr3r/pp1q1ppp/2nbbn2/3p4/3P4/P1NBBN2/1P1Q1PPP/R4RK1 w - - 5 14",
    "r1b1r1k1/1p1n1p1p/p2p2p1/q1pP2B1/2P1R3/2N2Q2/PP3PPP/R5K1 b - - 1 19",
    "4rrk1/1bq2ppp/p2p1b2/1p1Pn3/4PP2/P1N1B3/1P2B1PP/R2Q1R1K b - - 0 21",
    "r2qr1k1/1b1nbppp/p2p4/1p1Np1P1/4P2P/1N1QBP2/PPP5/2KR3R b - - 0 17",
];

/// Measure how a UCI engine scales with threads.
///
/// Run it on a machine that does nothing else.
#[derive(Parser)]
#[command(after_help = "Examples:
  threads --engine target/release/skewer nodes
  threads --engine target/release/skewer --threads 2,4,8,16 --hash 256 nodes --millis 3000
  threads --engine target/release/skewer depth")]
struct Arguments {
    /// The engine: any program that speaks UCI
    #[arg(long, value_name = "PROGRAM")]
    engine: PathBuf,
    /// Its hash table, in MB
    #[arg(long, value_name = "MB", default_value_t = 64)]
    hash: u32,
    /// Numbers of threads to compare with one thread
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "2")]
    threads: Vec<u32>,
    /// Use only the first N of the ten positions
    #[arg(long, value_name = "N", default_value_t = 10)]
    positions: usize,
    /// What to measure
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Nodes per second, relative to one thread. For comparison also those of as many one-thread engines
    /// that run at the same time: the most that the machine allows
    Nodes {
        /// How long each search lasts, in milliseconds
        #[arg(long, value_name = "MS", default_value_t = 1000)]
        millis: u64,
        /// How often each position is searched in each way
        #[arg(long, value_name = "N", default_value_t = 5)]
        rounds: usize,
    },
    /// Time to the first depth for which one thread needs a given time
    Depth {
        /// The least time of one thread, in milliseconds
        #[arg(long, value_name = "MS", default_value_t = 3000)]
        millis: u64,
        /// How often each position is searched in each way
        #[arg(long, value_name = "N", default_value_t = 5)]
        rounds: usize,
    },
}

/// The measured fields of a line of analysis.
#[derive(Clone, Copy, Default)]
struct Line {
    depth: u32,
    nodes: u64,
    millis: u64,
}

/// An engine process, driven over pipes.
struct Engine {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(arguments: &Arguments, threads: u32) -> Result<Self> {
        let name = arguments.engine.display();
        let mut process = Command::new(&arguments.engine)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {name}"))?;
        let input = process.stdin.take().context("the engine has no input")?;
        let output = process.stdout.take().context("the engine has no output")?;
        let mut engine = Self {
            process,
            input,
            output: BufReader::new(output),
        };
        engine.say("uci")?;
        engine.listen("uciok")?;
        engine.say(&format!("setoption name Threads value {threads}"))?;
        engine.say(&format!("setoption name Hash value {}", arguments.hash))?;
        engine.wait_until_ready()?;
        Ok(engine)
    }

    fn say(&mut self, line: &str) -> Result<()> {
        writeln!(self.input, "{line}").context("the engine has exited")?;
        self.input.flush().context("the engine has exited")
    }

    /// Reads up to the line that begins with `last` and returns the lines of analysis before it.
    fn listen(&mut self, last: &str) -> Result<Vec<Line>> {
        let mut lines = Vec::new();
        let mut text = String::new();
        loop {
            text.clear();
            let read = self.output.read_line(&mut text)?;
            ensure!(read > 0, "the engine ended without sending {last}");
            if text.starts_with(last) {
                return Ok(lines);
            }
            lines.extend(line_of(&text));
        }
    }

    fn wait_until_ready(&mut self) -> Result<()> {
        self.say("isready")?;
        self.listen("readyok").map(drop)
    }

    /// Starts a new game with this position.
    fn set_up(&mut self, fen: &str) -> Result<()> {
        self.say("ucinewgame")?;
        self.say(&format!("position fen {fen}"))?;
        self.wait_until_ready()
    }

    /// Nodes per second of the running search.
    fn speed(&mut self) -> Result<f64> {
        let lines = self.listen("bestmove")?;
        let last = lines.iter().rev().find(|line| line.millis > 0);
        let last = last.context("the search was too short to measure; use a larger --millis")?;
        Ok(last.nodes as f64 * 1000.0 / last.millis as f64)
    }

    /// Seconds to this depth.
    fn time_to(&mut self, fen: &str, depth: u32) -> Result<f64> {
        self.set_up(fen)?;
        let started = Instant::now();
        self.say(&format!("go depth {depth}"))?;
        self.listen("bestmove")?;
        Ok(started.elapsed().as_secs_f64())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.say("quit");
        let _ = self.process.wait();
    }
}

/// Reads `info ... depth D ... nodes N ... time T ...`; none if the line lacks one of the three.
fn line_of(text: &str) -> Option<Line> {
    let mut words = text.split_ascii_whitespace();
    if words.next() != Some("info") || text.contains(" string ") {
        return None;
    }
    let (mut depth, mut nodes, mut millis) = (None, None, None);
    while let Some(word) = words.next() {
        match word {
            "depth" => depth = words.next()?.parse().ok(),
            "nodes" => nodes = words.next()?.parse().ok(),
            "time" => millis = words.next()?.parse().ok(),
            "pv" => break,
            _ => {}
        }
    }
    Some(Line {
        depth: depth?,
        nodes: nodes?,
        millis: millis?,
    })
}

fn nodes(arguments: &Arguments, fens: &[&str], millis: u64, rounds: usize) -> Result<()> {
    let most = arguments.threads.iter().copied().max().unwrap_or(1);
    let mut singles = (0..most)
        .map(|_| Engine::start(arguments, 1))
        .collect::<Result<Vec<_>>>()?;
    println!("threads   nodes/s relative to 1        one-thread engines, together");
    for &threads in &arguments.threads {
        let mut many = Engine::start(arguments, threads)?;
        let (mut together, mut apart) = (Ratios::default(), Ratios::default());
        let go = format!("go movetime {millis}");
        for fen in fens.iter().cycle().take(fens.len() * rounds) {
            // Searches on all these engines at once and adds up their nodes per second.
            let speed = |engines: &mut [Engine]| -> Result<f64> {
                for engine in &mut *engines {
                    engine.set_up(fen)?;
                }
                for engine in &mut *engines {
                    engine.say(&go)?;
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

fn depth(arguments: &Arguments, fens: &[&str], millis: u64, rounds: usize) -> Result<()> {
    let mut single = Engine::start(arguments, 1)?;
    let mut depths = Vec::new();
    for fen in fens {
        single.set_up(fen)?;
        single.say("go infinite")?;
        depths.push(depth_that_takes(
            &mut single,
            Duration::from_millis(millis),
        )?);
    }
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

/// The first depth that the running search completes after `enough`. Stops the search.
fn depth_that_takes(engine: &mut Engine, enough: Duration) -> Result<u32> {
    let mut text = String::new();
    loop {
        text.clear();
        if engine.output.read_line(&mut text)? == 0 {
            bail!("the engine ended in the middle of a search");
        }
        let Some(line) = line_of(&text) else { continue };
        let bound = text.contains("lowerbound") || text.contains("upperbound");
        if !bound && line.millis >= enough.as_millis() as u64 {
            engine.say("stop")?;
            engine.listen("bestmove")?;
            return Ok(line.depth);
        }
    }
}

fn run() -> Result<()> {
    let arguments = Arguments::parse();
    ensure!(
        arguments.threads.iter().all(|threads| *threads > 0),
        "--threads must be at least 1"
    );
    let fens = &MIDDLEGAMES[..arguments.positions.clamp(1, MIDDLEGAMES.len())];
    match arguments.what {
        What::Nodes { millis, rounds } => nodes(&arguments, fens, millis, rounds.max(1)),
        What::Depth { millis, rounds } => depth(&arguments, fens, millis, rounds.max(1)),
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
