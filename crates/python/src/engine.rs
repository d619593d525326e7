//! The engine in process: searches that release the GIL, and end on Ctrl-C.

mod analysis;
mod limits;
mod running;

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyList;
use skewer_eval::Evaluation;
use skewer_search::{Limits, Mode, TablebaseRules};
use skewer_smp::Options;
use skewer_syzygy::Tables;
use skewer_tt::TableSize;
use skewer_types::WinModel;

use crate::board::PyBoard;
use crate::errors::{EngineError, engine, positive, value};
use crate::exclusive::{Exclusive, Guard};
use crate::moves::PyMove;
pub(crate) use analysis::Analysis;
use limits::{LimitArgs, request};
use running::{Running, warn};

/// The Skewer engine, in this process.
///
/// `threads` search at once on a hash table of `hash` MiB. With one thread and a node limit, equal
/// searches on a new engine give equal results. `evaluation` is "default" (the built-in network),
/// "hce" (the hand-written terms) or the path of a network; `syzygy` is the path of endgame tables.
///
/// Searches release the GIL, so that other Python threads run, and end on Ctrl-C. One search runs
/// at a time; a second call waits, and `analysis` stops an analysis that is still open. A process that
/// is forked needs an engine of its own.
///
/// >>> import skewer
/// >>> engine = skewer.Engine(threads=1, hash=16)
/// >>> info = engine.analyse(skewer.Board(), nodes=20_000)
/// >>> info["pv"][0] in skewer.Board().legal_moves
/// True
/// >>> engine.play(skewer.Board("6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1"), depth=3).move
/// Move.from_uci('e1e8')
#[pyclass(name = "Engine", frozen, module = "skewer")]
pub(crate) struct PyEngine {
    engine: Exclusive<skewer_smp::Engine>,
    /// Converts the scores of the evaluation to centipawns.
    model: WinModel,
}

impl PyEngine {
    /// Starts a search. While the guard lives, other calls wait for the engine.
    fn start(
        &self,
        py: Python<'_>,
        board: &PyBoard,
        limits: Limits,
    ) -> PyResult<(Guard<'_, skewer_smp::Engine>, Running)> {
        let mut guard = self.engine.lock(py)?;
        let engine = open(&mut guard)?;
        let running = py.detach(|| Running::start(engine, board, limits, self.model));
        Ok((guard, running))
    }
}

/// The endgame tables of a list of folders, as in `SyzygyPath`.
pub(crate) fn tables(folders: &str) -> PyResult<Arc<Tables>> {
    Tables::open_checked(folders).map(Arc::new).map_err(value)
}

/// The value of a lock; an error if the value was taken, because the engine was closed.
fn open<T>(locked: &mut Option<T>) -> PyResult<&mut T> {
    locked
        .as_mut()
        .ok_or_else(|| EngineError::new_err("the engine was closed"))
}

#[pymethods]
impl PyEngine {
    #[new]
    #[pyo3(signature = (*, threads=1, hash=16, evaluation="default", syzygy=None))]
    fn new(
        py: Python<'_>,
        threads: i64,
        hash: i64,
        evaluation: &str,
        syzygy: Option<&str>,
    ) -> PyResult<Self> {
        let options = Options {
            threads: positive("threads", threads)?,
            hash: TableSize::from_megabytes(positive("hash", hash)?),
            ..Options::default()
        };
        let evaluation: Evaluation = evaluation.parse().map_err(value)?;
        let tablebases = syzygy.map(tables).transpose()?;
        let model = evaluation.win_model();
        let started = py.detach(|| skewer_smp::Engine::with_evaluation(options, evaluation));
        let mut started = started.map_err(engine)?;
        if tablebases.is_some() {
            started.set_tablebases(tablebases, TablebaseRules::default());
        }
        Ok(Self {
            engine: Exclusive::new("engine", started),
            model,
        })
    }

