//! Files to which records are appended, and which lose at most the last record in a crash.
//!
//! A journal is text: a heading that identifies the run, then a line of JSON for each record. The first
//! field of each line is the CRC-32 of the rest of the line: `{"crc32":"1c291ca3",` and then the covered
//! bytes. Older journals without checksums are still read, but after a line with a checksum every line
//! needs a checksum.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::header::check_size;
use crate::lock::LockedFile;
use crate::pending::is_being_replaced;
use crate::regular::without_waiting;
use crate::resolve::{Resolved, resolve};
use crate::{ShortLines, StoreError, StoreErrorKind as Kind, open_regular, params};

/// What to do about damaged records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Damage {
    /// Fail, and leave the file as it is.
    Report,
    /// Keep the good records, before and after the damage. The file is replaced as a whole.
    Repair,
}

/// A file to which records are appended by one program at a time. Headings and records are structs with at least one
/// field.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use skewer_store::{Damage, Journal, StoreError};
///
/// #[derive(Debug, PartialEq, Serialize, Deserialize)]
/// struct Run { seed: u64 }
///
/// #[derive(Debug, PartialEq, Serialize, Deserialize)]
/// struct Game { number: u32, moves: String }
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("games");
/// // A program would return an error here for the journal of another run.
/// let expect = |found: &Run| Ok::<_, StoreError>(assert_eq!(found.seed, 7));
///
/// let (mut journal, done): (_, Vec<Game>) =
///     Journal::open(&path, &Run { seed: 7 }, Damage::Report, expect)?;
/// assert!(done.is_empty());
/// journal.append(&Game { number: 1, moves: "e2e4 e7e5".into() })?;
/// drop(journal);
///
/// let (_, done): (_, Vec<Game>) =
///     Journal::open(&path, &Run { seed: 7 }, Damage::Report, expect)?;
/// assert_eq!(done, [Game { number: 1, moves: "e2e4 e7e5".into() }]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    /// Locked for as long as the journal is open.
    file: LockedFile,
    /// Where the next record goes, in bytes.
    end: u64,
}

impl Journal {
    /// Opens the journal of a run, or creates it, and returns its records. An incomplete last line, left by
    /// a program that was killed while writing, is removed. `expect` refuses the heading of another run.
    ///
    /// # Errors
    ///
    /// The error of `expect`; [`StoreError`] if the file cannot be opened or is not regular, another program has it
    /// open, it is no journal, a line is longer than [`LINE_LIMIT`](params::LINE_LIMIT), a record is not an `R`, or a
    /// record is damaged and `damage` says to report it. The file is then unchanged.
    pub fn open<H, R, E>(
        path: impl AsRef<Path>,
        heading: &H,
        damage: Damage,
        expect: impl FnOnce(&H) -> Result<(), E>,
    ) -> Result<(Self, Vec<R>), E>
    where
        H: Serialize + DeserializeOwned,
        R: DeserializeOwned,
        E: From<StoreError>,
    {
        let path = path.as_ref();
        let lock = || {
            if fs::metadata(path).is_ok_and(|data| !data.is_file()) {
                return Err(StoreError::new(path, Kind::NotAFile));
            }
            let file = open_alone(path).map_err(StoreError::io(path, "open the file"))?;
            file.ok_or_else(|| StoreError::new(path, Kind::InUse))
        };
        let mut file = lock()?;
        let first = line_of(path, heading)?;
        let lines = Lines::read(path, &file, damage, expect)?;
        if lines.heading.is_none() && !first.as_bytes().starts_with(&lines.tail) {
            return Err(StoreError::new(path, Kind::Foreign).into());
        }
        if lines.has_damage {
            // `write` refuses to replace a locked file, so the lock ends here.
            drop(file);
            crate::write(path, &lines.good)?;
            file = lock()?;
        }
        let mut journal = Self {
            path: path.to_owned(),
            file,
            end: lines.length,
        };
        journal
            .file
            .set_len(journal.end)
            .map_err(StoreError::io(path, "cut off the torn record"))?;
        if lines.heading.is_none() {
            journal.append(heading)?;
        }
        Ok((journal, lines.records))
    }

    /// The heading and the records of the journal of a run that has ended. An incomplete last line is left out.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file cannot be read, is no journal of this type, or is damaged.
    pub fn read<H, R>(path: impl AsRef<Path>) -> Result<(H, Vec<R>), StoreError>
    where
        H: DeserializeOwned,
        R: DeserializeOwned,
    {
        let path = path.as_ref();
        let file = open_regular(path, u64::MAX)?.into_inner();
        let lines = Lines::read(path, &file, Damage::Report, |_| Ok::<_, StoreError>(()))?;
        let foreign = || StoreError::new(path, Kind::Foreign);
        Ok((lines.heading.ok_or_else(foreign)?, lines.records))
    }

    /// Adds a record. It survives a crash of the program, but perhaps not a power failure.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the record is not a JSON object with fields, is longer than
    /// [`LINE_LIMIT`](params::LINE_LIMIT), or cannot be written; the journal is then unchanged and can still be used.
    pub fn append(&mut self, record: &impl Serialize) -> Result<(), StoreError> {
        let line = line_of(&self.path, record)?;
        check_size("a record", line.len(), params::LINE_LIMIT)
            .map_err(|kind| StoreError::new(&self.path, kind))?;
        // One write, so that only a crash of the system can leave part of a line.
        let written = self
            .file
            .seek(SeekFrom::Start(self.end))
            .and_then(|_| self.file.write_all(line.as_bytes()));
        if let Err(error) = written {
            // Remove the written part now rather than at the next opening.
            let _ = self.file.set_len(self.end);
            return Err(StoreError::writing(&self.path, error));
        }
        self.end += line.len() as u64;
        Ok(())
    }
}

