//! Perft: counting the sequences of legal moves of a given length, to check and time a generator.
//!
//! It runs on boards without keys, checkers, pins and counters, which it does not need.

#[cfg(feature = "alloc")]
use crate::Move;
use crate::side::{Black, Side, White};
use crate::{Board, Color, LeanBoard};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// The number of sequences of `depth` legal moves. The moves of the last ply are counted, not
/// made.
///
/// ```
/// use skewer_movegen::{perft, Board};
/// assert_eq!(perft(&Board::STARTPOS, 4), 197_281);
/// ```
pub fn perft(board: &Board, depth: u32) -> u64 {
    let lean = LeanBoard::from(board);
    match board.turn() {
        Color::White => leaves::<White>(&lean, depth),
        Color::Black => leaves::<Black>(&lean, depth),
    }
}

fn leaves<S: Side>(board: &LeanBoard, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(board.count::<S>()),
        _ => {
            let mut nodes = 0;
            board.for_each_child::<S>(|next| nodes += leaves::<S::Opponent>(next, depth - 1));
            nodes
        }
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

/// [`perft_divide`] on rayon's threads.
#[cfg(feature = "parallel")]
pub fn perft_parallel(board: &Board, depth: u32) -> Vec<(Move, u64)> {
    perft_parallel_until(board, depth, || false).unwrap_or_default()
}

/// [`perft_parallel`] that can be stopped: `None` once `stop` returns `true`. Each thread calls `stop` every few
/// milliseconds of work.
#[cfg(feature = "parallel")]
pub fn perft_parallel_until(
    board: &Board,
    depth: u32,
    stop: impl Fn() -> bool + Sync,
) -> Option<Vec<(Move, u64)>> {
    use rayon::prelude::*;

    /// Trees of this depth are counted without looking at `stop`.
    const UNSTOPPABLE_PLIES: u32 = 4;

    fn count(board: &Board, depth: u32, stop: &(impl Fn() -> bool + Sync)) -> Option<u64> {
        if stop() {
            return None;
        }
        if depth <= UNSTOPPABLE_PLIES {
            return Some(perft(board, depth));
        }
        let moves = board.legal_moves();
        let counts = moves
            .par_iter()
            .map(|&mv| count(&board.play(mv), depth - 1, stop));
        counts.sum()
    }

    let Some(rest) = depth.checked_sub(1) else {
        return Some(Vec::new());
    };
    let moves = board.legal_moves();
    let counts = moves
        .par_iter()
        .map(|&mv| Some((mv, count(&board.play(mv), rest, &stop)?)));
    counts.collect()
}
