//! What a line of UCI text asks for.
//!
//! [`parse`] turns a line into a typed [`Command`] and a list of [`Complaint`]s about what it
//! could not use. It never fails and never panics: the protocol says that an engine skips what
//! it does not know, and a person at a terminal wants to hear what was skipped. What the
//! commands do is the session's business; what their numbers mean together is the search's.

use std::fmt;

/// A command with its arguments, borrowed from the line it was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Command<'a> {
    /// `uci`: introduce yourself.
    Uci,
    /// `isready`: answer when everything before has been done.
    IsReady,
    /// `ucinewgame`: the next position is from another game.
    NewGame,
    /// `setoption name NAME [value VALUE]`.
    SetOption(SetOption<'a>),
    /// `position ...`: set the board.
    Position(PositionText<'a>),
    /// `go ...`: search.
    Go(Go<'a>),
    /// `go perft N` or `perft N [FEN]`: count the leaves of the move tree.
    Perft(Perft<'a>),
    /// `stop`: end the search and answer.
    Stop,
    /// `ponderhit`: the move pondered on was played.
    PonderHit,
    /// `quit`: leave.
    Quit,
    /// `debug on` or `debug off`.
    Debug(DebugMode),
    /// `register ...`: accepted, since nothing needs registration.
    Register,
    /// `d`: show the board.
    Display,
    /// `eval`: show the evaluation term by term.
    Eval,
    /// `flip`: swap the colours of the position.
    Flip,
    /// `bench [DEPTH [THREADS [HASH_MB]]] [--without NAME,..]`: the words after it.
    Bench(Vec<&'a str>),
    /// `genfens N seed S book B`: the words after it.
    GenFens(Vec<&'a str>),
    /// `help [TOPIC]`.
    Help(Option<&'a str>),
}

impl Command<'_> {
    /// Whether nothing that the client wrote freely goes into the command: no FEN, move, name or
    /// value.
    pub fn is_without_text(&self) -> bool {
        !matches!(
            self,
            Self::SetOption(_) | Self::Position(_) | Self::Perft(_)
        )
    }
}

/// The arguments of `setoption`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SetOption<'a> {
    /// The option's name as it was written; empty if it was left out.
    pub name: &'a str,
    /// The value as it was written, inner spaces kept; `None` without the word `value`.
    pub value: Option<&'a str>,
}

/// The arguments of `position`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionText<'a> {
    /// Where the moves start from.
    pub start: Start<'a>,
    /// The moves as they were written.
    pub moves: Vec<&'a str>,
}

/// Where the moves of a `position` command start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start<'a> {
    /// `startpos`.
    Initial,
    /// `fen ...`: the text between `fen` and `moves`, which may be empty.
    Fen(&'a str),
    /// Neither word: nothing to set up.
    Missing,
}

/// The arguments of `go`. Everything may be combined; times are in milliseconds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Go<'a> {
    /// White's clock; a negative one is read as 0.
    pub wtime: Option<u64>,
    /// Black's clock; a negative one is read as 0.
    pub btime: Option<u64>,
    /// White's increment.
    pub winc: Option<u64>,
    /// Black's increment.
    pub binc: Option<u64>,
    /// Moves to the next time control, at least 1.
    pub movestogo: Option<u64>,
    /// Deepest iteration, in plies, at least 1.
    pub depth: Option<u64>,
    /// Nodes to search.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<u64>,
    /// Look for a mate in this many full moves.
    pub mate: Option<u64>,
    /// The moves to choose from, as they were written; `None` without the word `searchmoves`.
    pub searchmoves: Option<Vec<&'a str>>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Search on the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Some limit was given but could not be read. If no other limit is there the search must
    /// still end by itself, since the client may be waiting for it to.
    pub unreadable: bool,
}

impl Go<'_> {
    /// Whether any limit was given that ends a search.
    pub fn is_limited(&self) -> bool {
        self.wtime.is_some()
            || self.btime.is_some()
            || self.depth.is_some()
            || self.nodes.is_some()
            || self.movetime.is_some()
            || self.mate.is_some()
    }
}

/// The arguments of `perft`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Perft<'a> {
    /// How many plies deep to count.
    pub depth: u32,
    /// The position, or `None` for the one that is set.
    pub fen: Option<&'a str>,
}

/// The argument of `debug`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DebugMode {
    /// More `info string` lines.
    On,
    /// The usual ones.
    Off,
}

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

/// A line that has been read: a command if one was found, and what was wrong with the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed<'a> {
    /// The command, or `None` if the line held none (a blank line holds none and is no mistake).
    pub command: Option<Command<'a>>,
    /// What could not be used, in the order it was met.
    pub complaints: Vec<Complaint<'a>>,
}

