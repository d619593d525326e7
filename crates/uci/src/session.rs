//! The session: executes commands one after another.
//!
//! The session does not search itself. While it executes commands, it waits for a search only for the milliseconds
//! after a stop. Commands that must not touch a running search are deferred or refused, with a remark.

use std::fmt::{self, Display};

use skewer_movegen::{Board, Move, UciMove};
use skewer_search::{Limits, Position, SearchState};
use skewer_smp::{Engine, EngineError, Execution, Options, SearchHandle};

use crate::book::OpeningBook;
use crate::command::{Command, Complaint, DebugMode, Go, Parsed, parse, position};
use crate::evaluation::ChosenEvaluation;
use crate::input::{Input, MAX_LINE_BYTES, Repair};
use crate::job::{Job, POLL_INTERVAL, RunJob};
use crate::options::Change;
use crate::output::{Output, best_move};
use crate::printer::Printer;
use crate::remarks::Remarks;
use crate::settings::Settings;
use crate::tablebases::TableSettings;

mod configure;
mod inline;
mod own;

pub use inline::InlineSession;

/// Whether the session continues after a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// It continues.
    Continue,
    /// The client quits.
    Quit,
}

/// One client's session with an engine.
pub struct Session {
    output: Output,
    pub(crate) engine: Engine,
    execution: Execution,
    pub(crate) settings: Settings,
    /// `None` after a position that could not be set up.
    position: Option<Position>,
    search: Option<SearchHandle>,
    /// A `go infinite` or `go ponder` came without a position; `bestmove (none)` waits for its `stop`.
    owes_answer: bool,
    job: Option<Job>,
    /// The closure that runs the job on the caller's thread.
    caller_job: Option<RunJob>,
    /// Changes that wait for the running search to end.
    deferred: Vec<Change>,
    /// Remarks about the current line.
    remarks: Remarks,
    debug: DebugMode,
    pub(crate) evaluation: ChosenEvaluation,
    tables: TableSettings,
    pub(crate) book: OpeningBook,
    content: Content,
}

/// The origin of the hash table's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Content {
    /// The table has entries of this session's searches, or is empty.
    #[default]
    Searched,
    /// The table was loaded from a file, and no search has run since.
    Loaded,
}

/// Whether a search was stopped or is done, so that its answer comes within milliseconds.
fn ends(search: &SearchHandle) -> bool {
    matches!(search.state(), SearchState::Stopped | SearchState::Done)
}

impl Session {
    /// A session that writes to `output`.
    ///
    /// # Errors
    ///
    /// If the engine cannot be created, because memory or threads are lacking.
    pub fn new(output: Output) -> Result<Self, EngineError> {
        Self::with_execution(output, Execution::default())
    }

