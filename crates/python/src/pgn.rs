//! Reading PGN files: a stream of games, from any file or Python file object.

mod events;
mod recorder;
pub(crate) mod source;
mod stream;

use std::io;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use skewer_pgn::Reader;

use crate::errors::PgnError;
use crate::exclusive::Exclusive;
use crate::game::Game;
use crate::pool;
use crate::record::Record;
pub(crate) use events::pgn_events;
pub(crate) use recorder::{Records, Wanted};
pub(crate) use source::{open, open_named};
pub(crate) use stream::{Collect, Stream};

/// The exception of a failed read: the exception that a Python file object raised, or an `OSError`.
pub(crate) fn read_error(py: Python<'_>, error: io::Error) -> PyErr {
    match error.downcast::<PyErr>() {
        Ok(raised) => raised.clone_ref(py),
        Err(error) => pyo3::exceptions::PyOSError::new_err(format!("cannot read on: {error}")),
    }
}

/// The games of a file, one after the other: what read_pgn returns.
#[pyclass(frozen, module = "skewer")]
pub(crate) struct GameReader {
    games: Exclusive<Games>,
    strict: bool,
}

/// A stream of games, and the games of its last batch that were not returned.
struct Games {
    stream: Stream<Vec<Record>>,
    ready: std::vec::IntoIter<Record>,
}

impl Games {
    fn next(&mut self) -> io::Result<Option<Record>> {
        loop {
            if let Some(record) = self.ready.next() {
                return Ok(Some(record));
            }
            match self.stream.next()? {
                Some(batch) => self.ready = batch.into_iter(),
                None => return Ok(None),
            }
        }
    }

    fn skip(&mut self) -> io::Result<bool> {
        if self.ready.len() == 0
            && let Some(skipped) = self.stream.skip()?
        {
            return Ok(skipped);
        }
        Ok(self.next()?.is_some())
    }
}

#[pymethods]
impl GameReader {
    fn __iter__(reader: Py<Self>) -> Py<Self> {
        reader
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        let mut guard = self.games.lock(py)?;
        let games = &mut *guard;
        let read = py.detach(|| games.as_mut().map_or(Ok(None), Games::next));
        let Some(record) = read.map_err(|error| read_error(py, error))? else {
            return Ok(None);
        };
        if let Some(error) = record.errors.first().filter(|_| self.strict) {
            return Err(PgnError::new_err(format!(
                "game {} (line {}): {error}",
                record.number, record.line
            )));
        }
        Ok(Some(Game::new(record)))
    }

    /// Passes over the next game without parsing its moves. False at the end of the file.
    fn skip(&self, py: Python<'_>) -> PyResult<bool> {
        let mut guard = self.games.lock(py)?;
        let games = &mut *guard;
        py.detach(|| games.as_mut().map_or(Ok(false), Games::skip))
            .map_err(|error| read_error(py, error))
    }

    /// Closes the file.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        *self.games.lock(py)? = None;
        Ok(())
    }

    fn __enter__(reader: Py<Self>) -> Py<Self> {
        reader
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyAny>) -> PyResult<()> {
        self.close(py)
    }
}

/// Reads the games of a PGN file, one after the other, in constant memory.
///
/// `file` is a path or a file object. Files compressed by zstd, gzip or bzip2 are recognized by their contents. Every
/// move is checked. A game with an error keeps the moves before it, and `game.errors` says what is wrong; with
/// `strict=True` it raises PgnError. Variations are passed over. With `threads` above 1, or None for a thread on
/// every core, games are parsed before they are asked for. Their order is the same.
///
/// >>> import io, skewer
/// >>> file = io.StringIO('[White "Anderssen"]\n\n1. e4 e5 2. f4 *')
/// >>> for game in skewer.read_pgn(file):
/// ...     print(game.headers["White"], game.sans())
/// Anderssen ['e4', 'e5', 'f4']
#[pyfunction]
#[pyo3(signature = (file, *, strict=false, threads=Some(1)))]
#[pyo3(text_signature = "(file, *, strict=False, threads=1)")]
pub(crate) fn read_pgn(
    file: &Bound<'_, PyAny>,
    strict: bool,
    threads: Option<i64>,
) -> PyResult<GameReader> {
    let pool = pool::of(threads)?;
    let games = Games {
        stream: Stream::new(open(file)?, Wanted::default(), pool),
        ready: Vec::new().into_iter(),
    };
    Ok(GameReader {
        games: Exclusive::new("reader", games),
        strict,
    })
}

/// Parses one game from text. Raises PgnError if there is none, or if it has an error.
#[pyfunction]
pub(crate) fn parse_pgn(text: &str) -> PyResult<Game> {
    let source = Box::new(io::Cursor::new(text.as_bytes().to_vec()));
    let mut records = Records::new(source, &Wanted::default(), (0, 0));
    match records.next() {
        Ok(Some(record)) => match record.errors.first() {
            Some(error) => Err(PgnError::new_err(error.to_string())),
            None => Ok(Game::new(record)),
        },
        Ok(None) => Err(PgnError::new_err("the text has no game")),
        Err(error) => Err(PyValueError::new_err(error.to_string())),
    }
}

/// Counts the games of a file without parsing their moves.
#[pyfunction]
pub(crate) fn count_games(py: Python<'_>, file: &Bound<'_, PyAny>) -> PyResult<u64> {
    let source = open(file)?;
    py.detach(|| {
        let mut reader = Reader::new(source);
        let mut games = 0;
        while reader.skip_game()? {
            games += 1;
        }
        Ok(games)
    })
    .map_err(|error| read_error(py, error))
}
