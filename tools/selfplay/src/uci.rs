//! A UCI engine in a process of its own.
//!
//! If the engine dies, hangs, writes without end or never reads, the caller gets an error in bounded
//! time and memory.

use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::thread;
use std::time::{Duration, Instant};

use skewer_common::game::{Engine, EngineError, Player, Record, Reply};
use skewer_common::limit::{Limit, Timer, go_command};
use skewer_common::stop::Stop;
use skewer_types::Score;

use crate::params::matches::{OUTPUT_LINES, OUTPUT_RATE, RESPONSE_TIMEOUT};
use crate::pipes::{self, Output};
use crate::spec::External;

/// The UCI option that makes an engine count nodes as time, in nodes a millisecond.
const NODES_AS_TIME: &str = "nodestime";
/// How often a wait checks the stop flag.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// An engine's answer to `go`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Answer {
    /// The move as the engine wrote it.
    pub mv: String,
    /// Its last score, for itself.
    pub score: Option<Score>,
    /// Its last depth, in plies.
    pub depth: Option<i32>,
    /// The nodes of its last report; 0 if it reported none.
    pub nodes: u64,
    /// The time from `go` to the answer.
    pub time: Duration,
}

/// A program that plays, started again for the next game if it ends.
#[derive(Debug)]
pub(crate) struct UciPlayer {
    spec: External,
    chess960: bool,
    /// `None` after a crash, until the next game.
    process: Option<UciEngine>,
}

impl UciPlayer {
    /// Starts an engine, with the option `nodestime` if `limit` is a clock that counts nodes. Its name is
    /// the one that it gives, which may be empty.
    ///
    /// # Errors
    ///
    /// If it cannot be started or does not get ready.
    pub(crate) fn start(
        spec: &External,
        limit: Limit,
        chess960: bool,
        stop: &Stop,
    ) -> Result<Player, EngineError> {
        let mut spec = spec.clone();
        if let Some(per_millisecond) = limit.nodes_per_millisecond() {
            let value = per_millisecond.to_string();
            spec.options.push((NODES_AS_TIME.to_owned(), value));
        }
        let process = UciEngine::start(&spec, chess960, stop)?;
        Ok(Player {
            name: process.name.clone(),
            limit,
            engine: Box::new(Self {
                spec,
                chess960,
                process: Some(process),
            }),
        })
    }
}

impl Engine for UciPlayer {
    fn new_game(&mut self, stop: &Stop) -> Result<(), EngineError> {
        if let Some(engine) = &mut self.process
            && engine.new_game(stop).is_ok()
        {
            return Ok(());
        }
        self.process = None;
        let mut engine = UciEngine::start(&self.spec, self.chess960, stop)?;
        engine.new_game(stop)?;
        self.process = Some(engine);
        Ok(())
    }

    fn think(
        &mut self,
        record: &Record,
        timers: &[Timer; 2],
        stop: &Stop,
    ) -> Result<Reply, EngineError> {
        let board = record.position.board();
        let timer = &timers[board.turn().index()];
        let engine = self.process.as_mut().ok_or(EngineError::Died)?;
        let go = go_command(timer, &timers[0], &timers[1]);
        match engine.think(&record.uci(), &go, timer.hung_after(), stop) {
            Ok(answer) => Ok(Reply {
                mv: board.parse_uci(&answer.mv).ok(),
                text: answer.mv,
                score: answer.score,
                depth: answer.depth,
                time: timer.cost(answer.time, answer.nodes),
            }),
            Err(error) => {
                self.process = None;
                Err(error)
            }
        }
    }
}

/// A running engine.
#[derive(Debug)]
struct UciEngine {
    child: Child,
    /// `None` once it is closed, which asks the engine to quit.
    input: Option<SyncSender<String>>,
    output: Receiver<Output>,
    /// When the last command was sent.
    sent: Instant,
    /// Bytes of output since.
    received: usize,
    name: String,
}

/// The name of the option that a line of the handshake declares, in lower case.
fn option_name(line: &str) -> Option<String> {
    let (name, _) = line.strip_prefix("option name ")?.split_once(" type ")?;
    Some(name.trim().to_lowercase())
}

