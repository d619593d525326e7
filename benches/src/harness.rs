//! What the criterion benches share: their configuration, positions, games and a network.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};
use skewer_eval::Evaluation;
use skewer_eval::network::Parameters;
use skewer_movegen::{Board, Move};

/// A criterion configured by the command line. A bench takes about three seconds, so that a
/// comparison of two commits fits into a few minutes.
pub fn criterion() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .sample_size(50)
        .configure_from_args()
}

/// The positions of the engine's `bench` command: openings, middlegames and endgames.
///
/// # Panics
///
/// If one is not a legal position.
pub fn boards() -> Vec<Board> {
    skewer_search::bench::POSITIONS
        .iter()
        .map(|fen| fen.parse().expect("a legal position"))
        .collect()
}

/// Every position of [`boards`] with each of its legal moves.
pub fn boards_and_moves() -> Vec<(Board, Move)> {
    boards()
        .into_iter()
        .flat_map(|board| board.legal_moves().into_iter().map(move |mv| (board, mv)))
        .collect()
}

/// The built-in network.
///
/// # Panics
///
/// If the build carries none.
pub fn network() -> Arc<Parameters> {
    let evaluation = Evaluation::built_in_network().expect("a build with a network");
    Arc::clone(evaluation.network().expect("a network"))
}

/// Benches `work` over all items; `elements` are what the throughput counts.
pub fn over<T, R>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    elements: usize,
    items: &[T],
    work: impl Fn(&T) -> R,
) {
    group.throughput(Throughput::Elements(elements as u64));
    group.bench_function(name, |b| {
        b.iter(|| {
            for item in items {
                black_box(work(black_box(item)));
            }
        });
    });
}
