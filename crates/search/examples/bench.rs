//! Runs the bench: `cargo run --release -p skewer-search --example bench -- [DEPTH] [TECHNIQUE...]`
//! with the named techniques switched off.

use skewer_eval::Evaluation;
use skewer_search::bench::{BenchSetup, run};
use skewer_types::Techniques;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut setup = BenchSetup::default();
    if let Some(depth) = arguments.next() {
        setup.depth = depth.parse()?;
    }
    for name in arguments {
        setup.techniques -= Techniques::from_name_kebab(&name)?;
    }
    let result = run(Evaluation::hand_crafted(), setup, &mut |fen, nodes| {
        println!("{nodes:>10} {fen}");
    })?;
    println!("{} nodes {} nps", result.nodes, result.nodes_per_second());
    Ok(())
}
