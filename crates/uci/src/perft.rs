//! `perft` and `go perft`.

use rayon::ThreadPoolBuilder;
use skewer_movegen::{Board, CastlingMode, perft_parallel_until};

use crate::job::{Control, LastLine};

/// Prints `move: count` for each root move; `Nodes searched: N` comes last.
pub(crate) fn run(
    board: &Board,
    depth: u32,
    threads: usize,
    castling: CastlingMode,
    control: &Control,
) -> LastLine {
    if depth == 0 {
        return nodes_searched(1);
    }
    // Where the system grants no more threads, this one counts.
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .or_else(|_| {
            let pool = ThreadPoolBuilder::new().num_threads(1);
            pool.use_current_thread().build()
        });
    let pool = match pool {
        Ok(pool) => pool,
        Err(error) => return LastLine::Failure(format!("perft: {error}")),
    };
    let counts = pool.install(|| perft_parallel_until(board, depth, || control.is_cancelled()));
    let Some(counts) = counts else {
        return LastLine::Note("perft was stopped; the counts are not complete");
    };
    for &(mv, count) in &counts {
        let text = board.uci_in(mv, castling);
        control.output.line(format_args!("{text}: {count}"));
    }
    nodes_searched(counts.iter().map(|(_, count)| count).sum())
}

fn nodes_searched(total: u64) -> LastLine {
    LastLine::Result(format!("Nodes searched: {total}"))
}