/// The commands of the protocol, which may follow unknown words.
const PROTOCOL: [&str; 11] = [
    "uci",
    "isready",
    "ucinewgame",
    "setoption",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "debug",
    "register",
];

/// Our own commands, which must be the first word of their line.
const EXTRAS: [&str; 8] = [
    "d", "eval", "flip", "perft", "bench", "genfens", "help", "exit",
];

/// Reads one line. A trailing line break is allowed.
///
/// ```
/// use skewer::command::{Command, parse};
///
/// let parsed = parse("isready");
/// assert_eq!(parsed.command, Some(Command::IsReady));
/// assert!(parsed.complaints.is_empty());
///
/// // The protocol: skip what you do not know, and use the rest.
/// assert_eq!(parse("joho isready").command, Some(Command::IsReady));
/// assert_eq!(parse("").command, None);
/// ```
pub fn parse(line: &str) -> Parsed<'_> {
    let line = line.trim_matches(|c: char| c.is_ascii_whitespace());
    let mut complaints = Vec::new();
    let command = match find_command(line, &mut complaints) {
        Some((name, rest)) => read_command(name, rest, &mut complaints),
        None => None,
    };
    Parsed {
        command,
        complaints,
    }
}

/// The command's name and the text after it.
fn find_command<'a>(
    line: &'a str,
    complaints: &mut Vec<Complaint<'a>>,
) -> Option<(&'static str, &'a str)> {
    let (first, rest) = split_word(line)?;
    if let Some(name) = known(first, EXTRAS.iter().chain(&PROTOCOL)) {
        note_capitals(first, name, complaints);
        return Some((name, rest));
    }
    let mut after = rest;
    while let Some((word, next)) = split_word(after) {
        // Prose is more likely than a command in capitals here, so the case must be right.
        if let Some(&name) = PROTOCOL.iter().find(|&&name| name == word) {
            let skipped = &line[..line.len() - after.len()];
            complaints.push(Complaint::Skipped(skipped.trim_ascii_end()));
            return Some((name, next));
        }
        after = next;
    }
    complaints.push(Complaint::UnknownCommand(line));
    None
}

fn known<'n>(
    word: &str,
    mut names: impl Iterator<Item = &'n &'static str>,
) -> Option<&'static str> {
    names.find(|name| name.eq_ignore_ascii_case(word)).copied()
}

fn note_capitals<'a>(found: &'a str, expected: &'static str, complaints: &mut Vec<Complaint<'a>>) {
    if found != expected {
        complaints.push(Complaint::Capitals { found, expected });
    }
}

/// The first word and the text after it, both without blanks around them; `None` if there is no
/// word.
fn split_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_ascii();
    if text.is_empty() {
        return None;
    }
    let end = text
        .find(|c: char| c.is_ascii_whitespace())
        .unwrap_or(text.len());
    Some((&text[..end], text[end..].trim_ascii_start()))
}

fn read_command<'a>(
    name: &'static str,
    rest: &'a str,
    complaints: &mut Vec<Complaint<'a>>,
) -> Option<Command<'a>> {
    Some(match name {
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "setoption" => Command::SetOption(read_setoption(rest)),
        "position" => Command::Position(read_position(rest, complaints)),
        "go" => return crate::go::read_go(rest, complaints),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "debug" => Command::Debug(read_debug(rest, complaints)),
        "register" => Command::Register,
        "d" => Command::Display,
        "eval" => Command::Eval,
        "flip" => Command::Flip,
        "perft" => return crate::go::read_perft(rest, complaints),
        "bench" => Command::Bench(rest.split_ascii_whitespace().collect()),
        "genfens" => Command::GenFens(rest.split_ascii_whitespace().collect()),
        "help" => Command::Help(rest.split_ascii_whitespace().next()),
        _ => Command::Quit,
    })
}

fn read_debug<'a>(rest: &'a str, complaints: &mut Vec<Complaint<'a>>) -> DebugMode {
    match rest.split_ascii_whitespace().next() {
        Some("off") => DebugMode::Off,
        Some("on") | None => DebugMode::On,
        Some(word) => {
            complaints.push(Complaint::UnknownArgument {
                command: "debug",
                word,
            });
            DebugMode::Off
        }
    }
}

/// Splits at the words `name` and `value`. A value may hold the word `value`, and a name with
/// inner spaces keeps them.
fn read_setoption(rest: &str) -> SetOption<'_> {
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

