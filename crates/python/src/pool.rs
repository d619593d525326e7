//! The threads of this process for work on every core.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors::positive;

/// The pool and the process that made it: threads do not go along into a process that is forked.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// A pool with a thread on every core.
pub(crate) fn pool() -> PyResult<Arc<ThreadPool>> {
    let process = std::process::id();
    let mut shared = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, pool)) = shared.as_ref().filter(|(maker, _)| *maker == process) {
        return Ok(Arc::clone(pool));
    }
    let pool = ThreadPoolBuilder::new()
        .build()
        .map_err(|error| PyRuntimeError::new_err(format!("cannot start threads: {error}")))?;
    let pool = Arc::new(pool);
    // Leak the old pool, because this process cannot end the threads of another process.
    std::mem::forget(shared.replace((process, Arc::clone(&pool))));
    Ok(pool)
}

/// Does work that uses every core, without the GIL.
pub(crate) fn run<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let pool = pool()?;
    Ok(py.detach(|| pool.install(work)))
}

/// The pool for an argument `threads`, and how many of its threads to use; `None` for one thread.
pub(crate) fn of(threads: Option<i64>) -> PyResult<Option<(Arc<ThreadPool>, usize)>> {
    let threads = match threads {
        Some(1) => return Ok(None),
        Some(threads) => Some(positive("threads", threads)?),
        None => None,
    };
    let pool = pool()?;
    let cores = pool.current_num_threads();
    Ok(Some((
        pool,
        threads.map_or(cores, |threads| threads.min(cores)),
    )))
}

/// The number of processor cores that this process may use.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
