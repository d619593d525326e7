//! Perft: how many sequences of legal moves of a length there are. The number checks a generator
//! and times it.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::Board;
#[cfg(feature = "alloc")]
use crate::Move;

/// How many sequences of `depth` legal moves there are. The moves of the last ply are counted
/// and not made.
///
/// ```
/// use skewer_movegen::{perft, Board};
/// assert_eq!(perft(&Board::STARTPOS, 4), 197_281);
/// ```
pub fn perft(board: &Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => board.count_legal_moves() as u64,
        _ => board
            .legal_moves()
            .iter()
            .map(|mv| perft(&board.play(*mv), depth - 1))
            .sum(),
    }
}

/// The perft of `depth` by root move, in the order of [`Board::legal_moves`]; empty for depth 0.
#[cfg(feature = "alloc")]
pub fn perft_divide(board: &Board, depth: u32) -> Vec<(Move, u64)> {
    let Some(rest) = depth.checked_sub(1) else {
        return Vec::new();
    };
    board
        .legal_moves()
        .iter()
        .map(|mv| (*mv, perft(&board.play(*mv), rest)))
        .collect()
}

/// [`perft_divide`] with the root moves shared among rayon's threads.
#[cfg(feature = "parallel")]
pub fn perft_parallel(board: &Board, depth: u32) -> Vec<(Move, u64)> {
    use rayon::prelude::*;

    let Some(rest) = depth.checked_sub(1) else {
        return Vec::new();
    };
    let moves = board.legal_moves();
    moves
        .par_iter()
        .map(|mv| (*mv, perft(&board.play(*mv), rest)))
        .collect()
}
