//! Ctrl-C and its like: the first asks everyone to come to an end, the second ends the program.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that says whether to come to an end. Clones are the same flag.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A flag that nobody has set.
    pub fn new() -> Self {
        Self::default()
    }

    /// A flag that Ctrl-C (and, where there is such a thing, a request to terminate or to hang
    /// up) sets. Asked a second time, the program ends on the spot.
    ///
    /// # Errors
    ///
    /// When signals are handled by someone else in this program already.
    pub fn on_signals() -> Result<Self, ctrlc::Error> {
        let stop = Self::new();
        let flag = stop.clone();
        ctrlc::set_handler(move || {
            if flag.0.swap(true, Ordering::Relaxed) {
                process::exit(130);
            }
        })?;
        Ok(stop)
    }

    /// Asks everyone to come to an end.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Asks everyone to come to an end when what this gives goes out of scope, whichever way that
    /// is left.
    pub fn set_on_drop(&self) -> SetOnDrop {
        SetOnDrop(self.clone())
    }

    /// Whether to come to an end.
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
    fn a_guard_sets_the_flag_that_it_is_of() {
        let stop = Stop::new();
        let guard = stop.set_on_drop();
        assert!(!stop.is_set());
        drop(guard);
        assert!(stop.is_set());
    }
}
