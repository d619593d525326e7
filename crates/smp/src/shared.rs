//! The state that the workers, the coordinator and the user of one search share.
//!
//! Workers report lines here and finish; the user stops the search; the coordinator waits for
//! either and decides when to give the result. Everything but the stop signal is under one lock
//! with one condition variable, so no thread spins and no wake-up is lost. Each search has a state
//! of its own, so a late worker of one search cannot disturb the next.
//!
//! Lines and results are type parameters, so that loom checks this code as the engine runs it.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::sync::{Condvar, Mutex, MutexGuard, Signals, lock, wait};

/// When a search may give its result.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) workers: usize,
    /// Hold the result back until `stop` or `ponder_hit`.
    pub(crate) held: bool,
    /// Only worker 0 can have the result, because it alone reports `MultiPV` lists.
    pub(crate) first_only: bool,
    /// How long after its start, or after the ponder hit, the search is stopped even if no worker
    /// has noticed that its time is up.
    pub(crate) timeout: Option<Duration>,
}

/// How a worker ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WorkerResult<O> {
    Finished(O),
    /// With the message of the panic.
    Panicked(String),
}

/// The outcome of a worker that has finished, and the last complete line of any.
pub(crate) type Found<L, O> = (Option<O>, Option<L>);

/// What the coordinator does next.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step<L, O> {
    Line(L),
    Panic(String),
    /// The search can give its result, from what each worker found.
    Result(Vec<Found<L, O>>),
    /// The deadline has passed. Returned once.
    Overdue,
    /// The time of the next tick has come.
    Tick,
}

/// Follows a search on the coordinator's thread.
pub(crate) trait Observer<L, O> {
    fn line(&mut self, line: L);
    /// A worker panicked with this message. The others have been stopped.
    fn panic(&mut self, message: &str);
    /// When [`tick`](Self::tick) is called next, unless something else happens before.
    fn next_tick(&self) -> Option<Instant>;
    fn tick(&mut self);
    /// Chooses the result from what each worker found.
    fn choose(&mut self, found: Vec<Found<L, O>>) -> O;
    /// The result is published; called once, last.
    fn done(&mut self, result: &O);
}

struct State<L, O> {
    /// Lines for the user that the coordinator has not fetched.
    lines: VecDeque<L>,
    panics: VecDeque<String>,
    /// The last complete line of each worker.
    best: Vec<Option<L>>,
    outcomes: Vec<Option<O>>,
    finished: Vec<bool>,
    stop_requested: bool,
    held: bool,
    deadline: Option<Instant>,
    /// The result is chosen, and `done` is called now or was.
    is_done: bool,
    result: Option<O>,
}

/// The shared state of one search. `L` is a line, `O` the outcome of a worker or of the search.
pub(crate) struct Shared<L, O> {
    state: Mutex<State<L, O>>,
    changed: Condvar,
    rules: Rules,
    pub(crate) signals: Arc<Signals>,
    /// The number of this search among those of `signals`.
    pub(crate) epoch: u64,
}

impl<L: Clone, O: Clone> Shared<L, O> {
    /// Creates the state of a search whose clock started at `started`.
    pub(crate) fn new(signals: Arc<Signals>, rules: Rules, started: Instant) -> Self {
        let running = rules.timeout.filter(|_| !rules.held);
        Self {
            state: Mutex::new(State {
                lines: VecDeque::new(),
                panics: VecDeque::new(),
                best: vec![None; rules.workers],
                outcomes: vec![None; rules.workers],
                finished: vec![false; rules.workers],
                stop_requested: false,
                held: rules.held,
                deadline: running.and_then(|timeout| started.checked_add(timeout)),
                is_done: false,
                result: None,
            }),
            changed: Condvar::new(),
            rules,
            epoch: signals.begin(),
            signals,
        }
    }

    /// Stops the search: the workers return, and the result is given as soon as there is one.
    pub(crate) fn stop(&self) {
        self.stop_workers();
        lock(&self.state).stop_requested = true;
        self.changed.notify_all();
    }

