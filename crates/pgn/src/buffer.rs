//! A buffer for a byte stream, which shows the next bytes as a slice and drops the bytes read. It grows
//! only for a single long token, and only up to a limit.
//!
//! It hides how files differ: UTF-16 is shown as UTF-8, and a line ends with a line feed, also where the file has
//! a carriage return alone. Bytes that are not text are an error.

use std::io::{self, Read};

use memchr::{memchr, memchr_iter, memrchr};

use crate::foreign::{Foreign, HEAD};
use crate::params::{CHUNK, LONGEST_TOKEN};
use crate::{Location, utf16};

/// Bytes `start..end` of `data` are still to be read; the byte before `start` is kept if
/// there is one, because some rules depend on it.
#[derive(Debug)]
pub(crate) struct Buffer<R> {
    source: R,
    data: Vec<u8>,
    start: usize,
    end: usize,
    finished: bool,
    /// `None` before anything was read.
    encoding: Option<Encoding>,
    /// Whether a carriage return stands at `end`, and the byte after it is not known yet.
    held: bool,
    /// Bytes that were dropped from the buffer.
    gone: u64,
    /// How many line ends are before `counted`, and how many characters the last line has before it.
    lines: u64,
    column: u64,
    counted: usize,
}

/// How the bytes of a source encode text.
#[derive(Debug)]
enum Encoding {
    /// UTF-8 or an encoding with one byte for each character.
    Bytes,
    /// UTF-16.
    Utf16 {
        decoder: utf16::Decoder,
        /// Bytes that were read from the source.
        read: u64,
    },
}

