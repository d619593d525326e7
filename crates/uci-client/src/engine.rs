//! A running engine.

use std::io::{Read, Write};
use std::process::Command;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::time::{Duration, Instant};

use crate::error::EngineError;
use crate::go::Go;
use crate::info::{Bound, Info};
use crate::message::{Analysis, Message, OptionSpec, SearchEnd};
use crate::params::{Bounds, OUTPUT_LINES, POLL_INTERVAL, QUIT_TIMEOUT};
use crate::pipes::{self, Written};
use crate::process::Group;
use crate::program::Program;

/// The rules of a game: the value of the option `UCI_Chess960`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    /// Standard chess.
    Standard,
    /// Chess960, also called Fischer random chess.
    Chess960,
}

/// An engine's move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The move as the engine wrote it; empty if it wrote none.
    pub best: String,
    /// The reply that the engine expects.
    pub ponder: Option<String>,
    /// The time from `go` to the answer.
    pub time: Duration,
}

/// What an engine says while it searches.
#[allow(
    clippy::large_enum_variant,
    reason = "most messages are lines of info, and none is kept"
)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    /// An `info` line.
    Info(Info),
    /// The end of the search.
    Best(Answer),
}

/// Asks whether to give up a wait.
type Stopped<'a> = &'a dyn Fn() -> bool;

/// A running engine. Dropping it sends `quit`, waits for up to a second, and kills what is left: on Unix, all
/// processes of the group that the engine leads, also after it has quit.
///
/// After an error the state of the engine is unknown: drop it, and start another engine.
#[derive(Debug)]
pub struct UciEngine {
    /// `None` if the pipes belong to no process.
    process: Option<Group>,
    /// `None` once the pipe is closed, which asks the engine to quit.
    input: Option<SyncSender<String>>,
    output: Receiver<Written>,
    bounds: Bounds,
    /// When the last command was sent.
    sent: Instant,
    /// Bytes of output since the last command.
    received: usize,
    /// The error of an engine that failed after its answer, for the next question.
    failed: Option<EngineError>,
    /// Whether a search was asked for before.
    has_thought: bool,
    name: String,
    options: Vec<OptionSpec>,
}

impl UciEngine {
    /// Starts an engine, sets its options and waits until it is ready. Waits end early when `stopped`
    /// returns `true`.
    ///
    /// # Errors
    ///
    /// If the engine cannot be started, lacks one of the options or the variant, or does not get
    /// ready.
    pub fn start(
        program: &Program,
        variant: Variant,
        bounds: Bounds,
        stopped: Stopped<'_>,
    ) -> Result<Self, EngineError> {
        let mut command = Command::new(&program.command);
        command.args(&program.args);
        if let Some(folder) = &program.folder {
            command.current_dir(folder);
        }
        let (process, input, output) =
            Group::start(command).map_err(|error| EngineError::NotStarted(error.to_string()))?;
        let mut engine = Self::over(input, output, bounds);
        engine.process = Some(process);
        engine.handshake(program, variant, stopped)?;
        Ok(engine)
    }

    /// An engine at the other end of a pair of pipes, for example of a network connection.
    /// [`handshake`](Self::handshake) comes next.
    pub fn over(
        input: impl Write + Send + 'static,
        output: impl Read + Send + 'static,
        bounds: Bounds,
    ) -> Self {
        Self {
            process: None,
            input: Some(pipes::write_lines(input)),
            output: pipes::read_lines(output, &bounds),
            sent: bounds.clock.now(),
            bounds,
            received: 0,
            failed: None,
            has_thought: false,
            name: String::new(),
            options: Vec::new(),
        }
    }

