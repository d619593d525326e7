//! The methods of `skewer.chess.Board` that are called most: moves and pieces on squares.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use skewer_movegen::Square;

use crate::board::PyBoard;
use crate::errors;
use crate::loose::loose_piece;
use crate::pieces::{PyPiece, number};

/// The methods of `skewer.chess.Board` that play a move, take it back, and look at a square. They are written in Rust
/// because Python needs more time for the call of a Python function than Rust needs for the move.
///
/// A move changes the attributes of the board, which are in its dictionary, together with the board in Rust. What the
/// board in Rust refuses is left to the methods whose names end in `_any`.
///
/// Messages and pickles name a method together with its class. So this class has the name of the class of boards,
/// `Board`, and a Python module in which pickles find it.
#[pyclass(name = "Board", frozen, subclass, module = "skewer.chess._play")]
pub(crate) struct Play;

/// The dictionary of an object.
fn attributes<'py>(board: &Bound<'py, Play>) -> PyResult<Bound<'py, PyDict>> {
    let own = board.getattr(intern!(board.py(), "__dict__"))?;
    Ok(own.cast_into::<PyDict>()?)
}

/// An attribute that every board has.
pub(crate) fn attribute<'py>(
    own: &Bound<'py, PyDict>,
    name: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyAny>> {
    own.get_item(name)?
        .ok_or_else(|| errors::value("a board without its attributes"))
}

/// The piece on a square by the board in Rust. The outer `None` if there is no such board, or no such square; as in
/// every list, squares below 0 count from the end.
#[allow(
    clippy::option_option,
    reason = "no board in Rust is not an empty square"
)]
fn look(board: &Bound<'_, Play>, square: &Bound<'_, PyAny>) -> PyResult<Option<Option<PyPiece>>> {
    let core = board.getattr(intern!(board.py(), "_core"))?;
    let (Ok(core), Ok(square @ -64..64)) = (core.cast_exact::<PyBoard>(), square.extract::<i64>())
    else {
        return Ok(None);
    };
    let square = Square::ALL[(square & 63) as usize];
    Ok(Some(core.try_borrow()?.piece(square)))
}

#[pymethods]
impl Play {
    /// Plays a move without asking whether it is legal, and puts it on the stack.
    fn push(slf: &Bound<'_, Self>, r#move: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = slf.py();
        let own = attributes(slf)?;
        let core = match own.get_item(intern!(py, "_core"))? {
            Some(core) if !core.is_none() => core,
            _ => slf.call_method0(intern!(py, "_fast"))?,
        };
        if let Ok(core) = core.cast_exact::<PyBoard>() {
            let promotes = core.try_borrow_mut()?.push_shown(&own, r#move)?;
            if let Some(promotes) = promotes {
                if promotes || attribute(&own, intern!(py, "promoted"))?.is_truthy()? {
                    slf.call_method0(intern!(py, "_track"))?;
                }
                return Ok(());
            }
        }
        slf.call_method1(intern!(py, "_push_any"), (r#move,))?;
        Ok(())
    }

    /// Takes back the last move and returns it. Raises IndexError if there is none.
    fn pop<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let own = attributes(slf)?;
        if let Some(core) = own.get_item(intern!(py, "_core"))?
            && let Ok(core) = core.cast_exact::<PyBoard>()
            && !attribute(&own, intern!(py, "_promotions"))?.is_truthy()?
            && let Some(taken) = core.try_borrow_mut()?.take_back(&own)?
        {
            return Ok(taken);
        }
        slf.call_method0(intern!(py, "_pop_any"))
    }

    /// The piece on a square, or None.
    fn piece_at(slf: &Bound<'_, Self>, square: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = slf.py();
        match look(slf, square)? {
            Some(None) => Ok(py.None()),
            Some(Some(piece)) => Ok(loose_piece(py, piece)?.into_any()),
            None => Ok(slf
                .call_method1(intern!(py, "_piece_any"), (square,))?
                .unbind()),
        }
    }

    /// The type of the piece on a square, or None.
    fn piece_type_at(slf: &Bound<'_, Self>, square: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = slf.py();
        match look(slf, square)? {
            Some(None) => Ok(py.None()),
            Some(Some(piece)) => Ok(number(piece.kind).into_pyobject(py)?.into_any().unbind()),
            None => Ok(slf
                .call_method1(intern!(py, "_piece_type_any"), (square,))?
                .unbind()),
        }
    }
}
