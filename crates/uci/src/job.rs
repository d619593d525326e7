//! Background jobs: perft, bench and genfens. Each runs on a thread of its own, so that the
//! session still reads `stop`, `isready` and `quit`.
//!
//! A job returns its last line instead of printing it: a client that has read that line may send
//! the next command at once, and must not be refused as if the engine were busy.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
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
pub(crate) struct Control {
    pub(crate) output: Output,
    cancelled: Arc<AtomicBool>,
}

impl Control {
    /// Whether the job should end early: it was cancelled, or its output is closed.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || self.output.is_closed()
    }
}

/// A running job.
#[derive(Debug)]
pub(crate) struct Job {
    thread: JoinHandle<()>,
    cancelled: Arc<AtomicBool>,
    /// Set before the last line is printed.
    done: Arc<AtomicBool>,
    /// Carries no messages. Dropping the sender when the job ends wakes the receiver.
    end: Receiver<()>,
}

impl Job {
    /// Starts `work`, which should check regularly whether it is cancelled, and prints the line
    /// that it returns.
    pub(crate) fn start(
        output: Output,
        work: impl FnOnce(&Control) -> LastLine + Send + 'static,
    ) -> io::Result<Self> {
        let cancelled = Arc::new(AtomicBool::new(false));
        let control = Control {
            output,
            cancelled: Arc::clone(&cancelled),
        };
        let done = Arc::new(AtomicBool::new(false));
        let finished = Arc::clone(&done);
        let (sender, end) = channel();
        let thread = std::thread::Builder::new()
            .name("skewer-job".to_owned())
            .spawn(move || {
                let _sender = sender;
                let last = work(&control);
                finished.store(true, Ordering::Release);
                last.print(&control.output);
            })?;
        Ok(Self {
            thread,
            cancelled,
            done,
            end,
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
        self.done.load(Ordering::Acquire) || self.thread.is_finished()
    }

    /// Waits up to `timeout` for the end, and returns whether it came.
    pub(crate) fn wait_for(&self, timeout: Duration) -> bool {
        self.end.recv_timeout(timeout) == Err(RecvTimeoutError::Disconnected)
    }

    /// Waits for the end. A panic of the job was printed by its thread.
    pub(crate) fn join(self) {
        drop(self.thread.join());
    }
}
