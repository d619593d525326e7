//! The search to a fixed depth on one thread, in nodes a second.

use criterion::{BatchSize, Criterion, Throughput};
use skewer_benches::harness::{boards, criterion};
use skewer_eval::Evaluation;
use skewer_search::{Limits, Position, Solo};
use skewer_tt::TableSize;
use skewer_types::Depth;

/// Plies. Deep enough for every technique to act.
const DEPTH: Depth = 8;

/// Every fourth bench position, each searched with an empty table.
fn search(criterion: &mut Criterion, name: &str, evaluation: &Evaluation) {
    let positions: Vec<Position> = boards().into_iter().step_by(4).map(Position::new).collect();
    let mut solo =
        Solo::new(evaluation, TableSize::from_megabytes(16)).expect("memory for a table");
    let limits = Limits::depth(DEPTH);
    let mut all = || {
        positions
            .iter()
            .map(|position| {
                solo.clear();
                solo.search(position, &limits).nodes
            })
            .sum::<u64>()
    };
    let nodes = all();
    let mut group = criterion.benchmark_group(format!("search/depth_{DEPTH}"));
    group
        .throughput(Throughput::Elements(nodes))
        .sample_size(10);
    group.bench_function(name, |b| {
        b.iter_batched(
            || (),
            |()| assert_eq!(all(), nodes, "the same nodes on every run"),
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

fn main() {
    let mut criterion = criterion();
    search(&mut criterion, "network", &Evaluation::default());
    search(&mut criterion, "hand_crafted", &Evaluation::hand_crafted());
    criterion.final_summary();
}
