//! Chess as a [`Game`] for the generic algorithms: no draws that depend on the path, and nothing
//! pruned, so that all of them must agree.

use skewer_movegen::{Board, Move};
use skewer_types::Bound;

use super::config::Quiescence;
use super::ordering::{by_gain, by_victim};
use super::position::Position;
use super::quiescence::quiescence;
use crate::game::{Game, Tally, Value, Window};
use crate::params::chess as params;

/// A chess position for the generic algorithms.
#[derive(Debug, Clone, Copy)]
pub struct Chess {
    position: Position,
}

impl Chess {
    /// The game from `board`.
    pub fn new(board: Board) -> Self {
        Self {
            position: Position::new(board),
        }
    }
}

impl Game for Chess {
    type Move = Move;

    /// Captures of the most valuable piece by the least valuable one first, then quiet moves by
    /// the change of the evaluation.
    fn moves(&self) -> Vec<Move> {
        let board = self.position.board();
        let mut moves = board.captures().to_vec();
        by_victim(board, &mut moves);
        let mut quiets = board.quiets().to_vec();
        by_gain(&self.position, &mut quiets);
        moves.extend(quiets);
        moves
    }

    fn play(&self, mv: Move) -> Self {
        Self {
            position: self.position.play(mv),
        }
    }

    fn value(&self, depth: u32, window: Window, tally: &mut Tally) -> (Value, Bound) {
        let board = self.position.board();
        if !board.has_legal_moves() {
            let mated = -(params::MATE + depth as Value);
            return (if board.in_check() { mated } else { 0 }, Bound::Exact);
        }
        let nodes = &mut tally.quiescence;
        let value = quiescence(&self.position, window, Quiescence::Captures, 0, nodes);
        (value, window.bound(value))
    }

    fn key(&self) -> u64 {
        self.position.board().key()
    }

    fn label(&self, mv: Move) -> String {
        self.position.board().san(mv).to_string()
    }

    fn fen(&self) -> Option<String> {
        Some(self.position.board().to_string())
    }
}
