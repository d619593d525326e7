//! Ablation: the real search without each of its techniques, over a fixed set of positions.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde::Serialize;
use skewer_eval::Evaluation;
use skewer_movegen::Board;
use skewer_search::{Limits, Outcome, Position, Solo};
use skewer_tt::TableSize;
use skewer_types::{Depth, Techniques};

use super::names;
use super::tactics::Tactic;
use crate::chess::positions;
use crate::figure::brief;
use skewer_common::chart::{Bar, Chart, Scale, Tone};
use skewer_common::progress::Progress;
use skewer_common::workers;

/// What to measure, and how much of it.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The techniques to leave out, one at a time.
    pub techniques: Vec<Techniques>,
    /// How deep the fixed positions are searched, in plies.
    pub depth: Depth,
    /// Nodes after which the search of a position is given up. The row has the number of these.
    pub most_nodes: u64,
    /// The tactical positions, if there are any.
    pub tactics: Vec<Tactic>,
    /// Nodes for each tactical position.
    pub tactic_nodes: u64,
    /// The size of the hash table, in megabytes.
    pub hash_mb: usize,
    /// Searches at the same time. With more than one, times are less reliable.
    pub jobs: usize,
    /// The evaluation.
    pub evaluation: Evaluation,
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
    /// Nodes against the full search's.
    pub nodes_ratio: f64,
    /// Time against the full search's.
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
/// loaded.
pub fn run(setup: &Setup) -> Result<Vec<Row>> {
    let mut variants = vec![Techniques::empty()];
    variants.extend(&setup.techniques);
    let progress = Progress::new(Some(variants.len() as u64));
    let mut rows = workers::map(&variants, setup.jobs, |&changed| {
        progress.set_message(row_name(changed));
        let row = measure(setup, changed);
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
fn measure(setup: &Setup, changed: Techniques) -> Result<Row> {
    let techniques = Techniques::DEFAULT ^ changed;
    let size = TableSize::from_megabytes(setup.hash_mb);
    let mut solo = Solo::new(&setup.evaluation, size)?.with_techniques(techniques);
    let mut think = |board: Board, limits: &Limits| -> Outcome {
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
    let solved = setup
        .tactics
        .iter()
        .filter(|tactic| tactic.is_solved_by(think(tactic.board, &limits).best));
    Ok(Row {
        without: row_name(changed),
        nodes,
        milliseconds: time.as_millis() as u64,
        nodes_ratio: 1.0,
        time_ratio: 1.0,
        given_up,
        solved: solved.count(),
        tactics: setup.tactics.len(),
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
    let mut text = format!(
        "{:<28}{:>12}{:>10}{:>10}{:>10}{:>14}\n",
        "without", "nodes", "ms", "nodes x", "time x", "solved"
    );
    for row in rows {
        let _ = writeln!(
            text,
            "{:<28}{:>12}{:>10}{:>10}{:>10}{:>14}",
            row.without,
            row.nodes,
            row.milliseconds,
            row.nodes_text(),
            brief(row.time_ratio),
            row.solved_text(&rows[0])
        );
    }
    text.push_str(
        "\nnodes and ms: to the same depth, all positions together. x: times the full search's.\n\
         solved: tactical positions, and how many more or fewer than with everything.\n\
         >: a position or more was given up before the depth.\n",
    );
    text
}

/// The rows as a Markdown table; times are left out, since they differ from run to run.
pub fn as_markdown(rows: &[Row]) -> String {
    let mut text = String::from(
        "| without | nodes | times the full search's | solved |\n|---|---:|---:|---:|\n",
    );
    for row in rows {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} |",
            row.without,
            row.nodes,
            row.nodes_text(),
            row.solved_text(&rows[0])
        );
    }
    text
}

/// A chart of the nodes without each technique, relative to the full search.
pub fn chart(setup: &Setup, rows: &[Row]) -> Chart {
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
            "real search, depth {}, {}; fewer nodes do not mean more strength",
            setup.depth, setup.evaluation
        ),
        axis: "doublings of the full search's nodes (1: twice as many)".to_owned(),
        scale: Scale::Linear,
        bars: rows.iter().skip(1).map(bar).collect(),
    }
}
