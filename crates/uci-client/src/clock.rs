//! The time by which engines are judged.

use std::fmt::Debug;
use std::time::Instant;

/// A clock. Tests pass a clock that they set themselves, so that they do not depend on the load of the machine.
pub trait Clock: Debug + Send + Sync {
    /// The time; never earlier than the time of an earlier call.
    fn now(&self) -> Instant;
}

/// The clock of the system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        Instant::now()
    }
}
