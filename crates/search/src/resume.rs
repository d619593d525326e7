//! Resumes an analysis where an earlier one ended. If the hash table has an entry of the root with an exact score, an
//! infinite search of all moves, with or without a depth limit, starts after the depth of this entry, with the line
//! that the table gives. The table may have been loaded from a file, or filled before the user looked at another move.
//!
//! Searches with other limits do not resume, because time management needs the first iterations.

use skewer_eval::Evaluator;
use skewer_movegen::{Board, DrawRules, Move};
use skewer_tt::Entry;
use skewer_types::{Bound, Depth, TechniqueSet};

use crate::iterate::Best;
use crate::limits::{Limits, Mode};
use crate::position::Position;
use crate::report::Line;
use crate::search::Search;
use crate::table_key::table_key;

/// The least depth, in plies, from which to resume; smaller depths are quickly searched again.
const LEAST_DEPTH: Depth = 8;

/// The half-move clock from which the table's score is not used for the root, because it ignores the
/// fifty-move rule.
const NEAR_DRAWS: u8 = 60;

impl Limits {
    /// Whether this is an infinite analysis of all moves, which may resume from the hash table.
    fn may_resume(&self) -> bool {
        self.mode == Mode::Infinite
            && self.multi_pv <= 1
            && self.search_moves.is_empty()
            && self.mate.is_none()
            && self.nodes.is_none()
            && self.soft_nodes.is_none()
    }
}

impl<E: Evaluator, T: TechniqueSet> Search<'_, E, T> {
    /// The root's result in the hash table, as if the iterations up to its depth had just been searched; `None`
    /// if this search does not resume or there is no exact score.
    ///
    /// Mate scores are not used, because a line from the table may end before the mate.
    pub(crate) fn resume(&mut self, position: &Position, deepest: Depth) -> Option<Best> {
        let board = position.board();
        if !self.context.control.limits().may_resume() || board.halfmove_clock() >= NEAR_DRAWS {
            return None;
        }
        let entry = self.probe(board, table_key(board, self.set), 0)?;
        let mv = entry.mv?;
        if entry.bound != Some(Bound::Exact)
            || entry.depth < LEAST_DEPTH
            || entry.score.is_decisive()
            || self.memory.root.known.is_some()
            || mates(board, mv)
        {
            return None;
        }
        let index = self.memory.root.find(mv)?;
        self.memory.root.moves[..=index].rotate_right(1);
        let pv = self.line_of_table(position, mv, usize::MAX, |entry| {
            entry.bound == Some(Bound::Exact)
        });
        let depth = entry.depth.min(deepest);
        let head = &mut self.memory.root.moves[0];
        head.score = entry.score;
        head.pv = pv.to_vec();
        head.seldepth = pv.len();
        Some(Best {
            mv,
            score: entry.score,
            depth,
            pv,
        })
    }

    /// Adds the answer that the table names to a line of one move, as a move to ponder on.
    pub(crate) fn add_answer_of_table(&self, position: &Position, line: &mut Line) {
        if let [mv] = line[..] {
            *line = self.line_of_table(position, mv, 2, |_| true);
        }
    }

    /// `mv`, and the moves that accepted entries of the table name after it, up to an end of the game or
    /// `longest` moves.
    fn line_of_table(
        &self,
        position: &Position,
        mv: Move,
        longest: usize,
        accepts: impl Fn(&Entry) -> bool,
    ) -> Line {
        let mut line = Line::new();
        let mut seen = position.earlier_keys().to_vec();
        let mut board = *position.board();
        let mut next = Some(mv);
        while let Some(mv) = next {
            line.push(mv);
            seen.push(board.key());
            board = board.play(mv);
            let is_long = line.is_full() || line.len() >= longest;
            next = if is_long
                || seen.contains(&board.key())
                || board.ending(1, DrawRules::Claimed).is_some()
            {
                None
            } else {
                self.probe(&board, table_key(&board, self.set), line.len())
                    .filter(|entry| accepts(entry))
                    .and_then(|entry| entry.mv)
                    // The line must not end in a mate without a mate score.
                    .filter(|&mv| !mates(&board, mv))
            };
        }
        line
    }

    /// Stores a finished iteration of the root in the table at its full depth, for a later search to resume
    /// from. (After a fail-high the root itself may have been searched less deeply.)
    pub(crate) fn leave_to_resume(&self, board: &Board, best: &Best) {
        let score = best.score;
        if self.context.control.limits().may_resume() && !score.is_decisive() {
            self.store(
                table_key(board, self.set),
                0,
                Some(best.mv),
                score,
                None,
                best.depth,
                Some(Bound::Exact),
            );
        }
    }
}

fn mates(board: &Board, mv: Move) -> bool {
    let after = board.play(mv);
    after.in_check() && !after.has_legal_moves()
}
