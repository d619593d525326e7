//! Which positions of a game are used for training. Data generation counts "usable positions" by the
//! same filter.

use crate::{PositionRecord, ScoredMove};

/// The conditions for a position to be used.
///
/// The default is common among engines: after the random opening, not in check, and with a quiet best
/// move, because a static evaluation cannot predict the score of other positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filter {
    /// The least ply of the game, counted from the starting position.
    pub min_ply: u32,
    /// The least number of pieces on the board, kings included.
    pub min_men: u32,
    /// Scores must be nearer to zero than this, in units of
    /// [`Score`](skewer_types::Score).
    pub max_score: u16,
    /// Leave out positions whose best move captures or promotes.
    pub quiet_moves_only: bool,
    /// Leave out positions in which the side to move is in check.
    pub no_checks: bool,
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            min_ply: 16,
            min_men: 4,
            max_score: ScoredMove::SCORE_LIMIT.unsigned_abs(),
            quiet_moves_only: true,
            no_checks: true,
        }
    }
}

impl Filter {
    /// Accepts every position.
    pub const ALL: Self = Self {
        min_ply: 0,
        min_men: 0,
        max_score: u16::MAX,
        quiet_moves_only: false,
        no_checks: false,
    };

    /// Whether the position may be used.
    ///
    /// ```
    /// use skewer_gamedata::{Filter, Game, ScoredMove};
    /// use skewer_movegen::Board;
    ///
    /// let mut game = Game::new(Board::STARTPOS);
    /// let mv = game.start.parse_uci("e2e4").unwrap();
    /// game.moves.push(ScoredMove { mv, score: 0 });
    /// let first = game.positions().next().unwrap();
    /// assert!(!Filter::default().accepts(&first)); // too early in the game
    /// assert!(Filter::ALL.accepts(&first));
    /// ```
    pub fn accepts(&self, record: &PositionRecord) -> bool {
        let board = &record.board;
        record.ply >= self.min_ply
            && record.score.unsigned_abs() < self.max_score
            && board.occupied().count() >= self.min_men
            && !(self.no_checks && board.in_check())
            && !(self.quiet_moves_only && (record.mv.is_promotion() || board.is_capture(record.mv)))
    }
}
