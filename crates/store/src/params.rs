//! Limits of sizes, for writing and reading.

/// The longest header that is read, in bytes. It holds two short texts and a few numbers.
pub const HEADER_LIMIT: usize = 4096;

/// The longest kind or signature, in bytes of UTF-8.
pub const TEXT_LIMIT: usize = 1024;

/// The largest value that [`save`](crate::save), [`load`](crate::load) and the value methods of
/// streams take, in bytes: 1 GiB. Larger bodies are streamed.
pub const VALUE_LIMIT: usize = 1 << 30;

/// The size of the buffer of a stream, in bytes.
pub const BUFFER: usize = 1 << 18;

/// The longest line of a journal, in bytes: 64 MiB. Each line is kept in memory while it is read.
pub const LINE_LIMIT: usize = 1 << 26;
