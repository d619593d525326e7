//! Correction histories: how far the evaluation was from what the search then found, by parts of
//! the position, so that the next evaluation of a like position comes closer.

use skewer_movegen::Color;
use skewer_ordering::ContinuationKey;
use skewer_types::{Depth, Score};

use crate::params;
use crate::stack::PartKeys;

/// Entries a colour in each table.
const SLOTS: usize = 1 << 14;
/// Keys of the continuation table: every piece on every square, and none.
const KEYS: usize = 769;

/// What the correction of one node is indexed by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CorrectionIndex {
    pub(crate) turn: Color,
    pub(crate) keys: PartKeys,
    /// The last move, and the one before it.
    pub(crate) moves: [ContinuationKey; 2],
}

/// One thread's correction histories.
#[derive(Debug)]
pub(crate) struct Corrections {
    /// By pawns, minor pieces, major pieces, White's pieces, Black's pieces.
    parts: [Box<[i16]>; 5],
    continuation: Box<[i16]>,
}

impl Corrections {
    pub(crate) fn new() -> Self {
        Self {
            parts: std::array::from_fn(|_| vec![0; 2 * SLOTS].into_boxed_slice()),
            continuation: vec![0; KEYS * KEYS].into_boxed_slice(),
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        for part in &mut self.parts {
            part.fill(0);
        }
        self.continuation.fill(0);
    }

    /// Where each part of the position has its entry.
    #[inline]
    fn slots(index: &CorrectionIndex) -> [usize; 5] {
        let keys = &index.keys;
        [
            keys.pawn,
            keys.minor,
            keys.major,
            keys.non_pawn[0],
            keys.non_pawn[1],
        ]
        .map(|key| index.turn.index() * SLOTS + key as usize % SLOTS)
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
            * i32::from(self.continuation[Self::continuation_slot(index)]);
        for ((part, slot), weight) in self.parts.iter().zip(slots).zip(weights) {
            sum += weight * i32::from(part[slot]);
        }
        sum / 1024
    }

    /// Learns that a search of this `depth` found `found` where the evaluation was `evaluated`.
    #[inline]
    pub(crate) fn update(
        &mut self,
        index: &CorrectionIndex,
        found: Score,
        evaluated: Score,
        depth: Depth,
    ) {
        let max = params::correction_max();
        let bonus =
            ((found - evaluated) * depth / params::correction_slope()).clamp(-max / 4, max / 4);
        let step = |entry: &mut i16| {
            let old = i32::from(*entry);
            *entry = (old + bonus - old * bonus.abs() / max) as i16;
        };
        for (part, slot) in self.parts.iter_mut().zip(Self::slots(index)) {
            step(&mut part[slot]);
        }
        // The table of a pair that is not there stays empty.
        if index.moves.iter().all(|&mv| mv != ContinuationKey::NONE) {
            step(&mut self.continuation[Self::continuation_slot(index)]);
        }
    }
}
