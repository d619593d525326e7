//! The options: one list with name, type, default, range and meaning. `uci` and `help` print
//! it, and `setoption` reads values by it, so that none can be declared and not understood.

use std::fmt;
use std::time::Duration;

use skewer_movegen::CastlingMode;
use skewer_smp::{Depth, FiftyMoveRule, Techniques, TimeSource};

use crate::command::{SetOption, quote};
use crate::output::WdlColumn;

mod list;

pub use list::{DEFAULT_MOVE_OVERHEAD_MS, OPTIONS};

/// What a valid `setoption` asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// The hash table's size in MiB.
    Hash(usize),
    /// The number of search threads.
    Threads(usize),
    /// Forget everything.
    ClearHash,
    /// What the session keeps for the searches to come.
    Setting(Setting),
    /// The techniques that are switched off.
    Without(Techniques),
    /// The file of a network; empty for the evaluation that is built in.
    EvalFile(String),
    /// What scores positions.
    Scoring(Scoring),
    /// The folders of the endgame tables.
    SyzygyPath(String),
    /// The least depth at which the largest tables are looked into, in plies.
    SyzygyProbeDepth(Depth),
    /// The most men with which tables are looked into.
    SyzygyProbeLimit(u32),
    /// Whether wins that the fifty-move rule spoils are draws.
    SyzygyFiftyMoveRule(FiftyMoveRule),
    /// Save the hash table.
    SaveHash,
    /// Load the hash table.
    LoadHash,
}

/// A setting that is looked at when the next search begins, or never.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Setting {
    /// Whether the client may ponder; nothing here depends on it.
    Ponder(bool),
    /// How many lines to analyse.
    MultiPv(usize),
    /// Time kept back from every move.
    MoveOverhead(Duration),
    /// How castling is written.
    Castling(CastlingMode),
    /// What clocks count.
    TimeSource(TimeSource),
    /// Whether lines tell the chances of win, draw and loss.
    Wdl(WdlColumn),
    /// Whether the client analyses and does not play.
    AnalyseMode(bool),
    /// Whether to play at the strength of [`Setting::Elo`].
    LimitStrength(bool),
    /// The strength to play at.
    Elo(u32),
    /// The file that the hash table is saved to and loaded from.
    HashFile(String),
}

/// What scores positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scoring {
    /// The network, where there is one.
    #[default]
    Network,
    /// The terms that a person wrote.
    HandWritten,
}

/// The type of an option as the protocol names it, its default and range, and how its value
/// becomes a [`Change`].
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// True or false.
    Check {
        /// Unless it is set.
        default: bool,
        /// From the value.
        change: fn(bool) -> Change,
    },
    /// A whole number.
    Spin {
        /// Unless it is set.
        default: i64,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
        /// From the value.
        change: fn(i64) -> Change,
    },
    /// A text. The protocol writes the empty one as `<empty>`.
    Text {
        /// Unless it is set.
        default: &'static str,
        /// From the value, or why it cannot be used.
        change: fn(&str) -> Result<Change, String>,
    },
    /// Something to do now.
    Button {
        /// What to do.
        change: fn() -> Change,
    },
}

/// One option.
#[derive(Debug, Clone, Copy)]
pub struct OptionSpec {
    /// Its name. Case and repeated blanks do not matter when it is set.
    pub name: &'static str,
    /// Its type, default and range.
    pub kind: Kind,
    /// What it is for, in a sentence.
    pub meaning: &'static str,
}

/// How the protocol writes an empty text.
const EMPTY: &str = "<empty>";

/// The techniques named in a list with commas.
///
/// # Errors
///
/// A sentence that names the first one that does not exist.
pub fn techniques_without(list: &str) -> Result<Techniques, String> {
    list.split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .map(|name| {
            Techniques::from_name_kebab(name).map_err(|error| format!("{}: {error}", quote(name)))
        })
        .collect()
}

/// Why an option was not set. Its text is one plain sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionError {
    /// `setoption` without a name.
    NoName,
    /// No option of that name.
    Unknown {
        /// The name as it was written.
        name: String,
    },
    /// The word `value` or what follows it is missing.
    NoValue {
        /// The option.
        name: &'static str,
    },
    /// Neither `true` nor `false`.
    NotACheck {
        /// The option.
        name: &'static str,
        /// The value as it was written.
        value: String,
    },
    /// No whole number, or not in the range.
    NotInRange {
        /// The option.
        name: &'static str,
        /// The value as it was written.
        value: String,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// A text that the option cannot use.
    BadText {
        /// The option.
        name: &'static str,
        /// Why not.
        reason: String,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoName => f.write_str(
                "setoption: the name is missing; write: setoption name NAME value VALUE",
            ),
            Self::Unknown { name } => {
                write!(f, "setoption: there is no option {}", quote(name))
            }
            Self::NoValue { name } => write!(f, "{name}: the value is missing; nothing changed"),
            Self::NotACheck { name, value } => write!(
                f,
                "{name}: {} is neither true nor false; nothing changed",
                quote(value)
            ),
            Self::NotInRange {
                name,
                value,
                min,
                max,
            } => write!(
                f,
                "{name}: {} is not a number from {min} to {max}; nothing changed",
                quote(value)
            ),
            Self::BadText { name, reason } => write!(f, "{name}: {reason}; nothing changed"),
        }
    }
}

