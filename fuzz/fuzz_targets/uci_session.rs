//! Any sequence of commands leaves a live engine alive: every `go` that was accepted is answered
//! once, and every line is one that the protocol knows.
#![no_main]

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use libfuzzer_sys::fuzz_target;
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

fuzz_target!(|bytes: &[u8]| {
    let sink = Sink::default();
    let Ok(mut session) = Session::new(Output::new(sink.clone())) else {
        return;
    };
    let script: String = bytes.iter().take(64).map(|&b| WORDS[b as usize % WORDS.len()]).collect();
    let mut infinite_bare = false;
    for line in script.lines() {
        // A `go` without a limit would search for hours before the script's end stops it.
        infinite_bare |= line.trim_start().starts_with("go");
        if session.line(line) == Next::Quit {
            break;
        }
    }
    if infinite_bare {
        session.line("stop");
    }
    session.close();
    let said = sink.0.lock().unwrap();
    let said = String::from_utf8_lossy(&said);
    let gos = script.lines().filter(|line| line.contains("go")).count();
    assert!(said.lines().filter(|line| line.starts_with("bestmove")).count() <= gos);
    assert!(!said.lines().any(|line| line.starts_with("info string a search thread failed")), "{said}");
});