    /// Asks for name and options, sets the options of `program`, and waits until the engine is ready.
    ///
    /// # Errors
    ///
    /// If the engine lacks one of the options or the variant, or does not get ready.
    pub fn handshake(
        &mut self,
        program: &Program,
        variant: Variant,
        stopped: Stopped<'_>,
    ) -> Result<(), EngineError> {
        self.send("uci")?;
        let deadline = self.sent + self.bounds.response;
        loop {
            let (_, line) = self.line_before(deadline, "uci", stopped)?;
            // A greeting may look like anything.
            match Message::parse(&line) {
                Ok(Some(Message::UciOk)) => break,
                Ok(Some(Message::Name(name))) => self.name = name,
                Ok(Some(Message::Option(option))) => self.options.push(option),
                _ => {}
            }
        }
        for (name, value) in &program.options {
            // Engines ignore unknown options silently, and would play with their defaults.
            if !self.has_option(name) {
                return Err(EngineError::NotStarted(format!("it has no option {name}")));
            }
            self.set_option(name, value)?;
        }
        let chess960 = variant == Variant::Chess960;
        if self.has_option("UCI_Chess960") {
            self.set_option("UCI_Chess960", &chess960.to_string())?;
        } else if chess960 {
            let lacks = "it does not play Chess960".to_owned();
            return Err(EngineError::NotStarted(lacks));
        }
        self.ready(stopped)
    }

    /// The name that the engine gave in the handshake; empty if it gave none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the engine has an option of this name, in upper or lower case.
    pub fn has_option(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        let mut options = self.options.iter();
        options.any(|option| option.name.to_lowercase() == name)
    }

    /// The options that the engine declared in the handshake.
    pub fn options(&self) -> &[OptionSpec] {
        &self.options
    }

