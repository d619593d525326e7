//! The hash table: storing, probing and clearing, by one thread and by two on one table.

use std::hint::black_box;
use std::sync::Barrier;
use std::time::{Duration, Instant};

use criterion::Throughput;
use skewer_benches::harness::criterion;
use skewer_tt::{Entry, Table, TableSize};
use skewer_types::{Bound, Score, mix};

/// Megabytes: more than the caches of a core hold, as in a game.
const MEGABYTES: usize = 64;
/// Keys in a batch.
const BATCH: u64 = 100_000;

fn entry(key: u64) -> Entry {
    Entry {
        mv: None,
        score: Score::new((key % 200) as i32),
        eval: Some(Score::new((key % 100) as i32)),
        depth: (key % 20) as i32,
        bound: Some(Bound::Lower),
        was_pv: false,
    }
}

fn store(table: &Table, thread: u64) {
    for index in 0..BATCH {
        let key = mix(thread * BATCH + index);
        table.store(black_box(key), entry(key));
    }
}

fn probe(table: &Table, thread: u64) {
    for index in 0..BATCH {
        black_box(table.probe(black_box(mix(thread * BATCH + index))));
    }
}

/// Runs `work` on `threads` threads, `iterations` times each, and returns the time from when all have
/// started until the last has finished.
fn together(threads: u64, iterations: u64, work: impl Fn(u64) + Sync) -> Duration {
    let barrier = Barrier::new(threads as usize + 1);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (barrier, work) = (&barrier, &work);
            scope.spawn(move || {
                barrier.wait();
                for _ in 0..iterations {
                    work(thread);
                }
                barrier.wait();
            });
        }
        barrier.wait();
        let started = Instant::now();
        barrier.wait();
        started.elapsed()
    })
}

fn main() {
    let mut criterion = criterion();
    let table = Table::new(TableSize::from_megabytes(MEGABYTES)).expect("memory for a table");
    for threads in [1, 2] {
        let mut group = criterion.benchmark_group(format!("tt/threads_{threads}"));
        group.throughput(Throughput::Elements(threads * BATCH));
        group.bench_function("store", |b| {
            b.iter_custom(|n| together(threads, n, |thread| store(&table, thread)));
        });
        group.bench_function("probe_known", |b| {
            b.iter_custom(|n| together(threads, n, |thread| probe(&table, thread)));
        });
        group.bench_function("probe_unknown", |b| {
            b.iter_custom(|n| together(threads, n, |thread| probe(&table, 1000 + thread)));
        });
        group.finish();
    }
    let mut group = criterion.benchmark_group("tt/clear");
    group.throughput(Throughput::Bytes((MEGABYTES << 20) as u64));
    group.sample_size(20);
    group.bench_function("one_thread", |b| b.iter(|| table.clear()));
    group.finish();
    criterion.final_summary();
}
