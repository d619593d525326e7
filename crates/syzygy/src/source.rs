//! Where the bytes of a table come from: memory, a mapping, or reads at a position.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::error::Fault;

/// Reads up to this length use a buffer on the stack.
const SMALL: usize = 64;

/// The message of a fault for a read beyond the end.
const BEYOND_END: &str = "refers to a place beyond the end of the file";

/// Bytes that can be read at a position from any number of threads at once.
pub(crate) trait Bytes {
    /// Calls `read` with the `length` bytes that begin at `at`.
    fn with<R>(&self, at: u64, length: usize, read: impl FnOnce(&[u8]) -> R) -> Result<R, Fault>;
}

impl Bytes for [u8] {
    #[inline]
    fn with<R>(&self, at: u64, length: usize, read: impl FnOnce(&[u8]) -> R) -> Result<R, Fault> {
        let range = usize::try_from(at)
            .ok()
            .and_then(|at| self.get(at..at.checked_add(length)?));
        range
            .map(read)
            .ok_or_else(|| Fault::damaged(at, BEYOND_END))
    }
}

/// A file that is read at positions.
#[derive(Debug)]
pub(crate) struct Positioned {
    file: File,
    length: u64,
}

impl Bytes for Positioned {
    fn with<R>(&self, at: u64, length: usize, read: impl FnOnce(&[u8]) -> R) -> Result<R, Fault> {
        // Check before allocating, because a damaged file can contain any length.
        if at
            .checked_add(length as u64)
            .is_none_or(|end| end > self.length)
        {
            return Err(Fault::damaged(at, BEYOND_END));
        }
        let mut small = [0; SMALL];
        let mut large = Vec::new();
        let buffer = if let Some(buffer) = small.get_mut(..length) {
            buffer
        } else {
            large.resize(length, 0);
            &mut large
        };
        read_exact_at(&self.file, buffer, at)?;
        Ok(read(buffer))
    }
}

/// Fills `buffer` with the bytes from `at` on.
#[cfg(unix)]
fn read_exact_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, at)
}

/// Fills `buffer` with the bytes from `at` on.
#[cfg(windows)]
fn read_exact_at(file: &File, mut buffer: &mut [u8], mut at: u64) -> io::Result<()> {
    // `seek_read` moves the file's cursor, but nothing here uses the cursor.
    while !buffer.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, buffer, at) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => {
                buffer = &mut buffer[read..];
                at += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// How the bytes of files are accessed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Access {
    /// Files of at most `whole` bytes are read whole, others at positions.
    Read { whole: u64 },
    /// Files are mapped.
    #[cfg(feature = "memmap2")]
    Map,
}

/// The bytes of a table.
#[derive(Debug)]
pub(crate) enum Source {
    /// The whole file.
    Memory(Box<[u8]>),
    /// The file, mapped.
    #[cfg(feature = "memmap2")]
    Mapped(memmap2::Mmap),
    /// The file, read at positions.
    Positioned(Positioned),
}

impl Source {
    /// Opens a file.
    pub(crate) fn open(path: &Path, access: Access) -> Result<Self, Fault> {
        let not_regular = Err(Fault::Unusable("not a regular file"));
        // Opening a FIFO waits for a writer.
        if !std::fs::metadata(path)?.is_file() {
            return not_regular;
        }
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return not_regular;
        }
        let length = metadata.len();
        match access {
            // Only on Unix and Windows does the standard library have reads at a position, which
            // threads can share.
            Access::Read { whole } if length <= whole || !cfg!(any(unix, windows)) => {
                read_whole(file)
            }
            Access::Read { .. } => Ok(Self::Positioned(Positioned { file, length })),
            #[cfg(feature = "memmap2")]
            Access::Map => map(&file).map(Self::Mapped),
        }
    }

    pub(crate) fn length(&self) -> u64 {
        match self {
            Self::Memory(bytes) => bytes.len() as u64,
            #[cfg(feature = "memmap2")]
            Self::Mapped(bytes) => bytes.len() as u64,
            Self::Positioned(file) => file.length,
        }
    }

    /// The bytes from `at` on, copied.
    pub(crate) fn read(&self, at: u64, length: usize) -> Result<Vec<u8>, Fault> {
        match self {
            Self::Memory(bytes) => bytes.with(at, length, <[u8]>::to_vec),
            #[cfg(feature = "memmap2")]
            Self::Mapped(bytes) => bytes.with(at, length, <[u8]>::to_vec),
            Self::Positioned(file) => file.with(at, length, <[u8]>::to_vec),
        }
    }
}

fn read_whole(mut file: File) -> Result<Source, Fault> {
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut file, &mut bytes)?;
    Ok(Source::Memory(bytes.into()))
}

/// Fills `buffer` with the bytes from `at` on.
#[cfg(not(any(unix, windows)))]
fn read_exact_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Maps a file into memory.
#[cfg(feature = "memmap2")]
#[expect(
    unsafe_code,
    reason = "a mapping changes when its file does, which no type can rule out"
)]
fn map(file: &File) -> Result<memmap2::Mmap, Fault> {
    // SAFETY: The mapping is read-only and private to this table, and its bytes are read with plain
    // loads through bounds-checked slices. The remaining condition is that the file is not changed
    // or truncated while it is mapped, by this process or another one: tables are written once, and
    // `TablesBuilder::map_files` states it as a condition of its use.
    let map = unsafe { memmap2::Mmap::map(file)? };
    // A probe reads three short, unrelated ranges. Reading ahead would evict pages for nothing.
    #[cfg(unix)]
    let _ = map.advise(memmap2::Advice::Random);
    Ok(map)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_beyond_the_end_are_faults() {
        let bytes: &[u8] = &[1, 2, 3, 4];
        assert_eq!(bytes.with(1, 2, <[u8]>::to_vec).unwrap(), [2, 3]);
        for (at, length) in [(3, 2), (5, 0), (0, 5), (u64::MAX, 1), (1, usize::MAX)] {
            assert!(
                bytes.with(at, length, <[u8]>::len).is_err(),
                "{at}, {length}"
            );
        }
    }

    #[test]
    fn files_are_read_alike_whole_and_in_pieces() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let bytes: Vec<u8> = (0..200).collect();
        std::fs::write(file.path(), &bytes).unwrap();
        for whole in [0, 200] {
            let source = Source::open(file.path(), Access::Read { whole }).unwrap();
            assert_eq!(source.length(), 200);
            assert_eq!(source.read(50, 100).unwrap(), bytes[50..150]);
            assert_eq!(source.read(190, 10).unwrap(), bytes[190..]);
            assert!(source.read(190, 11).is_err());
            assert!(source.read(u64::MAX, 11).is_err());
        }
    }
}
