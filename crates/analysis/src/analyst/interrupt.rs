//! Ends searches from another thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use skewer_search::SearchControl;

/// Ends the searches of an analyst: the running search, and every later one as soon as it begins. A clone interrupts
/// the same analyst.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<State>);

#[derive(Debug, Default)]
struct State {
    is_set: AtomicBool,
    /// The search that runs in this process.
    search: Mutex<Option<Arc<SearchControl>>>,
}

impl Interrupt {
    /// Ends the searches.
    pub fn set(&self) {
        self.0.is_set.store(true, Ordering::SeqCst);
        if let Some(search) = &*self.search() {
            search.stop();
        }
    }

    /// Whether the searches are to end.
    pub fn is_set(&self) -> bool {
        self.0.is_set.load(Ordering::SeqCst)
    }

    /// Notes a search that begins.
    pub(super) fn begin(&self, control: &Arc<SearchControl>) {
        *self.search() = Some(Arc::clone(control));
        // `set` may have been called before the search was noted.
        if self.is_set() {
            control.stop();
        }
    }

    fn search(&self) -> MutexGuard<'_, Option<Arc<SearchControl>>> {
        self.0.search.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
