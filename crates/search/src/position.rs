//! The position that a search starts from, with the history of its game.

use skewer_movegen::{Board, DrawRules, Move, Termination};

/// A position and what came before it in the game, as far as repetition needs to know.
///
/// ```
/// use skewer_search::Position;
/// use skewer_movegen::Board;
///
/// let mut position = Position::new(Board::STARTPOS);
/// let knight_out = position.board().parse_uci("g1f3").unwrap();
/// position.play(knight_out);
/// assert_eq!(position.earlier_keys().len(), 1);
/// ```
#[derive(Debug, Clone)]
pub struct Position {
    board: Board,
    earlier: Vec<u64>,
    last: Option<(Board, Move)>,
}

impl Position {
    /// A position without a past.
    pub fn new(board: Board) -> Self {
        Self {
            board,
            earlier: Vec::new(),
            last: None,
        }
    }

    /// The position after `moves`, each of which must be legal when it is played.
    pub fn from_moves(board: Board, moves: impl IntoIterator<Item = Move>) -> Self {
        let mut position = Self::new(board);
        for mv in moves {
            position.play(mv);
        }
        position
    }

    /// Plays a legal move. Keeps the key of the position before the move, as long as that position
    /// can be repeated.
    pub fn play(&mut self, mv: Move) {
        let after = self.board.play(mv);
        self.earlier.push(self.board.key());
        if after.halfmove_clock() == 0 {
            self.earlier.clear();
        }
        self.last = Some((self.board, mv));
        self.board = after;
    }

    /// The position to search.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The last move, and the board that it was played on; `None` if no move was played.
    pub fn last_move(&self) -> Option<(&Board, Move)> {
        self.last.as_ref().map(|(before, mv)| (before, *mv))
    }

    /// The number of times that the position has occurred in the game, this time included.
    pub fn occurrences(&self) -> usize {
        let key = self.board.key();
        1 + self
            .earlier
            .iter()
            .filter(|&&earlier| earlier == key)
            .count()
    }

    /// The rule that ends the game here, if it is over.
    ///
    /// ```
    /// use skewer_movegen::{Board, DrawRules, Termination};
    /// use skewer_search::Position;
    ///
    /// let mut position = Position::new(Board::STARTPOS);
    /// for mv in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2) {
    ///     assert_eq!(position.ending(DrawRules::Claimed), None);
    ///     let mv = position.board().parse_uci(mv).unwrap();
    ///     position.play(mv);
    /// }
    /// assert_eq!(position.ending(DrawRules::Claimed), Some(Termination::ThreefoldRepetition));
    /// assert_eq!(position.ending(DrawRules::Unclaimed), None);
    /// ```
    pub fn ending(&self, rules: DrawRules) -> Option<Termination> {
        self.board.ending(self.occurrences(), rules)
    }

    /// The Zobrist keys of the positions since the last irreversible move, oldest first, without
    /// the present one.
    pub fn earlier_keys(&self) -> &[u64] {
        &self.earlier
    }
}

impl From<Board> for Position {
    fn from(board: Board) -> Self {
        Self::new(board)
    }
}
