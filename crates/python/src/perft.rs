//! Counts of leaves.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use skewer_movegen::{Board, Move, perft_parallel};

use crate::board::PyBoard;
use crate::moves::PyMove;
use crate::pool;

/// Counts the leaves of the tree of legal moves.
fn perft(py: Python<'_>, position: Board, depth: u32) -> PyResult<u64> {
    Ok(divide(py, position, depth)?.map_or(1, |divided| divided.iter().map(|(_, n)| n).sum()))
}

/// The leaves after each legal move; `None` for depth 0.
fn divide(py: Python<'_>, position: Board, depth: u32) -> PyResult<Option<Vec<(Move, u64)>>> {
    let Some(rest) = depth.checked_sub(1) else {
        return Ok(None);
    };
    if rest < 5 {
        return pool::run(py, || perft_parallel(&position, depth)).map(Some);
    }
    // A move at a time, so that Ctrl-C is noticed.
    let mut divided = Vec::new();
    for mv in &position.legal_moves() {
        let child = position.play(mv);
        let leaves = pool::run(py, || perft_parallel(&child, rest))?;
        divided.push((mv, leaves.iter().map(|(_, n)| n).sum()));
        py.check_signals()?;
    }
    Ok(Some(divided))
}

#[pymethods]
impl PyBoard {
    /// Counts the leaves of the tree of legal moves, `depth` plies deep, on every core.
    #[pyo3(name = "perft")]
    fn count_leaves(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        perft(py, *self.position(), depth)
    }
}

/// Counts the leaves of the tree of legal moves, `depth` plies deep, on every core.
///
/// >>> import skewer
/// >>> skewer.perft(skewer.Board(), 4)
/// 197281
#[pyfunction]
#[pyo3(name = "perft")]
pub(crate) fn perft_of(py: Python<'_>, board: &Bound<'_, PyBoard>, depth: u32) -> PyResult<u64> {
    let position = *board.try_borrow()?.position();
    perft(py, position, depth)
}

/// Counts the leaves after each legal move: a dictionary from moves to counts.
#[pyfunction]
pub(crate) fn perft_divide<'py>(
    py: Python<'py>,
    board: &Bound<'py, PyBoard>,
    depth: u32,
) -> PyResult<Bound<'py, PyDict>> {
    let (position, mode) = {
        let board = board.try_borrow()?;
        (*board.position(), board.mode)
    };
    let dict = PyDict::new(py);
    for (mv, leaves) in divide(py, position, depth)?.unwrap_or_default() {
        dict.set_item(PyMove::of(&position, Some(mv), mode).object(py)?, leaves)?;
    }
    Ok(dict)
}
