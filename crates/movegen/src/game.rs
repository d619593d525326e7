//! A game: the moves so far, what can be taken back, and whether and how it is over.

use alloc::vec::Vec;
use core::fmt;

use crate::{Bitboard, Board, Color, IllegalMove, Move, Piece};

/// A position and how it came about.
///
/// ```
/// use skewer_movegen::{Board, Game, Outcome};
///
/// let mut game = Game::new(Board::STARTPOS);
/// for san in ["f3", "e5", "g4", "Qh4#"] {
///     let mv = game.board().parse_san(san).unwrap();
///     game.play(mv)?;
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Checkmate { winner: skewer_movegen::Color::Black }));
/// assert_eq!(game.undo().unwrap().to_string(), "d8h4");
/// assert_eq!(game.outcome(), None);
/// # Ok::<(), skewer_movegen::IllegalMove>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The position before each move.
    before: Vec<(Board, Move)>,
    board: Board,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// The side to move is in check and has no legal move.
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// Neither side has the men to give mate.
    InsufficientMaterial,
    /// The same position has occurred five times.
    FivefoldRepetition,
    /// Each side has made 75 moves without a capture or a move of a pawn.
    SeventyFiveMoves,
}

impl Outcome {
    /// Who won; `None` for a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Checkmate { winner } => Some(winner),
            _ => None,
        }
    }
}

impl fmt::Display for Outcome {
    /// The result as PGN writes it: `1-0`, `0-1` or `1/2-1/2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self.winner() {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        })
    }
}

/// A draw that the side to move may claim but need not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Claim {
    /// The same position has occurred three times.
    ThreefoldRepetition,
    /// Each side has made 50 moves without a capture or a move of a pawn.
    FiftyMoves,
}

impl Game {
    /// A game that begins with this position.
    pub const fn new(board: Board) -> Self {
        Self {
            before: Vec::new(),
            board,
        }
    }

    /// The position on the board.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The position in which the game began.
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
    /// [`IllegalMove`] when the move is not legal; the game stays as it was. Moves after the end
    /// of the game by repetition or by the 75-move rule are not refused.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let next = self.board.try_play(mv)?;
        self.before.push((self.board, mv));
        self.board = next;
        Ok(())
    }

    /// Takes the last move back and says which it was; `None` at the start.
    pub fn undo(&mut self) -> Option<Move> {
        let (board, mv) = self.before.pop()?;
        self.board = board;
        Some(mv)
    }

    /// How often the position on the board has occurred in the game, this time included.
    pub fn repetitions(&self) -> usize {
        // No position before the last capture or move of a pawn can come again.
        let reach = usize::from(self.board.halfmove_clock());
        let same = |(board, _): &&(Board, Move)| board.same_position(&self.board);
        1 + self.before.iter().rev().take(reach).filter(same).count()
    }

    /// How the game ended, if it is over without anybody's claim.
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.board.has_legal_moves() {
            let winner = !self.board.turn();
            let mate = self.board.in_check();
            return Some(if mate {
                Outcome::Checkmate { winner }
            } else {
                Outcome::Stalemate
            });
        }
        if self.board.is_insufficient_material() {
            Some(Outcome::InsufficientMaterial)
        } else if self.board.halfmove_clock() >= 150 {
            Some(Outcome::SeventyFiveMoves)
        } else if self.repetitions() >= 5 {
            Some(Outcome::FivefoldRepetition)
        } else {
            None
        }
    }

    /// The draw that the side to move may claim in the position on the board.
    pub fn claim(&self) -> Option<Claim> {
        if self.board.halfmove_clock() >= 100 {
            Some(Claim::FiftyMoves)
        } else if self.repetitions() >= 3 {
            Some(Claim::ThreefoldRepetition)
        } else {
            None
        }
    }
}

impl Default for Game {
    /// A game from the usual start.
    fn default() -> Self {
        Self::new(Board::STARTPOS)
    }
}

impl Board {
    /// Whether no sequence of legal moves can lead to mate as far as the men alone tell: bare
    /// kings, one knight or bishop beside them, or any number of bishops on squares of one colour.
    ///
    /// ```
    /// use skewer_movegen::Board;
    /// let board: Board = "8/8/4k1b1/8/8/4B3/3K4/8 w - - 0 1".parse()?;
    /// assert!(!board.is_insufficient_material()); // bishops on both colours can help to mate
    /// # Ok::<(), skewer_movegen::FenError>(())
    /// ```
    pub fn is_insufficient_material(&self) -> bool {
        let kings = self.pieces(Piece::King);
        let others = self.occupied() - kings;
        if (others & (self.pieces(Piece::Knight) | self.pieces(Piece::Bishop))) != others {
            return false;
        }
        if others.count() <= 1 {
            return true;
        }
        let bishops = self.pieces(Piece::Bishop);
        others == bishops
            && (bishops.is_subset(Bitboard::LIGHT) || bishops.is_subset(Bitboard::DARK))
    }
}
