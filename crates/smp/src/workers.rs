//! The workers of an engine, and the rayon pool that clears its table.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use rayon::{ThreadPool, ThreadPoolBuilder};
use skewer_search::{Counters, SharedHistories, Worker, WorkerFactory};

use crate::error::EngineError;

/// One worker for each thread, and their counters.
pub(crate) struct Workers {
    factory: WorkerFactory,
    histories: SharedHistories,
    list: Vec<Mutex<Worker>>,
    pub(crate) counters: Vec<Counters>,
}

impl Workers {
    pub(crate) fn new(threads: usize, factory: WorkerFactory) -> Self {
        let histories = SharedHistories::default();
        let worker = |id| Mutex::new(factory.sharing(id, histories.clone()));
        Self {
            list: (0..threads).map(worker).collect(),
            counters: (0..threads).map(|_| Counters::default()).collect(),
            factory,
            histories,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Runs a job on worker `id`. A worker that panics is replaced by a new one, which has learned
    /// nothing but the shared histories; the error is the message of the panic.
    pub(crate) fn run<T>(
        &self,
        id: usize,
        job: impl FnOnce(&mut Worker) -> T,
    ) -> Result<T, String> {
        let mut worker = crate::sync_std::lock(&self.list[id]);
        // The state that the panic left inconsistent is dropped with the worker.
        let result = catch_unwind(AssertUnwindSafe(|| job(&mut worker)));
        result.map_err(|payload| {
            *worker = self.factory.sharing(id, self.histories.clone());
            let text = payload
                .downcast_ref::<&str>()
                .map(|text| (*text).to_owned());
            text.or_else(|| payload.downcast_ref::<String>().cloned())
                .unwrap_or_else(|| "no message".to_owned())
        })
    }

    /// Makes all workers forget what they learned.
    pub(crate) fn clear(&self) {
        for id in 0..self.len() {
            // A worker that panics here is replaced, which clears it too.
            _ = self.run(id, Worker::clear);
        }
    }
}

/// The number of processor cores that this process may use, as far as the system tells it.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// A pool for the parallel computations of an engine with this many workers, with no more threads than cores.
pub(crate) fn pool(workers: usize) -> Result<ThreadPool, EngineError> {
    let threads = workers.min(cores());
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|id| format!("skewer-pool-{id}"))
        .build()
        .map_err(|error| EngineError::Pool {
            requested: threads,
            reason: error.to_string(),
        })
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use skewer_eval::HandWritten;
    use skewer_movegen::Board;
    use skewer_search::{Context, Limits, Position, SearchControl};
    use skewer_tt::{Table, TableSize};
    use skewer_types::Techniques;

    /// The nodes of a search by worker `id` with an empty hash table and without some techniques.
    fn nodes(workers: &Workers, id: usize, without: Techniques) -> u64 {
        let table = Table::new(TableSize::from_megabytes(1)).unwrap();
        let control = SearchControl::new(Limits::depth(9));
        let counters = [Counters::default(), Counters::default()];
        let context = Context {
            counters: &counters,
            techniques: Techniques::DEFAULT - without,
            ..Context::solo(&table, &control, &counters[0])
        };
        let position = Position::new(Board::STARTPOS);
        let search = |worker: &mut Worker| worker.search(&position, &context, &mut |_| {});
        workers.run(id, search).unwrap().nodes
    }

    /// What one worker has learnt changes the next search of another, until the workers forget it.
    #[test]
    fn workers_share_what_they_learn() {
        let moves = Techniques::PAWN_HISTORY | Techniques::CONTINUATION_HISTORY;
        // With one kind of history switched off, only the other kind can make the difference.
        for without in [Techniques::CORRECTION_HISTORY, moves] {
            let new = || Workers::new(2, WorkerFactory::new(HandWritten::default));
            let alone = nodes(&new(), 1, without);
            let workers = new();
            nodes(&workers, 0, without);
            assert_ne!(nodes(&workers, 1, without), alone, "{without:?}");
            workers.clear();
            assert_eq!(nodes(&workers, 1, without), alone, "{without:?}");
        }
    }
}
