//! Updates of the move histories and of the correction histories after a node has been searched.

use skewer_eval::Evaluator;
use skewer_movegen::{Bitboard, Board, Move};
use skewer_ordering::MoveContext;
use skewer_types::{Bound, Depth, TechniqueSet, Techniques};

use crate::moves::Tried;
use crate::node::{Found, Node};
use crate::params;
use crate::search::Search;

impl<E: Evaluator, T: TechniqueSet> Search<'_, E, T> {
    /// Updates the histories: a bonus for the best move, a malus for those searched before it.
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

    /// Rewards the previous move after a fail-low: no reply to it reached alpha.
    #[inline]
    pub(crate) fn reward_previous_move(&mut self, node: &Node) {
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

    /// Updates the correction histories by the error of a quiet node's static evaluation.
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

/// The history bonus of a move that failed high at this depth.
#[inline]
pub(crate) fn bonus(depth: Depth) -> i32 {
    (params::bonus_slope() * depth + params::bonus_base()).clamp(0, params::bonus_max())
}

/// The history malus of the moves searched before it.
#[inline]
pub(crate) fn malus(depth: Depth) -> i32 {
    (params::malus_slope() * depth + params::malus_base()).clamp(0, params::malus_max())
}
