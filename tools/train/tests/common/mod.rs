//! Running the program as a user does, and games to run it on.

use std::path::Path;
use std::process::{Command, Output};

use skewer_gamedata::{Game, ScoredMove};
use skewer_movegen::Board;

pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_skewer-train"))
        .current_dir(folder)
        .args(arguments)
        .output()
        .unwrap()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A game of this many plies that begins with one of the twenty moves.
pub(crate) fn game(first: usize, plies: usize) -> Game {
    let mut game = Game::new(Board::STARTPOS);
    let mut board = game.start;
    for ply in 0..plies {
        let moves = board.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[if ply == 0 { first } else { moves.len() / 2 }];
        game.moves.push(ScoredMove { mv, score: 10 });
        board = board.play(mv);
    }
    game
}
