//! A search on one thread with everything of its own: for judges, players and measurements.

use skewer_eval::Evaluator;
use skewer_tt::{Table, TableError, TableSize};
use skewer_types::Techniques;

use crate::{Context, Counters, Limits, Numbers, Outcome, Position, Signals, Worker};

/// A worker with a hash table of its own. What it answers depends on nothing but the searches since
/// [`clear`](Self::clear), as long as its limits count nodes or plies and not time.
///
/// ```
/// use skewer_eval::HandCrafted;
/// use skewer_movegen::Board;
/// use skewer_search::{Limits, Position, Solo};
/// use skewer_tt::TableSize;
///
/// let mut solo = Solo::new(HandCrafted::default(), TableSize::from_megabytes(1))?;
/// let start = Position::new(Board::STARTPOS);
/// let first = solo.search(&start, &Limits::depth(5));
/// solo.clear();
/// assert_eq!(solo.search(&start, &Limits::depth(5)).nodes, first.nodes);
/// # Ok::<(), skewer_tt::TableError>(())
/// ```
pub struct Solo<E: Evaluator> {
    worker: Worker<E>,
    table: Table,
    signals: Signals,
    counters: Counters,
    techniques: Techniques,
    numbers: Numbers,
}

impl<E: Evaluator> Solo<E> {
    /// A search that knows nothing yet, with all techniques.
    ///
    /// # Errors
    ///
    /// When there is no memory for the table.
    pub fn new(evaluator: E, table: TableSize) -> Result<Self, TableError> {
        Ok(Self {
            worker: Worker::new(0, evaluator),
            table: Table::new(table)?,
            signals: Signals::new(),
            counters: Counters::default(),
            techniques: Techniques::DEFAULT,
            numbers: Numbers::default(),
        })
    }

    /// The same with these techniques.
    #[must_use]
    pub fn with_techniques(mut self, techniques: Techniques) -> Self {
        self.techniques = techniques;
        self
    }

    /// The same with these numbers. Without the feature `tune` they are constants, and this changes
    /// nothing.
    #[must_use]
    pub fn with_numbers(mut self, numbers: Numbers) -> Self {
        self.numbers = numbers;
        self
    }

    /// Forgets everything learnt.
    pub fn clear(&mut self) {
        self.worker.clear();
        self.table.clear();
    }

    /// Searches a position until a limit is reached; what it finds helps the next search.
    pub fn search(&mut self, position: &Position, limits: &Limits) -> Outcome {
        // Whatever another search on this thread has installed.
        #[cfg(feature = "tune")]
        self.numbers.install();
        self.table.new_search();
        let context = Context {
            techniques: self.techniques,
            ..Context::solo(&self.table, &self.signals, &self.counters)
        };
        self.worker.search(position, limits, &context, &mut |_| {})
    }
}
