//! Files to which records are appended, and which lose at most the last record in a crash.

mod record;
mod repair;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use self::repair::Repair;

use self::record::{RecordHead, find_record, read_record};
use crate::header::{Contents, Header, Identity};
use crate::pending::PendingFile;
use crate::{StoreError, StoreErrorKind as Kind, params, value};

/// The end of a journal when it was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    /// The last record was complete.
    Whole,
    /// The last record was incomplete and has been removed.
    Torn {
        /// How many bytes were removed.
        bytes: u64,
    },
}

/// A file of records that is added to, by one program at a time.
///
/// ```
/// use skewer_store::{Identity, Journal, Tail};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("results");
/// let identity = Identity::new("list of results", 1, "example");
///
/// let (mut journal, _) = Journal::open_or_create(&path, &identity)?;
/// journal.append(&("first".to_owned(), 31))?;
/// journal.append(&("second".to_owned(), -7))?;
/// journal.sync()?;
/// drop(journal);
///
/// let (mut journal, tail) = Journal::open_or_create(&path, &identity)?;
/// assert_eq!(tail, Tail::Whole);
/// let done: Vec<(String, i32)> = journal.replay()?.collect::<Result<_, _>>()?;
/// assert_eq!(done[1], ("second".to_owned(), -7));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    /// Locked for as long as the journal is open.
    file: File,
    /// Where the records begin, in bytes.
    body: u64,
    /// Where the next record goes, in bytes.
    end: u64,
    /// How many records there are.
    records: u32,
    /// The CRC-32 of the header, which binds the records to this file.
    salt: u32,
}

impl Journal {
    /// Creates a journal without records at `path`, replacing any file there.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if no file can be created there, or a text of the identity is too long.
    pub fn create(path: impl AsRef<Path>, identity: &Identity<'_>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        let fail = |kind| StoreError::new(path, kind);
        let header = Header::new(identity, Contents::Journal).map_err(fail)?;
        let bytes = header.encode().map_err(fail)?;
        let (pending, mut file) = PendingFile::create(path)?;
        file.write_all(&bytes)
            .map_err(StoreError::io(path, "write"))?;
        pending.publish(file)?;
        Self::open(path, identity).map(|(journal, _)| journal)
    }

    /// Opens the journal at `path`, checks every record, and removes an incomplete last record, left by
    /// a program that was killed while writing.
    ///
    /// A bad record is an incomplete last record if no valid record follows it. (Damage to the last record
    /// therefore looks the same.)
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file cannot be opened, another program has it open, it has another identity,
    /// or it is damaged before its last record. The file is then unchanged.
    pub fn open(
        path: impl AsRef<Path>,
        identity: &Identity<'_>,
    ) -> Result<(Self, Tail), StoreError> {
        let (mut journal, length) = Self::open_unchecked(path.as_ref(), identity)?;
        let tail = journal.check(length)?;
        Ok((journal, tail))
    }

    /// Opens and locks a journal without checking its records. Also returns the length of the file in
    /// bytes.
    fn open_unchecked(path: &Path, identity: &Identity<'_>) -> Result<(Self, u64), StoreError> {
        let fail = |kind| StoreError::new(path, kind);
        let opening = || StoreError::io(path, "open the file");
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(path)
            .map_err(opening())?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(fail(Kind::InUse)),
            // Some network file systems have no locks; the user must then avoid two writers.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let length = file.metadata().map_err(opening())?.len();
        let (header, body) = Header::read(&mut file).map_err(fail)?;
        header.expect(identity).map_err(fail)?;
        if header.contents() != Contents::Journal {
            return Err(fail(Kind::WrongShape {
                found_journal: false,
            }));
        }
        let salt = crc32fast::hash(&header.encode().map_err(fail)?);
        let journal = Self {
            path: path.to_owned(),
            file,
            body,
            end: body,
            records: 0,
            salt,
        };
        Ok((journal, length))
    }

    /// [`open`](Self::open)s the journal at `path`, or [`create`](Self::create)s it if there is
    /// no file or an empty one.
    ///
    /// # Errors
    ///
    /// As for these two.
    pub fn open_or_create(
        path: impl AsRef<Path>,
        identity: &Identity<'_>,
    ) -> Result<(Self, Tail), StoreError> {
        let path = path.as_ref();
        let begins = match fs::metadata(path) {
            Ok(data) => data.is_file() && data.len() == 0,
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        };
        if begins {
            Self::create(path, identity).map(|journal| (journal, Tail::Whole))
        } else {
            Self::open(path, identity)
        }
    }

    /// How many records there are.
    pub fn len(&self) -> u32 {
        self.records
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.records == 0
    }

