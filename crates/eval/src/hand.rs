//! The hand-written evaluation: tapered terms that a person can read. The piece-square score is
//! kept by increments; the rest is counted when the position is evaluated.

use skewer_movegen::{Board, Color, Move, Piece};
use skewer_types::{MAX_PLY, Score};

use crate::changes::features;
use crate::params::{BISHOP_PAIR, PHASE, PIECE_SQUARE, TEMPO};
use crate::{Changes, Evaluator, Tapered};

/// One position of the line being searched.
#[derive(Debug, Clone, Copy)]
struct Frame {
    /// What led here from the frame below.
    changes: Changes,
    /// White's piece-square score, once it was asked for.
    score: Option<Tapered>,
}

/// The evaluation that a person wrote: material, squares, bishop pair, tempo.
#[derive(Debug, Clone)]
pub struct HandCrafted {
    /// The root, then a frame for every pushed move. Never empty.
    stack: Vec<Frame>,
}

impl Default for HandCrafted {
    /// An evaluation of the starting position.
    fn default() -> Self {
        Self::new(&Board::startpos())
    }
}

impl HandCrafted {
    /// An evaluation that starts from `board`.
    pub fn new(board: &Board) -> Self {
        let mut stack = Vec::with_capacity(MAX_PLY + 8);
        stack.push(Self::root(board));
        Self { stack }
    }

    fn root(board: &Board) -> Frame {
        let mut score = Tapered::ZERO;
        for feature in features(board) {
            score += PIECE_SQUARE[feature.index()];
        }
        Frame {
            changes: Changes::default(),
            score: Some(score),
        }
    }

    /// White's piece-square score of the position on top, brought up to date from the last frame
    /// that has one.
    fn piece_squares(&mut self) -> Tapered {
        let known = self
            .stack
            .iter()
            .rposition(|frame| frame.score.is_some())
            .unwrap_or(0);
        let mut score = self.stack[known].score.unwrap_or_default();
        for frame in &mut self.stack[known + 1..] {
            for feature in frame.changes.added() {
                score += PIECE_SQUARE[feature.index()];
            }
            for feature in frame.changes.removed() {
                score -= PIECE_SQUARE[feature.index()];
            }
            frame.score = Some(score);
        }
        score
    }
}

/// How much of the middlegame is left: 24 with all pieces, 0 with none.
fn phase(board: &Board) -> i32 {
    Piece::ALL
        .into_iter()
        .map(|piece| PHASE[piece.index()] * board.pieces(piece).count() as i32)
        .sum()
}

/// The change of the mover's piece-square score, between its two phases by the men left.
pub(crate) fn quiet_delta(board: &Board, mv: Move) -> i16 {
    let changes = Changes::of(board, mv);
    let men = board.occupied().count() as i32;
    let mut delta = Tapered::ZERO;
    for feature in changes.added() {
        delta += PIECE_SQUARE[feature.index()];
    }
    // What the opponent loses is no merit of the square moved to, so only own features count.
    let black = board.turn() == Color::Black;
    for feature in changes
        .removed()
        .iter()
        .filter(|f| (f.index() >= 384) == black)
    {
        delta -= PIECE_SQUARE[feature.index()];
    }
    let blended = (delta.middlegame() * men + delta.endgame() * (32 - men)) / 32;
    (if black { -blended } else { blended }) as i16
}

impl Evaluator for HandCrafted {
    fn reset(&mut self, board: &Board) {
        self.stack.clear();
        self.stack.push(Self::root(board));
    }

    #[inline]
    fn push(&mut self, before: &Board, mv: Move, _after: &Board) {
        self.stack.push(Frame {
            changes: Changes::of(before, mv),
            score: None,
        });
    }

    #[inline]
    fn pop(&mut self) {
        if self.stack.len() > 1 {
            self.stack.pop();
        }
    }

    fn evaluate(&mut self, board: &Board) -> Score {
        let mut score = self.piece_squares();
        for (color, sign) in [(Color::White, 1), (Color::Black, -1)] {
            if board.colored(color, Piece::Bishop).has_more_than_one() {
                score += BISHOP_PAIR * sign;
            }
        }
        let white = score.blend(phase(board));
        let ours = if board.turn() == Color::White {
            white
        } else {
            -white
        };
        Score::new(ours + TEMPO)
    }

    #[inline]
    fn quiet_delta(&self, board: &Board, mv: Move) -> i16 {
        quiet_delta(board, mv)
    }
}
