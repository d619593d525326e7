//! Tests that look at the workers.

use std::sync::atomic::{AtomicU32, Ordering};

use skewer_movegen::Board;
use skewer_search::{Counters, Mode};

use super::*;

/// In lockstep the workers visit equally many nodes, apart from a turn or two.
#[test]
fn in_lockstep_no_worker_is_ahead_of_another_by_more_than_two_turns() {
    let mut engine = Engine::new(Options {
        threads: 8,
        schedule: Schedule::Lockstep,
        hash: TableSize::from_megabytes(4),
        ..Options::default()
    })
    .unwrap();
    engine
        .search(Board::STARTPOS, Limits::nodes(60_000), |_| {})
        .wait();
    let nodes: Vec<u64> = engine
        .workers
        .counters
        .iter()
        .map(Counters::nodes)
        .collect();
    let (least, most) = (nodes.iter().min(), nodes.iter().max());
    assert!(most.unwrap() - least.unwrap() <= 2 * 512, "{nodes:?}");
}

#[test]
fn an_engine_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Engine>();
}

fn line(multi_pv: usize, depth: i32, mv: &str) -> Report {
    Report {
        depth,
        seldepth: 1,
        multi_pv,
        lines: 3,
        score: skewer_types::Score::ZERO,
        bound: Bound::Exact,
        nodes: 1,
        time: std::time::Duration::ZERO,
        hashfull: 0,
        tb_hits: 0,
        pv: [Board::STARTPOS.parse_uci(mv).unwrap()]
            .into_iter()
            .collect(),
    }
}

/// An iteration that was ended early replaces the lines that it finished; each move keeps one line.
#[test]
fn an_unfinished_iteration_loses_no_line_and_shows_none_twice() {
    let mut lines = Vec::new();
    for (place, mv) in [(1, "e2e4"), (2, "d2d4"), (3, "g1f3")] {
        keep(&mut lines, &line(place, 5, mv));
    }
    let shown = |lines: &[Report]| -> Vec<(i32, String)> {
        let text = |line: &Report| (line.depth, format!("{:?}", line.pv[0]));
        lines.iter().map(text).collect()
    };
    keep(&mut lines, &line(1, 6, "g1f3"));
    let kept = [(6, "g1f3"), (5, "e2e4"), (5, "d2d4")];
    assert_eq!(
        shown(&lines),
        kept.map(|(depth, mv)| (depth, mv.to_owned()))
    );
    keep(&mut lines, &line(2, 6, "c2c4"));
    let kept = [(6, "g1f3"), (6, "c2c4"), (5, "e2e4")];
    assert_eq!(
        shown(&lines),
        kept.map(|(depth, mv)| (depth, mv.to_owned()))
    );
    let bound = Report {
        bound: Bound::Lower,
        ..line(1, 7, "a2a3")
    };
    keep(&mut lines, &bound);
    assert_eq!(
        shown(&lines),
        kept.map(|(depth, mv)| (depth, mv.to_owned()))
    );
}

#[test]
fn analyse_returns_the_lines_and_none_when_the_game_is_over() {
    for execution in [Execution::Threads, Execution::Caller] {
        let options = Options {
            execution,
            hash: TableSize::from_megabytes(1),
            ..Options::default()
        };
        let mut engine = Engine::new(options).unwrap();
        let limits = Limits {
            multi_pv: 3,
            ..Limits::depth(4)
        };
        let lines = engine.analyse(Board::STARTPOS, limits.clone());
        assert_eq!(lines.len(), 3, "{execution:?}");
        assert!(lines.iter().all(|line| line.depth == 4));
        assert!(lines.is_sorted_by_key(|line| -line.score));
        // One legal move, then mate on the board.
        let forced: Board = "7k/8/5KQ1/8/8/8/8/8 b - - 0 1".parse().unwrap();
        assert_eq!(
            engine.analyse(forced, limits.clone()).len(),
            forced.legal_moves().len()
        );
        let mate: Board = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1".parse().unwrap();
        assert!(engine.analyse(mate, limits).is_empty());
    }
}

/// Without a limit, and in the modes that hold the result back.
#[test]
fn analyse_until_ends_when_its_caller_says_so() {
    for execution in [Execution::Threads, Execution::Caller] {
        for mode in [Mode::Answer, Mode::Infinite, Mode::Ponder] {
            for limits in [Limits::default(), Limits::depth(2)] {
                let options = Options {
                    execution,
                    hash: TableSize::from_megabytes(1),
                    ..Options::default()
                };
                let mut engine = Engine::new(options).unwrap();
                let asked = AtomicU32::new(0);
                let stopped = || asked.fetch_add(1, Ordering::Relaxed) >= 2;
                let limits = Limits { mode, ..limits };
                let lines = engine.analyse_until(Board::STARTPOS, limits, &stopped);
                assert_eq!(lines.len(), 1, "{execution:?} {mode:?}");
            }
        }
    }
}
