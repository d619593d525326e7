//! Guarantees of the engine that do not depend on timing.

mod common;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use common::Hooked;
use skewer_movegen::Board;
use skewer_search::{Limits, Mode, WorkerFactory};
use skewer_smp::{Engine, EngineError, Event, Execution, Options};
use skewer_tt::TableSize;
use skewer_types::Bound;

fn engine(threads: usize) -> Engine {
    Engine::new(Options {
        threads,
        hash: TableSize::from_megabytes(4),
        ..Options::default()
    })
    .unwrap()
}

fn infinite() -> Limits {
    Limits {
        mode: Mode::Infinite,
        ..Limits::default()
    }
}

#[test]
fn one_thread_is_deterministic_also_after_other_searches() {
    let mut engine = engine(1);
    let nodes = |engine: &mut Engine| {
        engine.clear();
        engine
            .search(Board::STARTPOS, Limits::depth(7), |_| {})
            .wait()
            .nodes
    };
    let first = nodes(&mut engine);
    let search = engine.search(Board::STARTPOS, infinite(), |_| {});
    std::thread::sleep(Duration::from_millis(30));
    search.stop();
    search.wait();
    assert_eq!(nodes(&mut engine), first);
    engine.set_threads(2).unwrap();
    engine.set_threads(1).unwrap();
    assert_eq!(nodes(&mut engine), first);
}

/// Counts the events of one search. It asserts nothing, because the engine catches panics of an
/// observer, so a test would not see them.
#[derive(Default)]
struct EventCounts {
    results: AtomicUsize,
    without_a_move: AtomicUsize,
    after_the_result: AtomicUsize,
}

impl EventCounts {
    fn count(&self, event: &Event<'_>) {
        if self.results.load(Ordering::Relaxed) > 0 {
            self.after_the_result.fetch_add(1, Ordering::Relaxed);
        }
        if let Event::Done(outcome) = event {
            self.results.fetch_add(1, Ordering::Relaxed);
            self.without_a_move
                .fetch_add(usize::from(outcome.best.is_none()), Ordering::Relaxed);
        }
    }

    fn values(&self) -> [usize; 3] {
        [&self.results, &self.without_a_move, &self.after_the_result]
            .map(|count| count.load(Ordering::Relaxed))
    }
}

#[test]
fn every_search_has_one_result_and_it_comes_last() {
    for threads in [1, 2, 8] {
        let mut engine = engine(threads);
        let searches: Vec<Arc<EventCounts>> = (0..200)
            .map(|round| {
                let counts = Arc::new(EventCounts::default());
                let observer = Arc::clone(&counts);
                let search = engine.search(Board::STARTPOS, infinite(), move |event| {
                    observer.count(&event);
                });
                if round % 3 == 0 {
                    std::thread::yield_now();
                }
                search.stop();
                assert!(Board::STARTPOS.is_legal(search.wait().best.unwrap()));
                assert_eq!(
                    counts.results.load(Ordering::Relaxed),
                    1,
                    "wait returns after the result was reported"
                );
                counts
            })
            .collect();
        // Dropping the engine waits for its threads, so that late events are counted too.
        drop(engine);
        for counts in searches {
            assert_eq!(counts.values(), [1, 0, 0]);
        }
    }
}

#[test]
fn a_search_on_the_thread_of_its_caller_has_one_result_after_a_stop() {
    let mut engine = Engine::new(Options {
        execution: Execution::Caller,
        ..Options::default()
    })
    .unwrap();
    let counts = Arc::new(EventCounts::default());
    let has_line = Arc::new(AtomicBool::new(false));
    let (observer, seen) = (Arc::clone(&counts), Arc::clone(&has_line));
    let handle = engine.search(Board::STARTPOS, infinite(), move |event| {
        observer.count(&event);
        seen.store(true, Ordering::Relaxed);
    });
    let mut search = engine.take_search().unwrap();
    search.run(&|| {
        if has_line.load(Ordering::Relaxed) {
            handle.stop();
        }
    });
    assert!(search.finish());
    assert_eq!(counts.values(), [1, 0, 0]);
}

#[test]
fn a_new_search_stops_the_old_one_and_results_stay_in_order() {
    let mut engine = engine(2);
    let order = Arc::new(Mutex::new(Vec::new()));
    let mut last = None;
    for number in 0..20 {
        let order = Arc::clone(&order);
        last = Some(engine.search(Board::STARTPOS, infinite(), move |event| {
            if matches!(event, Event::Done(_)) {
                order.lock().unwrap().push(number);
            }
        }));
    }
    let last = last.unwrap();
    last.stop();
    last.wait();
    assert_eq!(*order.lock().unwrap(), (0..20).collect::<Vec<_>>());
}

#[test]
fn the_result_is_the_last_reported_line() {
    for threads in [1, 4] {
        let mut engine = engine(threads);
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ] {
            let last = Arc::new(Mutex::new(None));
            let seen = Arc::clone(&last);
            let search = engine.search(
                Board::from_fen(fen).unwrap(),
                Limits::move_time(Duration::from_millis(60)),
                move |event| {
                    if let Event::Line(line) = event {
                        *seen.lock().unwrap() = Some(line.clone());
                    }
                },
            );
            let outcome = search.wait();
            let last = last.lock().unwrap().take().unwrap();
            assert_eq!(last.bound, Bound::Exact);
            assert_eq!(last.pv.first().copied(), outcome.best);
            assert_eq!(last.score, outcome.score);
        }
    }
}

