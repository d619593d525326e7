//! The main line of a game as jobs for workers.

use std::sync::Arc;

use skewer_movegen::{Board, Move};
use skewer_pgn::PgnGame;
use skewer_search::Position;

use crate::analyst::{Analyst, Finding};

/// The main line of a game.
#[derive(Debug)]
pub struct MainLine {
    /// The positions: the start, and the one after each move.
    pub boards: Vec<Board>,
    /// The moves; `None` for a null move.
    pub moves: Vec<Option<Move>>,
}

impl MainLine {
    /// The main line of `game`.
    pub fn of(game: &PgnGame) -> Self {
        let mut boards = vec![game.start().board];
        let mut moves = Vec::new();
        for id in game.mainline() {
            let node = game.node(id);
            moves.push(node.mv());
            boards.push(*node.board());
        }
        Self { boards, moves }
    }

    /// Position `index` with its past, for repetitions.
    fn position(&self, index: usize) -> Position {
        // A position from before a null move does not count as a repetition.
        let start = self.moves[..index]
            .iter()
            .rposition(Option::is_none)
            .map_or(0, |null| null + 1);
        Position::from_moves(
            self.boards[start],
            self.moves[start..index].iter().flatten().copied(),
        )
    }

    /// The ranges of positions that are analysed by one worker each.
    pub fn segments(&self, split: usize) -> Vec<std::ops::Range<usize>> {
        let size = if split == 0 { self.boards.len() } else { split };
        (0..self.boards.len())
            .step_by(size)
            .map(|a| a..(a + size).min(self.boards.len()))
            .collect()
    }
}

/// Identifies a segment of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Segment {
    /// The game's number.
    pub game: u64,
    /// Its number in the game, from 0.
    pub segment: u32,
}

/// A segment of a game to analyse.
#[derive(Debug)]
pub struct Job {
    /// The positions of the segment.
    pub range: std::ops::Range<usize>,
    /// The game.
    pub line: Arc<MainLine>,
}

/// Analyses a segment from its last position to its first, so that the hash table already has results
/// for the positions that follow.
pub fn analyse_segment(analyst: &mut Analyst, job: &Job) -> Vec<Finding> {
    analyst.forget(job.range.len());
    let mut findings: Vec<Finding> = job
        .range
        .clone()
        .rev()
        .map(|index| analyst.search(&job.line.position(index), None, &mut |_| {}))
        .collect();
    findings.reverse();
    findings
}
