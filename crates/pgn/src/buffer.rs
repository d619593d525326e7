//! A buffer for a byte stream, which shows the next bytes as a slice and drops the bytes read. It grows
//! only for a single long token, and only up to a limit.

use std::io::{self, Read};

use crate::params::{CHUNK, LONGEST_TOKEN};

/// Bytes `start..end` of `data` are still to be read; the byte before `start` is kept if
/// there is one, because some rules depend on it.
#[derive(Debug)]
pub(crate) struct Buffer<R> {
    source: R,
    data: Vec<u8>,
    start: usize,
    end: usize,
    finished: bool,
    /// Bytes that were dropped from the buffer.
    gone: u64,
    /// Line ends before `counted`.
    lines: u64,
    counted: usize,
}

impl<R: Read> Buffer<R> {
    pub(crate) fn new(source: R) -> Self {
        Self {
            source,
            data: vec![0; 2 * CHUNK],
            start: 0,
            end: 0,
            finished: false,
            gone: 0,
            lines: 0,
            counted: 0,
        }
    }

    /// The bytes in the buffer that are not read yet.
    #[inline]
    pub(crate) fn ahead(&self) -> &[u8] {
        &self.data[self.start..self.end]
    }

    /// The byte just before [`ahead`](Self::ahead); a line end at the very beginning.
    #[inline]
    pub(crate) fn before(&self) -> u8 {
        if self.start == 0 {
            b'\n'
        } else {
            self.data[self.start - 1]
        }
    }

    #[inline]
    pub(crate) fn skip(&mut self, bytes: usize) {
        debug_assert!(self.start + bytes <= self.end);
        self.start += bytes;
    }

    /// Reads until `bytes` bytes are ahead or the source ends.
    #[inline]
    pub(crate) fn want(&mut self, bytes: usize) -> io::Result<()> {
        if self.end - self.start >= bytes || self.finished {
            Ok(())
        } else {
            self.fill(bytes)
        }
    }

    /// Whether everything has been read.
    #[inline]
    fn at_end(&self) -> bool {
        self.finished && self.start == self.end
    }

    /// Skips the rest of the line.
    pub(crate) fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let ahead = self.ahead();
            if let Some(end) = memchr::memchr(b'\n', ahead) {
                self.skip(end + 1);
                return Ok(());
            }
            let length = ahead.len();
            self.skip(length);
            self.want(1)?;
            if self.at_end() {
                return Ok(());
            }
        }
    }

    /// Reads on until `find` finds something among the bytes ahead, of which the first `seen` are passed
    /// over. Its place and `true`; or, at the end of the source or of what a token may hold, the
    /// number of bytes ahead and `false`.
    pub(crate) fn find(
        &mut self,
        mut seen: usize,
        find: impl Fn(&[u8]) -> Option<usize>,
    ) -> io::Result<(usize, bool)> {
        loop {
            let ahead = self.ahead();
            if let Some(found) = find(&ahead[seen..]) {
                return Ok((seen + found, true));
            }
            seen = ahead.len();
            if !self.grow()? {
                return Ok((seen, false));
            }
        }
    }

    /// Whether a token fills the buffer and is too long.
    pub(crate) fn is_full(&self) -> bool {
        self.end - self.start >= LONGEST_TOKEN
    }

    /// Reads more bytes. `false` at the end of the source, or if a token would be too long.
    fn grow(&mut self) -> io::Result<bool> {
        let now = self.end - self.start;
        if self.finished || self.is_full() {
            return Ok(false);
        }
        self.fill(now + 1)?;
        Ok(self.end - self.start > now)
    }

    #[cold]
    fn fill(&mut self, bytes: usize) -> io::Result<()> {
        // Drop the bytes read, except one.
        let forget = self.start.saturating_sub(1);
        if forget > 0 {
            self.count_lines(self.start);
            self.data.copy_within(forget..self.end, 0);
            self.start -= forget;
            self.end -= forget;
            self.counted -= forget;
            self.gone += forget as u64;
        }
        if self.data.len() < self.start + bytes + CHUNK {
            let grown = (self.start + bytes + CHUNK).max(self.data.len() * 2);
            self.data.resize(grown.min(LONGEST_TOKEN + 4 * CHUNK), 0);
        }
        while self.end - self.start < bytes && self.end < self.data.len() {
            match self.source.read(&mut self.data[self.end..]) {
                Ok(0) => {
                    self.finished = true;
                    break;
                }
                Ok(read) => self.end += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn count_lines(&mut self, upto: usize) {
        if upto > self.counted {
            let passed = &self.data[self.counted..upto];
            self.lines += memchr::memchr_iter(b'\n', passed).count() as u64;
            self.counted = upto;
        }
    }

    /// The line, from 1, of the next byte to read.
    pub(crate) fn line(&mut self) -> u64 {
        self.count_lines(self.start);
        self.lines + 1
    }

    /// Bytes read so far.
    pub(crate) fn offset(&self) -> u64 {
        self.gone + self.start as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte at a time, as a slow pipe may.
    struct Drip<'a>(&'a [u8]);

    impl Read for Drip<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let Some((first, rest)) = self.0.split_first() else {
                return Ok(0);
            };
            out[0] = *first;
            self.0 = rest;
            Ok(1)
        }
    }

    #[test]
    fn counts_lines_and_bytes_in_chunks_of_any_size() {
        let mut buffer = Buffer::new(Drip(b"one\ntwo\n\nfour"));
        buffer.want(4).unwrap();
        assert_eq!(buffer.before(), b'\n');
        assert_eq!(buffer.ahead(), b"one\n");
        buffer.skip(4);
        assert_eq!(
            (buffer.line(), buffer.offset(), buffer.before()),
            (2, 4, b'\n')
        );
        buffer.want(100).unwrap();
        assert_eq!(buffer.ahead(), b"two\n\nfour");
        buffer.skip(9);
        assert!(buffer.at_end());
        assert_eq!(
            (buffer.line(), buffer.offset(), buffer.before()),
            (4, 13, b'r')
        );
    }

    #[test]
    fn grows_only_up_to_the_limit() {
        let mut buffer = Buffer::new(io::repeat(b'x'));
        while buffer.grow().unwrap() {}
        assert!(buffer.ahead().len() >= LONGEST_TOKEN);
        assert!(buffer.data.len() <= LONGEST_TOKEN + 4 * CHUNK);
        for _ in 0..64 {
            buffer.skip(LONGEST_TOKEN / 2);
            buffer.want(LONGEST_TOKEN / 2).unwrap();
        }
        assert!(buffer.data.len() <= LONGEST_TOKEN + 4 * CHUNK);
    }
}
