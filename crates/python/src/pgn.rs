//! Reading PGN files: a stream of games, from any file or Python file object.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use skewer_analysis::error::AnalysisError;
use skewer_analysis::input;
use skewer_pgn::{Comment, Nag, Outcome, Reader, Replay, San, TagValue, Variation, Visitor};

use crate::errors::{self, PgnError};
use crate::game::{Game, Record, Remark};
use crate::moves::PyMove;

/// A source of PGN text.
pub(crate) type Source = Box<dyn Read + Send>;

/// Opens a path, or takes a Python object with a `read` method. Compressed files are recognised by
/// their contents.
pub(crate) fn open(file: &Bound<'_, PyAny>) -> PyResult<Source> {
    if file.hasattr("read")? {
        return Ok(Box::new(FileObject {
            object: file.clone().unbind(),
            rest: Vec::new(),
        }));
    }
    let path: PathBuf = file
        .extract()
        .map_err(|_| PyTypeError::new_err("expected a path or a file object with a read method"))?;
    open_path(&path.to_string_lossy())
}

/// Opens a path.
pub(crate) fn open_path(path: &str) -> PyResult<Source> {
    input::open(path).map_err(|error| match error {
        AnalysisError::Open { error, .. } | AnalysisError::Read { error, .. } => {
            errors::reading(path, &error)
        }
        error => errors::value(error),
    })
}

/// A Python file object, in text or binary mode, as a source of bytes.
struct FileObject {
    object: Py<PyAny>,
    /// What was read and not yet asked for.
    rest: Vec<u8>,
}

impl FileObject {
    fn fetch(&mut self, py: Python<'_>) -> PyResult<()> {
        let read = self.object.bind(py).call_method1("read", (1 << 16,))?;
        if let Ok(text) = read.cast::<PyString>() {
            self.rest.extend_from_slice(text.to_cow()?.as_bytes());
        } else {
            self.rest
                .extend_from_slice(read.cast::<PyBytes>()?.as_bytes());
        }
        Ok(())
    }
}

impl Read for FileObject {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            Python::attach(|py| self.fetch(py)).map_err(io::Error::other)?;
        }
        let length = self.rest.len().min(out.len());
        out[..length].copy_from_slice(&self.rest[..length]);
        self.rest.drain(..length);
        Ok(length)
    }
}

/// How much of a game is recorded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Everything about the main line.
    Full,
    /// Its moves, the result, and comments with evaluations.
    Positions,
}

/// Records the main line of a game.
struct Recorder {
    replay: Replay,
    record: Record,
    detail: Detail,
}

impl Recorder {
    fn fail(&mut self, reason: String) -> ControlFlow<Record> {
        self.record.errors.push(reason);
        ControlFlow::Break(std::mem::take(&mut self.record))
    }
}

impl Visitor for Recorder {
    type Output = Record;

    fn begin_game(&mut self) -> ControlFlow<Record> {
        self.replay.reset();
        self.record = Record::default();
        ControlFlow::Continue(())
    }

    fn tag(&mut self, name: &[u8], value: TagValue<'_>) -> ControlFlow<Record> {
        self.replay.tag(name, value);
        if self.detail == Detail::Positions && name != b"Result" {
            return ControlFlow::Continue(());
        }
        let name = String::from_utf8_lossy(name).into_owned();
        let value = value.decode().into_owned();
        match self.record.tags.iter_mut().find(|(tag, _)| *tag == name) {
            Some((_, old)) => *old = value,
            None => self.record.tags.push((name, value)),
        }
        ControlFlow::Continue(())
    }

    fn end_tags(&mut self) -> ControlFlow<Record> {
        let result = self.record.tags.iter().find(|(name, _)| name == "Result");
        self.record.outcome = result.and_then(|(_, text)| text.parse().ok());
        if let Err(error) = self.replay.start() {
            return self.fail(error.to_string());
        }
        self.record.start = *self.replay.board();
        self.record.mode = self.replay.mode();
        ControlFlow::Continue(())
    }

    fn san(&mut self, san: San<'_>) -> ControlFlow<Record> {
        match self.replay.play(san) {
            Ok(mv) => {
                let before = self.replay.board_before();
                let python = PyMove::of(before, mv, self.record.mode);
                self.record.moves.push(mv);
                self.record.python_moves.push(python);
                ControlFlow::Continue(())
            }
            Err(error) => {
                let board = self.replay.board();
                let dots = board.turn().fold(".", "...");
                let number = board.fullmove_number();
                self.fail(format!("move {number}{dots} {san} is {error}"))
            }
        }
    }

    fn nag(&mut self, nag: Nag) -> ControlFlow<Record> {
        let ply = self.record.moves.len() as u32;
        self.record.remarks.push((ply, Remark::Nag(nag)));
        ControlFlow::Continue(())
    }

