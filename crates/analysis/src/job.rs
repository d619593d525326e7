//! The main line of a game as jobs for workers.

use std::ops::Range;
use std::sync::Arc;

use skewer_movegen::{Board, Move};

use crate::analyst::{Analyst, Confidence, Finding, Query, Settings};
use crate::confidence::Doubt;
use crate::error::AnalysisError;
use crate::formulas::{Eval, label};
use crate::judge::{is_deep, value};
use crate::line::MainLine;
use crate::motifs::{Motif, WeakMove, motifs};
use crate::params::{DOUBTFUL_DROP, FACTORS, STANDING_NODES};
use crate::scale::Units;
use crate::standing::for_player;

impl MainLine {
    /// Searches position `index`, with the moves that lead to it, so that the search sees repetitions.
    fn search(
        &self,
        analyst: &mut dyn Analyst,
        index: usize,
        factor: u64,
    ) -> Result<Finding, AnalysisError> {
        // A position from before a capture or a pawn move does not count as a repetition.
        let clock = usize::from(self.boards[index].halfmove_clock());
        let start = self.reach(index, clock.max(1));
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
    /// The number of the segment in the game, from 0.
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
    /// Nodes of the first search of a position.
    nodes: Option<u64>,
    units: Units,
}

impl Plan {
    /// The plan of these settings.
    pub fn new(settings: &Settings) -> Self {
        Self {
            confidence: settings.confidence,
            nodes: settings.nodes,
            units: settings.units(),
        }
    }

    /// Analyses a segment from its last position to its first, so that the hash table already has results for the
    /// positions that follow. Then repeats the searches of the positions on which a doubtful label depends, each time
    /// with more nodes, until the labels are sure, the node limit is reached or the highest level is reached.
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

    /// The search level that each position must reach, judging by the findings so far.
    fn wanted(&self, job: &Job, positions: &[Searched]) -> Vec<usize> {
        let mut wanted: Vec<usize> = positions
            .iter()
            .map(|position| usize::from(position.level == 0 && !position.is_given))
            .collect();
        if wanted.iter().any(|&level| level > 0) {
            return wanted;
        }
        let mut doubtful: Vec<Doubtful> = (1..positions.len())
            .filter_map(|index| self.doubtful(job, positions, index))
            .collect();
        // A label is a claim about the move, so moves with a label come before others. The least sure come first.
        doubtful.sort_by(|a, b| {
            let first = b.is_weak.cmp(&a.is_weak);
            first
                .then(a.chance.total_cmp(&b.chance))
                .then(a.index.cmp(&b.index))
        });
        let mut left = self.nodes_left(positions);
        for doubtful in doubtful {
            let pair = [doubtful.index - 1, doubtful.index];
            let raised = pair.map(|at| wanted[at].max(doubtful.level));
            let cost: u64 = pair
                .into_iter()
                .zip(raised)
                .map(|(at, level)| self.cost(&positions[at], wanted[at], level))
                .sum();
            if let Some(left) = &mut left {
                if cost > *left {
                    continue;
                }
                *left -= cost;
            }
            for (at, level) in pair.into_iter().zip(raised) {
                wanted[at] = level;
            }
        }
        wanted
    }

    /// The nodes left for repeated searches; `None` for no limit.
    fn nodes_left(&self, positions: &[Searched]) -> Option<u64> {
        let mean = self.confidence?.mean_nodes?;
        self.nodes?;
        let searched = positions
            .iter()
            .filter(|position| position.finding.nodes > 0);
        let most = mean.saturating_mul(searched.count() as u64);
        let spent = positions
            .iter()
            .map(|position| position.finding.spent)
            .sum();
        Some(most.saturating_sub(spent))
    }

    /// The additional nodes if the plan raises a position from level `wanted` to `level`. The first
    /// search is free.
    fn cost(&self, position: &Searched, wanted: usize, level: usize) -> u64 {
        let nodes = |level: usize| match level {
            level if level <= position.level.max(1) => 0,
            level => self.nodes.unwrap_or(0).saturating_mul(FACTORS[level - 1]),
        };
        nodes(level) - nodes(wanted)
    }