impl std::error::Error for OptionError {}

/// The option with this name, whatever its case and blanks.
pub fn find(name: &str) -> Option<&'static OptionSpec> {
    let words = || name.split_ascii_whitespace();
    OPTIONS.iter().find(|option| {
        let known = || option.name.split_ascii_whitespace();
        known().count() == words().count()
            && known().zip(words()).all(|(a, b)| a.eq_ignore_ascii_case(b))
    })
}

/// What a `setoption` asks for.
///
/// # Errors
///
/// If there is no such option or the value does not fit it.
///
/// ```
/// use skewer::command::SetOption;
/// use skewer::options::{Change, change};
///
/// let hash = SetOption { name: "hash", value: Some("64") };
/// assert_eq!(change(hash), Ok(Change::Hash(64)));
/// assert!(change(SetOption { value: Some("lots"), ..hash }).is_err());
/// ```
pub fn change(set: SetOption<'_>) -> Result<Change, OptionError> {
    if set.name.is_empty() {
        return Err(OptionError::NoName);
    }
    let option = find(set.name).ok_or_else(|| OptionError::Unknown {
        name: set.name.to_owned(),
    })?;
    let name = option.name;
    let given = set.value.filter(|value| !value.is_empty());
    let needed = given.ok_or(OptionError::NoValue { name });
    match option.kind {
        Kind::Button { change } => Ok(change()),
        Kind::Check { change, .. } => {
            let value = needed?;
            if value.eq_ignore_ascii_case("true") {
                Ok(change(true))
            } else if value.eq_ignore_ascii_case("false") {
                Ok(change(false))
            } else {
                Err(OptionError::NotACheck {
                    name,
                    value: value.to_owned(),
                })
            }
        }
        Kind::Spin {
            min, max, change, ..
        } => {
            let value = needed?;
            match value.parse::<i64>() {
                Ok(number) if (min..=max).contains(&number) => Ok(change(number)),
                _ => Err(OptionError::NotInRange {
                    name,
                    value: value.to_owned(),
                    min,
                    max,
                }),
            }
        }
        Kind::Text { change, .. } => {
            // An empty text is a value; a missing one is a mistake.
            let value = set.value.ok_or(OptionError::NoValue { name })?;
            let value = if value == EMPTY { "" } else { value };
            change(value).map_err(|reason| OptionError::BadText { name, reason })
        }
    }
}

/// The option as `uci` declares it.
impl fmt::Display for OptionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match self.kind {
            Kind::Check { default, .. } => write!(f, "check default {default}"),
            Kind::Spin {
                default, min, max, ..
            } => write!(f, "spin default {default} min {min} max {max}"),
            Kind::Text { default, .. } => {
                let default = if default.is_empty() { EMPTY } else { default };
                write!(f, "string default {default}")
            }
            Kind::Button { .. } => f.write_str("button"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(name: &str, value: &str) -> Result<Change, OptionError> {
        change(SetOption {
            name,
            value: Some(value),
        })
    }

    #[test]
    fn names_hold_no_word_of_the_protocol() {
        // python-chess reads an option's line word by word.
        for option in OPTIONS {
            for word in option.name.split(' ') {
                assert!(
                    !["name", "type", "default", "min", "max", "var", "value"]
                        .iter()
                        .any(|reserved| word.eq_ignore_ascii_case(reserved)),
                    "{}",
                    option.name
                );
            }
        }
    }

    #[test]
    fn every_default_can_be_set() {
        for option in OPTIONS {
            let value = match option.kind {
                Kind::Check { default, .. } => default.to_string(),
                Kind::Spin { default, .. } => default.to_string(),
                Kind::Text { default: "", .. } => EMPTY.to_owned(),
                Kind::Text { default, .. } => default.to_owned(),
                Kind::Button { .. } => String::new(),
            };
            assert!(set(option.name, &value).is_ok(), "{option}");
        }
    }

    #[test]
    fn ranges_are_kept() {
        for option in OPTIONS {
            if let Kind::Spin { min, max, .. } = option.kind {
                assert!(set(option.name, &min.to_string()).is_ok());
                assert!(set(option.name, &max.to_string()).is_ok());
                assert!(set(option.name, &(min - 1).to_string()).is_err());
                assert!(set(option.name, &(max + 1).to_string()).is_err());
            }
        }
    }

    #[test]
    fn names_in_odd_case_and_blanks() {
        assert_eq!(
            set("mOVE \t  overhead", "7"),
            Ok(Change::Setting(Setting::MoveOverhead(
                Duration::from_millis(7)
            )))
        );
        assert_eq!(
            set("MoveOverhead", "7"),
            Err(OptionError::Unknown {
                name: "MoveOverhead".into()
            })
        );
    }

    #[test]
    fn techniques_by_name() {
        assert_eq!(
            set("Without", "null-move, killers"),
            Ok(Change::Without(Techniques::NULL_MOVE | Techniques::KILLERS))
        );
        assert_eq!(set("Without", ""), Ok(Change::Without(Techniques::empty())));
        assert!(set("Without", "null-move,magic").is_err());
    }
}
