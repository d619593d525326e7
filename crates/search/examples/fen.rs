//! Prints the lines of a search: `... --example fen -- NODES FEN [--without NAME]...`

use skewer_eval::HandCrafted;
use skewer_movegen::Board;
use skewer_search::{Context, Counters, Limits, Position, Signals, Worker};
use skewer_tt::{Table, TableSize};
use skewer_types::Techniques;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut techniques = Techniques::DEFAULT;
    while let Some(at) = arguments
        .iter()
        .position(|argument| argument == "--without")
    {
        techniques -= Techniques::from_name_kebab(arguments.get(at + 1).ok_or("which one?")?)?;
        arguments.drain(at..at + 2);
    }
    let nodes = arguments.first().ok_or("how many nodes?")?.parse()?;
    for fen in &arguments[1..] {
        let board: Board = fen.parse()?;
        println!("{board}");
        let table = Table::new(TableSize::from_megabytes(16))?;
        let signals = Signals::new();
        let counters = Counters::default();
        let context = Context {
            techniques,
            ..Context::solo(&table, &signals, &counters)
        };
        Worker::new(0, HandCrafted::default()).search(
            &Position::new(board),
            &Limits::nodes(nodes),
            &context,
            &mut |report| {
                let line: Vec<String> = report.pv.iter().map(ToString::to_string).collect();
                println!(
                    "{:>3}/{:<3} {:?} {} nodes  {}",
                    report.depth,
                    report.seldepth,
                    report.score,
                    report.nodes,
                    line.join(" ")
                );
            },
        );
    }
    Ok(())
}
