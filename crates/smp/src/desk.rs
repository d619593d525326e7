//! Where the workers of one search, its coordinator and its user meet.
//!
//! Workers put finished lines on the desk and sign out when they leave; the user asks for the
//! answer; the coordinator waits for any of it and decides when to answer. Everything is under one
//! lock with one condition variable, so nobody spins and no signal is lost: a stop that comes
//! before the workers have begun is still on the desk when they have. One desk serves one
//! search, so a late worker of the last search cannot disturb the next.
//!
//! The lines are a type parameter, so that the protocol can be model-checked by itself.

use std::collections::VecDeque;
use std::time::Instant;

use crate::sync::{Condvar, Mutex, MutexGuard, lock, wait};

/// When an answer may be given without being asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patience {
    /// As soon as the search has ended.
    AnswerWhenDone,
    /// Only when it has been asked for.
    WaitToBeAsked,
}

/// Whose findings are enough for an answer, when it has been asked for before the search has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Enough {
    /// Any worker's.
    Anyones,
    /// Those of the first, since it alone tells lists of lines.
    TheFirsts,
}

/// How a worker left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Departure<O> {
    /// With an outcome.
    Finished(O),
    /// By a panic, with this message.
    Panicked(String),
}

/// What the coordinator should do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Next<L> {
    /// Show this line.
    Show(L),
    /// Say that a worker panicked; the others must be stopped.
    Panic(String),
    /// Give the answer.
    Answer,
    /// The answer is due, and no worker has noticed; the search must be stopped. Told once.
    Overdue,
    /// Nothing has happened until the time that was asked for.
    Remark,
}

struct State<L, O> {
    /// Lines to show that the coordinator has not yet fetched.
    news: VecDeque<L>,
    panics: VecDeque<String>,
    /// The last line that each worker published as its own.
    lines: Vec<Option<L>>,
    outcomes: Vec<Option<O>>,
    /// Workers that have left.
    left: usize,
    first_left: bool,
    /// The user wants the answer now.
    stop_asked: bool,
    patience: Patience,
    /// When the answer is due even if no worker says so.
    due: Option<Instant>,
    /// The answer has been decided on and is being told.
    deciding: bool,
    /// The answer that was given.
    answer: Option<O>,
}

/// The meeting place of one search. `L` is a line, `O` a worker's outcome.
pub(crate) struct Desk<L, O> {
    state: Mutex<State<L, O>>,
    changed: Condvar,
    workers: usize,
    enough: Enough,
}

impl<L: Clone, O: Clone> Desk<L, O> {
    pub(crate) fn new(workers: usize, patience: Patience, enough: Enough) -> Self {
        Self {
            state: Mutex::new(State {
                news: VecDeque::new(),
                panics: VecDeque::new(),
                lines: vec![None; workers],
                outcomes: vec![None; workers],
                left: 0,
                first_left: false,
                stop_asked: false,
                patience,
                due: None,
                deciding: false,
                answer: None,
            }),
            changed: Condvar::new(),
            workers,
            enough,
        }
    }

    /// What worker `id` has found: its vote, should it not get further, and lines for the user that
    /// belong together. Both at once: whoever has seen lines must not be answered by those before them.
    pub(crate) fn tell(&self, id: usize, vote: Option<L>, lines: impl IntoIterator<Item = L>) {
        let mut state = lock(&self.state);
        let news = state.news.len();
        state.news.extend(lines);
        // Of a worker's votes the coordinator waits for the first alone, and only when it was asked to stop.
        let awaited = state.stop_asked && state.lines[id].is_none();
        let first_vote = vote.is_some() && awaited;
        if vote.is_some() {
            state.lines[id] = vote;
        }
        let changed = first_vote || state.news.len() > news;
        drop(state);
        if changed {
            self.changed.notify_all();
        }
    }

    /// Worker `id` will not touch this search again.
    pub(crate) fn leave(&self, id: usize, departure: Departure<O>) {
        let mut state = lock(&self.state);
        match departure {
            Departure::Finished(outcome) => state.outcomes[id] = Some(outcome),
            Departure::Panicked(message) => state.panics.push_back(message),
        }
        state.left += 1;
        state.first_left |= id == 0;
        drop(state);
        self.changed.notify_all();
    }

