//! Rules of chess for a device without an operating system.
#![no_std]

use skewer_movegen::{Board, DrawRules, Termination, UciMove};

/// Plays a move that was typed on the device. `None` if it is not legal.
pub fn play(board: &Board, text: &str) -> Option<Board> {
    let typed: UciMove = text.parse().ok()?;
    Some(board.play(typed.to_move(board).ok()?))
}

/// The rule that ended the game, if the position alone says so.
pub fn ending(board: &Board) -> Option<Termination> {
    board.ending(1, DrawRules::Unclaimed)
}
