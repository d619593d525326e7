//! Worker threads that send their results to the thread that started them.
//!
//! The threads are scoped, so that they can borrow the settings of a command. The pool of `skewer-analysis` outlives the
//! function that starts it, and owns its settings.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::Duration;

use anyhow::Result;

use crate::stop::Stop;

/// The stack of a thread, in bytes: a search recurses deeply.
const STACK: usize = 16 << 20;
/// How many results may wait to be taken. A worker that has a further result waits.
const QUEUE: usize = 64;
/// How often a stop is noticed while no result arrives.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Numbers of tasks, each given to one worker.
#[derive(Debug)]
pub struct Tasks {
    next: AtomicU64,
    end: u64,
    done: HashSet<u64>,
}

impl Tasks {
    /// The tasks from `first` to before `end`, except the tasks in `done`.
    pub fn new(first: u64, end: u64, done: HashSet<u64>) -> Self {
        Self {
            next: AtomicU64::new(first),
            end,
            done,
        }
    }

    /// The next task; `None` after the last one, or if `stop` is set.
    pub fn next(&self, stop: &Stop) -> Option<u64> {
        while !stop.is_set() {
            let task = self.next.fetch_add(1, Ordering::Relaxed);
            if task >= self.end {
                return None;
            }
            if !self.done.contains(&task) {
                return Some(task);
            }
        }
        None
    }
}

/// Runs each of `workers` in a thread of its own, and calls `take` with each result that they send.
/// Between results, `take` is called with `None` several times a second, to show progress.
///
/// The call ends when all workers have returned, or when `take` breaks or fails. It also ends when
/// `stop` is set, but first takes the results that wait. Workers should return soon after the flag
/// that they are given is set, or when sending fails.
///
/// # Errors
///
/// If a thread cannot be started, or the error of `take`.
///
/// # Panics
///
/// If a worker panics.
pub fn run<R: Send, W: FnOnce(&Stop, &SyncSender<R>) + Send>(
    workers: impl IntoIterator<Item = W>,
    stop: &Stop,
    mut take: impl FnMut(Option<R>) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let end = Stop::new();
    thread::scope(|scope| {
        // Also ends the workers after an error.
        let _guard = end.set_on_drop();
        let (sender, results) = mpsc::sync_channel(QUEUE);
        for worker in workers {
            let (sender, end) = (sender.clone(), &end);
            thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, move || worker(end, &sender))?;
        }
        drop(sender);
        while !stop.is_set() {
            let result = match results.recv_timeout(POLL_INTERVAL) {
                Ok(result) => Some(result),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            if take(result)?.is_break() {
                return Ok(());
            }
        }
        end.set();
        for result in results {
            if take(Some(result))?.is_break() {
                break;
            }
        }
        Ok(())
    })
}

/// The return value of a function that takes results: a break if it has `enough` results.
pub fn break_if(enough: bool) -> ControlFlow<()> {
    if enough {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    }
}

/// Does tasks in `threads` threads, and calls `take` with each result as [`run`] does. Each thread makes a
/// state by `start` and does task after task by `work`, whose result is `None` if there is nothing to take.
///
/// # Errors
///
/// If a thread cannot be started, or the first error of `start`, `work` or `take`.
///
/// # Panics
///
/// If `start` or `work` panics.
pub fn run_tasks<S, R: Send>(
    threads: usize,
    tasks: &Tasks,
    stop: &Stop,
    start: impl Fn(&Stop) -> Result<S> + Sync,
    work: impl Fn(&mut S, u64, &Stop) -> Result<Option<R>> + Sync,
    mut take: impl FnMut(Option<R>) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let worker = || {
        |end: &Stop, results: &SyncSender<Result<R>>| {
            let mut state = match start(end) {
                Ok(state) => state,
                // `start` may fail because the work was asked to end.
                Err(_) if end.is_set() => return,
                Err(error) => return drop(results.send(Err(error))),
            };
            while let Some(task) = tasks.next(end) {
                let Some(result) = work(&mut state, task, end).transpose() else {
                    continue;
                };
                if results.send(result).is_err() {
                    return;
                }
            }
        }
    };
    let workers = (0..threads.max(1)).map(|_| worker());
    run(workers, stop, |result| take(result.transpose()?))
}

