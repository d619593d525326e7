//! The primitives of [`Shared`](crate::shared::Shared): the standard library's lock and condition
//! variable and the control of the search; under `--cfg loom` loom's lock and condition variable,
//! and the same control in a form that loom can follow.

#[cfg(all(loom, test))]
pub(crate) use loom::sync::{Condvar, Mutex, MutexGuard};
#[cfg(not(all(loom, test)))]
pub(crate) use std::sync::{Condvar, Mutex, MutexGuard};

#[cfg(not(all(loom, test)))]
pub(crate) use skewer_search::SearchControl;

use std::sync::PoisonError;

/// Locks, ignoring poisoning: see `sync_std`.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits on a condition variable, ignoring poisoning.
pub(crate) fn wait<'a, T>(condvar: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    condvar.wait(guard).unwrap_or_else(PoisonError::into_inner)
}

/// The control of the search. Its atomics are not loom's, so each access also writes to a loom
/// atomic: loom then tries all orders of the accesses. It does not try a relaxed load that sees a
/// stop late, which is the same as a load that comes early.
#[cfg(all(loom, test))]
pub(crate) struct SearchControl {
    real: skewer_search::SearchControl,
    place: loom::sync::atomic::AtomicUsize,
}

#[cfg(all(loom, test))]
impl SearchControl {
    pub(crate) fn new(limits: skewer_search::Limits) -> Self {
        Self {
            real: skewer_search::SearchControl::new(limits),
            place: loom::sync::atomic::AtomicUsize::new(0),
        }
    }
}

#[cfg(all(loom, test))]
impl std::ops::Deref for SearchControl {
    type Target = skewer_search::SearchControl;

    fn deref(&self) -> &skewer_search::SearchControl {
        // Use a write, because writes to one atomic have one order for all threads. The write orders no other
        // accesses.
        self.place
            .fetch_add(1, loom::sync::atomic::Ordering::Relaxed);
        &self.real
    }
}
