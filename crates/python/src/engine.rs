//! The engine in process: searches that leave the interpreter free, and hear Ctrl-C.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use skewer_movegen::{Board as Position, CastlingMode, Color};
use skewer_smp::syzygy::Tables;
use skewer_smp::{
    Evaluation, Event, Limits, Mode, Options, Position as Start, Report, SearchHandle, TableSize,
    TablebaseRules,
};
use skewer_types::{Bound as Exactness, WinModel};

use crate::board::Board;
use crate::errors::{EngineError, check_signals, engine, value};
use crate::moves::Move;
use crate::score::Value;

/// How often a waiting call looks for Ctrl-C.
const SIGNALS: Duration = Duration::from_millis(20);

/// Nodes of a search without any limit.
const DEFAULT_NODES: u64 = 1_000_000;

/// The Skewer engine, in this process.
///
/// `threads` search at once on a hash table of `hash` MiB. With one thread and a node limit, equal
/// searches on a new engine give equal results. `evaluation` is "default" (the built-in network),
/// "hce" (the hand-written terms) or the path of a network; `syzygy` is the path of endgame tables.
///
/// Searches release the GIL, so that other Python threads run, and end on Ctrl-C. One search runs
/// at a time; a second call waits, and `analysis` stops an analysis that is still open.
///
/// >>> import skewer
/// >>> engine = skewer.Engine(threads=1, hash=16)
/// >>> info = engine.analyse(skewer.Board(), nodes=20_000)
/// >>> info["pv"][0] in skewer.Board().legal_moves
/// True
/// >>> engine.play(skewer.Board("6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1"), depth=3).move
/// Move.from_uci('e1e8')
#[pyclass(frozen, module = "skewer")]
struct Engine {
    engine: Mutex<Option<skewer_smp::Engine>>,
    /// What turns the scores of the evaluation into centipawns.
    model: WinModel,
}

/// Messages of a search, from the engine's thread to Python's.
enum Message {
    Line(Box<Report>),
    Note(String),
}

/// A search that runs, as Python waits for it.
struct Running {
    handle: SearchHandle,
    messages: Receiver<Message>,
    root: Root,
    /// The latest line of each rank, from the first.
    lines: Vec<Report>,
    /// What the engine has said besides lines.
    notes: Vec<String>,
}

/// The position that is searched.
#[derive(Clone, Copy)]
struct Root {
    position: Position,
    mode: CastlingMode,
    /// What turns scores into centipawns.
    model: WinModel,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.handle.stop();
    }
}

