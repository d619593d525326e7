//! Random sequences of commands to a running engine: every `go` is answered once or refused, every
//! answer is legal in the position that was set, and all output has the form that the protocol defines,
//! except the output of `d`, `eval`, `compiler` and `help`.

use std::cell::RefCell;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use skewer::command::{Command, Go, PositionText, Start, parse};
use skewer::options::{Kind, OPTIONS};
use skewer::output::Output;
use skewer::{Next, Session};
use skewer_movegen::{Board, Move};

#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Complete commands with tiny limits, and fragments that form bad commands.
#[rustfmt::skip]
const WORDS: [&str; 86] = [
    "uci\n", "isready\n", "ucinewgame\n", "stop\n", "ponderhit\n", "d\n", "eval\n", "flip\n",
    "go nodes 50\n", "go depth 2\n", "go movetime 1\n", "go infinite nodes 20\n", "go ponder depth 1\n",
    "go wtime 5 btime 5\n", "go mate 1 nodes 100\n", "perft 2\n", "position startpos\n",
    "position startpos moves e2e4 e7e5\n", "position fen 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1\n",
    "position fen k7/8/1Q6/8/8/8/8/K7 b - - 0 1\n", "position fen 8/8 w - -\n",
    "setoption name Hash value 1\n", "setoption name Hash value 2\n", "setoption name Threads value 1\n",
    "setoption name Threads value 3\n", "setoption name MultiPV value 4\n", "setoption name MultiPV value 1\n",
    "setoption name Clear Hash\n", "setoption name UCI_Chess960 value true\n",
    "setoption name UCI_ShowWDL value true\n", "setoption name UCI_LimitStrength value true\n",
    "setoption name UCI_Elo value 1500\n", "setoption name Without value null-move\n", "debug on\n",
    "go ", "searchmoves ", "e2e4 ", "a7a8q ", "0000 ", "nodes 30 ", "depth 1 ", "wtime -1 ", "movestogo 0 ",
    "position ", "startpos ", "moves ", "fen ", "setoption ", "name ", "value ", "Hash ", "true ", "abc ",
    "-1 ", "18446744073709551616 ", "mate 1 ", "movetime 1 ", "\n", "\t", "\0", "K7/8/8/8/8/8/8/k7 w - - ",
    "genfens 0 seed 1 book None\n", "help\n", "register later\n", "quit\n", "debug off\n",
    "setoption name nodestime value 100\n", "setoption name nodestime value 0\n",
    "setoption name UCI_AnalyseMode value true\n", "setoption name UCI_LimitStrength value false\n",
    "setoption name UCI_Chess960 value false\n", "setoption name Use Network value false\n",
    "setoption name SyzygyPath value /no/such/folder\n", "setoption name SyzygyPath value\n",
    "setoption name EvalFile value /no/such/file\n", "setoption name EvalFile value <empty>\n",
    "setoption name Hash File value /no/such/folder/table\n", "setoption name Save Hash\n",
    "setoption name Load Hash\n", "perft 25\n", "go perft 1\n", "bench --withoutfoo\n",
    "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1h1 e8a8\n",
    "position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\n",
    "go searchmoves e1g1 e1c1 depth 1\n", "go ponder wtime 5 btime 5\n",
];

/// Whether the protocol, or `perft`, has lines of this form.
fn is_well_formed(line: &str) -> bool {
    let first = line.split(' ').next().unwrap_or_default();
    let is_count = line
        .rsplit_once(": ")
        .is_some_and(|(_, count)| count.parse::<u64>().is_ok());
    line == line.trim()
        && !line.contains(char::is_control)
        && (["id", "option", "uciok", "readyok", "bestmove", "info"].contains(&first) || is_count)
}

/// Whether the output of a command is text for people, in no fixed form.
fn prints_text(command: &Command<'_>) -> bool {
    matches!(
        command,
        Command::Display | Command::Eval | Command::Compiler | Command::Help(_)
    )
}

/// The board of a `position` command; `None` if the position or a move is invalid.
fn set_up(text: &PositionText<'_>) -> Option<Board> {
    let start = match text.start {
        Start::Initial => Board::STARTPOS,
        Start::Fen(fen) => Board::from_fen(fen).ok()?,
        Start::Chess960(number) => Board::chess960(number),
        Start::Unreadable(_) => return None,
    };
    let play = |board: Board, text: &&str| Some(board.play(board.parse_uci(text).ok()?));
    text.moves.iter().try_fold(start, play)
}

/// The answers to a `go` that are right.
#[derive(Clone)]
enum Expected {
    /// A legal move of this board, and one of the list unless the list is empty.
    From(Board, Vec<Move>),
    /// No move, because there is no position.
    Nothing,
    /// Any answer, because the position is not known.
    Anything,
}

impl Expected {
    /// The same, restricted to the `searchmoves` of a `go`.
    fn restricted(self, go: &Go<'_>) -> Self {
        match self {
            Self::From(board, _) => {
                let words = go.searchmoves.iter().flatten();
                Self::From(
                    board,
                    words
                        .filter_map(|text| board.parse_uci(text).ok())
                        .collect(),
                )
            }
            other => other,
        }
    }

    /// Whether a `bestmove` line is right.
    fn allows(&self, answer: &str) -> bool {
        let (board, among) = match self {
            Self::Anything => return true,
            Self::Nothing => return answer == "bestmove (none)",
            Self::From(board, _) if !board.has_legal_moves() => return answer == "bestmove (none)",
            Self::From(board, among) => (board, among),
        };
        let words: Vec<&str> = answer.split(' ').collect();
        let Ok(best) = board.parse_uci(words.get(1).copied().unwrap_or_default()) else {
            return false;
        };
        let ponder_is_legal = match words[2..] {
            [] => true,
            ["ponder", text] => board.play(best).parse_uci(text).is_ok(),
            _ => false,
        };
        ponder_is_legal && (among.is_empty() || among.contains(&best))
    }
}

