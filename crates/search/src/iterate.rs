//! Iterative deepening: one iteration after another, each with a narrow window around the last
//! score, until a limit is met; and what is kept of an iteration that was cut short.

use skewer_eval::Evaluator;
use skewer_movegen::{Board, Move};
use skewer_types::{Bound, Depth, MAX_DEPTH, Score, TechniqueSet, Techniques};

use crate::limits::Mode;
use crate::params;
use crate::position::Position;
use crate::report::{Line, Report, SearchResult};
use crate::root::{RootMove, followed};
use crate::scale::Optimism;
use crate::search::{Expect, Root, Search};
use crate::stack::PartKeys;
use crate::time::Progress;
use crate::window::Window;

/// Time after which lines that left their window are reported as well.
const REPORT_BOUNDS_AFTER: std::time::Duration = std::time::Duration::from_secs(3);

/// The best line so far, from the last finished iteration or from the iteration that was cut short after it.
pub(crate) struct Best {
    pub(crate) mv: Move,
    pub(crate) score: Score,
    pub(crate) depth: Depth,
    pub(crate) pv: Line,
}

/// The finished iterations of a search.
#[derive(Default)]
pub(crate) struct Deepening {
    pub(crate) best: Option<Best>,
    /// The best move of the last finished iteration.
    reported: Option<Move>,
    /// Iterations in a row with the same best move.
    pub(crate) stable: u32,
    /// The average of the scores of all iterations, and its value before the last iteration.
    pub(crate) average: Option<Score>,
    pub(crate) earlier: Option<Score>,
}

impl Deepening {
    /// Adds a finished iteration.
    pub(crate) fn add(&mut self, finished: Best) {
        self.stable = match &self.best {
            Some(before) if before.mv == finished.mv => self.stable + 1,
            _ => 0,
        };
        self.reported = Some(finished.mv);
        self.earlier = self.average;
        self.average = Some(followed(self.average, finished.score));
        self.best = Some(finished);
    }
}

