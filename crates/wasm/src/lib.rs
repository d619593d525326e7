//! The UCI front-end as a WebAssembly module, for the npm package in `npm/`.
//!
//! The module is a WASI reactor. Its standard input gives the commands that have arrived, and ends where
//! there is none at the moment; it may give more later. Its standard output takes the answers.

use std::cell::RefCell;
use std::io::{self, Stdin};

use skewer::input::{Input, Lines};
use skewer::output::Output;
use skewer::{InlineSession, Next};

/// The session, what it reads, and what it writes.
struct Engine {
    session: InlineSession,
    output: Output,
    lines: Lines<Stdin>,
}

impl Engine {
    fn start() -> Option<Self> {
        let output = Output::new(io::stdout());
        match InlineSession::new(output.clone()) {
            Ok(session) => Some(Self {
                session,
                output,
                lines: Lines::new(io::stdin()),
            }),
            Err(error) => {
                output.failure(error);
                None
            }
        }
    }

    fn serve(&mut self) -> Next {
        let lines = &mut self.lines;
        self.session
            .serve(&mut || Some(lines.next_line()).filter(|input| *input != Input::End))
    }
}

thread_local! {
    static ENGINE: RefCell<Option<Engine>> = const { RefCell::new(None) };
}

/// Executes all commands that the standard input has. Returns 0 if the engine continues, and 1 if it has
/// quit or cannot start.
///
/// During a search it reads the standard input every few hundred nodes.
#[allow(unsafe_code, reason = "the name is exported; no other function has it")]
#[unsafe(no_mangle)]
pub extern "C" fn serve() -> i32 {
    ENGINE.with_borrow_mut(|engine| {
        if engine.is_none() {
            *engine = Engine::start();
        }
        let next = engine.as_mut().map(Engine::serve);
        i32::from(next != Some(Next::Continue))
    })
}

/// Returns 1 if a command failed so far or the engine cannot start, and 0 otherwise: the exit status of the program
/// with these commands in its command line.
#[allow(unsafe_code, reason = "the name is exported; no other function has it")]
#[unsafe(no_mangle)]
pub extern "C" fn failed() -> i32 {
    ENGINE.with_borrow(|engine| {
        i32::from(
            engine
                .as_ref()
                .is_none_or(|engine| engine.output.has_failures()),
        )
    })
}
