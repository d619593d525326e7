//! The options: one list with name, type, default, range and meaning. `uci` and `help` print
//! it, and `setoption` reads values by it, so that none can be declared and not understood.

use std::fmt;
use std::time::Duration;

use skewer_smp::{DEFAULT_HASH_MB, Depth, FiftyMoveRule, MAX_THREADS, Techniques};

use crate::command::{SetOption, quote};
use crate::strength::{MAX_ELO, MIN_ELO};
use crate::tables::{DEFAULT_PROBE_DEPTH, MOST_MEN};

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
    /// Whether the client may ponder; nothing here depends on it.
    Ponder(bool),
    /// How many lines to analyse.
    MultiPv(usize),
    /// Time kept back from every move.
    MoveOverhead(Duration),
    /// Whether castling is written as king takes rook.
    Chess960(bool),
    /// Nodes that count as a millisecond; 0 for the wall clock.
    NodesTime(u32),
    /// The techniques that are switched off.
    Without(Techniques),
    /// Whether lines tell the chances of win, draw and loss.
    ShowWdl(bool),
    /// Whether the client analyses and does not play.
    AnalyseMode(bool),
    /// Whether to play at the strength of [`Change::Elo`].
    LimitStrength(bool),
    /// The strength to play at.
    Elo(u32),
    /// The file of a network; empty for the evaluation that is built in.
    EvalFile(String),
    /// What scores positions.
    Scoring(Scoring),
    /// The file that the hash table is saved to and loaded from.
    HashFile(String),
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

/// The largest hash table that can be asked for, in MiB; the machine's memory is the real limit.
const MAX_HASH_MB: i64 = 1 << 25;

/// More lines than any position has legal moves.
const MAX_MULTI_PV: i64 = 256;

/// Time kept back from every move unless it is set, in milliseconds.
pub const DEFAULT_MOVE_OVERHEAD_MS: i64 = 20;

