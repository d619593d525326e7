//! Analyses games in the same way as `skewer-analyse`: read in order, analysed on every core, returned in order.

use std::ffi::CString;

use pyo3::exceptions::{PyRuntimeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use skewer_analysis::analyst::Settings;
use skewer_analysis::error::AnalysisError;
use skewer_analysis::games::{Run, Step};
use skewer_analysis::json;
use skewer_analysis::params::DEFAULT_NODES;
use skewer_analysis::selection::Selection;
use skewer_eval::Evaluation;

use crate::errors::{self, seconds, value, within};
use crate::exclusive::Exclusive;
use crate::signals::SIGNALS;

/// The exception for an analysis that cannot go on.
fn failed(error: AnalysisError) -> PyErr {
    match error {
        AnalysisError::Open { path, error } | AnalysisError::Read { path, error } => {
            // The exception that a signal raised while a pipe was read.
            match error.downcast::<PyErr>() {
                Ok(raised) => raised,
                Err(error) => errors::reading(&path, &error),
            }
        }
        error => PyRuntimeError::new_err(error.to_string()),
    }
}

/// Records of games as JSON, one after the other; see `skewer.analyse_games`.
#[pyclass(frozen, module = "skewer")]
pub(crate) struct RecordReader {
    run: Exclusive<Run>,
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
        if nodes == Some(0) || depth.is_some_and(|depth| depth < 1) {
            return Err(PyValueError::new_err("nodes and depth must be at least 1"));
        }
        let time = time.map(|time| seconds("time", time)).transpose()?;
        let unlimited = depth.is_none() && time.is_none();
        let settings = Settings {
            nodes: nodes.or(unlimited.then_some(DEFAULT_NODES)),
            depth,
            time,
            multi_pv: within("multipv", multipv, 256)?,
            hash: within("hash", hash, 1 << 20)?,
            split: 0,
            evaluation: evaluation.parse::<Evaluation>().map_err(value)?,
            tablebases: syzygy.map(crate::engine::tables).transpose()?,
            ..Settings::default()
        };
        let threads = match threads {
            Some(threads) => within("threads", threads, 1024)?,
            None => crate::pool::cores(),
        };
        // Open the files before any work, so that a file that cannot be opened is an error at once. Pipes are opened
        // later, and only once.
        for path in &paths {
            if path != "-" {
                let opened = std::fs::metadata(path).and_then(|data| {
                    if data.is_file() {
                        std::fs::File::open(path).map(drop)
                    } else {
                        Ok(())
                    }
                });
                opened.map_err(|error| errors::reading(path, &error))?;
            }
        }
        // `start` counts from 0.
        let end = stop.map_or(u64::MAX, |stop| stop.saturating_add(1));
        let selection = Selection::range(start.saturating_add(1)..end);
        let run = py
            .detach(|| Run::start(paths, selection, &settings, threads, None))
            .map_err(value)?
            .with_source(crate::pgn::open_named);
        Ok(Self {
            run: Exclusive::new("analysis", run),
        })
    }

    fn __iter__(reader: Py<Self>) -> Py<Self> {
        reader
    }

    /// The next record: (number, file, line, JSON or None, error or None).
    #[allow(
        clippy::type_complexity,
        reason = "a tuple that Python takes apart at once"
    )]
    fn __next__(
        &self,
        py: Python<'_>,
    ) -> PyResult<Option<(u64, String, u64, Option<String>, Option<String>)>> {
        let mut guard = self.run.lock(py)?;
        let run = &mut *guard;
        loop {
            let stepped = py.detach(|| run.as_mut().map_or(Ok(Step::End), |run| run.step(SIGNALS)));
            // The notes are about variations that were cut and engines that were started again.
            let notes: Vec<String> = run.iter_mut().flat_map(Run::notes).collect();
            for note in notes {
                let note = CString::new(note.replace('\0', " ")).map_err(value)?;
                PyErr::warn(py, &py.get_type::<PyUserWarning>(), &note, 1)?;
            }
            let (origin, json, error) = match stepped.map_err(failed)? {
                Step::End => return Ok(None),
                Step::Pending => {
                    py.check_signals()?;
                    continue;
                }
                Step::Done(Ok(game)) => {
                    let json = py.detach(|| json::line(&game)).map_err(value)?;
                    (game.origin, Some(json), None)
                }
                Step::Done(Err(game)) => (game.origin, None, Some(game.error.to_string())),
            };
            return Ok(Some((origin.number, origin.file, origin.line, json, error)));
        }
    }

    /// Stops the analysis of the remaining games.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let run = self.run.lock(py)?.take();
        py.detach(|| drop(run));
        Ok(())
    }
}
