//! Regular files, read no further than their length at the time of opening.

use std::fs::{self, File};
use std::io::{self, Read, Take};
use std::path::Path;

use crate::{StoreError, StoreErrorKind as Kind};

/// Opens a regular file of at most `most` bytes, to be read up to the length that it has now.
///
/// Other files are refused without opening them: opening a FIFO waits until a program writes to it, and a device
/// may have no end. Files of the system that have no length, such as `/proc/kmsg`, are empty.
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
    let check = |data: io::Result<fs::Metadata>| {
        let data = data.map_err(StoreError::io(path, "open the file"))?;
        if !data.is_file() {
            return Err(StoreError::new(path, Kind::NotAFile));
        }
        Ok(data.len())
    };
    check(fs::metadata(path))?;
    let file = File::open(path).map_err(StoreError::io(path, "open the file"))?;
    // Another file may have taken the name since.
    let length = check(file.metadata())?;
    if length > most {
        let (what, size, limit) = ("a file", length, most);
        return Err(StoreError::new(path, Kind::TooLarge { what, size, limit }));
    }
    Ok(file.take(length))
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
