//! The state that the workers, the coordinator and the user of one search share.
//!
//! Workers report lines here and finish; the user stops the search; the coordinator waits for these events and
//! decides when to give the result. One lock with one condition variable guards what the workers found. Whether
//! the search runs is stored in its [`SearchControl`] alone. The user first changes the control and then takes the
//! lock to wake the coordinator, so no thread spins and no wake-up is lost. Each search has a state of its own, so
//! a late worker of one search cannot disturb the next search.
//!
//! Lines and results are type parameters, so that loom checks this code as the engine runs it.

use std::collections::VecDeque;
use std::time::Instant;

use skewer_search::SearchState;

use crate::baton::Batons;
use crate::options::Schedule;
use crate::sync::{Condvar, Mutex, MutexGuard, SearchControl, lock, wait};

/// How a worker ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WorkerResult<O> {
    Finished(O),
    /// The worker did not search, because the search was over before it began.
    NotNeeded,
    /// The worker panicked with this message.
    Panicked(String),
}

/// The outcome of a worker, if it has finished, and its last complete line, if there is one.
pub(crate) type Found<L, O> = (Option<O>, Option<L>);

/// What the coordinator does next.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step<L, O> {
    Line(L),
    Panic(String),
    /// The search can give its result, from what each worker found.
    Result(Vec<Found<L, O>>),
    /// The deadline has passed.
    Overdue,
    /// The time of the next tick has come.
    Tick,
}

/// Whether the result of a search was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// The result was not given yet.
    Continues,
    /// The result was given.
    Ended,
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

/// A message of a worker to the user.
enum Message<L> {
    Line(L),
    /// The message of its panic.
    Panic(String),
}

struct State<L, O> {
    /// Messages that the coordinator has not fetched, in the order in which they came. In lockstep this order is
    /// the same on every run.
    messages: VecDeque<Message<L>>,
    /// The last complete line of each worker.
    best: Vec<Option<L>>,
    outcomes: Vec<Option<O>>,
    finished: Vec<bool>,
    result: Option<O>,
}

/// The shared state of one search. `L` is a line, `O` the outcome of a worker or of the search.
pub(crate) struct Shared<L, O> {
    state: Mutex<State<L, O>>,
    changed: Condvar,
    pub(crate) control: SearchControl,
    /// Which workers run, unless all do.
    pub(crate) batons: Option<Batons>,
    schedule: Schedule,
}

impl<L: Clone, O: Clone> Shared<L, O> {
    /// Creates the state of a search by this many workers.
    pub(crate) fn new(control: SearchControl, workers: usize) -> Self {
        Self {
            state: Mutex::new(State {
                messages: VecDeque::new(),
                best: vec![None; workers],
                outcomes: vec![None; workers],
                finished: vec![false; workers],
                result: None,
            }),
            changed: Condvar::new(),
            control,
            batons: None,
            schedule: Schedule::Free,
        }
    }

    /// The same search with workers that run one at a time. Its result waits for all of them, unless the
    /// user stops it.
    pub(crate) fn in_lockstep(self) -> Self {
        Self {
            schedule: Schedule::Lockstep,
            ..self.in_turns(1)
        }
    }

    /// The same search with this many workers running at a time.
    pub(crate) fn in_turns(self, at_a_time: usize) -> Self {
        let workers = lock(&self.state).finished.len();
        Self {
            batons: Some(Batons::new(at_a_time, workers)),
            ..self
        }
    }

    /// Stops the search: the workers return, and the result is given as soon as there is one.
    pub(crate) fn stop(&self) {
        self.control.stop();
        self.wake();
    }

    /// The move pondered on was played: the clock starts, and the result is no longer held back.
    pub(crate) fn ponder_hit(&self) {
        self.control.ponder_hit();
        self.wake();
    }

    /// Wakes the threads that wait, after a change of the control. A thread that has just looked at the
    /// control still holds the lock, and waits before it is woken.
    fn wake(&self) {
        drop(lock(&self.state));
        self.changed.notify_all();
    }

