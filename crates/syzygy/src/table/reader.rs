//! Reads the numbers of a table's header in order.

use crate::error::Fault;
use crate::source::Source;

/// How much of a file is read at once.
const CHUNK: u64 = 1 << 15;

/// Reads a header from its beginning on.
pub(crate) struct Reader<'a> {
    source: &'a Source,
    at: u64,
    /// Bytes of the file from `chunk_at` on.
    chunk: Vec<u8>,
    chunk_at: u64,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(source: &'a Source) -> Self {
        Self {
            source,
            at: 0,
            chunk: Vec::new(),
            chunk_at: 0,
        }
    }

    /// Where the next byte is read from.
    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    /// The next bytes.
    pub(crate) fn bytes(&mut self, count: usize) -> Result<&[u8], Fault> {
        let end = self.at + count as u64;
        if end > self.source.length() {
            return Err(Fault::damaged(self.at, "the file ends within its header"));
        }
        if end > self.chunk_at + self.chunk.len() as u64 {
            let length = CHUNK.max(count as u64).min(self.source.length() - self.at);
            self.chunk = self.source.read(self.at, length as usize)?;
            self.chunk_at = self.at;
        }
        let from = (self.at - self.chunk_at) as usize;
        self.at = end;
        Ok(&self.chunk[from..from + count])
    }

    /// The next bytes, a fixed number of them.
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let mut array = [0; N];
        array.copy_from_slice(self.bytes(N)?);
        Ok(array)
    }

    /// The next integer of two bytes.
    pub(crate) fn u16(&mut self) -> Result<u16, Fault> {
        self.array().map(u16::from_le_bytes)
    }

    /// The next integers of two bytes.
    pub(crate) fn u16s(&mut self, count: usize) -> Result<Vec<u16>, Fault> {
        let pairs = self.bytes(2 * count)?.chunks_exact(2);
        Ok(pairs
            .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
            .collect())
    }

    /// Skips to the next multiple of `to`.
    pub(crate) fn align(&mut self, to: u64) -> Result<(), Fault> {
        let skipped = self.at.next_multiple_of(to) - self.at;
        self.bytes(skipped as usize).map(drop)
    }
}
