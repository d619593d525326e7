//! Making workers that share an evaluation.

use std::fmt;
use std::sync::Arc;

use skewer_eval::{Evaluation, Evaluator, HandWritten, Network};
use skewer_types::WinModel;

use crate::{SharedHistories, Worker};

/// Makes workers with the same evaluation, one for each thread of a search.
///
/// ```
/// use skewer_eval::{Evaluation, HandWritten};
/// use skewer_search::WorkerFactory;
///
/// let built_in = WorkerFactory::from(Evaluation::default());
/// assert_eq!(built_in.worker(3).id(), 3);
/// // An evaluation of your own: any type that implements `Evaluator`.
/// let own = WorkerFactory::new(HandWritten::default);
/// assert_eq!(own.worker(0).id(), 0);
/// ```
#[derive(Clone)]
pub struct WorkerFactory {
    make: Arc<dyn Fn(usize, SharedHistories) -> Worker + Send + Sync>,
    win_model: WinModel,
}

impl WorkerFactory {
    /// Makes workers with evaluators from `make`. Their scores are taken to have the default win model, unless
    /// [`with_win_model`](Self::with_win_model) says otherwise.
    pub fn new<E: Evaluator + Send + 'static>(
        make: impl Fn() -> E + Send + Sync + 'static,
    ) -> Self {
        Self {
            make: Arc::new(move |id, histories| Worker::sharing(id, make(), histories)),
            win_model: WinModel::default(),
        }
    }

    /// Makes the same workers, with this model of their scores.
    #[must_use]
    pub fn with_win_model(mut self, model: impl Into<WinModel>) -> Self {
        self.win_model = model.into();
        self
    }

    /// The model that converts the scores of the workers to chances and centipawns.
    pub fn win_model(&self) -> WinModel {
        self.win_model
    }

    /// Makes worker `id`, with histories of its own.
    pub fn worker(&self, id: usize) -> Worker {
        self.sharing(id, SharedHistories::default())
    }

    /// Makes worker `id` of several that share `histories`.
    pub fn sharing(&self, id: usize, histories: SharedHistories) -> Worker {
        (self.make)(id, histories)
    }
}

impl From<&Evaluation> for WorkerFactory {
    fn from(evaluation: &Evaluation) -> Self {
        let workers = match evaluation.network().cloned() {
            Some(parameters) => Self::new(move || Network::new(Arc::clone(&parameters))),
            None => Self::new(HandWritten::default),
        };
        workers.with_win_model(evaluation.win_model())
    }
}

impl From<Evaluation> for WorkerFactory {
    fn from(evaluation: Evaluation) -> Self {
        Self::from(&evaluation)
    }
}

impl fmt::Debug for WorkerFactory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkerFactory").finish_non_exhaustive()
    }
}
