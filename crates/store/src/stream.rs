//! Finished files, written and read piece by piece, so that a large body need not be copied in memory.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::header::{Header, Identity};
use crate::{OutputFile, StoreError, StoreErrorKind as Kind, open_regular, params, value};

/// A file being written, under a temporary name. [`finish`](Self::finish) renames it to its path, where
/// it replaces an older file. If the writer is dropped before, the file is removed.
///
/// ```
/// use skewer_store::{Identity, Reader, Writer};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("squares");
/// let identity = Identity::new("list of squares", 1, "example");
///
/// let mut writer = Writer::create(&path, &identity)?;
/// writer.put_value(&1000_u32)?;
/// for n in 0..1000_u64 {
///     writer.put(&(n * n).to_le_bytes())?;
/// }
/// writer.finish()?;
///
/// let mut reader = Reader::open(&path, &identity)?;
/// reader.verify()?; // before any content is used
/// let count: u32 = reader.take_value()?;
/// let mut last = [0; 8];
/// for _ in 0..count {
///     reader.take(&mut last)?;
/// }
/// assert_eq!(u64::from_le_bytes(last), 999 * 999);
/// reader.finish()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Writer {
    file: OutputFile,
    header: Header,
    checksum: crc32fast::Hasher,
}

impl Writer {
    /// Begins a file at `path` with this identity.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if no file can be created there, `path` is not a regular file, or a text of the
    /// identity is too long.
    pub fn create(path: impl AsRef<Path>, identity: &Identity<'_>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        let fail = |kind| StoreError::new(path, kind);
        let header = Header::new(identity).map_err(fail)?;
        let bytes = header.encode().map_err(fail)?;
        let mut file = OutputFile::in_place_of(path, |_| Err(fail(Kind::NotAFile)))?;
        file.write_all(&bytes)
            .map_err(StoreError::io(path, "write"))?;
        Ok(Self {
            file,
            header,
            checksum: crc32fast::Hasher::new(),
        })
    }

    /// Adds these bytes.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the bytes cannot be written.
    pub fn put(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.write_all(bytes)
            .map_err(StoreError::io(self.file.path(), "write"))
    }

    /// Adds a value, in bincode after its length in bytes.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the value cannot be written, or is larger than
    /// [`VALUE_LIMIT`](params::VALUE_LIMIT).
    pub fn put_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), StoreError> {
        let bytes = value::encode(value).map_err(|kind| StoreError::new(self.file.path(), kind))?;
        self.put(&(bytes.len() as u64).to_le_bytes())?;
        self.put(&bytes)
    }

    /// Completes the file: writes length and checksum into the header, flushes everything to the disk,
    /// and renames the file to its path.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if any of this fails; the file that was at the path before is then unchanged.
    pub fn finish(mut self) -> Result<(), StoreError> {
        self.header.checksum = self.checksum.finalize();
        let bytes = self
            .header
            .encode()
            .map_err(|kind| StoreError::new(self.file.path(), kind))?;
        self.file
            .out
            .rewind()
            .and_then(|()| self.file.write_all(&bytes))
            .map_err(StoreError::io(self.file.path(), "write"))?;
        self.file.commit()
    }
}

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.checksum.update(&bytes[..written]);
        self.header.length += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A finished file being read.
///
/// Bytes are returned before the checksum of the whole body can be compared. Either call
/// [`verify`](Self::verify) first, which reads the file twice, or call [`finish`](Self::finish) before
/// using the results.
pub struct Reader {
    path: PathBuf,
    file: BufReader<File>,
    header: Header,
    /// Where the body begins, in bytes.
    body: u64,
    remaining: u64,
    checksum: crc32fast::Hasher,
}

impl Reader {
    /// Opens a file with this identity, and checks its length.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file cannot be read, has another identity or another length.
    pub fn open(path: impl AsRef<Path>, identity: &Identity<'_>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        let fail = |kind| StoreError::new(path, kind);
        let file = open_regular(path, u64::MAX)?;
        let found = file.limit();
        let mut file = BufReader::with_capacity(params::BUFFER, file.into_inner());
        let (header, body) = Header::read(&mut file).map_err(fail)?;
        header.expect(identity).map_err(fail)?;
        let whole = body.saturating_add(header.length);
        if found < whole {
            return Err(fail(Kind::Truncated {
                expected: whole,
                found,
            }));
        }
        if found > whole {
            return Err(fail(Kind::TooLong {
                expected: whole,
                found,
            }));
        }
        Ok(Self {
            path: path.to_owned(),
            file,
            body,
            remaining: header.length,
            header,
            checksum: crc32fast::Hasher::new(),
        })
    }

    /// How many bytes of the body have not been read.
    pub fn remaining(&self) -> u64 {
        self.remaining
    }

    /// Reads the whole body, compares its checksum and goes back to the body's beginning.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the body is damaged or cannot be read.
    pub fn verify(&mut self) -> Result<(), StoreError> {
        self.rewind()?;
        self.compare()?;
        self.rewind()
    }

    /// Reads the rest, and compares the checksum of the whole body.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the body is damaged or cannot be read.
    pub fn finish(mut self) -> Result<(), StoreError> {
        self.compare()
    }

    fn compare(&mut self) -> Result<(), StoreError> {
        io::copy(self, &mut io::sink()).map_err(StoreError::io(&self.path, "read"))?;
        if self.remaining > 0 {
            return Err(self.truncated());
        }
        if self.checksum.clone().finalize() != self.header.checksum {
            return Err(StoreError::new(&self.path, Kind::Damaged));
        }
        Ok(())
    }

    fn rewind(&mut self) -> Result<(), StoreError> {
        self.file
            .seek(SeekFrom::Start(self.body))
            .map_err(StoreError::io(&self.path, "read"))?;
        self.remaining = self.header.length;
        self.checksum = crc32fast::Hasher::new();
        Ok(())
    }

    /// The error when the file was truncated after it was opened.
    fn truncated(&self) -> StoreError {
        let expected = self.body + self.header.length;
        let found = expected - self.remaining;
        StoreError::new(&self.path, Kind::Truncated { expected, found })
    }

    /// Fills `bytes` with the next bytes of the body.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if fewer bytes are left, or they cannot be read.
    pub fn take(&mut self, bytes: &mut [u8]) -> Result<(), StoreError> {
        self.read_exact(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => StoreError::new(
                &self.path,
                Kind::Malformed {
                    reason: "more was expected".into(),
                },
            ),
            _ => StoreError::io(&self.path, "read")(error),
        })
    }

    /// The value that [`put_value`](Writer::put_value) wrote here.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if there is no value of this type here, or it cannot be read.
    pub fn take_value<T: DeserializeOwned>(&mut self) -> Result<T, StoreError> {
        let mut length = [0; 8];
        self.take(&mut length)?;
        let length = u64::from_le_bytes(length);
        // Check the length before the allocation, because a damaged length could be huge.
        if length > self.remaining {
            let reason = "a value is longer than the file".into();
            return Err(StoreError::new(&self.path, Kind::Malformed { reason }));
        }
        let mut bytes = vec![0; length as usize];
        self.take(&mut bytes)?;
        value::decode(&bytes).map_err(|kind| StoreError::new(&self.path, kind))
    }
}

impl Read for Reader {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let most = self.remaining.min(bytes.len() as u64) as usize;
        let read = self.file.read(&mut bytes[..most])?;
        self.checksum.update(&bytes[..read]);
        self.remaining -= read as u64;
        Ok(read)
    }
}
