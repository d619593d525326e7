//! `perft` and `go perft`.

use rayon::ThreadPoolBuilder;
use skewer_movegen::{Board, CastlingMode, Move, perft, perft_parallel_until};

use crate::job::{Control, LastLine};

/// Prints `move: count` for each root move; `Nodes searched: N` comes last.
pub(crate) fn run(
    board: &Board,
    depth: u32,
    threads: usize,
    castling: CastlingMode,
    control: &Control<'_>,
) -> LastLine {
    if depth == 0 {
        return nodes_searched(1);
    }
    let counts = match control.cancelled_on_threads() {
        None => count_here(board, depth, control),
        // If the system grants no more threads, count on this thread.
        Some(cancelled) => {
            let pool = ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .or_else(|_| {
                    let pool = ThreadPoolBuilder::new().num_threads(1);
                    pool.use_current_thread().build()
                });
            match pool {
                Ok(pool) => pool.install(|| perft_parallel_until(board, depth, cancelled)),
                Err(error) => return LastLine::Failure(format!("perft: {error}")),
            }
        }
    };
    let Some(counts) = counts else {
        return LastLine::Note("perft was stopped; the counts are not complete");
    };
    for &(mv, count) in &counts {
        let text = board.uci_in(mv, castling);
        control.output.line(format_args!("{text}: {count}"));
    }
    nodes_searched(counts.iter().map(|(_, count)| count).sum())
}

/// The count after each move, on this thread; `None` if it was cancelled.
fn count_here(board: &Board, depth: u32, control: &Control<'_>) -> Option<Vec<(Move, u64)>> {
    /// Trees of this depth are counted without a look at the control.
    const UNSTOPPABLE_PLIES: u32 = 4;

    fn count(board: &Board, depth: u32, control: &Control<'_>) -> Option<u64> {
        if control.is_cancelled() {
            return None;
        }
        if depth <= UNSTOPPABLE_PLIES {
            return Some(perft(board, depth));
        }
        let moves = board.legal_moves();
        let counts = moves
            .iter()
            .map(|&mv| count(&board.play(mv), depth - 1, control));
        counts.sum()
    }

    let moves = board.legal_moves();
    let counts = moves
        .iter()
        .map(|&mv| Some((mv, count(&board.play(mv), depth - 1, control)?)));
    counts.collect()
}

fn nodes_searched(total: u64) -> LastLine {
    LastLine::Result(format!("Nodes searched: {total}"))
}
