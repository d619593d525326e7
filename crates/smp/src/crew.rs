//! The threads of the workers: rayon pools, whose threads sleep between searches.

use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::EngineError;
use crate::params::{MAX_THREADS, POOL_THREADS, STACK_BYTES};

/// What every thread runs, called with the thread's number. It must not panic.
pub(crate) type Task = Arc<dyn Fn(usize) + Send + Sync>;

/// One thread for each worker, whose stack holds the deepest line.
///
/// A rayon thread that runs out of work asks all others of its pool for some before it sleeps. With a thousand
/// threads in one pool that takes seconds after every search, so there are several smaller pools.
pub(crate) struct Crew {
    pools: Vec<ThreadPool>,
}

impl Crew {
    /// Starts this number of threads.
    pub(crate) fn new(threads: usize) -> Result<Self, EngineError> {
        if threads == 0 || threads > MAX_THREADS {
            return Err(EngineError::Threads { requested: threads });
        }
        let firsts = (0..threads).step_by(POOL_THREADS);
        // If a thread cannot be started, the threads before it are ended.
        let pools = firsts
            .map(|first| {
                ThreadPoolBuilder::new()
                    .num_threads(POOL_THREADS.min(threads - first))
                    .stack_size(STACK_BYTES)
                    .thread_name(move |id| format!("skewer-{}", first + id))
                    // Tasks catch their own panics. Without this handler, rayon would abort the program on any
                    // other panic.
                    .panic_handler(|_| {})
                    .build()
            })
            .collect::<Result<_, _>>();
        let pools = pools.map_err(|error| EngineError::Pool {
            requested: threads,
            reason: error.to_string(),
        })?;
        Ok(Self { pools })
    }

    /// Gives every thread a task, and returns at once.
    pub(crate) fn run(&self, task: &Task) {
        for (number, pool) in self.pools.iter().enumerate() {
            let task = Arc::clone(task);
            pool.spawn_broadcast(move |thread| task(number * POOL_THREADS + thread.index()));
        }
    }
}
