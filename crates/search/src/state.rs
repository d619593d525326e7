//! What the steps of a node hand to each other: the state of the node, the move about to be searched, the
//! moves tried, and what the move loop found.

use arrayvec::ArrayVec;
use skewer_movegen::{Bitboard, Board, Move, Piece};
use skewer_tt::Entry;
use skewer_types::{Bound, Depth, Ply, Score};

use crate::search::Expect;

/// The greatest number of quiet moves of a node that can get a malus, and the greatest number of captures.
const TRIED: usize = 32;

/// The state of a node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    pub(crate) ply: Ply,
    pub(crate) depth: Depth,
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
    pub(crate) expect: Expect,
    pub(crate) in_check: bool,
    /// The move left out, in a singular search.
    pub(crate) excluded: Option<Move>,
    /// The least and the greatest score by the endgame tables.
    pub(crate) least: Score,
    pub(crate) greatest: Score,
    /// The hash key, and the entry found under it.
    pub(crate) key: u64,
    pub(crate) entry: Option<Entry>,
    pub(crate) hash_move: Option<Move>,
    /// The evaluator's result, uncorrected; `None` in check.
    pub(crate) raw_eval: Option<Score>,
    /// The corrected static evaluation.
    pub(crate) static_eval: Score,
    /// The static evaluation, or the hash score if its bound tightens the evaluation.
    pub(crate) eval: Score,
    /// The absolute correction of the evaluation, in score units.
    pub(crate) correction_size: i32,
    /// Whether the evaluation has risen since this side's last move.
    pub(crate) improving: bool,
    /// Whether the hash move is a capture or a promotion.
    pub(crate) hash_move_is_tactical: bool,
}

/// What the move loop found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found {
    pub(crate) best: Score,
    pub(crate) best_move: Option<Move>,
    /// How `best` bounds the true score.
    pub(crate) bound: Bound,
    /// How many moves the picker gave, searched or skipped.
    pub(crate) moves: u32,
}

/// A move about to be searched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) mv: Move,
    /// Its place in the order, from 1.
    pub(crate) number: u32,
    /// A capture or a promotion.
    pub(crate) tactical: bool,
    pub(crate) gives_check: bool,
    /// A killer or the counter-move. Not looked up for the first move, which is neither reduced nor
    /// skipped.
    pub(crate) refutation: bool,
    /// Its history score; 0 for the first move.
    pub(crate) history: i32,
}

/// The moves of a node that were searched and did not fail high.
#[derive(Default)]
pub(crate) struct Tried {
    pub(crate) quiets: ArrayVec<Move, TRIED>,
    pub(crate) captures: ArrayVec<Move, TRIED>,
}

/// The pieces of the side to move besides king and pawns.
#[inline]
pub(crate) fn own_pieces(board: &Board) -> Bitboard {
    let ours = board.color(board.turn());
    ours & !(board.pieces(Piece::Pawn) | board.pieces(Piece::King))
}
