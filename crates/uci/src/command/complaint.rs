//! What is said about a line that could not be used as it was written.

use std::fmt;

/// Something in a line that could not be used. Its text is one plain sentence without a line
/// break, ready to follow `info string`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Complaint<'a> {
    /// No command was found in the line.
    UnknownCommand(&'a str),
    /// These words came before the command.
    Skipped(&'a str),
    /// The command was written in capitals.
    Capitals {
        /// As it was written.
        found: &'a str,
        /// As it should be written.
        expected: &'static str,
    },
    /// An argument that the command does not know.
    UnknownArgument {
        /// The command.
        command: &'static str,
        /// The argument.
        word: &'a str,
    },
    /// A keyword came without its value.
    MissingValue {
        /// The keyword.
        keyword: &'static str,
    },
    /// A value is no number that fits 64 bits.
    NotANumber {
        /// The keyword before it.
        keyword: &'static str,
        /// The value as it was written.
        value: &'a str,
    },
    /// A value lies below what makes sense.
    TooSmall {
        /// The keyword before it.
        keyword: &'static str,
        /// The value as it was written.
        value: &'a str,
        /// What is used instead.
        used: u64,
    },
    /// A value lies beyond what can be done.
    TooLarge {
        /// The keyword before it.
        keyword: &'static str,
        /// The value as it was written.
        value: &'a str,
        /// The greatest that can be.
        most: u64,
    },
    /// A value that is ignored, as if the keyword were not there.
    Ignored {
        /// The keyword before it.
        keyword: &'static str,
        /// The value as it was written.
        value: &'a str,
    },
}

/// At most this many characters of what a client sent are repeated to it.
const QUOTED_CHARS: usize = 60;

/// Client text made fit for one output line: control characters become spaces, and a long text
/// is cut.
///
/// ```
/// assert_eq!(skewer::command::quote("a\tb").to_string(), "\"a b\"");
/// ```
pub fn quote(text: &str) -> impl fmt::Display + '_ {
    struct Quote<'a>(&'a str);

    impl fmt::Display for Quote<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("\"")?;
            for c in self.0.chars().take(QUOTED_CHARS) {
                fmt::Write::write_char(f, if c.is_control() { ' ' } else { c })?;
            }
            f.write_str(if self.0.chars().nth(QUOTED_CHARS).is_some() {
                "...\""
            } else {
                "\""
            })
        }
    }

    Quote(text)
}

impl fmt::Display for Complaint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::UnknownCommand(text) => {
                write!(
                    f,
                    "unknown command {}; `help` lists the commands",
                    quote(text)
                )
            }
            Self::Skipped(text) => write!(f, "skipped unknown words {}", quote(text)),
            Self::Capitals { found, expected } => write!(
                f,
                "read {} as {expected}: commands are in lower case",
                quote(found)
            ),
            Self::UnknownArgument { command, word } => {
                write!(f, "{command}: skipped unknown word {}", quote(word))
            }
            Self::MissingValue { keyword } => write!(f, "{keyword}: its value is missing"),
            Self::NotANumber { keyword, value } => {
                write!(
                    f,
                    "{keyword}: {} is not a number that can be used",
                    quote(value)
                )
            }
            Self::TooSmall {
                keyword,
                value,
                used,
            } => write!(f, "{keyword}: {} is too small; using {used}", quote(value)),
            Self::TooLarge {
                keyword,
                value,
                most,
            } => write!(
                f,
                "{keyword}: {} is more than can be done: {most}",
                quote(value)
            ),
            Self::Ignored { keyword, value } => {
                write!(
                    f,
                    "{keyword}: {} means nothing and is ignored",
                    quote(value)
                )
            }
        }
    }
}
