//! Analyses that Python iterates.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use skewer_smp::SearchHandle;

use super::running::Running;
use super::{PyEngine, open};
use crate::exclusive::Exclusive;

/// A running analysis: iterate it for its lines.
#[pyclass(frozen, module = "skewer")]
pub(crate) struct Analysis {
    handle: SearchHandle,
    running: Exclusive<Running>,
    /// Keeps the engine alive.
    #[allow(dead_code, reason = "held, not used")]
    engine: Py<PyEngine>,
}

impl Analysis {
    /// An analysis of a search that was started.
    pub(super) fn new(running: Running, engine: Py<PyEngine>) -> Self {
        Self {
            handle: running.handle.clone(),
            running: Exclusive::new("analysis", running),
            engine,
        }
    }
}

#[pymethods]
impl Analysis {
    fn __iter__(analysis: Py<Self>) -> Py<Self> {
        analysis
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let mut guard = self.running.lock(py)?;
        let running = open(&mut guard)?;
        let root = running.root;
        running
            .next(py)?
            .map(|line| root.info(py, &line))
            .transpose()
    }

    /// Ends the search. Lines that were found before can still be iterated.
    fn stop(&self) -> PyResult<()> {
        self.running.check()?;
        self.handle.stop();
        Ok(())
    }

    /// Waits for the end of the search. Returns the best line.
    fn wait<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut guard = self.running.lock(py)?;
        let running = open(&mut guard)?;
        while running.next(py)?.is_some() {}
        running.info(py)
    }

    /// The best line so far, as a dictionary; empty before the first one.
    #[getter]
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut guard = self.running.lock(py)?;
        open(&mut guard)?.info(py)
    }

    /// The best lines so far, as a list of dictionaries.
    #[getter]
    fn multipv<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let mut guard = self.running.lock(py)?;
        let running = open(&mut guard)?;
        let lines = running.lines.iter();
        lines.map(|line| running.root.info(py, line)).collect()
    }

    fn __enter__(analysis: Py<Self>) -> Py<Self> {
        analysis
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyAny>) -> PyResult<()> {
        self.stop()
    }
}