    /// A session whose searches run as `execution` says: on threads of their own, or on the caller's thread.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub(crate) fn with_execution(
        output: Output,
        execution: Execution,
    ) -> Result<Self, EngineError> {
        let engine = Engine::new(Options {
            execution,
            ..Options::default()
        })?;
        let mut session = Self {
            output,
            engine,
            execution,
            settings: Settings::default(),
            position: Some(Position::new(Board::STARTPOS)),
            search: None,
            owes_answer: false,
            job: None,
            caller_job: None,
            deferred: Vec::new(),
            remarks: Remarks::default(),
            debug: DebugMode::Off,
            evaluation: ChosenEvaluation::default(),
            tables: TableSettings::default(),
            book: OpeningBook::default(),
            content: Content::default(),
        };
        session.set_defaults();
        Ok(session)
    }

    /// Handles one input.
    pub fn handle(&mut self, input: &Input) -> Next {
        if self.output.is_closed() {
            return Next::Quit;
        }
        let next = match input {
            Input::End => {
                // `echo bench | skewer` must print its result, so wait for a job. A search is stopped, because
                // without limits it would never end.
                self.finish_job();
                Next::Quit
            }
            Input::TooLong => {
                self.output.note(format_args!(
                    "a line of more than {MAX_LINE_BYTES} bytes was skipped"
                ));
                Next::Continue
            }
            Input::Line { text, repaired } => self.text(text, *repaired),
        };
        if self.output.is_closed() {
            return Next::Quit;
        }
        next
    }

    /// Executes a line of text.
    pub fn line(&mut self, line: &str) -> Next {
        self.text(line, None)
    }

    fn text(&mut self, line: &str, repaired: Option<Repair>) -> Next {
        if !self.is_busy() {
            self.run_deferred();
        }
        let Parsed {
            command,
            complaints,
        } = parse(line);
        for complaint in &complaints {
            match complaint {
                Complaint::Capitals { .. } => self.remarks.add(complaint),
                Complaint::UnknownCommand(text) if let Some(mv) = self.typed_move(text) => {
                    let play = if cfg!(feature = "play") {
                        ", or run `skewer play`"
                    } else {
                        ""
                    };
                    let remedy = self.remedy_for_move(mv);
                    self.remarks.add_failure(format_args!(
                        "{text} is a move, not a command: {remedy}{play}"
                    ));
                }
                _ => self.remarks.add_failure(complaint),
            }
        }
        if complaints.is_empty()
            && command.as_ref().is_none_or(Command::is_without_text)
            && let Some(repair) = repaired
        {
            // Other commands quote the text in their remarks.
            self.remarks.add(match repair {
                Repair::Nul => "NUL bytes were read as blanks",
                Repair::NotUtf8 => "bytes that are not UTF-8 were replaced",
            });
        }
        let next = command.map_or(Next::Continue, |command| self.command(command));
        self.print_remarks();
        next
    }

    /// Reads a line without a command as a legal move, in UCI notation or SAN.
    fn typed_move(&self, text: &str) -> Option<UciMove> {
        let position = self.position.as_ref()?;
        let board = position.board();
        let text = text.trim();
        let mv = board
            .parse_uci(text)
            .or_else(|_| board.parse_san(text))
            .ok()?;
        Some(board.uci(mv))
    }

    /// How to make this move of the current position.
    fn remedy_for_move(&self, mv: UciMove) -> String {
        let board = self.position.as_ref().map(Position::board);
        if board == Some(&Board::STARTPOS) {
            format!("send `position startpos moves {mv}`")
        } else {
            format!("send `position` again, with {mv} as the last of its moves")
        }
    }

    /// Prints the remarks about the line, before its other output.
    fn print_remarks(&mut self) {
        self.remarks.print(&self.output);
    }

    fn command(&mut self, command: Command<'_>) -> Next {
        if command.prints_at_once() {
            self.print_remarks();
        }
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => self.output.line("readyok"),
            Command::NewGame => self.new_game(),
            Command::SetOption(set) => self.set_option(set),
            Command::Position(text) => {
                self.note_next_search("position");
                self.position = position(&text, &mut self.remarks);
            }
            Command::Go(go) => self.go(&go),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Quit => return Next::Quit,
            Command::Debug(mode) => self.debug = mode,
            Command::Register => self.debug_note("nothing here needs registration"),
            Command::Display => self.display(),
            Command::Eval => self.eval(),
            Command::Compiler => crate::help::compiler(&self.output),
            Command::Flip => {
                self.note_next_search("flip");
                self.flip();
            }
            Command::Perft(perft) => self.perft(perft),
            Command::Bench(words) => self.bench(&words),
            Command::GenFens(words) => self.genfens(&words),
            Command::Help(topic) => self.help(topic),
        }
        Next::Continue
    }

    /// Waits until the search or job has ended or the output is closed: for commands from the
    /// command line.
    pub fn finish(&mut self) {
        self.answer_without_move();
        if let Some(search) = self.search.take() {
            while search.wait_for(POLL_INTERVAL).is_none() {
                if self.output.is_closed() {
                    search.stop();
                }
            }
        }
        self.finish_job();
    }

    /// Ends the search or job, and executes the deferred commands.
    pub fn close(mut self) {
        self.answer_without_move();
        self.engine.wait_until_idle();
        if self.deferred.is_empty() {
            // A job ends with the process.
            return;
        }
        if let Some(job) = self.job.take() {
            job.cancel();
            job.join();
        }
        self.run_deferred();
    }

    /// Adds a remark if a command that changes the position comes while a search runs.
    fn note_next_search(&mut self, command: &str) {
        // No remark after a stop: clients then send the next position at once.
        if self.search.as_ref().is_some_and(|search| !ends(search)) {
            self.remarks.add(format_args!(
                "{command}: a search is running; this is for the next one"
            ));
        }
    }

    /// Adds a remark about the line that is executed.
    pub(crate) fn remark(&mut self, sentence: impl Display) {
        self.remarks.add(sentence);
    }

    fn debug_note(&mut self, sentence: impl Display) {
        if self.debug == DebugMode::On {
            self.remarks.add(sentence);
        }
    }

    fn is_searching(&self) -> bool {
        self.search.as_ref().is_some_and(|search| !search.is_done())
    }

    fn is_busy(&self) -> bool {
        self.is_searching()
            || self.owes_answer
            || self.job.as_ref().is_some_and(|job| !job.is_done())
    }

    /// Whether a search or job was stopped or is done.
    fn is_ending(&self) -> bool {
        self.search.as_ref().is_some_and(ends) || self.job.as_ref().is_some_and(Job::is_ending)
    }

    /// Waits for a search or job that was stopped, so that its last line comes first.
    fn let_end(&mut self) {
        if let Some(search) = self.search.take_if(|search| ends(search)) {
            search.wait();
        }
        if let Some(job) = self.job.take_if(|job| job.is_ending()) {
            job.join();
        }
    }

    /// Waits for a search or job that was stopped. If one still runs, adds a remark that `what` is
    /// refused, and returns `false`.
    fn is_free_for(&mut self, what: &str) -> bool {
        self.let_end();
        if self.search.is_some() || self.owes_answer || self.job.is_some() {
            self.remarks.refuse(format_args!(
                "{what} is ignored: the engine is busy; send stop first"
            ));
            return false;
        }
        self.run_deferred();
        true
    }

    fn go(&mut self, go: &Go<'_>) {
        if !self.is_free_for("go") {
            return;
        }
        let Some(position) = self.position.clone() else {
            self.owes_answer = true;
            if !(go.infinite || go.ponder) {
                self.answer_without_move();
            }
            return;
        };
        let limits = go.limits(position.board(), &self.settings, &mut self.remarks);
        self.print_remarks();
        if let Some(mv) = self.book_move(go, position.board()) {
            let style = self.settings.style(self.evaluation.win_model());
            self.output.note("the move is from the opening book");
            self.output
                .line(best_move(Some(mv), None, position.board(), style));
            return;
        }
        self.start(position, limits);
    }

    /// A move of the opening book, unless the user analyses.
    fn book_move(&self, go: &Go<'_>, board: &Board) -> Option<Move> {
        let analysing = self.settings.analyse_mode || self.settings.multi_pv > 1;
        (!analysing).then(|| self.book.answer(go, board)).flatten()
    }

    fn start(&mut self, position: Position, mut limits: Limits) {
        let board = *position.board();
        let mut printer = Printer::new(
            self.output.clone(),
            board,
            self.settings.style(self.evaluation.win_model()),
            limits.multi_pv,
        );
        if let Some(level) = self.settings.level() {
            level.restrict(&mut limits);
            printer = printer.at_level(level, position.clone());
        }
        self.content = Content::Searched;
        let search = self
            .engine
            .search(position, limits, move |event| printer.print(&event));
        self.search = Some(search);
    }

    /// Answers a `go` that came without a position.
    fn answer_without_move(&mut self) {
        if std::mem::take(&mut self.owes_answer) {
            self.print_remarks();
            self.output.line("bestmove (none)");
        }
    }

    fn stop(&mut self) {
        if !self.is_busy() {
            self.debug_note("stop: nothing is running");
        }
        self.answer_without_move();
        if let Some(job) = &self.job {
            job.cancel();
        }
        if let Some(search) = &self.search {
            search.stop();
        }
    }

    fn ponder_hit(&mut self) {
        if self.owes_answer {
            self.answer_without_move();
            return;
        }
        match &self.search {
            Some(search) if search.state() == SearchState::Pondering => search.ponder_hit(),
            _ => self
                .remarks
                .add_failure("ponderhit is ignored: nothing is being pondered"),
        }
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("engine", &self.engine)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
