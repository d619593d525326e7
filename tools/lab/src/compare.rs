//! Runs all algorithms on one game and compares their counters.

use anyhow::{Context as _, Result, ensure};
use clap::{Args, ValueEnum};
use serde::Serialize;
use skewer_movegen::Board;
use strum::IntoEnumIterator as _;

use crate::algorithms::{Algorithm, solve};
use crate::chess::game::Chess;
use crate::chess::positions;
use crate::game::{Game, Tally, Value};
use crate::games::rows::Rows;
use crate::games::tree::{Order, Tree, Values};
use crate::table;
use skewer_svg::chart::{Bar, Chart, Scale, Tone};

/// The games to compare on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Arena {
    /// A uniform tree with random leaves.
    Tree,
    /// A uniform tree with the best move first everywhere.
    Perfect,
    /// A uniform tree with the best move last everywhere.
    Worst,
    /// A uniform tree in which each move has a value, and moves are sorted by it.
    Incremental,
    /// Noughts and crosses, four in a row on 4x4.
    Rows4,
    /// Noughts and crosses, four in a row on 5x5.
    Rows5,
    /// Chess with quiescence.
    Chess,
}

/// A game and a depth to compare the algorithms on.
#[derive(Debug, Clone, Args)]
pub struct Trial {
    /// What to search.
    #[arg(value_enum, default_value = "tree", value_name = "GAME")]
    pub arena: Arena,
    /// How deep, in plies.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=12))]
    pub depth: u32,
    /// Moves of every node, for artificial trees.
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub branching: u16,
    /// The seed of an artificial tree: each number gives another one.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The chess position [default: a position of the lab].
    #[arg(long)]
    pub fen: Option<String>,
}

/// One algorithm's counters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Its name.
    pub algorithm: &'static str,
    /// The root's value.
    pub value: Value,
    /// The counters.
    #[serde(flatten)]
    pub tally: Tally,
}

/// The most leaves of minimax. More would take minutes.
const MOST_LEAVES: f64 = 2e7;

impl Trial {
    /// The game and the depth, for headings.
    pub fn in_words(&self) -> String {
        let (branching, depth) = (self.branching, self.depth);
        match self.arena {
            Arena::Tree => format!(
                "random tree {}, {branching} moves, depth {depth}",
                self.seed
            ),
            Arena::Perfect => format!("tree in perfect order, {branching} moves, depth {depth}"),
            Arena::Worst => format!("tree in the worst order, {branching} moves, depth {depth}"),
            Arena::Incremental => format!("well ordered tree, {branching} moves, depth {depth}"),
            Arena::Rows4 => format!("four in a row on 4x4, depth {depth}"),
            Arena::Rows5 => format!("four in a row on 5x5, depth {depth}"),
            Arena::Chess => format!("chess, depth {depth}"),
        }
    }

    /// Runs all algorithms.
    ///
    /// # Errors
    ///
    /// If there is no such position, or the game is too large for minimax.
    pub fn run(&self) -> Result<Vec<Row>> {
        let moves = match self.arena {
            Arena::Rows4 => 16.0,
            Arena::Rows5 => 25.0,
            Arena::Chess => 40.0,
            _ => f64::from(self.branching),
        };
        let leaves = f64::powi(moves, self.depth as i32);
        ensure!(
            leaves <= MOST_LEAVES,
            "minimax would visit about {leaves:.0e} leaves; give a smaller depth"
        );
        let seed = self.seed;
        let order = Order::Sorted;
        Ok(match self.arena {
            Arena::Tree => self.tree(Values::Random { seed, range: 1000 }),
            Arena::Perfect => self.tree(Values::PerfectOrder),
            Arena::Worst => self.tree(Values::WorstOrder),
            Arena::Incremental => self.tree(Values::Incremental {
                seed,
                step: 100,
                order,
            }),
            Arena::Rows4 => self.rows(&Rows::new(4, 4, 4)),
            Arena::Rows5 => self.rows(&Rows::new(5, 5, 4)),
            Arena::Chess => {
                let board = match &self.fen {
                    Some(fen) => Board::from_fen(fen).context("no such position")?,
                    None => *positions::openings()[0].board(),
                };
                self.rows(&Chess::new(board))
            }
        })
    }

    fn tree(&self, values: Values) -> Vec<Row> {
        self.rows(&Tree::new(self.branching, self.depth, values))
    }

    fn rows(&self, game: &impl Game) -> Vec<Row> {
        Algorithm::iter()
            .map(|algorithm| {
                let mut laboratory = algorithm.laboratory();
                let value = solve(algorithm, game, self.depth, &mut laboratory);
                Row {
                    algorithm: algorithm.name(),
                    value,
                    tally: laboratory.tally,
                }
            })
            .collect()
    }
}

const HEADS: [(&str, usize); 9] = [
    ("algorithm", 20),
    ("value", 11),
    ("interior", 11),
    ("leaves", 11),
    ("distinct", 11),
    ("quiescence", 11),
    ("passes", 11),
    ("again", 11),
    ("stored", 11),
];

impl Row {
    fn cells(&self) -> [String; 9] {
        let tally = &self.tally;
        [
            self.algorithm.to_owned(),
            self.value.to_string(),
            tally.interior.to_string(),
            tally.leaves.to_string(),
            tally.distinct_leaves.to_string(),
            tally.quiescence.to_string(),
            tally.passes.to_string(),
            tally.researches.to_string(),
            tally.stored.to_string(),
        ]
    }
}

/// The rows as a table for a terminal.
pub fn as_text(rows: &[Row]) -> String {
    table::text(HEADS, rows.iter().map(Row::cells))
        + "\nvalue: of the root. distinct: leaves, each counted once. again: moves searched a second\n\
           time. stored: most entries in the table, or in the OPEN list of SSS*.\n"
}

/// The rows as CSV.
///
/// # Errors
///
/// If a cell cannot be written.
pub fn as_csv(rows: &[Row]) -> Result<String> {
    table::csv(HEADS.map(|head| head.0), rows.iter().map(Row::cells))
}

/// The leaves of each algorithm as a chart.
pub fn chart(trial: &Trial, rows: &[Row]) -> Chart {
    let bar = |row: &Row| Bar {
        label: row.algorithm.to_owned(),
        length: row.tally.leaves as f64,
        interval: None,
        note: row.tally.leaves.to_string(),
        tone: Tone::Plain,
    };
    Chart {
        title: format!("Leaves evaluated: {}", trial.in_words()),
        subtitle: "every algorithm with the least memory it needs, and no transpositions"
            .to_owned(),
        axis: "leaves evaluated, logarithmic".to_owned(),
        scale: Scale::Logarithmic,
        bars: rows.iter().map(bar).collect(),
    }
}
