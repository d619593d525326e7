//! The engine: a hash table, workers, and the runner of their searches.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread::JoinHandle;

use rayon::ThreadPool;
use skewer_eval::Evaluation;
use skewer_movegen::Board;
use skewer_search::{Limits, Position, Report, TablebaseRules, WorkerFactory};
use skewer_syzygy::Tables;
use skewer_tt::{Table, TableError, TableSize};
use skewer_types::{Bound, Techniques, WinCurve, WinModel};

use crate::caller::CallerSearch;
use crate::crew::Crew;
use crate::error::EngineError;
use crate::handle::SearchHandle;
use crate::options::{Execution, Options, Schedule};
use crate::parallel::{Event, OnEvent, ParallelSearch, SharedSearch};
use crate::params::{CROWD, LOOK_INTERVAL};
use crate::shared::Shared;
use crate::sync::SearchControl;
use crate::sync_std::{read, write};
use crate::workers::{Workers, cores, pool};

/// A message to the coordinator.
struct Job {
    search: Arc<ParallelSearch>,
    crew: Arc<Crew>,
    on_event: OnEvent,
}

/// The runner of the searches of an engine.
enum Runner {
    Threads {
        crew: Arc<Crew>,
        /// Clears the table.
        pool: ThreadPool,
        jobs: Option<Sender<Job>>,
        coordinator: Option<JoinHandle<()>>,
    },
    /// The caller, who takes the next search from here. The lock is never contended. It is there because the engine
    /// must be `Sync`, and a search with its closure is not.
    Caller(Mutex<Option<Box<CallerSearch>>>),
}

impl Runner {
    fn new(execution: Execution, threads: usize) -> Result<Self, EngineError> {
        if execution == Execution::Caller {
            return match threads {
                1 => Ok(Self::Caller(Mutex::new(None))),
                _ => Err(EngineError::Pool {
                    requested: threads,
                    reason: "this engine searches on its caller's thread".to_owned(),
                }),
            };
        }
        let crew = Crew::new(threads)?;
        let pool = pool(threads)?;
        let (sender, receiver) = channel();
        let coordinator = std::thread::Builder::new()
            .name("skewer-coordinator".to_owned())
            .spawn(move || coordinate(&receiver))
            .map_err(|error| EngineError::Pool {
                requested: threads,
                reason: error.to_string(),
            })?;
        Ok(Self::Threads {
            crew: Arc::new(crew),
            pool,
            jobs: Some(sender),
            coordinator: Some(coordinator),
        })
    }

    fn set_threads(&mut self, threads: usize) -> Result<(), EngineError> {
        match self {
            Self::Threads {
                crew,
                pool: old_pool,
                ..
            } => {
                let new = Crew::new(threads)?;
                *old_pool = pool(threads)?;
                *crew = Arc::new(new);
            }
            Self::Caller(_) => *self = Self::new(Execution::Caller, threads)?,
        }
        Ok(())
    }

    fn clear(&self, table: &Table) {
        match self {
            Self::Threads { pool, .. } => table.clear_in(pool),
            Self::Caller(_) => table.clear(),
        }
    }

    fn resize(&self, table: &mut Table, size: TableSize) -> Result<(), TableError> {
        match self {
            Self::Threads { pool, .. } => table.resize(size, pool),
            Self::Caller(_) => {
                *table = Table::new(size)?;
                Ok(())
            }
        }
    }

    fn start(&mut self, search: ParallelSearch, on_event: OnEvent) {
        match self {
            Self::Threads { crew, jobs, .. } => {
                if let Some(jobs) = jobs {
                    // The coordinator lives as long as the engine, so it receives the job.
                    let sent = jobs.send(Job {
                        search: Arc::new(search),
                        crew: Arc::clone(crew),
                        on_event,
                    });
                    debug_assert!(sent.is_ok(), "the coordinator has ended");
                }
            }
            Self::Caller(next) => {
                *next.get_mut().unwrap_or_else(PoisonError::into_inner) =
                    Some(Box::new(CallerSearch::new(search, on_event)));
            }
        }
    }
}

