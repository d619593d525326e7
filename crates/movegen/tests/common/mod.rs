//! Random games for tests, the same on every run.

use fastrand::Rng;
use skewer_movegen::{Board, Scharnagl};

/// The start of game `number`: standard chess, Chess960 and double Chess960 in turn.
pub(crate) fn start(number: usize, rng: &mut Rng) -> Board {
    let mut any = || Scharnagl::new(rng.u16(..960)).unwrap();
    match number % 3 {
        0 => Board::STARTPOS,
        1 => Board::chess960(any()),
        _ => Board::double_chess960(any(), any()),
    }
}

/// Plays `games` random games of at most `plies` and shows every position to `look`.
pub(crate) fn walk(seed: u64, games: usize, plies: usize, mut look: impl FnMut(&Board, &mut Rng)) {
    let mut rng = Rng::with_seed(seed);
    for number in 0..games {
        let mut board = start(number, &mut rng);
        for _ in 0..plies {
            look(&board, &mut rng);
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            board = board.play(moves[rng.usize(..moves.len())]);
        }
    }
}
