//! Games analysed as `skewer-analyse` does it: read in order, analysed on every core, returned in
//! order.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use skewer_analysis::analyst::Settings;
use skewer_analysis::params::{DEFAULT_HASH_MB, DEFAULT_NODES};
use skewer_analysis::record::record;
use skewer_analysis::report::Origin;
use skewer_analysis::workers::Workers;
use skewer_pgn::{Games, PgnGame, ReadError};

use crate::errors::value;
use crate::pgn::{Source, open_path, read_error};

/// How often a waiting call looks for Ctrl-C.
const SIGNALS: Duration = Duration::from_millis(50);

/// An analysed game: its record as JSON, or why there is none.
struct Record {
    origin: Origin,
    json: Result<String, String>,
}

/// The state of the next record.
enum Step {
    Record(Record),
    /// It is not ready yet.
    Wait,
    /// There are no more records.
    End,
}

/// A run over the games of files.
struct Run {
    files: std::vec::IntoIter<String>,
    reading: Option<(String, Games<Source>)>,
    workers: Workers<Origin, (Origin, Box<PgnGame>), String>,
    /// The numbers of the games to analyse, from 1.
    range: Range<u64>,
    /// The number of the last game that was read.
    number: u64,
    /// Records that wait for an earlier one.
    ready: BTreeMap<u64, Record>,
    /// The number of the next game to give out.
    next: u64,
    ended: bool,
}

impl Run {
    /// Reads games until the workers have enough.
    fn feed(&mut self) -> PyResult<()> {
        while !self.ended && !self.workers.are_busy() {
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
                    let (origin, game) = (origin(placed.line), Box::new(placed.game));
                    self.workers
                        .submit(origin.clone(), (origin, game))
                        .map_err(failed)?;
                }
                Err(ReadError::Bad(bad)) if wanted => {
                    let record = Record {
                        origin: origin(bad.line),
                        json: Err(format!("line {}: {}", bad.bad_line, bad.reason)),
                    };
                    self.ready.insert(self.number + 1, record);
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

    /// The next record in order, if it is ready.
    fn step(&mut self) -> PyResult<Step> {
        self.feed()?;
        if let Some(record) = self.ready.remove(&self.next) {
            self.next += 1;
            return Ok(Step::Record(record));
        }
        if self.workers.pending() == 0 {
            return Ok(Step::End);
        }
        if let Some(done) = self.workers.wait_for(SIGNALS).map_err(failed)? {
            let (origin, json) = (done.key, done.result);
            self.ready.insert(origin.number, Record { origin, json });
        }
        Ok(Step::Wait)
    }
}

/// An error of the workers.
fn failed(error: impl std::fmt::Display) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
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
            return Err(PyValueError::new_err("nodes and depth must be at least 1"));
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
        // The first game to analyse; `start` counts from 0.
        let first = start.saturating_add(1);
        // Before any work: files that cannot be opened are an error at once.
        for path in &paths {
            open_path(path)?;
        }
        let work = |analyst: &mut _, (origin, game): (Origin, Box<PgnGame>)| {
            record(analyst, origin, *game).map_err(|error| format!("{error:#}"))
        };
        let workers = py
            .detach(|| Workers::start(threads, &settings, work))
            .map_err(|error| PyValueError::new_err(format!("{error:#}")))?;
        Ok(Self {
            run: Mutex::new(Some(Run {
                files: paths.into_iter(),
                reading: None,
                workers,
                range: first..stop.map_or(u64::MAX, |stop| stop.saturating_add(1)),
                number: 0,
                ready: BTreeMap::new(),
                next: first,
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
                Step::Record(Record { origin, json }) => {
                    let (json, error) = match json {
                        Ok(json) => (Some(json), None),
                        Err(error) => (None, Some(error)),
                    };
                    return Ok(Some((origin.number, origin.file, origin.line, json, error)));
                }
                Step::Wait => py.check_signals()?,
            }
        }
    }

    /// Stops the analysis of the remaining games.
    fn close(&self) {
        *self.run.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Adds the class to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("DEFAULT_HASH", DEFAULT_HASH_MB)?;
    module.add_class::<RecordReader>()
}
