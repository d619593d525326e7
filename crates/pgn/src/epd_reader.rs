//! EPD files: positions one to a line, read as a stream.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, Read};

use memchr::memchr;

use crate::buffer::Buffer;
use crate::epd::is_blank;
use crate::params::LOOKAHEAD;
use crate::text::decode;
use crate::{Epd, EpdError, EpdProblem};

/// Why a line of an EPD file could not be read. The cause is part of the message, so it is not also the
/// [source](std::error::Error::source).
#[derive(Debug)]
#[non_exhaustive]
pub enum EpdReadError {
    /// The file cannot be read.
    Io(io::Error),
    /// This line is bad; the next one may be good.
    Bad {
        /// The number of the line, from 1.
        line: u64,
        /// What is wrong with it.
        error: EpdError,
    },
}

impl fmt::Display for EpdReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "cannot read: {error}"),
            Self::Bad { line, error } => write!(f, "line {line}: {error}"),
        }
    }
}

impl std::error::Error for EpdReadError {}

impl From<io::Error> for EpdReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// A position with its place in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PlacedEpd {
    /// The position.
    pub epd: Epd,
    /// Parts of the line that the rest of it contradicts, and that were passed over.
    pub problems: Vec<EpdProblem>,
    /// The line, from 1.
    pub line: u64,
}

/// The positions of an EPD file. Empty lines and lines that begin with `#`, `%` or `;` are skipped; a bad line is
/// an `Err`, and the iterator continues after it. Other characters that end lines, such as a form feed, a zero byte or
/// the line separator of Unicode, end one here too, but are not counted as lines.
///
/// ```
/// use skewer_pgn::EpdReader;
///
/// let file = "# endings\n8/8/8/8/8/4k3/4p3/4K3 w - - id \"stalemate\";\nnonsense\n";
/// let lines: Vec<_> = EpdReader::new(file.as_bytes()).collect();
/// assert_eq!(lines[0].as_ref().unwrap().line, 2);
/// assert!(lines[1].as_ref().unwrap_err().to_string().starts_with("line 3: "));
/// ```
#[derive(Debug)]
pub struct EpdReader<R> {
    buffer: Buffer<R>,
    /// What is left of a line that other characters split.
    rest: VecDeque<Line>,
    failed: bool,
}

type Line = Result<PlacedEpd, EpdReadError>;

impl<R: Read> EpdReader<R> {
    /// The positions of `source`, which need not be buffered.
    pub fn new(source: R) -> Self {
        Self {
            buffer: Buffer::new(source),
            rest: VecDeque::new(),
            failed: false,
        }
    }

    fn next_line(&mut self) -> io::Result<Option<Line>> {
        loop {
            if let Some(line) = self.rest.pop_front() {
                return Ok(Some(line));
            }
            self.buffer.want(LOOKAHEAD)?;
            let (end, found) = self.buffer.find(0, |text| memchr(b'\n', text))?;
            let cut = !found && self.buffer.is_full();
            let end = end + usize::from(found);
            if end == 0 {
                return Ok(None);
            }
            let line = self.buffer.line();
            if cut {
                self.buffer.skip(end);
                self.buffer.skip_line()?;
                let error = EpdError::TooLong;
                return Ok(Some(Err(EpdReadError::Bad { line, error })));
            }
            let text = decode(&self.buffer.ahead()[..end]);
            let parts = text
                .split(ends_line)
                .map(|part| part.trim_matches(is_blank));
            let parts = parts.filter(|part| !part.is_empty() && !part.starts_with(['#', '%', ';']));
            self.rest.extend(parts.map(|part| {
                let read = Epd::read(part);
                read.map(|(epd, problems)| PlacedEpd {
                    epd,
                    problems,
                    line,
                })
                .map_err(|error| EpdReadError::Bad { line, error })
            }));
            self.buffer.skip(end);
        }
    }
}

/// Whether a character other than a line feed or a carriage return ends a line.
fn ends_line(c: char) -> bool {
    matches!(
        c,
        '\0' | '\x0b' | '\x0c' | '\u{1a}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

impl<R: Read> Iterator for EpdReader<R> {
    type Item = Result<PlacedEpd, EpdReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        match self.next_line() {
            Ok(next) => next,
            Err(error) => {
                self.failed = true;
                Some(Err(error.into()))
            }
        }
    }
}
