//! UCI options: their types, how `uci` prints them, and how `setoption` reads a value. The
//! options themselves, each with its default, range, setter and help, are in `options/list.rs`.

use std::fmt;

use skewer_types::Techniques;

use crate::Session;
use crate::command::{SetOption, quote};

mod list;

pub use list::OPTIONS;

/// The type of an option as the protocol names it, with its default, range and setter. A setter
/// that fails adds a remark to the session.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// True or false.
    Check {
        /// The default.
        default: bool,
        /// Applies a value.
        set: fn(&mut Session, bool),
    },
    /// A whole number.
    Spin {
        /// The default.
        default: i64,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
        /// Applies a value.
        set: fn(&mut Session, i64),
    },
    /// A text, empty by default. The protocol writes the empty one as `<empty>`.
    Text {
        /// Applies a value.
        set: fn(&mut Session, &str),
    },
    /// An action.
    Button {
        /// Performs it.
        press: fn(&mut Session),
    },
}

/// One option.
#[derive(Debug, Clone, Copy)]
pub struct OptionSpec {
    /// Its name. `setoption` ignores case and repeated blanks.
    pub name: &'static str,
    /// Its type, default and range.
    pub kind: Kind,
    /// The help text, one or two sentences.
    pub meaning: &'static str,
}

/// How the protocol writes an empty text.
const EMPTY: &str = "<empty>";

/// Reads a list of technique names separated by commas.
///
/// # Errors
///
/// A sentence that names the first unknown technique.
pub fn techniques_without(list: &str) -> Result<Techniques, String> {
    list.split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .map(|name| {
            Techniques::from_name_kebab(name)
                .map_err(|error| format!("{}: {error}; `help techniques` lists them", quote(name)))
        })
        .collect()
}

/// Why `setoption` failed, as one sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct OptionError(String);

/// Finds an option by its name, ignoring case and repeated blanks.
pub fn find(name: &str) -> Option<&'static OptionSpec> {
    let words = || name.split_ascii_whitespace();
    OPTIONS.iter().find(|option| {
        let known = || option.name.split_ascii_whitespace();
        known().count() == words().count()
            && known().zip(words()).all(|(a, b)| a.eq_ignore_ascii_case(b))
    })
}

/// An option and a valid value for it.
///
/// ```
/// use skewer::command::SetOption;
/// use skewer::options::Assignment;
///
/// let hash = SetOption { name: "hash", value: Some("64") };
/// assert!(Assignment::parse(hash).is_ok());
/// assert!(Assignment::parse(SetOption { value: Some("lots"), ..hash }).is_err());
/// ```
#[derive(Debug, Clone)]
pub struct Assignment(Setting);

/// The setter of an option and the value for it.
#[derive(Debug, Clone)]
enum Setting {
    Check(fn(&mut Session, bool), bool),
    Spin(fn(&mut Session, i64), i64),
    Text(fn(&mut Session, &str), String),
    Button(fn(&mut Session)),
}

impl Assignment {
    /// Checks the name and the value of a `setoption`.
    ///
    /// # Errors
    ///
    /// If there is no such option, or the value does not fit it.
    pub fn parse(set: SetOption<'_>) -> Result<Self, OptionError> {
        let error = |text: String| Err(OptionError(text));
        if set.name.is_empty() {
            return error(
                "setoption: the name is missing; write: setoption name NAME value VALUE".into(),
            );
        }
        let Some(option) = find(set.name) else {
            let name = quote(set.name);
            return error(format!(
                "setoption: there is no option {name}; `uci` lists the options"
            ));
        };
        let name = option.name;
        let text = set.value.unwrap_or_default();
        let is_missing = match option.kind {
            Kind::Button { .. } => false,
            // An empty text is a value; a missing one is a mistake.
            Kind::Text { .. } => set.value.is_none(),
            Kind::Check { .. } | Kind::Spin { .. } => text.is_empty(),
        };
        if is_missing {
            return error(format!("{name}: the value is missing; nothing changed"));
        }
        Ok(Self(match option.kind {
            Kind::Button { press } => Setting::Button(press),
            Kind::Text { set } if text == EMPTY => Setting::Text(set, String::new()),
            Kind::Text { set } => Setting::Text(set, text.to_owned()),
            Kind::Check { set, .. } => match text.to_ascii_lowercase().as_str() {
                "true" => Setting::Check(set, true),
                "false" => Setting::Check(set, false),
                _ => {
                    let text = quote(text);
                    return error(format!(
                        "{name}: {text} is neither true nor false; nothing changed"
                    ));
                }
            },
            Kind::Spin { min, max, set, .. } => match text.parse() {
                Ok(number) if (min..=max).contains(&number) => Setting::Spin(set, number),
                _ => {
                    let text = quote(text);
                    return error(format!(
                        "{name}: {text} is not a number from {min} to {max}; nothing changed"
                    ));
                }
            },
        }))
    }

    /// The default of an option; `None` for a button.
    pub(crate) fn default_of(option: &OptionSpec) -> Option<Self> {
        match option.kind {
            Kind::Check { default, set } => Some(Self(Setting::Check(set, default))),
            Kind::Spin { default, set, .. } => Some(Self(Setting::Spin(set, default))),
            Kind::Text { set } => Some(Self(Setting::Text(set, String::new()))),
            Kind::Button { .. } => None,
        }
    }

    /// Applies the value to a session that is not searching.
    pub(crate) fn apply(self, session: &mut Session) {
        match self.0 {
            Setting::Check(set, value) => set(session, value),
            Setting::Spin(set, value) => set(session, value),
            Setting::Text(set, value) => set(session, &value),
            Setting::Button(press) => press(session),
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
            Kind::Text { .. } => write!(f, "string default {EMPTY}"),
            Kind::Button { .. } => f.write_str("button"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(name: &str, value: &str) -> Result<Assignment, OptionError> {
        Assignment::parse(SetOption {
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
                Kind::Text { .. } => EMPTY.to_owned(),
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
        assert!(set("mOVE \t  overhead", "7").is_ok());
        assert_eq!(
            set("MoveOverhead", "7").unwrap_err().to_string(),
            "setoption: there is no option \"MoveOverhead\"; `uci` lists the options"
        );
    }

    #[test]
    fn techniques_by_name() {
        assert_eq!(
            techniques_without("null-move, killers"),
            Ok(Techniques::NULL_MOVE | Techniques::KILLERS)
        );
        assert_eq!(techniques_without(""), Ok(Techniques::empty()));
        assert!(techniques_without("null-move,magic").is_err());
    }
}