/// What was read from a journal.
struct Lines<H, R> {
    /// `None` if there is no complete line.
    heading: Option<H>,
    records: Vec<R>,
    /// The length of the good lines, in bytes.
    length: u64,
    /// The bytes after the last complete line.
    tail: Vec<u8>,
    has_damage: bool,
    /// The good lines, if they may have to be written again.
    good: Vec<u8>,
}

impl<H: DeserializeOwned, R: DeserializeOwned> Lines<H, R> {
    fn read<E: From<StoreError>>(
        path: &Path,
        file: &File,
        damage: Damage,
        expect: impl FnOnce(&H) -> Result<(), E>,
    ) -> Result<Self, E> {
        let fail = |kind| StoreError::new(path, kind);
        let length = file.metadata();
        let length = length.map_err(StoreError::io(path, "read"))?.len();
        let source = ShortLines::new(file.take(length), params::LINE_LIMIT);
        let mut source = BufReader::with_capacity(params::BUFFER, source);
        let mut read = Self {
            heading: None,
            records: Vec::new(),
            length: 0,
            tail: Vec::new(),
            has_damage: false,
            good: Vec::new(),
        };
        let mut expect = Some(expect);
        let mut must_have = false;
        for number in 1.. {
            let mut line = Vec::new();
            source
                .read_until(b'\n', &mut line)
                .map_err(StoreError::io(path, "read"))?;
            if !line.ends_with(b"\n") {
                read.tail = line;
                break;
            }
            let checked = checksum_is_right(&line);
            if !checked.unwrap_or(!must_have) {
                if damage == Damage::Report || number == 1 {
                    return Err(fail(Kind::DamagedLine { number }).into());
                }
                read.has_damage = true;
                continue;
            }
            must_have |= checked.is_some();
            if let Some(expect) = expect.take() {
                let heading = serde_json::from_slice(&line).map_err(|_| fail(Kind::Foreign))?;
                expect(&heading)?;
                read.heading = Some(heading);
            } else {
                let record = serde_json::from_slice(&line).map_err(|error| {
                    let reason = format!("line {number}: {error}");
                    fail(Kind::Malformed { reason })
                })?;
                read.records.push(record);
            }
            read.length += line.len() as u64;
            if damage == Damage::Repair {
                read.good.extend(line);
            }
        }
        Ok(read)
    }
}

/// Opens a regular file for reading and writing, creates it if it does not exist, and locks it while it is open.
/// `None` if another program has locked it, or is about to replace it by an [`OutputFile`](crate::OutputFile).
///
/// # Errors
///
/// If the file cannot be opened or is not regular.
pub fn open_alone(path: impl AsRef<Path>) -> io::Result<Option<LockedFile>> {
    let path = path.as_ref();
    // Reading a device or a pipe might never end.
    if fs::metadata(path).is_ok_and(|data| !data.is_file()) {
        return Err(Kind::NotAFile.into());
    }
    if let Resolved::Path(target) = resolve(path)?
        && is_being_replaced(&target)
    {
        return Ok(None);
    }
    lock_unseen(path)
}

/// The second part of [`open_alone`], after the check of the name. Since that check the name may have become the name
/// of another file.
pub(crate) fn lock_unseen(path: &Path) -> io::Result<Option<LockedFile>> {
    let file = without_waiting(OpenOptions::new().read(true).write(true))
        .create(true)
        .truncate(false)
        .open(path)?;
    if !file.metadata()?.is_file() {
        return Err(Kind::NotAFile.into());
    }
    // Where there are no locks, the user must avoid two writers.
    Ok(LockedFile::new(file))
}

/// How a line with a checksum begins, up to its eight digits.
const PREFIX: &str = "{\"crc32\":\"";

/// The bytes between the digits and the covered bytes.
const AFTER_DIGITS: &str = "\",";

/// A heading or a record as a line with a checksum.
fn line_of(path: &Path, value: &impl Serialize) -> Result<String, StoreError> {
    let unwritable = |reason: &str| {
        let reason = reason.to_owned();
        StoreError::new(path, Kind::Unwritable { reason })
    };
    let object = serde_json::to_string(value).map_err(|error| unwritable(&error.to_string()))?;
    let fields = object.strip_prefix('{').filter(|rest| *rest != "}");
    let fields = fields.ok_or_else(|| unwritable("it is not an object with fields"))?;
    let checksum = crc32fast::hash(fields.as_bytes());
    Ok(format!("{PREFIX}{checksum:08x}{AFTER_DIGITS}{fields}\n"))
}

/// Whether the checksum of a line is right; `None` if it has none.
fn checksum_is_right(line: &[u8]) -> Option<bool> {
    let rest = line.strip_prefix(PREFIX.as_bytes())?;
    let (digits, fields) = rest.split_at_checked(8)?;
    let fields = fields.strip_prefix(AFTER_DIGITS.as_bytes())?;
    let checksum = crc32fast::hash(fields.strip_suffix(b"\n")?);
    Some(format!("{checksum:08x}").as_bytes() == digits)
}
