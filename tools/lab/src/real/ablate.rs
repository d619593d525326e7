//! Ablation: the real search without each of its techniques, over a fixed set of positions.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde::Serialize;
use skewer_eval::Evaluation;
use skewer_movegen::Board;
use skewer_pgn::Epd;
use skewer_search::{Limits, Position, SearchResult, Solo};
use skewer_tt::TableSize;
use skewer_types::{Depth, Techniques};

use super::{EngineArgs, names, tactics};
use crate::chess::positions;
use crate::figure::brief;
use crate::table;
use skewer_console::options::technique;
use skewer_console::progress::Progress;
use skewer_console::workers;
use skewer_svg::chart::{Bar, Chart, Scale, Tone};

/// What to measure, and how much of it.
#[derive(Debug, clap::Args)]
pub struct Setup {
    /// Measure only these techniques, one at a time. `skewer help techniques` lists the names.
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = technique)]
    pub only: Vec<Techniques>,
    /// How deep, in plies.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(Depth).range(1..=40))]
    pub depth: Depth,
    /// Nodes after which a position is given up.
    #[arg(long, value_name = "NODES", default_value_t = 2_000_000)]
    pub most_nodes: u64,
    /// Tactical positions with best moves, an EPD file (Win at Chess, for instance). Without it
    /// none are searched.
    #[arg(long, value_name = "FILE")]
    pub epd: Option<PathBuf>,
    /// The most positions of the EPD file that are searched, from its start.
    #[arg(long, default_value_t = 100)]
    pub tactics: usize,
    /// Nodes for each position of the EPD file.
    #[arg(long, value_name = "NODES", default_value_t = 30_000)]
    pub tactic_nodes: u64,
    /// The engine.
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// The search without one technique (or with all of them, in the first row).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// What was left out; `none` in the first row.
    pub without: String,
    /// Nodes to the depth, all positions together.
    pub nodes: u64,
    /// Time to the depth in milliseconds, all positions together.
    pub milliseconds: u64,
    /// Nodes, divided by the nodes of the full search.
    pub nodes_ratio: f64,
    /// Time, divided by the time of the full search.
    pub time_ratio: f64,
    /// Positions given up before the depth. If there are any, nodes and time are lower bounds.
    pub given_up: usize,
    /// Tactical positions solved.
    pub solved: usize,
    /// Tactical positions tried.
    pub tactics: usize,
}

/// Measures the full search, and then without each technique (or with it, if it is off by default).
///
/// # Errors
///
/// If there is no memory for a hash table, a thread cannot be started, or the evaluation cannot be
/// loaded, or the EPD file has no tactical positions.
pub fn run(setup: &Setup, evaluation: &Evaluation) -> Result<Vec<Row>> {
    let tactics = match &setup.epd {
        Some(path) if setup.tactics > 0 => tactics::read(path, setup.tactics)?,
        _ => Vec::new(),
    };
    let mut variants = vec![Techniques::empty()];
    if setup.only.is_empty() {
        variants.extend(Techniques::all());
    } else {
        variants.extend(&setup.only);
    }
    let progress = Progress::new(Some(variants.len() as u64));
    let mut rows = workers::map(&variants, setup.engine.jobs.into(), |&changed| {
        progress.set_message(row_name(changed));
        let row = measure(setup, evaluation, &tactics, changed);
        progress.step();
        row
    })?;
    progress.finish();
    let (nodes, time) = (rows[0].nodes as f64, rows[0].milliseconds as f64);
    for row in &mut rows {
        row.nodes_ratio = row.nodes as f64 / nodes;
        row.time_ratio = row.milliseconds as f64 / time.max(1.0);
    }
    Ok(rows)
}

fn row_name(changed: Techniques) -> String {
    if changed.is_empty() {
        "none".to_owned()
    } else if Techniques::DEFAULT.contains(changed) {
        names(changed)
    } else {
        format!("none; with {}", names(changed))
    }
}

