//! Counting the leaves of the move tree, shared among threads, and stoppable.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::Builder;

use skewer_movegen::{Board, CastlingMode, perft};
use skewer_smp::Move;

use crate::chores::LastLine;
use crate::output::Output;

/// Trees of so many plies are counted in one go, within a fraction of a second; deeper ones are
/// looked after, so that they can be stopped.
const UNWATCHED_PLIES: u32 = 4;

/// The leaves of the tree below `board`, or fewer if the count was cancelled.
fn count(board: &Board, depth: u32, cancelled: &AtomicBool) -> u64 {
    if cancelled.load(Ordering::Relaxed) {
        return 0;
    }
    if depth <= UNWATCHED_PLIES {
        return perft(board, depth);
    }
    board
        .legal_moves()
        .iter()
        .map(|&mv| count(&board.play(mv), depth - 1, cancelled))
        .sum()
}

/// Prints `move: count` for each root move; `Nodes searched: N` comes last.
pub(crate) fn run(
    board: &Board,
    depth: u32,
    threads: usize,
    castling: CastlingMode,
    output: &Output,
    cancelled: &AtomicBool,
) -> LastLine {
    let Some(below) = depth.checked_sub(1) else {
        return nodes_searched(1);
    };
    let roots: Vec<Move> = board.legal_moves().iter().copied().collect();
    let counts: Vec<AtomicU64> = roots.iter().map(|_| AtomicU64::new(0)).collect();
    let next = AtomicUsize::new(0);
    // The replies to the root moves are pieces of work small enough to share out.
    let pieces: Vec<(usize, Board)> = roots
        .iter()
        .enumerate()
        .flat_map(|(root, &mv)| {
            let after = board.play(mv);
            let replies: Vec<Board> = if below == 0 {
                vec![after]
            } else {
                after
                    .legal_moves()
                    .iter()
                    .map(|&mv| after.play(mv))
                    .collect()
            };
            replies.into_iter().map(move |board| (root, board))
        })
        .collect();
    let work = || {
        while let Some((root, board)) = pieces.get(next.fetch_add(1, Ordering::Relaxed)) {
            if cancelled.load(Ordering::Relaxed) {
                return;
            }
            let count = count(board, below.saturating_sub(1), cancelled);
            counts[*root].fetch_add(count, Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        // This thread works too, so that the count is made even where the system gives no others.
        for _ in 1..threads.min(pieces.len()) {
            if Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    if cancelled.load(Ordering::Relaxed) {
        return LastLine::Note("perft was stopped; the counts are not complete");
    }
    let mut total = 0;
    for (&mv, count) in roots.iter().zip(&counts) {
        let count = count.load(Ordering::Relaxed);
        total += count;
        output.line(format_args!("{}: {count}", board.uci_in(mv, castling)));
    }
    nodes_searched(total)
}

fn nodes_searched(total: u64) -> LastLine {
    LastLine::Result(format!("Nodes searched: {total}"))
}
