//! Updates of the move histories and of the correction histories after a node has been searched.

use skewer_eval::Evaluator;
use skewer_movegen::{Board, Move};
use skewer_ordering::{MoveContext, PlayedMove, is_tactical};
use skewer_types::{Bound, Depth, Score, TechniqueSet, Techniques};

use crate::params;
use crate::search::Search;
use crate::stack::NOT_IN_ORDER;
use crate::state::{Found, Node, Tried};

impl<E: Evaluator, T: TechniqueSet> Search<'_, E, T> {
    /// Updates the histories: a bonus for the best move, larger if it is a surprise, and a malus for the searched
    /// captures that did not raise alpha, and, if the best move is quiet, for the searched quiet moves that did not.
    #[inline]
    pub(crate) fn learn_moves(
        &mut self,
        board: &Board,
        node: &Node,
        surprise: bool,
        context: &MoveContext,
        best: Move,
        tried: &Tried,
    ) {
        let bonus = bonus(node.depth + params::bonus_surprise() * i32::from(surprise));
        let malus = -malus(node.depth);
        let histories = &mut self.memory.histories;
        if is_tactical(board, best) {
            histories.update_capture(board, best, context, bonus);
        } else {
            histories.update_quiet(self.set, board, best, context, bonus);
            for &mv in &tried.quiets {
                histories.update_quiet(self.set, board, mv, context, malus);
            }
            if self.set.has(Techniques::COUNTER_MOVES) {
                histories.set_counter(context, best);
            }
            let killers = &mut self.memory.stack.at_mut(node.ply).killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
        }
        let histories = &mut self.memory.histories;
        for &mv in &tried.captures {
            histories.update_capture(board, mv, context, malus);
        }
        self.punish_previous_move(node);
    }

    /// Rewards the previous move after a fail-low, in which no reply to it came above `best`. Where the fail-low
    /// was expected, only a move that surprises is rewarded: late in the order, or worth more than the static
    /// evaluation says.
    #[inline]
    pub(crate) fn reward_previous_move(&mut self, node: &Node, best: Score) {
        let is_expected = !node.expect.is_cut() && node.alpha + 1 == node.beta;
        if is_expected && !self.is_late_move(node) && !is_well_below(node, best) {
            return;
        }
        let Some((played, context)) = self.previous_move(node) else {
            return;
        };
        let bonus = bonus(node.depth) * self.share_of_previous_move(node, best) / 16;
        let all = self.has(Techniques::PREVIOUS_MOVE_HISTORY);
        let histories = &mut self.memory.histories;
        if !all {
            histories.update_continuation(played.key, &context, bonus);
        } else if played.is_tactical() {
            histories.update_played_capture(&played, &context, bonus);
        } else {
            histories.update_played_quiet(self.set, &played, &context, bonus);
        }
    }

    /// The share of the bonus, in sixteenths, that the previous move gets: more after a deep search, for a
    /// late move, and where the score is well below the static evaluation of this node or of the node before.
    #[inline]
    fn share_of_previous_move(&self, node: &Node, best: Score) -> i32 {
        let before = self.memory.stack.before(node.ply, 1);
        let deep = node.depth > params::previous_bonus_depth();
        let late = self.is_late_move(node);
        let below_here = is_well_below(node, best);
        let below_before =
            !before.in_check && best <= -before.static_eval - params::previous_bonus_fall_before();
        params::previous_bonus()
            + params::previous_bonus_deep() * i32::from(deep)
            + params::previous_bonus_late() * i32::from(late)
            + params::previous_bonus_fall() * (i32::from(below_here) + i32::from(below_before))
    }

    /// Whether the previous move was late in the order of its node.
    #[inline]
    fn is_late_move(&self, node: &Node) -> bool {
        let number = self.memory.stack.before(node.ply, 1).number;
        number != NOT_IN_ORDER && number > params::previous_bonus_moves() as u32
    }

    /// Punishes the previous move after a reply raised alpha, if the previous move was quiet and early in the order: it
    /// was expected to be good, and the reply refutes it.
    #[inline]
    pub(crate) fn punish_previous_move(&mut self, node: &Node) {
        if !self.has(Techniques::PREVIOUS_MOVE_HISTORY) {
            return;
        }
        let Some((played, context)) = self.previous_move(node) else {
            return;
        };
        let number = self.memory.stack.before(node.ply, 1).number;
        if played.is_tactical() || number > params::previous_malus_moves() as u32 {
            return;
        }
        let malus = malus(node.depth) / params::previous_malus_divisor();
        self.memory
            .histories
            .update_continuation(played.key, &context, -malus);
    }

    /// The move that led to a node, and what its histories are indexed by. `None` at the root, after
    /// a null move and in a singular search, whose result says nothing about the position.
    #[inline]
    fn previous_move(&self, node: &Node) -> Option<(PlayedMove, MoveContext)> {
        if node.ply == 0 || node.excluded.is_some() {
            return None;
        }
        let frame = self.memory.stack.before(node.ply, 1);
        let context = self.move_context(node.ply - 1, frame.attacked);
        frame.played().map(|played| (played, context))
    }

    /// Credits the quiet move that led to a node with the change that it made to the static
    /// evaluation.
    #[inline]
    pub(crate) fn credit_evaluation_change(&mut self, node: &Node) {
        if !self.has(Techniques::EVALUATION_HISTORY) || node.ply == 0 || node.excluded.is_some() {
            return;
        }
        let before = self.memory.stack.before(node.ply, 1);
        let Some(played) = before.played().filter(|played| !played.is_tactical()) else {
            return;
        };
        if before.in_check {
            return;
        }
        // Both evaluations are for the side to move, so that their sum is the mover's loss.
        let rise = -(before.static_eval.raw() + node.static_eval.raw());
        let max = params::evaluation_history_max();
        let bonus = rise * params::evaluation_history_slope() + params::evaluation_history_base();
        let attacked = before.attacked;
        self.memory
            .histories
            .update_butterfly(self.set, &played, attacked, bonus.clamp(-max, max));
    }

    /// Updates the correction histories by the error of a quiet node's static evaluation.
    #[inline]
    pub(crate) fn learn_correction(&mut self, board: &Board, node: &Node, found: &Found) {
        if node.in_check || !self.has(Techniques::CORRECTION_HISTORY) {
            return;
        }
        let tactical = found.best_move.is_some_and(|mv| is_tactical(board, mv));
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

/// Whether the score of a node is well below its static evaluation.
#[inline]
fn is_well_below(node: &Node, score: Score) -> bool {
    !node.in_check && score <= node.static_eval - params::previous_bonus_fall_here()
}

/// The history bonus of a move that failed high at this depth.
#[inline]
pub(crate) fn bonus(depth: Depth) -> i32 {
    (params::bonus_slope() * depth + params::bonus_base()).clamp(0, params::bonus_max())
}

/// The history malus of the moves that were searched before a move failed high at this depth.
#[inline]
pub(crate) fn malus(depth: Depth) -> i32 {
    (params::malus_slope() * depth + params::malus_base()).clamp(0, params::malus_max())
}
