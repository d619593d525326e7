//! Background jobs: perft, bench and genfens. Each runs on a thread of its own, so that the session still reads
//! `stop`, `isready` and `quit`; or, without threads, on the caller's thread. There the job calls `poll` whenever it
//! checks whether it is cancelled.
//!
//! A job returns its last line instead of printing it: a client that has read that line may send
//! the next command at once, and must not be refused as if the engine were busy.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::output::Output;

/// How often a wait checks whether the output is closed.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The last line of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LastLine {
    /// The last line of its results.
    Result(String),
    /// Why the results are incomplete, though nothing failed.
    Note(&'static str),
    /// Why the job failed.
    Failure(String),
}

impl LastLine {
    fn print(self, output: &Output) {
        match self {
            Self::Result(line) => output.line(line),
            Self::Note(sentence) => output.note(sentence),
            Self::Failure(sentence) => output.failure(sentence),
        }
    }
}

/// What a job writes to, and how it is cancelled.
pub(crate) struct Control<'a> {
    pub(crate) output: Output,
    cancelled: Arc<AtomicBool>,
    /// `None` on a thread of the job's own.
    poll: Option<&'a dyn Fn()>,
}

impl Control<'_> {
    /// Whether the job should end early: it was cancelled, or its output is closed.
    pub(crate) fn is_cancelled(&self) -> bool {
        if let Some(poll) = self.poll {
            poll();
        }
        self.cancelled.load(Ordering::Relaxed) || self.output.is_closed()
    }

    /// [`is_cancelled`](Self::is_cancelled) for the threads of a job that runs on several threads; `None` if the job
    /// may start no threads.
    pub(crate) fn cancelled_on_threads(&self) -> Option<impl Fn() -> bool + Sync> {
        let (cancelled, output) = (&*self.cancelled, &self.output);
        self.poll
            .is_none()
            .then_some(|| cancelled.load(Ordering::Relaxed) || output.is_closed())
    }
}

/// Runs a job on a thread of its own, or on the caller's thread, where the job calls the function now and then.
pub(crate) type RunJob = Box<dyn FnOnce(Option<&dyn Fn()>) + Send>;

/// A running job.
#[derive(Debug)]
pub(crate) struct Job {
    /// `None` if the job runs on the caller's thread.
    thread: Option<JoinHandle<()>>,
    cancelled: Arc<AtomicBool>,
    /// Set before the last line is printed.
    done: Arc<AtomicBool>,
    /// Carries no messages. Dropping the sender when the job ends wakes the receiver.
    end: Receiver<()>,
}

impl Job {
    /// Makes a job of `work`, which should check regularly whether it is cancelled. Returns the job, and
    /// the closure that runs it and prints the line that `work` returns.
    pub(crate) fn new(
        output: Output,
        work: impl FnOnce(&Control<'_>) -> LastLine + Send + 'static,
    ) -> (Self, RunJob) {
        let cancelled = Arc::new(AtomicBool::new(false));
        let done = Arc::new(AtomicBool::new(false));
        let (sender, end) = channel();
        let job = Self {
            thread: None,
            cancelled: Arc::clone(&cancelled),
            done: Arc::clone(&done),
            end,
        };
        let run = move |poll: Option<&dyn Fn()>| {
            let _sender: Sender<()> = sender;
            let control = Control {
                output,
                cancelled,
                poll,
            };
            let last = work(&control);
            done.store(true, Ordering::Release);
            last.print(&control.output);
        };
        (job, Box::new(run))
    }

    /// Starts the job on a thread of its own.
    pub(crate) fn start(self, run: RunJob) -> io::Result<Self> {
        let thread = std::thread::Builder::new()
            .name("skewer-job".to_owned())
            .spawn(move || run(None))?;
        Ok(Self {
            thread: Some(thread),
            ..self
        })
    }

    /// Asks the job to end.
    pub(crate) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether the job was cancelled or has ended; either way it ends within milliseconds.
    pub(crate) fn is_ending(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || self.is_done()
    }

    /// Whether the job has nothing left to do but print its last line.
    pub(crate) fn is_done(&self) -> bool {
        // A panic ends the thread without setting `done`.
        let is_finished = |thread: &JoinHandle<()>| thread.is_finished();
        self.done.load(Ordering::Acquire) || self.thread.as_ref().is_some_and(is_finished)
    }

    /// Waits up to `timeout` for the end, and returns whether it came.
    pub(crate) fn wait_for(&self, timeout: Duration) -> bool {
        self.end.recv_timeout(timeout) == Err(RecvTimeoutError::Disconnected)
    }

    /// Waits for the end. A panic of the job was printed by its thread.
    pub(crate) fn join(self) {
        drop(self.thread.map(JoinHandle::join));
    }
}
