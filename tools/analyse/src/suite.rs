//! Test suites: positions with moves to find, to avoid, or mates to give.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail};
use serde::Serialize;
use skewer_movegen::Move;
use skewer_pgn::{Epd, EpdReadError, EpdReader, Op};
use skewer_search::Position;
use skewer_store::CommandFiles;
use skewer_types::Score;

use crate::cli::SuiteArgs;
use crate::output::Output;
use crate::progress::printable;
use skewer_analysis::analyst::Analyst;
use skewer_analysis::input;
use skewer_analysis::params::SCHEMA;
use skewer_analysis::workers::Workers;

/// Bytes of a file that are read to tell PGN from EPD.
const PGN_HEAD: usize = 1024;

/// The result of a position.
#[derive(Clone, Debug)]
struct Attempt {
    solved: bool,
    /// Nodes and time after which the right move stayed the best until the end.
    since: Option<(u64, Duration)>,
    depth: u32,
    nodes: u64,
    played: String,
}

#[derive(Serialize)]
struct Line<'a> {
    schema: &'a str,
    kind: &'a str,
    number: usize,
    id: &'a str,
    position: String,
    solved: bool,
    played: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes_to_solution: Option<u64>,
    depth: u32,
    nodes: u64,
}

/// Solves suites. 0 if enough are solved, 1 if not.
///
/// # Errors
///
/// When files cannot be read or written.
pub(crate) fn run(arguments: &SuiteArgs) -> Result<u8> {
    let mut files = CommandFiles::new();
    for file in &arguments.files {
        files.input(file);
    }
    if let Some(path) = &arguments.jsonl {
        files.output("--jsonl", path);
    }
    files.check()?;
    let positions = read(&arguments.files)?;
    let total = positions.len();
    if total == 0 {
        bail!(
            "no position with bm, am or dm in {}",
            arguments.files.join(", ")
        );
    }
    let settings = arguments.limits.settings(0)?;
    let mut jsonl = arguments.jsonl.as_deref().map(Output::create).transpose()?;
    let threads = arguments.limits.workers();
    let mut workers = Workers::start(threads, &settings, |analyst, epd| Ok(solve(analyst, &epd)))?;
    let mut to_do = positions.iter().cloned().enumerate();
    let (mut solved, mut nodes, mut nodes_to_solution, mut seconds) = (0_u64, 0, 0, 0.0);
    let mut early = BTreeMap::new();
    for (number, epd) in (1..).zip(&positions) {
        let result = loop {
            while !workers.are_busy()
                && let Some((index, epd)) = to_do.next()
            {
                workers.submit(index + 1, epd)?;
            }
            if let Some(result) = early.remove(&number) {
                break result;
            }
            let done = workers.wait()?;
            let result = done
                .result
                .map_err(|reason| anyhow!("position {}: {reason}", done.key))?;
            early.insert(done.key, result);
        };
        solved += u64::from(result.solved);
        nodes += result.nodes;
        if let (true, Some((after, time))) = (result.solved, result.since) {
            nodes_to_solution += after;
            seconds += time.as_secs_f64();
        }
        if !arguments.quiet {
            println!("{}", text(number, epd, &result));
        }
        if let Some(out) = &mut jsonl {
            let line = Line {
                schema: SCHEMA,
                kind: "suite",
                number,
                id: epd.id().unwrap_or_default(),
                position: epd.board.to_fen_in(epd.mode).to_string(),
                solved: result.solved,
                played: &result.played,
                nodes_to_solution: result
                    .since
                    .filter(|_| result.solved)
                    .map(|(nodes, _)| nodes),
                depth: result.depth,
                nodes: result.nodes,
            };
            out.json_line(&line)?;
        }
    }
    if let Some(out) = jsonl {
        out.finish()?;
    }
    println!(
        "{solved} of {total} solved, {nodes} nodes; to the solutions {nodes_to_solution} nodes, {seconds:.1} s"
    );
    Ok(u8::from(
        solved < arguments.at_least.unwrap_or(total as u64),
    ))
}