#[test]
fn a_depth_limit_is_met_by_any_worker() {
    for threads in [1, 2, 6] {
        let mut engine = engine(threads);
        for depth in 1..=9 {
            engine.clear();
            let lines = Arc::new(Mutex::new(Vec::new()));
            let seen = Arc::clone(&lines);
            let outcome = engine
                .search(Board::STARTPOS, Limits::depth(depth), move |event| {
                    if let Event::Line(line) = event {
                        seen.lock().unwrap().push((line.depth, line.bound));
                    }
                })
                .wait();
            assert_eq!(outcome.depth, depth);
            let lines = std::mem::take(&mut *lines.lock().unwrap());
            assert!(lines.iter().all(|(_, bound)| *bound == Bound::Exact));
            let depths: Vec<_> = lines.iter().map(|(depth, _)| *depth).collect();
            // The line of the result is reported again if it was not the first of its depth.
            assert!(depths.is_sorted(), "{depths:?}");
            assert_eq!(depths.last(), Some(&depth));
        }
    }
}

#[test]
fn a_ponder_search_that_meets_its_limit_waits_for_ponderhit() {
    let mut engine = engine(1);
    let limits = Limits {
        mode: Mode::Ponder,
        ..Limits::depth(2)
    };
    let search = engine.search(Board::STARTPOS, limits, |_| {});
    assert!(search.wait_for(Duration::from_millis(100)).is_none());
    assert!(!search.is_done());
    search.ponder_hit();
    assert_eq!(search.wait().depth, 2);
}

#[test]
fn worker_histories_can_be_cleared_without_the_hash_table() {
    let mut engine = engine(1);
    let board = Board::STARTPOS;
    let nodes = |engine: &mut Engine| engine.search(board, Limits::depth(8), |_| {}).wait().nodes;
    let wipe = |engine: &mut Engine| engine.with_table(|table| table.clear());
    let fresh = nodes(&mut engine);
    wipe(&mut engine);
    let with_histories = nodes(&mut engine);
    assert_ne!(with_histories, fresh, "the search has filled the histories");
    let before = engine.with_table(|table| table.occupancy());
    assert!(before > 0);
    engine.clear_workers();
    assert_eq!(engine.with_table(|table| table.occupancy()), before);
    wipe(&mut engine);
    assert_eq!(nodes(&mut engine), fresh);
}

#[test]
fn deadlines_hold_when_no_worker_runs() {
    for mode in [Mode::Answer, Mode::Ponder] {
        let starved = Arc::new(AtomicBool::new(false));
        let shared = Arc::clone(&starved);
        let options = Options {
            threads: 2,
            ..Options::default()
        };
        // As if the system gave the workers' threads no time.
        let starving = WorkerFactory::new(move || {
            let starved = Arc::clone(&shared);
            Hooked::new(move || {
                while starved.load(Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_millis(1));
                }
            })
        });
        let mut engine = Engine::with_evaluation(options, starving).unwrap();
        let (line, first_line) = std::sync::mpsc::channel();
        let limits = Limits {
            mode,
            ..Limits::move_time(Duration::from_millis(300))
        };
        let search = engine.search(Board::STARTPOS, limits, move |_| {
            // Only the first is waited for.
            let _ = line.send(());
        });
        first_line.recv().unwrap();
        starved.store(true, Ordering::Relaxed);
        if mode == Mode::Ponder {
            search.ponder_hit();
        }
        let answer = search.wait_for(Duration::from_mins(1));
        // Without this, dropping the engine would wait for its workers for ever.
        starved.store(false, Ordering::Relaxed);
        assert!(answer.is_some(), "{mode:?}");
    }
}

#[test]
fn settings_can_change_at_any_time_and_refused_ones_change_nothing() {
    let mut engine = engine(2);
    let search = engine.search(Board::STARTPOS, infinite(), |_| {});
    engine.set_threads(3).unwrap();
    assert!(search.is_done(), "the change stopped the search");
    engine.search(Board::STARTPOS, infinite(), |_| {});
    engine.set_hash(TableSize::from_megabytes(1)).unwrap();
    engine.search(Board::STARTPOS, infinite(), |_| {});
    engine.clear();
    assert!(matches!(
        engine.set_threads(0),
        Err(EngineError::Threads { requested: 0 })
    ));
    assert!(engine.set_threads(1_000_000).is_err());
    let too_much = TableSize::from_megabytes(usize::MAX >> 20);
    assert!(matches!(
        engine.set_hash(too_much),
        Err(EngineError::Table(_))
    ));
    assert_eq!((engine.threads(), engine.hash().megabytes()), (3, 1));
    let outcome = engine
        .search(Board::STARTPOS, Limits::depth(4), |_| {})
        .wait();
    assert!(outcome.best.is_some());
}

