//! A pool of threads, each with an analyst, that do jobs in any order.
//!
//! The pool outlives the function that starts it, because a [`Run`](crate::run::Run) may be an iterator of Python. The
//! workers of `skewer-console` are scoped threads and borrow what they work on, so they cannot be used here.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::analyst::{Analyst, Interrupt, Settings, analyst};
use crate::error::AnalysisError;
use crate::params::STACK_BYTES;

/// How many jobs are submitted for each worker: the job that it does, and a job that waits.
const QUEUE: usize = 2;

/// A job that has been done.
#[derive(Debug)]
pub struct Done<K, T> {
    /// Which job this was.
    pub key: K,
    /// Its result, or why there is none.
    pub result: Result<T, String>,
    /// How an engine failed in the first attempt, after which the job was tried once more; `None` without such a
    /// failure.
    pub retried: Option<String>,
}

/// Workers that do jobs `J`, known by keys `K`, with results `T`. Dropping them ends their searches, and waits
/// until the threads, and the engines that they have started, have ended.
#[derive(Debug)]
pub struct Workers<K, J, T> {
    /// `None` once the threads are to end.
    jobs: Option<Sender<(K, J)>>,
    done: Receiver<Done<K, T>>,
    threads: Vec<(JoinHandle<()>, Interrupt)>,
    /// Jobs submitted and not yet returned.
    pending: usize,
    limit: usize,
}

impl<K: Send + 'static, J: Send + 'static, T: Send + 'static> Workers<K, J, T> {
    /// Starts this many threads, which do each job by `work`. When an engine fails, the job is tried once
    /// more. After a panic the result is an error, and the thread goes on with a new analyst.
    ///
    /// # Errors
    ///
    /// When there is not enough memory or a thread cannot be started.
    pub fn start(
        threads: usize,
        settings: &Settings,
        work: impl Fn(&mut dyn Analyst, &J) -> Result<T, AnalysisError> + Clone + Send + 'static,
    ) -> Result<Self, AnalysisError> {
        let (jobs, queue) = channel();
        let (sender, done) = channel();
        let queue = Arc::new(Mutex::new(queue));
        let mut workers = Self {
            jobs: Some(jobs),
            done,
            threads: Vec::with_capacity(threads),
            pending: 0,
            limit: QUEUE * threads,
        };
        for number in 0..threads {
            let interrupt = Interrupt::default();
            let analyst = analyst(settings, &interrupt)?;
            let thread = Thread {
                queue: Arc::clone(&queue),
                done: sender.clone(),
                interrupt: interrupt.clone(),
                settings: settings.clone(),
                work: work.clone(),
            };
            let handle = std::thread::Builder::new()
                .name(format!("skewer-analyst-{number}"))
                .stack_size(STACK_BYTES)
                .spawn(move || thread.run(analyst))
                .map_err(AnalysisError::Thread)?;
            workers.threads.push((handle, interrupt));
        }
        Ok(workers)
    }

    /// Whether the workers have enough to do for now.
    pub fn are_busy(&self) -> bool {
        self.pending >= self.limit
    }

    /// Jobs submitted and not yet returned.
    pub fn pending(&self) -> usize {
        self.pending
    }

    /// The number of pending jobs from which [`Self::are_busy`] is true.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Queues a job for the workers.
    ///
    /// # Errors
    ///
    /// When all threads have ended because there was not enough memory.
    pub fn submit(&mut self, key: K, job: J) -> Result<(), AnalysisError> {
        let jobs = self.jobs.as_ref().ok_or(AnalysisError::NoWorkers)?;
        let sent = jobs.send((key, job));
        sent.map_err(|_| AnalysisError::NoWorkers)?;
        self.pending += 1;
        Ok(())
    }

    /// Waits for a job to be done. The caller has checked that one is pending.
    ///
    /// # Errors
    ///
    /// When all threads have ended because there was not enough memory.
    pub fn wait(&mut self) -> Result<Done<K, T>, AnalysisError> {
        let done = self.done.recv().map_err(|_| AnalysisError::NoWorkers)?;
        self.pending -= 1;
        Ok(done)
    }

    /// Waits for a job to be done, but no longer than this; `None` if none is.
    ///
    /// # Errors
    ///
    /// When all threads have ended because there was not enough memory.
    pub fn wait_for(&mut self, time: Duration) -> Result<Option<Done<K, T>>, AnalysisError> {
        match self.done.recv_timeout(time) {
            Ok(done) => {
                self.pending -= 1;
                Ok(Some(done))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(AnalysisError::NoWorkers),
        }
    }
}