impl<R: Read> Buffer<R> {
    pub(crate) fn new(source: R) -> Self {
        Self {
            source,
            data: vec![0; 2 * CHUNK],
            start: 0,
            end: 0,
            finished: false,
            encoding: None,
            held: false,
            gone: 0,
            lines: 0,
            column: 0,
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
            if let Some(end) = memchr(b'\n', ahead) {
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

    /// Reads on until `find` finds something among the bytes ahead, without the first `seen` bytes. Returns its place
    /// and `true`. At the end of the source, and when a token is as long as it may be, returns the number of bytes
    /// ahead and `false`.
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
        // Drop the bytes that were read, except the last one.
        let forget = self.start.saturating_sub(1);
        if forget > 0 {
            self.count_lines(self.start);
            let end = self.end + usize::from(self.held);
            self.data.copy_within(forget..end, 0);
            self.start -= forget;
            self.end -= forget;
            self.counted -= forget;
            self.gone += forget as u64;
        }
        if self.data.len() < self.start + bytes + CHUNK {
            let grown = (self.start + bytes + CHUNK).max(self.data.len() * 2);
            self.data.resize(grown.min(LONGEST_TOKEN + 4 * CHUNK), 0);
        }
        if self.encoding.is_none() {
            self.begin()?;
        }
        while self.end - self.start < bytes && !self.finished {
            let from = self.end + usize::from(self.held);
            if self.data.len() - from < utf16::LEAST_OUTPUT {
                break;
            }
            let read = self.read(from)?;
            self.finished = read == 0;
            self.end_lines(from + read);
        }
        Ok(())
    }

    /// Reads the first bytes, and finds out what they are.
    fn begin(&mut self) -> io::Result<()> {
        let mut end = 0;
        while end < HEAD {
            match self.source.read(&mut self.data[end..]) {
                Ok(0) => break,
                Ok(read) => end += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let head = &self.data[..end];
        if let Some(mut decoder) = utf16::Decoder::of(head) {
            let head = head.to_vec();
            // Two bytes become at most three.
            self.data.resize(self.data.len().max(2 * end), 0);
            end = decoder.decode(&head, &mut self.data);
            let read = head.len() as u64;
            self.encoding = Some(Encoding::Utf16 { decoder, read });
        } else if let Some(foreign) = Foreign::of(head) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, foreign));
        } else {
            self.encoding = Some(Encoding::Bytes);
        }
        self.end_lines(end);
        Ok(())
    }

    /// Reads bytes of text to `data[from..]`; 0 at the end of the source.
    fn read(&mut self, from: usize) -> io::Result<usize> {
        loop {
            let read = match &mut self.encoding {
                Some(Encoding::Utf16 { decoder, read }) => {
                    decoder.read(&mut self.source, read, &mut self.data[from..])
                }
                _ => self.source.read(&mut self.data[from..]),
            };
            match read {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }

    /// Takes the bytes up to `upto` into the buffer, with a line feed in place of every carriage return without one.
    fn end_lines(&mut self, upto: usize) {
        let mut at = self.end;
        self.end = upto;
        self.held = false;
        while let Some(found) = memchr(b'\r', &self.data[at..upto]) {
            at += found + 1;
            if at == upto && !self.finished {
                self.end -= 1;
                self.held = true;
            } else if at == upto || self.data[at] != b'\n' {
                self.data[at - 1] = b'\n';
            }
        }
    }

    fn count_lines(&mut self, upto: usize) {
        if upto > self.counted {
            let mut passed = &self.data[self.counted..upto];
            if let Some(last) = memrchr(b'\n', passed) {
                self.lines += memchr_iter(b'\n', passed).count() as u64;
                self.column = 0;
                passed = &passed[last + 1..];
            }
            self.column += characters(passed) as u64;
            self.counted = upto;
        }
    }

    /// Where the next byte to read is.
    pub(crate) fn location(&mut self) -> Location {
        self.count_lines(self.start);
        Location {
            line: self.lines + 1,
            column: self.column + 1,
        }
    }

    /// Where the word just before the next byte to read begins. No bytes may have been read into the buffer since the
    /// word was passed.
    pub(crate) fn location_of_last_word(&mut self) -> Location {
        let before = &self.data[self.counted.min(self.start)..self.start];
        let is_blank = |byte: &u8| byte.is_ascii_whitespace();
        let word = before.iter().rposition(is_blank).map_or(0, |at| at + 1);
        let begins = self.start - (before.len() - word);
        self.count_lines(begins);
        Location {
            line: self.lines + 1,
            column: self.column + 1,
        }
    }

    /// The line, from 1, of the next byte to read.
    pub(crate) fn line(&mut self) -> u64 {
        self.count_lines(self.start);
        self.lines + 1
    }

    /// Bytes of the source read so far.
    pub(crate) fn offset(&self) -> u64 {
        match self.encoding {
            Some(Encoding::Utf16 { read, .. }) => read,
            _ => self.gone + self.start as u64,
        }
    }
}

/// How many characters these bytes are. Each byte that is not UTF-8 is one character.
fn characters(bytes: &[u8]) -> usize {
    if bytes.is_ascii() {
        return bytes.len();
    }
    let chunks = bytes.utf8_chunks();
    chunks
        .map(|chunk| chunk.valid().chars().count() + chunk.invalid().len())
        .sum()
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
        assert!(buffer.ahead().starts_with(b"one\n"));
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

    /// A carriage return ends a line unless a line feed does, wherever a read ends.
    #[test]
    fn lines_end_in_any_way() {
        let mut buffer = Buffer::new(Drip(b"one\rtwo\r\nthree\r\rfour\r"));
        buffer.want(100).unwrap();
        assert_eq!(buffer.ahead(), b"one\ntwo\r\nthree\n\nfour\n");
        // Also where bytes are dropped before the next one is known.
        let mut text = vec![b'x'; HEAD];
        text[HEAD - 1] = b'\r';
        let mut buffer = Buffer::new(Drip(&text));
        buffer.want(HEAD - 1).unwrap();
        buffer.skip(HEAD - 2);
        buffer.want(100).unwrap();
        assert_eq!(buffer.ahead(), b"x\n");
    }

    #[test]
    fn locations_count_characters() {
        let mut buffer = Buffer::new(Drip("one\ntw♘♘o".as_bytes()));
        buffer.want(100).unwrap();
        buffer.skip(2);
        assert_eq!(buffer.location().to_string(), "line 1, column 3");
        buffer.skip(4);
        assert_eq!(buffer.location().to_string(), "line 2, column 3");
        buffer.skip(6);
        assert_eq!(buffer.location().to_string(), "line 2, column 5");
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
