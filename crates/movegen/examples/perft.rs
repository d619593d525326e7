//! Counts the positions at a depth below a position (perft): `cargo run --release --example perft -- DEPTH [FEN]`.

use std::error::Error;

use skewer_movegen::{Board, perft_divide};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let depth = args.next().map_or(Ok(5), |depth| depth.parse())?;
    let fen = args.collect::<Vec<_>>().join(" ");
    let board = if fen.is_empty() {
        Board::STARTPOS
    } else {
        fen.parse()?
    };
    let counts = perft_divide(&board, depth);
    for (mv, count) in &counts {
        println!("{}: {count}", board.uci(*mv));
    }
    println!(
        "\n{} in all",
        counts.iter().map(|(_, count)| count).sum::<u64>()
    );
    Ok(())
}
