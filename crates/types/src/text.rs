//! Printing text from other sources, such as names of engines and of files, to a terminal.

use core::fmt::{self, Write as _};

/// Whether a terminal shows this character as itself. A terminal obeys control characters. Controls of the direction
/// of text reorder the characters around them. Other characters are invisible, and make two names look the same.
pub fn is_printable(c: char) -> bool {
    !c.is_control()
        && !matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}'
            // Zero width, directions, separators of lines and paragraphs.
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}'
            // Tags: a second, invisible ASCII.
            | '\u{e0000}'..='\u{e007f}')
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
