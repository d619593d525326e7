//! Positions on disk, compressed: chunks of samples, byte columns first.
//!
//! A chunk is three little-endian `u32` (the number of samples, the length of the data, and a CRC-32 of these two
//! numbers and the data) and the data: the samples' first bytes, then their second bytes and so on, compressed by
//! zstd. Bytes of one column are alike (kings' squares, high bytes of scores), so a position takes about half of its
//! 32 bytes.

use std::io::{self, Read, Write};

use crate::sample::Sample;

/// The level of compression. Higher levels gain less than a hundredth.
const LEVEL: i32 = 1;
const HEADER: usize = 12;
/// The most samples of a chunk.
pub(crate) const MOST: usize = 1 << 24;

/// What is wrong with a chunk.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ChunkError {
    /// The chunk cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The input ends within the chunk.
    #[error("the data end within it")]
    Short,
    /// The chunk does not match its checksum, or holds no samples.
    #[error("it is damaged")]
    Damaged,
}

/// Writes a chunk of at most [`MOST`] samples, and returns its length in bytes.
pub(crate) fn write(out: &mut impl Write, samples: &[Sample]) -> io::Result<u64> {
    let count = samples.len();
    let mut columns = vec![0; count * Sample::BYTES];
    for (at, sample) in samples.iter().enumerate() {
        for (column, byte) in sample.to_bytes().into_iter().enumerate() {
            columns[column * count + at] = byte;
        }
    }
    let data = zstd::bulk::compress(&columns, LEVEL)?;
    let sizes = [count as u32, data.len() as u32].map(u32::to_le_bytes);
    out.write_all(sizes.as_flattened())?;
    out.write_all(&checksum(sizes, &data).to_le_bytes())?;
    out.write_all(&data)?;
    Ok((HEADER + data.len()) as u64)
}

/// Reads a chunk and appends its samples to `samples`. Returns its length in bytes, 0 at the end of the input.
pub(crate) fn read(input: &mut impl Read, samples: &mut Vec<Sample>) -> Result<u64, ChunkError> {
    let mut header = Vec::with_capacity(HEADER);
    input
        .by_ref()
        .take(HEADER as u64)
        .read_to_end(&mut header)?;
    if header.is_empty() {
        return Ok(0);
    }
    let (&[count, len, sum], []) = header.as_chunks::<4>() else {
        return Err(ChunkError::Short);
    };
    let (samples_here, bytes) = (
        u32::from_le_bytes(count) as usize,
        u32::from_le_bytes(len) as usize,
    );
    // Incompressible data grow by less than this.
    if samples_here > MOST || bytes > samples_here * Sample::BYTES * 2 + 1024 {
        return Err(ChunkError::Damaged);
    }
    let mut data = Vec::new();
    input.by_ref().take(bytes as u64).read_to_end(&mut data)?;
    if data.len() < bytes {
        return Err(ChunkError::Short);
    }
    if checksum([count, len], &data).to_le_bytes() != sum {
        return Err(ChunkError::Damaged);
    }
    let columns = zstd::bulk::decompress(&data, samples_here * Sample::BYTES)
        .ok()
        .filter(|columns| columns.len() == samples_here * Sample::BYTES)
        .ok_or(ChunkError::Damaged)?;
    samples.reserve(samples_here);
    let mut row = [0; Sample::BYTES];
    for at in 0..samples_here {
        for (column, byte) in row.iter_mut().enumerate() {
            *byte = columns[column * samples_here + at];
        }
        samples.push(Sample::from_bytes(&row).ok_or(ChunkError::Damaged)?);
    }
    Ok((HEADER + bytes) as u64)
}

fn checksum(sizes: [[u8; 4]; 2], data: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(sizes.as_flattened());
    hasher.update(data);
    hasher.finalize()
}
