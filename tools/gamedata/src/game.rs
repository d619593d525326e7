//! A game of a data file: its start, its moves, the score of each position, and its result.

use skewer_movegen::{Board, Move, Outcome};

/// A move, and the score of the position before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoredMove {
    /// The move that was played.
    pub mv: Move,
    /// The search score of the position in which it was played, in units of
    /// [`Score`](skewer_types::Score), positive when White is better.
    pub score: i16,
}

impl ScoredMove {
    /// The greatest score for either side that is written. Greater scores, mates among them, are written as this
    /// one.
    pub const SCORE_LIMIT: i16 = 10_000;

    /// A move with the score for White of the position before it, brought within the limit.
    ///
    /// ```
    /// use skewer_gamedata::ScoredMove;
    /// use skewer_movegen::Board;
    ///
    /// let mv = Board::STARTPOS.parse_uci("e2e4").unwrap();
    /// assert_eq!(ScoredMove::new(mv, -21).score, -21);
    /// assert_eq!(ScoredMove::new(mv, 31_990).score, ScoredMove::SCORE_LIMIT);
    /// ```
    pub fn new(mv: Move, white: i32) -> Self {
        let limit = i32::from(Self::SCORE_LIMIT);
        Self {
            mv,
            score: white.clamp(-limit, limit) as i16,
        }
    }
}

/// A finished game.
///
/// ```
/// use skewer_gamedata::{Game, ScoredMove};
/// use skewer_movegen::{Board, Outcome};
///
/// let mut game = Game::new(Board::STARTPOS);
/// let mv = game.start.parse_uci("e2e4").unwrap();
/// game.moves.push(ScoredMove { mv, score: 21 });
/// game.result = Outcome::Draw;
/// let first = game.positions().next().unwrap();
/// assert_eq!((first.ply, first.score), (0, 21));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// The position that the first of `moves` was played in.
    pub start: Board,
    /// How the game ended.
    pub result: Outcome,
    /// The moves, each legal after the moves before it.
    pub moves: Vec<ScoredMove>,
}

impl Game {
    /// A game from `start` without moves; its result is a draw until it is set.
    pub fn new(start: Board) -> Self {
        Self {
            start,
            result: Outcome::Draw,
            moves: Vec::new(),
        }
    }

    /// The positions in which a move was played, in order: all except the last one.
    pub fn positions(&self) -> impl Iterator<Item = PositionRecord> + '_ {
        let mut board = self.start;
        self.moves.iter().map(move |scored| {
            let record = PositionRecord {
                board,
                mv: scored.mv,
                score: scored.score,
                result: self.result,
                ply: ply_of(&board),
            };
            board = board.play(scored.mv);
            record
        })
    }
}

/// Plies played since the start of the game by the position's own move number: 0 for the
/// starting position.
fn ply_of(board: &Board) -> u32 {
    2 * u32::from(board.fullmove_number().saturating_sub(1)) + board.turn().index() as u32
}

/// A position of a game, with the data that training uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PositionRecord {
    /// The position.
    pub board: Board,
    /// The move that was played in it.
    pub mv: Move,
    /// The search score in units of [`Score`](skewer_types::Score), positive when White is better.
    pub score: i16,
    /// How its game ended.
    pub result: Outcome,
    /// Plies since the start of the game, random opening moves included.
    pub ply: u32,
}

impl PositionRecord {
    /// The score as the side to move sees it.
    pub fn score_for_side_to_move(&self) -> i16 {
        self.board
            .turn()
            .fold(self.score, self.score.saturating_neg())
    }

    /// The points that the side to move got in the end: 1, ½ or 0.
    pub fn points_for_side_to_move(&self) -> f32 {
        self.result.points_for(self.board.turn())
    }
}
