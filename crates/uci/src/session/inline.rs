//! A session without threads: commands, searches and jobs run on the caller's thread.

use std::cell::{Cell, RefCell};

use skewer_smp::{CallerSearch, EngineError, Execution};

use super::{Next, Session};
use crate::input::Input;
use crate::output::Output;

/// A [`Session`] for programs that have no threads. It looks for input while it searches.
///
/// ```
/// use skewer::input::Input;
/// use skewer::output::Output;
/// use skewer::{InlineSession, Next};
///
/// let mut session = InlineSession::new(Output::new(std::io::stdout()))?;
/// let mut lines = ["go infinite", "isready", "stop"].into_iter();
/// let next = session.serve(&mut || {
///     let text = lines.next()?.to_owned();
///     Some(Input::Line { text, repaired: None })
/// });
/// assert_eq!(next, Next::Continue);
/// # Ok::<(), skewer_smp::EngineError>(())
/// ```
#[derive(Debug)]
pub struct InlineSession {
    session: Session,
    /// A search whose result is held back until a stop or a ponder hit.
    held: Option<CallerSearch>,
}

impl InlineSession {
    /// A session that writes to `output`.
    ///
    /// # Errors
    ///
    /// If there is not enough memory for the engine.
    pub fn new(output: Output) -> Result<Self, EngineError> {
        let session = Session::with_execution(output, Execution::Caller)?;
        Ok(Self {
            session,
            held: None,
        })
    }

    /// Handles inputs until `input` returns `None`, which means that there is no input at the moment. A search also
    /// calls `input` every few hundred nodes, so `input` should return within a few microseconds. The search runs on
    /// the caller's thread and needs 8 MiB of stack. [`Input::End`] ends the search or job that runs.
    pub fn serve(&mut self, input: &mut dyn FnMut() -> Option<Input>) -> Next {
        while let Some(command) = input() {
            let mut next = self.session.handle(&command);
            if next == Next::Continue {
                next = self.work(input);
            }
            if next == Next::Quit {
                self.session.stop();
            }
            if self.held.as_mut().is_some_and(CallerSearch::finish) {
                self.held = None;
            }
            if next == Next::Quit {
                return next;
            }
        }
        Next::Continue
    }

    /// Runs the search or job that the last command began.
    fn work(&mut self, input: &mut dyn FnMut() -> Option<Input>) -> Next {
        let Self { session, held } = self;
        let search = session.engine.take_search();
        let job = session.caller_job.take();
        let next = Cell::new(Next::Continue);
        let parts = RefCell::new((session, input));
        let poll = || {
            let (session, input) = &mut *parts.borrow_mut();
            // Commands after a stop wait until the answer is given.
            while next.get() == Next::Continue && !session.is_ending() {
                let Some(command) = input() else { return };
                let is_end = command == Input::End;
                if is_end || session.handle(&command) == Next::Quit {
                    next.set(Next::Quit);
                    session.stop();
                }
            }
        };
        if let Some(mut search) = search {
            search.run(&poll);
            *held = Some(search);
        }
        if let Some(run) = job {
            run(Some(&poll));
        }
        next.get()
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Said(Arc<Mutex<Vec<u8>>>);

    impl Write for Said {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Said {
        fn lines(&self) -> Vec<String> {
            let text = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
            text.lines().map(str::to_owned).collect()
        }
    }

    /// Gives the session these commands, each as soon as it asks. A `-` stands for no command at the moment. Returns
    /// the answers without the lines of analysis.
    fn answers(commands: &'static [&'static str]) -> Vec<String> {
        let serve = move || {
            let said = Said::default();
            let mut session = InlineSession::new(Output::new(said.clone())).unwrap();
            let mut commands = commands.iter();
            let mut next = Next::Continue;
            while next == Next::Continue && !commands.as_slice().is_empty() {
                next = session.serve(&mut || {
                    let text = (*commands.next().filter(|&&text| text != "-")?).to_owned();
                    let repaired = None;
                    Some(Input::Line { text, repaired })
                });
            }
            said.lines()
        };
        let stack = std::thread::Builder::new().stack_size(64 << 20);
        let mut lines = stack.spawn(serve).unwrap().join().unwrap();
        lines.retain(|line| !line.starts_with("info depth") && !line.starts_with("info currmove"));
        lines
    }

    #[test]
    fn commands_are_read_during_a_search() {
        let said = answers(&[
            "position fen 7k/8/6KP/8/8/8/8/R7 w - - 0 1",
            "go infinite",
            "isready",
            "setoption name Hash value 2",
            "go depth 1",
            "stop",
            "position startpos",
            "go depth 1 searchmoves a2a3",
        ]);
        let [ready, deferred, refused, mate, after] = said.as_slice() else {
            panic!("{said:?}");
        };
        assert_eq!(ready, "readyok");
        assert!(
            deferred.contains("the option is set when it is done"),
            "{deferred}"
        );
        assert!(refused.contains("go is ignored"), "{refused}");
        assert!(mate.starts_with("bestmove a1a8"), "{mate}");
        assert!(after.starts_with("bestmove a2a3"), "{after}");
    }

    #[test]
    fn answers_are_held_back_until_they_are_asked_for() {
        let said = answers(&[
            "go infinite depth 1",
            "-",
            "isready",
            "stop",
            "go ponder depth 1",
            "-",
            "isready",
            "ponderhit",
        ]);
        assert_eq!(said.len(), 4, "{said:?}");
        assert_eq!([&said[0], &said[2]], ["readyok", "readyok"]);
        assert!(
            [&said[1], &said[3]]
                .iter()
                .all(|line| line.starts_with("bestmove ")),
            "{said:?}"
        );
    }

    #[test]
    fn quit_ends_a_search_and_answers() {
        let said = answers(&["go infinite", "quit", "isready"]);
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].starts_with("bestmove "), "{said:?}");
    }

    #[test]
    fn jobs_run_and_can_be_stopped() {
        let last = |commands| answers(commands).pop().unwrap();
        assert_eq!(last(&["perft 3"]), "Nodes searched: 8902");
        assert!(last(&["bench 1"]).ends_with(" nps"));
        let said = answers(&["perft 9", "isready", "stop"]);
        assert_eq!(said[0], "readyok");
        assert!(said[1].contains("perft was stopped"), "{said:?}");
        assert_eq!(
            answers(&["bench 12", "stop"]),
            ["info string bench was stopped"]
        );
    }
}
