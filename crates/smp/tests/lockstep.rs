//! Lockstep: searches by many workers that are the same on every run, and turns of more workers than cores.

mod common;

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use common::Hooked;
use skewer_movegen::Board;
use skewer_search::{Clock, Limits, Mode, TimeSource, WorkerFactory, bench};
use skewer_smp::{Engine, Event, Options, Schedule};
use skewer_tt::TableSize;

const NODES_AS_TIME: TimeSource = TimeSource::Nodes {
    per_millisecond: NonZeroU32::new(100).unwrap(),
};

fn options(threads: usize, schedule: Schedule) -> Options {
    Options {
        threads,
        schedule,
        hash: TableSize::from_megabytes(4),
        ..Options::default()
    }
}

fn factory(hook: impl FnMut() + Clone + Send + Sync + 'static) -> WorkerFactory {
    WorkerFactory::new(move || Hooked::new(hook.clone()))
}

/// Limits of all kinds that do not depend on real time.
fn limits() -> [Limits; 4] {
    let counted = |limits: Limits| Limits {
        time_source: NODES_AS_TIME,
        ..limits
    };
    [
        counted(Limits::depth(7)),
        counted(Limits::nodes(20_000)),
        counted(Limits::clock(Clock {
            remaining: Duration::from_secs(4),
            increment: Duration::ZERO,
            moves_to_go: None,
        })),
        counted(Limits {
            multi_pv: 3,
            ..Limits::depth(5)
        }),
    ]
}

/// Everything that the searches of several positions report, one after the other without clearing.
fn story(engine: &mut Engine) -> Vec<String> {
    let events = Arc::new(Mutex::new(Vec::new()));
    for (number, limits) in limits().into_iter().enumerate() {
        for fen in bench::POSITIONS.iter().skip(number).step_by(9) {
            let events = Arc::clone(&events);
            let search = engine.search(
                Board::from_fen(fen).unwrap(),
                limits.clone(),
                move |event| {
                    events.lock().unwrap().push(format!("{event:?}"));
                },
            );
            search.wait();
        }
    }
    engine.wait_until_idle();
    std::mem::take(&mut events.lock().unwrap())
}

/// Evaluations by all workers in the run in which some threads are delayed.
static UNEVEN: AtomicUsize = AtomicUsize::new(0);

#[test]
fn eight_workers_in_lockstep_report_the_same_however_the_machine_runs_them() {
    let run = |hook: fn()| {
        let options = options(8, Schedule::Lockstep);
        story(&mut Engine::with_evaluation(options, factory(hook)).unwrap())
    };
    let first = run(|| {});
    // In this run a thread sleeps now and then.
    let second = run(|| {
        if UNEVEN.fetch_add(1, Ordering::Relaxed).is_multiple_of(2_999) {
            std::thread::sleep(Duration::from_millis(1));
        }
    });
    assert!(
        first
            .iter()
            .filter(|event| event.starts_with("Done"))
            .count()
            > 16
    );
    assert_eq!(first, second);
}

#[test]
fn one_worker_searches_alike_with_and_without_lockstep() {
    let [free, lockstep] = [Schedule::Free, Schedule::Lockstep]
        .map(|schedule| story(&mut Engine::new(options(1, schedule)).unwrap()));
    assert_eq!(free, lockstep);
}

#[test]
fn a_panic_in_lockstep_has_the_same_result_every_time() {
    let run = || {
        let left = Arc::new(AtomicUsize::new(30_000));
        let hook = move || {
            let before = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                left.checked_sub(1)
            });
            assert_ne!(before, Ok(1), "a test of what happens then");
        };
        let options = options(4, Schedule::Lockstep);
        story(&mut Engine::with_evaluation(options, factory(hook)).unwrap())
    };
    let first = run();
    assert!(first.iter().any(|event| event.starts_with("Note")));
    assert_eq!(first, run());
}

#[test]
fn a_search_in_lockstep_can_be_stopped_and_the_schedule_changed() {
    let mut engine = Engine::new(options(8, Schedule::Lockstep)).unwrap();
    for schedule in [Schedule::Free, Schedule::Lockstep, Schedule::Lockstep] {
        let infinite = Limits {
            mode: Mode::Infinite,
            ..Limits::default()
        };
        let search = engine.search(Board::STARTPOS, infinite, |_| {});
        search.stop();
        assert!(search.wait().best.is_some());
        engine.set_schedule(schedule);
    }
    let timed = Limits::move_time(Duration::from_millis(20));
    assert!(
        engine
            .search(Board::STARTPOS, timed, |_| {})
            .wait()
            .best
            .is_some()
    );
}

/// Far more workers than cores: each search gives its result when it is stopped.
#[test]
fn a_crowd_of_workers_answers_a_stop() {
    let searched = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&searched);
    let hook = move || _ = count.fetch_add(1, Ordering::Relaxed);
    let cores = std::thread::available_parallelism().unwrap().get();
    let workers = (8 * cores).min(skewer_smp::MAX_THREADS);
    let options = options(workers, Schedule::Free);
    let mut engine = Engine::with_evaluation(options, factory(hook)).unwrap();
    assert_eq!(engine.is_crowded(), workers > 4 * cores);
    for _ in 0..3 {
        let (line, lines) = std::sync::mpsc::channel();
        let search = engine.search(
            Board::STARTPOS,
            Limits {
                mode: Mode::Infinite,
                ..Limits::default()
            },
            move |event| {
                if matches!(event, Event::Line(_)) {
                    _ = line.send(());
                }
            },
        );
        lines.recv().unwrap();
        search.stop();
        assert!(search.wait().best.is_some());
    }
    engine.wait_until_idle();
    assert!(searched.load(Ordering::Relaxed) > 0);
}
