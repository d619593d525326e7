//! UCI options: their types, how `uci` prints them, and how `setoption` reads a value. The
//! options themselves, each with its default, range, setter and help, are in `options/list.rs`.

use std::fmt;

use skewer_types::Techniques;

use crate::Session;
use crate::command::{SetOption, quote};

mod list;

pub use list::OPTIONS;

/// The type of an option, with its default, range and setter. A setter that fails adds a remark to
/// the session.
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
    /// A text, empty by default. The protocol writes an empty text as `<empty>`.
    Text {
        /// Applies a value.
        set: fn(&mut Session, &str),
    },
    /// An action.
    Button {
        /// Performs the action.
        press: fn(&mut Session),
    },
}

/// One option.
#[derive(Debug, Clone, Copy)]
pub struct OptionSpec {
    /// Its name. `setoption` ignores case, blanks, underscores and hyphens.
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

/// Finds an option by its name, ignoring case, blanks, underscores and hyphens: GUIs and rating lists write
/// `Move Overhead`, `MoveOverhead` and `move_overhead`.
pub fn find(name: &str) -> Option<&'static OptionSpec> {
    fn letters(name: &str) -> impl Iterator<Item = u8> {
        let is_separator = |c: &u8| c.is_ascii_whitespace() || matches!(c, b'_' | b'-');
        let letters = name.bytes().filter(move |c| !is_separator(c));
        letters.map(|c| c.to_ascii_lowercase())
    }
    OPTIONS
        .iter()
        .find(|option| letters(option.name).eq(letters(name)))
}

/// A change of a session.
pub type Change = Box<dyn FnOnce(&mut Session) + Send>;

/// Checks the name and the value of a `setoption`, and returns the change that sets the option in a session that is
/// not searching.
///
/// ```
/// use skewer::command::SetOption;
/// use skewer::options::change;
///
/// let hash = SetOption { name: "hash", value: Some("64") };
/// assert!(change(hash).is_ok());
/// assert!(change(SetOption { value: Some("lots"), ..hash }).is_err());
/// ```
///
/// # Errors
///
/// If there is no such option, or the value does not fit it.
pub fn change(set: SetOption<'_>) -> Result<Change, OptionError> {
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
    Ok(match option.kind {
        Kind::Button { press } => Box::new(press),
        Kind::Text { set } => {
            let text = if text == EMPTY { "" } else { text }.to_owned();
            Box::new(move |session| set(session, &text))
        }
        Kind::Check { set, .. } => match text.to_ascii_lowercase().as_str() {
            "true" => Box::new(move |session| set(session, true)),
            "false" => Box::new(move |session| set(session, false)),
            _ => {
                let text = quote(text);
                return error(format!(
                    "{name}: {text} is neither true nor false; nothing changed"
                ));
            }
        },
        Kind::Spin { min, max, set, .. } => match whole_number(text) {
            Some(number) if (min..=max).contains(&number) => {
                Box::new(move |session| set(session, number))
            }
            Some(number) => {
                let limit = number.clamp(min, max);
                let side = if number < min { "below" } else { "above" };
                let text = quote(text).to_string();
                Box::new(move |session| {
                    // The session may refuse the limit, too: a hash table of the greatest size needs memory.
                    session.remark(format_args!(
                        "{name}: {text} is {side} {limit} and counts as {limit}"
                    ));
                    set(session, limit);
                })
            }
            None => {
                let text = quote(text);
                return error(format!(
                    "{name}: {text} is not a number from {min} to {max}; nothing changed"
                ));
            }
        },
    })
}

/// Parses a whole number. A number outside the range of `i64` becomes the nearest end of the range.
fn whole_number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit());
    is_number.then(|| {
        text.parse().unwrap_or(if text.starts_with('-') {
            i64::MIN
        } else {
            i64::MAX
        })
    })
}

impl OptionSpec {
    /// Sets the option to its default; a button is not pressed.
    pub(crate) fn reset(&self, session: &mut Session) {
        match self.kind {
            Kind::Check { default, set } => set(session, default),
            Kind::Spin { default, set, .. } => set(session, default),
            Kind::Text { set } => set(session, ""),
            Kind::Button { .. } => {}
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
            }
        }
    }

    #[test]
    fn numbers_outside_the_range_are_taken_to_its_limit_and_other_texts_refused() {
        let mut session = Session::new(crate::output::Output::new(std::io::sink())).unwrap();
        for (value, taken) in [
            ("7", 7),
            ("0", 1),
            ("-5", 1),
            ("257", 256),
            ("99999999999999999999999999", 256),
            ("-99999999999999999999999999", 1),
        ] {
            set("MultiPV", value).unwrap()(&mut session);
            assert_eq!(session.settings.multi_pv, taken, "{value}");
        }
        for text in ["1.5", "1e3", "many", "-", "+", "0x10"] {
            assert!(set("MultiPV", text).is_err(), "{text}");
        }
    }

    #[test]
    fn names_in_odd_case_and_blanks() {
        for name in [
            "mOVE \t  overhead",
            "MoveOverhead",
            "move_overhead",
            "Move-Overhead",
        ] {
            assert_eq!(
                find(name).map(|option| option.name),
                Some("Move Overhead"),
                "{name}"
            );
        }
        for (one, other) in OPTIONS.iter().enumerate() {
            // No two options have the same letters.
            assert!(std::ptr::eq(
                find(other.name).unwrap(),
                &raw const OPTIONS[one]
            ));
        }
        assert_eq!(
            set("MoveOverheads", "7").err().unwrap().to_string(),
            "setoption: there is no option \"MoveOverheads\"; `uci` lists the options"
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
