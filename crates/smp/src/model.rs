//! The stop and start protocol in all its interleavings (up to a bound), by loom:
//!
//! ```text
//! RUSTFLAGS="--cfg loom" cargo test -p skewer-smp --lib --release --target-dir target/loom loom
//! ```
//!
//! Desk, session and signals are those of the engine; only the workers and the user are played. A
//! worker here does what a real one does: it looks at the stop signal of its own search between
//! pieces of work, publishes what it has, and leaves. The models have no clock, so a lost signal
//! is a deadlock or a worker without end, which loom reports.

use std::time::Instant;

use loom::sync::Arc;
use loom::thread;

use crate::desk::{Departure, Enough, Patience};
use crate::session::{Audience, Session};
use crate::sync::Signals;

type TestSession = Session<usize, usize>;

/// At most this many times in a run is a thread interrupted where it would not have waited. Nearly
/// all errors show with two, and without a bound three threads take hours.
const PREEMPTIONS: usize = 2;

fn model(run: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(PREEMPTIONS);
    builder.check(run);
}

fn signals() -> std::sync::Arc<Signals> {
    std::sync::Arc::new(Signals::new())
}

fn begin(
    signals: &std::sync::Arc<Signals>,
    workers: usize,
    patience: Patience,
) -> Arc<TestSession> {
    let signals = std::sync::Arc::clone(signals);
    let started = Instant::now();
    let enough = Enough::Anyones;
    Arc::new(Session::begin(
        signals, workers, patience, enough, started, None,
    ))
}

/// What a worker does before it leaves.
#[derive(Clone, Copy)]
enum Work {
    /// It searches until it is stopped.
    UntilStopped,
    /// It reaches the depth that was asked for.
    ToItsDepth,
    /// It panics.
    Fail,
}

/// The part of worker `id`. Only the coordinator and the user stop anyone.
fn work(session: &TestSession, id: usize, work: Work) {
    let departure = match work {
        Work::Fail => Departure::Panicked("oh".to_owned()),
        Work::ToItsDepth => Departure::Finished(id),
        Work::UntilStopped => {
            session.desk.tell(id, Some(id), []);
            while !session.signals.is_stopped(session.epoch) {
                thread::yield_now();
            }
            Departure::Finished(id)
        }
    };
    session.desk.leave(id, departure);
}

fn hire(session: &Arc<TestSession>, id: usize, does: Work) -> thread::JoinHandle<()> {
    let session = Arc::clone(session);
    thread::spawn(move || work(&session, id, does))
}

/// Hears a search and answers with the first thing that was found.
struct Listener<'a> {
    session: &'a TestSession,
    failures: usize,
}

impl Audience<usize, usize> for Listener<'_> {
    fn line(&mut self, _line: usize) {}

    fn failure(&mut self, _message: &str) {
        self.failures += 1;
    }

    fn next_remark(&self) -> Option<Instant> {
        None
    }

    fn remark(&mut self) {
        unreachable!("models have no clock");
    }

    fn decide(&mut self) -> usize {
        assert!(self.session.signals.is_stopped(self.session.epoch));
        let findings = self.session.desk.findings();
        findings
            .into_iter()
            .find_map(|(outcome, line)| outcome.or(line))
            .expect("there is something to answer")
    }

    fn done(&mut self, _answer: &usize) {
        assert!(self.session.desk.is_answering());
    }
}

/// The coordinator's part. Returns how many failures it heard of.
fn coordinate(session: &TestSession) -> usize {
    let mut listener = Listener {
        session,
        failures: 0,
    };
    session.coordinate(&mut listener);
    listener.failures
}

#[test]
fn loom_a_stop_is_never_lost_whenever_it_comes() {
    model(|| {
        let session = begin(&signals(), 1, Patience::WaitToBeAsked);
        let worker = hire(&session, 0, Work::UntilStopped);
        let user = {
            let session = Arc::clone(&session);
            thread::spawn(move || session.stop())
        };
        coordinate(&session);
        assert_eq!(session.desk.wait_for_answer(), 0);
        session.desk.wait_until_empty();
        worker.join().unwrap();
        user.join().unwrap();
    });
}

#[test]
fn loom_the_answer_does_not_wait_for_the_straggler_whom_it_stops() {
    model(|| {
        let session = begin(&signals(), 2, Patience::AnswerWhenDone);
        let first = hire(&session, 0, Work::ToItsDepth);
        let straggler = hire(&session, 1, Work::UntilStopped);
        assert_eq!(coordinate(&session), 0);
        assert_eq!(session.desk.wait_for_answer(), 0);
        session.desk.wait_until_empty();
        let left = session.desk.findings();
        assert!(left.iter().all(|(outcome, _)| outcome.is_some()));
        first.join().unwrap();
        straggler.join().unwrap();
    });
}

/// The second search begins when the first was stopped, as the engine does it, and its worker is
/// on its way before the one of the first has left. The first search's user stops it once more,
/// whenever that may be.
#[test]
fn loom_a_late_stop_does_not_hit_the_next_search() {
    model(|| {
        let signals = signals();
        let first = begin(&signals, 1, Patience::AnswerWhenDone);
        let late = {
            let first = Arc::clone(&first);
            thread::spawn(move || first.stop())
        };
        first.stop();
        let second = begin(&signals, 1, Patience::WaitToBeAsked);
        assert!(
            !signals.is_stopped(second.epoch),
            "the stop was meant for the first search"
        );
        work(&first, 0, Work::UntilStopped);
        coordinate(&first);
        first.desk.wait_until_empty();
        assert!(!signals.is_stopped(second.epoch));
        assert!(!second.desk.is_answering());
        let worker = hire(&second, 0, Work::UntilStopped);
        second.stop();
        // And what was meant for the second search is not undone by what was meant for the first.
        coordinate(&second);
        second.desk.wait_until_empty();
        late.join().unwrap();
        worker.join().unwrap();
    });
}

#[test]
fn loom_a_ponder_hit_releases_a_finished_search() {
    model(|| {
        let session = begin(&signals(), 1, Patience::WaitToBeAsked);
        let worker = hire(&session, 0, Work::ToItsDepth);
        let user = {
            let session = Arc::clone(&session);
            thread::spawn(move || session.ponder_hit())
        };
        coordinate(&session);
        assert!(session.signals.is_ponder_hit(session.epoch));
        worker.join().unwrap();
        user.join().unwrap();
    });
}

/// Worker 0 keeps the clock and searches until it is stopped: by the coordinator, which hears of
/// the other's failure.
#[test]
fn loom_a_panic_stops_the_others_and_ends_the_search() {
    model(|| {
        let session = begin(&signals(), 2, Patience::AnswerWhenDone);
        let other = hire(&session, 0, Work::UntilStopped);
        let failing = hire(&session, 1, Work::Fail);
        assert_eq!(coordinate(&session), 1);
        session.desk.wait_until_empty();
        assert_eq!(session.desk.wait_for_answer(), 0);
        failing.join().unwrap();
        other.join().unwrap();
    });
}
