//! Searches with an evaluation of its own, which counts material only.

use skewer::{Board, Engine, Evaluator, Limits, Options, Piece, Score, WinCurve, WorkerFactory};

struct Material;

const VALUES: [i32; 6] = [100, 300, 320, 500, 900, 0];

impl Evaluator for Material {
    fn evaluate(&mut self, board: &Board) -> Score {
        let of = |color| -> i32 {
            let count = |piece| board.colored(color, piece).count() as i32;
            Piece::ALL.iter().map(|&piece| VALUES[piece as usize] * count(piece)).sum()
        };
        Score::new(of(board.turn()) - of(!board.turn()))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A pawn of this evaluation has 100 units.
    let curve = WinCurve::new(100.0, 80.0).ok_or("out of range")?;
    let workers = WorkerFactory::new(|| Material).with_win_model(curve);
    let mut engine = Engine::with_evaluation(Options::default(), workers)?;
    let board: Board = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4".parse()?;
    for line in engine.analyse(board, Limits::depth(6)) {
        println!("{} {}", engine.win_curve(&board).uci(line.score), board.uci_line(&line.pv));
    }
    Ok(())
}