/// Measures the search without the techniques `changed`, or with them if they are off by default.
fn measure(
    setup: &Setup,
    evaluation: &Evaluation,
    tactics: &[Epd],
    changed: Techniques,
) -> Result<Row> {
    let techniques = Techniques::DEFAULT ^ changed;
    let size = TableSize::from_megabytes(setup.engine.hash as usize);
    let mut solo = Solo::new(evaluation, size)?.with_techniques(techniques);
    let mut think = |board: Board, limits: &Limits| -> SearchResult {
        solo.clear();
        solo.search(&Position::new(board), limits)
    };
    let limits = Limits {
        nodes: Some(setup.most_nodes),
        ..Limits::depth(setup.depth)
    };
    let (mut nodes, mut given_up, mut time) = (0, 0, Duration::ZERO);
    for position in positions::varied() {
        let start = Instant::now();
        let outcome = think(*position.board(), &limits);
        time += start.elapsed();
        nodes += outcome.nodes;
        given_up += usize::from(outcome.depth < setup.depth);
    }
    let limits = Limits::nodes(setup.tactic_nodes);
    let mut solves = |epd: &&Epd| {
        let best = think(epd.board, &limits).best;
        best.is_some_and(|mv| epd.accepts(mv))
    };
    let solved = tactics.iter().filter(|epd| solves(epd));
    Ok(Row {
        without: row_name(changed),
        nodes,
        milliseconds: time.as_millis() as u64,
        nodes_ratio: 1.0,
        time_ratio: 1.0,
        given_up,
        solved: solved.count(),
        tactics: tactics.len(),
    })
}

impl Row {
    fn solved_text(&self, full: &Self) -> String {
        if self.tactics == 0 {
            return "-".to_owned();
        }
        let change = self.solved as i64 - full.solved as i64;
        format!("{} ({change:+})", self.solved)
    }

    fn nodes_text(&self) -> String {
        let more = if self.given_up > 0 { ">" } else { "" };
        format!("{more}{}", brief(self.nodes_ratio))
    }
}

/// The rows as a table for a terminal.
pub fn as_text(rows: &[Row]) -> String {
    let columns = [
        ("without", 28),
        ("nodes", 12),
        ("ms", 10),
        ("nodes x", 10),
        ("time x", 10),
        ("solved", 14),
    ];
    let cells = |row: &Row| {
        [
            row.without.clone(),
            row.nodes.to_string(),
            row.milliseconds.to_string(),
            row.nodes_text(),
            brief(row.time_ratio),
            row.solved_text(&rows[0]),
        ]
    };
    table::text(columns, rows.iter().map(cells))
        + "\nnodes and ms: to the same depth, all positions together. x: times the full search's.\n\
           solved: tactical positions, and how many more or fewer than with everything.\n\
           >: a position or more was given up before the depth.\n"
}

/// The rows as CSV, without times, which differ from run to run.
///
/// # Errors
///
/// If a cell cannot be written.
pub fn as_csv(rows: &[Row]) -> Result<String> {
    let cells = |row: &Row| {
        let (nodes, times) = (row.nodes.to_string(), row.nodes_text());
        [row.without.clone(), nodes, times, row.solved_text(&rows[0])]
    };
    let heads = ["without", "nodes", "times the full search's", "solved"];
    table::csv(heads, rows.iter().map(cells))
}

/// A chart of the nodes without each technique, relative to the full search.
pub fn chart(setup: &Setup, evaluation: &Evaluation, rows: &[Row]) -> Chart {
    let bar = |row: &Row| Bar {
        label: format!("without {}", row.without),
        length: row.nodes_ratio.max(1e-3).log2(),
        interval: None,
        note: match row.tactics {
            0 => format!("{} x", row.nodes_text()),
            _ => format!(
                "{} x, solved {}",
                row.nodes_text(),
                row.solved_text(&rows[0])
            ),
        },
        tone: if row.nodes_ratio >= 1.0 {
            Tone::Plain
        } else {
            Tone::Mixed
        },
    };
    Chart {
        title: "Nodes to the same depth without each technique".to_owned(),
        subtitle: format!(
            "real search, depth {}, {evaluation}; fewer nodes do not mean more strength",
            setup.depth
        ),
        axis: "doublings of the full search's nodes (1: twice as many)".to_owned(),
        scale: Scale::Linear,
        bars: rows.iter().skip(1).map(bar).collect(),
    }
}
