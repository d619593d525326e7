//! Prints the lines of a search:
//!
//! ```text
//! cargo run --release -p skewer-search --example fen -- NODES FEN... [--without NAME]...
//! ```

mod common;

use common::Failure;
use skewer_eval::HandWritten;
use skewer_movegen::Board;
use skewer_search::{Context, Counters, Limits, Position, SearchControl, Worker};
use skewer_tt::{Table, TableSize};

fn main() -> Result<(), Failure> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let techniques = common::techniques(&mut arguments)?;
    let [nodes, fens @ ..] = arguments.as_slice() else {
        return Err("usage: NODES FEN... [--without NAME]...".into());
    };
    let nodes = nodes.parse()?;
    for fen in fens {
        let board: Board = fen.parse()?;
        println!("{board}");
        let table = Table::new(TableSize::from_megabytes(16))?;
        let control = SearchControl::new(Limits::nodes(nodes));
        let counters = Counters::default();
        let context = Context {
            techniques,
            ..Context::solo(&table, &control, &counters)
        };
        Worker::new(0, HandWritten::default()).search(
            &Position::new(board),
            &context,
            &mut |report| {
                println!(
                    "{:>3}/{:<3} {} {} nodes  {}",
                    report.depth,
                    report.seldepth,
                    report.score,
                    report.nodes,
                    board.uci_line(&report.pv)
                );
            },
        );
    }
    Ok(())
}
