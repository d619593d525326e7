//! A search on the thread of its caller, for programs without threads.

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

use crate::parallel::{Coordinator, OnEvent, ParallelSearch};
use crate::shared::Progress;

/// A search that its caller runs: see [`Engine::take_search`](crate::Engine::take_search). Events are
/// reported on the caller's thread; [`Worker`](skewer_search::Worker) says how much stack a search needs.
///
/// ```
/// use skewer_movegen::Board;
/// use skewer_search::{Limits, Mode};
/// use skewer_smp::{Engine, Execution, Options};
///
/// let options = Options { execution: Execution::Caller, ..Options::default() };
/// let mut engine = Engine::new(options)?;
/// let analysis = Limits { mode: Mode::Infinite, ..Limits::depth(4) };
/// let handle = engine.search(Board::STARTPOS, analysis, |_| {});
/// let mut search = engine.take_search().unwrap();
/// search.run(&|| { /* call `handle.stop()` to end the search */ });
/// // The result of an infinite analysis is held back.
/// assert!(!search.finish());
/// handle.stop();
/// assert!(search.finish());
/// assert!(handle.wait().best.is_some());
/// # Ok::<(), skewer_smp::EngineError>(())
/// ```
pub struct CallerSearch {
    search: Arc<ParallelSearch>,
    coordinator: Coordinator,
}

impl CallerSearch {
    pub(crate) fn new(search: ParallelSearch, on_event: OnEvent) -> Self {
        let search = Arc::new(search);
        let coordinator = Coordinator::new(Arc::clone(&search), on_event);
        Self {
            search,
            coordinator,
        }
    }

    /// Searches until a limit is met or the search is stopped. Calls `poll` every few hundred nodes. `poll` may use the
    /// [`SearchHandle`](crate::SearchHandle), but must not wait.
    pub fn run(&mut self, poll: &dyn Fn()) {
        self.search.begin();
        let shared = &self.search.shared;
        let coordinator = RefCell::new(&mut self.coordinator);
        let poll = || {
            poll();
            shared.advance(&mut **coordinator.borrow_mut());
        };
        self.search.work(0, Some(&poll));
    }

    /// Gives the result, unless it is held back until a stop or a ponder hit. Returns whether the result was given.
    pub fn finish(&mut self) -> bool {
        self.search.shared.advance(&mut self.coordinator) == Progress::Ended
    }
}

impl fmt::Debug for CallerSearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallerSearch").finish_non_exhaustive()
    }
}