    /// Whether `stop` was called or the result is chosen: `wait` returns within milliseconds.
    pub(crate) fn is_ending(&self) -> bool {
        let state = lock(&self.state);
        state.stop_requested || state.is_done
    }

    /// Stops the workers, but does not release a result that is held back.
    fn stop_workers(&self) {
        self.signals.stop(self.epoch);
    }

    /// The move pondered on was played: the clock starts, and the result is no longer held back.
    pub(crate) fn ponder_hit(&self) {
        self.signals.ponder_hit(self.epoch);
        let mut state = lock(&self.state);
        // A second hit does not put the deadline off.
        if std::mem::take(&mut state.held) {
            let timeout = self.rules.timeout;
            state.deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Reports what worker `id` found: its best line so far, and lines for the user that belong
    /// together. Both under one lock, so that the result is never older than a line shown before.
    pub(crate) fn report(&self, id: usize, best: Option<L>, lines: impl IntoIterator<Item = L>) {
        let mut state = lock(&self.state);
        let before = state.lines.len();
        state.lines.extend(lines);
        // A stopped search waits for the first line of a worker, and no later one.
        let is_awaited = best.is_some() && state.stop_requested && state.best[id].is_none();
        if best.is_some() {
            state.best[id] = best;
        }
        let wakes = is_awaited || state.lines.len() > before;
        drop(state);
        if wakes {
            self.changed.notify_all();
        }
    }

    /// Worker `id` has ended and does not touch this search again.
    pub(crate) fn finish(&self, id: usize, result: WorkerResult<O>) {
        let mut state = lock(&self.state);
        match result {
            WorkerResult::Finished(outcome) => state.outcomes[id] = Some(outcome),
            WorkerResult::Panicked(message) => state.panics.push_back(message),
        }
        state.finished[id] = true;
        drop(state);
        self.changed.notify_all();
    }

    /// Follows the search to its result.
    pub(crate) fn coordinate(&self, observer: &mut impl Observer<L, O>) {
        let found = loop {
            match self.next(observer.next_tick()) {
                Step::Line(line) => observer.line(line),
                Step::Panic(message) => {
                    self.stop_workers();
                    observer.panic(&message);
                }
                // The worker that checks the clock was not scheduled in time.
                Step::Overdue => self.stop(),
                Step::Tick => observer.tick(),
                Step::Result(found) => break found,
            }
        };
        self.stop_workers();
        let result = observer.choose(found);
        // Mark the search as done before reporting the result, and report it before waking those who
        // wait for it.
        lock(&self.state).is_done = true;
        observer.done(&result);
        lock(&self.state).result = Some(result);
        self.changed.notify_all();
    }

    /// Waits until there is something for the coordinator to do, or until `tick`.
    fn next(&self, tick: Option<Instant>) -> Step<L, O> {
        let mut state = lock(&self.state);
        loop {
            if let Some(message) = state.panics.pop_front() {
                return Step::Panic(message);
            }
            if let Some(line) = state.lines.pop_front() {
                return Step::Line(line);
            }
            if self.has_result(&state) {
                // Copied under this lock: a list that is reported later is not shown, and must not
                // be the result.
                let outcomes = state.outcomes.iter().cloned();
                return Step::Result(outcomes.zip(state.best.iter().cloned()).collect());
            }
            if state.deadline.is_some_and(is_past) {
                state.deadline = None;
                return Step::Overdue;
            }
            if tick.is_some_and(is_past) {
                return Step::Tick;
            }
            let until = state.deadline.into_iter().chain(tick).min();
            state = self.wait_until(state, until);
        }
    }

    fn has_result(&self, state: &State<L, O>) -> bool {
        if state.stop_requested {
            let all_finished = state.finished.iter().all(|&finished| finished);
            let candidates = if self.rules.first_only {
                1
            } else {
                self.rules.workers
            };
            return all_finished
                || state.best[..candidates].iter().any(Option::is_some)
                || state.outcomes[..candidates].iter().any(Option::is_some);
        }
        !state.held && state.finished[0]
    }

    /// Waits for a change, and no longer than until `time`. Models have no clock.
    fn wait_until<'a>(
        &'a self,
        state: MutexGuard<'a, State<L, O>>,
        time: Option<Instant>,
    ) -> MutexGuard<'a, State<L, O>> {
        #[cfg(not(all(loom, test)))]
        if let Some(time) = time {
            let rest = time.saturating_duration_since(Instant::now());
            let waited = self.changed.wait_timeout(state, rest);
            return waited.unwrap_or_else(std::sync::PoisonError::into_inner).0;
        }
        #[cfg(all(loom, test))]
        let _ = time;
        wait(&self.changed, state)
    }

