//! Comments that were cut off: where the next game begins in them.

use memchr::{memchr, memmem, memrchr};
use skewer_movegen::Board;

use crate::San;
use crate::characters::trim_start;
use crate::tag::{FIRST_TAG, looks_like_tag};
use crate::tokens::move_length;

/// Where the next game begins in a comment that has no closing brace: at the first line that is a tag, or at a tag
/// `Event` at the end of a line, if an empty line or moves follow the lines of tags; or, for a game without tags, after
/// an empty line at a move number 1 before a legal first move. `is_all` says that the source ends with the text, so
/// that the end of the text also ends a line.
pub(crate) fn next_game(text: &[u8], is_all: bool) -> Option<usize> {
    // Lines that were looked at once are not looked at again.
    let (mut start, mut passed) = (0, 0);
    let mut is_after_empty_line = false;
    while start < text.len() {
        let end = memchr(b'\n', &text[start..]).map_or(text.len(), |end| start + end);
        let (line, begins_line) = (&text[start..end], start > 0);
        let rest = trim_start(line);
        let front = end - rest.len();
        if begins_line && is_after_empty_line && begins_moves(rest) {
            return Some(start);
        }
        let tag = if begins_line && looks_like_tag(rest) {
            Some(front)
        } else {
            memmem::find(line, FIRST_TAG).map(|at| start + at)
        };
        if let Some(at) = tag.filter(|&at| at >= passed) {
            let length = tag_lines(&text[at..], is_all);
            passed = at + length;
            // After other text in its line, a tag begins a game only if more tags or an empty line
            // follow. Otherwise a comment may quote the tag.
            let next = text.get(end + 1..).unwrap_or_default();
            let next_end = memchr(b'\n', next);
            let alone = (begins_line && at == front)
                || match trim_start(&next[..next_end.unwrap_or(next.len())]).first() {
                    Some(first) => matches!(first, b'[' | b'%' | b';'),
                    None => next_end.is_some() || next.is_empty(),
                };
            if length > 0 && alone && is_before_moves(&text[passed..]) {
                return Some(if begins_line && at == front {
                    start
                } else {
                    at
                });
            }
        }
        is_after_empty_line = begins_line && line.trim_ascii().is_empty();
        start = end + 1;
    }
    None
}

/// Whether a number 1 at the front stands before a legal first move.
fn begins_moves(text: &[u8]) -> bool {
    text.strip_prefix(b"1.").is_some_and(is_before_first_move)
}

/// Whether a move that is legal as the first of a game is at the front, after blanks.
pub(crate) fn is_before_first_move(text: &[u8]) -> bool {
    let rest = trim_start(text);
    // `move_length` is 1 at the end of the text.
    let word = rest.get(..move_length(rest)).unwrap_or_default();
    !word.is_empty() && matches!(San::new(word).resolve(&Board::STARTPOS), Ok(Some(_)))
}

/// The length of the lines at the front that are whole tags, and of escaped lines and comments between them.
fn tag_lines(text: &[u8], is_all: bool) -> usize {
    let mut length = 0;
    while length < text.len() {
        let rest = &text[length..];
        let end = match memchr(b'\n', rest) {
            Some(end) => end,
            None if is_all => rest.len(),
            None => break,
        };
        let line = trim_start(&rest[..end]);
        let goes_on = match line.first() {
            Some(b'[') => looks_like_tag(line) && ends_as_tag(line),
            Some(b'%' | b';') => length > 0,
            _ => false,
        };
        if !goes_on {
            break;
        }
        length += (end + 1).min(rest.len());
    }
    length
}

/// Whether a bracket is the last character of a line, apart from blanks.
fn ends_as_tag(line: &[u8]) -> bool {
    memrchr(b']', line).is_some_and(|end| trim_start(&line[end + 1..]).is_empty())
}

/// Whether an empty line, a move number, a comment or a result follows lines of tags, and not prose.
fn is_before_moves(text: &[u8]) -> bool {
    let rest = trim_start(text);
    let blanks = &text[..text.len() - rest.len()];
    memchr(b'\n', blanks).is_some()
        || matches!(rest.first(), None | Some(b'0'..=b'9' | b'{' | b'*' | b'('))
}
