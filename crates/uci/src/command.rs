//! The commands of the UCI protocol, and their parser.
//!
//! [`parse`] turns a line into a typed [`Command`] and a list of [`Complaint`]s about the words that it
//! skipped. It never fails or panics, because the protocol asks engines to skip what they do not know.
//! The session executes the commands.

mod complaint;
mod go;
mod read;

pub use complaint::{Complaint, quote};
pub use read::parse;

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

/// The arguments of `setoption`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SetOption<'a> {
    /// The option's name as written; empty if it was left out.
    pub name: &'a str,
    /// The value as written, inner spaces kept; `None` without the word `value`.
    pub value: Option<&'a str>,
}

/// The arguments of `position`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionText<'a> {
    /// Where the moves start from.
    pub start: Start<'a>,
    /// The moves as written.
    pub moves: Vec<&'a str>,
}

/// Where the moves of a `position` command start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start<'a> {
    /// `startpos`.
    Initial,
    /// `fen ...`: the text between `fen` and `moves`, which may be empty.
    Fen(&'a str),
    /// Any other text, which may be empty.
    Unreadable(&'a str),
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
    /// The moves to choose from, as written; `None` without the word `searchmoves`.
    pub searchmoves: Option<Vec<&'a str>>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Search on the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// A limit was given but could not be read. Without another limit the search must still end by itself,
    /// because the client may wait for the answer.
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
    /// The depth in plies.
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

/// A parsed line: the command, if one was found, and the mistakes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed<'a> {
    /// The command, or `None` if the line held none (a blank line holds none and is no mistake).
    pub command: Option<Command<'a>>,
    /// The mistakes, in the order of the words.
    pub complaints: Vec<Complaint<'a>>,
}
