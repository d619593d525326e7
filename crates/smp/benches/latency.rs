//! How long the engine takes to begin and to answer.
//!
//! ```text
//! cargo bench -p skewer-smp --bench latency [-- STOPS]
//! ```
//!
//! For 1, 2 and 64 threads: from `stop` to the answer, and from `search` to the first evaluated
//! position of any worker, with percentiles over many searches; for comparison, the time until a
//! thread of the standard library begins. The machine should be idle.

#[path = "../tests/common/mod.rs"]
mod common;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use common::Hooked;
use skewer_movegen::Board;
use skewer_search::{Limits, Mode, WorkerFactory};
use skewer_smp::{Engine, Options};
use skewer_tt::TableSize;

/// Counts from here, so that an instant fits an atomic.
fn since_start() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

fn report(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
    println!(
        "  {name:<34} p50 {:>9.3?}  p90 {:>9.3?}  p99 {:>9.3?}  max {:>9.3?}",
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0)
    );
}

fn main() {
    let stops: usize = std::env::args()
        .skip(1)
        .find_map(|word| word.parse().ok())
        .unwrap_or(1000);
    println!("{stops} searches each");
    for threads in [1, 2, 64] {
        let first = Arc::new(AtomicU64::new(u64::MAX));
        let shared = Arc::clone(&first);
        let options = Options {
            threads,
            hash: TableSize::from_megabytes(16),
            ..Options::default()
        };
        let evaluation = WorkerFactory::new(move || {
            let first = Arc::clone(&shared);
            Hooked::new(move || {
                // Once a search, so that the clock costs the rest nothing.
                if first.load(Ordering::Relaxed) == u64::MAX {
                    first.fetch_min(since_start(), Ordering::Relaxed);
                }
            })
        });
        let mut engine = match Engine::with_evaluation(options, evaluation) {
            Ok(engine) => engine,
            Err(error) => {
                println!("{threads} threads: {error}");
                continue;
            }
        };
        let board = Board::STARTPOS;
        let mut starts = Vec::with_capacity(stops);
        let mut answers = Vec::with_capacity(stops);
        for number in 0..stops {
            engine.wait_until_idle();
            first.store(u64::MAX, Ordering::Relaxed);
            let asked = since_start();
            let limits = Limits {
                mode: Mode::Infinite,
                ..Limits::default()
            };
            let search = engine.search(board, limits, |_| {});
            // Stop at varying moments, most of them well within the search.
            std::thread::sleep(Duration::from_micros(500 + 137 * (number as u64 % 50)));
            let stopped = Instant::now();
            search.stop();
            search.wait();
            answers.push(stopped.elapsed());
            engine.wait_until_idle();
            let begun = first.load(Ordering::Relaxed);
            if begun != u64::MAX {
                starts.push(Duration::from_nanos(begun.saturating_sub(asked)));
            }
        }
        println!("{threads} threads");
        report("from stop to the answer", answers);
        report("from search to the first evaluation", starts);
    }
    let spawns = (0..stops)
        .map(|_| {
            let asked = since_start();
            let begun = std::thread::spawn(since_start).join().unwrap_or(asked);
            Duration::from_nanos(begun.saturating_sub(asked))
        })
        .collect();
    println!("for comparison");
    report("a thread of the standard library", spawns);
}
