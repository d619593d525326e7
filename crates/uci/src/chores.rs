//! Long work that is not a search for a move: perft, bench and genfens. Each runs on a thread of
//! its own, so that the session still hears `stop`, `isready` and `quit`.
//!
//! Work hands back its last line instead of printing it: a client that has read that line may send
//! the next command at once, and must not be told that the engine is busy.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::output::Output;

/// What work ends with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LastLine {
    /// The last line of its results.
    Result(String),
    /// Why the results are not complete, though nothing went wrong.
    Note(&'static str),
    /// Why it could not be done.
    Failure(String),
}

impl LastLine {
    fn tell(self, output: &Output) {
        match self {
            Self::Result(line) => output.line(line),
            Self::Note(sentence) => output.note(sentence),
            Self::Failure(sentence) => output.failure(sentence),
        }
    }
}

/// Work under way.
#[derive(Debug)]
pub(crate) struct Chore {
    thread: JoinHandle<()>,
    cancelled: Arc<AtomicBool>,
    /// Set before the last line is printed, when there is nothing left to do but that.
    done: Arc<AtomicBool>,
    /// Nothing is sent; it is hung up at the end of the work.
    end: Receiver<()>,
}

impl Chore {
    /// Starts `work`, which should look now and then whether it has been cancelled, and prints what
    /// it ends with to `output`.
    pub(crate) fn start(
        output: Output,
        work: impl FnOnce(&Output, &AtomicBool) -> LastLine + Send + 'static,
    ) -> io::Result<Self> {
        let cancelled = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&cancelled);
        let done = Arc::new(AtomicBool::new(false));
        let finished = Arc::clone(&done);
        let (at_work, end) = channel();
        let thread = std::thread::Builder::new()
            .name("skewer-chore".to_owned())
            .spawn(move || {
                let _at_work = at_work;
                let last = work(&output, &seen);
                finished.store(true, Ordering::Release);
                last.tell(&output);
            })?;
        Ok(Self {
            thread,
            cancelled,
            done,
            end,
        })
    }

    /// Asks the work to end.
    pub(crate) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether the work has been asked to end, or has ended: in either case there is not long to
    /// wait for it.
    pub(crate) fn is_ending(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || self.is_done()
    }

    /// Whether nothing is left of the work but to print its last line.
    pub(crate) fn is_done(&self) -> bool {
        // A panic ends the thread without the rest.
        self.done.load(Ordering::Acquire) || self.thread.is_finished()
    }

    /// Waits for the end as [`join`](Self::join) does, but no longer than `patience`. Whether it
    /// has come.
    pub(crate) fn wait_for(&self, patience: Duration) -> bool {
        self.end.recv_timeout(patience) == Err(RecvTimeoutError::Disconnected)
    }

    /// Waits for the end. A panic of the work has been printed and ends with it.
    pub(crate) fn join(self) {
        drop(self.thread.join());
    }
}
