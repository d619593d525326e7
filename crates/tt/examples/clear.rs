//! Measures the time to clear a table on one thread and on more.
//!
//! ```text
//! cargo run --release -p skewer-tt --example clear -- [MEGABYTES [THREADS [ROUNDS]]]
//! ```
//!
//! Alternates between the two and prints medians, so that other work on the machine affects both
//! alike. The first clear, in which the system zeroes each page, is printed separately.

use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};
use skewer_tt::{Table, TableSize};

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64()
}

fn time(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<usize>());
    let mut next = |default| numbers.next().unwrap_or(Ok(default));
    let (megabytes, threads, rounds) = (next(1024)?, next(2)?, next(5)?.max(1));
    let size = TableSize::from_megabytes(megabytes);
    let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build();
    let (one, many) = (pool(1)?, pool(threads)?);

    let fresh = |pool: &ThreadPool| {
        let start = Instant::now();
        Table::new_in(size, pool).map(|table| (start.elapsed(), table))
    };
    let mut first = [Vec::new(), Vec::new()];
    let mut again = [Vec::new(), Vec::new()];
    for _ in 0..rounds {
        for (pool, (first, again)) in [&one, &many]
            .into_iter()
            .zip(first.iter_mut().zip(&mut again))
        {
            let (elapsed, table) = fresh(pool)?;
            first.push(elapsed);
            again.push(time(|| table.clear_in(pool)));
        }
    }
    for (what, [one, many]) in [("first touch", first), ("clear", again)] {
        let (one, many) = (median(one), median(many));
        println!(
            "{what} of {size}: {one:.3} s on one thread, {many:.3} s on {threads}: {:.2} times as fast",
            one / many
        );
    }
    Ok(())
}
