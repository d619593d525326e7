//! Text as written in files: tag values and comments, in UTF-8 or Windows-1252, with escapes.

use std::borrow::Cow;
use std::fmt;

use memchr::{memchr, memchr2};

use crate::characters::windows_1252;

/// Whether a text is a number without a sign.
pub(crate) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The value of a tag, as written between the quotes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TagValue<'a>(&'a [u8]);

impl<'a> TagValue<'a> {
    pub(crate) fn new(raw: &'a [u8]) -> Self {
        Self(raw)
    }

    /// The bytes of the file, with escapes.
    pub fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// The value with `\"` and `\\` unescaped. A line end with the blanks around it becomes one blank. Bytes that are
    /// not UTF-8 are read as Windows-1252.
    pub fn decode(self) -> Cow<'a, str> {
        match memchr2(b'\\', b'\n', self.0) {
            None => return decode(self.0),
            Some(at) if memchr(b'\n', &self.0[at..]).is_none() => {}
            Some(_) => {
                let lines = self.0.split(|&byte| byte == b'\n');
                let joined = lines
                    .map(<[u8]>::trim_ascii)
                    .collect::<Vec<_>>()
                    .join(&b' ');
                return Cow::Owned(TagValue(&joined).decode().into_owned());
            }
        }
        let mut plain = Vec::with_capacity(self.0.len());
        let mut bytes = self.0.iter().copied().peekable();
        while let Some(byte) = bytes.next() {
            let escaped = match byte {
                b'\\' => bytes.next_if(|next| matches!(next, b'"' | b'\\')),
                _ => None,
            };
            plain.push(escaped.unwrap_or(byte));
        }
        Cow::Owned(decode(&plain).into_owned())
    }
}

impl fmt::Debug for TagValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.decode().fmt(f)
    }
}

/// A comment, as written between the braces or after the semicolon.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Comment<'a> {
    raw: &'a [u8],
    is_line: bool,
}

impl<'a> Comment<'a> {
    /// A comment in braces.
    pub(crate) fn new(raw: &'a [u8]) -> Self {
        Self {
            raw,
            is_line: false,
        }
    }

    /// A comment after a semicolon.
    pub(crate) fn of_line(raw: &'a [u8]) -> Self {
        Self { raw, is_line: true }
    }

    /// Whether the comment follows a semicolon and ends with its line; otherwise it is in braces.
    pub fn is_line(self) -> bool {
        self.is_line
    }

    /// The bytes of the file.
    pub fn as_bytes(self) -> &'a [u8] {
        self.raw
    }

    /// The text with its line breaks and the blanks around it. Bytes that are not UTF-8 are read as Windows-1252.
    pub fn text(self) -> Cow<'a, str> {
        decode(self.raw)
    }

    /// The trimmed text, with each line break and the blanks around it as one blank. Bytes that are
    /// not UTF-8 are read as Windows-1252.
    pub fn decode(self) -> Cow<'a, str> {
        let trimmed = self.raw.trim_ascii();
        let text = decode(trimmed);
        if !trimmed.iter().any(|byte| matches!(byte, b'\n' | b'\r')) {
            return text;
        }
        let lines = text
            .split(['\n', '\r'])
            .map(|line| line.trim_matches([' ', '\t']));
        let mut joined = String::with_capacity(text.len());
        for line in lines.filter(|line| !line.is_empty()) {
            if !joined.is_empty() {
                joined.push(' ');
            }
            joined.push_str(line);
        }
        Cow::Owned(joined)
    }
}

impl fmt::Debug for Comment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.decode().fmt(f)
    }
}

/// Decodes UTF-8. Bytes that are not UTF-8 are read as Windows-1252, which has the characters of Latin-1.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len() + 16);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|&byte| windows_1252(byte)));
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tag_values() {
        assert_eq!(TagValue::new(br#"O\"Hara \\ x"#).decode(), r#"O"Hara \ x"#);
        assert_eq!(TagValue::new(br"ends in \").decode(), r"ends in \");
        assert_eq!(TagValue::new(b"Fran\xe7ois \\\"").decode(), "François \"");
        assert_eq!(TagValue::new("Ålesund".as_bytes()).decode(), "Ålesund");
        assert_eq!(
            TagValue::new(b"\x8aimon \x96 M\xc3\xbcller").decode(),
            "Šimon – Müller"
        );
    }

    #[test]
    fn comments() {
        assert_eq!(Comment::new(b"  a  b ").decode(), "a  b");
        assert_eq!(
            Comment::new(b" one\r\n  two\n\n three ").decode(),
            "one two three"
        );
        assert_eq!(Comment::new(b"\xe4\n\xf6").decode(), "ä ö");
        assert_eq!(Comment::new(b" \n ").decode(), "");
    }
}
