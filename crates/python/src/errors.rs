//! Exceptions: subclasses of exceptions that Python programs already catch.

use std::time::Duration;

use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use skewer_movegen::{ParseMoveError, Square};

/// Exceptions of the module, each with its base and its docstring.
macro_rules! exceptions {
    ($($name:ident: $base:ty = $doc:literal,)*) => {
        $(pyo3::create_exception!(skewer, $name, $base, $doc);)*
    };
}

exceptions! {
    InvalidMoveError: PyValueError = "The text does not have the form of a move.",
    IllegalMoveError: PyValueError = "The move is not legal in the position.",
    AmbiguousMoveError: PyValueError = "More than one legal move fits the text.",
    PgnError: PyValueError = "A game of a PGN file cannot be read.",
    EngineError: PyRuntimeError = "The engine cannot be created, changed or used.",
}

/// The exception for a text that is no legal move; `kind` is its notation, "san" or "uci".
pub(crate) fn parse_move(error: ParseMoveError, kind: &str, text: &str, fen: &str) -> PyErr {
    let message = format!("{kind} {text:?} in {fen}: {error}");
    match error {
        ParseMoveError::Ambiguous(_) => AmbiguousMoveError::new_err(message),
        ParseMoveError::Illegal(_) | ParseMoveError::Null => IllegalMoveError::new_err(message),
        _ => InvalidMoveError::new_err(message),
    }
}

/// A `ValueError` with the text of any error.
pub(crate) fn value(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A number from 1 to `most`.
pub(crate) fn within(name: &str, number: i64, most: i64) -> PyResult<usize> {
    if (1..=most).contains(&number) {
        Ok(number as usize)
    } else {
        Err(value(format!("{name} {number} is not in 1..={most}")))
    }
}

/// A time in seconds.
pub(crate) fn seconds(name: &str, time: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(time)
        .map_err(|_| value(format!("{name} {time} is not a time in seconds")))
}

/// An integer argument that must be positive; `name` is the argument's.
pub(crate) fn positive(name: &str, number: i64) -> PyResult<usize> {
    let positive = usize::try_from(number).ok().filter(|&number| number > 0);
    positive.ok_or_else(|| PyValueError::new_err(format!("{name} {number} is not positive")))
}

/// A square from an integer argument.
pub(crate) fn square(index: i64) -> PyResult<Square> {
    u8::try_from(index)
        .ok()
        .and_then(Square::from_index)
        .ok_or_else(|| PyValueError::new_err(format!("square {index} is not in 0..=63")))
}

/// The exception of `pop` and `peek` on a board without moves.
pub(crate) fn empty_stack() -> PyErr {
    PyIndexError::new_err("no move to take back: the move stack is empty")
}

/// A failure of the engine.
pub(crate) fn engine(error: impl std::fmt::Display) -> PyErr {
    EngineError::new_err(error.to_string())
}

/// The `OSError`, or the subclass of it, for an error in reading `path`.
pub(crate) fn reading(path: &str, error: &std::io::Error) -> PyErr {
    let text = format!("cannot read {path}: {error}");
    match error.kind() {
        std::io::ErrorKind::NotFound => pyo3::exceptions::PyFileNotFoundError::new_err(text),
        std::io::ErrorKind::PermissionDenied => pyo3::exceptions::PyPermissionError::new_err(text),
        _ => pyo3::exceptions::PyOSError::new_err(text),
    }
}
