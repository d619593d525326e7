//! Ctrl-C while a call waits.

use std::time::Duration;

/// How often a waiting call looks for Ctrl-C.
pub(crate) const SIGNALS: Duration = Duration::from_millis(20);
