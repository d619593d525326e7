//! What an engine writes without a question, or after its answer.

use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use skewer_uci_client::{Bounds, EngineError, Go, InfoScore, Output, UciEngine};

const NEVER: &dyn Fn() -> bool = &|| false;

/// The output of an engine in parts. Before each part, the reader says that it has taken in the parts before.
struct Parts {
    queue: Receiver<&'static str>,
    asks: Sender<()>,
    left: &'static [u8],
}

impl Read for Parts {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.left.is_empty() {
            let _ = self.asks.send(());
            self.left = self.queue.recv().map_or(b"", str::as_bytes);
        }
        self.left.read(bytes)
    }
}

/// The input of an engine. Sends a message for every search that is asked for.
struct Questions(Sender<()>);

impl Write for Questions {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.starts_with(b"go") {
            let _ = self.0.send(());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An engine that writes what is sent to the first channel. The second channel gets a message when that has been read,
/// the third channel when a search is asked for.
fn written(bounds: Bounds) -> (UciEngine, Sender<&'static str>, Receiver<()>, Receiver<()>) {
    let (sender, queue) = channel();
    let (asks, asked) = channel();
    let (questions, questioned) = channel();
    let output = Parts {
        queue,
        asks,
        left: b"",
    };
    let engine = UciEngine::over(Questions(questions), output, bounds);
    asked.recv().unwrap();
    (engine, sender, asked, questioned)
}

/// An engine that answers the first question with this text.
fn answering(said: &'static str) -> UciEngine {
    let (engine, write, _, questioned) = written(Bounds::default());
    thread::spawn(move || {
        questioned.recv().unwrap();
        write.send(said).unwrap();
        // Keeps the pipe open until the next question, or the end of the engine.
        let _ = questioned.recv();
    });
    engine
}

/// Searches. Returns the best move, the number of `info` lines before it, and the last score.
fn think(engine: &mut UciEngine) -> Result<(String, u32, Option<InfoScore>), EngineError> {
    let thought = engine.think(
        "position startpos",
        &Go::nodes(5),
        Duration::from_mins(1),
        NEVER,
        &(0, None),
        |(lines, score), info| {
            *lines += 1;
            *score = info.score.or(*score);
        },
    );
    thought.map(|(answer, (lines, score))| (answer.best, lines, score))
}

#[test]
fn what_came_before_a_question_is_no_answer_to_it() {
    let (mut engine, write, read, _) = written(Bounds::default());
    write
        .send("info score cp 900 pv d2d4\nbestmove d2d4\n")
        .unwrap();
    read.recv().unwrap();
    engine.go("position startpos", &Go::nodes(5)).unwrap();
    write.send("bestmove e2e4\n").unwrap();
    let deadline = Instant::now() + Duration::from_mins(1);
    let said = engine.next(deadline, NEVER).unwrap();
    assert!(matches!(said, Output::Best(answer) if answer.best == "e2e4"));
}

/// A line that is too long ends the reading. So the engine has failed, even if nothing had been asked yet.
#[test]
fn a_line_without_an_end_before_a_question_is_an_error() {
    let (mut engine, write, read, _) = written(Bounds {
        line_bytes: 10,
        ..Bounds::default()
    });
    write.send("info string something\n").unwrap();
    // The thread that reads has ended.
    assert!(read.recv().is_err());
    let failed = engine.go("position startpos", &Go::nodes(5));
    assert_eq!(failed, Err(EngineError::Flooded));
}

#[test]
fn a_line_may_be_as_long_as_the_bound_with_its_end() {
    for (line, is_right) in [("bestmove a\n", true), ("bestmove ab\n", false)] {
        let (mut engine, write, _, _) = written(Bounds {
            line_bytes: 11,
            ..Bounds::default()
        });
        engine.go("position startpos", &Go::nodes(5)).unwrap();
        write.send(line).unwrap();
        let deadline = Instant::now() + Duration::from_mins(1);
        let said = engine.next(deadline, NEVER);
        assert_eq!(said.is_ok(), is_right, "{line}: {said:?}");
    }
}

/// A fault after an answer leaves the answer valid. The engine has failed, so the next question is an error.
#[test]
fn a_fault_after_an_answer_is_the_error_of_the_next_question() {
    let mut engine = answering("bestmove e2e4\ninfo depth nan\nreadyok\n");
    assert_eq!(think(&mut engine).unwrap().0, "e2e4");
    let fault = EngineError::Impossible("depth nan".to_owned());
    assert_eq!(think(&mut engine).unwrap_err(), fault);
}

/// Each answer has the lines before it, and not the lines of another answer.
#[test]
fn an_answer_has_its_own_lines_alone() {
    let said = "info depth 1\ninfo depth 2\nbestmove a2a3\n\
                info depth 3\nbestmove b2b3\n\
                info depth 4 score cp 7\nbestmove c2c3\n\
                info depth 5\nbestmove d2d3\nreadyok\n";
    let mut engine = answering(said);
    let answer = ("c2c3".to_owned(), 1, Some(InfoScore::Centipawns(7)));
    assert_eq!(think(&mut engine), Ok(answer));
}
