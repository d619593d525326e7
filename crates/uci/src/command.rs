//! The commands of the front-end: one table of their names, parsers and help.
//!
//! [`parse`] turns a line into a typed [`Command`] and a list of [`Complaint`]s about the words that it
//! skipped. It never fails or panics, because the protocol asks engines to skip what they do not know.
//! The session executes the commands.

mod complaint;
mod go;
mod position;
#[cfg(test)]
mod tests;
mod words;

pub use complaint::{Complaint, quote};
pub(crate) use go::KEYWORDS;
pub use go::{Go, Perft};
pub(crate) use position::position;
pub use position::{PositionText, Start};
use words::split_word;
pub use words::{DebugMode, SetOption};

/// A command with its arguments, borrowed from the line it was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Command<'a> {
    /// `uci`: print the name and the options.
    Uci,
    /// `isready`: answer when all earlier commands are done.
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
    /// `compiler`: show the version, and how the program was compiled.
    Compiler,
    /// `bench [DEPTH [THREADS [HASH_MB]]] [--without NAME,..]`: the words after it.
    Bench(Vec<&'a str>),
    /// `genfens N seed S book B`: the words after it.
    GenFens(Vec<&'a str>),
    /// `help [TOPIC]`.
    Help(Option<&'a str>),
}

impl Command<'_> {
    /// Whether the command has no free text from the client: no FEN, move, name or value.
    pub fn is_without_text(&self) -> bool {
        match self {
            Self::SetOption(_) | Self::Position(_) => false,
            Self::Go(go) => go.searchmoves.is_none(),
            Self::Perft(perft) => perft.fen.is_none(),
            Self::Bench(words) | Self::GenFens(words) => words.is_empty(),
            Self::Help(topic) => topic.is_none(),
            _ => true,
        }
    }

    /// Whether the answer is printed at once.
    pub fn prints_at_once(&self) -> bool {
        matches!(
            self,
            Self::Uci | Self::IsReady | Self::Display | Self::Eval | Self::Help(_)
        )
    }
}

/// The origin of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The protocol; the command may follow unknown words.
    Protocol,
    /// This engine; the command must be the first word of its line.
    Engine,
}

