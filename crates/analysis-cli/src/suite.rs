//! Test suites: positions with moves to find, to avoid, or mates to give.

use std::io::{self, Read as _};
use std::path::PathBuf;

use anyhow::{Context as _, Result, anyhow, bail};
use serde::Serialize;
use skewer_analysis::input;
use skewer_analysis::params::SCHEMA;
use skewer_analysis::suite::{Attempt, check, solve};
use skewer_analysis::workers::Workers;
use skewer_pgn::params::SNIFFED;
use skewer_pgn::{Epd, EpdReadError, EpdReader};
use skewer_report::Output;
use skewer_store::CommandFiles;

use crate::cli::SuiteArgs;
use crate::output::say;
use skewer_console::progress::note;

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

/// Solves suites. Returns the exit status: 0 if enough positions are solved, 1 if not. A line that cannot be judged
/// counts as a position that is not solved.
///
/// # Errors
///
/// When files cannot be read or written or have no problem, or when the engine fails.
pub(crate) fn run(arguments: &SuiteArgs) -> Result<u8> {
    let mut files = CommandFiles::reading(&arguments.files);
    if let Some(path) = &arguments.jsonl {
        files.output("--jsonl", path);
    }
    files.check()?;
    let (positions, bad) = read(&arguments.files)?;
    if positions.is_empty() {
        let files: Vec<_> = arguments
            .files
            .iter()
            .map(|file| file.display().to_string())
            .collect();
        bail!(
            "no position that can be judged by bm, am or dm in {}",
            files.join(", ")
        );
    }
    let settings = arguments.limits.settings()?;
    let mut jsonl = arguments.jsonl.as_deref().map(Output::create).transpose()?;
    let threads = arguments.limits.workers();
    let workers = Workers::start(threads, &settings, |analyst, epd: &Epd| solve(analyst, epd))?;
    let (mut solved, mut nodes, mut nodes_to_solution, mut seconds) = (0_u64, 0, 0, 0.0);
    workers.in_order(positions.clone(), |index, result| {
        let (number, epd) = (index + 1, &positions[index]);
        let result = result.map_err(|reason| anyhow!("position {number}: {reason}"))?;
        solved += u64::from(result.solved);
        nodes += result.nodes;
        if let Some((after, time)) = result.since {
            nodes_to_solution += after;
            seconds += time.as_secs_f64();
        }
        let played = result.played.map(|mv| epd.board.san(mv).to_string());
        let played = played.unwrap_or_default();
        if !arguments.quiet {
            say(&text(number, epd, &result, &played))?;
        }
        if let Some(out) = &mut jsonl {
            let line = Line {
                schema: SCHEMA,
                kind: "suite",
                number,
                id: epd.id().unwrap_or_default(),
                position: epd.board.to_fen_in(epd.mode).to_string(),
                solved: result.solved,
                played: &played,
                nodes_to_solution: result.since.map(|(nodes, _)| nodes),
                depth: result.depth,
                nodes: result.nodes,
            };
            out.json_line(&line)?;
        }
        anyhow::Ok(())
    })?;
    if let Some(out) = jsonl {
        out.finish()?;
    }
    let total = positions.len() as u64 + bad;
    if bad > 0 {
        let were = if bad == 1 { "was" } else { "were" };
        note(format_args!(
            "{bad} of {total} positions could not be judged and {were} counted as not solved"
        ));
    }
    say(&format!(
        "{solved} of {total} solved, {nodes} nodes; to the solutions {nodes_to_solution} nodes, {seconds:.1} s"
    ))?;
    Ok(u8::from(solved < arguments.at_least.unwrap_or(total)))
}

/// The positions of the files that can be judged, and how many lines have none. Each such line is named.
fn read(files: &[PathBuf]) -> Result<(Vec<Epd>, u64)> {
    let (mut positions, mut bad) = (Vec::new(), 0);
    for file in files {
        let mut source = input::open(file)?;
        let file = file.display();
        let head =
            input::head(&mut source, SNIFFED).with_context(|| format!("cannot read {file}"))?;
        if input::looks_like_pgn(&head) {
            bail!(
                "{file} holds games (PGN), not positions (EPD): use `skewer-analyse games {file}`"
            );
        }
        for line in EpdReader::new(io::Cursor::new(head).chain(source)) {
            match line {
                Ok(placed) => {
                    let line = placed.line;
                    for problem in placed.problems {
                        note(format_args!("{file}: line {line}: {problem}"));
                    }
                    match check(&placed.epd) {
                        Ok(()) => positions.push(placed.epd),
                        Err(unfit) => {
                            bad += 1;
                            note(format_args!("{file}: line {line}: {unfit}"));
                        }
                    }
                }
                Err(EpdReadError::Io(error)) => {
                    return Err(error).with_context(|| format!("cannot read {file}"));
                }
                Err(error) => {
                    bad += 1;
                    note(format_args!("{file}: {error}"));
                }
            }
        }
    }
    Ok((positions, bad))
}

fn text(number: usize, epd: &Epd, result: &Attempt, played: &str) -> String {
    let name = epd
        .id()
        .map_or_else(|| format!("position {number}"), str::to_owned);
    let mut wanted = Vec::new();
    for (opcode, moves) in [("bm", epd.best_moves()), ("am", epd.avoid_moves())] {
        if !moves.is_empty() {
            let sans = moves.iter().map(|&mv| format!(" {}", epd.board.san(mv)));
            wanted.push(opcode.to_owned() + &sans.collect::<String>());
        }
    }
    wanted.extend(epd.direct_mate().map(|moves| format!("dm {moves}")));
    let what = match result.since {
        Some((nodes, time)) => format!("solved, {nodes} nodes, {:.2} s", time.as_secs_f64()),
        _ if result.solved => format!("solved, {} nodes", result.nodes),
        _ => format!("not solved, {played} ({} nodes)", result.nodes),
    };
    format!("{name}: {}: {what}", wanted.join(", "))
}
