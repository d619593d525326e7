//! Games analysed as `skewer-analyse` does it: read in order, looked at on every core, given out in
//! order.

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use skewer_analyse::analyst::{Analyst, Settings};
use skewer_analyse::params::{DEFAULT_HASH_MB, DEFAULT_NODES};
use skewer_analyse::record::record;
use skewer_analyse::report::Origin;
use skewer_pgn::{Games, PgnGame, ReadError};
use skewer_smp::Evaluation;

use crate::errors::{check_signals, value};
use crate::pgn::{Source, open_path, read_error};

/// How often a waiting call looks for Ctrl-C.
const SIGNALS: Duration = Duration::from_millis(50);

/// Games that may wait for a worker, for each worker.
const QUEUE: usize = 2;

/// A game for a worker.
struct Job {
    origin: Origin,
    game: Box<PgnGame>,
}

/// A game that has been looked at, or cannot be: its record as JSON, or what is wrong.
struct Done {
    origin: Origin,
    record: Result<String, String>,
}

/// What a look for the next game gives.
enum Step {
    Game(Done),
    /// It is being looked at.
    Wait,
    /// There is none.
    End,
}

/// The threads that look at games.
struct Workers {
    jobs: Option<Sender<Job>>,
    done: Receiver<Done>,
    threads: Vec<JoinHandle<()>>,
    /// Makes the threads end after their current game.
    cancelled: Arc<AtomicBool>,
}

impl Workers {
    fn start(threads: usize, settings: &Settings) -> Result<Self, String> {
        let (jobs, queue) = channel::<Job>();
        let queue = Arc::new(Mutex::new(queue));
        let (sender, done) = channel();
        let cancelled = Arc::new(AtomicBool::new(false));
        let mut workers = Self {
            jobs: Some(jobs),
            done,
            threads: Vec::with_capacity(threads),
            cancelled,
        };
        for number in 0..threads {
            let (queue, sender) = (Arc::clone(&queue), sender.clone());
            let cancelled = Arc::clone(&workers.cancelled);
            let settings = settings.clone();
            let mut analyst = Analyst::new(&settings).map_err(|error| format!("{error:#}"))?;
            let work = move || {
                loop {
                    let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok(Job { origin, game }) = job else {
                        return;
                    };
                    if cancelled.load(Ordering::Relaxed) {
                        return;
                    }
                    let place = origin.clone();
                    let looked = catch_unwind(AssertUnwindSafe(|| {
                        record(&mut analyst, place, *game).map_err(|error| format!("{error:#}"))
                    }));
                    let record = looked.unwrap_or_else(|_| Err("the engine failed".to_owned()));
                    if record.is_err() {
                        // Whatever state it was in, a new one starts afresh.
                        match Analyst::new(&settings) {
                            Ok(fresh) => analyst = fresh,
                            Err(_) => return,
                        }
                    }
                    if sender.send(Done { origin, record }).is_err() {
                        return;
                    }
                }
            };
            let thread = std::thread::Builder::new()
                .name(format!("skewer-analyst-{number}"))
                .stack_size(skewer_analyse::params::STACK_BYTES)
                .spawn(work)
                .map_err(|error| format!("cannot start a thread: {error}"))?;
            workers.threads.push(thread);
        }
        Ok(workers)
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
        self.jobs = None;
        // Threads leave after the game they look at; waiting for them could take minutes.
    }
}

/// A run over the games of files.
struct Run {
    files: std::vec::IntoIter<String>,
    reading: Option<(String, Games<Source>)>,
    workers: Workers,
    /// The numbers of the games to look at, from 1.
    range: Range<u64>,
    /// The number of the last game that was read.
    number: u64,
    /// Games at the workers.
    out: usize,
    limit: usize,
    /// Games that are done and wait for an earlier one.
    ready: BTreeMap<u64, Done>,
    /// The number of the next game to give out.
    next: u64,
    ended: bool,
}

impl Run {
    /// Reads games until the workers have enough.
    fn feed(&mut self) -> PyResult<()> {
        while !self.ended && self.out < self.limit {
            if self.number + 1 >= self.range.end {
                self.ended = true;
                break;
            }
            if self.reading.is_none() {
                let Some(file) = self.files.next() else {
                    self.ended = true;
                    break;
                };
                let games = Games::new(open_path(&file)?);
                self.reading = Some((file, games));
            }
            let Some((file, games)) = &mut self.reading else {
                break;
            };
            let wanted = self.number + 1 >= self.range.start;
            let origin = |line| Origin {
                number: self.number + 1,
                file: file.clone(),
                line,
            };
            match games.next_placed() {
                Ok(None) => {
                    self.reading = None;
                    continue;
                }
                Ok(Some(placed)) if wanted => {
                    let job = Job {
                        origin: origin(placed.line),
                        game: Box::new(placed.game),
                    };
                    let jobs = self.workers.jobs.as_ref();
                    if jobs.is_none_or(|jobs| jobs.send(job).is_err()) {
                        return Err(PyRuntimeError::new_err("the analysis threads ended early"));
                    }
                    self.out += 1;
                }
                Err(ReadError::Bad(bad)) if wanted => {
                    let done = Done {
                        origin: origin(bad.line),
                        record: Err(format!("line {}: {}", bad.bad_line, bad.reason)),
                    };
                    self.ready.insert(self.number + 1, done);
                }
                Ok(Some(_)) | Err(ReadError::Bad(_)) => {}
                Err(ReadError::Io(error)) => {
                    return Python::attach(|py| Err(read_error(py, error)));
                }
                Err(error) => return Err(value(error)),
            }
            self.number += 1;
        }
        Ok(())
    }

