//! A board with an incremental evaluation, as in Kornilov (2005), where the change of evaluation
//! orders quiet moves.

use skewer_movegen::{Board, CastlingSide, Color, Move, MoveKind, Piece, Square};

use crate::game::Value;
use crate::params::chess as params;

/// What the evaluation counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Terms {
    /// Material and piece-square values.
    All,
    /// Material alone.
    Material,
}

/// A position and its evaluation.
#[derive(Debug, Clone, Copy)]
pub struct Position {
    board: Board,
    value: Value,
    terms: Terms,
}

/// A change of the evaluation for the side that moves: what a piece is worth on its square is added or
/// taken away.
type Change = (Value, Piece, Square, Color);

impl Position {
    /// The position on `board`, evaluated from scratch.
    pub fn new(board: Board) -> Self {
        Self::by(board, Terms::All)
    }

    /// The position on `board`, evaluated by these terms. Positions that follow from it are
    /// evaluated by the same terms.
    pub fn by(board: Board, terms: Terms) -> Self {
        let value = total(standing(&board).into_iter(), terms);
        Self {
            board,
            value,
            terms,
        }
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
            value: -(self.value + total(self.changes(mv).into_iter().flatten(), self.terms)),
            board: self.board.play(mv),
            terms: self.terms,
        }
    }

    /// The position after a null move, or `None` in check.
    pub fn play_null(&self) -> Option<Self> {
        Some(Self {
            value: -self.value,
            board: self.board.play_null()?,
            terms: self.terms,
        })
    }

    /// By how much `mv` changes material and piece-square values, for the side that makes it.
    pub fn gain(&self, mv: Move) -> Value {
        total(self.changes(mv).into_iter().flatten(), Terms::All)
    }

    /// How many piece-square values [`gain`](Self::gain) looks up, and how many an evaluation of the
    /// position after `mv` from scratch looks up.
    pub fn look_ups(&self, mv: Move) -> (usize, usize) {
        let steps = self.changes(mv).into_iter().flatten().count();
        (steps, standing(&self.board.play(mv)).len())
    }

    /// The changes that `mv` makes.
    fn changes(&self, mv: Move) -> [Option<Change>; 4] {
        let us = self.board.turn();
        let (from, to) = (mv.from(), mv.to());
        let piece = self.board.moved(mv);
        if mv.kind() == MoveKind::Castle {
            let side = CastlingSide::of(from, to);
            return [
                Some((-1, Piece::King, from, us)),
                Some((1, Piece::King, side.king_target(us), us)),
                Some((-1, Piece::Rook, to, us)),
                Some((1, Piece::Rook, side.rook_target(us), us)),
            ];
        }
        let arrives = mv.promotion().unwrap_or(piece);
        let taken = self.board.captured(mv).map(|victim| {
            let place = if mv.is_en_passant() {
                Square::new(to.file(), from.rank())
            } else {
                to
            };
            (1, victim, place, !us)
        });
        [
            Some((1, arrives, to, us)),
            Some((-1, piece, from, us)),
            taken,
            None,
        ]
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

/// All pieces of a board, as changes from an empty one for the side to move.
fn standing(board: &Board) -> Vec<Change> {
    let mut changes = Vec::new();
    for color in [Color::White, Color::Black] {
        let sign = if color == board.turn() { 1 } else { -1 };
        for piece in Piece::ALL {
            let squares = board.colored(color, piece).into_iter();
            changes.extend(squares.map(|square| (sign, piece, square, color)));
        }
    }
    changes
}

/// The sum of changes.
fn total(changes: impl Iterator<Item = Change>, terms: Terms) -> Value {
    let change = |(sign, piece, square, color): Change| {
        sign * match terms {
            Terms::All => worth(piece, square, color),
            Terms::Material => params::PIECES[piece.index()],
        }
    };
    changes.map(change).sum()
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
            let mut material = Position::by(Board::STARTPOS, Terms::Material);
            for _ in 0..80 {
                let moves = position.board().legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[rng.below(moves.len())];
                let gain = position.gain(mv);
                let before = position.evaluate();
                position = position.play(mv);
                let afresh = Position::new(*position.board());
                assert_eq!(position.evaluate(), afresh.evaluate(), "game {game}");
                assert_eq!(position.evaluate(), -(before + gain), "game {game}");
                material = material.play(mv);
                let afresh = Position::by(*position.board(), Terms::Material);
                assert_eq!(material.evaluate(), afresh.evaluate(), "game {game}");
            }
        }
    }

    #[test]
    fn material_alone_does_not_see_quiet_moves() {
        let position = Position::by(Board::STARTPOS, Terms::Material);
        for mv in &position.board().legal_moves() {
            assert_eq!(position.play(mv).evaluate(), 0);
            assert_eq!(position.look_ups(mv), (2, 32));
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