impl Running {
    fn start(
        engine: &mut skewer_smp::Engine,
        board: &Board,
        limits: Limits,
        model: WinModel,
    ) -> Self {
        let (sender, messages): (Sender<Message>, _) = channel();
        let handle = engine.search(start(board), limits, move |event| {
            // The receiver is gone if the search was abandoned.
            let _ = match event {
                Event::Line(line) => sender.send(Message::Line(Box::new(line.clone()))),
                Event::Note(note) => sender.send(Message::Note(note.to_owned())),
                _ => Ok(()),
            };
        });
        Self {
            handle,
            messages,
            root: Root {
                position: *board.position(),
                mode: board.mode,
                model,
            },
            lines: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The next line; `None` when the search has ended.
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<Report>> {
        loop {
            let received = {
                let messages = Mutex::new(&mut self.messages);
                py.detach(|| {
                    let messages = messages
                        .into_inner()
                        .unwrap_or_else(PoisonError::into_inner);
                    messages.recv_timeout(SIGNALS)
                })
            };
            match received {
                Ok(Message::Line(line)) => {
                    self.keep(&line);
                    return Ok(Some(*line));
                }
                Ok(Message::Note(note)) => self.notes.push(note),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {
                    if self.handle.is_done() {
                        // The answer was given after the last line; what was sent is here.
                        return Ok(match self.messages.try_recv() {
                            Ok(Message::Line(line)) => {
                                self.keep(&line);
                                Some(*line)
                            }
                            _ => None,
                        });
                    }
                    check_signals(py).inspect_err(|_| self.handle.stop())?;
                }
            }
        }
    }

    /// Keeps a line as the latest of its rank.
    fn keep(&mut self, line: &Report) {
        let rank = line.multi_pv.max(1) - 1;
        if rank < self.lines.len() {
            // A line that left its window is no result, unless there is none.
            if line.bound == Exactness::Exact || self.lines[rank].bound != Exactness::Exact {
                self.lines[rank] = line.clone();
            }
        } else {
            self.lines.push(line.clone());
        }
    }
}

impl Root {
    /// A line as python-chess gives it: a dictionary.
    fn info<'py>(&self, py: Python<'py>, line: &Report) -> PyResult<Bound<'py, PyDict>> {
        let info = PyDict::new(py);
        let seconds = line.time.as_secs_f64();
        info.set_item("depth", line.depth)?;
        info.set_item("seldepth", line.seldepth)?;
        info.set_item("multipv", line.multi_pv)?;
        let turn = self.position.turn();
        info.set_item("score", Value::new(line.score, self.model).pov(py, turn)?)?;
        match line.bound {
            Exactness::Lower => info.set_item("lowerbound", true)?,
            Exactness::Upper => info.set_item("upperbound", true)?,
            Exactness::Exact => {}
        }
        info.set_item("nodes", line.nodes)?;
        info.set_item("nps", (line.nodes as f64 / seconds.max(1e-6)) as u64)?;
        info.set_item("time", seconds)?;
        info.set_item("hashfull", line.hashfull)?;
        info.set_item("tbhits", line.tb_hits)?;
        info.set_item("pv", self.moves(py, &line.pv)?)?;
        Ok(info)
    }

    /// A line as Move objects.
    fn moves<'py>(
        &self,
        py: Python<'py>,
        line: &[skewer_movegen::Move],
    ) -> PyResult<Bound<'py, PyList>> {
        let mut board = self.position;
        let moves: Vec<Move> = line
            .iter()
            .map(|&mv| {
                let python = Move::of(&board, Some(mv), self.mode);
                board = board.play(mv);
                python
            })
            .collect();
        Move::list(py, moves)
    }

    /// The information about a position without legal moves.
    fn over<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let info = PyDict::new(py);
        let score = if self.position.in_check() {
            Value::Mate(0)
        } else {
            Value::Centipawns(0)
        };
        info.set_item("depth", 0)?;
        info.set_item("multipv", 1)?;
        info.set_item("score", score.pov(py, self.position.turn())?)?;
        info.set_item("nodes", 0)?;
        info.set_item("pv", PyList::empty(py))?;
        Ok(info)
    }
}

/// The position of a board with the past that repetitions need.
fn start(board: &Board) -> Start {
    let mut start = None;
    for (before, mv) in board.inner_moves() {
        match mv {
            Some(mv) => start.get_or_insert_with(|| Start::new(*before)).play(mv),
            // Nothing repeats across a null move.
            None => start = None,
        }
    }
    start.unwrap_or_else(|| Start::new(*board.position()))
}

/// The keyword arguments of a search, and those of a `skewer.Limit`.
#[derive(FromPyObject, Default)]
struct LimitArgs {
    nodes: Option<u64>,
    depth: Option<i64>,
    time: Option<f64>,
    mate: Option<u32>,
    white_clock: Option<f64>,
    black_clock: Option<f64>,
    white_inc: Option<f64>,
    black_inc: Option<f64>,
    remaining_moves: Option<u32>,
}

/// The endgame tables of folders, separated as in the search path of programs.
pub(crate) fn tables(folders: &str) -> PyResult<Arc<Tables>> {
    Tables::open_list(folders).map(Arc::new).map_err(value)
}