    /// The move that leads to position `index`, if its label is in doubt and a further search may settle it. Null moves
    /// have no label.
    fn doubtful(&self, job: &Job, positions: &[Searched], index: usize) -> Option<Doubtful> {
        let pair = [index - 1, index];
        let least = pair.map(|at| positions[at].level).into_iter().min()?;
        if least >= FACTORS.len() {
            return None;
        }
        let ply = job.range.start + index - 1;
        job.line.moves[ply]?;
        let boards = &job.line.boards[ply..ply + 2];
        let findings = pair.map(|at| &positions[at].finding);
        let doubtful = |is_weak, chance| Doubtful {
            index,
            level: least + 1,
            is_weak,
            chance,
        };
        if least == 0 {
            let [before, after] =
                [0, 1].map(|side| findings[side].rated(&boards[side], self.units));
            let mover = boards[0].turn();
            let drop = (before.chances() - after.chances()) * mover.fold(1.0, -1.0);
            let is_near = drop >= DOUBTFUL_DROP || label(before, after, mover).is_some();
            // Without a search, nothing is known about how sure the label is.
            return is_near.then(|| doubtful(true, 0.0));
        }
        let wanted = self.confidence?.chance;
        let doubt = Doubt::new(boards, job.line.moves[ply], findings, self.units);
        if doubt.is_weak
            && let Some(level) = self.standing_level(least)
            && !is_deep(&job.line, ply, findings)
            && self.changes_standing(job, ply, findings)
        {
            // Before all others, because such a motif makes the strongest claim.
            return Some(Doubtful {
                level,
                ..doubtful(true, 0.0)
            });
        }
        let chance = doubt.chance();
        (chance < wanted).then(|| doubtful(doubt.is_weak, chance))
    }

    /// The lowest search level above `least` at which searches are long enough to say that a move lets a win slip or
    /// loses a level game.
    fn standing_level(&self, least: usize) -> Option<usize> {
        let nodes = self.nodes?;
        let suffices = |factor: &u64| nodes.saturating_mul(*factor) >= STANDING_NODES;
        let level = FACTORS.iter().position(suffices)? + 1;
        Some(level.max(least + 1))
    }

