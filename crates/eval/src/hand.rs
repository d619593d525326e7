//! The hand-written evaluation: a tapered sum of terms. Material and piece-square values are updated
//! incrementally; the other terms are counted when a position is evaluated.

mod count;
mod explain;
mod masks;
mod params;
mod pawns;
mod scale;
mod terms;
mod weights;

use skewer_movegen::{Board, Color, Move, Piece};
use skewer_types::{MAX_PLY, Score};

use crate::changes::features;
use crate::{Changes, Evaluator, Feature, Tapered};
use count::{Sink, Structure};
use params::PHASE;
use pawns::PawnCache;

pub use explain::{Breakdown, Trace};
pub use params::{PLAIN, Weight};
pub use terms::Term;
pub use weights::WEIGHTS;

/// The weights, packed so that one addition adds both phases.
static TABLE: [Tapered; Term::WEIGHTS] = {
    let mut table = [Tapered::ZERO; Term::WEIGHTS];
    let mut at = 0;
    while at < table.len() {
        table[at] = Tapered::new(WEIGHTS[at].0 as i32, WEIGHTS[at].1 as i32);
        at += 1;
    }
    table
};

/// Material and piece-square value of every feature (White's positive, Black's negative).
static PIECE_SQUARE: [Tapered; 768] = {
    let mut table = [Tapered::ZERO; 768];
    let mut feature = 0;
    while feature < 384 {
        let place = WEIGHTS[Term::Squares.offset() + feature];
        let material = if feature < 320 {
            WEIGHTS[Term::Material.offset() + feature / 64]
        } else {
            (0, 0)
        };
        let (mg, eg) = ((place.0 + material.0) as i32, (place.1 + material.1) as i32);
        table[feature] = Tapered::new(mg, eg);
        table[384 + (feature ^ 0x38)] = Tapered::new(-mg, -eg);
        feature += 1;
    }
    table
};

/// One position of the line being searched.
#[derive(Debug, Clone, Copy)]
struct Frame {
    /// The features changed by the move from the frame below.
    changes: Changes,
    /// White's piece-square score, if it was computed.
    score: Option<Tapered>,
}

/// The hand-written evaluation: material and squares, pawns, mobility, king safety, threats and
/// tempo, scaled down in drawish positions, and up with bishop and knight against king.
#[derive(Debug, Clone)]
pub struct HandWritten {
    /// The root, then a frame for every pushed move. Never empty.
    stack: Vec<Frame>,
    /// The cache of pawn terms.
    pawns: PawnCache,
}

impl Default for HandWritten {
    /// An evaluation of the starting position.
    fn default() -> Self {
        Self::new(&Board::STARTPOS)
    }
}

impl HandWritten {
    /// An evaluation that starts from `board`.
    pub fn new(board: &Board) -> Self {
        let mut stack = Vec::with_capacity(MAX_PLY + 8);
        stack.push(Self::root(board));
        Self {
            stack,
            pawns: PawnCache::new(),
        }
    }

    /// The evaluation of `board` term by term.
    pub fn explain(board: &Board) -> Breakdown {
        Breakdown::of(board)
    }

    fn root(board: &Board) -> Frame {
        Frame {
            changes: Changes::default(),
            score: Some(piece_squares(features(board))),
        }
    }

    /// White's piece-square score of the current position, brought up to date from the last frame
    /// that has a score.
    fn piece_squares(&mut self) -> Tapered {
        let known = self
            .stack
            .iter()
            .rposition(|frame| frame.score.is_some())
            .unwrap_or(0);
        let mut score = self.stack[known].score.unwrap_or_default();
        for frame in &mut self.stack[known + 1..] {
            score += change_of_squares(&frame.changes);
            frame.score = Some(score);
        }
        score
    }
}

/// White's piece-square score of some or all features of a board.
#[inline]
fn piece_squares(features: impl Iterator<Item = Feature>) -> Tapered {
    features.fold(Tapered::ZERO, |sum, feature| {
        sum + PIECE_SQUARE[feature.index()]
    })
}

/// How a move changes White's piece-square score.
#[inline]
fn change_of_squares(changes: &Changes) -> Tapered {
    piece_squares(changes.added().iter().copied())
        - piece_squares(changes.removed().iter().copied())
}

/// A sink that adds up counts times weights.
#[derive(Clone, Copy, Default)]
struct Sum(Tapered);

impl Sink for Sum {
    #[inline(always)]
    fn add(&mut self, term: Term, index: usize, count: i32) {
        self.0 += TABLE[term.offset() + index] * count;
    }
}

/// How much of the middlegame is left: 24 with all pieces, 0 with none.
fn phase(board: &Board) -> i32 {
    let pieces = Piece::ALL.into_iter();
    let all: i32 = pieces
        .map(|piece| PHASE[piece.index()] * board.pieces(piece).count() as i32)
        .sum();
    all.min(Tapered::FULL_PHASE)
}

/// The change of the mover's piece-square score by a quiet move of `piece`, blended between the phases by
/// the number of pieces on the board.
#[inline(always)]
pub(crate) fn quiet_delta(board: &Board, piece: Piece, mv: Move) -> i16 {
    let us = board.turn();
    let delta = if mv.is_castle() {
        castling_delta(board, mv)
    } else {
        PIECE_SQUARE[Feature::new(us, piece, mv.to().index()).index()]
            - PIECE_SQUARE[Feature::new(us, piece, mv.from().index()).index()]
    };
    let pieces = board.occupied().count() as i32;
    let blended = (delta.middlegame() * pieces + delta.endgame() * (32 - pieces)) / 32;
    (if us == Color::Black {
        -blended
    } else {
        blended
    }) as i16
}

#[cold]
#[inline(never)]
fn castling_delta(board: &Board, mv: Move) -> Tapered {
    change_of_squares(&Changes::of(board, mv))
}

/// The evaluation for the side to move. `known` is White's score of squares, material and pawns; the
/// other terms are counted here.
#[inline]
fn total(board: &Board, known: Tapered, structure: &Structure) -> Score {
    let mut sides = [Sum::default(); 2];
    count::count_others(board, structure, &mut sides);
    sides[board.turn().index()].add(Term::Tempo, 0, 1);
    let score = known + sides[0].0 - sides[1].0;
    let white = score.blend(phase(board));
    let stronger = Color::ALL[usize::from(white < 0)];
    let white = white * scale::scale(board, stronger) / scale::FULL;
    Score::new(board.turn().fold(white, -white))
}

/// The evaluation of pieces without pawns against a bare king; `None` for other positions. Games are
/// adjudicated before such endings, so a network trained on them does not learn how to mate.
#[inline]
pub(crate) fn against_bare_king(board: &Board) -> Option<Score> {
    let bare = Color::ALL.iter().any(|&side| board.color(side).is_single());
    if !bare || board.pieces(Piece::Pawn).any() {
        return None;
    }
    Some(total(
        board,
        piece_squares(features(board)),
        &Structure::default(),
    ))
}

impl Evaluator for HandWritten {
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
        let (pawns, structure) = self.pawns.get(board);
        total(board, self.piece_squares() + pawns, &structure)
    }

    #[inline]
    fn quiet_delta(&self, board: &Board, piece: Piece, mv: Move) -> i16 {
        quiet_delta(board, piece, mv)
    }
}
