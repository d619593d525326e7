//! The order of quiet moves: by history, by the change of the piece-square score, by what attacks the
//! squares left and reached, and by check.

use skewer_movegen::{Bitboard, Board, Move, Piece};
use skewer_types::{TechniqueSet, Techniques};

use crate::checks::Checks;
use crate::history::{Histories, MoveContext, PieceHistories, QuietHistories};
use crate::threats::Threats;
use crate::{params, see};

/// What a picker needs to know about its node besides the board.
#[derive(Debug, Clone, Copy)]
pub struct Guide<'a> {
    /// The move histories.
    pub histories: &'a Histories,
    /// What the histories are indexed by.
    pub context: &'a MoveContext,
    /// What the opponent attacks.
    pub threats: &'a Threats,
    /// The checks of the side to move; `None` to order quiet moves without regard to checks.
    pub checks: Option<&'a Checks>,
}

/// Scores the quiet moves of one kind of piece. The parts of the histories that all these moves share are looked up
/// once.
pub(crate) struct QuietScorer<'a, S, F> {
    set: S,
    board: &'a Board,
    piece: Piece,
    histories: PieceHistories<'a>,
    quiet_delta: &'a F,
    /// The squares where a cheaper piece attacks this one.
    danger: Bitboard,
    /// The bonus for leaving such a square, and the malus for entering one.
    escape: i32,
    checks: Option<&'a Checks>,
    /// The squares that the opponent attacks.
    attacked: Bitboard,
}

impl<'a, S: TechniqueSet, F: Fn(Piece, Move) -> i32> QuietScorer<'a, S, F> {
    #[inline(always)]
    pub(crate) fn new(
        set: S,
        board: &'a Board,
        guide: Guide<'a>,
        histories: &QuietHistories<'a>,
        quiet_delta: &'a F,
        piece: Piece,
    ) -> Self {
        let (danger, escape) = match piece {
            Piece::Pawn | Piece::King => (Bitboard::EMPTY, 0),
            Piece::Knight | Piece::Bishop => (guide.threats.pawns, params::escape_pawn()),
            Piece::Rook => (guide.threats.minors, params::escape_minor()),
            Piece::Queen => (guide.threats.rooks, params::escape_rook()),
        };
        Self {
            set,
            board,
            piece,
            histories: histories.of(piece),
            quiet_delta,
            danger,
            escape,
            checks: guide.checks,
            attacked: guide.threats.all,
        }
    }

    /// The score of `mv`, a quiet move of this kind of piece.
    #[inline(always)]
    pub(crate) fn score(&self, mv: Move) -> i32 {
        let mut score = self.histories.sum(self.set, mv) + self.histories.low_ply(self.set, mv);
        if self.set.has(Techniques::QUIET_DELTA) {
            score += (self.quiet_delta)(self.piece, mv) * params::quiet_delta_weight();
        }
        if self.set.has(Techniques::THREAT_HISTORY) {
            let leaves = i32::from(self.danger.contains(mv.from()));
            let enters = i32::from(self.danger.contains(mv.to()));
            score += self.escape * (leaves - enters);
        }
        if self.set.has(Techniques::CHECK_ORDERING)
            && let Some(checks) = self.checks
            && checks.given_by_piece(self.board, self.piece, mv)
            && see::at_least_given(self.board, mv, -params::check_order_loss(), self.attacked)
        {
            score += params::check_order_bonus();
        }
        score
    }
}
