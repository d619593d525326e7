//! Words of a line, and the commands `setoption` and `debug`.

use super::{Command, Complaint};

/// The arguments of `setoption`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SetOption<'a> {
    /// The option's name as written; empty if it was left out.
    pub name: &'a str,
    /// The value as written, inner spaces kept; `None` without the word `value`.
    pub value: Option<&'a str>,
}

/// The argument of `debug`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DebugMode {
    /// More `info string` lines.
    On,
    /// The usual `info string` lines.
    Off,
}

/// The first word and the text after it, both without blanks around them; `None` if there is no
/// word.
pub(super) fn split_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_ascii();
    if text.is_empty() {
        return None;
    }
    let end = text
        .find(|c: char| c.is_ascii_whitespace())
        .unwrap_or(text.len());
    Some((&text[..end], text[end..].trim_ascii_start()))
}

/// Where the first whole word equal to `wanted` (in any case) begins and ends.
pub(super) fn find_word(text: &str, wanted: &str) -> Option<(usize, usize)> {
    let mut at = 0;
    while let Some((word, rest)) = split_word(&text[at..]) {
        let end = text.len() - rest.len();
        let start = at + (text[at..].len() - text[at..].trim_ascii_start().len());
        if word.eq_ignore_ascii_case(wanted) {
            return Some((start, start + word.len()));
        }
        at = end;
    }
    None
}

/// Reads the word after `debug`. Another word than `on` or `off` changes nothing.
pub(super) fn read_debug<'a>(
    rest: &'a str,
    complaints: &mut Vec<Complaint<'a>>,
) -> Option<Command<'a>> {
    match rest.split_ascii_whitespace().next() {
        None => Some(Command::Debug(DebugMode::On)),
        Some(word) if word.eq_ignore_ascii_case("on") => Some(Command::Debug(DebugMode::On)),
        Some(word) if word.eq_ignore_ascii_case("off") => Some(Command::Debug(DebugMode::Off)),
        Some(word) => {
            complaints.push(Complaint::UnknownArgument {
                command: "debug",
                word,
            });
            None
        }
    }
}

/// Splits at the words `name` and `value`. A value may hold the word `value`, and a name with
/// inner spaces keeps them.
pub(super) fn read_setoption(rest: &str) -> SetOption<'_> {
    let name_and_value = match split_word(rest) {
        Some((word, after)) if word.eq_ignore_ascii_case("name") => after,
        _ => rest,
    };
    match find_word(name_and_value, "value") {
        Some((start, end)) => SetOption {
            name: name_and_value[..start].trim_ascii(),
            value: Some(name_and_value[end..].trim_ascii()),
        },
        None => SetOption {
            name: name_and_value.trim_ascii(),
            value: None,
        },
    }
}