/// A chess engine: searches positions on several threads.
///
/// One search runs at a time. Methods that change its threads, tables or evaluation stop a running search and
/// wait for its workers; techniques, the schedule and endgame tables take effect with the next search.
/// [`set_threads`](Self::set_threads) and [`clear_workers`](Self::clear_workers) forget what the workers learned,
/// [`set_hash`](Self::set_hash) forgets the hash table, and [`set_evaluation`](Self::set_evaluation) and
/// [`clear`](Self::clear) both.
pub struct Engine {
    table: Arc<RwLock<Table>>,
    runner: Runner,
    workers: Arc<Workers>,
    factory: WorkerFactory,
    techniques: Techniques,
    schedule: Schedule,
    tablebases: Option<(Arc<Tables>, TablebaseRules)>,
    last: Option<Arc<SharedSearch>>,
}

impl Engine {
    /// An engine with the default evaluation: the built-in network, or the hand-written terms in a
    /// build without one.
    ///
    /// # Errors
    ///
    /// If there is not enough memory for the table, or the threads cannot be started.
    pub fn new(options: Options) -> Result<Self, EngineError> {
        Self::with_evaluation(options, Evaluation::default())
    }

    /// An engine whose workers use this evaluation. See [`WorkerFactory::new`] for an evaluation of
    /// your own.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn with_evaluation(
        options: Options,
        evaluation: impl Into<WorkerFactory>,
    ) -> Result<Self, EngineError> {
        let runner = Runner::new(options.execution, options.threads)?;
        let table = Table::new(options.hash)?;
        runner.clear(&table);
        let factory = evaluation.into();
        Ok(Self {
            table: Arc::new(RwLock::new(table)),
            runner,
            workers: Arc::new(Workers::new(options.threads, factory.clone())),
            factory,
            techniques: options.techniques,
            schedule: options.schedule,
            tablebases: None,
            last: None,
        })
    }

    /// Starts a search and returns at once. `on_event` is called for every line of analysis and for the result, on a
    /// thread of the engine's or, with [`Execution::Caller`], on the caller's. A running search is stopped, and gives
    /// its result first.
    ///
    /// `on_event` must not drop the engine or call a method of it that waits for a search to end
    /// ([`wait_until_idle`](Self::wait_until_idle), [`clear`](Self::clear), [`set_hash`](Self::set_hash)
    /// and others that change what workers use): they would wait for the thread that `on_event` runs
    /// on. It may call [`stop`](Self::stop) and start the next search.
    ///
    /// With [`Execution::Caller`] the search waits for [`take_search`](Self::take_search), and nothing may
    /// wait for a search that was not taken and run.
    pub fn search(
        &mut self,
        position: impl Into<Position>,
        limits: Limits,
        on_event: impl FnMut(Event<'_>) + Send + 'static,
    ) -> SearchHandle {
        let control = SearchControl::new(limits);
        self.stop();
        let shared = Shared::new(control, self.workers.len());
        let shared = Arc::new(match self.schedule {
            // Without turns the workers would occupy all cores, and the threads that read a stop and give the answer
            // would not run in time.
            Schedule::Free if self.is_crowded() => shared.in_turns(cores()),
            Schedule::Free => shared,
            Schedule::Lockstep => shared.in_lockstep(),
        });
        self.last = Some(Arc::clone(&shared));
        let search = ParallelSearch {
            position: position.into(),
            techniques: self.techniques,
            table: Arc::clone(&self.table),
            tablebases: self.tablebases.clone(),
            workers: Arc::clone(&self.workers),
            shared: Arc::clone(&shared),
        };
        self.runner.start(search, Box::new(on_event));
        SearchHandle(shared)
    }

    /// Searches a position, waits for the end, and returns the lines of analysis, the best one first: as many as
    /// [`Limits::multi_pv`] asks for, or one for each legal move if there are fewer. Empty if the game is over in this
    /// position.
    ///
    /// Each line is the last that the search finished. If a search of several lines was ended in the middle
    /// of an iteration, later lines may have a smaller depth. A search without a limit does not end here: use
    /// [`analyse_until`](Self::analyse_until).
    ///
    /// ```
    /// use skewer_movegen::Board;
    /// use skewer_search::Limits;
    /// use skewer_smp::{Engine, Options};
    ///
    /// let mut engine = Engine::new(Options::default())?;
    /// let board = Board::STARTPOS;
    /// let lines = engine.analyse(board, Limits { multi_pv: 3, ..Limits::depth(6) });
    /// for line in &lines {
    ///     println!("{} {}", engine.win_curve(&board).uci(line.score), board.uci_line(&line.pv));
    /// }
    /// assert_eq!(lines.len(), 3);
    /// assert!(lines[0].score >= lines[1].score);
    /// # Ok::<(), skewer_smp::EngineError>(())
    /// ```
    pub fn analyse(&mut self, position: impl Into<Position>, limits: Limits) -> Vec<Report> {
        self.analyse_until(position, limits, &|| false)
    }

    /// Searches a position as [`analyse`](Self::analyse) does, until a limit is met or `stopped` returns true, and
    /// returns the lines so far. `stopped` is called on this thread, every few milliseconds. The first iteration is
    /// always finished.
    ///
    /// In the modes that hold the result back ([`Mode`](skewer_search::Mode)), only `stopped` ends the search.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    ///
    /// use skewer_movegen::Board;
    /// use skewer_search::Limits;
    /// use skewer_smp::{Engine, Options};
    ///
    /// let mut engine = Engine::new(Options::default())?;
    /// let cancelled = AtomicBool::new(false);
    /// let lines = std::thread::scope(|threads| {
    ///     threads.spawn(|| cancelled.store(true, Relaxed));
    ///     engine.analyse_until(Board::STARTPOS, Limits::default(), &|| cancelled.load(Relaxed))
    /// });
    /// assert_eq!(lines.len(), 1);
    /// # Ok::<(), skewer_smp::EngineError>(())
    /// ```
    pub fn analyse_until(
        &mut self,
        position: impl Into<Position>,
        limits: Limits,
        stopped: &dyn Fn() -> bool,
    ) -> Vec<Report> {
        let latest = Arc::new(Mutex::new(Vec::new()));
        let lines = Arc::clone(&latest);
        let search = self.search(position, limits, move |event| {
            if let Event::Line(line) = event {
                keep(
                    &mut lines.lock().unwrap_or_else(PoisonError::into_inner),
                    line,
                );
            }
        });
        let look = || {
            if stopped() {
                search.stop();
            }
        };
        if let Some(mut own) = self.take_search() {
            own.run(&look);
            while !own.finish() {
                std::thread::yield_now();
                look();
            }
        } else {
            while search.wait_for(LOOK_INTERVAL).is_none() {
                look();
            }
        }
        let mut latest = latest.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *latest)
    }

    /// The win model of the evaluation. For the scores of one position, see [`win_curve`](Self::win_curve).
    pub fn win_model(&self) -> WinModel {
        self.factory.win_model()
    }

    /// The curve that converts the scores of searches of `board` to chances and centipawns. It is the win model's curve
    /// for the material on `board`.
    pub fn win_curve(&self, board: &Board) -> WinCurve {
        self.win_model().at(board.material())
    }

    /// The search that [`search`](Self::search) has begun, for the caller to run; `None` if there is none
    /// or if the engine has threads of its own.
    pub fn take_search(&mut self) -> Option<CallerSearch> {
        match &mut self.runner {
            Runner::Caller(next) => {
                let next = next.get_mut().unwrap_or_else(PoisonError::into_inner);
                next.take().map(|search| *search)
            }
            Runner::Threads { .. } => None,
        }
    }

    /// Stops a running search without waiting.
    pub fn stop(&self) {
        if let Some(last) = &self.last {
            last.stop();
        }
    }

    /// Stops a running search and waits until its last worker has ended.
    pub fn wait_until_idle(&self) {
        self.stop();
        if let Some(last) = &self.last {
            _ = last.wait(None);
            last.wait_until_idle();
        }
    }

    /// The number of workers.
    pub fn threads(&self) -> usize {
        self.workers.len()
    }

    /// Whether there are more than four workers for each core that this process may use. They then take turns
    /// of a few hundred nodes, as many at a time as there are cores, so that answers still come in time. More
    /// workers than cores do not search more nodes.
    pub fn is_crowded(&self) -> bool {
        self.threads() > CROWD * cores()
    }

    /// Changes the number of workers. The hash table is kept; the workers are new.
    ///
    /// # Errors
    ///
    /// If `threads` is out of range or the threads cannot be started. The engine is then unchanged.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), EngineError> {
        if threads == self.threads() {
            return Ok(());
        }
        self.wait_until_idle();
        self.runner.set_threads(threads)?;
        self.workers = Arc::new(Workers::new(threads, self.factory.clone()));
        Ok(())
    }

    /// The size of the hash table.
    pub fn hash(&self) -> TableSize {
        read(&self.table).size()
    }

    /// Changes the size of the hash table, and empties it, unless it has that size already.
    ///
    /// # Errors
    ///
    /// If there is not enough memory. The engine then keeps the old table and its entries.
    pub fn set_hash(&mut self, size: TableSize) -> Result<(), EngineError> {
        if size == self.hash() {
            return Ok(());
        }
        self.wait_until_idle();
        self.runner.resize(&mut write(&self.table), size)?;
        Ok(())
    }

    /// Changes the evaluation, and clears the hash table and the workers, whose scores come from the old evaluation.
    pub fn set_evaluation(&mut self, evaluation: impl Into<WorkerFactory>) {
        self.wait_until_idle();
        self.factory = evaluation.into();
        self.workers = Arc::new(Workers::new(self.threads(), self.factory.clone()));
        self.runner.clear(&read(&self.table));
    }

    /// Changes the techniques, from the next search on.
    pub fn set_techniques(&mut self, techniques: Techniques) {
        self.techniques = techniques;
    }

    /// Changes when the workers run, from the next search on.
    pub fn set_schedule(&mut self, schedule: Schedule) {
        self.schedule = schedule;
    }

    /// Changes the endgame tables and how they are used, from the next search on.
    pub fn set_tablebases(&mut self, tables: Option<Arc<Tables>>, rules: TablebaseRules) {
        self.tablebases = tables.map(|tables| (tables, rules));
    }

    /// Forgets everything, as for a new game: the hash table and what the workers learned.
    pub fn clear(&mut self) {
        self.wait_until_idle();
        self.runner.clear(&read(&self.table));
        self.workers.clear();
    }

    /// Forgets what the workers learned and keeps the hash table, for a new game with a table that
    /// was loaded for it.
    pub fn clear_workers(&mut self) {
        self.wait_until_idle();
        self.workers.clear();
    }

    /// Calls `look` with the hash table, while no search runs.
    pub fn with_table<T>(&mut self, look: impl FnOnce(&mut Table) -> T) -> T {
        self.wait_until_idle();
        look(&mut write(&self.table))
    }
}

