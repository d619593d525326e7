//! The main line of a game as jobs for workers.

use std::ops::Range;
use std::sync::Arc;

use skewer_movegen::{Board, Move};
use skewer_types::WinModel;

use crate::analyst::{Analyst, Confidence, Finding, Query, Settings};
use crate::confidence::Doubt;
use crate::error::AnalysisError;
use crate::formulas::label;
use crate::line::MainLine;
use crate::params::{DOUBTFUL_DROP, FACTORS};

impl MainLine {
    /// Searches position `index` with its past, for repetitions.
    fn search(
        &self,
        analyst: &mut dyn Analyst,
        index: usize,
        factor: u64,
    ) -> Result<Finding, AnalysisError> {
        // A position from before a capture, a pawn move or a null move does not count as a repetition.
        let clock = usize::from(self.boards[index].halfmove_clock()).max(1);
        let first = index.saturating_sub(clock);
        let start = self.moves[first..index]
            .iter()
            .rposition(Option::is_none)
            .map_or(first, |null| first + null + 1);
        let moves: Vec<Move> = self.moves[start..index].iter().flatten().copied().collect();
        let query = Query {
            moves: &moves,
            factor,
            ..Query::new(&self.boards[start], self.mode)
        };
        analyst.search(&query, &mut |_| {})
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
    pub range: Range<usize>,
    /// The game.
    pub line: Arc<MainLine>,
    /// What is known about each position of the game; empty if nothing is.
    pub given: Vec<Option<Finding>>,
}

/// Which positions are searched, and how deeply.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    confidence: Option<Confidence>,
    model: WinModel,
}

impl Plan {
    /// The plan of these settings.
    pub fn new(settings: &Settings) -> Self {
        Self {
            confidence: settings.confidence,
            model: settings.win_model(),
        }
    }

    /// Analyses a segment from its last position to its first, so that the hash table already has results
    /// for the positions that follow. Positions on which a doubtful label depends are then searched again
    /// with more nodes, as often as it is needed.
    ///
    /// # Errors
    ///
    /// When an engine fails.
    pub fn analyse(
        &self,
        analyst: &mut dyn Analyst,
        job: &Job,
    ) -> Result<Vec<Finding>, AnalysisError> {
        let boards = &job.line.boards[job.range.clone()];
        let given = job.given.get(job.range.clone()).unwrap_or_default();
        let mut positions: Vec<Searched> = (boards.iter().enumerate())
            .map(|(index, board)| Searched::new(board, given.get(index).and_then(Option::as_ref)))
            .collect();
        loop {
            let levels = self.wanted(job, &positions);
            let again: Vec<usize> = (0..positions.len())
                .filter(|&index| positions[index].level < levels[index])
                .collect();
            let Some(factor) = again.iter().map(|&index| FACTORS[levels[index] - 1]).max() else {
                break;
            };
            analyst.forget(again.len(), factor)?;
            for index in again.into_iter().rev() {
                let factor = FACTORS[levels[index] - 1];
                let found = job.line.search(analyst, job.range.start + index, factor)?;
                let position = &mut positions[index];
                position.level = levels[index];
                let spent = position.finding.spent + found.nodes;
                position.finding = Finding { spent, ..found };
            }
        }
        Ok(positions
            .into_iter()
            .map(|position| position.finding)
            .collect())
    }

    /// How often each position has to be searched, judging by what is known.
    fn wanted(&self, job: &Job, positions: &[Searched]) -> Vec<usize> {
        let mut wanted: Vec<usize> = positions
            .iter()
            .map(|position| usize::from(position.level == 0 && !position.is_given))
            .collect();
        if wanted.iter().any(|&level| level > 0) {
            return wanted;
        }
        for index in 1..positions.len() {
            let pair = [index - 1, index];
            let searched = pair.map(|at| positions[at].level);
            let least = searched[0].min(searched[1]);
            if least < FACTORS.len() && self.is_doubtful(job, positions, index, least) {
                for at in pair {
                    wanted[at] = wanted[at].max(least + 1);
                }
            }
        }
        wanted
    }

    /// Whether the label of the move that leads to position `index` is in doubt. `least` says how often
    /// the two positions have been searched.
    fn is_doubtful(&self, job: &Job, positions: &[Searched], index: usize, least: usize) -> bool {
        let ply = job.range.start + index - 1;
        let boards = &job.line.boards[ply..ply + 2];
        let findings = [&positions[index - 1].finding, &positions[index].finding];
        if least == 0 {
            let [before, after] = [0, 1].map(|side| findings[side].eval(&boards[side], self.model));
            let white = boards[0].turn() == skewer_movegen::Color::White;
            let drop = (before.chances() - after.chances()) * if white { 1.0 } else { -1.0 };
            return drop >= DOUBTFUL_DROP || label(before, after, white).is_some();
        }
        let Some(Confidence(wanted)) = self.confidence else {
            return false;
        };
        let doubt = Doubt::new(boards, job.line.moves[ply], findings, self.model);
        doubt.chance() < wanted
    }
}

/// What is known about a position.
struct Searched {
    finding: Finding,
    /// How often it has been searched, each time with more nodes.
    level: usize,
    /// Whether it had a finding without a search.
    is_given: bool,
}

impl Searched {
    fn new(board: &Board, given: Option<&Finding>) -> Self {
        let is_over = !board.has_legal_moves();
        Self {
            finding: given.filter(|_| !is_over).cloned().unwrap_or_default(),
            // There is nothing to find in a position without a move.
            level: if is_over { FACTORS.len() } else { 0 },
            is_given: given.is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::Progress;
    use skewer_movegen::CastlingMode;

    /// Keeps how many moves of the past come with each position.
    struct Past(Vec<usize>);

    impl Analyst for Past {
        fn forget(&mut self, _: usize, _: u64) -> Result<(), AnalysisError> {
            Ok(())
        }

        fn search(
            &mut self,
            query: &Query<'_>,
            _: &mut dyn FnMut(&Progress),
        ) -> Result<Finding, AnalysisError> {
            self.0.push(query.moves.len());
            Ok(Finding::default())
        }
    }

    #[test]
    fn the_past_begins_at_the_last_capture_or_pawn_move_and_is_bounded() {
        let mut line = MainLine::position(Board::STARTPOS, CastlingMode::Standard);
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
        let moves = shuffle.iter().cycle().take(2000).chain(["e2e4"].iter());
        for mv in moves.chain(&shuffle[1..2]) {
            let board = line.boards[line.moves.len()];
            let mv = board.parse_uci(mv).unwrap();
            line.moves.push(Some(mv));
            line.boards.push(board.play(mv));
        }
        let job = Job {
            range: 0..line.boards.len(),
            line: Arc::new(line),
            given: Vec::new(),
        };
        let mut past = Past(Vec::new());
        let plan = Plan::new(&Settings::default());
        plan.analyse(&mut past, &job).unwrap();
        // Positions are searched from the last to the first.
        past.0.reverse();
        let bounded = (0..=2000).map(|ply| ply.min(255));
        assert_eq!(past.0, bounded.chain([1, 1]).collect::<Vec<_>>());
    }
}
