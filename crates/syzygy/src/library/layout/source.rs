//! A file that is read in few and bounded steps.

use std::io::{BufReader, Read, Seek};

/// How much is read at once: most headers are shorter.
const CHUNK: usize = 16 << 10;

/// A file of a known length, and a place in it. Whatever would be read past its end is `None`, as
/// is what cannot be read.
pub(super) struct Source<R> {
    reader: BufReader<R>,
    at: u64,
    length: u64,
}

impl<R: Read + Seek> Source<R> {
    /// Begins at the beginning.
    pub(super) fn new(reader: R, length: u64) -> Self {
        Self {
            reader: BufReader::with_capacity(CHUNK, reader),
            at: 0,
            length,
        }
    }

    pub(super) fn length(&self) -> u64 {
        self.length
    }

    pub(super) fn at(&self) -> u64 {
        self.at
    }

    /// Goes to a place.
    pub(super) fn go_to(&mut self, at: u64) -> Option<()> {
        if at > self.length {
            return None;
        }
        let step = at.cast_signed() - self.at.cast_signed();
        // The buffer is kept if the place is in it.
        self.reader.seek_relative(step).ok()?;
        self.at = at;
        Some(())
    }

    /// Goes on by so many bytes.
    pub(super) fn skip(&mut self, count: u64) -> Option<()> {
        self.go_to(self.at.checked_add(count)?)
    }

    /// Goes on to the next even place.
    pub(super) fn align(&mut self) -> Option<()> {
        self.skip(self.at % 2)
    }

    /// The next bytes.
    pub(super) fn bytes(&mut self, count: u64) -> Option<Vec<u8>> {
        if count > self.length - self.at {
            return None;
        }
        let mut bytes = vec![0; usize::try_from(count).ok()?];
        self.reader.read_exact(&mut bytes).ok()?;
        self.at += count;
        Some(bytes)
    }

    /// The next bytes, of a fixed number.
    pub(super) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N as u64)?.try_into().ok()
    }

    /// The next number of two bytes.
    pub(super) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    /// The next numbers of two bytes.
    pub(super) fn u16s(&mut self, count: u64) -> Option<Vec<u16>> {
        let bytes = self.bytes(count.checked_mul(2)?)?;
        let numbers = bytes.chunks_exact(2);
        Some(
            numbers
                .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
                .collect(),
        )
    }
}