/// Puts a finished line in its place among the latest ones. Lines of an earlier iteration move back, and an earlier
/// line with the same move is removed.
fn keep(lines: &mut Vec<Report>, line: &Report) {
    let Some(first) = line.pv.first() else {
        return;
    };
    if line.bound != Bound::Exact {
        return;
    }
    lines.retain(|old| old.pv.first() != Some(first));
    let place = line.multi_pv.saturating_sub(1).min(lines.len());
    lines.insert(place, line.clone());
    lines.truncate(line.lines.max(place + 1));
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
        if let Runner::Threads {
            jobs, coordinator, ..
        } = &mut self.runner
        {
            *jobs = None;
            if let Some(coordinator) = coordinator.take() {
                // The coordinator does not panic.
                drop(coordinator.join());
            }
        }
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine")
            .field("threads", &self.threads())
            .field("hash", &self.hash())
            .field("techniques", &self.techniques)
            .field("schedule", &self.schedule)
            .finish_non_exhaustive()
    }
}

/// The coordinator's thread: runs one search after another, each when the workers of the search before have ended.
fn coordinate(jobs: &Receiver<Job>) {
    while let Ok(job) = jobs.recv() {
        let shared = Arc::clone(&job.search.shared);
        job.search.run(&job.crew, job.on_event);
        shared.wait_until_idle();
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
