//! The workers of an engine: a rayon pool of their own, one seat for each of its threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use rayon::{ThreadPool, ThreadPoolBuilder};
use skewer_eval::Evaluator;
use skewer_search::{AnyWorker, Corrections, Counters, Worker};

use crate::error::EngineError;
use crate::params::{MAX_THREADS, STACK_BYTES};

/// Makes the worker of a number, who learns corrections with the rest of the crew.
pub(crate) type Hire = Arc<dyn Fn(usize, Arc<Corrections>) -> Box<dyn AnyWorker> + Send + Sync>;

/// Makes workers with evaluators from `make`.
pub(crate) fn hire<E: Evaluator + Send + 'static>(
    make: impl Fn() -> E + Send + Sync + 'static,
) -> Hire {
    Arc::new(move |id, corrections| Box::new(Worker::sharing(id, make(), corrections)))
}

/// The workers, and what belongs to each of them.
pub(crate) struct Crew {
    hire: Hire,
    corrections: Arc<Corrections>,
    seats: Vec<Mutex<Box<dyn AnyWorker>>>,
    pub(crate) counters: Vec<Counters>,
}

impl Crew {
    pub(crate) fn new(threads: usize, hire: Hire) -> Self {
        let corrections = Arc::<Corrections>::default();
        let seat = |id| Mutex::new(hire(id, Arc::clone(&corrections)));
        Self {
            seats: (0..threads).map(seat).collect(),
            counters: (0..threads).map(|_| Counters::default()).collect(),
            hire,
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
        work: impl FnOnce(&mut dyn AnyWorker) -> T,
    ) -> Result<T, String> {
        let mut worker = crate::sync_std::lock(&self.seats[id]);
        // What the worker left half done is thrown away with it.
        let result = catch_unwind(AssertUnwindSafe(|| work(worker.as_mut())));
        result.map_err(|payload| {
            *worker = (self.hire)(id, Arc::clone(&self.corrections));
            message_of(payload.as_ref())
        })
    }

    /// All workers forget what they have learnt.
    pub(crate) fn clear(&self) {
        for id in 0..self.len() {
            if self.work(id, |worker| worker.clear()).is_err() {
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