/// With at least this many complaints about a line, the remark may leave some out.
const MANY_COMPLAINTS: usize = 3;

/// Runs a script on an engine, and keeps track of the output that is expected.
struct Model<'s> {
    session: &'s mut Session,
    sink: Sink,
    /// The answers that the present position allows.
    position: Expected,
    /// The expected answer of each search so far.
    expected: Vec<Expected>,
    /// Whether a shortened remark may hide that a `go` was refused, so that answers cannot be counted.
    is_uncertain: bool,
    /// Whether a command has printed text in no fixed form.
    has_text: bool,
}

impl<'s> Model<'s> {
    fn new(session: &'s mut Session, sink: Sink) -> Self {
        Self {
            session,
            sink,
            position: Expected::From(Board::STARTPOS, Vec::new()),
            expected: Vec::new(),
            is_uncertain: false,
            has_text: false,
        }
    }

    /// The number of `go` commands that were ignored so far.
    fn refused(&self) -> usize {
        let said = self.sink.0.lock().unwrap();
        let said = std::str::from_utf8(&said).expect("text");
        said.lines()
            .filter(|line| line.contains("go is ignored: the engine is busy"))
            .count()
    }

    fn line(&mut self, line: &str) -> Next {
        let parsed = parse(line);
        let refused = self.refused();
        let next = self.session.line(line);
        match parsed.command {
            Some(Command::Go(go)) => {
                self.is_uncertain |= parsed.complaints.len() >= MANY_COMPLAINTS;
                if self.refused() == refused {
                    let expected = self.position.clone().restricted(&go);
                    self.expected.push(expected);
                }
            }
            Some(Command::Position(text)) => {
                self.position = match set_up(&text) {
                    Some(board) => Expected::From(board, Vec::new()),
                    None => Expected::Nothing,
                };
            }
            // Without a position, `flip` changes nothing.
            Some(Command::Flip) if !matches!(self.position, Expected::Nothing) => {
                self.position = Expected::Anything;
            }
            Some(command) => self.has_text |= prints_text(&command),
            None => {}
        }
        next
    }

    /// Stops a running search or job, and checks the output of the whole script.
    fn end(self, script: &str) {
        // Long searches then answer, and no job is left that could slow the next script.
        self.session.line("stop");
        self.session.finish();
        let said = self.sink.0.lock().unwrap();
        let said = std::str::from_utf8(&said).expect("text");
        let answers: Vec<&str> = said
            .lines()
            .filter(|line| line.starts_with("bestmove"))
            .collect();
        if !self.is_uncertain {
            assert_eq!(answers.len(), self.expected.len(), "{script}\n---\n{said}");
            for (answer, expected) in answers.iter().zip(&self.expected) {
                assert!(
                    expected.allows(answer),
                    "{answer} in\n{script}\n---\n{said}"
                );
            }
        }
        assert!(
            !said.contains("info string a search thread failed"),
            "{said}"
        );
        let malformed = said.lines().find(|line| !is_well_formed(line));
        assert!(
            self.has_text || malformed.is_none(),
            "{malformed:?} in\n{script}\n---\n{said}"
        );
    }
}

/// The most words in a script.
const SCRIPT_WORDS: usize = 64;

/// Resets everything that `script` may have changed to the state of a new session, except that the hash
/// table is small: to clear a large one under the instrumentation of the fuzzer would take most of the
/// time of a run.
fn reset(session: &mut Session, script: &str) {
    for option in OPTIONS {
        let default = match option.kind {
            Kind::Check { default, .. } => default.to_string(),
            Kind::Spin { .. } if option.name == "Hash" => "1".to_owned(),
            Kind::Spin { default, .. } => default.to_string(),
            Kind::Text { .. } => String::new(),
            Kind::Button { .. } => continue,
        };
        if script.contains(option.name) {
            session.line(&format!("setoption name {} value {default}", option.name));
        }
    }
    for line in ["debug off", "position startpos", "ucinewgame"] {
        session.line(line);
    }
}

/// A running engine, its output, and its last script.
type RunningEngine = (Session, Sink, String);

/// A new engine. Its last "script" is the option `Hash`, so that [`reset`] makes the table small.
fn new_engine() -> RunningEngine {
    let sink = Sink::default();
    let session = Session::new(Output::new(sink.clone()));
    (session.expect("a small table"), sink, "Hash".to_owned())
}

thread_local! {
    /// The engine of the last run. Creating one takes far longer than a script, so it is reused until
    /// a script quits it.
    static ENGINE: RefCell<Option<RunningEngine>> = const { RefCell::new(None) };
}

/// Runs the script that these bytes encode, a word of [`WORDS`] each, and checks the output.
pub(crate) fn check(bytes: &[u8]) {
    let (mut session, sink, last) = ENGINE.take().unwrap_or_else(new_engine);
    reset(&mut session, &last);
    sink.0.lock().unwrap().clear();
    let words = bytes.iter().take(SCRIPT_WORDS);
    let script: String = words
        .map(|&byte| WORDS[byte as usize % WORDS.len()])
        .collect();
    let mut model = Model::new(&mut session, sink.clone());
    let quits = script.lines().any(|line| model.line(line) == Next::Quit);
    model.end(&script);
    if quits {
        session.close();
    } else {
        ENGINE.set(Some((session, sink, script)));
    }
}
