//! Turns: only some workers of a search run at a time, and all others wait.
//!
//! A worker that runs holds a baton. Every few hundred nodes, and when it ends, a worker hands its baton to the
//! worker that has waited longest. With one baton the workers run in lockstep, in the order of their numbers: the
//! order of all accesses to shared memory then depends on the search alone, not on the machine. With one baton for each
//! core, any number of workers leaves the system time to run the threads that read a stop and give the answer.

use std::collections::VecDeque;

use crate::sync::{Condvar, Mutex, MutexGuard, lock, wait};

/// The batons of one search. The workers of the smallest numbers have the first turns.
pub(crate) struct Batons {
    queue: Mutex<Queue>,
    /// Signalled when the worker with this number gets a baton.
    turns: Box<[Condvar]>,
}

struct Queue {
    /// The workers that wait, the next one first.
    waiting: VecDeque<usize>,
    /// Which workers have a baton.
    held: Box<[bool]>,
}

impl Batons {
    /// Creates this many batons, at least one, for workers `0..workers`. Every one of the workers must take a turn.
    pub(crate) fn new(batons: usize, workers: usize) -> Self {
        let batons = batons.max(1);
        Self {
            queue: Mutex::new(Queue {
                waiting: (batons..workers).collect(),
                held: (0..workers).map(|id| id < batons).collect(),
            }),
            turns: (0..workers).map(|_| Condvar::new()).collect(),
        }
    }

    /// Waits for the first turn of worker `id`.
    pub(crate) fn take(&self, id: usize) -> Turn<'_> {
        drop(self.wait_for(id, lock(&self.queue)));
        Turn { batons: self, id }
    }

    fn wait_for<'a>(
        &'a self,
        id: usize,
        mut queue: MutexGuard<'a, Queue>,
    ) -> MutexGuard<'a, Queue> {
        while !queue.held[id] {
            queue = wait(&self.turns[id], queue);
        }
        queue
    }

    /// Gives the baton of worker `from` to `to`.
    fn hand(&self, queue: &mut Queue, from: usize, to: usize) {
        queue.held[from] = false;
        queue.held[to] = true;
        self.turns[to].notify_one();
    }
}

/// A worker that takes turns. Dropping it gives its baton away for good, also in a panic.
pub(crate) struct Turn<'a> {
    batons: &'a Batons,
    id: usize,
}

impl Turn<'_> {
    /// Lets the next worker run, if one waits, and waits for the next turn.
    pub(crate) fn pass(&self) {
        let mut queue = lock(&self.batons.queue);
        if let Some(next) = queue.waiting.pop_front() {
            queue.waiting.push_back(self.id);
            self.batons.hand(&mut queue, self.id, next);
            drop(self.batons.wait_for(self.id, queue));
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut queue = lock(&self.batons.queue);
        if let Some(next) = queue.waiting.pop_front() {
            self.batons.hand(&mut queue, self.id, next);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    /// Runs one thread for each entry of `lengths`. The thread takes that many turns, and then ends (`Ok`) or panics
    /// (`Err`). Threads of small numbers start last. Returns the thread of each turn, and the greatest number of
    /// threads that ran at once.
    fn run(batons: usize, lengths: &[Result<usize, usize>]) -> (Vec<usize>, usize) {
        let batons = Batons::new(batons, lengths.len());
        let order = Mutex::new(Vec::new());
        let (running, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |id: usize, length| {
            let turn = batons.take(id);
            let (Ok(turns) | Err(turns)) = length;
            for number in 0..turns {
                if number > 0 {
                    turn.pass();
                }
                let now = running.fetch_add(1, Ordering::SeqCst) + 1;
                most.fetch_max(now, Ordering::SeqCst);
                order.lock().unwrap().push(id);
                std::thread::yield_now();
                running.fetch_sub(1, Ordering::SeqCst);
            }
            if length.is_err() {
                // Panic without printing a message.
                std::panic::resume_unwind(Box::new(()));
            }
        };
        std::thread::scope(|scope| {
            for (id, &length) in lengths.iter().enumerate().rev() {
                let work = &work;
                scope.spawn(move || _ = catch_unwind(AssertUnwindSafe(|| work(id, length))));
                std::thread::sleep(Duration::from_millis(2));
            }
        });
        (order.into_inner().unwrap(), most.into_inner())
    }

    #[test]
    fn in_lockstep_workers_take_turns_by_number_whenever_they_start() {
        let (order, most) = run(1, &[Ok(3), Ok(3), Ok(3)]);
        assert_eq!((order, most), (vec![0, 1, 2, 0, 1, 2, 0, 1, 2], 1));
    }

    #[test]
    fn a_worker_that_ends_or_panics_is_passed_over() {
        let (order, _) = run(1, &[Ok(1), Ok(3), Err(2), Ok(3)]);
        assert_eq!(order, [0, 1, 2, 3, 1, 2, 3, 1, 3]);
    }

    #[test]
    fn the_last_worker_goes_on_alone() {
        assert_eq!(run(1, &[Ok(1), Ok(4)]).0, [0, 1, 1, 1, 1]);
        assert_eq!(run(1, &[Ok(3)]).0, [0, 0, 0]);
    }

    #[test]
    fn no_more_workers_run_than_there_are_batons() {
        let (order, most) = run(2, &[Ok(9), Ok(9), Err(5), Ok(9), Ok(9)]);
        assert_eq!(order.len(), 41);
        assert!(most <= 2, "{most}");
        // More batons than workers are no fault.
        assert_eq!(run(4, &[Ok(2), Ok(2)]).0.len(), 4);
    }
}
