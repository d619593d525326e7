//! Keeping the good records of a damaged journal.

use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use super::Journal;
use super::record::{RecordHead, find_record, read_any_record};
use crate::header::Identity;
use crate::pending::PendingFile;
use crate::{StoreError, params};

/// What [`Journal::repair`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repair {
    /// How many records were kept.
    pub kept: u32,
    /// How many bytes were not part of a good record.
    pub lost_bytes: u64,
}

impl Journal {
    /// Opens a journal with damaged records and keeps the good ones, before and after the damage, in their
    /// order. If there is damage, the file is replaced atomically.
    ///
    /// ```
    /// # use skewer_store::{Identity, Journal, StoreErrorKind};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("results");
    /// # let identity = Identity::new("list of results", 1, "example");
    /// let mut journal = Journal::create(&path, &identity)?;
    /// for number in 0..9_u32 {
    ///     journal.append(&number)?;
    /// }
    /// drop(journal);
    ///
    /// let mut bytes = std::fs::read(&path)?;
    /// let middle = bytes.len() / 2;
    /// bytes[middle] ^= 1;
    /// std::fs::write(&path, bytes)?;
    /// let error = Journal::open(&path, &identity).unwrap_err();
    /// assert!(matches!(error.kind(), StoreErrorKind::DamagedRecord { .. }));
    ///
    /// let (journal, repair) = Journal::repair(&path, &identity)?;
    /// assert_eq!((journal.len(), repair.kept), (8, 8));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`StoreError`] as for [`open`](Self::open), but for damaged records; a damaged header
    /// cannot be repaired. Or if the new file cannot be written; the old one is then unchanged.
    pub fn repair(
        path: impl AsRef<Path>,
        identity: &Identity<'_>,
    ) -> Result<(Self, Repair), StoreError> {
        let path = path.as_ref();
        // Locked until the new file is in its place.
        let (journal, length) = Self::open_unchecked(path, identity)?;
        let records = journal.good_records(length)?;
        let kept_bytes: u64 = records.iter().map(|record| record.end - record.start).sum();
        let repair = Repair {
            kept: records.len() as u32,
            lost_bytes: length - journal.body - kept_bytes,
        };
        if repair.lost_bytes > 0 {
            journal.rewrite(&records)?;
        }
        drop(journal);
        Self::open(path, identity).map(|(journal, _)| (journal, repair))
    }

    /// The byte ranges of the good records in the file. Their numbers rise, but not always by one.
    fn good_records(&self, length: u64) -> Result<Vec<Range<u64>>, StoreError> {
        let reading = || StoreError::io(&self.path, "read");
        let mut records = Vec::new();
        let (mut at, mut next) = (self.body, 0);
        let mut contents = Vec::new();
        while at < length {
            let mut source = BufReader::with_capacity(params::BUFFER, &self.file);
            source.seek(SeekFrom::Start(at)).map_err(reading())?;
            // Read consecutive good records, then search for the next one.
            let room = |at| length - at;
            while let Some((head, size)) =
                read_any_record(&mut source, self.salt, room(at), &mut contents)
                    .map_err(reading())?
                && head.number >= next
            {
                records.push(at..at + size);
                at += size;
                next = head.number + 1;
            }
            if at == length {
                break;
            }
            source.seek(SeekFrom::Start(at + 1)).map_err(reading())?;
            match find_record(source, self.salt, next, room(at + 1)).map_err(reading())? {
                Some(distance) => at += 1 + distance,
                None => break,
            }
        }
        Ok(records)
    }

    /// Replaces the file by one with only these records, numbered from 0.
    fn rewrite(&self, records: &[Range<u64>]) -> Result<(), StoreError> {
        let writing = || StoreError::io(&self.path, "write");
        let (pending, file) = PendingFile::create(&self.path)?;
        let mut out = BufWriter::with_capacity(params::BUFFER, file);
        let mut source = BufReader::with_capacity(params::BUFFER, &self.file);
        source.rewind().map_err(writing())?;
        io::copy(&mut source.by_ref().take(self.body), &mut out).map_err(writing())?;
        let mut contents = Vec::new();
        for (number, record) in records.iter().enumerate() {
            source
                .seek(SeekFrom::Start(record.start + RecordHead::SIZE as u64))
                .map_err(writing())?;
            contents.clear();
            let length = record.end - record.start - RecordHead::SIZE as u64;
            source
                .by_ref()
                .take(length)
                .read_to_end(&mut contents)
                .map_err(writing())?;
            let head = RecordHead::of(&contents, number as u32);
            out.write_all(&head.encode(self.salt))
                .and_then(|()| out.write_all(&contents))
                .map_err(writing())?;
        }
        let file = out
            .into_inner()
            .map_err(|error| writing()(error.into_error()))?;
        pending.publish(file)
    }
}