impl UciEngine {
    /// Starts an engine, sets its options and waits until it is ready.
    fn start(spec: &External, chess960: bool, stop: &Stop) -> Result<Self, EngineError> {
        let mut command = Command::new(&spec.command);
        command
            .args(&spec.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        if let Some(folder) = &spec.folder {
            command.current_dir(folder);
        }
        // Keep Ctrl-C of the terminal from the engine; the match ends its engines itself.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .spawn()
            .map_err(|error| EngineError::NotStarted(error.to_string()))?;
        let input = child.stdin.take().map(pipes::write_lines);
        let output = pipes::read_lines(child.stdout.take().ok_or(EngineError::Died)?);
        let mut engine = Self {
            child,
            input,
            output,
            sent: Instant::now(),
            received: 0,
            name: String::new(),
        };
        engine.send("uci")?;
        let deadline = Instant::now() + RESPONSE_TIMEOUT;
        let mut options = Vec::new();
        loop {
            let (_, line) = engine.line_before(deadline, "uci", stop)?;
            if line == "uciok" {
                break;
            }
            if let Some(name) = line.strip_prefix("id name ") {
                name.trim().clone_into(&mut engine.name);
            }
            options.extend(option_name(&line));
        }
        let has_option = |name: &str| options.contains(&name.to_lowercase());
        for (name, value) in &spec.options {
            // Engines ignore unknown options silently, and would play with their defaults.
            if !has_option(name) {
                let why = match name.as_str() {
                    NODES_AS_TIME => ", which a clock that counts nodes needs",
                    _ => "",
                };
                return Err(EngineError::NotStarted(format!(
                    "it has no option {name}{why}"
                )));
            }
            engine.send(&format!("setoption name {name} value {value}"))?;
        }
        if has_option("UCI_Chess960") {
            engine.send(&format!("setoption name UCI_Chess960 value {chess960}"))?;
        } else if chess960 {
            return Err(EngineError::NotStarted(
                "it does not play Chess960".to_owned(),
            ));
        }
        engine.ready(stop)?;
        Ok(engine)
    }

    /// Sends `ucinewgame`, and waits until the engine is ready.
    fn new_game(&mut self, stop: &Stop) -> Result<(), EngineError> {
        self.send("ucinewgame")?;
        self.ready(stop)
    }

    fn ready(&mut self, stop: &Stop) -> Result<(), EngineError> {
        self.send("isready")?;
        let deadline = Instant::now() + RESPONSE_TIMEOUT;
        while self.line_before(deadline, "isready", stop)?.1 != "readyok" {}
        Ok(())
    }

    /// Sends a position and a `go`, and waits for the move, at most for `timeout`.
    ///
    /// # Errors
    ///
    /// If the engine died or hung, or `stop` was set.
    fn think(
        &mut self,
        position: &str,
        go: &str,
        timeout: Duration,
        stop: &Stop,
    ) -> Result<Answer, EngineError> {
        self.discard_old_output()?;
        self.send(position)?;
        let asked = Instant::now();
        self.send(go)?;
        let mut answer = Answer::default();
        loop {
            let (at, line) = self.line_before(asked + timeout, "go", stop)?;
            let mut words = line.split_ascii_whitespace();
            match words.next() {
                Some("bestmove") => {
                    words.next().unwrap_or("").clone_into(&mut answer.mv);
                    answer.time = at.saturating_duration_since(asked);
                    return Ok(answer);
                }
                Some("info") => note_info(&line, &mut answer),
                _ => {}
            }
        }
    }

    /// Discards late lines of the last answer, so that they are not taken for the next one. The reading
    /// thread may refill the queue once meanwhile.
    fn discard_old_output(&mut self) -> Result<(), EngineError> {
        for _ in 0..2 * OUTPUT_LINES {
            match self.output.try_recv() {
                Ok(Output::Line { .. }) => {}
                Ok(Output::TooLong) => return Err(EngineError::Flooded),
                Err(_) => return Ok(()),
            }
        }
        Err(EngineError::Flooded)
    }

    fn send(&mut self, line: &str) -> Result<(), EngineError> {
        let input = self.input.as_ref().ok_or(EngineError::Died)?;
        (self.sent, self.received) = (Instant::now(), 0);
        input
            .try_send(line.to_owned())
            .map_err(|error| match error {
                TrySendError::Full(_) => EngineError::NotReading,
                TrySendError::Disconnected(_) => EngineError::Died,
            })
    }

    fn line_before(
        &mut self,
        deadline: Instant,
        command: &'static str,
        stop: &Stop,
    ) -> Result<(Instant, String), EngineError> {
        loop {
            if stop.is_set() {
                return Err(EngineError::Stopped);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(EngineError::Hung(command));
            }
            match self.output.recv_timeout(left.min(POLL_INTERVAL)) {
                Ok(Output::Line { at, text, bytes }) => {
                    self.received += bytes;
                    if is_flood(self.received, self.sent.elapsed()) {
                        return Err(EngineError::Flooded);
                    }
                    return Ok((at, text));
                }
                Ok(Output::TooLong) => return Err(EngineError::Flooded),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(EngineError::Died),
            }
        }
    }
}

impl Drop for UciEngine {
    /// Sends `quit`, and kills the engine if it does not quit.
    fn drop(&mut self) {
        let _ = self.send("stop");
        let _ = self.send("quit");
        self.input = None;
        // Ends the reading thread, even if it waits for room in the queue.
        self.output = mpsc::channel().1;
        let deadline = Instant::now() + Duration::from_secs(1);
        while Instant::now() < deadline {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether this is more than an engine may write in this time.
fn is_flood(bytes: usize, time: Duration) -> bool {
    bytes as f64 > OUTPUT_RATE as f64 * (1.0 + time.as_secs_f64())
}

/// Reads nodes, score and depth from an `info` line of the best line. A score may be a bound.
fn note_info(line: &str, answer: &mut Answer) {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let after = |name: &str| {
        let place = words.iter().position(|word| *word == name)?;
        words.get(place + 1..)
    };
    // "info string" may hold anything.
    if words.get(1) == Some(&"string")
        || after("multipv").is_some_and(|rest| rest.first() != Some(&"1"))
    {
        return;
    }
    if let Some(nodes) = after("nodes").and_then(|rest| rest.first()?.parse().ok()) {
        answer.nodes = nodes;
    }
    let Some([kind, value, ..]) = after("score") else {
        return;
    };
    let Ok(value) = value.parse::<i32>() else {
        return;
    };
    answer.score = match *kind {
        "cp" => Some(Score::new(value)),
        "mate" if value > 0 => Some(Score::mate_in(plies_of(value))),
        "mate" => Some(Score::mated_in(plies_of(value))),
        _ => answer.score,
    };
    answer.depth = after("depth")
        .and_then(|rest| rest.first())
        .and_then(|depth| depth.parse().ok())
        .or(answer.depth);
}

/// Plies of a mate in this many moves, limited to the range of [`Score`].
fn plies_of(moves: i32) -> usize {
    let plies = if moves > 0 {
        i64::from(moves) * 2 - 1
    } else {
        i64::from(moves) * -2
    };
    plies.clamp(0, 200) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(lines: &[&str]) -> (Option<Score>, Option<i32>) {
        let mut answer = Answer::default();
        for line in lines {
            note_info(line, &mut answer);
        }
        (answer.score, answer.depth)
    }

    #[test]
    fn more_than_the_rate_is_a_flood() {
        let second = Duration::from_secs(1);
        assert!(!is_flood(OUTPUT_RATE, Duration::ZERO));
        assert!(is_flood(OUTPUT_RATE + 1, Duration::ZERO));
        assert!(!is_flood(11 * OUTPUT_RATE, 10 * second));
        assert!(is_flood(11 * OUTPUT_RATE + 1, 10 * second));
    }

    #[test]
    fn scores_are_read() {
        let line = "info depth 9 seldepth 12 multipv 1 score cp -34 nodes 5 pv e2e4";
        assert_eq!(noted(&[line]), (Some(Score::new(-34)), Some(9)));
        let second = "info depth 9 multipv 2 score cp 90 pv d2d4";
        assert_eq!(noted(&[line, second]), (Some(Score::new(-34)), Some(9)));
        let mate = noted(&["info depth 3 score mate 2 pv a1a8"]).0.unwrap();
        assert_eq!(mate.mate_distance(), Some(2));
        let mated = noted(&["info depth 3 score mate -3"]).0.unwrap();
        assert_eq!(mated.mate_distance(), Some(-3));
        assert_eq!(
            noted(&["info string score cp 5", "info depth 4"]),
            (None, None)
        );
        assert_eq!(
            noted(&["info score cp", "info score cp x", "info score"]),
            (None, None)
        );
    }
}
