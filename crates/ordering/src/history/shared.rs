//! The histories that several search threads may share: all threads read what one thread has written.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI16, Ordering::Relaxed};

use super::{ContinuationKey, PAWN_SLOTS, PIECE_SQUARES, gravitated};

/// One score for every piece on every square.
pub(super) type Row = [AtomicI16; PIECE_SQUARES];

/// The histories of quiet moves by pawn structure and by earlier moves. A copy shares them; about 2 MB.
///
/// They are read and written without order: when two threads update the same score at once, one of the updates is
/// lost.
#[derive(Debug, Clone)]
pub struct SharedMoveHistories {
    /// By earlier piece and square.
    pub(super) continuation: Rows,
    /// By pawn structure.
    pub(super) pawn: Rows,
}

impl Default for SharedMoveHistories {
    /// Empty histories.
    fn default() -> Self {
        Self {
            continuation: Rows::new(PIECE_SQUARES + 1),
            pawn: Rows::new(PAWN_SLOTS),
        }
    }
}

impl SharedMoveHistories {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.continuation.clear();
        self.pawn.clear();
    }
}

/// Rows that remember which of them were written, because clearing all of them takes longer than a
/// search of a few nodes.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    rows: Arc<[Row]>,
    written: Arc<[AtomicBool]>,
}

impl Rows {
    fn new(len: usize) -> Self {
        let row = || std::array::from_fn(|_| AtomicI16::new(0));
        Self {
            rows: std::iter::repeat_with(row).take(len).collect(),
            written: std::iter::repeat_with(AtomicBool::default)
                .take(len)
                .collect(),
        }
    }

    #[inline]
    pub(super) fn row(&self, index: usize) -> &Row {
        &self.rows[index]
    }

    /// Updates the score of the move `played` in a row by `bonus`, within `-max..=max`.
    #[inline]
    pub(super) fn learn(&self, row: usize, played: ContinuationKey, bonus: i32, max: i32) {
        // Set the flag only once: the flags of many rows share a cache line, which all threads read.
        let written = &self.written[row];
        if !written.load(Relaxed) {
            written.store(true, Relaxed);
        }
        let entry = &self.rows[row][played.index()];
        entry.store(gravitated(entry.load(Relaxed), bonus, max), Relaxed);
    }

    fn clear(&mut self) {
        match (
            Arc::get_mut(&mut self.rows),
            Arc::get_mut(&mut self.written),
        ) {
            // Without atomic stores, which are made one by one, clearing is some ten times as fast.
            (Some(rows), Some(written)) => {
                for (row, written) in rows.iter_mut().zip(written) {
                    if std::mem::take(written.get_mut()) {
                        for score in row {
                            *score.get_mut() = 0;
                        }
                    }
                }
            }
            _ => {
                for (row, written) in self.rows.iter().zip(&*self.written) {
                    if written.swap(false, Relaxed) {
                        for score in row {
                            score.store(0, Relaxed);
                        }
                    }
                }
            }
        }
    }

    /// Whether nothing was learnt since the rows were new or cleared.
    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        let scores = self.rows.as_flattened();
        scores.iter().all(|score| score.load(Relaxed) == 0)
            && !self.written.iter().any(|written| written.load(Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Histories, MoveContext};
    use skewer_movegen::{Bitboard, Board};
    use skewer_types::Techniques;

    #[test]
    fn what_one_thread_learns_the_others_know_until_one_forgets() {
        let board = Board::STARTPOS;
        let moves = board.legal_moves();
        let context = MoveContext {
            attacked: Bitboard::EMPTY,
            continuation: [ContinuationKey::new(&board, moves[1]); 4],
            pawn_key: 5,
            ply: 9,
        };
        let shared = SharedMoveHistories::default();
        let [mut one, mut other] = [0, 1].map(|_| Histories::sharing(shared.clone()));
        let mut stranger = Histories::new();
        let own = Techniques::QUIET_HISTORY;
        let common = Techniques::PAWN_HISTORY | Techniques::CONTINUATION_HISTORY;
        let sum = |histories: &Histories, set: Techniques| {
            histories.quiet_sum(set, &board, moves[0], &context)
        };
        one.update_quiet(Techniques::all(), &board, moves[0], &context, 800);
        assert!(sum(&one, common) > 0);
        assert_eq!(sum(&other, common), sum(&one, common));
        assert_eq!(sum(&stranger, common), 0);
        assert!(sum(&one, own) > 0);
        assert_eq!(
            sum(&other, own),
            0,
            "the histories by squares alone are not shared"
        );
        // Histories are cleared in different ways with and without other owners.
        stranger.update_quiet(Techniques::all(), &board, moves[0], &context, 800);
        stranger.clear();
        other.clear();
        for histories in [&one, &other, &stranger] {
            assert_eq!(sum(histories, common), 0);
            assert!(histories.shared.continuation.is_empty() && histories.shared.pawn.is_empty());
        }
    }
}