/// Does `work` on each of `items` in `threads` threads, and returns the results in the order of the items.
///
/// # Errors
///
/// If a thread cannot be started, or the error of `work`.
///
/// # Panics
///
/// If `work` panics.
pub fn map<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let mut done = Vec::new();
    run_tasks(
        threads,
        &Tasks::new(0, items.len() as u64, HashSet::new()),
        &Stop::new(),
        |_| Ok(()),
        |(), task, _| Ok(Some((task, work(&items[task as usize])?))),
        |result| {
            done.extend(result);
            Ok(ControlFlow::Continue(()))
        },
    )?;
    done.sort_by_key(|(task, _)| *task);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..100).collect();
        let squares = map(&items, 3, |item| Ok(item * item)).unwrap();
        assert_eq!(
            squares,
            items.iter().map(|item| item * item).collect::<Vec<_>>()
        );
        assert!(map(&items, 2, |_| -> Result<()> { anyhow::bail!("no") }).is_err());
    }

    #[test]
    fn done_tasks_are_left_out_and_a_break_ends_the_workers() {
        let tasks = Tasks::new(3, u64::MAX, HashSet::from([4, 5]));
        let worker = |end: &Stop, results: &SyncSender<u64>| {
            while let Some(task) = tasks.next(end) {
                if results.send(task).is_err() {
                    return;
                }
            }
        };
        let mut taken = Vec::new();
        run([worker], &Stop::new(), |task| {
            taken.extend(task);
            Ok(break_if(taken.len() == 3))
        })
        .unwrap();
        assert_eq!(taken, [3, 6, 7]);
        let stop = Stop::new();
        stop.set();
        assert_eq!(tasks.next(&stop), None);
    }

    /// Results that were sent before the stop are complete, and nothing else has them.
    #[test]
    fn results_that_wait_at_a_stop_are_taken() {
        let stop = Stop::new();
        let worker = |end: &Stop, results: &SyncSender<u32>| {
            for result in 1..=3 {
                results.send(result).unwrap();
            }
            stop.set();
            while !end.is_set() {
                thread::sleep(Duration::from_millis(1));
            }
            // A result of the work under way.
            results.send(4).unwrap();
        };
        let mut taken = Vec::new();
        run([worker], &stop, |result| {
            // All of the first results have been sent when the first is taken.
            while !stop.is_set() {
                thread::sleep(Duration::from_millis(1));
            }
            taken.extend(result);
            Ok(ControlFlow::Continue(()))
        })
        .unwrap();
        assert_eq!(taken, [1, 2, 3, 4]);
    }

    /// If a worker cannot start its work, there is no result that looks complete.
    #[test]
    fn a_worker_that_cannot_start_is_an_error() {
        let none = HashSet::new;
        let fails = run_tasks(
            2,
            &Tasks::new(0, 3, none()),
            &Stop::new(),
            |_| anyhow::bail!("no memory"),
            |(), _, _| Ok(Some(())),
            |_| Ok(ControlFlow::Continue(())),
        );
        assert_eq!(fails.unwrap_err().to_string(), "no memory");
    }

    /// After an error, work that would go on for ever is asked to end.
    #[test]
    fn an_error_ends_the_workers() {
        let endless = |end: &Stop, results: &SyncSender<u32>| {
            let _ = results.send(1);
            while !end.is_set() {
                thread::sleep(Duration::from_millis(1));
            }
        };
        let failed = run([endless, endless], &Stop::new(), |result| match result {
            Some(_) => anyhow::bail!("the disk is full"),
            None => Ok(ControlFlow::Continue(())),
        });
        assert_eq!(failed.unwrap_err().to_string(), "the disk is full");
    }
}
