//! Control of a running search.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use skewer_search::{SearchResult, SearchState};

use crate::parallel::SharedSearch;

/// A running search. Dropping the handle does not stop it; the next search of the same engine
/// does, and so does dropping the engine.
#[derive(Clone)]
pub struct SearchHandle(pub(crate) Arc<SharedSearch>);

impl SearchHandle {
    /// Stops the search without waiting. [`Event::Done`](crate::Event::Done) follows within
    /// milliseconds.
    pub fn stop(&self) {
        self.0.stop();
    }

    /// Starts the clock of a search in ponder mode, because the move pondered on was played.
    pub fn ponder_hit(&self) {
        self.0.ponder_hit();
    }

    /// The state of the search. Once it is stopped, [`wait`](Self::wait) returns within milliseconds; once
    /// it is done, [`Event::Done`](crate::Event::Done) is being reported or was.
    pub fn state(&self) -> SearchState {
        self.0.control.state()
    }

    /// Whether the search is [done](SearchState::Done).
    pub fn is_done(&self) -> bool {
        self.state() == SearchState::Done
    }

    /// Waits until the result was reported, and returns it. Stop a search without limits first. Do
    /// not call this from the closure that receives the events, which would deadlock.
    pub fn wait(&self) -> SearchResult {
        loop {
            if let Some(outcome) = self.0.wait(None) {
                return outcome;
            }
        }
    }

    /// Waits for the result as [`wait`](Self::wait) does, but no longer than `timeout`.
    pub fn wait_for(&self, timeout: Duration) -> Option<SearchResult> {
        self.0.wait(Instant::now().checked_add(timeout))
    }
}

impl fmt::Debug for SearchHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchHandle")
            .field("state", &self.state())
            .finish_non_exhaustive()
    }
}
