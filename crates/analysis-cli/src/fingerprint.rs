//! Fingerprints of files, computed from the bytes that are used, while they are read or written.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Error, Result, anyhow};
use sha2::{Digest as _, Sha256};
use skewer_analysis::error::AnalysisError;
use skewer_analysis::input::{self, Source};

use crate::manifest::FileMark;

/// A source of bytes with their fingerprint.
pub(crate) struct Hashed<R> {
    source: R,
    hasher: Sha256,
}

impl<R: Read> Hashed<R> {
    /// A source of which nothing has been read.
    pub(crate) fn new(source: R) -> Self {
        Self {
            source,
            hasher: Sha256::new(),
        }
    }

    /// Reads the rest. Returns the fingerprint of everything.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub(crate) fn finish(mut self) -> io::Result<String> {
        io::copy(&mut self, &mut io::sink())?;
        Ok(format!("{:x}", self.hasher.finalize()))
    }
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(bytes)?;
        self.hasher.update(&bytes[..read]);
        Ok(read)
    }
}

/// The inputs of a run, which opens one after the other and reads each to its end or as far as it needs.
#[derive(Clone, Default)]
pub(crate) struct Inputs(Arc<Mutex<Opened>>);

#[derive(Default)]
struct Opened {
    /// The inputs that have been read.
    done: Vec<FileMark>,
    /// The input that is being read.
    current: Option<(String, Hashed<Source>)>,
}

impl Inputs {
    /// Opens a file of the run, compressed or not. The fingerprint is of the bytes before decompression.
    ///
    /// # Errors
    ///
    /// When the file, or the rest of the file opened before, cannot be read.
    pub(crate) fn open(&self, path: &str) -> Result<Source, AnalysisError> {
        self.open_by(path, |path| input::open_packed(path))
    }

    /// The same, except that `open` opens the file without decompressing it.
    ///
    /// # Errors
    ///
    /// When the file, or the rest of the file opened before, cannot be read.
    pub(crate) fn open_by(
        &self,
        path: &str,
        open: impl FnOnce(&str) -> Result<Source, AnalysisError>,
    ) -> Result<Source, AnalysisError> {
        let mut opened = self.opened();
        opened.finish_current()?;
        let source = open(path)?;
        opened.current = Some((path.to_owned(), Hashed::new(source)));
        drop(opened);
        let unpacked = input::unpack(Box::new(self.clone()));
        unpacked.map_err(|error| AnalysisError::Read {
            path: path.to_owned(),
            error,
        })
    }

    /// The fingerprints of the files of a run that has ended, in their order.
    ///
    /// # Errors
    ///
    /// When the rest of the last file cannot be read.
    pub(crate) fn finish(&self) -> Result<Vec<FileMark>, AnalysisError> {
        self.finish_current()?;
        Ok(self.done())
    }

    /// Reads the rest of the file that is open.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub(crate) fn finish_current(&self) -> Result<(), AnalysisError> {
        self.opened().finish_current()
    }

    /// The fingerprints of the files that have been read, in their order.
    pub(crate) fn done(&self) -> Vec<FileMark> {
        self.opened().done.clone()
    }

    fn opened(&self) -> MutexGuard<'_, Opened> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Opened {
    fn finish_current(&mut self) -> Result<(), AnalysisError> {
        if let Some((path, source)) = self.current.take() {
            match source.finish() {
                Ok(sha256) => self.done.push(FileMark {
                    path,
                    sha256: Some(sha256),
                }),
                Err(error) => return Err(AnalysisError::Read { path, error }),
            }
        }
        Ok(())
    }
}

/// Reads the file that is open.
impl Read for Inputs {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match &mut self.opened().current {
            Some((_, source)) => source.read(bytes),
            None => Ok(0),
        }
    }
}

/// How often files are looked at.
const BETWEEN_LOOKS: Duration = Duration::from_secs(1);

/// Notices when a file is changed, replaced or removed while a run reads it.
pub(crate) struct Watch {
    files: Vec<Watched>,
    looked: Instant,
}

impl Watch {
    /// Looks at the regular files among `files`. Other inputs, such as pipes, have no state to compare later.
    ///
    /// # Errors
    ///
    /// When a file is not there.
    pub(crate) fn new(files: &[String]) -> Result<Self> {
        let mut watched = Vec::new();
        for file in files.iter().filter(|file| *file != "-") {
            let data = fs::metadata(file).with_context(|| format!("cannot open {file}"))?;
            if data.is_file() {
                watched.push(Watched {
                    file: file.clone(),
                    stamp: Stamp::of(&data),
                    touched: touched(&data),
                });
            }
        }
        Ok(Self {
            files: watched,
            looked: Instant::now(),
        })
    }

    /// Looks again, if the last time was a second or more ago.
    ///
    /// # Errors
    ///
    /// When a file was changed, replaced or removed since the beginning.
    pub(crate) fn look(&mut self) -> Result<()> {
        if self.looked.elapsed() < BETWEEN_LOOKS {
            return Ok(());
        }
        self.looked = Instant::now();
        self.check()
    }