    /// The user wants the answer now.
    pub(crate) fn ask_to_stop(&self) {
        lock(&self.state).stop_asked = true;
        self.changed.notify_all();
    }

    /// The answer may be given as soon as the search has ended, and is due at `due`, or when it was
    /// due already if that is sooner.
    pub(crate) fn expect_answer(&self, due: Option<Instant>) {
        let mut state = lock(&self.state);
        state.patience = Patience::AnswerWhenDone;
        state.due = state.due.into_iter().chain(due).min();
        drop(state);
        self.changed.notify_all();
    }

    /// Waits until there is something for the coordinator to do, or until `remark`.
    pub(crate) fn next(&self, remark: Option<Instant>) -> Next<L> {
        let mut state = lock(&self.state);
        loop {
            if let Some(message) = state.panics.pop_front() {
                return Next::Panic(message);
            }
            if let Some(line) = state.news.pop_front() {
                return Next::Show(line);
            }
            if self.may_answer(&state) {
                return Next::Answer;
            }
            if state.due.is_some_and(is_over) {
                state.due = None;
                return Next::Overdue;
            }
            if remark.is_some_and(is_over) {
                return Next::Remark;
            }
            state = match state.due.into_iter().chain(remark).min() {
                None => wait(&self.changed, state),
                Some(time) => self.wait_until(state, time),
            };
        }
    }

    fn may_answer(&self, state: &State<L, O>) -> bool {
        let all_left = state.left == self.workers;
        let asked = match self.enough {
            Enough::Anyones => self.workers,
            Enough::TheFirsts => 1,
        };
        let something = || {
            state.lines[..asked].iter().any(Option::is_some)
                || state.outcomes[..asked].iter().any(Option::is_some)
        };
        if state.stop_asked {
            return all_left || something();
        }
        state.patience == Patience::AnswerWhenDone && (state.first_left || all_left)
    }

    /// Waits for a change, and no longer than until `time`.
    #[cfg(not(all(loom, test)))]
    fn wait_until<'a>(
        &'a self,
        state: MutexGuard<'a, State<L, O>>,
        time: Instant,
    ) -> MutexGuard<'a, State<L, O>> {
        let rest = time.saturating_duration_since(Instant::now());
        let (state, _) = self
            .changed
            .wait_timeout(state, rest)
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        state
    }

    /// Models have no clock.
    #[cfg(all(loom, test))]
    fn wait_until<'a>(
        &'a self,
        state: MutexGuard<'a, State<L, O>>,
        _time: Instant,
    ) -> MutexGuard<'a, State<L, O>> {
        wait(&self.changed, state)
    }

    /// What each worker has to say: its outcome if it has left with one, and its last line.
    pub(crate) fn findings(&self) -> Vec<(Option<O>, Option<L>)> {
        let state = lock(&self.state);
        state
            .outcomes
            .iter()
            .cloned()
            .zip(state.lines.iter().cloned())
            .collect()
    }

    /// From now on the answer is on its way.
    pub(crate) fn begin_answer(&self) {
        lock(&self.state).deciding = true;
    }

    /// Whether the answer is on its way or has been given.
    pub(crate) fn is_answering(&self) -> bool {
        lock(&self.state).deciding
    }

    /// Records the answer, for whoever waits for it.
    pub(crate) fn answer(&self, answer: O) {
        lock(&self.state).answer = Some(answer);
        self.changed.notify_all();
    }

    /// Waits for the answer.
    pub(crate) fn wait_for_answer(&self) -> O {
        let mut state = lock(&self.state);
        loop {
            if let Some(answer) = &state.answer {
                return answer.clone();
            }
            state = wait(&self.changed, state);
        }
    }

    /// Waits for the answer until `deadline`.
    pub(crate) fn wait_for_answer_until(&self, deadline: Instant) -> Option<O> {
        let mut state = lock(&self.state);
        loop {
            if let Some(answer) = &state.answer {
                return Some(answer.clone());
            }
            if is_over(deadline) {
                return None;
            }
            state = self.wait_until(state, deadline);
        }
    }

    /// Waits until every worker has left.
    pub(crate) fn wait_until_empty(&self) {
        let mut state = lock(&self.state);
        while state.left < self.workers {
            state = wait(&self.changed, state);
        }
    }
}

