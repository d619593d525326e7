//! A game: its moves, undo, repetitions, and how it ended.

use alloc::vec::Vec;
use core::fmt;

use crate::{Board, Color, IllegalMoveError, Move, Outcome};

/// A position and the moves that led to it.
///
/// ```
/// use skewer_movegen::{Board, Color, Game, Outcome, Termination};
///
/// let mut game = Game::new(Board::STARTPOS);
/// for san in ["f3", "e5", "g4", "Qh4#"] {
///     let mv = game.board().parse_san(san).unwrap();
///     game.play(mv)?;
/// }
/// assert_eq!(game.termination(), Some(Termination::Checkmate { winner: Color::Black }));
/// assert_eq!(game.outcome(), Some(Outcome::BlackWins));
/// assert_eq!(game.undo().unwrap().to_string(), "d8h4");
/// assert_eq!(game.outcome(), None);
/// # Ok::<(), skewer_movegen::IllegalMoveError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The position before each move.
    before: Vec<(Board, Move)>,
    board: Board,
}

/// The rule that ended a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Termination {
    /// The side to move is in check and has no legal move.
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// Neither side has enough material to give mate.
    InsufficientMaterial,
    /// The same position has occurred five times.
    FivefoldRepetition,
    /// Each side has made 75 moves without a capture or a move of a pawn.
    SeventyFiveMoves,
}

impl Termination {
    /// The winner; `None` for a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Checkmate { winner } => Some(winner),
            _ => None,
        }
    }

    /// The result of the game.
    pub const fn outcome(self) -> Outcome {
        Outcome::from_winner(self.winner())
    }
}

impl fmt::Display for Termination {
    /// `checkmate`, `stalemate`, `insufficient material`, ...
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Checkmate { .. } => "checkmate",
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient material",
            Self::FivefoldRepetition => "fivefold repetition",
            Self::SeventyFiveMoves => "seventy-five-move rule",
        })
    }
}

/// A draw that the side to move may claim.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Claim {
    /// The same position has occurred three times.
    ThreefoldRepetition,
    /// Each side has made 50 moves without a capture or a move of a pawn.
    FiftyMoves,
}

impl Game {
    /// A game that starts from `board`.
    pub const fn new(board: Board) -> Self {
        Self {
            before: Vec::new(),
            board,
        }
    }

    /// The current position.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The position in which the game started.
    pub fn start(&self) -> &Board {
        self.before.first().map_or(&self.board, |(board, _)| board)
    }

    /// The moves so far.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> + DoubleEndedIterator + '_ {
        self.before.iter().map(|(_, mv)| *mv)
    }

    /// Plays a move.
    ///
    /// # Errors
    ///
    /// [`IllegalMoveError`] when the move is not legal; the game is then unchanged. Moves after the end
    /// of the game by repetition or by the 75-move rule are accepted.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMoveError> {
        let next = self.board.try_play(mv)?;
        self.before.push((self.board, mv));
        self.board = next;
        Ok(())
    }

    /// Takes back the last move and returns it; `None` at the start.
    pub fn undo(&mut self) -> Option<Move> {
        let (board, mv) = self.before.pop()?;
        self.board = board;
        Some(mv)
    }

    /// The number of times that the current position has occurred in the game, this one
    /// included: 1 for a position that is new, 3 for a threefold repetition.
    pub fn occurrences(&self) -> usize {
        // No position before the last capture or pawn move can recur. The clock stops at 255; then all
        // positions are compared.
        let reach = match self.board.halfmove_clock() {
            u8::MAX => usize::MAX,
            clock => usize::from(clock),
        };
        let same = |(board, _): &&(Board, Move)| board.same_position(&self.board);
        1 + self.before.iter().rev().take(reach).filter(same).count()
    }

    /// The result, if the game is over without a claim; see [`termination`](Self::termination).
    pub fn outcome(&self) -> Option<Outcome> {
        self.termination().map(Termination::outcome)
    }

    /// The rule that ended the game, if it is over without a claim.
    pub fn termination(&self) -> Option<Termination> {
        if !self.board.has_legal_moves() {
            let winner = !self.board.turn();
            let mate = self.board.in_check();
            return Some(if mate {
                Termination::Checkmate { winner }
            } else {
                Termination::Stalemate
            });
        }
        if self.board.is_insufficient_material() {
            Some(Termination::InsufficientMaterial)
        } else if self.board.halfmove_clock() >= 150 {
            Some(Termination::SeventyFiveMoves)
        } else if self.occurrences() >= 5 {
            Some(Termination::FivefoldRepetition)
        } else {
            None
        }
    }

    /// The draw that the side to move may claim in the current position.
    pub fn claim(&self) -> Option<Claim> {
        if self.board.halfmove_clock() >= 100 {
            Some(Claim::FiftyMoves)
        } else if self.occurrences() >= 3 {
            Some(Claim::ThreefoldRepetition)
        } else {
            None
        }
    }
}

impl Default for Game {
    /// A game from the starting position of standard chess.
    fn default() -> Self {
        Self::new(Board::STARTPOS)
    }
}