    /// Reports what worker `id` found: its best line so far, and lines for the user that belong
    /// together. Stores both under one lock, so that the result is never older than a line shown before.
    pub(crate) fn report(&self, id: usize, best: Option<L>, lines: impl IntoIterator<Item = L>) {
        let mut state = lock(&self.state);
        let before = state.messages.len();
        state.messages.extend(lines.into_iter().map(Message::Line));
        // A stopped search waits for the first line of a worker, but for no later line.
        let is_awaited = best.is_some() && self.is_stopped() && state.best[id].is_none();
        if best.is_some() {
            state.best[id] = best;
        }
        let wakes = is_awaited || state.messages.len() > before;
        drop(state);
        if wakes {
            self.changed.notify_all();
        }
    }

    /// Worker `id` has ended and reports nothing again. A panic ends the others.
    pub(crate) fn finish(&self, id: usize, result: WorkerResult<O>) {
        let mut state = lock(&self.state);
        match result {
            WorkerResult::Finished(outcome) => state.outcomes[id] = Some(outcome),
            WorkerResult::NotNeeded => {}
            WorkerResult::Panicked(message) => {
                state.messages.push_back(Message::Panic(message));
                // This worker, not the coordinator, ends the others, because in lockstep this worker has the baton.
                // It does so after its message, which must come before the result.
                self.control.end_workers();
            }
        }
        state.finished[id] = true;
        drop(state);
        self.changed.notify_all();
    }

    /// Whether the search has ended and does not need a worker that has not begun, because another worker has a line.
    pub(crate) fn is_over(&self) -> bool {
        self.control.has_ended() && {
            let state = lock(&self.state);
            state.best.iter().any(Option::is_some) || state.outcomes.iter().any(Option::is_some)
        }
    }

    /// Follows the search to its result.
    pub(crate) fn coordinate(&self, observer: &mut impl Observer<L, O>) {
        loop {
            let step = self.next(observer.next_tick());
            if self.perform(step, observer) == Progress::Ended {
                return;
            }
        }
    }

    /// Does what there is to do now, without waiting.
    pub(crate) fn advance(&self, observer: &mut impl Observer<L, O>) -> Progress {
        // After a stop the result was given while the worker was still searching.
        if lock(&self.state).result.is_some() {
            return Progress::Ended;
        }
        loop {
            let step = self.ready(&mut lock(&self.state), observer.next_tick());
            match step.map(|step| self.perform(step, observer)) {
                Some(Progress::Ended) => return Progress::Ended,
                Some(Progress::Continues) => {}
                None => return Progress::Continues,
            }
        }
    }

    fn perform(&self, step: Step<L, O>, observer: &mut impl Observer<L, O>) -> Progress {
        match step {
            Step::Line(line) => observer.line(line),
            Step::Panic(message) => observer.panic(&message),
            // The worker that checks the clock was not scheduled in time.
            Step::Overdue => self.stop(),
            Step::Tick => observer.tick(),
            Step::Result(found) => {
                self.control.end_workers();
                let result = observer.choose(found);
                // Mark the search as done before reporting the result, and report it before waking the
                // threads that wait for it.
                self.control.finish();
                observer.done(&result);
                lock(&self.state).result = Some(result);
                self.changed.notify_all();
                return Progress::Ended;
            }
        }
        Progress::Continues
    }

    /// Waits until there is something for the coordinator to do, or until `tick`.
    fn next(&self, tick: Option<Instant>) -> Step<L, O> {
        let mut state = lock(&self.state);
        loop {
            if let Some(step) = self.ready(&mut state, tick) {
                return step;
            }
            let until = self.control.deadline().into_iter().chain(tick).min();
            state = self.wait_until(state, until);
        }
    }

