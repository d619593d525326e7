//! Long work that is not a search for a move: perft, bench and genfens. Each runs on a thread of
//! its own, so that the session still hears `stop`, `isready` and `quit`.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Work under way.
#[derive(Debug)]
pub(crate) struct Chore {
    thread: JoinHandle<()>,
    cancelled: Arc<AtomicBool>,
    /// Nothing is sent; it is hung up at the end of the work.
    end: Receiver<()>,
}

impl Chore {
    /// Starts `work`, which should look now and then whether it has been cancelled.
    pub(crate) fn start(work: impl FnOnce(&Arc<AtomicBool>) + Send + 'static) -> io::Result<Self> {
        let cancelled = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&cancelled);
        let (at_work, end) = channel();
        let thread = std::thread::Builder::new()
            .name("skewer-chore".to_owned())
            .spawn(move || {
                let _at_work = at_work;
                work(&seen);
            })?;
        Ok(Self {
            thread,
            cancelled,
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

    pub(crate) fn is_done(&self) -> bool {
        self.thread.is_finished()
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
