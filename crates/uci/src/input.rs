//! Reads lines of any content from stdin.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::SyncSender;

/// The longest line that is read, in bytes: a game of a hundred thousand moves fits.
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// One input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A line without its line break. Bytes that are not UTF-8 are replaced, and NUL bytes become blanks.
    Line {
        /// The text.
        text: String,
        /// What was replaced, if anything.
        repaired: Option<Repair>,
    },
    /// A line longer than [`MAX_LINE_BYTES`], which was skipped.
    TooLong,
    /// The end of the input.
    End,
}

/// What was replaced in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repair {
    /// NUL bytes.
    Nul,
    /// Bytes that are not UTF-8.
    NotUtf8,
}

/// Reads lines from anything that can be read.
#[derive(Debug)]
pub struct Lines<R> {
    from: BufReader<R>,
    buffer: Vec<u8>,
    first: bool,
}

impl<R: Read> Lines<R> {
    /// Lines from `from`.
    pub fn new(from: R) -> Self {
        Self {
            from: BufReader::new(from),
            buffer: Vec::new(),
            first: true,
        }
    }

    /// The next line. A read error counts as the end of the input.
    pub fn next_line(&mut self) -> Input {
        self.buffer.clear();
        let mut some = (&mut self.from).take(MAX_LINE_BYTES as u64 + 1);
        _ = some.read_until(b'\n', &mut self.buffer);
        if self.buffer.is_empty() {
            return Input::End;
        }
        let has_break = self.buffer.pop_if(|byte| *byte == b'\n').is_some();
        if !has_break && self.buffer.len() > MAX_LINE_BYTES {
            _ = self.from.skip_until(b'\n');
            self.buffer.clear();
            self.buffer.shrink_to(1 << 16);
            return Input::TooLong;
        }
        let mut line = self.buffer.as_slice();
        if std::mem::take(&mut self.first) {
            // Some shells write a byte-order mark at the start of a pipe.
            line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        }
        let text = String::from_utf8_lossy(line);
        let repaired = if matches!(text, Cow::Owned(_)) {
            Some(Repair::NotUtf8)
        } else if text.contains('\0') {
            Some(Repair::Nul)
        } else {
            None
        };
        Input::Line {
            text: text.replace('\0', " "),
            repaired,
        }
    }
}

/// Reads the lines of stdin on a thread of its own and sends them, until the input ends or nothing receives them.
///
/// # Errors
///
/// If the system starts no thread.
pub(crate) fn read_stdin(sender: SyncSender<Input>) -> io::Result<()> {
    let reader = std::thread::Builder::new().name("skewer-stdin".to_owned());
    reader.spawn(move || {
        let mut lines = Lines::new(io::stdin());
        loop {
            let input = lines.next_line();
            let ended = input == Input::End;
            if sender.send(input).is_err() || ended {
                return;
            }
        }
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<Input> {
        let mut lines = Lines::new(bytes);
        let mut all = Vec::new();
        loop {
            match lines.next_line() {
                Input::End => return all,
                line => all.push(line),
            }
        }
    }

    fn line(text: &str) -> Input {
        Input::Line {
            text: text.to_owned(),
            repaired: None,
        }
    }

    #[test]
    fn lines_with_and_without_a_break_at_the_end() {
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"a\nb\n"), [line("a"), line("b")]);
        assert_eq!(lines(b"a\n\nb"), [line("a"), line(""), line("b")]);
    }

    #[test]
    fn a_byte_order_mark_is_not_part_of_the_line() {
        assert_eq!(lines(b"\xEF\xBB\xBFuci\nuci"), [line("uci"), line("uci")]);
    }

    #[test]
    fn invalid_utf8_is_replaced() {
        assert_eq!(
            lines(b"a\0b\n\xFFc\n"),
            [
                Input::Line {
                    text: "a b".into(),
                    repaired: Some(Repair::Nul)
                },
                Input::Line {
                    text: "\u{FFFD}c".into(),
                    repaired: Some(Repair::NotUtf8)
                },
            ]
        );
    }

    #[test]
    fn a_line_without_end_takes_bounded_memory() {
        let mut bytes = vec![b'x'; 5 << 20];
        bytes.extend_from_slice(b"\nuci\n");
        let mut input = Lines::new(bytes.as_slice());
        assert_eq!(input.next_line(), Input::TooLong);
        assert!(input.buffer.capacity() <= 4 * MAX_LINE_BYTES);
        assert_eq!(input.next_line(), line("uci"));
        let exact = vec![b'x'; MAX_LINE_BYTES];
        assert_eq!(lines(&exact), [line(std::str::from_utf8(&exact).unwrap())]);
    }
}