    /// Whether move `ply` would be said to let a win slip or to lose a level game.
    fn changes_standing(&self, job: &Job, ply: usize, findings: [&Finding; 2]) -> bool {
        let boards = &job.line.boards[ply..ply + 2];
        let lines = [0, 1].map(|side| findings[side].best_from(&boards[side]));
        let [before, after] =
            [0, 1].map(|side| value(&job.line, ply + side, findings[side], self.units));
        let mover = boards[0].turn();
        let win = [0, 1].map(|side| {
            findings[side]
                .rated(&boards[side], self.units)
                .win_percent()
        });
        let sign = mover.fold(1.0, -1.0);
        let weak = WeakMove {
            played: job.line.moves[ply],
            past: &job.line.boards[job.line.reach(ply, ply)..ply],
            before: &boards[0],
            after: &boards[1],
            eval_before: before.0,
            eval_after: after.0,
            drop: sign * (win[0] - win[1]),
            chances_before: for_player(before.1, mover),
            chances_after: for_player(after.1, mover),
            best: &lines[0],
            reply: &lines[1],
        };
        motifs(&weak).into_iter().any(Motif::is_of_standing)
    }
}

/// A move whose label is in doubt.
struct Doubtful {
    /// The index of the position after the move.
    index: usize,
    /// The search level that the positions before and after the move must reach.
    level: usize,
    /// Whether the move has a label.
    is_weak: bool,
    /// The chance that the label, or its absence, would stay.
    chance: f64,
}

/// What is known about a position.
struct Searched {
    finding: Finding,
    /// The level of its longest search (see [`FACTORS`]); 0 before the first search.
    level: usize,
    /// Whether the input has an evaluation of the position.
    is_given: bool,
}

impl Searched {
    fn new(board: &Board, given: Option<&Finding>) -> Self {
        let is_over = Eval::at_end(board).is_some();
        Self {
            finding: given.filter(|_| !is_over).cloned().unwrap_or_default(),
            // The end of a game needs no search.
            level: if is_over { FACTORS.len() } else { 0 },
            is_given: given.is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::{FoundLine, Progress};
    use skewer_movegen::CastlingMode;
    use skewer_types::Score;

    /// A game from the ordinary start position.
    fn line_of(moves: &[&str]) -> MainLine {
        line_from(Board::STARTPOS, moves)
    }

    /// A game from a position, with `0000` for null moves.
    fn line_from(start: Board, moves: &[&str]) -> MainLine {
        let mut line = MainLine::position(start, CastlingMode::Standard);
        for &text in moves {
            let board = line.boards[line.moves.len()];
            let mv = (text != "0000").then(|| board.parse_uci(text).unwrap());
            line.moves.push(mv);
            line.boards.push(match mv {
                Some(mv) => board.play(mv),
                None => board.play_null().unwrap(),
            });
        }
        line
    }

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

    /// Gives every move a label that stays in doubt, and counts nodes.
    struct Doubter(u64);

    impl Analyst for Doubter {
        fn forget(&mut self, _: usize, _: u64) -> Result<(), AnalysisError> {
            Ok(())
        }

        fn search(
            &mut self,
            query: &Query<'_>,
            _: &mut dyn FnMut(&Progress),
        ) -> Result<Finding, AnalysisError> {
            let nodes = 1000 * query.factor;
            self.0 += nodes;
            // Better for the side to move, so that every move loses.
            let lines = vec![FoundLine::new(Score::new(200), &[])];
            Ok(Finding {
                lines,
                nodes,
                swing: 100,
                ..Finding::default()
            })
        }
    }

    /// Labels that stay in doubt are searched again up to the limit of nodes, and no further.
    #[test]
    fn doubtful_labels_cost_no_more_nodes_than_the_limit() {
        let line = line_of(&["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]);
        let positions = line.boards.len() as u64;
        let job = Job {
            range: 0..line.boards.len(),
            line: Arc::new(line),
            given: Vec::new(),
        };
        for mean in [1000, 5000, 40_000] {
            let plan = Plan::new(&Settings {
                nodes: Some(1000),
                confidence: Some(Confidence {
                    chance: 0.99,
                    mean_nodes: Some(mean),
                }),
                ..Settings::default()
            });
            let mut doubter = Doubter(0);
            let found = plan.analyse(&mut doubter, &job).unwrap();
            assert_eq!(
                doubter.0,
                found.iter().map(|found| found.spent).sum::<u64>()
            );
            assert!(doubter.0 <= mean * positions, "{mean}: {}", doubter.0);
            assert!(2 * doubter.0 >= mean * positions, "{mean}: {}", doubter.0);
        }
    }

    /// A null move has no label, so that nothing is searched again for it.
    #[test]
    fn nothing_is_searched_again_for_null_moves() {
        let line = line_of(&["0000"; 4]);
        let job = Job {
            range: 0..line.boards.len(),
            line: Arc::new(line),
            given: Vec::new(),
        };
        let plan = Plan::new(&Settings {
            nodes: Some(1000),
            confidence: Some(Confidence {
                chance: 0.99,
                mean_nodes: None,
            }),
            ..Settings::default()
        });
        let mut doubter = Doubter(0);
        let found = plan.analyse(&mut doubter, &job).unwrap();
        assert!(found.iter().all(|found| found.nodes == 1000));
        assert_eq!(doubter.0, 5 * 1000);
    }

    /// The end of a game is not searched, whichever rule ends it: here the capture of the last pawn.
    #[test]
    fn the_end_of_a_game_is_not_searched() {
        let pawn = "4k3/8/8/8/8/8/3p4/4K3 w - - 0 1".parse().unwrap();
        let line = line_from(pawn, &["e1d2"]);
        let job = Job {
            range: 0..line.boards.len(),
            line: Arc::new(line),
            given: Vec::new(),
        };
        let mut doubter = Doubter(0);
        let found = Plan::new(&Settings::default()).analyse(&mut doubter, &job);
        let found = found.unwrap();
        assert_eq!([found[0].nodes, found[1].nodes], [1000, 0]);
        assert_eq!(doubter.0, 1000);
    }

    /// Finds every position level except one, which is won for the side to move. Each search uses all of its nodes.
    struct OneWon(Board);

    impl Analyst for OneWon {
        fn forget(&mut self, _: usize, _: u64) -> Result<(), AnalysisError> {
            Ok(())
        }

        fn search(
            &mut self,
            query: &Query<'_>,
            _: &mut dyn FnMut(&Progress),
        ) -> Result<Finding, AnalysisError> {
            let is_won = query.board().key() == self.0.key();
            let score = Score::new(if is_won { 1000 } else { 0 });
            Ok(Finding {
                lines: vec![FoundLine::new(score, &[])],
                nodes: 25_000 * query.factor,
                ..Finding::default()
            })
        }
    }

    /// Before a move is said to let a win slip or to lose a level game, the positions before and after it are searched
    /// with enough nodes for such a claim, if the node limit allows that, however sure the labels are.
    #[test]
    fn changes_of_standing_are_searched_with_enough_nodes() {
        let line = line_of(&["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]);
        // After four plies. Black's second move loses the game, and White's third move lets the win go.
        let won = line.boards[4];
        let job = Job {
            range: 0..line.boards.len(),
            line: Arc::new(line),
            given: Vec::new(),
        };
        let nodes = |mean_nodes| -> Vec<u64> {
            let plan = Plan::new(&Settings {
                nodes: Some(25_000),
                confidence: Some(Confidence {
                    chance: 0.0,
                    mean_nodes,
                }),
                ..Settings::default()
            });
            let found = plan.analyse(&mut OneWon(won), &job).unwrap();
            found.iter().map(|found| found.nodes).collect()
        };
        let once = 25_000;
        let long = STANDING_NODES;
        assert_eq!(
            nodes(None),
            [once, once, once, long, long, long, once],
            "without a limit"
        );
        assert_eq!(nodes(Some(30_000)), [once; 7], "within a limit");
    }

    /// A position is searched with the moves since the last capture or pawn move. After 75 such moves of each side the
    /// game is over, and nothing is searched.
    #[test]
    fn the_past_begins_at_the_last_capture_or_pawn_move() {
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
        let moves = shuffle.into_iter().cycle().take(2000);
        let moves: Vec<&str> = moves.chain(["e2e4", "g8f6"]).collect();
        let line = line_of(&moves);
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
        assert_eq!(past.0, (0..150).chain([1, 1]).collect::<Vec<_>>());
    }
}
