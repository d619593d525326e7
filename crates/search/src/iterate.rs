//! Iterative deepening: one iteration after another, each with a narrow window around the last
//! score, until a limit is met; and what is kept of an iteration that was cut short.

use skewer_eval::Evaluator;
use skewer_movegen::{Board, Move};
use skewer_types::{Bound, Depth, MAX_DEPTH, Score, TechniqueSet, Techniques};

use crate::limits::{Limits, Mode};
use crate::params;
use crate::position::Position;
use crate::report::{Line, Outcome, Report};
use crate::root::RootMove;
use crate::search::{Expect, Root, Search};
use crate::stack::PartKeys;
use crate::time::Progress;
use crate::window::Window;

/// Time after which lines that left their window are reported as well.
const REPORT_BOUNDS_AFTER: std::time::Duration = std::time::Duration::from_secs(3);

/// The best line so far, of the last finished iteration or of what a cut-off one has found since.
pub(crate) struct Best {
    pub(crate) mv: Move,
    pub(crate) score: Score,
    pub(crate) depth: Depth,
    pub(crate) pv: Line,
}

/// The score of a root move that does not lose and whose line may have been cut short. A fail-high may have
/// its mate score from the hash table, but a mate is reported only with the line that leads to it.
fn score_within_line(root: &RootMove) -> Score {
    match root.score.plies_to_mate() {
        Some(plies) if (root.pv.len() as i32) < plies => Score::MAX_EVAL,
        _ => root.score,
    }
}

/// An average that follows the scores of the iterations, each with the weight of two thirds.
fn followed(average: Option<Score>, score: Score) -> Score {
    match average {
        Some(average) if !score.is_decisive() && !average.is_decisive() => {
            Score::from_raw((average.raw() + 2 * score.raw()) / 3)
        }
        _ => score,
    }
}

