//! Regular files, read no further than their length at the time of opening.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Take};
use std::path::Path;

use crate::{StoreError, StoreErrorKind as Kind};

/// Opens a regular file of at most `most` bytes, to be read up to the length that it has now.
///
/// Other files are refused. A file that is not regular is not even opened, unless it has just taken the name of a
/// regular file: a device may have no end, and opening one may do something. Opening never waits, not even if a FIFO
/// has just taken the name of a file. Files of the system that have no length, such as `/proc/kmsg`, are empty.
///
/// ```
/// use std::io::Read;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("notes");
/// std::fs::write(&path, "12 games")?;
/// let mut text = String::new();
/// skewer_store::open_regular(&path, 100)?.read_to_string(&mut text)?;
/// assert_eq!(text, "12 games");
/// assert!(skewer_store::open_regular(&path, 5).is_err());
/// assert!(skewer_store::open_regular(folder.path(), 5).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`StoreError`] if the file cannot be opened, is not regular, or is longer.
pub fn open_regular(path: impl AsRef<Path>, most: u64) -> Result<Take<File>, StoreError> {
    let path = path.as_ref();
    length_of(path, fs::metadata(path))?;
    open_unseen(path, most)
}

/// The rest of [`open_regular`], after the check of the file by its name. By now the name may belong to another file.
fn open_unseen(path: &Path, most: u64) -> Result<Take<File>, StoreError> {
    let file = without_waiting(File::options().read(true)).open(path);
    let file = file.map_err(StoreError::io(path, "open the file"))?;
    let length = length_of(path, file.metadata())?;
    if length > most {
        let (what, size, limit) = ("a file", length, most);
        return Err(StoreError::new(path, Kind::TooLarge { what, size, limit }));
    }
    Ok(file.take(length))
}

/// The length of a file, which must be regular.
fn length_of(path: &Path, data: io::Result<Metadata>) -> Result<u64, StoreError> {
    let data = data.map_err(StoreError::io(path, "open the file"))?;
    if !data.is_file() {
        return Err(StoreError::new(path, Kind::NotAFile));
    }
    Ok(data.len())
}

/// Lets opening return at once: opening a FIFO would wait for another program that opens it, too.
pub(crate) fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt as _;

        // A terminal must not become the controlling terminal of this process.
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
        options.custom_flags(flags.bits() as i32);
    }
    options
}

/// The bytes of a regular file of at most `most` bytes; see [`open_regular`].
///
/// # Errors
///
/// [`StoreError`] if the file cannot be read, is not regular, or is longer.
pub fn read_regular(path: impl AsRef<Path>, most: u64) -> Result<Vec<u8>, StoreError> {
    let path = path.as_ref();
    let mut bytes = Vec::new();
    let read = open_regular(path, most)?.read_to_end(&mut bytes);
    read.map_err(StoreError::io(path, "read"))?;
    Ok(bytes)
}

/// A text with a limit on the length of its lines, for readers that keep a line in memory. Reading a longer line is
/// an error.
///
/// ```
/// use std::io::Read;
/// use skewer_store::ShortLines;
///
/// let read = |text: &'static str| ShortLines::new(text.as_bytes(), 5).read_to_end(&mut Vec::new());
/// assert!(read("1. e4\nd4\n").is_ok());
/// assert_eq!(read("d4\n1. Nf3\n").unwrap_err().to_string(), "line 2 is longer than 5 bytes");
/// ```
#[derive(Debug)]
pub struct ShortLines<R> {
    source: R,
    most: usize,
    /// Bytes of the current line so far.
    length: usize,
    /// The number of the current line, from 1.
    number: u64,
}

impl<R: Read> ShortLines<R> {
    /// The text of `source`, with lines of at most `most` bytes without their ends.
    pub fn new(source: R, most: usize) -> Self {
        Self {
            source,
            most,
            length: 0,
            number: 1,
        }
    }
}

impl<R: Read> Read for ShortLines<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(bytes)?;
        for part in bytes[..read].split_inclusive(|&byte| byte == b'\n') {
            let ends = part.ends_with(b"\n");
            self.length += part.len() - usize::from(ends);
            if self.length > self.most {
                let (number, most) = (self.number, self.most);
                let text = format!("line {number} is longer than {most} bytes");
                return Err(io::Error::new(io::ErrorKind::InvalidData, text));
            }
            if ends {
                self.number += 1;
                self.length = 0;
            }
        }
        Ok(read)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Command;
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use super::*;
    use crate::journal::lock_unseen;

    /// A FIFO that takes the name of a file after the check by name is refused at once, although nobody writes to it.
    #[test]
    fn opening_never_waits() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fifo");
        let made = Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        let (sender, opened) = mpsc::channel();
        thread::spawn(move || {
            let read = open_unseen(&path, u64::MAX).map(drop);
            sender.send(read.map_err(|error| error.into_kind().into()))?;
            sender.send(lock_unseen(&path).map(drop))
        });
        for what in ["to be read", "to be locked"] {
            let opened = opened.recv_timeout(Duration::from_secs(20));
            let refused: io::Error = opened.expect("opening waits").expect_err(what);
            assert!(
                refused.to_string().contains("not a regular file"),
                "{what}: {refused}"
            );
        }
    }
}
