//! The user's hold on a running search.

use std::sync::Arc;
use std::time::{Duration, Instant};

use skewer_search::Outcome;

use crate::task::SearchSession;

/// A running search. Dropping the handle lets the search go on; it is stopped by the next search
/// of the same engine, or with the engine.
#[derive(Clone)]
pub struct SearchHandle {
    pub(crate) session: Arc<SearchSession>,
}

impl SearchHandle {
    /// Asks for the answer now. It comes as [`Event::Done`](crate::Event::Done), within
    /// milliseconds; this call does not wait for it. A second call changes nothing.
    pub fn stop(&self) {
        self.session.stop();
    }

    /// The move pondered on has been played: the clock runs from now on, and the answer may be
    /// given as soon as the search ends.
    pub fn ponder_hit(&self) {
        self.session.ponder_hit();
    }

    /// Whether the answer has been decided on: it is being told just now, or has been.
    pub fn is_done(&self) -> bool {
        self.session.desk.is_answering()
    }

    /// Waits until the answer has been told. A search without limits must be stopped first. Not
    /// to be called from the closure that hears the events, which it would wait for.
    pub fn wait(&self) -> Outcome {
        self.session.desk.wait_for_answer()
    }

    /// Waits for the answer as [`wait`](Self::wait) does, but no longer than `patience`.
    pub fn wait_for(&self, patience: Duration) -> Option<Outcome> {
        self.session
            .desk
            .wait_for_answer_until(Instant::now() + patience)
    }
}

impl std::fmt::Debug for SearchHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SearchHandle")
            .field("epoch", &self.session.epoch)
            .field("is_done", &self.is_done())
            .finish_non_exhaustive()
    }
}
