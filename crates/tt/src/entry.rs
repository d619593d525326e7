//! An entry of the table, as the search sees it and packed into 64 bits.
//!
//! The place of an entry and its replacement are in `cluster`.

use skewer_movegen::Move;
use skewer_types::{Bound, Depth, Score};

/// The least depth that an entry can hold, in plies; lower depths are stored as this one.
pub const MIN_ENTRY_DEPTH: Depth = -7;
/// The greatest depth that an entry can hold, in plies; higher depths are stored as this one.
pub const MAX_ENTRY_DEPTH: Depth = 247;

/// Added to a depth before it is stored, so that no entry's depth byte is zero.
const DEPTH_OFFSET: Depth = 8;

/// The entry of a chess position.
///
/// Scores are relative to the node, not to the root: convert with
/// [`Score::relative_to_node`] before storing and [`Score::relative_to_root`] after probing.
///
/// An entry read from the table may belong to another position with the same 16-bit check, or consist of
/// parts of two writes that pass the check. So any field may be wrong: check that the move is legal before
/// playing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The best move known. When a new entry has none, the table keeps the old one.
    pub mv: Option<Move>,
    /// The result of the search, relative to the node; valid only with a [`bound`](Self::bound).
    pub score: Score,
    /// The static evaluation, if it is known.
    pub eval: Option<Score>,
    /// The depth to which the position was searched, in plies
    /// ([`MIN_ENTRY_DEPTH`]..=[`MAX_ENTRY_DEPTH`]; others are clamped to that range).
    pub depth: Depth,
    /// How the score bounds the true value; `None` if only the move and the evaluation are stored.
    pub bound: Option<Bound>,
    /// Whether the position was once part of a principal variation.
    pub was_pv: bool,
}

/// An entry as plain numbers, for searches of other games than chess and for tools.
///
/// Replacement depends on `depth`, on `was_pv`, on whether `mv` is 0 (no move), and on whether `bound` is 3 (an exact
/// result, which always replaces an entry of the same key). The table interprets nothing else.
///
/// ```
/// use skewer_tt::{RawEntry, Table, TableSize};
///
/// let table = Table::new(TableSize::from_megabytes(1))?;
/// let entry = RawEntry { mv: 7, score: -3, eval: 0, depth: 12, bound: 3, was_pv: false };
/// table.store_raw(0x1234_5678_9abc_def0, entry);
/// assert_eq!(table.probe_raw(0x1234_5678_9abc_def0), Some(entry));
/// # Ok::<(), skewer_tt::TableError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RawEntry {
    /// The best move in the caller's own encoding; 0 for none.
    pub mv: u16,
    /// The result of the search.
    pub score: i16,
    /// A static evaluation, or anything else that fits.
    pub eval: i16,
    /// The depth of the search, in plies ([`MIN_ENTRY_DEPTH`]..=[`MAX_ENTRY_DEPTH`]; others are
    /// clamped to that range). Replacement depends on it.
    pub depth: Depth,
    /// Two bits of the caller's, 0..=3 (higher bits are dropped): for chess 0 or a [`Bound`]. 3 must mean an
    /// exact result.
    pub bound: u8,
    /// One more bit: for chess, whether the position was once part of a principal variation. An
    /// entry with it is a little harder to replace by a shallower one.
    pub was_pv: bool,
}

impl RawEntry {
    /// `eval` of a chess entry without one.
    const NO_EVAL: i16 = i16::MIN;
}

impl From<Entry> for RawEntry {
    #[inline]
    fn from(entry: Entry) -> Self {
        Self {
            mv: entry.mv.map_or(0, Move::bits),
            // Every score fits: `Score::INFINITE` is below `i16::MAX`.
            score: entry.score.raw() as i16,
            eval: entry.eval.map_or(Self::NO_EVAL, |eval| eval.raw() as i16),
            depth: entry.depth,
            bound: entry.bound.map_or(0, |bound| bound as u8),
            was_pv: entry.was_pv,
        }
    }
}

impl From<RawEntry> for Entry {
    #[inline]
    fn from(raw: RawEntry) -> Self {
        Self {
            mv: Move::from_bits(raw.mv),
            score: Score::from_raw(raw.score.into()),
            eval: (raw.eval != RawEntry::NO_EVAL).then(|| Score::new(raw.eval.into())),
            depth: raw.depth,
            bound: Bound::from_bits(raw.bound & 3),
            was_pv: raw.was_pv,
        }
    }
}

/// The number of the search that an entry was written in, modulo [`Age::CYCLE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Age(u8);

impl Age {
    /// The number of different ages.
    pub(crate) const CYCLE: u8 = 32;

    #[inline]
    pub(crate) const fn new(count: u8) -> Self {
        Self(count % Self::CYCLE)
    }

    #[inline]
    pub(crate) const fn get(self) -> u8 {
        self.0
    }

    /// How many searches ago `then` was, 0..32.
    #[inline]
    pub(crate) const fn since(self, then: Self) -> i32 {
        (self.0.wrapping_sub(then.0) % Self::CYCLE) as i32
    }
}

/// The 64 bits of an entry: from the lowest, move 16, score 16, eval 16, depth 8, bound 2, pv 1,
/// age 5. All zero is an empty slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Payload(pub(crate) u64);