/// How the text after a command is read.
enum Parser {
    /// The command has no arguments.
    Bare(Command<'static>),
    /// Reads the arguments.
    Arguments(for<'a> fn(&'a str, &mut Vec<Complaint<'a>>) -> Option<Command<'a>>),
}

/// A row of [`COMMANDS`].
pub(crate) struct CommandSpec {
    pub(crate) origin: Origin,
    pub(crate) name: &'static str,
    /// The arguments as `help` shows them.
    pub(crate) arguments: &'static str,
    pub(crate) help: &'static str,
    parser: Parser,
}

const fn row(
    origin: Origin,
    name: &'static str,
    arguments: &'static str,
    help: &'static str,
    parser: Parser,
) -> CommandSpec {
    CommandSpec {
        origin,
        name,
        arguments,
        help,
        parser,
    }
}

/// Every command, in the order of `help`.
#[rustfmt::skip]
pub(crate) static COMMANDS: &[CommandSpec] = {
    use Origin::{Engine, Protocol};
    use Parser::{Arguments, Bare};
    &[
        row(Protocol, "uci", "", "name the engine and list its options", Bare(Command::Uci)),
        row(Protocol, "isready", "", "answer readyok; also during a search", Bare(Command::IsReady)),
        row(Protocol, "setoption", "name N value V", "set an option (help options)",
            Arguments(|rest, _| Some(Command::SetOption(words::read_setoption(rest))))),
        row(Protocol, "ucinewgame", "", "forget what was found in the last game", Bare(Command::NewGame)),
        row(Protocol, "position", "startpos|fen FEN|chess960 N [moves M1 M2 ..]", "set the board",
            Arguments(|rest, _| Some(Command::Position(position::read_position(rest))))),
        row(Protocol, "go", "[LIMITS]", "search; the limits combine, in any order:", Arguments(go::read_go)),
        row(Protocol, "stop", "", "end the search, and answer", Bare(Command::Stop)),
        row(Protocol, "ponderhit", "", "the expected move was played: start the clock",
            Bare(Command::PonderHit)),
        // No remark is printed after `quit`.
        row(Protocol, "quit", "", "leave", Arguments(|_, _| Some(Command::Quit))),
        row(Protocol, "debug", "on|off", "print more remarks, or the usual ones",
            Arguments(words::read_debug)),
        row(Protocol, "register", "", "accepted; nothing needs registration",
            Arguments(|_, _| Some(Command::Register))),
        row(Engine, "d", "", "show the board", Bare(Command::Display)),
        row(Engine, "eval", "", "show the evaluation", Bare(Command::Eval)),
        row(Engine, "flip", "", "swap the colours", Bare(Command::Flip)),
        row(Engine, "perft", "N [FEN]", "count the move tree, as go perft N does",
            Arguments(go::read_perft)),
        row(Engine, "bench", "[DEPTH [THREADS [HASH_MB]]] [--without NAME,..]",
            "search a set of positions; ends with nodes and speed",
            Arguments(|rest, _| Some(Command::Bench(rest.split_ascii_whitespace().collect())))),
        row(Engine, "genfens", "N seed S book B", "print N random balanced positions",
            Arguments(|rest, _| Some(Command::GenFens(rest.split_ascii_whitespace().collect())))),
        row(Engine, "compiler", "", "show the version, and how the program was compiled", Bare(Command::Compiler)),
        row(Engine, "help", "[options|techniques]", "this page, the options, the search techniques",
            Arguments(|rest, _| Some(Command::Help(rest.split_ascii_whitespace().next())))),
        row(Engine, "exit", "", "leave", Arguments(|_, _| Some(Command::Quit))),
    ]
};

/// A parsed line: the command, if one was found, and the mistakes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed<'a> {
    /// The command, or `None` if the line held none (a blank line holds none and is no mistake).
    pub command: Option<Command<'a>>,
    /// The mistakes, in the order of the words.
    pub complaints: Vec<Complaint<'a>>,
}

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
    let command = find_command(line, &mut complaints)
        .and_then(|(spec, rest)| spec.read(rest, &mut complaints));
    Parsed {
        command,
        complaints,
    }
}

/// The command of a line and the text after it.
fn find_command<'a>(
    line: &'a str,
    complaints: &mut Vec<Complaint<'a>>,
) -> Option<(&'static CommandSpec, &'a str)> {
    let (first, rest) = split_word(line)?;
    let mut rows = COMMANDS.iter();
    if let Some(spec) = rows.find(|spec| spec.name.eq_ignore_ascii_case(first)) {
        if first != spec.name {
            complaints.push(Complaint::Capitals {
                found: first,
                expected: spec.name,
            });
        }
        return Some((spec, rest));
    }
    let mut after = rest;
    while let Some((word, next)) = split_word(after) {
        // Text after unknown words is more likely prose than a command in capitals, so the case must be right.
        let mut protocol = COMMANDS
            .iter()
            .filter(|spec| spec.origin == Origin::Protocol);
        if let Some(spec) = protocol.find(|spec| spec.name == word) {
            let skipped = &line[..line.len() - after.len()];
            complaints.push(Complaint::Skipped(skipped.trim_ascii_end()));
            return Some((spec, next));
        }
        after = next;
    }
    complaints.push(Complaint::UnknownCommand(line));
    None
}

impl CommandSpec {
    /// The command with the arguments in `rest`; `None` if they cannot be used.
    fn read<'a>(&self, rest: &'a str, complaints: &mut Vec<Complaint<'a>>) -> Option<Command<'a>> {
        match &self.parser {
            Parser::Arguments(read) => read(rest, complaints),
            Parser::Bare(command) => {
                complaints.extend(
                    split_word(rest).map(|(word, _)| Complaint::UnknownArgument {
                        command: self.name,
                        word,
                    }),
                );
                Some(command.clone())
            }
        }
    }
}