    /// What there is for the coordinator to do now.
    fn ready(&self, state: &mut State<L, O>, tick: Option<Instant>) -> Option<Step<L, O>> {
        if let Some(message) = state.messages.pop_front() {
            return Some(match message {
                Message::Line(line) => Step::Line(line),
                Message::Panic(message) => Step::Panic(message),
            });
        }
        if self.has_result(state) {
            // Copied under this lock: a list that is reported later is not shown, and must not
            // be the result.
            let outcomes = state.outcomes.iter().cloned();
            let found = outcomes.zip(state.best.iter().cloned()).collect();
            return Some(Step::Result(found));
        }
        if self.control.deadline().is_some_and(is_past) {
            return Some(Step::Overdue);
        }
        tick.is_some_and(is_past).then_some(Step::Tick)
    }

    fn is_stopped(&self) -> bool {
        self.control.state() == SearchState::Stopped
    }

    fn has_result(&self, state: &State<L, O>) -> bool {
        let all_finished = state.finished.iter().all(|&finished| finished);
        if !self.is_stopped() {
            let is_known = match self.schedule {
                Schedule::Free => state.finished[0],
                // The result must not depend on how far the others are when the first worker finishes.
                Schedule::Lockstep => all_finished,
            };
            return is_known && !self.control.holds_answer();
        }
        // Only worker 0 can have the result of several lines, because it alone reports them.
        let candidates = if self.control.limits().multi_pv > 1 {
            1
        } else {
            state.finished.len()
        };
        all_finished
            || state.best[..candidates].iter().any(Option::is_some)
            || state.outcomes[..candidates].iter().any(Option::is_some)
    }

    /// Waits for a change, at most until `time`. Models have no clock.
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
    use std::time::Duration;

    use skewer_search::{Limits, Mode};

    use super::*;

    fn shared(workers: usize, limits: Limits) -> Shared<u32, u32> {
        Shared::new(SearchControl::new(limits), workers)
    }

    fn pondering() -> Limits {
        Limits {
            mode: Mode::Ponder,
            ..Limits::default()
        }
    }

    #[test]
    fn lines_come_before_the_result() {
        let shared = shared(1, Limits::default());
        shared.report(0, Some(7), [7]);
        shared.finish(0, WorkerResult::Finished(1));
        assert_eq!(shared.next(None), Step::Line(7));
        assert!(matches!(shared.next(None), Step::Result(_)));
    }

    #[test]
    fn a_stop_before_any_line_waits_for_one() {
        let shared = shared(2, pondering());
        shared.stop();
        assert_eq!(shared.control.state(), SearchState::Stopped);
        assert_eq!(shared.next(Some(Instant::now())), Step::Tick);
        shared.report(1, Some(3), []);
        assert!(matches!(shared.next(None), Step::Result(_)));
    }

    #[test]
    fn a_list_waits_for_worker_0() {
        let list = Limits {
            multi_pv: 2,
            ..Limits::default()
        };
        let shared = shared(2, list);
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
        let shared = shared(1, pondering());
        shared.finish(0, WorkerResult::Finished(1));
        assert_eq!(shared.next(Some(Instant::now())), Step::Tick);
        shared.ponder_hit();
        assert!(matches!(shared.next(None), Step::Result(_)));
    }

    #[test]
    fn a_deadline_begins_at_the_first_ponder_hit_and_passes_once() {
        let limits = Limits {
            move_time: Some(Duration::from_millis(1)),
            ..pondering()
        };
        let shared = shared(1, limits);
        assert_eq!(shared.next(Some(Instant::now())), Step::Tick);
        shared.ponder_hit();
        let deadline = shared.control.deadline();
        assert!(deadline.is_some());
        shared.ponder_hit();
        assert_eq!(shared.control.deadline(), deadline);
        assert_eq!(shared.next(None), Step::Overdue);
        shared.stop();
        assert_eq!(shared.next(Some(Instant::now())), Step::Tick);
    }

    #[test]
    fn a_panic_is_reported_and_ends_the_worker() {
        let shared = shared(1, Limits::default());
        shared.finish(0, WorkerResult::Panicked("oh".into()));
        assert_eq!(shared.next(None), Step::Panic("oh".into()));
        assert!(matches!(shared.next(None), Step::Result(_)));
        shared.wait_until_idle();
    }
}