    /// Sends `setoption`. Engines ignore options that they do not have.
    ///
    /// # Errors
    ///
    /// If the engine died or does not read its input.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        self.send(&format!("setoption name {name} value {value}"))
    }

    /// Sends `ucinewgame`, and waits until the engine is ready.
    ///
    /// # Errors
    ///
    /// If the engine does not get ready.
    pub fn new_game(&mut self, stopped: Stopped<'_>) -> Result<(), EngineError> {
        self.send("ucinewgame")?;
        self.ready(stopped)
    }

    /// Sends `isready`, and waits for the answer.
    ///
    /// # Errors
    ///
    /// If the engine does not answer.
    pub fn ready(&mut self, stopped: Stopped<'_>) -> Result<(), EngineError> {
        self.send("isready")?;
        let deadline = self.sent + self.bounds.response;
        while self.line_before(deadline, "isready", stopped)?.1 != "readyok" {}
        Ok(())
    }

    /// Begins a search of a position, given as the `position` command.
    ///
    /// # Errors
    ///
    /// If the engine died, does not read, or has not ceased to write since the last answer.
    pub fn go(&mut self, position: &str, go: &Go) -> Result<(), EngineError> {
        self.discard_old_output()?;
        self.send(position)?;
        self.send(&go.to_string())
    }

    /// Ends the search; the move still has to be waited for.
    ///
    /// # Errors
    ///
    /// If the engine died or does not read.
    pub fn stop(&mut self) -> Result<(), EngineError> {
        // The time of the answer counts from `go`.
        let sent = self.sent;
        self.send("stop")?;
        self.sent = sent;
        Ok(())
    }

    /// Waits for the next thing that a search says, at most until `deadline` by the clock of the bounds.
    ///
    /// # Errors
    ///
    /// If the engine died, hung or flooded, or `stopped` returned `true`.
    pub fn next(&mut self, deadline: Instant, stopped: Stopped<'_>) -> Result<Output, EngineError> {
        loop {
            let (at, line) = self.line_before(deadline, "go", stopped)?;
            if let Some(output) = self.output_of(at, &line)? {
                return Ok(output);
            }
        }
    }

    /// What a line of a search says, if anything.
    fn output_of(&self, at: Instant, line: &str) -> Result<Option<Output>, EngineError> {
        Ok(match Message::parse(line)? {
            Some(Message::Info(info)) => Some(Output::Info(info)),
            Some(Message::BestMove { best, ponder }) => Some(Output::Best(Answer {
                best,
                ponder,
                time: at.saturating_duration_since(self.sent),
            })),
            _ => None,
        })
    }

    /// Searches a position, given as the `position` command, and waits for the move, at most for `timeout`.
    /// Returns the move with what `collect` has made of `empty` and of the `info` lines before it.
    ///
    /// A late answer, or a second one, must not be taken for the answer to the next question. So the engine is also
    /// asked whether it is ready, and everything that it writes before `readyok` belongs to this search. Answers
    /// without a score count only if no answer has a score. If several answers have a score, the first one counts in
    /// the engine's first search. In a later search it may be a late answer to an earlier question, so that no answer
    /// is accepted.
    ///
    /// # Errors
    ///
    /// If the engine died, hung, flooded, answered several times or wrote an impossible number, or `stopped` returned
    /// `true`.
    pub fn think<C: Clone>(
        &mut self,
        position: &str,
        go: &Go,
        timeout: Duration,
        stopped: Stopped<'_>,
        empty: &C,
        mut collect: impl FnMut(&mut C, &Info),
    ) -> Result<(Answer, C), EngineError> {
        self.go(position, go)?;
        let is_first = !std::mem::replace(&mut self.has_thought, true);
        let deadline = self.sent + timeout;
        let (mut collected, mut has_score) = (empty.clone(), false);
        let answer = loop {
            match self.next(deadline, stopped)? {
                Output::Info(info) => {
                    has_score |= info.score.is_some();
                    collect(&mut collected, &info);
                }
                Output::Best(answer) => break answer,
            }
        };
        self.settle(
            stopped,
            empty,
            collect,
            is_first,
            (answer, collected, has_score),
        )
    }

    /// Searches a position, given as the `position` command, and returns the lines of the search. When `stopped` says
    /// so, sends `stop`, and returns the lines so far with the engine's answer.
    ///
    /// Late and repeated answers are treated as by [`think`](Self::think).
    ///
    /// # Errors
    ///
    /// If the engine died, hung, flooded, answered several times or wrote an impossible number. An engine counts as
    /// hung if it gives no answer within `timeout` or, after a stop, within the response time of its bounds.
    pub fn analyse(
        &mut self,
        position: &str,
        go: &Go,
        timeout: Duration,
        stopped: Stopped<'_>,
    ) -> Result<Analysis, EngineError> {
        self.go(position, go)?;
        let is_first = !std::mem::replace(&mut self.has_thought, true);
        let mut deadline = self
            .sent
            .checked_add(timeout)
            .unwrap_or_else(|| self.sent + A_YEAR);
        let (mut lines, mut has_score) = (Vec::new(), false);
        let mut end = SearchEnd::Finished;
        let answer = loop {
            match self.next(deadline, &|| end == SearchEnd::Finished && stopped()) {
                Ok(Output::Info(info)) => {
                    has_score |= info.score.is_some();
                    keep(&mut lines, &info);
                }
                Ok(Output::Best(answer)) => break answer,
                Err(EngineError::Stopped) => {
                    self.stop()?;
                    end = SearchEnd::Stopped;
                    deadline = self.bounds.clock.now() + self.bounds.response;
                }
                Err(error) => return Err(error),
            }
        };
        let chosen = (answer, lines, has_score);
        let (answer, lines) = self.settle(&|| false, &Vec::new(), keep, is_first, chosen)?;
        Ok(Analysis {
            best: answer.best,
            ponder: answer.ponder,
            lines,
            time: answer.time,
            end,
        })
    }

    /// Takes in what the engine still writes about a search that it has answered, and returns the answer that counts.
    fn settle<C: Clone>(
        &mut self,
        stopped: Stopped<'_>,
        empty: &C,
        collect: impl FnMut(&mut C, &Info),
        is_first: bool,
        mut chosen: (Answer, C, bool),
    ) -> Result<(Answer, C), EngineError> {
        self.failed = self
            .later_answers(stopped, empty, collect, is_first, &mut chosen)
            .err();
        if self.failed == Some(EngineError::AnsweredTwice) {
            return Err(EngineError::AnsweredTwice);
        }
        // A failure of another kind after an answer leaves the answer valid; the next question returns the error.
        Ok((chosen.0, chosen.1))
    }

    /// Waits until the engine is ready, and puts an answer with a score in place of one without.
    fn later_answers<C: Clone>(
        &mut self,
        stopped: Stopped<'_>,
        empty: &C,
        mut collect: impl FnMut(&mut C, &Info),
        is_first: bool,
        chosen: &mut (Answer, C, bool),
    ) -> Result<(), EngineError> {
        // The time of an answer counts from `go`.
        let asked = self.sent;
        self.send("isready")?;
        let deadline = self.sent + self.bounds.response;
        self.sent = asked;
        let (mut collected, mut has_score) = (empty.clone(), false);
        loop {
            let (at, line) = self.line_before(deadline, "isready", stopped)?;
            if line == "readyok" {
                return Ok(());
            }
            match self.output_of(at, &line)? {
                Some(Output::Info(info)) => {
                    has_score |= info.score.is_some();
                    collect(&mut collected, &info);
                }
                Some(Output::Best(answer)) => {
                    let collected = std::mem::replace(&mut collected, empty.clone());
                    match (std::mem::take(&mut has_score), chosen.2) {
                        (true, false) => *chosen = (answer, collected, true),
                        (true, true) if !is_first => return Err(EngineError::AnsweredTwice),
                        _ => {}
                    }
                }
                None => {}
            }
        }
    }

    /// Discards what came since the last answer, so that it is not taken for the next one. The reading thread may
    /// refill the queue once meanwhile.
    fn discard_old_output(&mut self) -> Result<(), EngineError> {
        for _ in 0..2 * OUTPUT_LINES {
            match self.output.try_recv() {
                Ok(Written::Line { .. }) => {}
                Ok(Written::TooLong) => return Err(EngineError::Flooded),
                Err(_) => return Ok(()),
            }
        }
        Err(EngineError::Flooded)
    }

    fn send(&mut self, line: &str) -> Result<(), EngineError> {
        // Every text of a caller goes this way, and what follows a line break would be a command of its own.
        if line.contains(['\n', '\r']) {
            return Err(EngineError::LineBreak);
        }
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let input = self.input.as_ref().ok_or(EngineError::Died)?;
        (self.sent, self.received) = (self.bounds.clock.now(), 0);
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
        stopped: Stopped<'_>,
    ) -> Result<(Instant, String), EngineError> {
        loop {
            if stopped() {
                return Err(EngineError::Stopped);
            }
            let left = deadline.saturating_duration_since(self.bounds.clock.now());
            if left.is_zero() {
                return Err(EngineError::Hung(command));
            }
            match self.output.recv_timeout(left.min(POLL_INTERVAL)) {
                Ok(Written::Line { at, text, bytes }) => {
                    self.received += bytes;
                    let since = self.bounds.clock.now().saturating_duration_since(self.sent);
                    let allowed =
                        f64::from(self.bounds.bytes_per_second) * (1.0 + since.as_secs_f64());
                    if self.received as f64 > allowed {
                        return Err(EngineError::Flooded);
                    }
                    return Ok((at, text));
                }
                Ok(Written::TooLong) => return Err(EngineError::Flooded),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(EngineError::Died),
            }
        }
    }
}

impl Drop for UciEngine {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            process.note_helpers();
        }
        let _ = self.send("stop");
        let _ = self.send("quit");
        self.input = None;
        // Ends the reading thread, even if it waits for room in the queue.
        self.output = mpsc::channel().1;
        if let Some(process) = &mut self.process {
            process.end_within(QUIT_TIMEOUT);
        }
    }
}

/// Longer than any search, and short enough to be added to a time.
const A_YEAR: Duration = Duration::from_hours(365 * 24);

/// Puts a line in its place among the latest lines. A bound does not replace an exact score of the same line number.
fn keep(lines: &mut Vec<Info>, info: &Info) {
    if info.score.is_none() || info.pv.is_empty() {
        return;
    }
    let place = lines.partition_point(|line| line.multi_pv < info.multi_pv);
    match lines
        .get_mut(place)
        .filter(|line| line.multi_pv == info.multi_pv)
    {
        None => lines.insert(place, info.clone()),
        Some(old) if info.bound == Bound::Exact || old.bound != Bound::Exact => {
            old.clone_from(info);
        }
        Some(_) => {}
    }
}
