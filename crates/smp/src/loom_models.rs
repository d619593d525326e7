//! The stop and start protocol in all interleavings up to a bound, checked by loom:
//!
//! ```text
//! RUSTFLAGS="--cfg loom" cargo test -p skewer-smp --lib --release --target-dir target/loom loom
//! ```
//!
//! The shared state and the control are the engine's own; only the workers and the user are modelled.
//! As in the engine, a worker checks whether its search has ended, reports its result and finishes. The
//! models have no clock, so that a lost signal is a deadlock or an endless worker, which loom reports.

use std::time::Instant;

use loom::sync::Arc;
use loom::thread;

use skewer_search::{Limits, Mode, SearchState};

use crate::baton::Batons;
use crate::shared::{Observer, Shared, WorkerResult};
use crate::sync::{Mutex, SearchControl, lock};

type TestSearch = Shared<usize, usize>;

/// The most preemptions in an interleaving. Two show nearly all errors; without a bound, three threads
/// take hours.
const PREEMPTIONS: usize = 2;

fn model(run: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(PREEMPTIONS);
    builder.check(run);
}

fn begin(workers: usize, mode: Mode) -> Arc<TestSearch> {
    let control = SearchControl::new(Limits {
        mode,
        ..Limits::default()
    });
    Arc::new(Shared::new(control, workers))
}

/// What a worker does before it finishes.
#[derive(Clone, Copy)]
enum Work {
    /// Searches until it is stopped.
    UntilStopped,
    /// Reaches its depth limit.
    ToItsDepth,
    /// Panics.
    Fail,
}

/// Runs worker `id`.
fn work(search: &TestSearch, id: usize, work: Work) {
    let turn = search.batons.as_ref().map(|batons| batons.take(id));
    let result = match work {
        Work::Fail => WorkerResult::Panicked("oh".to_owned()),
        Work::ToItsDepth => WorkerResult::Finished(id),
        Work::UntilStopped => {
            search.report(id, Some(id), []);
            while !search.control.has_ended() {
                thread::yield_now();
                if let Some(turn) = &turn {
                    turn.pass();
                }
            }
            WorkerResult::Finished(id)
        }
    };
    search.finish(id, result);
    drop(turn);
}

fn spawn(search: &Arc<TestSearch>, id: usize, does: Work) -> thread::JoinHandle<()> {
    let search = Arc::clone(search);
    thread::spawn(move || work(&search, id, does))
}

/// Chooses the first result.
struct TestObserver<'a> {
    search: &'a TestSearch,
    panics: usize,
}

impl Observer<usize, usize> for TestObserver<'_> {
    fn line(&mut self, _line: usize) {}

    fn panic(&mut self, _message: &str) {
        self.panics += 1;
    }

    fn next_tick(&self) -> Option<Instant> {
        None
    }

    fn tick(&mut self) {
        unreachable!("models have no clock");
    }

    fn choose(&mut self, found: Vec<(Option<usize>, Option<usize>)>) -> usize {
        assert!(self.search.control.has_ended());
        found
            .into_iter()
            .find_map(|(outcome, line)| outcome.or(line))
            .expect("a worker has found something")
    }

    fn done(&mut self, _result: &usize) {
        assert_eq!(self.search.control.state(), SearchState::Done);
    }
}

/// Runs the coordinator, and returns how many workers panicked.
fn coordinate(search: &TestSearch) -> usize {
    let mut observer = TestObserver { search, panics: 0 };
    search.coordinate(&mut observer);
    observer.panics
}

#[test]
fn loom_a_stop_at_any_time_is_not_lost() {
    model(|| {
        let search = begin(1, Mode::Ponder);
        let worker = spawn(&search, 0, Work::UntilStopped);
        let user = {
            let search = Arc::clone(&search);
            thread::spawn(move || search.stop())
        };
        coordinate(&search);
        assert_eq!(search.wait(None), Some(0));
        search.wait_until_idle();
        worker.join().unwrap();
        user.join().unwrap();
    });
}

#[test]
fn loom_the_result_does_not_wait_for_a_slow_worker() {
    model(|| {
        let search = begin(2, Mode::Answer);
        let first = spawn(&search, 0, Work::ToItsDepth);
        let straggler = spawn(&search, 1, Work::UntilStopped);
        assert_eq!(coordinate(&search), 0);
        assert_eq!(search.wait(None), Some(0));
        search.wait_until_idle();
        first.join().unwrap();
        straggler.join().unwrap();
    });
}