impl<J: Send + 'static, T: Send + 'static> Workers<usize, J, T> {
    /// Does `jobs`, and calls `take` with the number of each job, from 0, and its result, in the order of the
    /// jobs.
    ///
    /// # Errors
    ///
    /// When `take` fails, or all threads have ended because there was not enough memory.
    pub fn in_order<E: From<AnalysisError>>(
        mut self,
        jobs: impl IntoIterator<Item = J>,
        mut take: impl FnMut(usize, Result<T, String>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut to_do = jobs.into_iter().enumerate();
        let mut early = BTreeMap::new();
        for next in 0.. {
            let result = loop {
                while !self.are_busy()
                    && let Some((number, job)) = to_do.next()
                {
                    self.submit(number, job)?;
                }
                if let Some(result) = early.remove(&next) {
                    break result;
                }
                if self.pending == 0 {
                    return Ok(());
                }
                let done = self.wait()?;
                early.insert(done.key, done.result);
            };
            take(next, result)?;
        }
        Ok(())
    }
}

impl<K, J, T> Drop for Workers<K, J, T> {
    fn drop(&mut self) {
        self.jobs = None;
        self.threads
            .iter()
            .for_each(|(_, interrupt)| interrupt.set());
        for (thread, _) in self.threads.drain(..) {
            // The thread catches panics, and reports them as results of its jobs.
            let _ = thread.join();
        }
    }
}

/// What a thread works with.
struct Thread<K, J, T, F> {
    queue: Arc<Mutex<Receiver<(K, J)>>>,
    done: Sender<Done<K, T>>,
    interrupt: Interrupt,
    settings: Settings,
    work: F,
}

impl<K, J, T, F: Fn(&mut dyn Analyst, &J) -> Result<T, AnalysisError>> Thread<K, J, T, F> {
    fn run(self, mut own: Box<dyn Analyst>) {
        loop {
            let job = {
                let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
                queue.recv()
            };
            let Ok((key, job)) = job else { return };
            if self.interrupt.is_set() {
                return;
            }
            let mut retried = None;
            let caught = catch_unwind(AssertUnwindSafe(|| {
                let first = (self.work)(own.as_mut(), &job);
                let Err(error @ AnalysisError::Engine { .. }) = first else {
                    return first;
                };
                retried = Some(error.to_string());
                (self.work)(own.as_mut(), &job)
            }));
            let panicked = caught.is_err();
            let result = match caught {
                Ok(result) => result.map_err(|error| error.to_string()),
                Err(_) => Err(PANICKED.to_owned()),
            };
            let done = Done {
                key,
                result,
                retried,
            };
            if self.done.send(done).is_err() {
                return;
            }
            if panicked {
                // The state of the analyst is unknown after a panic.
                match analyst(&self.settings, &self.interrupt) {
                    Ok(fresh) => own = fresh,
                    Err(_) => return,
                }
            }
        }
    }
}

/// The result of a job that panicked.
const PANICKED: &str = "the engine panicked, which is a bug: please report it with this game";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::Query;
    use skewer_movegen::{Board, CastlingMode};
    use std::sync::mpsc::TryRecvError;

    /// Dropping the workers does not wait for a search, and leaves no thread or engine behind.
    #[test]
    fn dropped_workers_end_their_searches_and_their_threads() {
        let endless = Settings {
            nodes: None,
            depth: Some(i32::from(u8::MAX)),
            hash: 1,
            ..Settings::default()
        };
        let (begun, begins) = channel();
        let interrupted: Arc<Mutex<Vec<bool>>> = Arc::default();
        let seen = Arc::clone(&interrupted);
        let work = move |analyst: &mut dyn Analyst, (): &()| {
            let query = Query::new(&Board::STARTPOS, CastlingMode::Standard);
            let found = analyst.search(&query, &mut |_| {
                let _ = begun.send(());
            });
            let is_interrupted = matches!(found, Err(AnalysisError::Interrupted));
            seen.lock().unwrap().push(is_interrupted);
            Ok(())
        };
        let mut workers = Workers::start(2, &endless, work).unwrap();
        // The second waits in the queue, or has begun.
        workers.submit(1, ()).unwrap();
        workers.submit(2, ()).unwrap();
        begins.recv().unwrap();
        drop(workers);
        // All threads have dropped their end of the channel.
        while begins.try_recv().is_ok() {}
        assert_eq!(begins.try_recv(), Err(TryRecvError::Disconnected));
        let interrupted = interrupted.lock().unwrap();
        assert!(
            !interrupted.is_empty() && interrupted.iter().all(|&is_interrupted| is_interrupted)
        );
    }

    /// What an analyst has learned before a panic is not used after it.
    #[test]
    fn an_analyst_that_panicked_is_replaced() {
        let settings = Settings {
            nodes: None,
            depth: Some(6),
            hash: 1,
            ..Settings::default()
        };
        let work = |analyst: &mut dyn Analyst, panics: &bool| {
            let query = Query::new(&Board::STARTPOS, CastlingMode::Standard);
            let found = analyst.search(&query, &mut |_| {})?;
            assert!(!panics, "on purpose");
            Ok(found.nodes)
        };
        let nodes = |jobs: &[bool]| {
            let mut workers = Workers::start(1, &settings, work).unwrap();
            let mut last = None;
            for &panics in jobs {
                workers.submit((), panics).unwrap();
                last = workers.wait().unwrap().result.ok();
            }
            last.unwrap()
        };
        let fresh = nodes(&[false]);
        assert_ne!(
            nodes(&[false, false]),
            fresh,
            "a hash table in use saves nodes"
        );
        assert_eq!(nodes(&[true, false]), fresh);
    }

    #[test]
    fn a_panic_is_the_result_of_its_job_alone() {
        let settings = Settings {
            nodes: Some(1),
            hash: 1,
            ..Settings::default()
        };
        let work = |_: &mut dyn Analyst, job: &u32| {
            assert_ne!(*job, 2, "on purpose");
            Ok(10 * job)
        };
        let mut workers = Workers::start(1, &settings, work).unwrap();
        for key in 1..=2_u32 {
            assert!(!workers.are_busy());
            workers.submit(key, key).unwrap();
        }
        assert!(workers.are_busy());
        assert_eq!(workers.wait().unwrap().result, Ok(10));
        workers.submit(3, 3).unwrap();
        assert!(workers.wait().unwrap().result.is_err());
        let last = workers.wait_for(Duration::from_mins(1)).unwrap().unwrap();
        assert_eq!((last.key, last.result, workers.pending()), (3, Ok(30), 0));
    }
}
