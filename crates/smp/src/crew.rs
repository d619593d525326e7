//! The threads of the workers. They sleep between searches.
//!
//! rayon's pool is not used for them, because each of its threads that runs out of work asks all others for
//! some before it sleeps: with a thousand threads that takes seconds after every search.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::{Builder, JoinHandle};

use crate::error::EngineError;
use crate::params::{MAX_THREADS, STACK_BYTES};

/// What every thread does: it is called with the thread's number. It must not panic.
pub(crate) type Task = Arc<dyn Fn(usize) + Send + Sync>;

/// One thread for each worker, whose stack holds the deepest line.
pub(crate) struct Crew {
    members: Vec<Member>,
}

struct Member {
    tasks: Sender<Task>,
    thread: JoinHandle<()>,
}

impl Crew {
    /// Starts so many threads.
    pub(crate) fn new(threads: usize) -> Result<Self, EngineError> {
        if threads == 0 || threads > MAX_THREADS {
            return Err(EngineError::Threads { requested: threads });
        }
        // If one cannot be started, those before it are ended.
        let mut crew = Self {
            members: Vec::with_capacity(threads),
        };
        for id in 0..threads {
            let (tasks, received) = channel::<Task>();
            let thread = Builder::new()
                .name(format!("skewer-{id}"))
                .stack_size(STACK_BYTES)
                .spawn(move || {
                    while let Ok(task) = received.recv() {
                        task(id);
                    }
                });
            let thread = thread.map_err(|error| EngineError::Pool {
                requested: threads,
                reason: error.to_string(),
            })?;
            crew.members.push(Member { tasks, thread });
        }
        Ok(crew)
    }

    /// Gives every thread a task, and returns at once.
    pub(crate) fn run(&self, task: &Task) {
        for member in &self.members {
            // A thread lives as long as its crew.
            let sent = member.tasks.send(Arc::clone(task));
            debug_assert!(sent.is_ok(), "a thread has ended");
        }
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        // All are told to end before the first is waited for.
        let threads: Vec<_> = self.members.drain(..).map(|member| member.thread).collect();
        for thread in threads {
            // Its tasks do not panic.
            drop(thread.join());
        }
    }
}
