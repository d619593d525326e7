//! What the searcher leaves out: futility pruning (seed 000), forward pruning (seed 001) and the
//! null move (seed 003), each as its text has it.

use skewer_movegen::Move;

use super::{Context, Searcher, Verify};
use crate::chess::ordering::plausible_width;
use crate::chess::position::Position;
use crate::chess::recipe::{Ideas, NullMove, Running};
use crate::game::{Value, Window};
use crate::params::chess as params;

impl Searcher {
    /// Seed 000, first listing: so much better than beta in the last two plies that no answer is
    /// expected to change it. Not after a null move, a capture or a check.
    pub(super) fn futile_node(
        &self,
        position: &Position,
        depth: i32,
        window: Window,
        context: Context,
    ) -> bool {
        self.has(Ideas::FUTILITY_NODE)
            && context.ply > 0
            && context.passes == 0
            && depth <= params::FUTILITY_DEPTH
            && !context.noisy
            && !position.board().in_check()
            && position.evaluate() - self.recipe.margin >= window.beta
    }

    /// Seed 000, second listing: the position after a quiet move that gives no check and answers
    /// none is so bad, even with the margin, that it cannot come up to alpha.
    ///
    /// The text evaluates after the move and means the mover's side, so the sign is turned here.
    pub(super) fn futile_move(
        &self,
        before: &Position,
        after: &Position,
        depth: i32,
        alpha: Value,
        arrival: Context,
        context: Context,
    ) -> bool {
        self.has(Ideas::FUTILITY_PARENT)
            && context.ply > 0
            && context.passes == 0
            && depth <= params::FUTILITY_DEPTH
            && !arrival.noisy
            && !before.board().in_check()
            && !after.board().in_check()
            && -after.evaluate() + self.recipe.margin <= alpha
    }

    /// Seed 001's heuristic cutting: a quiet move far down the list is not looked at, unless it
    /// gives check or answers one.
    pub(super) fn implausible(
        &self,
        position: &Position,
        mv: Move,
        depth: i32,
        quiets: usize,
        context: Context,
    ) -> bool {
        self.has(Ideas::FORWARD_PRUNING)
            && context.ply > 0
            && quiets > plausible_width(depth)
            && !position.board().in_check()
            && !position.board().gives_check(mv)
    }

    /// Seed 003: whether the opponent, given a free move and searched less deeply, still cannot
    /// bring the value under beta.
    pub(super) fn null_move_cuts(
        &mut self,
        position: &Position,
        depth: i32,
        window: Window,
        context: Context,
    ) -> bool {
        let Some(reduction) = self.reduction(position, depth) else {
            return false;
        };
        let running = match self.recipe.running {
            Running::One => 1,
            Running::Two => 2,
        };
        // A search of one ply cannot be verified by a shallower one.
        let verifiable = context.verify == Verify::Done || depth > 1;
        let allowed = context.ply > 0
            && context.passes < running
            && verifiable
            && (position.has_pieces() || !self.has(Ideas::NULL_NEEDS_PIECES));
        if !allowed {
            return false;
        }
        let Some(after) = position.pass() else {
            return false;
        };
        self.effort.passes += 1;
        self.path.push(position.board().key());
        let beta = window.beta;
        let null_window = Window {
            alpha: -beta,
            beta: 1 - beta,
        };
        let context = Context {
            ply: context.ply + 1,
            last: None,
            noisy: false,
            passes: context.passes + 1,
            verify: context.verify,
        };
        let value = -self.search(&after, depth - 1 - reduction, null_window, context);
        self.path.pop();
        let cuts = value >= beta && !self.stopped;
        self.effort.pass_cuts += u64::from(cuts);
        cuts
    }

    /// By how much the search after a null move is shallower; `None` for no null move.
    fn reduction(&self, position: &Position, depth: i32) -> Option<i32> {
        match self.recipe.null_move {
            NullMove::Off => None,
            NullMove::Plain { reduction } => Some(reduction),
            NullMove::Verified => Some(params::VERIFIED_REDUCTION),
            // The text names depth 6 twice and 8 never; Heinz (1999) has it so.
            NullMove::Adaptive => {
                let turn = position.board().turn();
                let pieces = position.pieces(turn).min(position.pieces(!turn));
                let many = pieces >= params::ADAPTIVE_PIECES;
                let deep = depth > params::ADAPTIVE_DEEP;
                let middling = depth > params::ADAPTIVE_SHALLOW;
                Some(if deep || (middling && many) { 3 } else { 2 })
            }
        }
    }
}
