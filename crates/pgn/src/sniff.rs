//! Distinguishes game files from lists of positions.

use crate::buffer::Buffer;
use crate::characters::{Meaning, first_char, meaning};

/// Whether a file with these first bytes, in any encoding, holds games: after lines of comment it begins with a tag, a
/// comment or a move number, as no line of EPD does.
///
/// ```
/// use skewer_pgn::looks_like_pgn;
///
/// assert!(looks_like_pgn(b"; from a club\r\r[Event \"x\"]\r"));
/// assert!(!looks_like_pgn(b"; mates\n8/8/8/8/8/5k2/7q/5K2 w - -\n"));
/// ```
pub fn looks_like_pgn(head: &[u8]) -> bool {
    let mut buffer = Buffer::new(head);
    // A file that is not text has no games.
    if buffer.want(head.len()).is_err() {
        return false;
    }
    let mut text = buffer.ahead();
    loop {
        match text {
            [b';' | b'%', ..] => {
                let line = memchr::memchr(b'\n', text).unwrap_or(text.len());
                text = &text[line..];
            }
            [byte, ..] if byte.is_ascii_whitespace() => text = text.trim_ascii_start(),
            _ => match first_char(text) {
                Some((c, length))
                    if !c.is_ascii()
                        && matches!(meaning(c), Meaning::Blank | Meaning::Invisible) =>
                {
                    text = &text[length..];
                }
                _ => break,
            },
        }
    }
    text.starts_with(b"[") || text.starts_with(b"{") || text.starts_with(b"1.")
}