impl Payload {
    const SCORE: u32 = 16;
    const EVAL: u32 = 32;
    const DEPTH: u32 = 48;
    const BOUND: u32 = 56;
    const PV: u32 = 58;
    const AGE: u32 = 59;

    #[inline]
    pub(crate) const fn pack(entry: RawEntry, age: Age) -> Self {
        let mut depth = entry.depth;
        if depth < MIN_ENTRY_DEPTH {
            depth = MIN_ENTRY_DEPTH;
        } else if depth > MAX_ENTRY_DEPTH {
            depth = MAX_ENTRY_DEPTH;
        }
        Self(
            entry.mv as u64
                | (entry.score as u16 as u64) << Self::SCORE
                | (entry.eval as u16 as u64) << Self::EVAL
                | ((depth + DEPTH_OFFSET) as u64) << Self::DEPTH
                | ((entry.bound & 3) as u64) << Self::BOUND
                | (entry.was_pv as u64) << Self::PV
                | (age.get() as u64) << Self::AGE,
        )
    }

    #[inline]
    pub(crate) const fn unpack(self) -> RawEntry {
        RawEntry {
            mv: self.move_bits(),
            score: (self.0 >> Self::SCORE) as i16,
            eval: (self.0 >> Self::EVAL) as i16,
            depth: self.depth(),
            bound: self.bound(),
            was_pv: (self.0 >> Self::PV) & 1 != 0,
        }
    }

    /// Whether the slot is empty: the depth byte of an entry is never zero.
    #[inline]
    pub(crate) const fn is_empty(self) -> bool {
        (self.0 >> Self::DEPTH) as u8 == 0
    }

    #[inline]
    pub(crate) const fn move_bits(self) -> u16 {
        self.0 as u16
    }

    #[inline]
    pub(crate) const fn with_move_bits(self, bits: u16) -> Self {
        Self(self.0 & !0xffff | bits as u64)
    }

    #[inline]
    pub(crate) const fn depth(self) -> Depth {
        (self.0 >> Self::DEPTH) as u8 as Depth - DEPTH_OFFSET
    }

    #[inline]
    pub(crate) const fn bound(self) -> u8 {
        (self.0 >> Self::BOUND) as u8 & 3
    }

    #[inline]
    pub(crate) const fn age(self) -> Age {
        Age((self.0 >> Self::AGE) as u8)
    }

    /// Sixteen bits that depend on all the others, to be xored into the entry's key.
    ///
    /// A plain xor of the four quarters is too weak: fields of similar entries agree or cancel out (the
    /// score of a quiescence entry is often its evaluation), so that a wrong pair of key and payload
    /// passes once in thirty rather than once in 2^16 (a test in `cluster` measures it). The top bits of a
    /// product with an odd number (multiply-shift hashing: Dietzfelbinger et al., 1997) cost one
    /// instruction and pass once in 2^16.
    #[inline]
    pub(crate) const fn fold(self) -> u16 {
        const ODD: u64 = 0x9e6d_62d0_6f6a_9a9b;
        (self.0.wrapping_mul(ODD) >> 48) as u16
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn payloads_round_trip() {
        for depth in [MIN_ENTRY_DEPTH, -1, 0, 1, 100, MAX_ENTRY_DEPTH] {
            for (mv, score, eval) in [(0, 0, 0), (u16::MAX, i16::MIN, i16::MAX), (1, -1, 1)] {
                for bound in 0..4 {
                    for was_pv in [false, true] {
                        let entry = RawEntry {
                            mv,
                            score,
                            eval,
                            depth,
                            bound,
                            was_pv,
                        };
                        let payload = Payload::pack(entry, Age::new(31));
                        assert_eq!(payload.unpack(), entry);
                        assert_eq!(payload.age().get(), 31);
                        assert!(!payload.is_empty());
                    }
                }
            }
        }
        assert!(Payload(0).is_empty());
    }

    #[test]
    fn depths_out_of_range_are_clamped() {
        let deep = Payload::pack(
            RawEntry {
                depth: 9999,
                ..RawEntry::default()
            },
            Age::new(0),
        );
        assert_eq!(deep.depth(), MAX_ENTRY_DEPTH);
        let low = Payload::pack(
            RawEntry {
                depth: -9999,
                ..RawEntry::default()
            },
            Age::new(0),
        );
        assert_eq!(low.depth(), MIN_ENTRY_DEPTH);
    }

    #[test]
    fn chess_entries_round_trip_through_raw_entries() {
        let entry = Entry {
            mv: None,
            score: -Score::MATE,
            eval: None,
            depth: 3,
            bound: None,
            was_pv: true,
        };
        assert_eq!(Entry::from(RawEntry::from(entry)), entry);
        let entry = Entry {
            score: Score::mate_in(9),
            eval: Some(Score::new(-31)),
            bound: Some(Bound::Lower),
            ..entry
        };
        assert_eq!(Entry::from(RawEntry::from(entry)), entry);
    }

    #[test]
    fn ages_count_around() {
        assert_eq!(Age::new(2).since(Age::new(31)), 3);
        assert_eq!(Age::new(32), Age::new(0));
        assert_eq!(Age::new(5).since(Age::new(5)), 0);
    }
}