/// A time in seconds.
fn seconds(name: &str, time: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(time)
        .map_err(|_| PyValueError::new_err(format!("{name} {time} is not a time in seconds")))
}

impl LimitArgs {
    /// The limits of a search for the side to move.
    fn limits(&self, turn: Color) -> PyResult<Limits> {
        let positive = |name: &str, value: i64| {
            if value > 0 {
                Ok(value)
            } else {
                Err(PyValueError::new_err(format!(
                    "{name} {value} is not positive"
                )))
            }
        };
        let depth = self
            .depth
            .map(|depth| positive("depth", depth))
            .transpose()?;
        let nodes = self.nodes.map(|nodes| {
            positive("nodes", i64::try_from(nodes).unwrap_or(i64::MAX)).map(|_| nodes)
        });
        let remaining = turn.fold(self.white_clock, self.black_clock);
        let increment = turn.fold(self.white_inc, self.black_inc).unwrap_or(0.0);
        let clock = remaining
            .map(|remaining| -> PyResult<_> {
                Ok(skewer_smp::Clock {
                    remaining: seconds("clock", remaining)?,
                    increment: seconds("increment", increment)?,
                    moves_to_go: self.remaining_moves.and_then(std::num::NonZeroU32::new),
                })
            })
            .transpose()?;
        let move_time = self.time.map(|time| seconds("time", time)).transpose()?;
        let mut limits = Limits {
            depth: depth.map(|depth| depth.min(246) as _),
            nodes: nodes.transpose()?,
            move_time,
            clock,
            mate: self.mate,
            ..Limits::default()
        };
        let none = Limits::default();
        if limits == none {
            limits.nodes = Some(DEFAULT_NODES);
        }
        Ok(limits)
    }
}

/// Puts the arguments of a search together.
struct Request {
    limits: Limits,
    /// Whether the caller asked for a list of lines.
    list: bool,
}

fn request(
    board: &Board,
    limit: Option<&Bound<'_, PyAny>>,
    multipv: Option<i64>,
    root_moves: Option<&Bound<'_, PyAny>>,
    own: LimitArgs,
) -> PyResult<Request> {
    let from_limit: Option<LimitArgs> = limit
        .map(|limit| {
            limit.extract().map_err(|_| {
                PyTypeError::new_err("limit is a skewer.Limit; or give nodes=, depth= or time=")
            })
        })
        .transpose()?;
    let base = from_limit.unwrap_or_default();
    let merged = LimitArgs {
        nodes: own.nodes.or(base.nodes),
        depth: own.depth.or(base.depth),
        time: own.time.or(base.time),
        mate: own.mate.or(base.mate),
        ..base
    };
    let position = board.position();
    let mut limits = merged.limits(position.turn())?;
    limits.multi_pv = match multipv {
        None => 1,
        Some(lines @ 1..=256) => lines as usize,
        Some(lines) => {
            return Err(PyValueError::new_err(format!(
                "multipv {lines} is not in 1..=256"
            )));
        }
    };
    if let Some(moves) = root_moves {
        for item in moves.try_iter()? {
            let mv = item?.cast::<Move>()?.get().legal_on(position)?;
            limits.search_moves.push(mv);
        }
    }
    if root_moves.is_some() && limits.search_moves.is_empty() {
        return Err(PyValueError::new_err("root_moves has no move"));
    }
    Ok(Request {
        limits,
        list: multipv.is_some(),
    })
}

impl Engine {
    /// The engine, when no other call uses it.
    fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Option<skewer_smp::Engine>>> {
        loop {
            match self.engine.try_lock() {
                Ok(guard) => return Ok(guard),
                Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => {}
            }
            py.detach(|| std::thread::sleep(Duration::from_millis(2)));
            check_signals(py)?;
        }
    }
}

