//! One search: the coordinator starts the workers, reports the first line of each iteration, and
//! gives the result without waiting for the last worker to end.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, RwLock};
use std::time::Instant;

use skewer_search::{
    Context, Counters, CurrentMove, Poll, Position, Report, SearchResult, TablebaseRules,
    TablebaseUse, TimeSource,
};
use skewer_syzygy::Tables;
use skewer_tt::Table;
use skewer_types::{Bound, Depth, Score, Techniques};

use crate::crew::{Crew, Task};
use crate::params;
use crate::shared::{Observer, Shared, WorkerResult};
use crate::sync_std::read;
use crate::vote::{Candidate, elect};
use crate::workers::Workers;

/// What a search reports: lines, current moves and notes, then [`Event::Done`] once.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A line of analysis.
    Line(&'a Report),
    /// The root move that worker 0 searches, about once a second after the first three seconds.
    CurrentMove(CurrentMove),
    /// A failure that the search survived, as one sentence.
    Note(&'a str),
    /// The result. Its line is the last one reported with `multi_pv` 1; its nodes are the sum of all
    /// workers' nodes.
    Done(&'a SearchResult),
}

/// Called for every event, on the coordinator's thread or, with `Execution::Caller`, the caller's.
pub(crate) type OnEvent = Box<dyn FnMut(Event<'_>) + Send>;

/// The shared state of a real search.
pub(crate) type SharedSearch = Shared<Report, SearchResult>;

/// Everything that one search by all workers needs.
pub(crate) struct ParallelSearch {
    pub(crate) position: Position,
    pub(crate) techniques: Techniques,
    pub(crate) table: Arc<RwLock<Table>>,
    pub(crate) tablebases: Option<(Arc<Tables>, TablebaseRules)>,
    pub(crate) workers: Arc<Workers>,
    pub(crate) shared: Arc<SharedSearch>,
}

impl ParallelSearch {
    /// Prepares what the workers share. The workers of the search before must have ended.
    pub(crate) fn begin(&self) {
        self.workers.counters.iter().for_each(Counters::reset);
        read(&self.table).new_search();
    }

    /// Runs the search on the coordinator's thread. The workers of the search before must have
    /// ended.
    pub(crate) fn run(self: Arc<Self>, crew: &Crew, on_event: OnEvent) {
        self.begin();
        let search = Arc::clone(&self);
        let task: Task = Arc::new(move |id| {
            // `Workers::run` catches the panics of a search. Making the new worker can panic too, and a
            // worker that never finishes would be waited for without end.
            if catch_unwind(AssertUnwindSafe(|| search.work(id, None))).is_err() {
                let message = "it could not be replaced".to_owned();
                search.shared.finish(id, WorkerResult::Panicked(message));
            }
        });
        crew.run(&task);
        let shared = Arc::clone(&self.shared);
        shared.coordinate(&mut Coordinator::new(self, on_event));
    }

    /// Runs worker `id` on this thread. Now and then the worker calls `poll` or, if workers take turns, lets the
    /// next worker run.
    pub(crate) fn work(&self, id: usize, poll: Option<&dyn Fn()>) {
        // Dropped last, so that nothing of this worker is seen in the turn of another.
        let turn = self.shared.batons.as_ref().map(|batons| batons.take(id));
        // Worker 0 always searches, because it alone reports lists of lines.
        if id != 0 && self.shared.is_over() {
            return self.shared.finish(id, WorkerResult::NotNeeded);
        }
        let pass = || {
            if let Some(turn) = &turn {
                turn.pass();
            }
        };
        let poll = poll.or(turn.is_some().then_some(&pass));
        let table = read(&self.table);
        let context = Context {
            table: &table,
            control: &self.shared.control,
            counters: &self.workers.counters,
            tablebases: self
                .tablebases
                .as_ref()
                .map(|(tables, rules)| TablebaseUse {
                    tables,
                    rules: *rules,
                }),
            techniques: self.techniques,
            poll: poll.map(Poll),
        };
        // The lines of an iteration so far; with `MultiPV` they are reported together.
        let mut list = Vec::new();
        let mut report = |report: &Report| {
            list.push(report.clone());
            let is_exact = report.bound == Bound::Exact;
            if is_exact && report.multi_pv < report.lines {
                return;
            }
            let mut list = std::mem::take(&mut list);
            let best = list.first().filter(|line| is_exact && !line.pv.is_empty());
            let best = best.cloned();
            // Only worker 0 reports MultiPV lists and lines that failed high or low.
            if id != 0 && !(is_exact && self.multi_pv() == 1) {
                list.clear();
            }
            self.shared.report(id, best, list);
        };
        let result = self.workers.run(id, |worker| {
            worker.search(&self.position, &context, &mut report)
        });
        // A caller that waits for the workers may replace the table next.
        drop(table);
        self.shared.finish(
            id,
            match result {
                Ok(outcome) => WorkerResult::Finished(outcome),
                Err(message) => WorkerResult::Panicked(message),
            },
        );
    }

    /// How many lines the search finds.
    fn multi_pv(&self) -> usize {
        self.shared.control.limits().multi_pv
    }

    fn nodes(&self) -> u64 {
        self.workers.counters.iter().map(Counters::nodes).sum()
    }

    fn tb_hits(&self) -> u64 {
        self.workers.counters.iter().map(Counters::tb_hits).sum()
    }
}

/// The coordinator's view of one search.
pub(crate) struct Coordinator {
    search: Arc<ParallelSearch>,
    on_event: OnEvent,
    /// The last reported line with `multi_pv` 1.
    last_shown: Option<Report>,
    /// The deepest iteration with a finished line that was reported.
    shown_depth: Option<Depth>,
    last_move: Option<CurrentMove>,
    next_tick: Instant,
}

impl Observer<Report, SearchResult> for Coordinator {
    fn line(&mut self, line: Report) {
        // With one line, the first worker to finish an iteration reports it.
        if self.search.multi_pv() > 1 || Some(line.depth) > self.shown_depth {
            self.show(line);
        }
    }

    fn panic(&mut self, message: &str) {
        self.send(Event::Note(&format!(
            "a search thread failed and was replaced: {message}"
        )));
    }

    fn next_tick(&self) -> Option<Instant> {
        // A search that counts nodes as time reports nothing that depends on the machine.
        let source = self.search.shared.control.limits().time_source;
        (source == TimeSource::Wall).then_some(self.next_tick)
    }

    fn tick(&mut self) {
        self.next_tick = Instant::now() + params::NEXT_CURRENT_MOVE;
        if self.search.shared.control.has_ended() {
            // The workers have ended or are about to.
            return;
        }
        let current = self.search.workers.counters[0].current_move();
        if let Some(current) = current.filter(|_| current != self.last_move) {
            self.last_move = Some(current);
            self.send(Event::CurrentMove(current));
        }
    }

    fn choose(&mut self, found: Vec<(Option<SearchResult>, Option<Report>)>) -> SearchResult {
        let found = found
            .into_iter()
            .map(|(outcome, line)| outcome.or_else(|| line.as_ref().map(outcome_of)));
        let outcome = self.elect(found.collect());
        if self.must_be_shown(&outcome) {
            let report = self.report_of(&outcome);
            self.show(report);
        }
        outcome
    }

    fn done(&mut self, result: &SearchResult) {
        self.send(Event::Done(result));
    }
}

impl Coordinator {
    pub(crate) fn new(search: Arc<ParallelSearch>, on_event: OnEvent) -> Self {
        Self {
            next_tick: search.shared.control.started() + params::FIRST_CURRENT_MOVE,
            search,
            on_event,
            last_shown: None,
            shown_depth: None,
            last_move: None,
        }
    }

    fn show(&mut self, report: Report) {
        self.send(Event::Line(&report));
        if report.bound == Bound::Exact {
            self.shown_depth = self.shown_depth.max(Some(report.depth));
        }
        if report.multi_pv == 1 {
            self.last_shown = Some(report);
        }
    }

    /// Calls the user back. A callback that panics is not called again.
    fn send(&mut self, event: Event<'_>) {
        if catch_unwind(AssertUnwindSafe(|| (self.on_event)(event))).is_err() {
            self.on_event = Box::new(|_| {});
        }
    }

    /// Chooses among the outcomes of the workers.
    fn elect(&self, outcomes: Vec<Option<SearchResult>>) -> SearchResult {
        let mut elected = 0;
        if self.search.multi_pv() == 1 {
            // With a depth limit, choose only among the workers that reached the greatest depth.
            let wanted = match self.search.shared.control.limits().depth {
                Some(_) => outcomes.iter().flatten().map(|o| o.depth).max(),
                None => None,
            };
            let candidates: Vec<Candidate> = outcomes
                .iter()
                .enumerate()
                .filter_map(|(worker, outcome)| {
                    let outcome = outcome.as_ref()?;
                    if wanted.is_some_and(|depth| outcome.depth < depth) {
                        return None;
                    }
                    Some(Candidate {
                        worker,
                        mv: outcome.best?,
                        score: outcome.score,
                        depth: outcome.depth,
                    })
                })
                .collect();
            elected = elect(&candidates).unwrap_or(0);
        } else if outcomes[0].is_none() {
            elected = outcomes.iter().position(Option::is_some).unwrap_or(0);
        }
        let nodes = self.search.nodes();
        match outcomes.into_iter().nth(elected).flatten() {
            Some(outcome) => SearchResult { nodes, ..outcome },
            None => self.any_move(nodes),
        }
    }

    /// The first legal move, for a search in which every worker panicked before it had a line.
    fn any_move(&self, nodes: u64) -> SearchResult {
        let best = self.search.position.board().legal_moves().first().copied();
        SearchResult {
            best,
            ponder: None,
            score: Score::ZERO,
            depth: 0,
            pv: best.into_iter().collect(),
            nodes,
        }
    }

    /// Whether the line of the result differs from the last one reported.
    fn must_be_shown(&self, outcome: &SearchResult) -> bool {
        if outcome.pv.is_empty() || outcome.depth == 0 {
            return false;
        }
        self.last_shown.as_ref().is_none_or(|shown| {
            shown.bound != Bound::Exact || shown.pv != outcome.pv || shown.score != outcome.score
        })
    }

    fn report_of(&self, outcome: &SearchResult) -> Report {
        let shown = self.last_shown.as_ref();
        Report {
            depth: outcome.depth,
            seldepth: shown.map_or(outcome.pv.len(), |shown| shown.seldepth),
            multi_pv: 1,
            lines: 1,
            score: outcome.score,
            bound: Bound::Exact,
            nodes: outcome.nodes,
            time: self.search.shared.control.elapsed(outcome.nodes),
            hashfull: read(&self.search.table).hashfull(),
            tb_hits: self.search.tb_hits(),
            pv: outcome.pv.clone(),
        }
    }
}

fn outcome_of(line: &Report) -> SearchResult {
    SearchResult {
        best: line.pv.first().copied(),
        ponder: line.pv.get(1).copied(),
        score: line.score,
        depth: line.depth,
        pv: line.pv.clone(),
        nodes: line.nodes,
    }
}
