//! Mistakes in a line of input.

use std::fmt::{self, Write as _};

use skewer_types::is_printable;

/// A mistake in a line. It is displayed as one sentence without a line break, for `info string`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Complaint<'a> {
    /// No command was found in the line.
    #[error("unknown command {}; `help` lists the commands", quote(.0))]
    UnknownCommand(&'a str),
    /// These words came before the command.
    #[error("skipped unknown words {}", quote(.0))]
    Skipped(&'a str),
    /// The command was written in capitals.
    #[error("read {} as {expected}: commands are in lower case", quote(.found))]
    Capitals {
        /// As written.
        found: &'a str,
        /// As it should be written.
        expected: &'static str,
    },
    /// An argument that the command does not know.
    #[error("{command}: skipped unknown word {}", quote(.word))]
    UnknownArgument {
        /// The command.
        command: &'static str,
        /// The argument.
        word: &'a str,
    },
    /// A keyword came without its value.
    #[error("{keyword}: its value is missing")]
    MissingValue {
        /// The keyword.
        keyword: &'static str,
    },
    /// A value is not a number of at most 64 bits.
    #[error("{keyword}: {} is not a valid number", quote(.value))]
    NotANumber {
        /// The keyword before it.
        keyword: &'static str,
        /// The value as written.
        value: &'a str,
    },
    /// A value is below its minimum.
    #[error("{keyword}: {} is too small; using {used}", quote(.value))]
    TooSmall {
        /// The keyword before it.
        keyword: &'static str,
        /// The value as written.
        value: &'a str,
        /// What is used instead.
        used: u64,
    },
    /// A value is above its maximum.
    #[error("{keyword}: {} is too large; the maximum is {most}", quote(.value))]
    TooLarge {
        /// The keyword before it.
        keyword: &'static str,
        /// The value as written.
        value: &'a str,
        /// The maximum.
        most: u64,
    },
    /// A value that is ignored together with its keyword.
    #[error("{keyword}: {} is ignored", quote(.value))]
    Ignored {
        /// The keyword before it.
        keyword: &'static str,
        /// The value as written.
        value: &'a str,
    },
}

/// The most characters of the client's text that are quoted.
const QUOTED_CHARS: usize = 60;

/// Quotes client text in one line: characters that steer a terminal or are invisible become spaces, and a long text
/// is shortened.
///
/// ```
/// assert_eq!(skewer::command::quote("a\tb").to_string(), "\"a b\"");
/// ```
pub fn quote(text: &str) -> impl fmt::Display {
    fmt::from_fn(move |f| {
        f.write_str("\"")?;
        for c in text.chars().take(QUOTED_CHARS) {
            f.write_char(if is_printable(c) { c } else { ' ' })?;
        }
        f.write_str(if text.chars().nth(QUOTED_CHARS).is_some() {
            "...\""
        } else {
            "\""
        })
    })
}
