//! Ctrl-C and other signals: the first one asks for an end, the second one ends the program.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that asks work to end. Clones share the flag.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A flag that is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// A flag that Ctrl-C sets, and on Unix also `SIGTERM` and `SIGHUP`. A second signal ends the program at
    /// once.
    ///
    /// # Errors
    ///
    /// If the program already has a handler for these signals.
    pub fn on_signals() -> Result<Self, ctrlc::Error> {
        Self::on_signals_with(|| {})
    }

    /// Like [`on_signals`](Self::on_signals), but a second signal first calls `before_exit`, which ends the processes
    /// that the program has started.
    ///
    /// # Errors
    ///
    /// If the program already has a handler for these signals.
    pub fn on_signals_with(before_exit: impl Fn() + Send + 'static) -> Result<Self, ctrlc::Error> {
        let stop = Self::new();
        let flag = stop.clone();
        ctrlc::set_handler(move || {
            if flag.0.swap(true, Ordering::Relaxed) {
                before_exit();
                process::exit(130);
            }
        })?;
        Ok(stop)
    }

    /// Sets the flag.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns a guard that sets the flag when it is dropped.
    pub fn set_on_drop(&self) -> SetOnDrop {
        SetOnDrop(self.clone())
    }

    /// Whether the flag is set.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Sets a [`Stop`] when it is dropped.
#[derive(Debug)]
#[must_use = "it sets the flag at once unless it is kept"]
pub struct SetOnDrop(Stop);

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.set();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_guard_sets_its_flag() {
        let stop = Stop::new();
        let guard = stop.set_on_drop();
        assert!(!stop.is_set());
        drop(guard);
        assert!(stop.is_set());
    }
}
