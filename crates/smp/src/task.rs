//! One search from beginning to end: the coordinator starts the workers, shows what the first of
//! them to finish an iteration has found, and gives the answer without waiting for the last of them
//! to leave.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use rayon::ThreadPool;
use skewer_search::{
    Context, Counters, CurrentMove, Limits, Mode, Outcome, Position, Report, TablebaseRules,
    TablebaseUse, TimeSource,
};
use skewer_syzygy::Tables;
use skewer_tt::Table;
use skewer_types::{Bound, Depth, Score, Techniques};

use crate::crew::Crew;
use crate::desk::{Departure, Enough, Patience};
use crate::params;
use crate::session::{Audience, Session};
use crate::sync_std::read;
use crate::vote::{Candidate, elect};

/// What a search tells its user, in this order: lines and notes, then [`Event::Done`] once.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A line of analysis.
    Line(&'a Report),
    /// The root move that the first worker is looking at: told now and then, once a search has
    /// lasted some seconds.
    CurrentMove(CurrentMove),
    /// Something out of the ordinary, as a plain sentence.
    Note(&'a str),
    /// The answer: its line is the last one of `multi_pv` 1 that was told. Its nodes are those of
    /// all workers.
    Done(&'a Outcome),
}

/// Called for every event, on the engine's coordinating thread.
pub(crate) type OnEvent = Box<dyn FnMut(Event<'_>) + Send>;

/// A real search.
pub(crate) type SearchSession = Session<Report, Outcome>;

/// Endgame tables and how to use them.
#[derive(Debug, Clone)]
pub(crate) struct SharedTables {
    pub(crate) tables: Arc<Tables>,
    pub(crate) rules: TablebaseRules,
}

/// Everything that one search needs, shared by its workers.
pub(crate) struct Task {
    pub(crate) position: Position,
    pub(crate) limits: Limits,
    pub(crate) techniques: Techniques,
    pub(crate) table: Arc<RwLock<Table>>,
    pub(crate) tablebases: Option<SharedTables>,
    pub(crate) crew: Arc<Crew>,
    pub(crate) session: Arc<SearchSession>,
    pub(crate) started: Instant,
}

impl Task {
    pub(crate) fn patience(mode: Mode) -> Patience {
        match mode {
            Mode::Answer => Patience::AnswerWhenDone,
            Mode::Infinite | Mode::Ponder => Patience::WaitToBeAsked,
        }
    }

    pub(crate) fn enough(limits: &Limits) -> Enough {
        if limits.multi_pv > 1 {
            Enough::TheFirsts
        } else {
            Enough::Anyones
        }
    }

    /// Runs the search to its answer, on the coordinator's thread. The workers of the search
    /// before must have left.
    pub(crate) fn run(self: Arc<Self>, pool: &ThreadPool, on_event: OnEvent) {
        self.crew.counters.iter().for_each(Counters::reset);
        read(&self.table).new_search();
        let task = Arc::clone(&self);
        pool.spawn_broadcast(move |seat| task.work(seat.index()));
        self.session.coordinate(&mut Coordinator {
            task: &self,
            on_event,
            last_shown: None,
            finished: None,
            last_move: None,
            next_remark: self.started + params::FIRST_CURRENT_MOVE,
        });
    }

    /// One worker's part, on its own thread.
    fn work(&self, id: usize) {
        let table = read(&self.table);
        let context = Context {
            table: &table,
            signals: &self.session.signals,
            epoch: self.session.epoch,
            counters: &self.crew.counters,
            started: self.started,
            tablebases: self.tablebases.as_ref().map(|shared| TablebaseUse {
                tables: &shared.tables,
                rules: shared.rules,
            }),
            techniques: self.techniques,
        };
        let mut list = Vec::new();
        let mut report = |report: &Report| {
            list.push(report.clone());
            let finished = report.bound == Bound::Exact;
            if finished && report.multi_pv < report.lines {
                return;
            }
            let mut list = std::mem::take(&mut list);
            let vote = list.first().filter(|line| finished && !line.pv.is_empty());
            let vote = vote.cloned();
            // Several lines belong together, so they come from one worker.
            if id != 0 && !(finished && self.limits.multi_pv == 1) {
                list.clear();
            }
            self.session.desk.tell(id, vote, list);
        };
        let result = self.crew.work(id, |worker| {
            worker.search(&self.position, &self.limits, &context, &mut report)
        });
        // Whoever waits for the workers to leave may want to replace these.
        drop(table);
        // Of a failure the coordinator hears first, and it stops the others.
        self.session.desk.leave(
            id,
            match result {
                Ok(outcome) => Departure::Finished(outcome),
                Err(message) => Departure::Panicked(message),
            },
        );
    }

    /// How long the clock of a search runs before the answer is due even if no worker says so.
    pub(crate) fn curfew(limits: &Limits) -> Option<Duration> {
        if limits.mode == Mode::Infinite || limits.time_source != TimeSource::Wall {
            return None;
        }
        limits.hard_time()?.checked_add(params::CURFEW)
    }

    /// Nodes of all workers so far.
    fn nodes(&self) -> u64 {
        self.crew.counters.iter().map(Counters::nodes).sum()
    }

    /// Endgame-table hits of all workers so far.
    fn tb_hits(&self) -> u64 {
        self.crew.counters.iter().map(Counters::tb_hits).sum()
    }
}

/// The coordinator's view of one search.
struct Coordinator<'a> {
    task: &'a Task,
    on_event: OnEvent,
    /// The last line with `multi_pv` 1 that was told.
    last_shown: Option<Report>,
    /// The deepest iteration of which a finished line was told.
    finished: Option<Depth>,
    /// The last current move that was told.
    last_move: Option<CurrentMove>,
    /// When the current move is told next.
    next_remark: Instant,
}

impl Audience<Report, Outcome> for Coordinator<'_> {
    fn line(&mut self, line: Report) {
        if self.is_news(&line) {
            self.show(line);
        }
    }

    fn failure(&mut self, message: &str) {
        self.tell(Event::Note(&format!(
            "a search thread failed and was replaced: {message}"
        )));
    }

    fn next_remark(&self) -> Option<Instant> {
        Some(self.next_remark)
    }

    fn remark(&mut self) {
        self.tell_current_move();
        self.next_remark = Instant::now() + params::NEXT_CURRENT_MOVE;
    }

    fn decide(&mut self) -> Outcome {
        let outcome = self.elect();
        if self.must_be_shown(&outcome) {
            let report = self.report_of(&outcome);
            self.show(report);
        }
        outcome
    }

    fn done(&mut self, answer: &Outcome) {
        self.tell(Event::Done(answer));
    }
}

impl Coordinator<'_> {
    /// Whether no worker has been here before.
    fn is_news(&self, report: &Report) -> bool {
        self.task.limits.multi_pv > 1 || Some(report.depth) > self.finished
    }

    fn show(&mut self, report: Report) {
        self.tell(Event::Line(&report));
        if report.bound == Bound::Exact {
            self.finished = self.finished.max(Some(report.depth));
        }
        if report.multi_pv == 1 {
            self.last_shown = Some(report);
        }
    }

    fn tell_current_move(&mut self) {
        let session = &self.task.session;
        if session.signals.is_stopped(session.epoch) {
            // Nothing is looked at any more, though the answer may have to wait for its question.
            return;
        }
        let current = self.task.crew.counters[0].current_move();
        if let Some(current) = current.filter(|_| current != self.last_move) {
            self.last_move = Some(current);
            self.tell(Event::CurrentMove(current));
        }
    }

    /// Calls the user back. A panic of the user's must not end the coordinator.
    fn tell(&mut self, event: Event<'_>) {
        if catch_unwind(AssertUnwindSafe(|| (self.on_event)(event))).is_err() {
            self.on_event = Box::new(|_| {});
        }
    }

    /// The best of what the workers found.
    fn elect(&self) -> Outcome {
        let findings: Vec<Option<Outcome>> = self
            .task
            .session
            .desk
            .findings()
            .into_iter()
            .map(|(outcome, line)| outcome.or_else(|| line.as_ref().map(outcome_of)))
            .collect();
        let mut elected = 0;
        if self.task.limits.multi_pv == 1 {
            // Who asks for a depth is answered by a worker that got there.
            let wanted = match self.task.limits.depth {
                Some(_) => findings.iter().flatten().map(|f| f.depth).max(),
                None => None,
            };
            let candidates: Vec<Candidate> = findings
                .iter()
                .enumerate()
                .filter_map(|(worker, finding)| {
                    let finding = finding.as_ref()?;
                    if wanted.is_some_and(|depth| finding.depth < depth) {
                        return None;
                    }
                    Some(Candidate {
                        worker,
                        mv: finding.best?,
                        score: finding.score,
                        depth: finding.depth,
                    })
                })
                .collect();
            elected = elect(&candidates).unwrap_or(0);
        } else if findings[0].is_none() {
            elected = findings.iter().position(Option::is_some).unwrap_or(0);
        }
        let nodes = self.task.nodes();
        match findings.into_iter().nth(elected).flatten() {
            Some(outcome) => Outcome { nodes, ..outcome },
            None => self.any_move(nodes),
        }
    }

    /// Every worker failed before it had a line: some legal move is better than none.
    fn any_move(&self, nodes: u64) -> Outcome {
        let best = self.task.position.board().legal_moves().first().copied();
        Outcome {
            best,
            ponder: None,
            score: Score::ZERO,
            depth: 0,
            pv: best.into_iter().collect(),
            nodes,
        }
    }

    /// Whether the user has not been told the line that is about to be played.
    fn must_be_shown(&self, outcome: &Outcome) -> bool {
        if outcome.pv.is_empty() || outcome.depth == 0 {
            return false;
        }
        self.last_shown.as_ref().is_none_or(|shown| {
            shown.bound != Bound::Exact || shown.pv != outcome.pv || shown.score != outcome.score
        })
    }

    fn report_of(&self, outcome: &Outcome) -> Report {
        Report {
            depth: outcome.depth,
            seldepth: self
                .last_shown
                .as_ref()
                .map_or(outcome.pv.len(), |shown| shown.seldepth),
            multi_pv: 1,
            lines: 1,
            score: outcome.score,
            bound: Bound::Exact,
            nodes: outcome.nodes,
            time: self.task.started.elapsed(),
            hashfull: read(&self.task.table).hashfull(),
            tb_hits: self.task.tb_hits(),
            pv: outcome.pv.clone(),
        }
    }
}

fn outcome_of(line: &Report) -> Outcome {
    Outcome {
        best: line.pv.first().copied(),
        ponder: line.pv.get(1).copied(),
        score: line.score,
        depth: line.depth,
        pv: line.pv.clone(),
        nodes: line.nodes,
    }
}
