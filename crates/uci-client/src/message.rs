//! What an engine writes, line by line.

use std::time::Duration;

use crate::error::EngineError;
use crate::info::{Info, SHOWN};

/// An option as an engine declares it in the handshake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionSpec {
    /// The name as the engine writes it. `setoption` takes it in any case.
    pub name: String,
    /// The type with its default and range.
    pub kind: OptionKind,
}

/// The type of an option, with its default and range.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionKind {
    /// `check`: true or false.
    Check {
        /// The default.
        default: bool,
    },
    /// `spin`: a whole number.
    Spin {
        /// The default.
        default: i64,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// `combo`: one of several texts.
    Combo {
        /// The default.
        default: String,
        /// The values.
        values: Vec<String>,
    },
    /// `button`: an action without a value.
    Button,
    /// `string`: a text.
    Text {
        /// The default; empty if the engine writes `<empty>`.
        default: String,
    },
    /// A type that the protocol does not have, or a type whose default or range is missing.
    Other(String),
}

impl OptionSpec {
    /// Reads `option name NAME type TYPE ...`; `None` for any other line.
    pub fn parse(line: &str) -> Option<Self> {
        let words = line.strip_prefix("option ")?.trim_start();
        let (name, rest) = words.strip_prefix("name ")?.split_once(" type ")?;
        let rest = rest.trim();
        let (kind, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let read = match kind {
            "check" => part(rest, "default")
                .and_then(|value| value.parse().ok())
                .map(|default| OptionKind::Check { default }),
            "spin" => spin(rest),
            "combo" => part(rest, "default").map(|default| OptionKind::Combo {
                default,
                values: parts(rest, "var"),
            }),
            "button" => Some(OptionKind::Button),
            "string" => {
                let default = rest.strip_prefix("default").unwrap_or_default().trim();
                let default = if default == "<empty>" { "" } else { default };
                Some(OptionKind::Text {
                    default: default.to_owned(),
                })
            }
            _ => None,
        };
        Some(Self {
            name: name.trim().to_owned(),
            kind: read.unwrap_or_else(|| OptionKind::Other(kind.to_owned())),
        })
    }
}

fn spin(rest: &str) -> Option<OptionKind> {
    let number = |keyword| part(rest, keyword)?.parse().ok();
    Some(OptionKind::Spin {
        default: number("default")?,
        min: number("min")?,
        max: number("max")?,
    })
}

/// The first text after this keyword, up to the next keyword.
fn part(text: &str, keyword: &str) -> Option<String> {
    parts(text, keyword).into_iter().next()
}

/// Every text after this keyword, each up to the next keyword.
fn parts(text: &str, keyword: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut is_wanted = false;
    for word in text.split_ascii_whitespace() {
        if matches!(word, "default" | "min" | "max" | "var") {
            is_wanted = word == keyword;
            if is_wanted {
                found.push(String::new());
            }
        } else if let Some(last) = found.last_mut().filter(|_| is_wanted) {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    found
}

/// A line that an engine writes.
///
/// ```
/// use skewer_uci_client::{Message, OptionKind};
///
/// let best = Message::parse("bestmove e2e4 ponder e7e5")?;
/// assert_eq!(best, Some(Message::BestMove {
///     best: "e2e4".to_owned(),
///     ponder: Some("e7e5".to_owned()),
/// }));
/// let Some(Message::Option(hash)) =
///     Message::parse("option name Hash type spin default 16 min 1 max 1024")?
/// else {
///     panic!("an option");
/// };
/// assert_eq!(hash.kind, OptionKind::Spin { default: 16, min: 1, max: 1024 });
/// assert_eq!(Message::parse("Stockfish 17 by the Stockfish developers")?, None);
/// # Ok::<(), skewer_uci_client::EngineError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
#[allow(
    clippy::large_enum_variant,
    reason = "most messages are lines of info, and none is kept"
)]
pub enum Message {
    /// `id name`
    Name(String),
    /// `id author`
    Author(String),
    /// `option`
    Option(OptionSpec),
    /// `uciok`
    UciOk,
    /// `readyok`
    ReadyOk,
    /// `info` with numbers or a line.
    Info(Info),
    /// `info string`
    Text(String),
    /// `bestmove`
    BestMove {
        /// The move as the engine wrote it; empty if it wrote none.
        best: String,
        /// The reply that the engine expects.
        ponder: Option<String>,
    },
}

impl Message {
    /// Reads a line. `None` if it is no line of the protocol, such as a greeting.
    ///
    /// # Errors
    ///
    /// As [`Info::parse`].
    pub fn parse(line: &str) -> Result<Option<Self>, EngineError> {
        if let Some(info) = Info::parse(line)? {
            return Ok(Some(Self::Info(info)));
        }
        // Any white space may stand between words.
        let line = line.replace('\t', " ");
        let line = line.trim();
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        Ok(match command {
            "uciok" => Some(Self::UciOk),
            "readyok" => Some(Self::ReadyOk),
            "id" => match rest.split_once(' ') {
                Some(("name", name)) => Some(Self::Name(name.trim().to_owned())),
                Some(("author", author)) => Some(Self::Author(author.trim().to_owned())),
                _ => None,
            },
            "option" => OptionSpec::parse(line).map(Self::Option),
            "info" => rest
                .strip_prefix("string")
                .map(|text| Self::Text(text.trim().to_owned())),
            "bestmove" => {
                let mut words = rest.split_ascii_whitespace();
                // The words may be as long as a line.
                let word = |word: &str| word.chars().take(SHOWN).collect();
                Some(Self::BestMove {
                    best: words.next().map(word).unwrap_or_default(),
                    ponder: words.nth(1).map(word),
                })
            }
            _ => None,
        })
    }
}

/// What a search found, and how it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Analysis {
    /// The move as the engine wrote it; empty if it wrote none.
    pub best: String,
    /// The reply that the engine expects.
    pub ponder: Option<String>,
    /// The latest line of each number (`multipv`), the best one first. A score that is only a bound does not replace an
    /// exact score.
    pub lines: Vec<Info>,
    /// The time from `go` to the answer.
    pub time: Duration,
    /// How the search ended.
    pub end: SearchEnd,
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchEnd {
    /// The search reached a limit.
    Finished,
    /// The caller stopped it.
    Stopped,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(line: &str) -> OptionKind {
        OptionSpec::parse(line).unwrap().kind
    }

    #[test]
    fn options_of_every_type_are_read() {
        assert_eq!(
            kind("option name Ponder type check default false"),
            OptionKind::Check { default: false }
        );
        assert_eq!(
            kind("option name Move Overhead type spin default -3 min -10 max 5000"),
            OptionKind::Spin {
                default: -3,
                min: -10,
                max: 5000
            }
        );
        let style = "option name Style type combo default Very Solid var Very Solid var Risky";
        assert_eq!(
            kind(style),
            OptionKind::Combo {
                default: "Very Solid".to_owned(),
                values: vec!["Very Solid".to_owned(), "Risky".to_owned()],
            }
        );
        assert_eq!(
            kind("option name Clear Hash type button"),
            OptionKind::Button
        );
        for (line, default) in [
            ("option name Path type string default <empty>", ""),
            ("option name Path type string default", ""),
            ("option name Path type string", ""),
            (
                "option name Path type string default C:\\a  folder",
                "C:\\a  folder",
            ),
        ] {
            let expected = OptionKind::Text {
                default: default.to_owned(),
            };
            assert_eq!(kind(line), expected, "{line}");
        }
        let named = OptionSpec::parse("option name  Clear  Hash  type button").unwrap();
        assert_eq!(named.name, "Clear  Hash");
    }

    #[test]
    fn options_with_missing_parts_keep_their_name() {
        for line in [
            "option name Hash type spin default 16 min 1",
            "option name Hash type spin default x min 1 max 2",
            "option name Hash type check default maybe",
            "option name Hash type combo",
            "option name Hash type slider",
        ] {
            let option = OptionSpec::parse(line).unwrap();
            assert_eq!(option.name, "Hash", "{line}");
            assert!(matches!(option.kind, OptionKind::Other(_)), "{line}");
        }
        assert_eq!(OptionSpec::parse("option name Hash"), None);
    }

    #[test]
    fn lines_of_each_kind_are_told_apart() {
        let read = |line| Message::parse(line).unwrap();
        assert_eq!(read("id name A B"), Some(Message::Name("A B".to_owned())));
        assert_eq!(read("uciok"), Some(Message::UciOk));
        assert_eq!(read(" readyok "), Some(Message::ReadyOk));
        let text = Message::Text("depth is a word here".to_owned());
        assert_eq!(read("info string depth is a word here"), Some(text));
        assert!(matches!(read("info depth 3"), Some(Message::Info(_))));
        let none = Message::BestMove {
            best: String::new(),
            ponder: None,
        };
        assert_eq!(read("bestmove"), Some(none));
        for other in ["", "id", "id name", "uciok?", "Skewer"] {
            assert_eq!(read(other), None, "{other}");
        }
        assert!(Message::parse("info depth x").is_err());
    }

    /// The protocol allows any white space between words.
    #[test]
    fn words_may_be_far_apart() {
        let read = |line| Message::parse(line).unwrap().unwrap();
        let best = |best: &str, ponder: &str| Message::BestMove {
            best: best.to_owned(),
            ponder: Some(ponder.to_owned()),
        };
        assert_eq!(
            read(" \tbestmove\te2e4 \t ponder\te7e5\t"),
            best("e2e4", "e7e5")
        );
        assert_eq!(read("\tuciok \t"), Message::UciOk);
        assert_eq!(read("id \t name\tA  B"), Message::Name("A  B".to_owned()));
        let Message::Option(hash) =
            read("option \tname \tHash\ttype\tspin\tdefault 1 min\t1 max 9")
        else {
            panic!("an option");
        };
        let (default, min, max) = (1, 1, 9);
        assert_eq!(
            (hash.name.as_str(), hash.kind),
            ("Hash", OptionKind::Spin { default, min, max })
        );
        let Message::Info(info) = read("info\tdepth\t5\tscore \t cp\t7 pv\te2e4") else {
            panic!("numbers");
        };
        assert_eq!((info.depth, info.pv.len()), (Some(5), 1));
    }

    /// A move of an answer is kept as far as an error shows it.
    #[test]
    fn words_of_an_answer_have_a_limit() {
        let long = "x".repeat(60_000);
        let line = format!("bestmove {long} ponder {long}");
        let Some(Message::BestMove { best, ponder }) = Message::parse(&line).unwrap() else {
            panic!("an answer");
        };
        assert_eq!(
            (best.len(), ponder.map(|word| word.len())),
            (SHOWN, Some(SHOWN))
        );
    }
}
