//! Where PGN text comes from: paths, pipes, and file objects of Python, compressed or not.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Instant;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use skewer_analysis::error::AnalysisError;
use skewer_analysis::input;

use crate::errors;
use crate::signals::SIGNALS;

/// Bytes that are read at once.
const CHUNK: usize = 1 << 16;

/// A source of PGN text.
pub(crate) type Source = Box<dyn Read + Send>;

/// Opens a path, or takes a Python object with a `read` method. Compressed files are recognized by
/// their contents.
pub(crate) fn open(file: &Bound<'_, PyAny>) -> PyResult<Source> {
    let py = file.py();
    let (name, source): (_, Source) = if file.hasattr("read")? {
        let object = file.clone().unbind();
        let rest = io::Cursor::default();
        (
            "the file object".into(),
            Box::new(FileObject { object, rest }),
        )
    } else {
        let path: PathBuf = file.extract().map_err(|_| {
            PyTypeError::new_err("expected a path or a file object with a read method")
        })?;
        let name = path.to_string_lossy().into_owned();
        let opened = py.detach(|| open_path(&path));
        let source = opened.map_err(|error| errors::reading(&name, &error))?;
        (name, source)
    };
    let unpacked = py.detach(|| input::unpack(source));
    let source = unpacked.map_err(|error| match error.downcast::<PyErr>() {
        Ok(raised) => raised.clone_ref(py),
        Err(error) => errors::reading(&name, &error),
    })?;
    Ok(Interruptible::over(source))
}

/// Opens a path for an analysis.
pub(crate) fn open_named(path: &str) -> Result<Source, AnalysisError> {
    let name = path.to_owned();
    let source = match open_path(Path::new(path)) {
        Ok(source) => source,
        Err(error) => return Err(AnalysisError::Open { path: name, error }),
    };
    match input::unpack(source) {
        Ok(source) => Ok(Interruptible::over(source)),
        Err(error) => Err(AnalysisError::Read { path: name, error }),
    }
}

/// Opens a path without decompressing.
fn open_path(path: &Path) -> io::Result<Source> {
    // A regular file is read directly. Another thread reads a pipe or another special file, which
    // may wait for ever.
    if std::fs::metadata(path).is_ok_and(|data| data.is_file()) {
        return Ok(Box::new(std::fs::File::open(path)?));
    }
    if path.as_os_str() != "-" {
        std::fs::metadata(path)?;
    }
    let (sender, chunks) = sync_channel(1);
    let path = path.to_owned();
    std::thread::Builder::new().spawn(move || send(&path, &sender))?;
    let rest = io::Cursor::default();
    Ok(Box::new(Pipe { chunks, rest }))
}

/// Reads a pipe to its end, or until the receiver is dropped.
fn send(path: &Path, sender: &SyncSender<io::Result<Vec<u8>>>) {
    let opened: io::Result<Source> = if path.as_os_str() == "-" {
        Ok(Box::new(io::stdin()))
    } else {
        std::fs::File::open(path).map(|file| Box::new(file) as Source)
    };
    let mut pipe = match opened {
        Ok(pipe) => pipe,
        Err(error) => return drop(sender.send(Err(error))),
    };
    loop {
        let mut chunk = vec![0; CHUNK];
        let length = loop {
            match pipe.read(&mut chunk) {
                // A signal that reaches this thread is not the end of the file.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                length => break length,
            }
        };
        let read = length.map(|length| {
            chunk.truncate(length);
            chunk
        });
        let last = !matches!(&read, Ok(chunk) if !chunk.is_empty());
        if sender.send(read).is_err() || last {
            return;
        }
    }
}

/// The bytes of a pipe, which another thread reads, so that Ctrl-C can end the wait for them.
struct Pipe {
    chunks: Receiver<io::Result<Vec<u8>>>,
    rest: io::Cursor<Vec<u8>>,
}

impl Read for Pipe {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.rest.position() == self.rest.get_ref().len() as u64 {
            match self.chunks.recv_timeout(SIGNALS) {
                Ok(chunk) => {
                    self.rest = io::Cursor::new(chunk?);
                    break;
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
                Err(RecvTimeoutError::Timeout) => check_signals()?,
            }
        }
        self.rest.read(out)
    }
}

/// A source that Ctrl-C ends, however long a game takes.
struct Interruptible {
    source: Source,
    looked: Instant,
}

impl Interruptible {
    fn over(source: Source) -> Source {
        let looked = Instant::now();
        Box::new(Self { source, looked })
    }
}

impl Read for Interruptible {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.looked.elapsed() > SIGNALS {
            check_signals()?;
            self.looked = Instant::now();
        }
        self.source.read(out)
    }
}

/// Handles signals such as Ctrl-C, and returns the exception of the handler as an error. Does
/// nothing outside the main thread.
#[allow(
    clippy::redundant_closure_for_method_calls,
    reason = "the method alone is not general enough in its lifetime"
)]
pub(crate) fn check_signals() -> io::Result<()> {
    Python::attach(|py| py.check_signals()).map_err(io::Error::other)
}

/// A Python file object, in text or binary mode, as a source of bytes.
struct FileObject {
    object: Py<PyAny>,
    /// The bytes that were read from the object, some of which have not been returned yet.
    rest: io::Cursor<Vec<u8>>,
}

impl FileObject {
    fn fetch(&mut self, py: Python<'_>) -> PyResult<()> {
        let read = self.object.bind(py).call_method1("read", (CHUNK,))?;
        let bytes = match read.cast::<PyString>() {
            Ok(text) => text.to_cow()?.as_bytes().to_vec(),
            Err(_) => read.cast::<PyBytes>()?.as_bytes().to_vec(),
        };
        self.rest = io::Cursor::new(bytes);
        Ok(())
    }
}

impl Read for FileObject {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.rest.position() == self.rest.get_ref().len() as u64 {
            Python::attach(|py| self.fetch(py)).map_err(io::Error::other)?;
        }
        self.rest.read(out)
    }
}
