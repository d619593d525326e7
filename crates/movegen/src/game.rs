//! A game: its moves, undo and repetitions.

use alloc::vec::Vec;

use crate::{Board, Claim, DrawRules, IllegalMoveError, Move, Outcome, Termination};

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
/// let mate = game.undo().unwrap();
/// assert_eq!(game.board().uci(mate).to_string(), "d8h4");
/// assert_eq!(game.outcome(), None);
/// # Ok::<(), skewer_movegen::IllegalMoveError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The position before each move.
    before: Vec<(Board, Move)>,
    board: Board,
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

    /// The number of times that the current position has occurred in the game, this time included:
    /// 1 for a position that is new, 3 for a threefold repetition.
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
        self.board.ending(self.occurrences(), DrawRules::Unclaimed)
    }

    /// The draw that the side to move may claim in the current position.
    pub fn claim(&self) -> Option<Claim> {
        self.board.claim(self.occurrences())
    }
}

impl Default for Game {
    /// A game from the starting position of standard chess.
    fn default() -> Self {
        Self::new(Board::STARTPOS)
    }
}
