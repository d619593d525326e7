//! Tests that look at the workers.

use skewer_movegen::Board;
use skewer_search::Counters;

use super::*;

/// In lockstep the workers have visited equally many nodes, but for a turn or two.
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
