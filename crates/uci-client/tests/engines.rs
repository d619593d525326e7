//! Engines that are scripted in this process, judged by a clock that the tests move.

use std::collections::VecDeque;
#[cfg(unix)]
use std::fs::File;
use std::io::{BufRead, BufReader, PipeWriter, Read, Write, pipe};
use std::sync::atomic::{AtomicU64, Ordering};
#[cfg(unix)]
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use skewer_uci_client::{
    Bounds, Clock, EngineError, Go, InfoScore, OptionKind, Output, Program, SearchEnd, UciEngine,
    Variant,
};

/// A clock that stands still until a test or an engine moves it.
#[derive(Debug, Clone)]
struct ManualClock(Instant, Arc<AtomicU64>);

impl ManualClock {
    fn new() -> Self {
        Self(Instant::now(), Arc::default())
    }

    fn forward(&self, time: Duration) {
        let milliseconds = time.as_millis() as u64;
        self.1.fetch_add(milliseconds, Ordering::SeqCst);
    }

    fn bounds(&self) -> Bounds {
        Bounds {
            clock: Arc::new(self.clone()),
            ..Bounds::default()
        }
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Instant {
        self.0 + Duration::from_millis(self.1.load(Ordering::SeqCst))
    }
}

const HELLO: &str = "id name Stub 1\noption name Hash type spin default 1 min 1 max 9\nuciok\n";

const NEVER: &dyn Fn() -> bool = &|| false;

/// An engine whose answer to `go` is written by `on_go`, which ends the engine by returning false. The
/// list gets the commands that were sent to the engine.
fn scripted(
    bounds: Bounds,
    mut on_go: impl FnMut(&mut PipeWriter) -> bool + Send + 'static,
) -> (UciEngine, Arc<Mutex<VecDeque<String>>>) {
    let (commands, input) = pipe().unwrap();
    let (output, mut answers) = pipe().unwrap();
    let seen: Arc<Mutex<VecDeque<String>>> = Arc::default();
    let list = Arc::clone(&seen);
    thread::spawn(move || {
        for line in BufReader::new(commands).lines().map_while(Result::ok) {
            list.lock().unwrap().push_back(line.clone());
            let goes_on = match line.split(' ').next() {
                Some("uci") => answers.write_all(HELLO.as_bytes()).is_ok(),
                Some("isready") => answers.write_all(b"readyok\n").is_ok(),
                Some("go") => on_go(&mut answers),
                Some("quit") => false,
                _ => true,
            };
            if !goes_on {
                return;
            }
        }
    });
    (UciEngine::over(input, output, bounds), seen)
}

fn ready(mut engine: UciEngine) -> UciEngine {
    let program = Program::new("stub");
    engine
        .handshake(&program, Variant::Standard, NEVER)
        .unwrap();
    engine
}

fn think(engine: &mut UciEngine) -> Result<String, EngineError> {
    let minute = Duration::from_mins(1);
    let go = Go::nodes(5);
    let (answer, ()) = engine.think("position startpos", &go, minute, NEVER, &(), |(), _| {})?;
    Ok(answer.best)
}

#[test]
fn a_search_gets_its_commands_and_an_answer() {
    let clock = ManualClock::new();
    let hand = clock.clone();
    let (engine, seen) = scripted(clock.bounds(), move |out| {
        out.write_all(b"info depth 3 score cp 12 pv e2e4\ninfo string hm\n")
            .unwrap();
        hand.forward(Duration::from_millis(700));
        out.write_all(b"bestmove e2e4 ponder e7e5\n").is_ok()
    });
    let mut engine = engine;
    let program: Program = "stub,option.hash=4".parse().unwrap();
    engine
        .handshake(&program, Variant::Standard, NEVER)
        .unwrap();
    assert_eq!(engine.name(), "Stub 1");
    engine.new_game(NEVER).unwrap();
    let answer = engine.think(
        "position startpos moves d2d4",
        &Go::depth(3),
        Duration::from_mins(1),
        NEVER,
        &Vec::new(),
        |scores, info| scores.push(info.score),
    );
    let (answer, scores) = answer.unwrap();
    assert_eq!(
        (answer.best.as_str(), answer.ponder.as_deref()),
        ("e2e4", Some("e7e5"))
    );
    assert_eq!(answer.time, Duration::from_millis(700));
    assert_eq!(scores, [Some(InfoScore::Centipawns(12))]);
    let seen: Vec<String> = seen.lock().unwrap().drain(..).collect();
    assert_eq!(
        seen,
        [
            "uci",
            "setoption name hash value 4",
            "isready",
            "ucinewgame",
            "isready",
            "position startpos moves d2d4",
            "go depth 3",
            "isready"
        ]
    );
}

#[test]
fn options_and_variants_that_an_engine_lacks_are_errors() {
    for (text, variant, reason) in [
        (
            "stub,option.Skill=3",
            Variant::Standard,
            "it has no option Skill",
        ),
        ("stub", Variant::Chess960, "it does not play Chess960"),
    ] {
        let (mut engine, _) = scripted(ManualClock::new().bounds(), |_| true);
        let error = engine.handshake(&text.parse().unwrap(), variant, NEVER);
        let error = error.unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    let none = Program::new("/no/such/program");
    let started = UciEngine::start(&none, Variant::Standard, Bounds::default(), NEVER);
    assert!(matches!(started, Err(EngineError::NotStarted(_))));
}

/// One call is one command: a text with a line break is not sent, whatever part of the command it is.
#[test]
fn a_text_with_a_line_break_is_not_sent() {
    let answer = |out: &mut PipeWriter| out.write_all(b"bestmove e2e4\n").is_ok();
    let (engine, seen) = scripted(ManualClock::new().bounds(), answer);
    let mut engine = ready(engine);
    let before = seen.lock().unwrap().clone();
    for text in ["1\nquit", "1\r\nquit", "\n", "quit\r"] {
        let set = engine.set_option("Hash", text);
        let named = engine.set_option(text, "1");
        let went = engine.go(text, &Go::nodes(1));
        for sent in [set, named, went] {
            assert_eq!(sent, Err(EngineError::LineBreak), "{text:?}");
        }
    }
    engine.ready(NEVER).unwrap();
    let told: Vec<String> = seen
        .lock()
        .unwrap()
        .iter()
        .skip(before.len())
        .cloned()
        .collect();
    assert_eq!(told, ["isready"]);
    let program: Program = "stub,option.hash=1\nquit".parse().unwrap();
    let set = engine.handshake(&program, Variant::Standard, NEVER);
    assert_eq!(set, Err(EngineError::LineBreak));
}

#[test]
fn a_crash_a_hang_and_a_stop_are_told_apart() {
    let (engine, _) = scripted(ManualClock::new().bounds(), |_| false);
    assert_eq!(think(&mut ready(engine)), Err(EngineError::Died));

    // The clock passes the deadline while the engine is silent.
    let clock = ManualClock::new();
    let hand = clock.clone();
    let (engine, _) = scripted(clock.bounds(), move |_| {
        hand.forward(Duration::from_secs(61));
        true
    });
    assert_eq!(think(&mut ready(engine)), Err(EngineError::Hung("go")));

    let (engine, _) = scripted(ManualClock::new().bounds(), |_| true);
    let mut engine = ready(engine);
    let minute = Duration::from_mins(1);
    let stopped = engine.think(
        "position startpos",
        &Go::default(),
        minute,
        &|| true,
        &(),
        |(), _| {},
    );
    assert_eq!(stopped.unwrap_err(), EngineError::Stopped);
}

#[test]
fn a_search_can_be_ended() {
    let clock = ManualClock::new();
    let (commands, input) = pipe().unwrap();
    let (output, mut answers) = pipe().unwrap();
    thread::spawn(move || {
        for line in BufReader::new(commands).lines().map_while(Result::ok) {
            let answer = match line.as_str() {
                "uci" => HELLO,
                "isready" => "readyok\n",
                "go infinite" => "info depth 1 score mate 2\n",
                "stop" => "bestmove a2a3\n",
                _ => "",
            };
            if answers.write_all(answer.as_bytes()).is_err() {
                return;
            }
        }
    });
    let mut engine = ready(UciEngine::over(input, output, clock.bounds()));
    engine.go("position startpos", &Go::default()).unwrap();
    let deadline = clock.now() + Duration::from_secs(9);
    let said = engine.next(deadline, NEVER).unwrap();
    assert!(matches!(said, Output::Info(info) if info.score == Some(InfoScore::Mate(2))));
    clock.forward(Duration::from_millis(700));
    engine.stop().unwrap();
    let said = engine.next(deadline, NEVER).unwrap();
    let Output::Best(answer) = said else {
        panic!("{said:?}")
    };
    // The time of a move counts from `go`, not from `stop`.
    let whole = Duration::from_millis(700);
    assert_eq!((answer.best.as_str(), answer.time), ("a2a3", whole));
}

#[test]
fn floods_are_errors_on_any_machine() {
    // Lines without end, while the clock stands still.
    let (engine, _) = scripted(ManualClock::new().bounds(), |out| {
        while out.write_all(b"info depth 1 currmove a2a3\n").is_ok() {}
        false
    });
    assert_eq!(think(&mut ready(engine)), Err(EngineError::Flooded));

    // One line without end.
    let (engine, _) = scripted(ManualClock::new().bounds(), |out| {
        std::io::copy(&mut std::io::repeat(b'x').take(1 << 20), out).is_ok()
    });
    assert_eq!(think(&mut ready(engine)), Err(EngineError::Flooded));

    // Bytes are counted, not lines.
    let few = Bounds {
        bytes_per_second: 100,
        ..ManualClock::new().bounds()
    };
    let (engine, _) = scripted(few, |out| {
        let line = "info string something of sixty bytes, ten of these are too many\n";
        out.write_all(line.repeat(10).as_bytes()).unwrap();
        out.write_all(b"bestmove a2a3\n").is_ok()
    });
    assert_eq!(think(&mut ready(engine)), Err(EngineError::Flooded));

    // The same output over a long time is no flood.
    let clock = ManualClock::new();
    let hand = clock.clone();
    let (engine, _) = scripted(clock.bounds(), move |out| {
        hand.forward(Duration::from_secs(10));
        for _ in 0..400_000 {
            out.write_all(b"info depth 1 currmove a2a3\n").unwrap();
        }
        out.write_all(b"bestmove a2a3\n").is_ok()
    });
    assert_eq!(think(&mut ready(engine)), Ok("a2a3".to_owned()));
}

#[test]
fn old_answers_are_not_taken_for_new_ones() {
    let clock = ManualClock::new();
    let mut turn = 0;
    let (engine, _) = scripted(clock.bounds(), move |out| {
        turn += 1;
        let answer = format!("bestmove a{turn}a3\nbestmove late\nreadyok\n");
        out.write_all(answer.as_bytes()).is_ok()
    });
    let mut engine = ready(engine);
    assert_eq!(think(&mut engine).unwrap(), "a1a3");
    // The `readyok` after the answer says that the whole answer has come.
    engine.ready(NEVER).unwrap();
    assert_eq!(think(&mut engine).unwrap(), "a2a3");
}

/// If there are several answers, the first one with a score counts for the first question. An answer to a later
/// question may belong to an earlier question, so none of the answers is accepted. Answers without a score are
/// dropped if there is an answer with a score.
#[test]
fn several_answers_to_one_question() {
    let one = "info score cp 2 pv e7e5\nbestmove e7e5\n";
    let other = "info score cp 900 pv d7d5\nbestmove d7d5\n";
    let bare = "bestmove d7d5\n";
    let answer = || Ok(("e7e5".to_owned(), Some(InfoScore::Centipawns(2))));
    for (first, second, expected) in [
        (
            format!("{one}{other}{bare}"),
            one.to_owned(),
            [answer(), answer()],
        ),
        (
            one.to_owned(),
            format!("{other}{one}"),
            [answer(), Err(EngineError::AnsweredTwice)],
        ),
        (
            one.to_owned(),
            format!("{one}{one}"),
            [answer(), Err(EngineError::AnsweredTwice)],
        ),
        (
            format!("{one}{bare}"),
            format!("{bare}{one}{bare}"),
            [answer(), answer()],
        ),
    ] {
        let said = [first, second];
        let mut turn = 0;
        let written = said.clone();
        let (engine, _) = scripted(ManualClock::new().bounds(), move |out| {
            turn += 1;
            out.write_all(written[turn - 1].as_bytes()).is_ok()
        });
        let mut engine = ready(engine);
        let heard = [(); 2].map(|()| {
            let thought = engine.think(
                "position startpos moves e2e4",
                &Go::nodes(5),
                Duration::from_mins(1),
                NEVER,
                &None,
                |last, info| *last = info.score,
            );
            thought.map(|(answer, last)| (answer.best, last))
        });
        assert_eq!(heard, expected, "{said:?}");
    }
}

/// An engine that fails after its answer has answered; only the next question fails.
#[test]
fn an_engine_that_ends_after_its_answer_has_answered() {
    let (engine, _) = scripted(ManualClock::new().bounds(), |out| {
        out.write_all(b"bestmove e2e4\n").unwrap();
        false
    });
    let mut engine = ready(engine);
    assert_eq!(think(&mut engine), Ok("e2e4".to_owned()));
    assert_eq!(think(&mut engine), Err(EngineError::Died));
}

#[test]
fn an_answer_with_an_impossible_number_is_refused_and_named() {
    let (engine, _) = scripted(ManualClock::new().bounds(), |out| {
        let answer = b"info depth 4294967295 score cp 3 pv e2e4\nbestmove e2e4\n";
        out.write_all(answer).is_ok()
    });
    let refused = think(&mut ready(engine)).unwrap_err();
    assert_eq!(
        refused,
        EngineError::Impossible("depth 4294967295".to_owned())
    );
}

#[test]
fn an_engine_that_never_reads_is_noticed() {
    let (_commands, input) = pipe().unwrap();
    let (output, _answers) = pipe().unwrap();
    let mut engine = UciEngine::over(input, output, ManualClock::new().bounds());
    let long = "x".repeat(1 << 16);
    let refused = (0..200).find_map(|_| engine.set_option("Hash", &long).err());
    assert_eq!(refused, Some(EngineError::NotReading));
}

/// A script that starts a process and hangs. Both processes hold a FIFO open for writing;
/// reading from the FIFO ends when both have ended.
#[cfg(unix)]
#[test]
fn a_hung_engine_is_killed_with_what_it_started() {
    let fifo = format!(
        "{}/held-{}",
        env!("CARGO_TARGET_TMPDIR"),
        std::process::id()
    );
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.unwrap().success());
    let mut hung = Program::new("sh");
    let script = format!("exec 3>'{fifo}'; sleep 600 & sleep 600");
    hung.args = vec!["-c".to_owned(), script];
    let (sender, opened_and_ended) = mpsc::channel();
    let path = fifo.clone();
    thread::spawn(move || {
        let mut reader = File::open(path).unwrap();
        sender.send(()).unwrap();
        reader.read_to_end(&mut Vec::new()).unwrap();
        sender.send(()).unwrap();
    });
    let opened = || opened_and_ended.try_recv().is_ok();
    let started = UciEngine::start(&hung, Variant::Standard, Bounds::default(), &opened);
    assert_eq!(started.unwrap_err(), EngineError::Stopped);
    let ended = opened_and_ended.recv_timeout(Duration::from_mins(1));
    std::fs::remove_file(fifo).unwrap();
    assert!(ended.is_ok(), "a process is left");
}

/// An engine that searches until `stop`, which it obeys at once or never.
fn endless(answers_stop: bool) -> UciEngine {
    let (commands, input) = pipe().unwrap();
    let (output, mut answers) = pipe().unwrap();
    thread::spawn(move || {
        for line in BufReader::new(commands).lines().map_while(Result::ok) {
            let text = match line.split(' ').next() {
                Some("uci") => HELLO,
                Some("isready") => "readyok\n",
                Some("go") => {
                    "info depth 5 multipv 1 score cp 20 pv e2e4\n\
                     info depth 5 multipv 2 score cp 10 pv d2d4\n\
                     info depth 6 multipv 1 score cp 90 lowerbound pv c2c4\n\
                     info depth 7 multipv 1 pv g1f3\n"
                }
                Some("stop") if answers_stop => "bestmove e2e4 ponder e7e5\n",
                Some("quit") => return,
                _ => "",
            };
            if answers.write_all(text.as_bytes()).is_err() {
                return;
            }
        }
    });
    let bounds = Bounds {
        response: Duration::from_millis(300),
        ..Bounds::default()
    };
    ready(UciEngine::over(input, output, bounds))
}

/// A caller that stops an analysis gets the lines so far: exact scores, and neither a bound nor a line without a score in
/// their place.
#[test]
fn a_stopped_analysis_has_the_lines_so_far_and_the_move() {
    let mut engine = endless(true);
    let begun = Instant::now();
    let stop = || begun.elapsed() > Duration::from_millis(50);
    let hour = Duration::from_hours(1);
    let found = engine
        .analyse("position startpos", &Go::default(), hour, &stop)
        .unwrap();
    assert_eq!(found.end, SearchEnd::Stopped);
    assert_eq!(
        (found.best.as_str(), found.ponder.as_deref()),
        ("e2e4", Some("e7e5"))
    );
    let lines: Vec<_> = found
        .lines
        .iter()
        .map(|line| (line.depth, line.pv[0].as_str()))
        .collect();
    assert_eq!(lines, [(Some(5), "e2e4"), (Some(5), "d2d4")]);
    // The engine is ready for the next question.
    assert!(engine.ready(NEVER).is_ok());
    let kind = OptionKind::Spin {
        default: 1,
        min: 1,
        max: 9,
    };
    assert_eq!(engine.options()[0].kind, kind);
}

#[test]
fn an_engine_that_ignores_a_stop_is_an_error_and_does_not_block() {
    let hour = Duration::from_hours(1);
    let failed = endless(false).analyse("position startpos", &Go::default(), hour, &|| true);
    assert_eq!(failed, Err(EngineError::Hung("go")));
}