/// Every option, in the order in which `uci` lists them.
pub static OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "Hash",
        kind: Kind::Spin {
            default: DEFAULT_HASH_MB as i64,
            min: 1,
            max: MAX_HASH_MB,
            change: |megabytes| Change::Hash(megabytes as usize),
        },
        meaning: "Size of the hash table in MiB. More is better for long searches; a change \
                  empties the table.",
    },
    OptionSpec {
        name: "Threads",
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: MAX_THREADS as i64,
            change: |threads| Change::Threads(threads as usize),
        },
        meaning: "Number of search threads: at most one for each processor core. A change keeps \
                  the hash table.",
    },
    OptionSpec {
        name: "Clear Hash",
        kind: Kind::Button {
            change: || Change::ClearHash,
        },
        meaning: "Forget everything found so far.",
    },
    OptionSpec {
        name: "Ponder",
        kind: Kind::Check {
            default: false,
            change: Change::Ponder,
        },
        meaning: "Tells GUIs that the engine can think on the opponent's time; it always can.",
    },
    OptionSpec {
        name: "MultiPV",
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: MAX_MULTI_PV,
            change: |lines| Change::MultiPv(lines as usize),
        },
        meaning: "How many of the best lines to show, each with its own score. 1 plays strongest.",
    },
    OptionSpec {
        name: "Move Overhead",
        kind: Kind::Spin {
            default: DEFAULT_MOVE_OVERHEAD_MS,
            min: 0,
            max: 10_000,
            change: |ms| Change::MoveOverhead(Duration::from_millis(ms as u64)),
        },
        meaning: "Milliseconds kept back from every move for the way between engine and server. \
                  Raise it if games are lost on time.",
    },
    OptionSpec {
        name: "UCI_Chess960",
        kind: Kind::Check {
            default: false,
            change: Change::Chess960,
        },
        meaning: "Play Chess960 (Fischer random): castling is written as king takes own rook. Both \
                  ways of writing it are understood at any time.",
    },
    OptionSpec {
        name: "UCI_ShowWDL",
        kind: Kind::Check {
            default: false,
            change: Change::ShowWdl,
        },
        meaning: "Add the chances of a win, a draw and a loss to every score, in thousandths.",
    },
    OptionSpec {
        name: "UCI_AnalyseMode",
        kind: Kind::Check {
            default: false,
            change: Change::AnalyseMode,
        },
        meaning: "Set by GUIs while they analyse: full strength, whatever UCI_LimitStrength says.",
    },
    OptionSpec {
        name: "UCI_LimitStrength",
        kind: Kind::Check {
            default: false,
            change: Change::LimitStrength,
        },
        meaning: "Play at the strength of UCI_Elo: look less far, and sometimes prefer a worse \
                  move, the less so the worse it is.",
    },
    OptionSpec {
        name: "UCI_Elo",
        kind: Kind::Spin {
            default: MAX_ELO as i64,
            min: MIN_ELO as i64,
            max: MAX_ELO as i64,
            change: |elo| Change::Elo(elo as u32),
        },
        meaning: "The strength to play at with UCI_LimitStrength. The scale is a guess that has not \
                  yet been measured in games.",
    },
    OptionSpec {
        name: "SyzygyPath",
        kind: Kind::Text {
            default: "",
            change: |path| Ok(Change::SyzygyPath(path.to_owned())),
        },
        meaning: "Folders with Syzygy endgame tables, separated by ; (or : elsewhere than on \
                  Windows); empty for none.",
    },
    OptionSpec {
        name: "SyzygyProbeDepth",
        kind: Kind::Spin {
            default: DEFAULT_PROBE_DEPTH as i64,
            min: 1,
            max: 100,
            change: |depth| Change::SyzygyProbeDepth(depth as Depth),
        },
        meaning: "Look into the largest tables only with so many plies left to search: raise it if \
                  they lie on a slow disk.",
    },
    OptionSpec {
        name: "SyzygyProbeLimit",
        kind: Kind::Spin {
            default: MOST_MEN as i64,
            min: 0,
            max: MOST_MEN as i64,
            change: |men| Change::SyzygyProbeLimit(men as u32),
        },
        meaning: "Look into tables only with so many men on the board, or fewer; 0 for never.",
    },
    OptionSpec {
        name: "Syzygy50MoveRule",
        kind: Kind::Check {
            default: true,
            change: |in_force| {
                Change::SyzygyFiftyMoveRule(if in_force {
                    FiftyMoveRule::InForce
                } else {
                    FiftyMoveRule::Ignored
                })
            },
        },
        meaning: "Whether wins that the fifty-move rule spoils count as draws.",
    },
    OptionSpec {
        name: "EvalFile",
        kind: Kind::Text {
            default: "",
            change: |path| Ok(Change::EvalFile(path.to_owned())),
        },
        meaning: "A network file to evaluate with; empty for the evaluation that is built in. \
                  Forgets what the hash table holds.",
    },
    OptionSpec {
        name: "Use Network",
        kind: Kind::Check {
            default: true,
            change: |used| {
                Change::Scoring(if used {
                    Scoring::Network
                } else {
                    Scoring::HandWritten
                })
            },
        },
        meaning: "Evaluate with a network, where there is one; otherwise with the hand-written \
                  terms. Forgets what the hash table holds.",
    },
    OptionSpec {
        name: "Hash File",
        kind: Kind::Text {
            default: "",
            change: |path| Ok(Change::HashFile(path.to_owned())),
        },
        meaning: "The file for Save Hash and Load Hash.",
    },
    OptionSpec {
        name: "Save Hash",
        kind: Kind::Button {
            change: || Change::SaveHash,
        },
        meaning: "Write the hash table to Hash File, to go on with an analysis another day.",
    },
    OptionSpec {
        name: "Load Hash",
        kind: Kind::Button {
            change: || Change::LoadHash,
        },
        meaning: "Read the hash table from Hash File. A damaged or foreign file changes nothing.",
    },
    OptionSpec {
        name: "nodestime",
        kind: Kind::Spin {
            default: 0,
            min: 0,
            max: 10_000,
            change: |nodes| Change::NodesTime(nodes as u32),
        },
        meaning: "For tests: count this many searched nodes as one millisecond on every clock, so \
                  that timed games can be repeated. 0 uses real time.",
    },
    OptionSpec {
        name: "Without",
        kind: Kind::Text {
            default: "",
            change: |list| techniques_without(list).map(Change::Without),
        },
        meaning: "For developers: search techniques to switch off, separated by commas. `help \
                  techniques` lists their names.",
    },
];

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
            Ok(Change::MoveOverhead(Duration::from_millis(7)))
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
