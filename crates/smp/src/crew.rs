//! The workers of an engine: a rayon pool of their own, one seat for each of its threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use rayon::{ThreadPool, ThreadPoolBuilder};
use skewer_search::{Corrections, Counters, Worker, WorkerFactory};

use crate::error::EngineError;
use crate::params::{MAX_THREADS, STACK_BYTES};

/// The workers, and what belongs to each of them.
pub(crate) struct Crew {
    factory: WorkerFactory,
    corrections: Arc<Corrections>,
    seats: Vec<Mutex<Worker>>,
    pub(crate) counters: Vec<Counters>,
}

impl Crew {
    pub(crate) fn new(threads: usize, factory: WorkerFactory) -> Self {
        let corrections = Arc::<Corrections>::default();
        let seat = |id| Mutex::new(factory.sharing(id, Arc::clone(&corrections)));
        Self {
            seats: (0..threads).map(seat).collect(),
            counters: (0..threads).map(|_| Counters::default()).collect(),
            factory,
            corrections,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.seats.len()
    }

    /// Lets the worker of a seat work. If it panics, a new one without its memories, but for
    /// what all share, takes the seat, and the panic's message is returned.
    pub(crate) fn work<T>(
        &self,
        id: usize,
        work: impl FnOnce(&mut Worker) -> T,
    ) -> Result<T, String> {
        let mut worker = crate::sync_std::lock(&self.seats[id]);
        // What the worker left half done is thrown away with it.
        let result = catch_unwind(AssertUnwindSafe(|| work(&mut worker)));
        result.map_err(|payload| {
            *worker = self.factory.sharing(id, Arc::clone(&self.corrections));
            message_of(payload.as_ref())
        })
    }

    /// All workers forget what they have learnt.
    pub(crate) fn clear(&self) {
        for id in 0..self.len() {
            if self.work(id, Worker::clear).is_err() {
                // The seat has a new worker, who has nothing to forget.
            }
        }
    }
}

fn message_of(payload: &(dyn std::any::Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text.clone()
    } else {
        "no message".to_owned()
    }
}

/// A pool with `threads` threads whose stacks hold the deepest line.
pub(crate) fn pool(threads: usize) -> Result<ThreadPool, EngineError> {
    if threads == 0 || threads > MAX_THREADS {
        return Err(EngineError::Threads { requested: threads });
    }
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK_BYTES)
        .thread_name(|id| format!("skewer-{id}"))
        // Panics of workers are caught inside their jobs; should one slip through elsewhere,
        // rayon would end the process without this.
        .panic_handler(|_| {})
        .build()
        .map_err(|error| EngineError::Pool {
            requested: threads,
            reason: error.to_string(),
        })
}
