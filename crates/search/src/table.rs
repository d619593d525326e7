//! The search's use of the hash table: entries whose moves are legal and whose scores hold where they are
//! read.

use skewer_eval::Evaluator;
use skewer_movegen::{Board, Move};
use skewer_tt::Entry;
use skewer_types::{Bound, Depth, Ply, Score, TechniqueSet, Techniques};

use crate::search::Search;
use crate::table_key::{from_table, likely_key_after};

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
        // An entry whose move is not legal is of another position.
        if entry.mv.is_some_and(|mv| !board.is_legal(mv)) {
            return None;
        }
        entry.mv = entry.mv.filter(|_| self.has(Techniques::HASH_MOVE));
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
