//! Pruning as in the texts: futility pruning (Kornilov, 2005), forward pruning (Bratko) and the null
//! move (Moreland).

use skewer_movegen::{Move, Piece, Square};

use super::{Context, Searcher, Verify};
use crate::chess::config::{ConsecutiveNullMoves, Ideas, NullMove};
use crate::chess::ordering::plausible_width;
use crate::chess::position::Position;
use crate::game::{Value, Window};
use crate::params::chess as params;

impl Context {
    /// How the search comes to the node after a null move.
    fn after_pass(self) -> Self {
        Self {
            ply: self.ply + 1,
            last: None,
            noisy: false,
            null_moves: self.null_moves + 1,
            verify: self.verify,
            extended: self.extended,
        }
    }
}

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

    /// Whether a node gets a ply more against a queen and a pawn, which it does once in a line
    /// ([`Ideas::EXTEND_QUEEN_AND_PAWN`]).
    pub(super) fn extends_pattern(&self, position: &Position, context: Context) -> bool {
        self.has(Ideas::EXTEND_QUEEN_AND_PAWN)
            && !context.extended
            && queen_and_pawn_attack(position)
    }

    /// Kornilov (2005), second listing: whether the evaluation after a quiet move plus the margin is
    /// at most alpha. Not for moves that give check or evade one, nor if the node after the move is extended.
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
            && !self.extends_pattern(after, arrival)
            && self.mates_are_settled(alpha, alpha)
            && -after.evaluate() + self.config.margin <= alpha
    }

    /// Whether futility pruning is allowed with this window: with [`Ideas::MATES_FIRST`], not if
    /// alpha or beta is a mate value.
    pub(super) fn mates_are_settled(&self, alpha: Value, beta: Value) -> bool {
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
        let Some(mut reduction) = self.reduction(position, depth) else {
            return false;
        };
        if self.has(Ideas::SMALLER_R_QUEEN_AND_PAWN) && queen_and_pawn_attack(position) {
            reduction = reduction.min(1);
        }
        let most = match self.config.consecutive {
            ConsecutiveNullMoves::One => 1,
            ConsecutiveNullMoves::Two => 2,
            ConsecutiveNullMoves::Unlimited => u32::MAX,
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
        // A position that two passes bring back is not repeated: nobody can pass in a game.
        let since_null_move = std::mem::replace(&mut self.since_null_move, self.path.len());
        // Only whether the pass reaches beta is asked, not how far it stays below.
        let asked = if self.has(Ideas::NULL_MOVE_OPEN_WINDOW) {
            window
        } else {
            Window::null(window.beta)
        };
        let arrival = context.after_pass();
        let value = -self.search(&after, depth - 1 - reduction, asked.flip(), arrival);
        self.since_null_move = since_null_move;
        value >= window.beta && !self.stopped
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::config::Config;
    use crate::chess::positions::{self, from_fen};

    /// A node after a quiet move.
    const AFTER_A_QUIET_MOVE: Context = Context {
        ply: 3,
        last: None,
        noisy: false,
        null_moves: 0,
        verify: Verify::Done,
        extended: false,
    };

    /// White, a queen and a rook ahead, is in check.
    const IN_CHECK: &str = "4k3/8/8/8/8/8/4r3/Q3K2Q w - - 0 1";

    /// Whether the node form cuts where the evaluation is `lead` above beta.
    fn cuts(position: &Position, depth: i32, lead: Value, context: Context) -> bool {
        let beta = position.evaluate() - lead;
        let window = Window::null(beta);
        let searcher = Searcher::new(Config::PLAIN.with(Ideas::FUTILITY_NODE));
        searcher.futile_node(position, depth, window, context)
    }

    #[test]
    fn a_node_is_futile_half_a_pawn_above_beta_in_the_last_two_plies() {
        let context = AFTER_A_QUIET_MOVE;
        for position in positions::varied() {
            for depth in 1..=2 {
                assert!(cuts(&position, depth, 50, context), "depth {depth}");
                assert!(!cuts(&position, depth, 49, context), "depth {depth}");
            }
            for depth in 3..=8 {
                assert!(!cuts(&position, depth, 2000, context), "depth {depth}");
            }
        }
    }

    #[test]
    fn a_node_is_not_futile_after_captures_null_moves_in_check_or_at_the_root() {
        let position = positions::openings()[0];
        let quiet = AFTER_A_QUIET_MOVE;
        assert!(cuts(&position, 2, 100, quiet));
        let others = [
            Context {
                noisy: true,
                ..quiet
            },
            Context {
                null_moves: 1,
                ..quiet
            },
            Context { ply: 0, ..quiet },
        ];
        for context in others {
            assert!(!cuts(&position, 2, 100, context), "{context:?}");
        }
        assert!(!cuts(&from_fen(IN_CHECK), 2, 100, quiet));
    }

    #[test]
    fn a_node_that_is_extended_is_not_futile() {
        let position = from_fen(IN_CHECK);
        let beta = position.evaluate() - 100;
        let window = Window::null(beta);
        let config = Config::PLAIN.with(Ideas::FUTILITY_NODE | Ideas::CHECK_EXTENSION);
        let mut searcher = Searcher::new(config);
        searcher.search(&position, 1, window, AFTER_A_QUIET_MOVE);
        assert_eq!(searcher.effort.futile, 0);
        assert!(searcher.effort.nodes > 1, "its moves are searched");
    }

    /// Whether the parent form skips a move after which the mover stands `short` below alpha.
    fn skips(fen: &str, mv: &str, depth: i32, short: Value, context: Context) -> bool {
        let before = from_fen(fen);
        let mv = before.board().parse_uci(mv).expect("a legal move");
        let after = before.play(mv);
        let noisy = before.board().is_capture(mv) || mv.promotion().is_some();
        let arrival = Context {
            ply: context.ply + 1,
            noisy,
            ..context
        };
        let alpha = -after.evaluate() + short;
        let searcher = Searcher::new(Config::PLAIN.with(Ideas::FUTILITY_PARENT));
        searcher.futile_move(&before, &after, depth, alpha, arrival, context)
    }

    #[test]
    fn a_quiet_move_is_futile_half_a_pawn_below_alpha_in_the_last_two_plies() {
        // The rook takes a pawn, moves quietly, or gives check.
        let fen = "6k1/8/8/p7/8/8/6PP/R5K1 w - - 0 1";
        let context = AFTER_A_QUIET_MOVE;
        for depth in 0..=2 {
            assert!(skips(fen, "a1a3", depth, 50, context), "depth {depth}");
            assert!(!skips(fen, "a1a3", depth, 49, context), "depth {depth}");
        }
        assert!(!skips(fen, "a1a3", 3, 2000, context));
        for (mv, why) in [("a1a5", "a capture"), ("a1a8", "a check")] {
            let fen = if mv == "a1a8" {
                "6k1/8/8/8/8/8/6PP/R5K1 w - - 0 1"
            } else {
                fen
            };
            assert!(!skips(fen, mv, 1, 2000, context), "{why}");
        }
        assert!(!skips(IN_CHECK, "e1d1", 1, 2000, context), "an evasion");
        let after_null = Context {
            null_moves: 1,
            ..context
        };
        assert!(!skips(fen, "a1a3", 1, 2000, after_null));
        let root = Context { ply: 0, ..context };
        assert!(!skips(fen, "a1a3", 1, 2000, root));
    }

    #[test]
    fn the_adaptive_reduction_is_the_reduction_of_heinz() {
        let searcher = Searcher::new(Config {
            null_move: NullMove::Adaptive,
            ..Config::PLAIN
        });
        let three_each = from_fen("1nb1k1r1/pppp4/8/8/8/8/PPPP4/1NB1K1R1 w - - 0 1");
        let two_and_three = from_fen("1nb1k3/pppp4/8/8/8/8/PPPP4/1NB1K1R1 w - - 0 1");
        for (depth, many, few) in [(1, 2, 2), (6, 2, 2), (7, 3, 2), (8, 3, 2), (9, 3, 3)] {
            let reductions = [three_each, two_and_three].map(|p| searcher.reduction(&p, depth));
            assert_eq!(reductions, [Some(many), Some(few)], "depth {depth}");
        }
    }

    #[test]
    fn a_null_move_follows_no_null_move_no_check_and_not_the_root() {
        let position = from_fen("4k3/8/8/8/8/8/8/Q3K2Q w - - 0 1");
        let cuts = |position: &Position, context, consecutive| {
            let null_move = NullMove::Plain { reduction: 2 };
            let mut searcher = Searcher::new(Config {
                null_move,
                consecutive,
                ..Config::PLAIN
            });
            searcher.null_move_cuts(position, 4, Window::null(100), context)
        };
        let (one, two) = (ConsecutiveNullMoves::One, ConsecutiveNullMoves::Two);
        let unlimited = ConsecutiveNullMoves::Unlimited;
        let after = |null_moves| Context {
            null_moves,
            ..AFTER_A_QUIET_MOVE
        };
        assert!(cuts(&position, after(0), one) && cuts(&position, after(1), two));
        assert!(!cuts(&position, after(1), one) && !cuts(&position, after(2), two));
        assert!(cuts(&position, after(9), unlimited));
        assert!(!cuts(&from_fen(IN_CHECK), after(0), one));
        let root = Context { ply: 0, ..after(0) };
        assert!(!cuts(&position, root, one));
    }
}
