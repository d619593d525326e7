//! Correction histories: how far static evaluations were from the scores that the search then found, by parts
//! of the position. They correct the evaluation of the next position with the same parts.

use std::sync::atomic::{AtomicBool, AtomicI16, Ordering::Relaxed};

use skewer_movegen::Color;
use skewer_ordering::ContinuationKey;
use skewer_types::{Depth, Score};

use crate::params;
use crate::stack::{Part, PartKeys};

/// Entries a colour in each table.
const SLOTS: usize = 1 << 14;
/// Keys of the continuation table: every piece on every square, and none.
const KEYS: usize = ContinuationKey::NONE.index() + 1;

/// The indices of one node in the correction histories.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CorrectionIndex {
    pub(crate) turn: Color,
    pub(crate) keys: PartKeys,
    /// The last move, and the one before it.
    pub(crate) moves: [ContinuationKey; 2],
}

/// How far static evaluations were from the scores that the search then found.
///
/// About 1.5 MB. The tables are read and written without order: when two workers update the same
/// entry at once, one of the updates is lost.
#[derive(Debug)]
pub(crate) struct Corrections {
    /// By each [`Part`] of the position.
    parts: [Box<[AtomicI16]>; 5],
    /// By the last two moves, the earlier one first.
    continuation: Box<[AtomicI16]>,
    /// Which rows of the continuation table were written. Clearing all of them takes longer than a search of a
    /// few nodes.
    written: Box<[AtomicBool]>,
}

impl Default for Corrections {
    /// Empty tables.
    fn default() -> Self {
        Self {
            parts: std::array::from_fn(|_| table(2 * SLOTS)),
            continuation: table(KEYS * KEYS),
            written: std::iter::repeat_with(AtomicBool::default)
                .take(KEYS)
                .collect(),
        }
    }
}

fn table(len: usize) -> Box<[AtomicI16]> {
    std::iter::repeat_with(AtomicI16::default)
        .take(len)
        .collect()
}

impl Corrections {
    /// [`clear`](Self::clear) for tables that no other worker shares: without atomic stores, which
    /// are made one by one, clearing is some ten times as fast.
    pub(crate) fn reset(&mut self) {
        let rows = self.continuation.chunks_exact_mut(KEYS);
        let written = rows
            .zip(&mut self.written)
            .filter_map(|(row, written)| std::mem::take(written.get_mut()).then_some(row));
        for table in self.parts.iter_mut().map(AsMut::as_mut).chain(written) {
            for entry in table {
                *entry.get_mut() = 0;
            }
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        let rows = self.continuation.chunks_exact(KEYS);
        let written = rows
            .zip(&self.written)
            .filter_map(|(row, written)| written.swap(false, Relaxed).then_some(row));
        for entry in self
            .parts
            .iter()
            .map(AsRef::as_ref)
            .chain(written)
            .flatten()
        {
            entry.store(0, Relaxed);
        }
    }

    /// The index of each part's entry in the part's table.
    #[inline]
    fn slots(index: &CorrectionIndex) -> [usize; 5] {
        Part::ALL.map(|part| index.turn.index() * SLOTS + usize::from(index.keys.key(part)) % SLOTS)
    }

    #[inline]
    fn continuation_slot(index: &CorrectionIndex) -> usize {
        index.moves[1].index() * KEYS + index.moves[0].index()
    }

    /// What to add to the static evaluation, in score units.
    #[inline]
    pub(crate) fn get(&self, index: &CorrectionIndex) -> i32 {
        let weights = [
            params::correction_pawn(),
            params::correction_minor(),
            params::correction_major(),
            params::correction_non_pawn(),
            params::correction_non_pawn(),
        ];
        let slots = Self::slots(index);
        let mut sum = params::correction_continuation()
            * i32::from(self.continuation[Self::continuation_slot(index)].load(Relaxed));
        for ((part, slot), weight) in self.parts.iter().zip(slots).zip(weights) {
            sum += weight * i32::from(part[slot].load(Relaxed));
        }
        sum / 1024
    }

    /// Learns that a search of this `depth` found `found` where the evaluation was `evaluated`.
    #[inline]
    pub(crate) fn update(
        &self,
        index: &CorrectionIndex,
        found: Score,
        evaluated: Score,
        depth: Depth,
    ) {
        let max = params::correction_max();
        let bonus =
            ((found - evaluated) * depth / params::correction_slope()).clamp(-max / 4, max / 4);
        let step = |entry: &AtomicI16| {
            let old = i32::from(entry.load(Relaxed));
            entry.store((old + bonus - old * bonus.abs() / max) as i16, Relaxed);
        };
        for (part, slot) in self.parts.iter().zip(Self::slots(index)) {
            step(&part[slot]);
        }
        // Skip the continuation table unless both moves exist.
        if index.moves.iter().all(|&mv| mv != ContinuationKey::NONE) {
            // Set the flag only once: the flags of many rows share a cache line, which all workers read.
            let written = &self.written[index.moves[1].index()];
            if !written.load(Relaxed) {
                written.store(true, Relaxed);
            }
            step(&self.continuation[Self::continuation_slot(index)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn clearing_forgets_all_that_was_learnt() {
        let board: skewer_movegen::Board = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().unwrap();
        let index = CorrectionIndex {
            turn: Color::White,
            keys: PartKeys::of(&board),
            moves: [0, 1].map(|n| ContinuationKey::new(&board, board.legal_moves()[n])),
        };
        let mut corrections = Corrections::default();
        let clear: [fn(&mut Corrections); 2] = [Corrections::reset, |all| all.clear()];
        for clear in clear {
            corrections.update(&index, Score::ZERO + 200, Score::ZERO, 8);
            assert!(
                corrections.continuation[Corrections::continuation_slot(&index)].load(Relaxed) > 0
            );
            clear(&mut corrections);
            let tables = corrections.parts.iter().chain([&corrections.continuation]);
            assert!(tables.flatten().all(|entry| entry.load(Relaxed) == 0));
        }
    }

    #[test]
    fn what_one_learns_the_others_know_until_one_forgets() {
        let index = CorrectionIndex {
            turn: Color::White,
            keys: PartKeys::default(),
            moves: [ContinuationKey::NONE; 2],
        };
        let (one, stranger) = (Arc::new(Corrections::default()), Corrections::default());
        let other = Arc::clone(&one);
        let better = Score::ZERO + 200;
        for _ in 0..20 {
            one.update(&index, better, Score::ZERO, 8);
        }
        let learnt = one.get(&index);
        assert!(learnt > 0, "{learnt}");
        assert_eq!(other.get(&index), learnt);
        assert_eq!(stranger.get(&index), 0);
        other.clear();
        assert_eq!(one.get(&index), 0);
    }
}
