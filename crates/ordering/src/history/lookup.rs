//! Looking up the histories of the quiet moves of one node. The rows that all moves share are found once.

use std::sync::atomic::{AtomicI16, Ordering::Relaxed};

use skewer_movegen::{Bitboard, Board, Color, Move, Piece};
use skewer_types::{TechniqueSet, Techniques};

use super::butterflies::{Butterfly, square_pair};
use super::{Histories, MoveContext, SQUARES, THREATS, colored_piece, shared::Row};
use crate::params;

impl Histories {
    /// The histories of the quiet moves of one node, with the rows that all moves share.
    #[inline]
    pub fn quiets<'a>(&'a self, board: &Board, context: &MoveContext) -> QuietHistories<'a> {
        let turn = board.turn();
        QuietHistories {
            turn,
            attacked: context.attacked,
            butterfly: &self.quiet.boards.as_chunks().0[turn.index()],
            low_ply: self.low_ply.boards.get(context.ply),
            pawn: self.shared.pawn.row(context.pawn_slot()),
            continuation: context
                .continuation
                .map(|key| self.shared.continuation.row(key.index())),
        }
    }
}

/// The parts of the histories that the quiet moves of one node are looked up in.
#[derive(Debug, Clone, Copy)]
pub struct QuietHistories<'a> {
    turn: Color,
    attacked: Bitboard,
    butterfly: &'a [Butterfly; THREATS],
    /// The history of this ply; `None` far from the root.
    low_ply: Option<&'a Butterfly>,
    pawn: &'a Row,
    /// The continuation histories after the moves 1, 2, 4 and 6 plies ago.
    continuation: [&'a Row; 4],
}

impl<'a> QuietHistories<'a> {
    /// The histories of one kind of piece.
    #[inline]
    pub fn of(&self, piece: Piece) -> PieceHistories<'a> {
        let piece = colored_piece(self.turn, piece);
        let of_piece = |row: &'a Row| &row.as_chunks::<SQUARES>().0[piece];
        PieceHistories {
            attacked: self.attacked,
            butterfly: self.butterfly,
            low_ply: self.low_ply,
            pawn: of_piece(self.pawn),
            continuation: self.continuation.map(of_piece),
        }
    }
}

/// The parts of the histories that the quiet moves of one kind of piece are looked up in.
#[derive(Debug, Clone, Copy)]
pub struct PieceHistories<'a> {
    attacked: Bitboard,
    butterfly: &'a [Butterfly; THREATS],
    low_ply: Option<&'a Butterfly>,
    /// By target square.
    pawn: &'a [AtomicI16; SQUARES],
    /// By target square, after the moves 1, 2, 4 and 6 plies ago.
    continuation: [&'a [AtomicI16; SQUARES]; 4],
}

impl PieceHistories<'_> {
    /// The weighted sum of a quiet move's histories. It orders quiet moves, and reductions depend on it.
    #[inline]
    pub fn sum(&self, set: impl TechniqueSet, mv: Move) -> i32 {
        let now = mv.to().index();
        let mut sum = 0;
        if set.has(Techniques::QUIET_HISTORY) {
            let (threats, index) = Histories::quiet_index(set, mv, self.attacked);
            sum += i32::from(self.butterfly[threats][index]) * params::quiet_history_weight();
        }
        if set.has(Techniques::PAWN_HISTORY) {
            sum += i32::from(self.pawn[now].load(Relaxed)) * params::pawn_history_weight();
        }
        if set.has(Techniques::CONTINUATION_HISTORY) {
            let weights = [
                params::continuation_1_weight(),
                params::continuation_2_weight(),
                params::continuation_4_weight(),
                params::continuation_6_weight(),
            ];
            for (row, weight) in self.continuation.iter().zip(weights) {
                sum += i32::from(row[now].load(Relaxed)) * weight;
            }
        }
        sum / 16
    }

    /// The weighted history, at this ply, of moves from the same square to the same square. It is added to the order of
    /// a quiet move; 0 far from the root.
    #[inline]
    pub fn low_ply(&self, set: impl TechniqueSet, mv: Move) -> i32 {
        match self.low_ply {
            Some(history) if set.has(Techniques::LOW_PLY_HISTORY) => {
                i32::from(history[square_pair(mv)]) * params::low_ply_weight() / 16
            }
            _ => 0,
        }
    }
}
