//! Results of a search: a report for each finished line, and the outcome at the end.

use std::time::Duration;

use arrayvec::ArrayVec;
use skewer_movegen::Move;
use skewer_types::{Bound, Depth, MAX_PLY, Ply, Score};

/// A line of moves, the first of them the one to play.
pub type Line = ArrayVec<Move, { MAX_PLY + 1 }>;

/// One line of analysis, as it stood when a search of the root returned.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Report {
    /// The iteration, in plies.
    pub depth: Depth,
    /// The greatest ply reached in this iteration.
    pub seldepth: Ply,
    /// Which of the best lines this is, from 1.
    pub multi_pv: usize,
    /// How many lines this iteration reports, one after another.
    pub lines: usize,
    /// The score for the side to move.
    pub score: Score,
    /// [`Bound::Exact`] for a finished line; otherwise the search left its window and goes on.
    pub bound: Bound,
    /// Nodes of all workers so far.
    pub nodes: u64,
    /// Time since the search was asked for, by the time source of its limits.
    pub time: Duration,
    /// How full the hash table is, in thousandths.
    pub hashfull: u32,
    /// Endgame-table hits of all workers so far.
    pub tb_hits: u64,
    /// The line. Every move is legal, a mating line ends with mate, and no line goes on after a
    /// draw.
    pub pv: Line,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SearchResult {
    /// The move to play; `None` when there is no legal move.
    pub best: Option<Move>,
    /// The expected answer, if one is known.
    pub ponder: Option<Move>,
    /// The score of the best move, for the side to move.
    pub score: Score,
    /// The last iteration that was finished, in plies.
    pub depth: Depth,
    /// The best line.
    pub pv: Line,
    /// Nodes of this worker.
    pub nodes: u64,
}
