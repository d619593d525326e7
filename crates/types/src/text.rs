//! Printing text from other sources, such as names of engines and of files, to a terminal.

use core::fmt::{self, Write as _};

/// Whether a terminal shows this character as itself. A terminal obeys control characters. Controls of the direction
/// of text reorder the characters around them. Other characters are invisible, and make two names look the same: the
/// code points that Unicode calls default-ignorable (`Default_Ignorable_Code_Point` in its file
/// `DerivedCoreProperties.txt`, version 16.0), and the separators of lines and of annotations.
pub fn is_printable(c: char) -> bool {
    let ignorable = matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}');
    let separator = matches!(c, '\u{2028}'..='\u{2029}' | '\u{fff9}'..='\u{fffb}');
    !(c.is_control() || ignorable || separator)
}

/// The text with `?` in place of every character that is not [printable](is_printable).
///
/// ```
/// use skewer_types::printable;
///
/// assert_eq!(printable("Fish\u{1b}[31m \u{202e}9").to_string(), "Fish?[31m ?9");
/// assert_eq!(printable("Müller–王").to_string(), "Müller–王");
/// ```
pub fn printable(text: &str) -> impl fmt::Display {
    fmt::from_fn(move |f| {
        text.chars()
            .try_for_each(|c| f.write_char(if is_printable(c) { c } else { '?' }))
    })
}

/// The text with `?` in place of every character that is not [printable](is_printable), except line feeds and tabs.
/// For messages of several lines.
///
/// ```
/// assert_eq!(skewer_types::printable_lines("a\n\tb\r\u{7}").to_string(), "a\n\tb??");
/// ```
pub fn printable_lines(text: &str) -> impl fmt::Display {
    fmt::from_fn(move |f| {
        let stays = |c| is_printable(c) || matches!(c, '\n' | '\t');
        text.chars()
            .try_for_each(|c| f.write_char(if stays(c) { c } else { '?' }))
    })
}

/// JSON text with `\u` escapes in place of every character that is not [printable](is_printable), except line feeds. The
/// data stay the same, because such characters stand only in strings.
///
/// ```
/// assert_eq!(skewer_types::printable_json("[\n\"\u{202e}\u{e0001}x\"]").to_string(), "[\n\"\\u202e\\udb40\\udc01x\"]");
/// ```
pub fn printable_json(json: &str) -> impl fmt::Display {
    fmt::from_fn(move |f| {
        json.chars().try_for_each(|c| {
            if is_printable(c) || c == '\n' {
                return f.write_char(c);
            }
            let mut units = [0; 2];
            let mut units = c.encode_utf16(&mut units).iter();
            units.try_for_each(|unit| write!(f, "\\u{unit:04x}"))
        })
    })
}

/// An error message about a word of a command line, or the name of a file, that must be UTF-8 and is not. The message
/// shows the word, with invalid bytes as hexadecimal numbers.
///
/// ```
/// # #[cfg(unix)] {
/// use std::ffi::OsStr;
/// use std::os::unix::ffi::OsStrExt;
///
/// let word = OsStr::from_bytes(b"games\xff.pgn");
/// assert_eq!(skewer_types::not_utf8(word), r#""games\xFF.pgn" is not UTF-8, and must be text"#);
/// # }
/// ```
#[cfg(feature = "std")]
#[allow(
    clippy::unnecessary_debug_formatting,
    reason = "the display of a word replaces the bytes that are no text"
)]
pub fn not_utf8(word: &std::ffi::OsStr) -> std::string::String {
    let quoted = std::format!("{word:?}");
    std::format!("{} is not UTF-8, and must be text", printable(&quoted))
}

#[cfg(test)]
mod tests {
    use super::is_printable;

    /// A character that is invisible, or moves its neighbours, never reaches a terminal.
    #[test]
    fn invisible_characters_are_not_printable() {
        for c in [
            '\0',
            '\u{1b}',
            '\u{9b}',
            '\u{ad}',
            '\u{34f}',
            '\u{61c}',
            '\u{115f}',
            '\u{1160}',
            '\u{17b5}',
            '\u{180e}',
            '\u{200b}',
            '\u{200d}',
            '\u{2028}',
            '\u{2029}',
            '\u{202e}',
            '\u{2066}',
            '\u{3164}',
            '\u{fe0f}',
            '\u{feff}',
            '\u{ffa0}',
            '\u{fff9}',
            '\u{1bca0}',
            '\u{1d173}',
            '\u{e0001}',
            '\u{e0041}',
            '\u{e0100}',
            '\u{e0fff}',
        ] {
            assert!(!is_printable(c), "U+{:04X}", u32::from(c));
        }
    }

    /// Letters of every script, symbols of chess and combining marks that are seen stay as they are.
    #[test]
    fn visible_characters_are_printable() {
        for c in "Aé王한ᄀ♔½\u{301}\u{e31} \u{a0}🏆".chars() {
            assert!(is_printable(c), "U+{:04X}", u32::from(c));
        }
    }
}
