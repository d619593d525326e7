//! What a node that has been searched teaches: which moves were good and which were not, and how
//! far the evaluation was from the truth.

use skewer_eval::Evaluator;
use skewer_movegen::{Bitboard, Board, Move};
use skewer_ordering::MoveContext;
use skewer_types::{Bound, Depth, TechniqueSet, Techniques};

use crate::moves::Tried;
use crate::node::{Found, Node};
use crate::params;
use crate::search::Search;

impl<E: Evaluator, T: TechniqueSet> Search<'_, E, T> {
    /// Teaches the histories which move was best, and which were tried in vain before it.
    #[inline]
    pub(crate) fn learn_moves(
        &mut self,
        board: &Board,
        node: &Node,
        context: &MoveContext,
        best: Move,
        tried: &Tried,
    ) {
        let (bonus, malus) = (bonus(node.depth), -malus(node.depth));
        let histories = &mut self.memory.histories;
        if board.is_capture(best) || best.is_promotion() {
            histories.update_capture(board, best, context, bonus);
        } else {
            // One quiet move at low depth needs no more than the hash table to be remembered.
            histories.update_quiet(self.set, board, best, context, bonus);
            for &mv in &tried.quiets {
                histories.update_quiet(self.set, board, mv, context, malus);
            }
            histories.set_counter(context, best);
            let killers = &mut self.memory.stack.at_mut(node.ply).killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
        }
        let histories = &mut self.memory.histories;
        for &mv in &tried.captures {
            histories.update_capture(board, mv, context, malus);
        }
    }

    /// Nothing here was good enough: the move before this node was a good one.
    #[inline]
    pub(crate) fn reward_refused(&mut self, node: &Node) {
        if node.ply == 0 || node.excluded.is_some() {
            return;
        }
        let parent = node.ply - 1;
        let before = *self.memory.stack.at(parent);
        if before.mv.is_none() {
            return;
        }
        let context = self.move_context(parent, Bitboard::EMPTY);
        self.memory.histories.update_continuation_of(
            before.continuation,
            &context,
            bonus(node.depth) / params::refused_divisor(),
        );
    }

    /// Teaches the correction histories the error of a quiet node's evaluation.
    #[inline]
    pub(crate) fn learn_correction(&mut self, board: &Board, node: &Node, found: &Found) {
        if node.in_check || !self.has(Techniques::CORRECTION_HISTORY) {
            return;
        }
        let tactical = found
            .best_move
            .is_some_and(|mv| board.is_capture(mv) || mv.is_promotion());
        let says_nothing = match found.bound {
            Bound::Lower => found.best <= node.static_eval,
            Bound::Upper => found.best >= node.static_eval,
            Bound::Exact => false,
        };
        if tactical || says_nothing || found.best.is_decisive() {
            return;
        }
        let index = self.correction_index(board, node.ply);
        self.memory
            .corrections
            .update(&index, found.best, node.static_eval, node.depth);
    }
}

/// What a move that failed high at this depth gains in the histories.
#[inline]
pub(crate) fn bonus(depth: Depth) -> i32 {
    (params::bonus_slope() * depth + params::bonus_base()).clamp(0, params::bonus_max())
}

/// What the moves tried before it lose.
#[inline]
pub(crate) fn malus(depth: Depth) -> i32 {
    (params::malus_slope() * depth + params::malus_base()).clamp(0, params::malus_max())
}
