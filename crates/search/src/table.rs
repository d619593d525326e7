//! The search's use of the hash table: keys, and entries whose moves are legal and whose scores hold
//! where they are read.

use skewer_eval::Evaluator;
use skewer_movegen::{Board, Move, Piece};
use skewer_tt::Entry;
use skewer_types::{Bound, Depth, Ply, Score, TechniqueSet, Techniques};

use crate::search::Search;

/// The half-move clock from which a hash score does not end the search of a node: the near fifty-move draw
/// depends on the clock, which is not part of an entry.
const NEAR_FIFTY: u8 = 90;

impl<E: Evaluator, T: TechniqueSet> Search<'_, E, T> {
    /// Prefetches the hash table's entry of the position after `mv`. Call it as soon as the move is
    /// chosen, because loading the entry takes longer than making the move.
    #[inline]
    pub(crate) fn prefetch_after(&self, board: &Board, mv: Move) {
        let key = likely_key_after(board, mv, self.set);
        self.context.table.prefetch(key);
    }

    /// The hash table's entry for `board`, with a move that is legal or none, and the score as
    /// seen from the root.
    #[inline]
    pub(crate) fn probe(&self, board: &Board, key: u64, ply: Ply) -> Option<Entry> {
        let mut entry = self.context.table.probe(key)?;
        entry.mv = entry
            .mv
            .filter(|&mv| self.has(Techniques::HASH_MOVE) && board.is_legal(mv));
        entry.score = from_table(entry.score, ply, board.halfmove_clock());
        Some(entry)
    }

    /// Whether a hash score can end the search of a node with this beta.
    #[inline]
    pub(crate) fn settles(&self, board: &Board, entry: &Entry, beta: Score) -> bool {
        let bound_agrees = entry.bound.is_some_and(|bound| {
            if entry.score >= beta {
                bound.is_lower()
            } else {
                bound.is_upper()
            }
        });
        bound_agrees && self.has(Techniques::HASH_CUTOFF) && board.halfmove_clock() < NEAR_FIFTY
    }

    /// Writes a node's result to the hash table.
    #[inline]
    #[allow(
        clippy::too_many_arguments,
        reason = "the fields of an entry, and where it goes"
    )]
    pub(crate) fn store(
        &self,
        key: u64,
        ply: Ply,
        mv: Option<Move>,
        score: Score,
        eval: Option<Score>,
        depth: Depth,
        bound: Option<Bound>,
    ) {
        self.context.table.store(
            key,
            Entry {
                mv,
                score: score.relative_to_node(ply),
                eval,
                depth,
                bound,
                was_pv: self.memory.stack.at(ply).on_pv,
            },
        );
    }
}

/// The hash table key of a position. Positions near the fifty-move rule have keys of their own.
#[inline]
pub(crate) fn table_key(board: &Board, set: impl TechniqueSet) -> u64 {
    with_clock(board.key(), board.halfmove_clock(), set)
}

/// The hash table key after `mv`, computed without making the move. It is wrong after castling, a
/// promotion or an en passant capture, and where castling or en passant rights change.
#[inline]
pub(crate) fn likely_key_after(board: &Board, mv: Move, set: impl TechniqueSet) -> u64 {
    let (from, to) = (mv.from().bitboard(), mv.to().bitboard());
    let irreversible = board.occupied() & to | board.pieces(Piece::Pawn) & from;
    let clock = if irreversible.any() {
        0
    } else {
        board.halfmove_clock().saturating_add(1)
    };
    with_clock(board.likely_key_after(mv), clock, set)
}

/// The hash table key of a position with this key and half-move clock.
#[inline]
fn with_clock(key: u64, clock: u8, set: impl TechniqueSet) -> u64 {
    /// The clock from which positions have keys of their own, and half-moves to a bucket.
    const FROM: u64 = 24;
    const BUCKET: u64 = 8;
    let clock = u64::from(clock);
    if clock < FROM || !set.has(Techniques::FIFTY_MOVE_BUCKET) {
        return key;
    }
    key ^ ((clock - FROM) / BUCKET + 1).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// A hash score relative to the root. A mate or a table win that the fifty-move rule may prevent becomes a
/// high evaluation: a table win lies behind a capture or a pawn move that many plies away.
#[inline]
pub(crate) fn from_table(score: Score, ply: Ply, halfmove_clock: u8) -> Score {
    let left = 100 - i32::from(halfmove_clock.min(100));
    let decided = if score.is_mate() {
        Score::MATE
    } else {
        Score::TB_WIN
    };
    if score.is_decisive() && decided.raw() - score.raw().abs() > left {
        return if score.is_win() {
            Score::MAX_EVAL
        } else {
            -Score::MAX_EVAL
        };
    }
    score.relative_to_root(ply)
}
