//! Distinguishes game files from lists of positions.

use crate::Epd;
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
    begins_games(text)
}

/// Whether a file with these first bytes, in any encoding, holds positions: the first line that is neither blank nor a
/// comment begins with a position, and no other line begins as games do. What follows the position may be wrong.
///
/// ```
/// use skewer_pgn::looks_like_epd;
///
/// assert!(looks_like_epd(b"# mates\n8/8/8/8/8/5k2/7q/5K2 w - - bm x;\n"));
/// assert!(!looks_like_epd(b"1. e4 e5 *\n"));
/// ```
pub fn looks_like_epd(head: &[u8]) -> bool {
    let mut buffer = Buffer::new(head);
    // A file that is not text has no positions.
    if buffer.want(head.len()).is_err() {
        return false;
    }
    let text = String::from_utf8_lossy(buffer.ahead());
    let lines = text.split(['\n', '\r']).map(str::trim);
    let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with(['#', '%', ';']));
    let Some(first) = lines.next() else {
        return false;
    };
    let position: Vec<_> = first.split_whitespace().take(4).collect();
    Epd::parse(&position.join(" ")).is_ok() && !lines.any(|line| begins_games(line.as_bytes()))
}

/// Whether this is a tag, a comment or the first move number, as no line of EPD is.
fn begins_games(text: &[u8]) -> bool {
    matches!(text, [b'[' | b'{', ..] | [b'1', b'.', ..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_is_no_comment_tells_positions_from_games() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let utf16: Vec<u8> = start.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let utf16 = [&b"\xff\xfe"[..], &utf16].concat();
        let bare = format!("{start} bm");
        let wrong = format!("\n; mine\n{start} bm e5;\nnonsense");
        let cut = format!("{start} c0 \"a sentence that is");
        for head in [
            start.as_bytes(),
            bare.as_bytes(),
            wrong.as_bytes(),
            cut.as_bytes(),
            &utf16,
        ] {
            assert!(looks_like_epd(head) && !looks_like_pgn(head), "{head:?}");
        }
        let tag = format!("[FEN \"{start}\"]\n\n1. e4 *\n{start}\n");
        // A position above the games of a file does not make it a file of positions.
        let before = format!("{start}\n\n1. e4 e5 *\n\n[Event \"x\"]\n\n1. d4 *\n");
        for head in [
            tag.as_str(),
            &before,
            "1. e4 *",
            "e4 e5 Nf3",
            "8/8/8/8 w - -",
            "{x}",
            "",
            "\0PK",
        ] {
            assert!(!looks_like_epd(head.as_bytes()), "{head}");
        }
    }
}
