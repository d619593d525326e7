//! Running the program as a user does, and games to run it on.

use std::path::Path;
use std::process::{Command, Output};

use skewer_gamedata::{Game, ScoredMove, write_game};
use skewer_movegen::{Board, Outcome};

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

/// A game of this many plies that begins with the legal move of this number, 0 to 19.
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

/// Writes a file of games of this length that White wins, one for each first move (see [`game`]).
pub(crate) fn write_games(path: &Path, first_moves: &[usize], plies: usize) {
    let mut bytes = Vec::new();
    for &first in first_moves {
        let mut game = game(first, plies);
        game.result = Outcome::WhiteWins;
        write_game(&mut bytes, &game).unwrap();
    }
    std::fs::write(path, bytes).unwrap();
}
