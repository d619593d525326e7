//! The records of a journal, in bytes.
//!
//! After the header, each record is 16 bytes and its contents: the contents' length, the
//! record's number, the contents' CRC-32, and a CRC-32 of these three and of the file's own
//! header, all 32 bits, little-endian. So a record can be recognised wherever it begins, and
//! damage in the middle is distinguished from an incomplete last record.

use std::io::{self, BufRead, Read};

/// The bytes before each record's contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RecordHead {
    length: u32,
    pub(super) number: u32,
    checksum: u32,
}

impl RecordHead {
    pub(super) const SIZE: usize = 16;

    pub(super) fn of(contents: &[u8], number: u32) -> Self {
        Self {
            length: contents.len() as u32,
            number,
            checksum: crc32fast::hash(contents),
        }
    }

    pub(super) fn encode(self, salt: u32) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        let words = [self.length, self.number, self.checksum];
        for (place, word) in bytes.chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        let seal = seal(&bytes[..12], salt);
        bytes[12..].copy_from_slice(&seal.to_le_bytes());
        bytes
    }

    fn decode(bytes: [u8; Self::SIZE], salt: u32) -> Option<Self> {
        let word = |at: usize| {
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        (word(12) == seal(&bytes[..12], salt)).then(|| Self {
            length: word(0),
            number: word(4),
            checksum: word(8),
        })
    }
}

fn seal(bytes: &[u8], salt: u32) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(salt);
    hasher.update(bytes);
    hasher.finalize()
}

/// Reads the record with this `number`, which has at most `room` bytes, and returns how many it
/// took; `None` if what is there is not that record, or not all of it.
pub(super) fn read_record(
    source: &mut impl Read,
    salt: u32,
    number: u32,
    room: u64,
    contents: &mut Vec<u8>,
) -> io::Result<Option<u64>> {
    let read = read_any_record(source, salt, room, contents)?;
    Ok(read.and_then(|(head, size)| (head.number == number).then_some(size)))
}

/// Reads a record of at most `room` bytes; `None` if there is no complete one.
pub(super) fn read_any_record(
    source: &mut impl Read,
    salt: u32,
    room: u64,
    contents: &mut Vec<u8>,
) -> io::Result<Option<(RecordHead, u64)>> {
    let mut head = [0; RecordHead::SIZE];
    if room < head.len() as u64 {
        return Ok(None);
    }
    source.read_exact(&mut head)?;
    let room = room - head.len() as u64;
    let head = match RecordHead::decode(head, salt) {
        Some(head) if u64::from(head.length) <= room => head,
        _ => return Ok(None),
    };
    // Within `room`, so no more than there is in the file.
    contents.resize(head.length as usize, 0);
    source.read_exact(contents)?;
    let size = (RecordHead::SIZE + contents.len()) as u64;
    Ok((crc32fast::hash(contents) == head.checksum).then_some((head, size)))
}

/// Finds the first record numbered `least` or later that begins in the next `room` bytes, and
/// returns how many bytes are before it. Its contents are not checked.
pub(super) fn find_record(
    source: impl BufRead,
    salt: u32,
    least: u32,
    room: u64,
) -> io::Result<Option<u64>> {
    let mut window = [0; RecordHead::SIZE];
    let mut seen = 0;
    for byte in source.bytes().take(room as usize) {
        window.rotate_left(1);
        window[RecordHead::SIZE - 1] = byte?;
        seen += 1;
        if seen < RecordHead::SIZE as u64 {
            continue;
        }
        if let Some(head) = RecordHead::decode(window, salt)
            && head.number >= least
            && u64::from(head.length) <= room - seen
        {
            return Ok(Some(seen - RecordHead::SIZE as u64));
        }
    }
    Ok(None)
}
