//! Finds puzzles: positions (a FEN on each line of the input) in which one move alone wins.

use std::io;

use skewer::{Board, Engine, Limits, Options};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut engine = Engine::new(Options::default())?;
    for fen in io::stdin().lines() {
        let board: Board = fen?.parse()?;
        let lines = engine.analyse(board, Limits { multi_pv: 2, ..Limits::nodes(20_000) });
        let chances: Vec<u32> = lines.iter().map(|line| engine.win_curve(&board).chances(line.score).win).collect();
        if let [win, other] = chances[..]
            && win > 900
            && other < 300
        {
            println!("{board};{}", board.san(lines[0].pv[0]));
        }
    }
    Ok(())
}