/// The engine behind a lock that is held.
fn open<'a>(
    guard: &'a mut MutexGuard<'_, Option<skewer_smp::Engine>>,
) -> PyResult<&'a mut skewer_smp::Engine> {
    guard
        .as_mut()
        .ok_or_else(|| EngineError::new_err("the engine was closed"))
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (*, threads=1, hash=16, evaluation="default", syzygy=None))]
    fn new(
        py: Python<'_>,
        threads: i64,
        hash: i64,
        evaluation: &str,
        syzygy: Option<&str>,
    ) -> PyResult<Self> {
        let positive = |name: &str, number: i64| {
            usize::try_from(number)
                .ok()
                .filter(|&number| number > 0)
                .ok_or_else(|| PyValueError::new_err(format!("{name} {number} is not positive")))
        };
        let options = Options {
            threads: positive("threads", threads)?,
            hash: TableSize::from_megabytes(positive("hash", hash)?),
            ..Options::default()
        };
        let evaluation: Evaluation = evaluation.parse().map_err(value)?;
        let found = syzygy.map(tables).transpose()?;
        let model = evaluation.win_model();
        let made = py.detach(|| skewer_smp::Engine::with_evaluation(options, evaluation));
        let mut made = made.map_err(engine)?;
        if found.is_some() {
            made.set_tablebases(found, TablebaseRules::default());
        }
        Ok(Self {
            engine: Mutex::new(Some(made)),
            model,
        })
    }

    /// Analyses a position until a limit is met: `nodes`, `depth` in plies, `time` in seconds,
    /// `mate` in moves, or a `limit`; a million nodes unless there is one.
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
        board: &Bound<'py, Board>,
        limit: Option<&Bound<'py, PyAny>>,
        nodes: Option<u64>,
        depth: Option<i64>,
        time: Option<f64>,
        mate: Option<u32>,
        multipv: Option<i64>,
        root_moves: Option<&Bound<'py, PyAny>>,
        callback: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let own = LimitArgs {
            nodes,
            depth,
            time,
            mate,
            ..LimitArgs::default()
        };
        let copy = board.borrow().clone();
        let request = request(&copy, limit, multipv, root_moves, own)?;
        let mut guard = self.lock(py)?;
        let engine = open(&mut guard)?;
        let mut running = py.detach(|| Running::start(engine, &copy, request.limits, self.model));
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

    /// Starts an analysis, to be iterated: each step is a line as a dictionary. Without a limit it
    /// goes on until `stop()`, or the end of a `with` block.
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
        board: &Bound<'_, Board>,
        limit: Option<&Bound<'_, PyAny>>,
        nodes: Option<u64>,
        depth: Option<i64>,
        time: Option<f64>,
        mate: Option<u32>,
        multipv: Option<i64>,
        root_moves: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Analysis> {
        let py = engine.py();
        let unlimited = limit.is_none()
            && nodes.is_none()
            && depth.is_none()
            && time.is_none()
            && mate.is_none();
        let own = LimitArgs {
            nodes,
            depth,
            time,
            mate,
            ..LimitArgs::default()
        };
        let copy = board.borrow().clone();
        let mut request = request(&copy, limit, multipv, root_moves, own)?;
        if unlimited {
            request.limits.nodes = None;
            request.limits.mode = Mode::Infinite;
        }
        let mut guard = engine.get().lock(py)?;
        let inner = open(&mut guard)?;
        let model = engine.get().model;
        let running = py.detach(|| Running::start(inner, &copy, request.limits, model));
        Ok(Analysis {
            handle: running.handle.clone(),
            running: Mutex::new(running),
            engine: engine.clone().unbind(),
        })
    }

    /// Searches for a move to play. Returns a PlayResult with `move`, `ponder` and `info`.
    #[pyo3(signature = (
        board, limit=None, *, nodes=None, depth=None, time=None, mate=None, root_moves=None
    ))]
    fn play<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'py, Board>,
        limit: Option<&Bound<'py, PyAny>>,
        nodes: Option<u64>,
        depth: Option<i64>,
        time: Option<f64>,
        mate: Option<u32>,
        root_moves: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let own = LimitArgs {
            nodes,
            depth,
            time,
            mate,
            ..LimitArgs::default()
        };
        let copy = board.borrow().clone();
        let request = request(&copy, limit, None, root_moves, own)?;
        let mut guard = self.lock(py)?;
        let engine = open(&mut guard)?;
        let mut running = py.detach(|| Running::start(engine, &copy, request.limits, self.model));
        while running.next(py)?.is_some() {}
        let outcome = py.detach(|| running.handle.wait());
        let root = running.root;
        let mv = outcome
            .best
            .map(|mv| Move::of(&root.position, Some(mv), root.mode));
        let ponder = outcome
            .best
            .zip(outcome.ponder)
            .map(|(best, reply)| Move::of(&root.position.play(best), Some(reply), root.mode));
        let object = |mv: Option<Move>| mv.map(|mv| mv.object(py)).transpose();
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

    /// Forgets everything, as for a new game.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        let mut guard = self.lock(py)?;
        let engine = open(&mut guard)?;
        py.detach(|| engine.clear());
        Ok(())
    }

    /// The number of search threads.
    #[getter]
    fn threads(&self, py: Python<'_>) -> PyResult<usize> {
        let mut guard = self.lock(py)?;
        Ok(open(&mut guard)?.threads())
    }

    /// Ends the engine's threads and frees its memory; also at the end of a `with` block.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let engine = self.lock(py)?.take();
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
        let Ok(engine) = self.engine.try_lock() else {
            return "<Engine (searching)>".to_owned();
        };
        engine.as_ref().map_or_else(
            || "<Engine (closed)>".to_owned(),
            |engine| format!("<Engine threads={}>", engine.threads()),
        )
    }
}