/// Where the first whole word equal to `wanted` (in any case) begins and ends.
fn find_word(text: &str, wanted: &str) -> Option<(usize, usize)> {
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

fn read_position<'a>(rest: &'a str, complaints: &mut Vec<Complaint<'a>>) -> PositionText<'a> {
    let (head, moves) = match find_word(rest, "moves") {
        Some((start, end)) => (rest[..start].trim_ascii(), &rest[end..]),
        None => (rest, ""),
    };
    let start = match split_word(head) {
        Some((word, after)) if word.eq_ignore_ascii_case("startpos") => {
            if let Some((word, _)) = split_word(after) {
                complaints.push(Complaint::UnknownArgument {
                    command: "position",
                    word,
                });
            }
            Start::Initial
        }
        Some((word, after)) if word.eq_ignore_ascii_case("fen") => Start::Fen(after),
        Some((word, _)) => {
            complaints.push(Complaint::UnknownArgument {
                command: "position",
                word,
            });
            Start::Missing
        }
        None => Start::Missing,
    };
    PositionText {
        start,
        moves: moves.split_ascii_whitespace().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Command<'_> {
        let parsed = parse(line);
        assert_eq!(parsed.complaints, [], "{line}");
        parsed.command.expect(line)
    }

    #[test]
    fn plain_commands() {
        assert_eq!(command("uci"), Command::Uci);
        assert_eq!(command(" \t isready \r\n"), Command::IsReady);
        assert_eq!(command("ucinewgame"), Command::NewGame);
        assert_eq!(command("quit"), Command::Quit);
        assert_eq!(command("exit"), Command::Quit);
        assert_eq!(command("debug off"), Command::Debug(DebugMode::Off));
        assert_eq!(command("debug on"), Command::Debug(DebugMode::On));
        assert_eq!(command("register later"), Command::Register);
        assert_eq!(command("help options"), Command::Help(Some("options")));
    }

    #[test]
    fn blank_lines_are_no_mistake() {
        for line in ["", " ", "\r", "\t \r\n"] {
            let parsed = parse(line);
            assert_eq!((parsed.command, parsed.complaints.len()), (None, 0));
        }
    }

    #[test]
    fn unknown_words_are_skipped_and_said() {
        let parsed = parse("joho  debug on");
        assert_eq!(parsed.command, Some(Command::Debug(DebugMode::On)));
        assert_eq!(parsed.complaints, [Complaint::Skipped("joho")]);
        let parsed = parse("no such thing");
        assert_eq!(parsed.command, None);
        assert_eq!(
            parsed.complaints,
            [Complaint::UnknownCommand("no such thing")]
        );
        // Our own commands are not looked for inside prose.
        assert_eq!(parse("I need help").command, None);
    }

    #[test]
    fn capitals_are_read_and_said() {
        let parsed = parse("UCI");
        assert_eq!(parsed.command, Some(Command::Uci));
        assert_eq!(parsed.complaints.len(), 1);
    }

    #[test]
    fn options_keep_spaces_and_odd_words() {
        let cases = [
            ("setoption name Hash value 64", "Hash", Some("64")),
            ("setoption name Clear Hash", "Clear Hash", None),
            (
                "setoption name SyzygyPath value /a b/value c",
                "SyzygyPath",
                Some("/a b/value c"),
            ),
            ("setoption name Hash value", "Hash", Some("")),
            ("setoption NAME hash VALUE 1", "hash", Some("1")),
            ("setoption", "", None),
            ("setoption name", "", None),
            ("setoption value 3", "", Some("3")),
            ("setoption Hash value 3", "Hash", Some("3")),
            (
                "setoption name  Move   Overhead  value  3",
                "Move   Overhead",
                Some("3"),
            ),
        ];
        for (line, name, value) in cases {
            assert_eq!(
                command(line),
                Command::SetOption(SetOption { name, value }),
                "{line}"
            );
        }
    }

    #[test]
    fn positions() {
        let position = |start, moves: &[&'static str]| {
            Command::Position(PositionText {
                start,
                moves: moves.to_vec(),
            })
        };
        assert_eq!(command("position startpos"), position(Start::Initial, &[]));
        assert_eq!(
            command("position startpos moves e2e4 e7e5"),
            position(Start::Initial, &["e2e4", "e7e5"])
        );
        assert_eq!(
            command("position fen 8/8/8/8/8/8/8/8 w - - moves a1a2"),
            position(Start::Fen("8/8/8/8/8/8/8/8 w - -"), &["a1a2"])
        );
        assert_eq!(command("position fen"), position(Start::Fen(""), &[]));
        assert_eq!(command("position fen moves"), position(Start::Fen(""), &[]));
        assert_eq!(command("position"), position(Start::Missing, &[]));
        assert_eq!(
            parse("position 8/8 w").complaints,
            [Complaint::UnknownArgument {
                command: "position",
                word: "8/8"
            }]
        );
    }

    #[test]
    fn quotes_are_one_short_line() {
        let long = "x\n".repeat(100_000);
        let text = Complaint::UnknownCommand(&long).to_string();
        assert!(text.len() < 200 && !text.contains('\n'), "{text}");
    }
}
