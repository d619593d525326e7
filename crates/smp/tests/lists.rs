//! The lines of `MultiPV` are reported as one list of one iteration, whenever the search is stopped.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use skewer_movegen::Board;
use skewer_search::{Limits, Mode, Report};
use skewer_smp::{Engine, Event, Options};
use skewer_tt::TableSize;

/// How many searches are stopped, and how much later each is stopped than the one before, in
/// microseconds.
const SEARCHES: u64 = 300;
const STEP: u64 = 17;

/// The last line of each number, as a client keeps them, and the answer.
fn list(engine: &mut Engine, multi_pv: usize, pause: Duration) -> Vec<Report> {
    let reports = Arc::new(Mutex::new(Vec::new()));
    let observed = Arc::clone(&reports);
    let limits = Limits {
        multi_pv,
        mode: Mode::Infinite,
        ..Limits::default()
    };
    let search = engine.search(Board::STARTPOS, limits, move |event| {
        if let Event::Line(report) = event {
            observed.lock().unwrap().push(report.clone());
        }
    });
    std::thread::sleep(pause);
    search.stop();
    let best = search.wait().best;
    let reports = reports.lock().unwrap();
    let list: Vec<Report> = (1..=multi_pv)
        .map(|number| {
            let of_number = |report: &&Report| report.multi_pv == number;
            reports.iter().rfind(of_number).unwrap().clone()
        })
        .collect();
    assert_eq!(list[0].pv.first().copied(), best);
    assert_eq!(reports.last().unwrap().multi_pv, multi_pv, "after the list");
    list
}

#[test]
fn a_stop_leaves_a_whole_list_of_one_iteration() {
    for threads in [1, 3] {
        let mut engine = Engine::new(Options {
            threads,
            hash: TableSize::from_megabytes(1),
            ..Options::default()
        })
        .unwrap();
        for number in 0..SEARCHES {
            engine.clear();
            let list = list(&mut engine, 3, Duration::from_micros(number * STEP));
            let depths: Vec<_> = list.iter().map(|report| report.depth).collect();
            assert!(depths.iter().all(|&depth| depth == depths[0]), "{depths:?}");
            assert!(list.is_sorted_by(|one, two| one.score >= two.score));
            let heads: Vec<_> = list.iter().map(|report| report.pv[0]).collect();
            assert!(
                heads[0] != heads[1] && heads[0] != heads[2] && heads[1] != heads[2],
                "{heads:?}"
            );
        }
    }
}

#[test]
fn after_a_stop_the_result_is_the_last_reported_line() {
    let mut engine = Engine::new(Options::default()).unwrap();
    for number in 0..SEARCHES {
        engine.clear();
        list(&mut engine, 1, Duration::from_micros(number * STEP));
    }
}
