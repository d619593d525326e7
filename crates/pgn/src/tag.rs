//! Tag pairs: how they are recognized, and their names and values.

use memchr::{memchr, memchr2, memrchr};

use crate::ROSTER;
use crate::characters::{first_char, trim_start};

/// The first tag of nearly every game.
pub(crate) const FIRST_TAG: &[u8] = b"[Event \"";

/// Whether a bracket probably opens a tag: a tag with a quoted value, or one of the tags that every game has.
pub(crate) fn looks_like_tag(ahead: &[u8]) -> bool {
    if ahead.first() != Some(&b'[') {
        return false;
    }
    let name = ahead[1..].iter().take_while(|&&byte| is_name(byte)).count();
    let (name, rest) = ahead[1..].split_at(name);
    let value = trim_start(rest);
    match value.first() {
        Some(b'"') => !name.is_empty(),
        _ => value.len() < rest.len() && ROSTER.iter().any(|tag| tag.as_bytes() == name),
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// A tag as it stands in its line.
pub(crate) struct SplitTag<'a> {
    pub(crate) name: &'a [u8],
    pub(crate) value: &'a [u8],
    /// The length up to the closing bracket, in bytes.
    pub(crate) used: usize,
    /// Whether there are no quotes, or more than two.
    pub(crate) odd: bool,
    /// Whether the text after the last quote is neither part of the value nor the closing bracket.
    pub(crate) cut: bool,
}

/// The tag of a line, which is given without the opening bracket.
pub(crate) fn split_tag(line: &[u8]) -> Option<SplitTag<'_>> {
    let blanks = |text: &[u8]| {
        let rest = text.trim_ascii_start();
        // Nearly always the tag ends here. Blanks of any kind are not graphic characters of ASCII.
        let is_end = rest.first().is_none_or(u8::is_ascii_graphic);
        text.len() - if is_end { rest } else { trim_start(rest) }.len()
    };
    let start = blanks(line);
    let name = name_length(&line[start..]);
    if name == 0 {
        return None;
    }
    let name = &line[start..start + name];
    let mut at = start + name.len();
    at += blanks(&line[at..]);
    // Some files have a sign between the name and its value.
    if let [b':' | b'=' | b',' | b'-', rest @ ..] = &line[at..] {
        let quote = 1 + blanks(rest);
        if line.get(at + quote) == Some(&b'"') {
            at += quote;
        }
    }
    let tag = |value, used, odd| SplitTag {
        name,
        value,
        used,
        odd,
        cut: false,
    };
    if line.get(at) != Some(&b'"') {
        // Without quotes: `[Round 1]`.
        let end = memchr(b']', &line[at..]).map(|end| at + end);
        let value = line[at..end.unwrap_or(line.len())].trim_ascii();
        // `[1. e4 e5]` is not a tag.
        if name[0].is_ascii_digit() {
            return None;
        }
        let value = unquoted(value);
        return Some(SplitTag {
            cut: value.contains(&b'"'),
            ..tag(value, end.map_or(line.len(), |end| end + 1), true)
        });
    }
    at += 1;
    let closed = |quote: usize| {
        let blanks = blanks(&line[quote + 1..]);
        (line.get(quote + 1 + blanks) == Some(&b']')).then_some(quote + blanks + 2)
    };
    // A quote in the middle is part of the value, even if it is not escaped.
    let mut search = at;
    let mut odd = false;
    while let Some(found) = memchr2(b'"', b'\\', &line[search..]) {
        let quote = search + found;
        if line[quote] == b'\\' {
            search = (quote + 2).min(line.len());
            continue;
        }
        if let Some(used) = closed(quote) {
            return Some(tag(&line[at..quote], used, odd));
        }
        odd = true;
        search = quote + 1;
    }
    // A backslash before the last quote is usually an error rather than an escape.
    if let Some(quote) = memrchr(b'"', &line[at..]).map(|quote| at + quote) {
        let used = closed(quote);
        return Some(SplitTag {
            cut: used.is_none() && !line[quote + 1..].trim_ascii().is_empty(),
            ..tag(&line[at..quote], used.unwrap_or(line.len()), true)
        });
    }
    let value = line[at..].trim_ascii_end();
    let value = value.strip_suffix(b"]").unwrap_or(value);
    Some(tag(value, line.len(), true))
}

/// The length of the name of a tag: letters of any alphabet, digits and signs. Of the signs only an underscore or a
/// dash may come first.
fn name_length(line: &[u8]) -> usize {
    let mut at = line.iter().take_while(|&&byte| is_name(byte)).count();
    // A blank follows the name of nearly every tag.
    if line.get(at) == Some(&b' ') {
        return at;
    }
    while let Some((c, length)) = first_char(&line[at..]) {
        let is_part = if c.is_ascii() {
            is_name(c as u8) || (at > 0 && matches!(c, '.' | '/' | '+' | '#' | '&'))
        } else {
            c.is_alphanumeric()
        };
        if !is_part {
            break;
        }
        at += length;
    }
    at
}

/// The quotes of word processors and of other languages.
const QUOTES: &str = "“”„«»‘’‚‹›＂″ʺ'`";

/// A value without the quotes around it.
fn unquoted(value: &[u8]) -> &[u8] {
    let text = value
        .strip_prefix(b"\\\"")
        .and_then(|text| text.strip_suffix(b"\\\""));
    if let Some(text) = text {
        return text;
    }
    let Ok(text) = std::str::from_utf8(value) else {
        // Windows-1252.
        return match value {
            [0x91..=0x94 | 0x84 | 0xab, text @ .., 0x91..=0x94 | 0xbb] => text,
            _ => value,
        };
    };
    let is_quote = |c: char| QUOTES.contains(c);
    let plain = text.trim_start_matches(is_quote);
    if plain.len() < text.len() && plain.ends_with(is_quote) {
        plain.trim_end_matches(is_quote).as_bytes()
    } else {
        value
    }
}