/// Passes on what the engine said besides its lines, as Python warnings.
fn warn(py: Python<'_>, notes: &[String]) -> PyResult<()> {
    for note in notes {
        py.import("warnings")?.call_method1("warn", (note,))?;
    }
    Ok(())
}

/// A running analysis: iterate it for its lines.
#[pyclass(frozen, module = "skewer")]
struct Analysis {
    handle: SearchHandle,
    running: Mutex<Running>,
    /// Keeps the engine alive.
    #[allow(dead_code, reason = "held, not used")]
    engine: Py<Engine>,
}

impl Analysis {
    /// What is known of the search, when no other thread waits for its next line.
    fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Running>> {
        loop {
            match self.running.try_lock() {
                Ok(guard) => return Ok(guard),
                Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => {}
            }
            py.detach(|| std::thread::sleep(Duration::from_millis(2)));
            check_signals(py)?;
        }
    }
}

#[pymethods]
impl Analysis {
    fn __iter__(analysis: Py<Self>) -> Py<Self> {
        analysis
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let mut running = self.lock(py)?;
        let root = running.root;
        running
            .next(py)?
            .map(|line| root.info(py, &line))
            .transpose()
    }

    /// Ends the search. Lines that were found before can still be iterated.
    fn stop(&self) {
        self.handle.stop();
    }

    /// Waits for the end of the search. Returns the best line.
    fn wait<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut running = self.lock(py)?;
        while running.next(py)?.is_some() {}
        drop(running);
        self.info(py)
    }

    /// The best line so far, as a dictionary; empty before the first one.
    #[getter]
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let running = self.lock(py)?;
        match running.lines.first() {
            Some(line) => running.root.info(py, line),
            None => Ok(PyDict::new(py)),
        }
    }

    /// The best lines so far, as a list of dictionaries.
    #[getter]
    fn multipv<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let running = self.lock(py)?;
        let lines = running.lines.iter();
        lines.map(|line| running.root.info(py, line)).collect()
    }

    fn __enter__(analysis: Py<Self>) -> Py<Self> {
        analysis
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyAny>) {
        self.stop();
    }
}

/// Adds the classes to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Engine>()?;
    module.add_class::<Analysis>()
}