impl<E: Evaluator, T: TechniqueSet> Search<'_, E, T> {
    /// Searches `position` until a limit is met.
    pub(crate) fn iterate(
        &mut self,
        position: &Position,
        limits: &Limits,
        report: &mut dyn FnMut(&Report),
    ) -> Outcome {
        let board = position.board();
        self.prepare(position);
        if self.memory.root.moves.is_empty() {
            return self.finished_game(board, report);
        }
        let lines = limits.multi_pv.clamp(1, self.memory.root.moves.len());
        let deepest = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let resumes = limits.may_resume();
        let mut best = if resumes {
            self.resume(position, deepest)
        } else {
            None
        };
        let mut reported: Option<Move> = None;
        let mut stable = 0;
        let mut trend = best.as_ref().map(|known| known.score);
        if let Some(known) = &best {
            self.prepare_report();
            let head = &self.memory.root.moves[0];
            report(&self.line_report(head, known.depth, known.score, Bound::Exact));
            reported = Some(known.mv);
            self.settle_averages();
        }

        for depth in best.as_ref().map_or(1, |known| known.depth + 1)..=deepest {
            self.root_depth = depth;
            for line in 0..lines {
                self.memory.root.first = line;
                self.seldepth = 0;
                let alpha = self.search_line(board, depth, line, lines, report);
                if self.aborted {
                    // Several lines are shown as one list, of one iteration.
                    if lines == 1 {
                        self.keep_from_aborted_iteration(&mut best, alpha, depth);
                    }
                    break;
                }
            }
            if self.aborted {
                break;
            }
            self.memory.root.first = 0;
            self.memory.root.sort_from(0);
            let head = &self.memory.root.moves[0];
            stable = match &best {
                Some(before) if before.mv == head.mv => stable + 1,
                _ => 0,
            };
            let finished = Best {
                mv: head.mv,
                score: head.score,
                depth,
                pv: head.line(),
            };
            reported = Some(head.mv);
            let average = trend.unwrap_or(head.score);
            trend = Some(followed(trend, head.score));
            self.prepare_report();
            for line in 0..lines {
                let root = &self.memory.root.moves[line];
                report(&Report {
                    multi_pv: line + 1,
                    lines,
                    ..self.line_report(root, depth, root.score, Bound::Exact)
                });
            }
            self.settle_averages();
            if resumes {
                self.leave_to_resume(board, &finished);
            }
            let stops = self.stops_deepening(limits, &finished, average, stable);
            best = Some(finished);
            if stops {
                break;
            }
        }
        self.prepare_report();
        // Any worker may finish a single line. Several lines are one list, reported by worker 0.
        if self.id == 0 || limits.multi_pv == 1 && !self.aborted {
            self.context.signals.stop(self.context.epoch);
        }
        let mut best = best.unwrap_or_else(|| self.first_move());
        if self.aborted && !best.score.is_mate() {
            // A fail-high that was not searched again has no more than its first move.
            self.add_answer_of_table(position, &mut best.pv);
        }
        if reported != Some(best.mv)
            && let Some(root) = self.memory.root.moves.iter().find(|m| m.mv == best.mv)
        {
            // The answer must be the head of the last line reported.
            let mut shown = root.clone();
            shown.pv = best.pv.to_vec();
            report(&self.line_report(&shown, best.depth, best.score, Bound::Exact));
        }
        Outcome {
            best: Some(best.mv),
            ponder: best.pv.get(1).copied(),
            score: self.memory.root.shown(best.score),
            depth: best.depth,
            pv: best.pv,
            nodes: self.nodes,
        }
    }

    /// Sets up the evaluator, the stack and the keys for the root.
    pub(crate) fn prepare(&mut self, position: &Position) {
        let board = position.board();
        self.evaluator.reset(board);
        let memory = &mut *self.memory;
        memory.stack.clear();
        memory.histories.age();
        memory.histories.clear_low_plies();
        let earlier = position.earlier_keys();
        memory.keys.start(earlier, board.key());
        let frame = memory.stack.at_mut(0);
        frame.keys = PartKeys::of(board);
        frame.reversible = earlier.len().min(usize::from(board.halfmove_clock())) as u16;
        // The frame before the root must not look like a null move.
        memory.stack.set_root();
    }

    /// The outcome where there is no legal move.
    fn finished_game(&mut self, board: &Board, report: &mut dyn FnMut(&Report)) -> Outcome {
        let score = if board.in_check() {
            Score::mated_in(0)
        } else {
            Score::DRAW
        };
        self.publish();
        report(&Report {
            depth: 0,
            seldepth: 0,
            multi_pv: 1,
            lines: 1,
            score,
            bound: Bound::Exact,
            nodes: self.context.nodes(),
            time: self.context.started.elapsed(),
            hashfull: self.context.table.hashfull(),
            tb_hits: 0,
            pv: Line::new(),
        });
        if self.id == 0 {
            self.context.signals.stop(self.context.epoch);
        }
        Outcome {
            best: None,
            ponder: None,
            score,
            depth: 0,
            pv: Line::new(),
            nodes: self.nodes,
        }
    }

    /// Searches one line of an iteration, with wider and wider windows until the score lies in
    /// one. Returns the lower bound of the last window.
    pub(crate) fn search_line(
        &mut self,
        board: &Board,
        depth: Depth,
        line: usize,
        lines: usize,
        report: &mut dyn FnMut(&Report),
    ) -> Score {
        let average = self.memory.root.moves[line].average;
        let mut window = match average {
            Some(average)
                if depth >= params::aspiration_depth()
                    && self.has(Techniques::ASPIRATION_WINDOWS) =>
            {
                Window::around(average, self.id)
            }
            _ => Window::OPEN,
        };
        let mut failed_high = 0;
        self.memory.root.failed_high = None;
        loop {
            for root in &mut self.memory.root.moves[line..] {
                root.score = -Score::INFINITE;
                root.was_searched = false;
            }
            let (alpha, beta) = (window.alpha, window.beta);
            // After a fail high, a search that is a little less deep confirms the score at less cost.
            let searched = (depth - failed_high).max(1);
            let score = self.node::<Root>(board, 0, alpha, beta, searched, Expect::All);
            if self.aborted {
                return alpha;
            }
            self.memory.root.sort_from(line);
            let bound = if score <= alpha {
                window.lower(score);
                failed_high = 0;
                self.memory.root.failed_high = None;
                Bound::Upper
            } else if score >= beta {
                window.raise(score);
                self.memory.root.failed_high = Some(self.memory.root.moves[line].clone());
                failed_high = (failed_high + 1).min(params::aspiration_shallower());
                Bound::Lower
            } else {
                return alpha;
            };
            if lines == 1
                && self.id == 0
                && !score.is_decisive()
                && self.context.started.elapsed() >= REPORT_BOUNDS_AFTER
            {
                self.prepare_report();
                let root = &self.memory.root.moves[line];
                report(&self.line_report(root, depth, score, bound));
            }
        }
    }

    /// Takes over what an aborted iteration adds to the last finished one: the best move above alpha,
    /// or else a move that failed high and was being searched again with a wider window. A losing
    /// score is not taken over, because the iteration was still looking for something better.
    pub(crate) fn keep_from_aborted_iteration(
        &self,
        best: &mut Option<Best>,
        alpha: Score,
        depth: Depth,
    ) {
        let root = &self.memory.root;
        let above_alpha = root.moves.iter().filter(|root| root.score > alpha);
        let failed_high = root.failed_high.as_ref().filter(|failed_high| {
            // Once the wider window has searched the move, that result counts.
            let same = root.moves.iter().find(|root| root.mv == failed_high.mv);
            same.is_some_and(|same| !same.was_searched)
        });
        let candidate = above_alpha.max_by_key(|root| root.score).or(failed_high);
        if let Some(root) = candidate
            && !root.score.is_loss()
        {
            *best = Some(Best {
                mv: root.mv,
                score: score_within_line(root),
                depth: (depth - 1).max(1),
                pv: root.line(),
            });
        }
    }

    /// Lets the averages follow the scores of a finished iteration.
    fn settle_averages(&mut self) {
        for root in &mut self.memory.root.moves {
            if root.score == -Score::INFINITE {
                continue;
            }
            root.average = Some(followed(root.average, root.score));
        }
    }

    /// Returns whether iterative deepening stops after this iteration.
    fn stops_deepening(
        &mut self,
        limits: &Limits,
        best: &Best,
        average: Score,
        stable: u32,
    ) -> bool {
        if self.context.signals.is_stopped(self.context.epoch) {
            return true;
        }
        if let (Some(moves), Some(distance)) = (limits.mate, best.score.mate_distance())
            && distance.unsigned_abs() <= moves
        {
            return true;
        }
        if self.id != 0 {
            return false;
        }
        let nodes = self.context.nodes();
        if limits.soft_nodes.is_some_and(|limit| nodes >= limit)
            || limits.nodes.is_some_and(|limit| nodes >= limit)
        {
            return true;
        }
        let timed = self.timer.is_timed() && limits.mode == Mode::Answer;
        if timed
            && let Some(plies) = best.score.plies_to_mate()
            && best.depth > 2 * plies + 6
        {
            // Nothing shorter is left to find.
            return true;
        }
        let on_best = self.memory.root.moves[0].nodes;
        let progress = Progress {
            stable,
            best_share: (on_best * 100 / self.nodes.max(1)) as i32,
            score: best.score,
            average,
        };
        self.timer
            .soft_stop(self.set, self.context, nodes, &progress)
    }

    /// The answer when not even one iteration was finished, which cannot be: depth 1 always is.
    fn first_move(&self) -> Best {
        let root = &self.memory.root.moves[0];
        Best {
            mv: root.mv,
            score: Score::ZERO,
            depth: 0,
            pv: root.line(),
        }
    }

    /// A report of a line that stands alone.
    fn line_report(&self, root: &RootMove, depth: Depth, score: Score, bound: Bound) -> Report {
        Report {
            depth,
            seldepth: root.seldepth,
            multi_pv: 1,
            lines: 1,
            score: self.memory.root.shown(score),
            bound,
            nodes: self.context.nodes().max(self.nodes),
            time: self.context.started.elapsed(),
            hashfull: self.hashfull,
            tb_hits: self.context.tb_hits(),
            pv: root.line(),
        }
    }
}
