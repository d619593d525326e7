//! Any sequence of commands leaves a live engine alive: every `go` is answered once or refused, and
//! every line is one that the protocol knows, but for the pages that `d`, `eval` and `help` print.
#![no_main]

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use libfuzzer_sys::fuzz_target;
use skewer::command::{Command, parse};
use skewer::output::Output;
use skewer::{Next, Session};

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

/// Whole commands with tiny limits, and pieces from which bad ones are put together.
const WORDS: [&str; 64] = [
    "uci\n", "isready\n", "ucinewgame\n", "stop\n", "ponderhit\n", "d\n", "eval\n", "flip\n",
    "go nodes 50\n", "go depth 2\n", "go movetime 1\n", "go infinite nodes 20\n", "go ponder depth 1\n",
    "go wtime 5 btime 5\n", "go mate 1 nodes 100\n", "perft 2\n", "position startpos\n",
    "position startpos moves e2e4 e7e5\n", "position fen 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1\n",
    "position fen k7/8/1Q6/8/8/8/8/K7 b - - 0 1\n", "position fen 8/8 w - -\n",
    "setoption name Hash value 1\n", "setoption name Hash value 2\n", "setoption name Threads value 1\n",
    "setoption name Threads value 3\n", "setoption name MultiPV value 4\n", "setoption name MultiPV value 1\n",
    "setoption name Clear Hash\n", "setoption name UCI_Chess960 value true\n",
    "setoption name UCI_ShowWDL value true\n", "setoption name UCI_LimitStrength value true\n",
    "setoption name UCI_Elo value 900\n", "setoption name Without value null-move\n", "debug on\n",
    "go ", "searchmoves ", "e2e4 ", "a7a8q ", "0000 ", "nodes 30 ", "depth 1 ", "wtime -1 ", "movestogo 0 ",
    "position ", "startpos ", "moves ", "fen ", "setoption ", "name ", "value ", "Hash ", "true ", "abc ",
    "-1 ", "18446744073709551616 ", "mate 1 ", "movetime 1 ", "\n", "\t", "\0", "K7/8/8/8/8/8/8/k7 w - - ",
    "genfens 1 seed 1 book None\n", "help\n", "register later\n",
];

/// Whether a line is one that the protocol knows, or that `perft` prints.
fn is_well_formed(line: &str) -> bool {
    let first = line.split(' ').next().unwrap_or_default();
    let is_count = line.rsplit_once(": ").is_some_and(|(_, count)| count.parse::<u64>().is_ok());
    line == line.trim()
        && !line.contains(char::is_control)
        && (["id", "option", "uciok", "readyok", "bestmove", "info"].contains(&first) || is_count)
}

/// Whether a line of the script asks for pages of text, of which no form is fixed.
fn is_for_people(line: &str) -> bool {
    let command = parse(line).command;
    matches!(command, Some(Command::Display | Command::Eval | Command::Help(_)))
}

fuzz_target!(|bytes: &[u8]| {
    let sink = Sink::default();
    let Ok(mut session) = Session::new(Output::new(sink.clone())) else {
        return;
    };
    let script: String = bytes.iter().take(64).map(|&b| WORDS[b as usize % WORDS.len()]).collect();
    let mut searches = 0;
    let mut for_people = false;
    for line in script.lines() {
        searches += usize::from(matches!(parse(line).command, Some(Command::Go(_))));
        for_people |= is_for_people(line);
        if session.line(line) == Next::Quit {
            break;
        }
    }
    // Ends what would go on for hours, and gives its answer.
    session.close();
    let said = sink.0.lock().unwrap();
    let said = std::str::from_utf8(&said).expect("text");
    let answers = said.lines().filter(|line| line.starts_with("bestmove")).count();
    let refused = said.lines().filter(|line| line.contains("go is ignored: the engine is busy")).count();
    assert_eq!(answers + refused, searches, "{script}\n---\n{said}");
    assert!(!said.contains("info string a search thread failed"), "{said}");
    let strange = said.lines().find(|line| !is_well_formed(line));
    assert!(for_people || strange.is_none(), "{strange:?} in\n{script}\n---\n{said}");
});