    /// Whether the result is chosen.
    pub(crate) fn is_done(&self) -> bool {
        lock(&self.state).is_done
    }

    /// Waits for the result until `deadline`, or without end.
    pub(crate) fn wait(&self, deadline: Option<Instant>) -> Option<O> {
        let mut state = lock(&self.state);
        loop {
            if let Some(result) = &state.result {
                return Some(result.clone());
            }
            if deadline.is_some_and(is_past) {
                return None;
            }
            state = self.wait_until(state, deadline);
        }
    }

    /// Waits until every worker has ended.
    pub(crate) fn wait_until_idle(&self) {
        let mut state = lock(&self.state);
        while state.finished.contains(&false) {
            state = wait(&self.changed, state);
        }
    }
}

fn is_past(time: Instant) -> bool {
    time <= Instant::now()
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn shared(workers: usize, held: bool, first_only: bool) -> Shared<u32, u32> {
        let rules = Rules {
            workers,
            held,
            first_only,
            timeout: None,
        };
        Shared::new(Arc::default(), rules, Instant::now())
    }

    #[test]
    fn lines_come_before_the_result() {
        let shared = shared(1, false, false);
        shared.report(0, Some(7), [7]);
        shared.finish(0, WorkerResult::Finished(1));
        assert_eq!(shared.next(None), Step::Line(7));
        assert!(matches!(shared.next(None), Step::Result(_)));
    }

    #[test]
    fn a_stop_before_any_line_waits_for_one() {
        let shared = shared(2, true, false);
        shared.stop();
        assert!(shared.is_ending());
        assert_eq!(shared.next(Some(Instant::now())), Step::Tick);
        shared.report(1, Some(3), []);
        assert!(matches!(shared.next(None), Step::Result(_)));
    }

    #[test]
    fn a_list_waits_for_worker_0() {
        let shared = shared(2, false, true);
        shared.stop();
        shared.report(1, Some(3), []);
        assert_eq!(shared.next(Some(Instant::now())), Step::Tick);
        shared.report(0, Some(4), [4, 5]);
        assert_eq!(shared.next(None), Step::Line(4));
        assert_eq!(shared.next(None), Step::Line(5));
        assert!(matches!(shared.next(None), Step::Result(_)));
    }

    #[test]
    fn a_held_result_waits_for_the_ponder_hit() {
        let shared = shared(1, true, false);
        shared.finish(0, WorkerResult::Finished(1));
        assert_eq!(shared.next(Some(Instant::now())), Step::Tick);
        shared.ponder_hit();
        assert!(matches!(shared.next(None), Step::Result(_)));
    }

    #[test]
    fn a_deadline_passes_once() {
        let rules = Rules {
            workers: 1,
            held: true,
            first_only: false,
            timeout: Some(Duration::ZERO),
        };
        let shared: Shared<u32, u32> = Shared::new(Arc::default(), rules, Instant::now());
        let now = Some(Instant::now());
        assert_eq!(shared.next(now), Step::Tick);
        shared.ponder_hit();
        assert_eq!(shared.next(now), Step::Overdue);
        shared.ponder_hit();
        assert_eq!(shared.next(now), Step::Tick);
    }

    #[test]
    fn a_panic_is_reported_and_ends_the_worker() {
        let shared = shared(1, false, false);
        shared.finish(0, WorkerResult::Panicked("oh".into()));
        assert_eq!(shared.next(None), Step::Panic("oh".into()));
        assert!(matches!(shared.next(None), Step::Result(_)));
        shared.wait_until_idle();
    }
}
