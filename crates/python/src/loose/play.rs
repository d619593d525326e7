//! `push` and `pop` of `skewer.chess.Board`.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::board::PyBoard;
use crate::errors;

/// The methods of `skewer.chess.Board` that play a move and take it back. They are written in Rust because Python
/// needs more time for the call of a Python function than Rust needs for the move.
///
/// They change the attributes of the board, which are in its dictionary, together with the board in Rust. Positions
/// and moves that the board in Rust refuses are left to the methods `_push_any` and `_pop_any`.
#[pyclass(name = "Play", frozen, subclass, module = "skewer.chess")]
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
}
