//! The stop and start protocol in all its interleavings (up to a bound), by loom:
//!
//! ```text
//! RUSTFLAGS="--cfg loom" cargo test -p skewer-smp --lib --release --target-dir target/loom loom
//! ```
//!
//! A worker here does what a real one does: it looks at the stop signal of its own search between
//! pieces of work, publishes what it has, and leaves. The models have no clock, so a lost signal
//! is a deadlock, which loom reports.

use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::thread;

use crate::desk::{Departure, Desk, Next, Patience};

type TestDesk = Desk<usize, usize>;

/// At most this many times in a run is a thread interrupted where it would not have waited. Nearly
/// all errors show with two, and without a bound three threads take hours.
const PREEMPTIONS: usize = 2;

fn model(run: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(PREEMPTIONS);
    builder.check(run);
}

/// The stop signal: the number of the last search that has been told to stop.
struct Stop(AtomicUsize);

impl Stop {
    fn is_stopped(&self, epoch: usize) -> bool {
        self.0.load(Ordering::Relaxed) >= epoch
    }

    fn stop(&self, epoch: usize) {
        self.0.fetch_max(epoch, Ordering::AcqRel);
    }
}

/// Works until it is stopped, and finishes at least one line. `patience` bounds the model: a
/// worker that has not been stopped by then leaves by itself, as at its depth limit.
fn work(desk: &TestDesk, stop: &Stop, id: usize, epoch: usize, patience: usize) {
    desk.publish(id, id);
    for _ in 0..patience {
        if stop.is_stopped(epoch) {
            break;
        }
        thread::yield_now();
    }
    desk.leave(id, Departure::Finished(id));
}

/// What the coordinator does: shows until it may answer, then answers.
fn coordinate(desk: &TestDesk, stop: &Stop, epoch: usize) {
    loop {
        match desk.next(None) {
            Next::Show(_) | Next::Panic(_) => {}
            Next::Answer | Next::Deadline => break,
        }
    }
    stop.stop(epoch);
    assert!(
        desk.findings().iter().any(|found| found != &(None, None)),
        "there is something to answer"
    );
    desk.begin_answer();
    desk.answer(epoch);
}

#[test]
fn loom_a_stop_is_never_lost_whenever_it_comes() {
    model(|| {
        let desk = Arc::new(TestDesk::new(1, Patience::WaitToBeAsked));
        let stop = Arc::new(Stop(AtomicUsize::new(0)));
        let worker = {
            let (desk, stop) = (Arc::clone(&desk), Arc::clone(&stop));
            thread::spawn(move || work(&desk, &stop, 0, 1, 1))
        };
        let user = {
            let (desk, stop) = (Arc::clone(&desk), Arc::clone(&stop));
            thread::spawn(move || {
                stop.stop(1);
                desk.ask_to_stop();
            })
        };
        coordinate(&desk, &stop, 1);
        assert_eq!(desk.wait_for_answer(), 1);
        desk.wait_until_empty();
        worker.join().unwrap();
        user.join().unwrap();
    });
}

#[test]
fn loom_the_answer_comes_without_the_straggler_and_the_next_search_waits_for_it() {
    model(|| {
        let desk = Arc::new(TestDesk::new(2, Patience::AnswerWhenDone));
        let stop = Arc::new(Stop(AtomicUsize::new(0)));
        let left = Arc::new(AtomicUsize::new(0));
        let workers: Vec<_> = (0..2)
            .map(|id| {
                let (desk, stop, left) = (Arc::clone(&desk), Arc::clone(&stop), Arc::clone(&left));
                thread::spawn(move || {
                    if id == 1 && !stop.is_stopped(1) {
                        // A straggler looks at the signal late or early.
                        thread::yield_now();
                    }
                    left.fetch_add(1, Ordering::Relaxed);
                    desk.leave(id, Departure::Finished(id));
                })
            })
            .collect();
        coordinate(&desk, &stop, 1);
        desk.wait_until_empty();
        assert_eq!(left.load(Ordering::Relaxed), 2, "nobody is left behind");
        for worker in workers {
            worker.join().unwrap();
        }
    });
}

#[test]
fn loom_a_late_stop_does_not_hit_the_next_search() {
    model(|| {
        let stop = Arc::new(Stop(AtomicUsize::new(0)));
        let first = Arc::new(TestDesk::new(1, Patience::AnswerWhenDone));
        let second = Arc::new(TestDesk::new(1, Patience::WaitToBeAsked));
        // The stop of the first search comes at any time, also during the second.
        let user = {
            let (desk, stop) = (Arc::clone(&first), Arc::clone(&stop));
            thread::spawn(move || {
                stop.stop(1);
                desk.ask_to_stop();
            })
        };
        work(&first, &stop, 0, 1, 1);
        coordinate(&first, &stop, 1);
        first.wait_until_empty();
        second.publish(0, 0);
        assert!(
            !stop.is_stopped(2),
            "the stop was meant for the first search"
        );
        assert!(!second.is_answering());
        user.join().unwrap();
        assert!(!stop.is_stopped(2));
    });
}

#[test]
fn loom_a_ponder_hit_releases_a_finished_search() {
    model(|| {
        let desk = Arc::new(TestDesk::new(1, Patience::WaitToBeAsked));
        let stop = Arc::new(Stop(AtomicUsize::new(0)));
        let worker = {
            let (desk, stop) = (Arc::clone(&desk), Arc::clone(&stop));
            thread::spawn(move || work(&desk, &stop, 0, 1, 0))
        };
        let user = {
            let desk = Arc::clone(&desk);
            thread::spawn(move || desk.allow_answer())
        };
        coordinate(&desk, &stop, 1);
        worker.join().unwrap();
        user.join().unwrap();
    });
}

#[test]
fn loom_a_panic_still_ends_the_search() {
    model(|| {
        let desk = Arc::new(TestDesk::new(2, Patience::AnswerWhenDone));
        let stop = Arc::new(Stop(AtomicUsize::new(0)));
        let failing = {
            let (desk, stop) = (Arc::clone(&desk), Arc::clone(&stop));
            thread::spawn(move || {
                stop.stop(1);
                desk.leave(0, Departure::Panicked("oh".to_owned()));
            })
        };
        let other = {
            let (desk, stop) = (Arc::clone(&desk), Arc::clone(&stop));
            thread::spawn(move || work(&desk, &stop, 1, 1, 0))
        };
        // The first worker has left without a line, so the answer may come from nobody.
        loop {
            match desk.next(None) {
                Next::Show(_) | Next::Panic(_) => {}
                Next::Answer | Next::Deadline => break,
            }
        }
        desk.begin_answer();
        desk.answer(0);
        desk.wait_until_empty();
        failing.join().unwrap();
        other.join().unwrap();
    });
}