impl<E: Evaluator, T: TechniqueSet> Search<'_, E, T> {
    /// Searches `position` until a limit is met.
    pub(crate) fn iterate(
        &mut self,
        position: &Position,
        report: &mut dyn FnMut(&Report),
    ) -> SearchResult {
        let board = position.board();
        self.prepare(position);
        if self.memory.root.moves.is_empty() {
            return self.finished_game(board, report);
        }
        let limits = self.context.control.limits();
        let lines = limits.multi_pv.clamp(1, self.memory.root.moves.len());
        let deepest = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let mut deepening = Deepening::default();
        let mut first = 1;
        if let Some(known) = self.resume(position, deepest) {
            first = known.depth + 1;
            self.report_iteration(known.depth, 1, report);
            deepening.add(known);
        }
        for depth in first..=deepest {
            // Keep the first iteration, because its answer may be the only one, and the deepest, because
            // the caller asked for it.
            if depth > first && depth < deepest && self.diversity.leaves_out(depth) {
                continue;
            }
            let alpha = self.search_iteration(board, depth, lines, report);
            if self.aborted {
                // Several lines are shown as one list, of one iteration.
                if lines == 1 {
                    self.keep_from_aborted_iteration(&mut deepening.best, alpha);
                }
                break;
            }
            self.report_iteration(depth, lines, report);
            let finished = self.head_of_iteration(depth);
            self.leave_to_resume(board, &finished);
            deepening.add(finished);
            if self.stops_deepening(&deepening) {
                break;
            }
        }
        self.answer(position, deepening, report)
    }

    /// Searches all lines of an iteration. Returns the lower bound of the last window.
    fn search_iteration(
        &mut self,
        board: &Board,
        depth: Depth,
        lines: usize,
        report: &mut dyn FnMut(&Report),
    ) -> Score {
        let mut alpha = -Score::INFINITE;
        self.root_depth = depth;
        for line in 0..lines {
            self.memory.root.first = line;
            self.seldepth = 0;
            alpha = self.search_line(board, depth, line, lines, report);
            if self.aborted {
                return alpha;
            }
        }
        self.memory.root.first = 0;
        self.memory.root.sort_from(0);
        alpha
    }

    /// Reports the lines of a finished iteration.
    fn report_iteration(&mut self, depth: Depth, lines: usize, report: &mut dyn FnMut(&Report)) {
        self.prepare_report();
        for line in 0..lines {
            let root = &self.memory.root.moves[line];
            report(&Report {
                multi_pv: line + 1,
                lines,
                ..self.line_report(root, depth, root.score, Bound::Exact)
            });
        }
        self.memory.root.settle_averages();
    }

    /// The best line of a finished iteration.
    fn head_of_iteration(&self, depth: Depth) -> Best {
        let head = &self.memory.root.moves[0];
        Best {
            mv: head.mv,
            score: head.score,
            depth,
            pv: head.line(),
        }
    }

    /// Ends the search with its outcome.
    pub(crate) fn answer(
        &mut self,
        position: &Position,
        deepening: Deepening,
        report: &mut dyn FnMut(&Report),
    ) -> SearchResult {
        self.prepare_report();
        let control = self.context.control;
        // Any worker may finish a single line. Several lines are one list, reported by worker 0.
        if self.id == 0 || control.limits().multi_pv == 1 && !self.aborted {
            control.end_workers();
        }
        // Depth 1 is always finished.
        let mut best = deepening.best.unwrap_or_else(|| self.head_of_iteration(0));
        if self.aborted && control.limits().multi_pv == 1 && !best.score.is_mate() {
            // The line of a fail-high that was not searched again is its first move alone.
            self.add_answer_of_table(position, &mut best.pv);
        }
        if deepening.reported != Some(best.mv)
            && let Some(root) = self.memory.root.moves.iter().find(|m| m.mv == best.mv)
        {
            // The answer must be the head of the last line reported.
            let mut shown = root.clone();
            shown.pv = best.pv.to_vec();
            report(&self.line_report(&shown, best.depth, best.score, Bound::Exact));
        }
        SearchResult {
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
    }

    /// Reports and returns the result of a position without a legal move.
    fn finished_game(&mut self, board: &Board, report: &mut dyn FnMut(&Report)) -> SearchResult {
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
            time: self.context.control.elapsed(self.context.nodes()),
            hashfull: self.context.table.hashfull(),
            tb_hits: 0,
            pv: Line::new(),
        });
        if self.id == 0 {
            self.context.control.end_workers();
        }
        SearchResult {
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
        self.optimism = Optimism::at(board.turn(), average);
        let mut window = match average {
            Some(average)
                if depth >= params::aspiration_depth()
                    && self.has(Techniques::ASPIRATION_WINDOWS) =>
            {
                Window::around(average, &self.diversity)
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
                && self.context.control.elapsed(self.context.nodes()) >= REPORT_BOUNDS_AFTER
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
    pub(crate) fn keep_from_aborted_iteration(&self, best: &mut Option<Best>, alpha: Score) {
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
                score: root.score_within_line(),
                // The last iteration that was finished, which need not be the one before.
                depth: best.as_ref().map_or(1, |best| best.depth),
                pv: root.line(),
            });
        }
    }

    /// Returns whether iterative deepening stops after the last iteration.
    pub(crate) fn stops_deepening(&self, deepening: &Deepening) -> bool {
        let control = self.context.control;
        let limits = control.limits();
        let Some(best) = &deepening.best else {
            return false;
        };
        let is_found = |moves| {
            let distance = best.score.mate_distance();
            distance.is_some_and(|distance| distance.unsigned_abs() <= moves)
        };
        if control.has_ended() || limits.mate.is_some_and(is_found) {
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
            // No shorter mate is left to find.
            return true;
        }
        let on_best = self.memory.root.moves[0].nodes;
        let progress = Progress {
            stable: deepening.stable,
            best_share: (on_best * 100 / self.nodes.max(1)) as i32,
            score: best.score,
            average: deepening.earlier.unwrap_or(best.score),
        };
        self.timer.soft_stop(self.set, control, nodes, &progress)
    }

    /// A report of a line that stands alone.
    fn line_report(&self, root: &RootMove, depth: Depth, score: Score, bound: Bound) -> Report {
        let nodes = self.context.nodes().max(self.nodes);
        Report {
            depth,
            seldepth: root.seldepth,
            multi_pv: 1,
            lines: 1,
            score: self.memory.root.shown(score),
            bound,
            nodes,
            time: self.context.control.elapsed(nodes),
            hashfull: self.hashfull,
            tb_hits: self.context.tb_hits(),
            pv: root.line(),
        }
    }
}