    /// Looks again.
    ///
    /// # Errors
    ///
    /// When a file was changed, replaced or removed since the beginning.
    pub(crate) fn check(&self) -> Result<()> {
        self.files
            .iter()
            .try_for_each(|watched| watched.now().map(drop))
    }

    /// Looks again after the run, and on Unix also notices a change after which the time of the file was put back.
    /// `used` are the fingerprints of what was read.
    ///
    /// # Errors
    ///
    /// When a file was changed, replaced or removed since the beginning, or cannot be read again.
    pub(crate) fn finish(&self, used: &[FileMark]) -> Result<()> {
        for watched in &self.files {
            let Watched { file, touched, .. } = watched;
            // Another name or other permissions also change this time, so the bytes are compared.
            if self::touched(&watched.now()?) == *touched {
                continue;
            }
            let now = File::open(file).and_then(|source| Hashed::new(source).finish());
            let now = now.with_context(|| format!("cannot read {file} again"))?;
            let mut marks = used.iter().filter(|mark| mark.path == *file);
            if marks.any(|mark| mark.sha256.as_ref() != Some(&now)) {
                return Err(watched.changed());
            }
        }
        Ok(())
    }
}

/// A file, and its state at the beginning.
struct Watched {
    file: String,
    stamp: Stamp,
    touched: Touched,
}

impl Watched {
    /// The present metadata of the file, or an error if the file was changed or removed.
    fn now(&self) -> Result<Metadata> {
        let file = &self.file;
        let now = fs::metadata(Path::new(file));
        let now = now.with_context(|| format!("{file} was removed while it was used"))?;
        if Stamp::of(&now) != self.stamp {
            return Err(self.changed());
        }
        Ok(now)
    }

    fn changed(&self) -> Error {
        anyhow!("{} was changed while it was used; start again", self.file)
    }
}

/// When the bytes, a name or the permissions of a file were last changed. No program can set this time. Systems other
/// than Unix do not tell it.
#[cfg(unix)]
type Touched = (i64, i64);
#[cfg(not(unix))]
type Touched = ();

#[cfg(unix)]
fn touched(data: &Metadata) -> Touched {
    use std::os::unix::fs::MetadataExt as _;
    (data.ctime(), data.ctime_nsec())
}

#[cfg(not(unix))]
fn touched(_data: &Metadata) -> Touched {}

/// Distinguishes files and their states, as well as the system can.
#[derive(PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<std::time::SystemTime>,
    /// The device and the number of the file on it.
    #[cfg(unix)]
    node: (u64, u64),
}

impl Stamp {
    fn of(data: &Metadata) -> Self {
        Self {
            length: data.len(),
            modified: data.modified().ok(),
            #[cfg(unix)]
            node: {
                use std::os::unix::fs::MetadataExt as _;
                (data.dev(), data.ino())
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::FileTimes;
    use std::io::Write as _;

    /// A change is noticed at the next look during the run, whichever part of the file's state it changes.
    #[test]
    fn each_part_of_the_state_of_a_file_is_looked_at() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("in.epd");
        let text = path.to_str().unwrap().to_owned();
        let at = |path: &Path, modified| {
            let file = File::options().write(true).open(path).unwrap();
            let times = FileTimes::new().set_modified(modified);
            file.set_times(times).unwrap();
        };
        let looks = |change: &dyn Fn(std::time::SystemTime)| {
            fs::write(&path, "1. e4 *").unwrap();
            let modified = fs::metadata(&path).unwrap().modified().unwrap();
            let watch = Watch::new(std::slice::from_ref(&text)).unwrap();
            watch.check().unwrap();
            change(modified);
            watch.check().map_err(|error| error.to_string())
        };
        let longer = |modified| {
            let file = File::options().append(true).open(&path);
            file.unwrap().write_all(b"\n").unwrap();
            at(&path, modified);
        };
        let later = |modified| at(&path, modified + Duration::from_secs(1));
        let another = |modified| {
            let other = folder.path().join("other");
            fs::write(&other, "1. d4 *").unwrap();
            at(&other, modified);
            fs::rename(other, &path).unwrap();
        };
        let removed = |_| fs::remove_file(&path).unwrap();
        for change in [&longer as &dyn Fn(_), &later, &another] {
            let error = looks(change).unwrap_err();
            assert!(error.contains("was changed while it was used"), "{error}");
        }
        assert!(looks(&removed).unwrap_err().contains("was removed"));
        assert_eq!(looks(&|_| ()), Ok(()));
    }

    /// The rest of a source that was not read to its end has a part in the fingerprint.
    #[test]
    fn fingerprints_are_of_the_whole_source() {
        let mut source = Hashed::new(&b"1. e4 *"[..]);
        source.read_exact(&mut [0; 3]).unwrap();
        let whole = format!("{:x}", Sha256::digest(b"1. e4 *"));
        assert_eq!(source.finish().unwrap(), whole);
    }
}
