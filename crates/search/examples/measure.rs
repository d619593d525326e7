//! Measures the search without a game:
//!
//! ```text
//! cargo run --release -p skewer-search --example measure -- suite FILE.epd NODES [--without NAME]...
//! cargo run --release -p skewer-search --example measure -- suite FILE.epd --movetime MILLISECONDS
//! cargo run --release -p skewer-search --example measure -- branching FILE.epd [--without NAME]...
//! ```
//!
//! `suite` counts the positions of an EPD file whose best move (`bm`) is found within this many nodes,
//! or this time, each. `branching` prints the effective branching factor over the first twelve
//! positions, (nodes to depth 16 / nodes to depth 10)^(1/6). The evaluation is the engine's default.

mod common;

use std::time::Duration;

use common::Failure;
use skewer_eval::Evaluation;
use skewer_movegen::{Board, Move};
use skewer_search::{Limits, Position, Solo};
use skewer_tt::TableSize;

/// The first four fields of an EPD line, and the moves of its `bm` operation.
fn parse(line: &str) -> Result<(Board, Vec<Move>), Failure> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let board: Board = fields
        .get(..4)
        .ok_or("fewer than four fields")?
        .join(" ")
        .parse()?;
    let mut best = Vec::new();
    if let Some(at) = fields.iter().position(|&field| field == "bm") {
        for text in &fields[at + 1..] {
            best.push(board.parse_san(text.trim_end_matches(';'))?);
            if text.ends_with(';') {
                break;
            }
        }
    }
    Ok((board, best))
}

const USAGE: &str = "usage: suite FILE NODES, suite FILE --movetime MILLISECONDS, or branching FILE; \
     with any of them [--without NAME]...";

fn main() -> Result<(), Failure> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let techniques = common::techniques(&mut arguments)?;
    let [what, path, rest @ ..] = arguments.as_slice() else {
        return Err(USAGE.into());
    };
    let text = std::fs::read_to_string(path)?;
    let size = TableSize::from_megabytes(16);
    let mut solo = Solo::new(Evaluation::default(), size)?.with_techniques(techniques);
    let mut search = |board: Board, limits: &Limits| {
        solo.clear();
        solo.search(&Position::new(board), limits)
    };
    if what == "suite" {
        let (limits, each) = match rest {
            [flag, time] if flag == "--movetime" => {
                let time = Duration::from_millis(time.parse()?);
                (Limits::move_time(time), format!("{time:?} each"))
            }
            [nodes] => (Limits::nodes(nodes.parse()?), format!("{nodes} nodes each")),
            _ => return Err(USAGE.into()),
        };
        let (mut solved, mut all) = (0, 0);
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let (board, best) = parse(line)?;
            let outcome = search(board, &limits);
            all += 1;
            if outcome.best.is_some_and(|mv| best.contains(&mv)) {
                solved += 1;
            } else {
                println!("missed {line}");
            }
        }
        println!("{solved} of {all} solved in {each}");
    } else if what == "branching" {
        let (mut shallow, mut deep) = (0, 0);
        for line in text.lines().take(12) {
            let (board, _) = parse(line)?;
            let mut at = |depth| search(board, &Limits::depth(depth)).nodes;
            let (ten, sixteen) = (at(10), at(16));
            println!("{ten:>9} {sixteen:>10} {line}");
            shallow += ten;
            deep += sixteen;
        }
        println!(
            "branching factor {:.3} ({shallow} nodes to depth 10, {deep} to depth 16)",
            (deep as f64 / shallow as f64).powf(1.0 / 6.0)
        );
    } else {
        return Err(USAGE.into());
    }
    Ok(())
}
