//! Counts the leaves of the move tree by a plain loop over moves: `perft DEPTH [FEN]`.

use skewer::Board;

fn count(board: &Board, depth: u32) -> u64 {
    let moves = board.moves();
    match depth {
        0 => 1,
        1 => moves.len() as u64,
        _ => moves.into_iter().map(|mv| count(&board.play(mv), depth - 1)).sum(),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let depth: u32 = arguments.next().ok_or("usage: perft DEPTH [FEN]")?.parse()?;
    let fen = arguments.collect::<Vec<_>>().join(" ");
    let board = if fen.is_empty() { Board::STARTPOS } else { fen.parse()? };
    for mv in board.moves() {
        println!("{}: {}", board.uci(mv), count(&board.play(mv), depth.saturating_sub(1)));
    }
    println!("{}", count(&board, depth));
    Ok(())
}