    /// Analyses a position until a limit is met: `nodes`, `depth` in plies, `time` in seconds, `mate` in moves, or a
    /// `limit`. The default limit is a million nodes.
    ///
    /// Returns the best line as a dictionary, with "score" (a PovScore), "pv" (a list of moves),
    /// "depth", "nodes" and more; with `multipv`, a list of the best lines. `callback` is called
    /// with every line while the search goes on; an exception that it raises ends the search.
    #[pyo3(signature = (
        board, limit=None, *, nodes=None, depth=None, time=None, mate=None, multipv=None,
        root_moves=None, callback=None
    ))]
    fn analyse<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'py, PyBoard>,
        limit: Option<&Bound<'py, PyAny>>,
        nodes: Option<u64>,
        depth: Option<i64>,
        time: Option<f64>,
        mate: Option<i64>,
        multipv: Option<i64>,
        root_moves: Option<&Bound<'py, PyAny>>,
        callback: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let own = LimitArgs::new(nodes, depth, time, mate);
        let request = request(board, limit, multipv, root_moves, own)?;
        let (_guard, mut running) = self.start(py, &request.board, request.limits)?;
        while let Some(line) = running.next(py)? {
            if let Some(callback) = callback {
                callback.call1((running.root.info(py, &line)?,))?;
            }
        }
        warn(py, &running.notes)?;
        let root = running.root;
        let infos: Vec<_> = if running.lines.is_empty() {
            vec![root.over(py)?]
        } else {
            let lines = running.lines.iter();
            lines
                .map(|line| root.info(py, line))
                .collect::<PyResult<_>>()?
        };
        if request.list {
            return Ok(PyList::new(py, infos)?.into_any());
        }
        let first = infos.into_iter().next();
        Ok(first.map_or_else(|| py.None().into_bound(py), Bound::into_any))
    }

    /// Starts an analysis that is iterated: each item is a line as a dictionary. Without a limit it
    /// runs until `stop()` or the end of a `with` block.
    ///
    /// >>> import skewer
    /// >>> with skewer.Engine().analysis(skewer.Board()) as analysis:
    /// ...     for info in analysis:
    /// ...         if info["depth"] >= 5:
    /// ...             break
    #[pyo3(signature = (
        board, limit=None, *, nodes=None, depth=None, time=None, mate=None, multipv=None,
        root_moves=None
    ))]
    fn analysis(
        engine: &Bound<'_, Self>,
        board: &Bound<'_, PyBoard>,
        limit: Option<&Bound<'_, PyAny>>,
        nodes: Option<u64>,
        depth: Option<i64>,
        time: Option<f64>,
        mate: Option<i64>,
        multipv: Option<i64>,
        root_moves: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Analysis> {
        let py = engine.py();
        let own = LimitArgs::new(nodes, depth, time, mate);
        let unlimited = limit.is_none() && own == LimitArgs::default();
        let mut request = request(board, limit, multipv, root_moves, own)?;
        if unlimited {
            request.limits.nodes = None;
            request.limits.mode = Mode::Infinite;
        }
        let (_guard, running) = engine.get().start(py, &request.board, request.limits)?;
        Ok(Analysis::new(running, engine.clone().unbind()))
    }

    /// Searches for a move to play. Returns a PlayResult with `move`, `ponder` and `info`.
    #[pyo3(signature = (
        board, limit=None, *, nodes=None, depth=None, time=None, mate=None, root_moves=None
    ))]
    fn play<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'py, PyBoard>,
        limit: Option<&Bound<'py, PyAny>>,
        nodes: Option<u64>,
        depth: Option<i64>,
        time: Option<f64>,
        mate: Option<i64>,
        root_moves: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let own = LimitArgs::new(nodes, depth, time, mate);
        let request = request(board, limit, None, root_moves, own)?;
        let (_guard, mut running) = self.start(py, &request.board, request.limits)?;
        while running.next(py)?.is_some() {}
        let outcome = py.detach(|| running.handle.wait());
        let root = running.root;
        let mv = outcome
            .best
            .map(|mv| PyMove::of(&root.position, Some(mv), root.mode));
        let ponder = outcome
            .best
            .zip(outcome.ponder)
            .map(|(best, reply)| PyMove::of(&root.position.play(best), Some(reply), root.mode));
        let object = |mv: Option<PyMove>| mv.map(|mv| mv.object(py)).transpose();
        let info = match running.lines.first() {
            Some(line) => root.info(py, line)?,
            None => root.over(py)?,
        };
        py.import("skewer._engine")?.getattr("PlayResult")?.call1((
            object(mv)?,
            object(ponder)?,
            info,
        ))
    }

    /// Clears the hash table and all histories, as for a new game.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        let mut guard = self.engine.lock(py)?;
        let engine = open(&mut guard)?;
        py.detach(|| engine.clear());
        Ok(())
    }

    /// The number of search threads.
    #[getter]
    fn threads(&self, py: Python<'_>) -> PyResult<usize> {
        let mut guard = self.engine.lock(py)?;
        Ok(open(&mut guard)?.threads())
    }

    /// Ends the engine's threads and frees its memory; also at the end of a `with` block.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let engine = self.engine.lock(py)?.take();
        py.detach(|| drop(engine));
        Ok(())
    }

    fn __enter__(engine: Py<Self>) -> Py<Self> {
        engine
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyAny>) -> PyResult<()> {
        self.close(py)
    }

    fn __repr__(&self) -> String {
        let Some(engine) = self.engine.peek() else {
            return "<Engine (searching)>".to_owned();
        };
        engine.as_ref().map_or_else(
            || "<Engine (closed)>".to_owned(),
            |engine| format!("<Engine threads={}>", engine.threads()),
        )
    }
}