fn read(files: &[String]) -> Result<Vec<Epd>> {
    let mut positions = Vec::new();
    for file in files {
        let mut source = input::open(file, &Arc::new(AtomicU64::new(0)))?;
        let head =
            input::head(&mut source, PGN_HEAD).with_context(|| format!("cannot read {file}"))?;
        if looks_like_pgn(&head) {
            bail!(
                "{file} holds games (PGN), not positions (EPD): use `skewer-analyse games {file}`"
            );
        }
        for line in EpdReader::new(std::io::Cursor::new(head).chain(source)) {
            match line {
                Ok(placed) if is_problem(&placed.epd) => positions.push(placed.epd),
                Ok(placed) => eprintln!("{file}: line {}: no bm, am or dm", placed.line),
                Err(EpdReadError::Io(error)) => {
                    return Err(error).with_context(|| format!("cannot read {file}"));
                }
                Err(bad) => eprintln!("{}", printable(&format!("{file}: {bad}"))),
            }
        }
    }
    Ok(positions)
}

/// Whether a file begins with a tag of a game, which no line of EPD does.
fn looks_like_pgn(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    head.trim_ascii_start().starts_with(b"[")
}

/// Whether a position has legal moves, and states which move to find or avoid or how fast to mate.
fn is_problem(epd: &Epd) -> bool {
    let moves = !epd.best_moves().is_empty() || !epd.avoid_moves().is_empty();
    (moves || epd.direct_mate().is_some()) && epd.board.has_legal_moves()
}

/// Searches a position with an empty table.
fn solve(analyst: &mut Analyst, epd: &Epd) -> Attempt {
    analyst.forget(1);
    let depth = match epd.get("acd") {
        Some(Op::Depth(depth)) => i32::try_from(*depth).ok().filter(|&depth| depth > 0),
        _ => None,
    };
    let mut since = None;
    let found = analyst.search_to_depth(&Position::new(epd.board), depth, &mut |line| {
        if line.multi_pv != 1 {
            return;
        }
        if line
            .pv
            .first()
            .is_some_and(|&mv| solves(epd, mv, line.score))
        {
            since.get_or_insert((line.nodes, line.time));
        } else {
            since = None;
        }
    });
    let line = found.lines.first();
    let best = line.and_then(|line| line.moves_from(&epd.board).first().copied());
    let score = line.map_or(Score::ZERO, |line| Score::from_raw(line.score));
    Attempt {
        solved: best.is_some_and(|mv| solves(epd, mv, score)),
        since,
        depth: found.depth,
        nodes: found.nodes,
        played: best.map_or_else(String::new, |mv| epd.board.san(mv).to_string()),
    }
}

/// Whether this move with this score solves the position.
fn solves(epd: &Epd, mv: Move, score: Score) -> bool {
    let best = epd.best_moves();
    let right = best.is_empty() || best.contains(&mv);
    let mates = epd.direct_mate().is_none_or(|within| {
        score
            .mate_distance()
            .is_some_and(|moves| moves > 0 && moves <= within as i32)
    });
    right && !epd.avoid_moves().contains(&mv) && mates
}

fn text(number: usize, epd: &Epd, result: &Attempt) -> String {
    let name = epd
        .id()
        .map_or_else(|| format!("position {number}"), str::to_owned);
    let sans = |moves: &[Move]| -> String {
        moves
            .iter()
            .map(|&mv| epd.board.san(mv).to_string())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let mut wanted = Vec::new();
    if !epd.best_moves().is_empty() {
        wanted.push(format!("bm {}", sans(epd.best_moves())));
    }
    if !epd.avoid_moves().is_empty() {
        wanted.push(format!("am {}", sans(epd.avoid_moves())));
    }
    if let Some(moves) = epd.direct_mate() {
        wanted.push(format!("dm {moves}"));
    }
    let what = match result.since {
        Some((nodes, time)) if result.solved => {
            format!("solved, {nodes} nodes, {:.2} s", time.as_secs_f64())
        }
        _ if result.solved => format!("solved, {} nodes", result.nodes),
        _ => format!("not solved, {} ({} nodes)", result.played, result.nodes),
    };
    format!("{name}: {}: {what}", wanted.join(", "))
}
