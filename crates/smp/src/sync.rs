//! The primitives of [`Shared`](crate::shared::Shared): the standard library's lock and condition
//! variable and the signals of the search; under `--cfg loom` those of loom, and the same signals
//! in a form that loom can follow.

#[cfg(all(loom, test))]
pub(crate) use loom::sync::{Condvar, Mutex, MutexGuard};
#[cfg(not(all(loom, test)))]
pub(crate) use std::sync::{Condvar, Mutex, MutexGuard};

#[cfg(not(all(loom, test)))]
pub(crate) use skewer_search::Signals;

use std::sync::PoisonError;

/// Locks, ignoring poisoning: see `sync_std`.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits on a condition variable, ignoring poisoning.
pub(crate) fn wait<'a, T>(condvar: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    condvar.wait(guard).unwrap_or_else(PoisonError::into_inner)
}

/// The signals of the search. Their atomics are not loom's, so each call also writes to a loom
/// atomic: loom then tries all orders of the calls. It does not try a relaxed load that sees a
/// stop late, which is the same as a load that comes early.
#[cfg(all(loom, test))]
#[derive(Default)]
pub(crate) struct Signals {
    real: skewer_search::Signals,
    place: loom::sync::atomic::AtomicUsize,
}

#[cfg(all(loom, test))]
impl Signals {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    fn access(&self) -> &skewer_search::Signals {
        // A write, since those have one order for all threads. It orders nothing else.
        self.place
            .fetch_add(1, loom::sync::atomic::Ordering::Relaxed);
        &self.real
    }

    pub(crate) fn begin(&self) -> u64 {
        self.access().begin()
    }

    pub(crate) fn stop(&self, epoch: u64) {
        self.access().stop(epoch);
    }

    pub(crate) fn is_stopped(&self, epoch: u64) -> bool {
        self.access().is_stopped(epoch)
    }

    pub(crate) fn ponder_hit(&self, epoch: u64) {
        self.access().ponder_hit(epoch);
    }

    pub(crate) fn is_ponder_hit(&self, epoch: u64) -> bool {
        self.access().is_ponder_hit(epoch)
    }
}

/// For the search, which is not modelled.
#[cfg(all(loom, test))]
impl std::ops::Deref for Signals {
    type Target = skewer_search::Signals;

    fn deref(&self) -> &skewer_search::Signals {
        &self.real
    }
}