/// Whether the time has come.
fn is_over(time: Instant) -> bool {
    time <= Instant::now()
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::time::Duration;

    use super::*;

    type TestDesk = Desk<u32, u32>;

    #[test]
    fn lines_come_before_the_answer() {
        let desk = TestDesk::new(1, Patience::AnswerWhenDone, Enough::Anyones);
        desk.ask_to_stop();
        desk.tell(0, Some(7), [7, 8]);
        assert_eq!(desk.findings(), [(None, Some(7))]);
        desk.leave(0, Departure::Finished(9));
        assert_eq!(desk.next(None), Next::Show(7));
        assert_eq!(desk.next(None), Next::Show(8));
        assert_eq!(desk.next(None), Next::Answer);
        assert_eq!(desk.findings(), [(Some(9), Some(7))]);
    }

    #[test]
    fn a_stop_before_the_workers_begin_is_kept_until_there_is_something_to_answer() {
        let desk = TestDesk::new(2, Patience::WaitToBeAsked, Enough::Anyones);
        desk.ask_to_stop();
        assert_eq!(desk.next(Some(Instant::now())), Next::Remark);
        desk.tell(1, Some(3), []);
        assert_eq!(desk.next(None), Next::Answer);
    }

    #[test]
    fn where_lists_are_told_a_stop_waits_for_the_first_worker() {
        let desk = TestDesk::new(2, Patience::WaitToBeAsked, Enough::TheFirsts);
        desk.ask_to_stop();
        desk.tell(1, Some(3), []);
        desk.leave(1, Departure::Finished(3));
        assert_eq!(desk.next(Some(Instant::now())), Next::Remark);
        desk.tell(0, Some(4), [4, 5]);
        assert_eq!(desk.next(None), Next::Show(4));
        assert_eq!(desk.next(None), Next::Show(5));
        assert_eq!(desk.next(None), Next::Answer);
    }

    #[test]
    fn an_infinite_search_that_has_ended_waits_to_be_asked() {
        let desk = TestDesk::new(1, Patience::WaitToBeAsked, Enough::Anyones);
        desk.leave(0, Departure::Finished(1));
        assert_eq!(desk.next(Some(Instant::now())), Next::Remark);
        desk.expect_answer(None);
        assert_eq!(desk.next(None), Next::Answer);
    }

    #[test]
    fn an_answer_that_is_due_is_missed_once() {
        let desk = TestDesk::new(1, Patience::WaitToBeAsked, Enough::Anyones);
        let now = Instant::now();
        assert_eq!(desk.next(Some(now)), Next::Remark);
        desk.expect_answer(Some(now));
        // A second hit does not put it off.
        desk.expect_answer(now.checked_add(Duration::from_hours(1)));
        assert_eq!(desk.next(Some(now)), Next::Overdue);
        assert_eq!(desk.next(Some(now)), Next::Remark);
    }

    #[test]
    fn a_panic_is_told_and_counts_as_leaving() {
        let desk = TestDesk::new(1, Patience::AnswerWhenDone, Enough::Anyones);
        desk.leave(0, Departure::Panicked("oh".into()));
        assert_eq!(desk.next(None), Next::Panic("oh".into()));
        assert_eq!(desk.next(None), Next::Answer);
        assert_eq!(desk.findings(), [(None, None)]);
        desk.wait_until_empty();
    }

    #[test]
    fn the_answer_does_not_wait_for_stragglers() {
        let desk = TestDesk::new(2, Patience::AnswerWhenDone, Enough::Anyones);
        desk.leave(0, Departure::Finished(1));
        assert_eq!(desk.next(None), Next::Answer);
        assert!(!desk.is_answering());
        desk.begin_answer();
        assert!(desk.is_answering());
        desk.answer(1);
        assert_eq!(desk.wait_for_answer(), 1);
        desk.leave(1, Departure::Finished(2));
        desk.wait_until_empty();
    }
}