#[test]
fn threads_can_be_changed_without_losing_the_hash_table() {
    let mut engine = engine(1);
    engine
        .search(Board::STARTPOS, Limits::depth(8), |_| {})
        .wait();
    let before = engine.with_table(|table| table.occupancy());
    engine.set_threads(4).unwrap();
    assert!(before > 0);
    assert_eq!(engine.with_table(|table| table.occupancy()), before);
}

/// A worker that panics and cannot be replaced ends its search, and the engine stays usable.
#[test]
fn a_worker_that_cannot_be_replaced_ends_its_search() {
    static MADE: AtomicUsize = AtomicUsize::new(0);
    let fragile_factory = || {
        assert!(
            MADE.fetch_add(1, Ordering::Relaxed) < 2,
            "no third evaluator"
        );
        let mut evaluations = 0;
        Hooked::new(move || {
            evaluations += 1;
            assert!(evaluations != 500, "a test of what happens then");
        })
    };
    let options = Options {
        threads: 2,
        hash: TableSize::from_megabytes(1),
        ..Options::default()
    };
    let mut engine = Engine::with_evaluation(options, WorkerFactory::new(fragile_factory)).unwrap();
    let (sender, notes) = std::sync::mpsc::channel();
    // Each worker fails at its 500th evaluation, so the search ends long before this depth. If a worker
    // were not counted as finished, the test would hang here.
    let search = engine.search(Board::STARTPOS, Limits::depth(60), move |event| {
        if let Event::Note(note) = event {
            sender.send(note.to_owned()).unwrap();
        }
    });
    assert!(Board::STARTPOS.is_legal(search.wait().best.unwrap()));
    engine.wait_until_idle();
    let note = notes.recv().unwrap();
    assert!(note.contains("could not be replaced"), "{note}");
    let outcome = engine
        .search(Board::STARTPOS, Limits::depth(5), |_| {})
        .wait();
    assert_eq!(outcome.depth, 5);
}

/// How many more panics evaluators cause.
static PANICS: AtomicUsize = AtomicUsize::new(0);

/// An evaluator that panics after 500 evaluations, as long as [`PANICS`] is above zero.
fn fragile() -> Hooked<impl FnMut()> {
    let mut evaluations = 0;
    Hooked::new(move || {
        evaluations += 1;
        let take = |left: usize| left.checked_sub(1);
        if evaluations > 500
            && PANICS
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
                .is_ok()
        {
            panic!("a test of what happens then");
        }
    })
}

#[test]
fn a_worker_that_panics_is_reported_and_replaced() {
    for threads in [1, 3] {
        let options = Options {
            threads,
            hash: TableSize::from_megabytes(1),
            ..Options::default()
        };
        let mut engine = Engine::with_evaluation(options, WorkerFactory::new(fragile)).unwrap();
        PANICS.store(1, Ordering::Relaxed);
        let notes = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&notes);
        let search = engine.search(Board::STARTPOS, Limits::depth(30), move |event| {
            if let Event::Note(note) = event {
                seen.lock().unwrap().push(note.to_owned());
            }
        });
        let outcome = search.wait();
        assert!(Board::STARTPOS.is_legal(outcome.best.unwrap()));
        engine.wait_until_idle();
        let notes = notes.lock().unwrap();
        assert!(
            notes.len() == 1 && notes[0].contains("a test of what"),
            "{notes:?}"
        );
        // The vote may choose a worker that is a ply behind, so check that the replacement of worker 0
        // reports the whole depth.
        let deepest = Arc::new(AtomicUsize::new(0));
        let reached = Arc::clone(&deepest);
        let search = engine.search(Board::STARTPOS, Limits::depth(6), move |event| {
            if let Event::Line(line) = event {
                reached.fetch_max(line.depth as usize, Ordering::Relaxed);
            }
        });
        assert!(Board::STARTPOS.is_legal(search.wait().best.unwrap()));
        assert_eq!(deepest.load(Ordering::Relaxed), 6);
    }
}

#[test]
fn a_panic_in_the_observer_does_not_end_the_engine() {
    let mut engine = engine(1);
    let search = engine.search(Board::STARTPOS, Limits::depth(3), |_| {
        panic!("a test of what happens then")
    });
    assert_eq!(search.wait().depth, 3);
    assert_eq!(
        engine
            .search(Board::STARTPOS, Limits::depth(4), |_| {})
            .wait()
            .depth,
        4
    );
}

#[test]
fn dropping_the_engine_ends_a_search_at_once() {
    let started = Instant::now();
    let mut engine = engine(4);
    engine.search(Board::STARTPOS, infinite(), |_| {});
    drop(engine);
    assert!(started.elapsed() < Duration::from_mins(1));
}

#[test]
fn positions_without_legal_moves_have_a_result() {
    let mut engine = engine(2);
    for fen in [
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        "k7/8/1Q6/8/8/8/8/K7 b - - 0 1",
    ] {
        let board = Board::from_fen(fen).unwrap();
        let outcome = engine.search(board, Limits::depth(5), |_| {}).wait();
        assert_eq!(outcome.best, None, "{fen}");
    }
}