/// The second search begins after the first was stopped, as in the engine, and before its worker
/// has finished. The first search is stopped once more at any time.
#[test]
fn loom_a_late_stop_does_not_hit_the_next_search() {
    model(|| {
        let first = begin(1, Mode::Answer);
        let late = {
            let first = Arc::clone(&first);
            thread::spawn(move || first.stop())
        };
        first.stop();
        let second = begin(1, Mode::Infinite);
        work(&first, 0, Work::UntilStopped);
        coordinate(&first);
        first.wait_until_idle();
        assert_eq!(second.control.state(), SearchState::Running);
        let worker = spawn(&second, 0, Work::UntilStopped);
        second.stop();
        // The late stop of the first search must not undo this stop of the second.
        coordinate(&second);
        second.wait_until_idle();
        late.join().unwrap();
        worker.join().unwrap();
    });
}

#[test]
fn loom_a_ponder_hit_releases_a_finished_search() {
    model(|| {
        let search = begin(1, Mode::Ponder);
        let worker = spawn(&search, 0, Work::ToItsDepth);
        let user = {
            let search = Arc::clone(&search);
            thread::spawn(move || search.ponder_hit())
        };
        coordinate(&search);
        assert_eq!(search.control.state(), SearchState::Done);
        worker.join().unwrap();
        user.join().unwrap();
    });
}

/// Worker 0 searches until the coordinator stops it, because the other worker panicked.
#[test]
fn loom_a_panic_stops_the_others_and_ends_the_search() {
    model(|| {
        let search = begin(2, Mode::Answer);
        let other = spawn(&search, 0, Work::UntilStopped);
        let failing = spawn(&search, 1, Work::Fail);
        assert_eq!(coordinate(&search), 1);
        search.wait_until_idle();
        assert_eq!(search.wait(None), Some(0));
        failing.join().unwrap();
        other.join().unwrap();
    });
}

/// Three workers with one baton have their turns in the order of their numbers, whichever thread runs first
/// and whoever ends early.
#[test]
fn loom_one_baton_makes_one_order() {
    model(|| {
        let batons = Arc::new(Batons::new(1, 3));
        let order = Arc::new(Mutex::new(Vec::new()));
        let spawn = |id: usize, turns: usize| {
            let (batons, order) = (Arc::clone(&batons), Arc::clone(&order));
            thread::spawn(move || {
                let turn = batons.take(id);
                for number in 0..turns {
                    if number > 0 {
                        turn.pass();
                    }
                    lock(&order).push(id);
                }
            })
        };
        let threads = [spawn(0, 2), spawn(1, 1), spawn(2, 2)];
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(*lock(&order), [0, 1, 2, 0, 2]);
    });
}

/// No baton is lost and none is made: two of three workers run at most, and all of them end.
#[test]
fn loom_no_more_workers_run_than_there_are_batons() {
    model(|| {
        let batons = Arc::new(Batons::new(2, 3));
        let running = Arc::new(Mutex::new(0));
        let threads: Vec<_> = (0..3)
            .map(|id| {
                let (batons, running) = (Arc::clone(&batons), Arc::clone(&running));
                thread::spawn(move || {
                    let _turn = batons.take(id);
                    *lock(&running) += 1;
                    assert!(*lock(&running) <= 2);
                    *lock(&running) -= 1;
                })
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
    });
}

/// A stop reaches a worker that waits for its turn.
#[test]
fn loom_a_stop_in_lockstep_is_not_lost() {
    model(|| {
        let control = SearchControl::new(Limits {
            mode: Mode::Infinite,
            ..Limits::default()
        });
        let search: Arc<TestSearch> = Arc::new(Shared::new(control, 2).in_lockstep());
        let workers = [0, 1].map(|id| spawn(&search, id, Work::UntilStopped));
        search.stop();
        coordinate(&search);
        search.wait_until_idle();
        for worker in workers {
            worker.join().unwrap();
        }
    });
}

/// In lockstep the result waits for every worker, and a panic ends them all.
#[test]
fn loom_a_panic_in_lockstep_ends_the_search() {
    model(|| {
        let control = SearchControl::new(Limits::default());
        let search: Arc<TestSearch> = Arc::new(Shared::new(control, 2).in_lockstep());
        let other = spawn(&search, 0, Work::UntilStopped);
        let failing = spawn(&search, 1, Work::Fail);
        assert_eq!(coordinate(&search), 1);
        assert_eq!(search.wait(None), Some(0));
        failing.join().unwrap();
        other.join().unwrap();
    });
}
