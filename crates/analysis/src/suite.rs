//! Test suites: positions with moves to find, to avoid, or mates to give.

use std::time::Duration;

use skewer_movegen::Move;
use skewer_pgn::Epd;
use skewer_types::Score;

use crate::analyst::{Analyst, Query};
use crate::error::AnalysisError;

/// The result of a position.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// Whether the best move is right, and, if a mate is asked for, mates in time.
    pub solved: bool,
    /// If the position is solved, the nodes and time after which a right move stayed the best move until the end.
    pub since: Option<(u64, Duration)>,
    /// The depth of the last whole iteration, in plies.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// The best move.
    pub played: Option<Move>,
}

/// Whether a position has legal moves, and states which move to find or avoid or how fast to mate.
pub fn is_problem(epd: &Epd) -> bool {
    let moves = !epd.best_moves().is_empty() || !epd.avoid_moves().is_empty();
    (moves || epd.direct_mate().is_some()) && epd.board.has_legal_moves()
}

/// Searches a position that [is a problem](is_problem), with an empty hash table, to at most the depth of its `acd`.
///
/// # Errors
///
/// When an engine fails.
pub fn solve(analyst: &mut dyn Analyst, epd: &Epd) -> Result<Attempt, AnalysisError> {
    analyst.forget(1, 1)?;
    let depth = epd.number("acd").filter(|&depth: &i32| depth > 0);
    let mut since = None;
    let query = Query {
        depth,
        ..Query::new(&epd.board, epd.mode)
    };
    let found = analyst.search(&query, &mut |line| {
        if line.multi_pv != 1 {
            return;
        }
        if line.best.is_some_and(|mv| solves(epd, mv, line.score)) {
            since.get_or_insert((line.nodes, line.time));
        } else {
            since = None;
        }
    })?;
    let line = found.lines.first();
    let played = line.and_then(|line| line.moves_from(&epd.board).first().copied());
    let score = line.map_or(Score::ZERO, |line| Score::from_raw(line.score));
    let solved = played.is_some_and(|mv| solves(epd, mv, score));
    Ok(Attempt {
        solved,
        since: since.filter(|_| solved),
        depth: found.depth,
        nodes: found.nodes,
        played,
    })
}

/// Whether this move with this score solves the position.
fn solves(epd: &Epd, mv: Move, score: Score) -> bool {
    let mates = epd.direct_mate().is_none_or(|within| {
        score
            .mate_distance()
            .is_some_and(|moves| moves > 0 && moves <= within as i32)
    });
    epd.accepts(mv) && mates
}
