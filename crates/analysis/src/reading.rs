//! Reads files one after the other, and numbers what they hold.

use crate::error::{AnalysisError, GameError};
use crate::input::{self, Source, cannot_read};
use crate::judged::Origin;
use crate::run::{Input, Placed};

/// Opens a file.
type Opener = dyn Fn(&str) -> Result<Source, AnalysisError> + Send + Sync;

/// Reads files one after the other, and numbers what they hold.
pub struct Reading<T: Input> {
    /// The files that have not been opened.
    files: std::vec::IntoIter<String>,
    /// Opens a file.
    source: Box<Opener>,
    /// The name of the open file, and what reads it.
    open: Option<(String, T::Reader)>,
    /// The number of the last item read; 0 before the first.
    number: u64,
}

impl<T: Input> Reading<T> {
    /// Prepares to read these files, without opening any.
    pub fn new(files: Vec<String>) -> Self {
        Self {
            files: files.into_iter(),
            source: Box::new(|path| input::open(path)),
            open: None,
            number: 0,
        }
    }

    /// The same, except that files are opened by `source`.
    pub fn with_source(
        self,
        source: impl Fn(&str) -> Result<Source, AnalysisError> + Send + Sync + 'static,
    ) -> Self {
        Self {
            source: Box::new(source),
            ..self
        }
    }

    /// The number of the last item read; 0 before the first.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Reads the next item, or the error in its place; `None` after the last. Positions where games should be are such
    /// an error if items were read before, so that their results are kept. A pipe cannot be checked earlier.
    ///
    /// # Errors
    ///
    /// When a file cannot be read, or the first file with anything in it has positions in the place of games.
    #[allow(clippy::type_complexity, reason = "the origin, and what is there")]
    pub fn next_item(&mut self) -> Result<Option<(Origin, Result<T, GameError>)>, AnalysisError> {
        loop {
            let (file, reader) = match &mut self.open {
                Some(open) => open,
                None => match self.files.next() {
                    Some(file) => match T::read(&file, (self.source)(&file)?) {
                        Ok(reader) => self.open.insert((file, reader)),
                        Err(AnalysisError::Positions { path }) if self.number > 0 => {
                            self.number += 1;
                            let (number, line) = (self.number, 1);
                            let error = GameError::Positions { path };
                            return Ok(Some((Origin { number, file, line }, Err(error))));
                        }
                        Err(error) => return Err(error),
                    },
                    None => return Ok(None),
                },
            };
            match reader.next() {
                None => self.open = None,
                Some(Err(error)) => return Err(cannot_read(file)(error)),
                Some(Ok(Placed { line, item })) => {
                    self.number += 1;
                    let file = file.clone();
                    let number = self.number;
                    return Ok(Some((Origin { number, file, line }, item)));
                }
            }
        }
    }
}
