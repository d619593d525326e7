//! Pruning. Whole nodes are cut off by razoring, reverse futility, the null move and `ProbCut`. They are never
//! cut off on the principal variation, in check, or in a singular search, where the result would come from the
//! excluded move. Single moves are skipped by their place, history, evaluation and exchange.

use skewer_eval::Evaluator;
use skewer_movegen::{Bitboard, Board, Piece};
use skewer_ordering::{Guide, MovePicker, see};
use skewer_types::{Bound, Depth, Ply, Score, TechniqueSet, Techniques};

use crate::params;
use crate::reduce::reduction;
use crate::search::{Expect, Kind, NonPv, Search};
use crate::stack::NOT_IN_ORDER;
use crate::state::{Candidate, Node, own_pieces};

impl<E: Evaluator, T: TechniqueSet> Search<'_, E, T> {
    /// Returns the score of a node that is cut off without a move loop, or `None`. Check
    /// [`aborted`](Self::aborted) afterwards.
    #[inline]
    pub(crate) fn prune_node<K: Kind>(&mut self, board: &Board, node: &Node) -> Option<Score> {
        if K::PV || node.in_check || node.excluded.is_some() {
            return None;
        }
        let settled = self
            .razor(board, node)
            .or_else(|| self.reverse_futility(node));
        // An aborted search must not begin the next attempt, or it would exceed its node limit.
        if settled.is_some() || self.aborted {
            return settled;
        }
        let settled = self.null_move(board, node);
        if settled.is_some() || self.aborted {
            return settled;
        }
        self.probcut(board, node)
    }

    /// Razoring (Birmingham and Kent, 1977, in its present form): an evaluation far below alpha
    /// is checked by quiescence alone.
    #[inline]
    fn razor(&mut self, board: &Board, node: &Node) -> Option<Score> {
        let margin = params::razor_base() + params::razor_slope() * node.depth;
        if !self.has(Techniques::RAZORING)
            || node.depth > params::razor_depth()
            || node.alpha.is_decisive()
            || node.eval + margin > node.alpha
        {
            return None;
        }
        let score = self.quiesce::<NonPv>(board, node.ply, node.alpha, node.alpha + 1);
        (score <= node.alpha && !self.aborted).then_some(score)
    }

    /// Reverse futility (Heinz, 1998; Kornilov, 2005): an evaluation far above beta will
    /// not fall below it in the few plies that are left.
    #[inline]
    fn reverse_futility(&mut self, node: &Node) -> Option<Score> {
        if !self.has(Techniques::REVERSE_FUTILITY)
            || node.depth > params::rfp_depth()
            || node.eval.is_decisive()
            || node.beta.is_loss()
        {
            return None;
        }
        let margin =
            params::rfp_margin() * node.depth - params::rfp_improving() * i32::from(node.improving);
        if node.eval - margin.max(0) < node.beta {
            return None;
        }
        // Between beta and the evaluation, because the evaluation is a guess.
        Some(node.beta + (node.eval - node.beta) / params::rfp_blend())
    }

    /// The null move (Beal, 1989; Goetsch and Campbell, 1990; Donninger, 1993): if passing is
    /// good enough, some move will be too. Deep cut-offs are verified by a search that begins without null
    /// moves (after Tabibi and Netanyahu, 2002), since in zugzwang passing is best.
    #[inline]
    pub(crate) fn null_move(&mut self, board: &Board, node: &Node) -> Option<Score> {
        let ply = node.ply;
        let margin = params::null_margin_base() - params::null_margin_slope() * node.depth;
        if !self.has(Techniques::NULL_MOVE)
            || !node.expect.is_cut()
            || node.depth < params::null_depth()
            || ply < self.null_from
            || self.memory.stack.before(ply, 1).mv.is_none()
            || node.eval < node.beta
            || node.static_eval - margin < node.beta
            || node.beta.is_loss()
            || is_zugzwang_likely(board)
        {
            return None;
        }
        // The hash table's upper bound is below beta: a null move would fail low too.
        if let Some(entry) = node.entry
            && entry.bound.is_some_and(|bound| bound == Bound::Upper)
            && entry.score < node.beta
        {
            return None;
        }
        let surplus = ((node.eval - node.beta) / params::null_eval_divisor())
            .clamp(0, params::null_eval_max());
        let reduction = params::null_base() + node.depth / params::null_divisor() + surplus;
        let after = self.pass(board, ply)?;
        let score = -self.node::<NonPv>(
            &after,
            ply + 1,
            -node.beta,
            -node.beta + 1,
            node.depth - reduction,
            node.expect.other(),
        );
        self.undo_pass();
        if self.aborted || score < node.beta {
            return None;
        }
        // A mate found after a null move is not proved.
        let score = if score.is_decisive() {
            node.beta
        } else {
            score
        };
        if node.depth < params::null_verify_depth()
            || self.null_from > 0
            || !self.has(Techniques::NULL_MOVE_VERIFICATION)
        {
            return Some(score);
        }
        let depth = node.depth - reduction;
        self.null_from = null_moves_again_from(ply, depth);
        let verified = self.node::<NonPv>(board, ply, node.beta - 1, node.beta, depth, Expect::All);
        self.null_from = 0;
        (!self.aborted && verified >= node.beta).then_some(score)
    }

    /// `ProbCut` (Buro, 1995): a capture whose shallow search lies far above beta will hold beta
    /// in the full search.
    #[inline]
    fn probcut(&mut self, board: &Board, node: &Node) -> Option<Score> {
        let (ply, depth) = (node.ply, node.depth);
        if !self.has(Techniques::PROBCUT)
            || depth < params::probcut_depth()
            || node.beta.is_decisive()
        {
            return None;
        }
        let margin =
            params::probcut_margin() - params::probcut_improving() * i32::from(node.improving);
        let target = node.beta + margin;
        let shallow = depth - params::probcut_reduction();
        if let Some(entry) = node.entry
            && entry.depth >= shallow
            && entry.bound.is_some()
            && entry.score < target
        {
            return None;
        }
        let (threats, context) = self.threats_and_context(board, ply);
        let frame = self.memory.stack.at_mut(ply);
        frame.attacked = threats.all;
        // ProbCut's moves have no place in the order, so no malus for an early move applies.
        frame.number = NOT_IN_ORDER;
        let mut picker = MovePicker::winning(node.hash_move, target - node.static_eval);
        loop {
            let guide = Guide {
                histories: &self.memory.histories,
                context: &context,
                threats: &threats,
                checks: None,
            };
            let mv = picker.next(self.set, board, guide, |_, _| 0)?;
            self.prefetch_after(board, mv);
            let after = self.play(board, mv, ply);
            self.memory.stack.at_mut(ply).reduction = 0;
            let mut score = -self.quiesce::<NonPv>(&after, ply + 1, -target, -target + 1);
            if score >= target && shallow > 0 {
                score = -self.node::<NonPv>(
                    &after,
                    ply + 1,
                    -target,
                    -target + 1,
                    shallow,
                    node.expect.other(),
                );
            }
            self.undo();
            if self.aborted {
                return None;
            }
            if score >= target {
                self.store(
                    node.key,
                    ply,
                    Some(mv),
                    score,
                    node.raw_eval,
                    shallow + 1,
                    Some(Bound::Lower),
                );
                return Some(if score.is_decisive() {
                    score
                } else {
                    score - margin
                });
            }
        }
    }

    /// Returns whether a move is skipped: too far below alpha, with too bad a history, or losing too much material.
    /// If the move is late in the order, or is quiet and too far below alpha, tells the picker to give no quiet moves
    /// after it.
    #[inline]
    pub(crate) fn skip_move(
        &self,
        board: &Board,
        node: &Node,
        attacked: Bitboard,
        candidate: &Candidate,
        picker: &mut MovePicker,
        best: &mut Score,
    ) -> bool {
        let depth = node.depth;
        let mv = candidate.mv;
        if self.has(Techniques::LATE_MOVE_PRUNING)
            && depth <= params::lmp_depth()
            && candidate.number as i32
                >= (params::lmp_base() + depth * depth) / (2 - i32::from(node.improving))
        {
            picker.skip_quiets();
        }
        let reduced = (depth - reduction(node.depth, candidate) / 1024).max(0);

        if candidate.tactical || candidate.gives_check {
            let allowed =
                params::see_capture_slope() * depth + candidate.history / params::see_history();
            return self.has(Techniques::SEE_PRUNING)
                && depth <= params::see_depth()
                && !see::at_least_given(board, mv, -allowed.max(0), attacked);
        }
        if self.has(Techniques::HISTORY_PRUNING)
            && reduced <= params::history_depth()
            && candidate.history < -params::history_slope() * depth
        {
            return true;
        }
        let reduced = (reduced + candidate.history / (1024 * params::lmr_history())).max(0);
        // Parent futility (Heinz, 1998): a quiet move cannot make up the distance.
        let hope = node.static_eval
            + params::futility_base()
            + params::futility_slope() * reduced
            + candidate.history / params::futility_history();
        if self.has(Techniques::PARENT_FUTILITY)
            && !node.in_check
            && reduced <= params::futility_depth()
            && !node.alpha.is_decisive()
            && hope <= node.alpha
        {
            if *best <= hope && !best.is_decisive() {
                *best = hope;
            }
            picker.skip_quiets();
            return true;
        }
        self.has(Techniques::SEE_PRUNING)
            && reduced <= params::see_depth()
            && !see::at_least_given(
                board,
                mv,
                -params::see_quiet_slope() * reduced * reduced,
                attacked,
            )
    }
}

/// The ply from which null moves are tried again in a search of this depth that verifies a null move at `ply`: after
/// three quarters of its depth.
#[inline]
pub(crate) fn null_moves_again_from(ply: Ply, depth: Depth) -> Ply {
    ply + (params::null_verify_share() * depth.max(0) / 100) as usize + 1
}

/// Returns whether the side to move has at most one bishop or knight besides king and pawns. Then it is
/// often forced to a move that it would rather not make, and a null move says nothing.
#[inline]
fn is_zugzwang_likely(board: &Board) -> bool {
    let pieces = own_pieces(board);
    let major = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    pieces.count() <= 1 && (pieces & major).is_empty()
}