    /// Adds a record. It survives a crash of the program, but not a power failure before
    /// [`sync`](Self::sync).
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it is larger than [`RECORD_LIMIT`](params::RECORD_LIMIT) or cannot be
    /// written; the journal is then unchanged and can still be used.
    pub fn append<T: Serialize + ?Sized>(&mut self, record: &T) -> Result<(), StoreError> {
        let contents = value::encode::<{ params::RECORD_LIMIT }, T>("a record", record)
            .map_err(|kind| StoreError::new(&self.path, kind))?;
        let head = RecordHead::of(&contents, self.records);
        let mut bytes = head.encode(self.salt).to_vec();
        bytes.extend(contents);
        // One write, so that only a crash of the system can leave part of a record.
        let written = self
            .file
            .seek(SeekFrom::Start(self.end))
            .and_then(|_| self.file.write_all(&bytes));
        if let Err(error) = written {
            // Remove the written part now rather than at the next opening.
            let _ = self.file.set_len(self.end);
            return Err(StoreError::io(&self.path, "write")(error));
        }
        self.end += bytes.len() as u64;
        self.records += 1;
        Ok(())
    }

    /// Waits until all records are on the disk.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the system reports a failure.
    pub fn sync(&mut self) -> Result<(), StoreError> {
        self.file
            .sync_data()
            .map_err(StoreError::io(&self.path, "write"))
    }

    /// Iterates over all records. They are read lazily.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file cannot be read. An item is an error if its record cannot be read or is
    /// not a `T`.
    pub fn replay<T: DeserializeOwned>(&mut self) -> Result<Replay<'_, T>, StoreError> {
        self.file
            .seek(SeekFrom::Start(self.body))
            .map_err(StoreError::io(&self.path, "read"))?;
        Ok(Replay {
            source: BufReader::with_capacity(params::BUFFER, &self.file).take(self.end - self.body),
            next: 0,
            journal: self,
            records: PhantomData,
        })
    }

    /// Checks the records, sets `end` and `records`, and removes an incomplete last record.
    fn check(&mut self, length: u64) -> Result<Tail, StoreError> {
        let reading = || StoreError::io(&self.path, "read");
        self.file
            .seek(SeekFrom::Start(self.body))
            .map_err(reading())?;
        let mut source = BufReader::with_capacity(params::BUFFER, &self.file);
        let mut contents = Vec::new();
        let (mut end, mut records) = (self.body, 0);
        while end < length {
            let room = length - end;
            match read_record(&mut source, self.salt, records, room, &mut contents) {
                Ok(Some(size)) => {
                    end += size;
                    records += 1;
                }
                Ok(None) => break,
                Err(error) => return Err(reading()(error)),
            }
        }
        if end < length {
            // A valid record further on means damage here rather than an incomplete last record.
            source.seek(SeekFrom::Start(end)).map_err(reading())?;
            let after = find_record(source, self.salt, records + 1, length - end);
            if after.map_err(reading())?.is_some() {
                let kind = Kind::DamagedRecord {
                    records,
                    offset: end,
                };
                return Err(StoreError::new(&self.path, kind));
            }
            self.file
                .set_len(end)
                .and_then(|()| self.file.sync_data())
                .map_err(StoreError::io(&self.path, "cut off the torn record"))?;
        }
        self.end = end;
        self.records = records;
        Ok(if end < length {
            Tail::Torn {
                bytes: length - end,
            }
        } else {
            Tail::Whole
        })
    }
}

/// The records of a journal, in the order in which they were added; see [`Journal::replay`].
pub struct Replay<'a, T> {
    source: io::Take<BufReader<&'a File>>,
    journal: &'a Journal,
    next: u32,
    records: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned> Iterator for Replay<'_, T> {
    type Item = Result<T, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next == self.journal.records {
            return None;
        }
        let path = &self.journal.path;
        let room = self.source.limit();
        let offset = self.journal.end - room;
        let mut contents = Vec::new();
        let read = read_record(
            &mut self.source,
            self.journal.salt,
            self.next,
            room,
            &mut contents,
        );
        let item = match read {
            Ok(Some(_)) => {
                self.next += 1;
                let decoded = value::decode::<{ params::RECORD_LIMIT }, T>(&contents);
                return Some(decoded.map_err(|kind| StoreError::new(path, kind)));
            }
            // The record was valid when the journal was opened; the file has been changed since.
            Ok(None) => StoreError::new(
                path,
                Kind::DamagedRecord {
                    records: self.next,
                    offset,
                },
            ),
            Err(error) => StoreError::io(path, "read")(error),
        };
        self.next = self.journal.records;
        Some(Err(item))
    }
}
