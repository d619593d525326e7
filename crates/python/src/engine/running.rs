//! A running search: its messages, and its lines as Python objects.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use skewer_movegen::{Board, CastlingMode};
use skewer_pgn::EvalValue;
use skewer_search::{Limits, Position, Report};
use skewer_smp::{Event, SearchHandle};
use skewer_types::WinModel;

use crate::board::PyBoard;
use crate::moves::PyMove;
use crate::score::{pov, value};
use crate::signals::SIGNALS;

/// Messages of a search, from the engine's thread to Python's.
enum Message {
    Line(Box<Report>),
    Note(String),
}

/// A search that runs while Python waits for its lines. Dropping it stops the search.
pub(super) struct Running {
    pub(super) handle: SearchHandle,
    messages: Receiver<Message>,
    pub(super) root: Root,
    /// The latest line of each rank, best first.
    pub(super) lines: Vec<Report>,
    /// Messages of the engine other than lines.
    pub(super) notes: Vec<String>,
}

/// The position that is searched.
#[derive(Clone, Copy)]
pub(super) struct Root {
    pub(super) position: Board,
    pub(super) mode: CastlingMode,
    /// Converts scores to centipawns.
    model: WinModel,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.handle.stop();
    }
}

impl Running {
    pub(super) fn start(
        engine: &mut skewer_smp::Engine,
        board: &PyBoard,
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
    pub(super) fn next(&mut self, py: Python<'_>) -> PyResult<Option<Report>> {
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
            let received = match received {
                // A search sends all its messages before it is done.
                Err(RecvTimeoutError::Timeout) if self.handle.is_done() => {
                    let rest = self.messages.try_recv();
                    rest.map_err(|_| RecvTimeoutError::Disconnected)
                }
                received => received,
            };
            match received {
                Ok(Message::Line(line)) => {
                    self.keep(&line);
                    return Ok(Some(*line));
                }
                Ok(Message::Note(note)) => self.notes.push(note),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {
                    py.check_signals().inspect_err(|_| self.handle.stop())?;
                }
            }
        }
    }

    /// The best line so far, as a dictionary; empty before the first one.
    pub(super) fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        match self.lines.first() {
            Some(line) => self.root.info(py, line),
            None => Ok(PyDict::new(py)),
        }
    }

    /// Keeps a line as the latest of its rank.
    fn keep(&mut self, line: &Report) {
        let rank = line.multi_pv.max(1) - 1;
        if rank < self.lines.len() {
            // Keep an exact line rather than a bound.
            if line.bound == skewer_types::Bound::Exact
                || self.lines[rank].bound != skewer_types::Bound::Exact
            {
                self.lines[rank] = line.clone();
            }
        } else {
            self.lines.push(line.clone());
        }
    }
}

impl Root {
    /// A line as python-chess gives it: a dictionary.
    pub(super) fn info<'py>(&self, py: Python<'py>, line: &Report) -> PyResult<Bound<'py, PyDict>> {
        let info = PyDict::new(py);
        let seconds = line.time.as_secs_f64();
        info.set_item("depth", line.depth)?;
        info.set_item("seldepth", line.seldepth)?;
        info.set_item("multipv", line.multi_pv)?;
        let turn = self.position.turn();
        let curve = self.model.at(self.position.material());
        info.set_item("score", pov(py, value(line.score, curve), turn)?)?;
        match line.bound {
            skewer_types::Bound::Lower => info.set_item("lowerbound", true)?,
            skewer_types::Bound::Upper => info.set_item("upperbound", true)?,
            skewer_types::Bound::Exact => {}
        }
        info.set_item("nodes", line.nodes)?;
        info.set_item("nps", (line.nodes as f64 / seconds.max(1e-6)) as u64)?;
        info.set_item("time", seconds)?;
        info.set_item("hashfull", line.hashfull)?;
        info.set_item("tbhits", line.tb_hits)?;
        info.set_item("pv", PyMove::line(py, self.position, &line.pv, self.mode)?)?;
        Ok(info)
    }

    /// The information about a position without legal moves.
    pub(super) fn over<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let info = PyDict::new(py);
        let score = if self.position.in_check() {
            EvalValue::Mate(0)
        } else {
            EvalValue::Centipawns(0)
        };
        info.set_item("depth", 0)?;
        info.set_item("multipv", 1)?;
        info.set_item("score", pov(py, score, self.position.turn())?)?;
        info.set_item("nodes", 0)?;
        info.set_item("pv", PyList::empty(py))?;
        Ok(info)
    }
}

/// The position of a board with its earlier positions, for repetitions.
fn start(board: &PyBoard) -> Position {
    let mut start = None;
    for (before, mv) in board.inner_moves() {
        match mv {
            Some(mv) => start.get_or_insert_with(|| Position::new(*before)).play(mv),
            // A position from before a null move does not count as a repetition.
            None => start = None,
        }
    }
    start.unwrap_or_else(|| Position::new(*board.position()))
}

/// Raises the engine's notes as Python warnings.
pub(super) fn warn(py: Python<'_>, notes: &[String]) -> PyResult<()> {
    for note in notes {
        py.import("warnings")?.call_method1("warn", (note,))?;
    }
    Ok(())
}