    fn comment(&mut self, comment: Comment<'_>) -> ControlFlow<Record> {
        if self.detail == Detail::Positions && !contains_eval(comment.as_bytes()) {
            return ControlFlow::Continue(());
        }
        let ply = self.record.moves.len() as u32;
        let start = self.record.comments.len() as u32;
        self.record.comments.push_str(&comment.decode());
        let end = self.record.comments.len() as u32;
        self.record.remarks.push((ply, Remark::Comment(start, end)));
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self) -> ControlFlow<Record, Variation> {
        ControlFlow::Continue(Variation::Skip)
    }

    fn outcome(&mut self, outcome: Option<Outcome>) -> ControlFlow<Record> {
        self.record.outcome = outcome;
        ControlFlow::Continue(())
    }

    fn problem(&mut self, problem: skewer_pgn::PgnError) -> ControlFlow<Record> {
        self.record.errors.push(problem.to_string());
        ControlFlow::Continue(())
    }

    fn end_game(&mut self) -> Record {
        std::mem::take(&mut self.record)
    }
}

/// Whether a comment has the command of an evaluation.
fn contains_eval(comment: &[u8]) -> bool {
    comment.windows(5).any(|part| part == b"%eval")
}

/// Reads records one after the other.
pub(crate) struct Records {
    reader: Reader<Source>,
    recorder: Recorder,
}

impl Records {
    pub(crate) fn new(source: Source, detail: Detail) -> Self {
        Self {
            reader: Reader::new(source),
            recorder: Recorder {
                replay: Replay::default(),
                record: Record::default(),
                detail,
            },
        }
    }

    pub(crate) fn next(&mut self) -> io::Result<Option<Record>> {
        let visited = self.reader.read_game(&mut self.recorder)?;
        Ok(visited.map(|visited| Record {
            number: visited.number,
            line: visited.line,
            ..visited.output
        }))
    }

    pub(crate) fn skip(&mut self) -> io::Result<bool> {
        self.reader.skip_game()
    }
}

/// The exception of a failed read: the one that a Python file object raised, or an `OSError`.
pub(crate) fn read_error(py: Python<'_>, error: io::Error) -> PyErr {
    match error.downcast::<PyErr>() {
        Ok(raised) => raised.clone_ref(py),
        Err(error) => pyo3::exceptions::PyOSError::new_err(format!("cannot read on: {error}")),
    }
}

/// The games of a file, one after the other: what read_pgn returns.
#[pyclass(frozen, module = "skewer")]
pub(crate) struct GameReader {
    records: Mutex<Option<Records>>,
    strict: bool,
}

#[pymethods]
impl GameReader {
    fn __iter__(reader: Py<Self>) -> Py<Self> {
        reader
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        let read = py.detach(|| {
            let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
            records.as_mut().map_or(Ok(None), Records::next)
        });
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
        py.detach(|| {
            let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
            records.as_mut().map_or(Ok(false), Records::skip)
        })
        .map_err(|error| read_error(py, error))
    }

    /// Closes the file.
    fn close(&self) {
        *self.records.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn __enter__(reader: Py<Self>) -> Py<Self> {
        reader
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyAny>) {
        self.close();
    }
}

/// Reads the games of a PGN file, one after the other, in constant memory.
///
/// `file` is a path or a file object. Files compressed by zstd, gzip or bzip2 are recognised by
/// their contents. Every move is checked. A game with an error keeps the moves before it, and
/// `game.errors` says what is wrong; with `strict=True` it raises PgnError. Variations are passed over.
///
/// >>> import io, skewer
/// >>> file = io.StringIO('[White "Anderssen"]\n\n1. e4 e5 2. f4 *')
/// >>> for game in skewer.read_pgn(file):
/// ...     print(game.headers["White"], game.sans())
/// Anderssen ['e4', 'e5', 'f4']
#[pyfunction]
#[pyo3(signature = (file, *, strict=false))]
pub(crate) fn read_pgn(file: &Bound<'_, PyAny>, strict: bool) -> PyResult<GameReader> {
    Ok(GameReader {
        records: Mutex::new(Some(Records::new(open(file)?, Detail::Full))),
        strict,
    })
}

/// Parses one game from text. Raises PgnError if there is none, or if it has an error.
#[pyfunction]
pub(crate) fn parse_pgn(text: &str) -> PyResult<Game> {
    let source = Box::new(io::Cursor::new(text.as_bytes().to_vec()));
    let mut records = Records::new(source, Detail::Full);
    match records.next() {
        Ok(Some(record)) => match record.errors.first() {
            Some(error) => Err(PgnError::new_err(error.clone())),
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
