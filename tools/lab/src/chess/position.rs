//! A board with an incremental evaluation, as in Kornilov (2005), where the change of evaluation
//! orders quiet moves.

use skewer_movegen::{Board, Color, File, Move, MoveKind, Piece, Square};

use crate::game::Value;
use crate::params::chess as params;

/// A position and its evaluation: material and piece-square values.
#[derive(Debug, Clone, Copy)]
pub struct Position {
    board: Board,
    value: Value,
}

impl Position {
    /// The position on `board`, evaluated from scratch.
    pub fn new(board: Board) -> Self {
        let side = |color| -> Value {
            Piece::ALL
                .into_iter()
                .flat_map(|piece| {
                    board
                        .colored(color, piece)
                        .into_iter()
                        .map(move |sq| (piece, sq))
                })
                .map(|(piece, square)| worth(piece, square, color))
                .sum()
        };
        let value = side(board.turn()) - side(!board.turn());
        Self { board, value }
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The static evaluation in hundredths of a pawn, for the side to move.
    pub fn evaluate(&self) -> Value {
        self.value
    }

    /// The position after the legal move `mv`.
    pub fn play(&self, mv: Move) -> Self {
        Self {
            value: -(self.value + self.gain(mv)),
            board: self.board.play(mv),
        }
    }

    /// The position after a null move, or `None` in check.
    pub fn play_null(&self) -> Option<Self> {
        Some(Self {
            value: -self.value,
            board: self.board.play_null()?,
        })
    }

    /// By how much `mv` changes the evaluation, for the side that makes it.
    pub fn gain(&self, mv: Move) -> Value {
        let us = self.board.turn();
        let (from, to) = (mv.from(), mv.to());
        let piece = self.board.moved(mv);
        if mv.kind() == MoveKind::Castle {
            let (king, rook) = if to.file() > from.file() {
                (File::G, File::F)
            } else {
                (File::C, File::D)
            };
            let step = |piece, from: Square, file| {
                worth(piece, Square::new(file, from.rank()), us) - worth(piece, from, us)
            };
            return step(Piece::King, from, king) + step(Piece::Rook, to, rook);
        }
        let arrives = mv.promotion().unwrap_or(piece);
        let taken = self.board.captured(mv).map_or(0, |victim| {
            let place = if mv.is_en_passant() {
                Square::new(to.file(), from.rank())
            } else {
                to
            };
            worth(victim, place, !us)
        });
        worth(arrives, to, us) - worth(piece, from, us) + taken
    }

    /// Whether the side to move has anything but pawns and its king.
    pub fn has_pieces(&self) -> bool {
        self.pieces(self.board.turn()) > 0
    }

    /// How many pieces a side has, pawns and king not counted.
    pub fn pieces(&self, color: Color) -> u32 {
        let small = self.board.pieces(Piece::Pawn) | self.board.pieces(Piece::King);
        (self.board.color(color) & !small).count()
    }
}

/// What a piece is worth on its square: its value, and a little for standing well.
fn worth(piece: Piece, square: Square, color: Color) -> Value {
    let square = square.relative_to(color);
    let (file, rank) = (square.file() as usize, square.rank() as usize);
    let central = |line: usize| line.min(7 - line) as Value;
    let centre = central(file) + central(rank) - 3;
    params::PIECES[piece.index()]
        + match piece {
            Piece::Pawn => {
                let steps = rank.clamp(1, 4) as Value - 1;
                let central = central(file) == 3;
                params::PAWN_RANKS[rank] + Value::from(central) * steps * params::CENTRE_PAWN
            }
            Piece::King => {
                let wing = Value::from(central(file) <= 1);
                rank as Value * params::KING_RANK + wing * params::KING_WING
            }
            Piece::Knight | Piece::Bishop => centre * params::CENTRE[piece.index() - 1],
            Piece::Rook | Piece::Queen => {
                let seventh = Value::from(rank == 6) * params::SEVENTH;
                centre * params::CENTRE[piece.index() - 1] + seventh
            }
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skewer_types::Rng;

    #[test]
    fn steps_add_up_to_the_evaluation() {
        let mut rng = Rng::new(1);
        for game in 0..200 {
            let mut position = Position::new(Board::STARTPOS);
            for _ in 0..80 {
                let moves = position.board().legal_moves();
                if moves.is_empty() {
                    break;
                }
                position = position.play(moves[rng.below(moves.len())]);
                let afresh = Position::new(*position.board());
                assert_eq!(position.evaluate(), afresh.evaluate(), "game {game}");
            }
        }
    }

    #[test]
    fn castling_moves_both_pieces() {
        let board = Board::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        let position = Position::new(board);
        assert_eq!(position.evaluate(), 0);
        for mv in board
            .legal_moves()
            .iter()
            .copied()
            .filter(|mv| mv.is_castle())
        {
            let after = position.play(mv);
            assert_eq!(after.evaluate(), Position::new(*after.board()).evaluate());
            assert!(position.gain(mv) > 0);
        }
    }
}