    /// The next game in order, if it is ready.
    fn step(&mut self) -> PyResult<Step> {
        self.feed()?;
        if let Some(done) = self.ready.remove(&self.next) {
            self.next += 1;
            return Ok(Step::Game(done));
        }
        if self.out == 0 {
            return Ok(Step::End);
        }
        match self.workers.done.recv_timeout(SIGNALS) {
            Ok(done) => {
                self.out -= 1;
                self.ready.insert(done.origin.number, done);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the analysis threads ended early"));
            }
        }
        Ok(Step::Wait)
    }
}

/// Records of games as JSON, one after the other; see `skewer.analyse_games`.
#[pyclass(frozen, module = "skewer")]
struct RecordReader {
    run: Mutex<Option<Run>>,
}

#[pymethods]
impl RecordReader {
    #[new]
    #[pyo3(signature = (
        paths, *, nodes, depth, time, multipv, hash, threads, evaluation, syzygy, start, stop
    ))]
    fn new(
        py: Python<'_>,
        paths: Vec<String>,
        nodes: Option<u64>,
        depth: Option<i32>,
        time: Option<f64>,
        multipv: i64,
        hash: i64,
        threads: Option<i64>,
        evaluation: &str,
        syzygy: Option<&str>,
        start: u64,
        stop: Option<u64>,
    ) -> PyResult<Self> {
        let positive = |name: &str, number: i64, most: i64| {
            if (1..=most).contains(&number) {
                Ok(number as usize)
            } else {
                Err(PyValueError::new_err(format!(
                    "{name} {number} is not in 1..={most}"
                )))
            }
        };
        if nodes == Some(0) || depth.is_some_and(|depth| depth < 1) {
            return Err(PyValueError::new_err("nodes and depth are positive"));
        }
        let time = time
            .map(|time| {
                Duration::try_from_secs_f64(time).map_err(|_| {
                    PyValueError::new_err(format!("time {time} is not a time in seconds"))
                })
            })
            .transpose()?;
        let unlimited = depth.is_none() && time.is_none();
        let settings = Settings {
            nodes: nodes.or(unlimited.then_some(DEFAULT_NODES)),
            depth,
            time,
            multi_pv: positive("multipv", multipv, 256)?,
            hash: positive("hash", hash, 1 << 20)?,
            split: 0,
            evaluation: evaluation.parse::<Evaluation>().map_err(value)?,
            tablebases: syzygy.map(crate::engine::tables).transpose()?,
        };
        let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let threads = match threads {
            Some(threads) => positive("threads", threads, 1024)?,
            None => cores(),
        };
        // Before any work: files that cannot be opened are an error at once.
        for path in &paths {
            open_path(path)?;
        }
        let workers = py
            .detach(|| Workers::start(threads, &settings))
            .map_err(value)?;
        Ok(Self {
            run: Mutex::new(Some(Run {
                files: paths.into_iter(),
                reading: None,
                workers,
                range: start + 1..stop.map_or(u64::MAX, |stop| stop.saturating_add(1)),
                number: 0,
                out: 0,
                limit: QUEUE * threads,
                ready: BTreeMap::new(),
                next: start + 1,
                ended: false,
            })),
        })
    }

    fn __iter__(reader: Py<Self>) -> Py<Self> {
        reader
    }

    /// The next record: (number, file, line, JSON or None, what is wrong or None).
    #[allow(
        clippy::type_complexity,
        reason = "a tuple that Python takes apart at once"
    )]
    fn __next__(
        &self,
        py: Python<'_>,
    ) -> PyResult<Option<(u64, String, u64, Option<String>, Option<String>)>> {
        loop {
            let stepped = py.detach(|| {
                let mut run = self.run.lock().unwrap_or_else(PoisonError::into_inner);
                run.as_mut().map_or(Ok(Step::End), Run::step)
            })?;
            match stepped {
                Step::End => return Ok(None),
                Step::Game(Done { origin, record }) => {
                    let (json, error) = match record {
                        Ok(json) => (Some(json), None),
                        Err(error) => (None, Some(error)),
                    };
                    return Ok(Some((origin.number, origin.file, origin.line, json, error)));
                }
                Step::Wait => check_signals(py)?,
            }
        }
    }

    /// Gives the rest of the games up.
    fn close(&self) {
        *self.run.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Adds the class to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("DEFAULT_HASH", DEFAULT_HASH_MB)?;
    module.add_class::<RecordReader>()
}
