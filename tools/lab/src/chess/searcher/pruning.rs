//! Pruning as in the texts: futility pruning (Kornilov, 2005), forward pruning (Bratko) and the null
//! move (Moreland).

use skewer_movegen::{Move, Piece, Square};

use super::{Context, Searcher, Verify};
use crate::chess::config::{ConsecutiveNullMoves, Ideas, NullMove};
use crate::chess::ordering::plausible_width;
use crate::chess::position::Position;
use crate::game::{Value, Window};
use crate::params::chess as params;

impl Searcher {
    /// Kornilov (2005), first listing: in the last two plies, whether the evaluation less the margin
    /// is at least beta. Not after a null move or capture, and not in check.
    pub(super) fn futile_node(
        &self,
        position: &Position,
        depth: i32,
        window: Window,
        context: Context,
    ) -> bool {
        self.has(Ideas::FUTILITY_NODE)
            && context.ply > 0
            && context.null_moves == 0
            && depth <= params::FUTILITY_DEPTH
            && !context.noisy
            && !position.board().in_check()
            && self.mates_are_settled(window.alpha, window.beta)
            && position.evaluate() - self.config.margin >= window.beta
    }

    /// Kornilov (2005), second listing: whether the evaluation after a quiet move plus the margin is
    /// at most alpha. Not for moves that give check or evade one.
    ///
    /// The text evaluates from the mover's side; here the evaluation after the move is negated.
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
            && context.null_moves == 0
            && depth <= params::FUTILITY_DEPTH
            && !arrival.noisy
            && !before.board().in_check()
            && !after.board().in_check()
            && self.mates_are_settled(alpha, alpha)
            && -after.evaluate() + self.config.margin <= alpha
    }

    /// Whether futility pruning is allowed with this window: with [`Ideas::MATES_FIRST`], not if
    /// alpha or beta is a mate value.
    fn mates_are_settled(&self, alpha: Value, beta: Value) -> bool {
        let mate = |value: Value| value.abs() >= params::MATE_BOUND && value.abs() <= params::MATE;
        !self.has(Ideas::MATES_FIRST) || !(mate(alpha) || mate(beta))
    }

    /// Bratko's forward pruning: whether to skip a quiet move late in the list. Moves that give check
    /// or evade one are not skipped.
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

    /// Whether a null-move search (Moreland) fails high.
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
        let most = match self.config.consecutive {
            ConsecutiveNullMoves::One => 1,
            ConsecutiveNullMoves::Two => 2,
        };
        // A search of one ply cannot be verified by a shallower one.
        let verifiable = context.verify == Verify::Done || depth > 1;
        let allowed = context.ply > 0
            && context.null_moves < most
            && verifiable
            && (position.has_pieces() || !self.has(Ideas::NULL_NEEDS_PIECES))
            && !(self.has(Ideas::WATCH_QUEEN_AND_PAWN) && queen_and_pawn_attack(position));
        if !allowed {
            return false;
        }
        let Some(after) = position.play_null() else {
            return false;
        };
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
            null_moves: context.null_moves + 1,
            verify: context.verify,
        };
        let value = -self.search(&after, depth - 1 - reduction, null_window, context);
        self.path.pop();
        value >= beta && !self.stopped
    }

    /// The depth reduction of the search after a null move; `None` for no null move.
    fn reduction(&self, position: &Position, depth: i32) -> Option<i32> {
        match self.config.null_move {
            NullMove::Off => None,
            NullMove::Plain { reduction } => Some(reduction),
            NullMove::Verified => Some(params::VERIFIED_REDUCTION),
            // The limits of Heinz (1999). The text has 6 in place of 8, apparently a misprint.
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

/// Whether the opponent has a queen on h3 and a pawn on f3, or on a3 and c3, from the point of view
/// of the side to move.
fn queen_and_pawn_attack(position: &Position) -> bool {
    let board = position.board();
    let us = board.turn();
    [(Square::H3, Square::F3), (Square::A3, Square::C3)]
        .into_iter()
        .any(|(queen, pawn)| {
            board
                .colored(!us, Piece::Queen)
                .contains(queen.relative_to(us))
                && board
                    .colored(!us, Piece::Pawn)
                    .contains(pawn.relative_to(us))
        })
}
