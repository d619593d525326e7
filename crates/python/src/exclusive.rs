//! Values that one thread of one process uses at a time.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::ThreadId;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// The longest pause before a call that waits tries again.
const PAUSE: Duration = Duration::from_millis(2);

/// A value that one thread at a time uses. Other threads wait for it without the GIL; on Python's main
/// thread, Ctrl-C ends the waiting. A thread that uses the value already, and a forked process, get an exception,
/// because they would wait for ever.
pub(crate) struct Exclusive<T> {
    value: Mutex<Option<T>>,
    owner: Mutex<Option<ThreadId>>,
    process: u32,
    /// The name of the object in messages.
    name: &'static str,
}

impl<T> Exclusive<T> {
    /// The value of an object that users know as `name`.
    pub(crate) fn new(name: &'static str, value: T) -> Self {
        Self {
            value: Mutex::new(Some(value)),
            owner: Mutex::new(None),
            process: std::process::id(),
            name,
        }
    }

    /// An exception in a process that was forked.
    pub(crate) fn check(&self) -> PyResult<()> {
        if self.process == std::process::id() {
            return Ok(());
        }
        Err(PyRuntimeError::new_err(format!(
            "the {} was made before this process was forked; make one here",
            self.name
        )))
    }

    /// The value; `None` if it was taken, which closes the object.
    pub(crate) fn lock(&self, py: Python<'_>) -> PyResult<Guard<'_, T>>
    where
        Mutex<Option<T>>: Sync,
    {
        self.check()?;
        let thread = std::thread::current().id();
        let mut pause = PAUSE / 128;
        loop {
            let value = match self.value.try_lock() {
                Ok(value) => Some(value),
                Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => None,
            };
            let mut owner = self.owner.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(value) = value {
                *owner = Some(thread);
                let owner = &self.owner;
                return Ok(Guard { value, owner });
            }
            if *owner == Some(thread) {
                return Err(PyRuntimeError::new_err(format!(
                    "the {} is in use by the call that leads here, so that it would wait for itself",
                    self.name
                )));
            }
            drop(owner);
            py.detach(|| std::thread::sleep(pause));
            pause = PAUSE.min(2 * pause);
            py.check_signals()?;
        }
    }

    /// The value, unless a thread is using it.
    pub(crate) fn peek(&self) -> Option<MutexGuard<'_, Option<T>>> {
        self.value.try_lock().ok()
    }
}

impl<T> Drop for Exclusive<T> {
    fn drop(&mut self) {
        if self.process != std::process::id() {
            // The threads of the value are in the other process: waiting for them would never end.
            let value = self.value.get_mut().unwrap_or_else(PoisonError::into_inner);
            std::mem::forget(value.take());
        }
    }
}

/// The use of an [`Exclusive`] value.
pub(crate) struct Guard<'a, T> {
    value: MutexGuard<'a, Option<T>>,
    owner: &'a Mutex<Option<ThreadId>>,
}

impl<T> Drop for Guard<'_, T> {
    fn drop(&mut self) {
        // Clear the owner before the value is free, so that the owner is never a thread that has released the value.
        *self.owner.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl<T> Deref for Guard<'_, T> {
    type Target = Option<T>;

    fn deref(&self) -> &Option<T> {
        &self.value
    }
}

impl<T> DerefMut for Guard<'_, T> {
    fn deref_mut(&mut self) -> &mut Option<T> {
        &mut self.value
    }
}
