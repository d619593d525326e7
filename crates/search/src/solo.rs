//! A single-threaded search that owns everything it needs.

use std::sync::Arc;

use skewer_movegen::Board;
use skewer_syzygy::Tables;
use skewer_tt::{Table, TableError, TableSize};
use skewer_types::{Techniques, WinCurve, WinModel};

#[cfg(feature = "tune")]
use crate::Parameters;
use crate::{
    Context, Counters, Limits, Position, Report, SearchControl, SearchResult, TablebaseRules,
    TablebaseUse, Worker, WorkerFactory,
};

/// A worker with a hash table of its own. If the limits count nodes or plies and not time, the
/// outcome depends only on the searches since [`clear`](Self::clear).
///
/// ```
/// use skewer_eval::Evaluation;
/// use skewer_movegen::Board;
/// use skewer_search::{Limits, Position, Solo};
/// use skewer_tt::TableSize;
///
/// let mut solo = Solo::new(Evaluation::default(), TableSize::from_megabytes(1))?;
/// let start = Position::new(Board::STARTPOS);
/// let first = solo.search(&start, &Limits::depth(5));
/// solo.clear();
/// assert_eq!(solo.search(&start, &Limits::depth(5)).nodes, first.nodes);
/// # Ok::<(), skewer_tt::TableError>(())
/// ```
pub struct Solo {
    worker: Worker,
    table: Table,
    counters: Counters,
    techniques: Techniques,
    win_model: WinModel,
    #[cfg(feature = "tune")]
    parameters: Parameters,
    tablebases: Option<(Arc<Tables>, TablebaseRules)>,
}

impl Solo {
    /// Creates a search with the default techniques and an empty hash table.
    ///
    /// # Errors
    ///
    /// If there is not enough memory for the table.
    pub fn new(evaluation: impl Into<WorkerFactory>, table: TableSize) -> Result<Self, TableError> {
        let factory = evaluation.into();
        Ok(Self {
            worker: factory.worker(0),
            win_model: factory.win_model(),
            table: Table::new(table)?,
            counters: Counters::default(),
            techniques: Techniques::DEFAULT,
            #[cfg(feature = "tune")]
            parameters: Parameters::default(),
            tablebases: None,
        })
    }

    /// Returns the same search with these techniques.
    #[must_use]
    pub fn with_techniques(mut self, techniques: Techniques) -> Self {
        self.techniques = techniques;
        self
    }

    /// Returns the same search with these parameters. Without the feature `tune` they are constants, and this
    /// method is absent.
    #[cfg(feature = "tune")]
    #[must_use]
    pub fn with_parameters(mut self, parameters: Parameters) -> Self {
        self.parameters = parameters;
        self
    }

    /// Returns the same search with these endgame tables.
    #[must_use]
    pub fn with_tablebases(mut self, tables: Arc<Tables>, rules: TablebaseRules) -> Self {
        self.tablebases = Some((tables, rules));
        self
    }

    /// The win model of the evaluation. For the scores of one position, see [`win_curve`](Self::win_curve).
    pub fn win_model(&self) -> WinModel {
        self.win_model
    }

    /// The curve that converts the scores of searches of `board` to chances and centipawns. It is the win model's curve
    /// for the material on `board`.
    pub fn win_curve(&self, board: &Board) -> WinCurve {
        self.win_model().at(board.material())
    }

    /// Forgets everything learned.
    pub fn clear(&mut self) {
        self.worker.clear();
        self.table.reset();
    }

    /// Searches a position until a limit is reached, on the caller's thread. What the search learns speeds up the next
    /// search.
    ///
    /// [`Worker`] says how much stack a search needs.
    pub fn search(&mut self, position: &Position, limits: &Limits) -> SearchResult {
        self.search_with_report(position, limits, &mut |_| {})
    }

    /// Searches as [`search`](Self::search) does, and calls `report` as [`Worker::search`] does.
    pub fn search_with_report(
        &mut self,
        position: &Position,
        limits: &Limits,
        report: &mut dyn FnMut(&Report),
    ) -> SearchResult {
        let control = SearchControl::new(limits.clone());
        self.search_under(position, &control, report)
    }

    /// Searches within the limits of `control`, by which another thread may stop the search.
    pub fn search_under(
        &mut self,
        position: &Position,
        control: &SearchControl,
        report: &mut dyn FnMut(&Report),
    ) -> SearchResult {
        // Another search on this thread may have installed other parameters.
        #[cfg(feature = "tune")]
        self.parameters.install();
        self.table.new_search();
        let context = Context {
            techniques: self.techniques,
            tablebases: self
                .tablebases
                .as_ref()
                .map(|(tables, rules)| TablebaseUse {
                    tables,
                    rules: *rules,
                }),
            ..Context::solo(&self.table, control, &self.counters)
        };
        self.worker.search(position, &context, report)
    }
}
