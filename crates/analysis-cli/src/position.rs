//! Analysis of one position by all threads on one hash table, with lines printed as they are found.

use std::io::Write as _;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use anyhow::{Context as _, Result, bail};
use serde::Serialize;
use skewer_console::progress::note;
use skewer_console::standard;
use skewer_movegen::{Board, CastlingMode, DrawRules, FenError, Setup, Strictness};
use skewer_search::{Report, TablebaseRules};
use skewer_smp::{Engine, Event, Options, SearchHandle};
use skewer_tt::TableSize;
use skewer_types::{Bound, Score, WinModel, printable_json};

use crate::cli::PositionArgs;
use skewer_analysis::analyst::{Interrupt, Query, Settings, analyst};
use skewer_analysis::formulas::Eval;
use skewer_analysis::line::sans;
use skewer_analysis::params::SCHEMA;

#[derive(Serialize)]
struct Found {
    schema: &'static str,
    kind: &'static str,
    position: String,
    nodes: u64,
    lines: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    depth: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    moves: Vec<String>,
}

/// Reads a FEN, and names the rights that it gives and the position contradicts.
fn read(fen: &str) -> Result<Board, FenError> {
    let setup = Setup::from_fen(fen, Strictness::Relaxed)?;
    let board = setup.build(Strictness::Relaxed)?;
    for right in setup.impossible_rights() {
        note(format_args!("{}; passed over", FenError::from(right)));
    }
    Ok(board)
}

/// Analyses a position. Scores are from White's side.
///
/// # Errors
///
/// When the FEN is not a position, the game is over there, or the engine cannot be started.
pub(crate) fn analyse(arguments: &PositionArgs) -> Result<u8> {
    skewer_store::check_standard_output()?;
    let board = match arguments.fen.trim() {
        "startpos" => Board::STARTPOS,
        fen => read(fen).with_context(|| format!("\"{fen}\" is not a position"))?,
    };
    if let Some(ending) = board.ending(1, DrawRules::Unclaimed) {
        bail!("the game is over: {ending}");
    }
    let mode = board.castling_mode();
    let settings = arguments.limits.settings()?;
    let model = settings.win_model();
    if settings.engine.is_some() {
        return by_engine(arguments, &settings, board, mode);
    }
    let mut engine = Engine::new(Options {
        threads: arguments.limits.workers(),
        hash: TableSize::from_megabytes(settings.hash),
        ..Options::default()
    })?;
    engine.set_evaluation(&settings.evaluation);
    engine.set_tablebases(settings.tablebases.clone(), TablebaseRules::default());
    let lines: Arc<Mutex<Vec<Report>>> = Arc::default();
    let live = !arguments.quiet && !arguments.json;
    let shared = Arc::clone(&lines);
    let handle: Arc<OnceLock<SearchHandle>> = Arc::default();
    let running = Arc::clone(&handle);
    let search = engine.search(board, settings.limits(), move |event| match event {
        Event::Line(line) if line.bound == Bound::Exact => {
            let mut lines = shared.lock().unwrap_or_else(PoisonError::into_inner);
            let index = line.multi_pv.max(1) - 1;
            if index < lines.len() {
                lines[index] = line.clone();
            } else {
                lines.push(line.clone());
            }
            if live && writeln!(standard::output(), "{}", text(&board, line, model)).is_err() {
                // Printing the result at the end fails too, and reports the error.
                if let Some(search) = running.get() {
                    search.stop();
                }
            }
        }
        Event::Note(note) => skewer_console::progress::note(note),
        _ => {}
    });
    let answer = handle.get_or_init(|| search).wait();
    let lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
    if arguments.json {
        let lines = lines.iter().map(|line| data(&board, line, model));
        return print_json(&board, mode, answer.nodes, lines.collect());
    }
    let mut out = standard::output();
    if live {
        writeln!(out)?;
    }
    for line in lines.iter() {
        writeln!(out, "{}", text(&board, line, model))?;
    }
    if let Some(best) = answer.best {
        writeln!(out, "best move: {}", board.san(best))?;
    }
    Ok(0)
}

/// Analyses a position by a UCI engine, and prints its lines at the end.
fn by_engine(
    arguments: &PositionArgs,
    settings: &Settings,
    board: Board,
    mode: CastlingMode,
) -> Result<u8> {
    let found =
        analyst(settings, &Interrupt::default())?.search(&Query::new(&board, mode), &mut |_| {})?;
    let model = settings.win_model();
    let lines = found.lines.iter().map(|line| {
        let (cp, mate) = parts(&board, Score::from_raw(line.score), model);
        Line {
            depth: found.depth,
            cp,
            mate,
            moves: sans(&board, &line.moves_from(&board)),
        }
    });
    let lines: Vec<Line> = lines.collect();
    if arguments.json {
        return print_json(&board, mode, found.nodes, lines);
    }
    for (rank, line) in (1..).zip(&lines) {
        let score = score_text(line.cp, line.mate);
        let (depth, moves) = (depth_text(line.depth, line.mate), line.moves.join(" "));
        writeln!(
            standard::output(),
            "{depth:8}  {rank:>2}.  {score:>7}  {moves}"
        )?;
    }
    Ok(0)
}

fn print_json(board: &Board, mode: CastlingMode, nodes: u64, lines: Vec<Line>) -> Result<u8> {
    let found = Found {
        schema: SCHEMA,
        kind: "position",
        position: board.to_fen_in(mode).to_string(),
        nodes,
        lines,
    };
    let found = serde_json::to_string(&found)?;
    writeln!(standard::output(), "{}", printable_json(&found))?;
    Ok(0)
}

/// The score from White's side: centipawns, or moves to mate.
fn parts(board: &Board, score: Score, model: WinModel) -> (Option<i32>, Option<i32>) {
    let curve = model.at(board.material());
    skewer_analysis::json::parts(Eval::from_score(score, board.turn(), curve))
}

fn data(board: &Board, line: &Report, model: WinModel) -> Line {
    let (cp, mate) = parts(board, line.score, model);
    Line {
        depth: line.depth.max(0) as u32,
        cp,
        mate,
        moves: sans(board, &line.pv),
    }
}

/// A line as text for the terminal.
fn text(board: &Board, line: &Report, model: WinModel) -> String {
    let (cp, mate) = parts(board, line.score, model);
    let score = score_text(cp, mate);
    let seconds = line.time.as_secs_f64();
    format!(
        "{:8}  {:>2}.  {score:>7}  {seconds:>7.1} s  {:>12} nodes  {}",
        depth_text(line.depth.max(0) as u32, mate),
        line.multi_pv,
        line.nodes,
        sans(board, &line.pv).join(" ")
    )
}

/// The depth of a line as text. The text is empty for a mate, because the search then finishes the remaining depths at
/// once, and the depth says nothing.
fn depth_text(depth: u32, mate: Option<i32>) -> String {
    match mate {
        Some(_) => String::new(),
        None => format!("depth {depth:>2}"),
    }
}

fn score_text(cp: Option<i32>, mate: Option<i32>) -> String {
    match mate {
        Some(mate) => format!("#{mate}"),
        None => format!("{:+.2}", f64::from(cp.unwrap_or(0)) / 100.0),
    }
}
