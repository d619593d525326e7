//! Reads commands from a client at stdin, or from the command line, and has a session execute them.

use std::io::{self, IsTerminal, Write as _};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

use crate::help::GREETING;
use crate::input::{Input, read_stdin};
use crate::output::Output;
use crate::session::{Next, Session};

/// How many lines are read ahead of the session.
const READ_AHEAD: usize = 256;

fn session(output: &Output) -> Option<Session> {
    match Session::new(output.clone()) {
        Ok(session) => Some(session),
        Err(error) => {
            output.failure(error);
            None
        }
    }
}

/// Serves the client at stdin and stdout until it quits.
pub fn console() -> ExitCode {
    let output = Output::new(io::stdout());
    let Some(mut session) = session(&output) else {
        _ = written(&output);
        return ExitCode::FAILURE;
    };
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        for line in GREETING {
            output.line(line);
        }
    }
    let (sender, receiver) = sync_channel(READ_AHEAD);
    let waker = sender.clone();
    output.when_closed(move || {
        // If the queue is full, the session is awake already.
        _ = waker.try_send(Input::End);
    });
    if let Err(error) = read_stdin(sender) {
        output.failure(format_args!(
            "the system starts no thread to read commands: {error}"
        ));
        return ExitCode::FAILURE;
    }
    while let Ok(input) = receiver.recv() {
        if session.handle(&input) == Next::Quit {
            // At the end of a script (`printf 'bench\nquit\n' | skewer`) the job must finish, because its result is
            // expected. A client keeps the input open, and does not wait for the result.
            if session.has_job() && ends_soon(&receiver) {
                session.handle(&Input::End);
            }
            break;
        }
    }
    session.close();
    // The thread that reads may still wait for a line. The process ends without it.
    written(&output)
}

/// The exit code of a program that has written this to its standard output. Says on the standard error why lines were
/// lost, if they were.
pub fn written(output: &Output) -> ExitCode {
    match output.loss() {
        Some(reason) => {
            _ = writeln!(
                io::stderr(),
                "skewer: standard output: cannot write: {reason}"
            );
            ExitCode::FAILURE
        }
        None => ExitCode::SUCCESS,
    }
}

/// How long the end of the input may take after `quit`, on a busy machine.
const END_OF_SCRIPT: Duration = Duration::from_secs(2);

/// Whether the input ends. Commands after `quit` are not executed.
fn ends_soon(inputs: &Receiver<Input>) -> bool {
    let deadline = Instant::now() + END_OF_SCRIPT;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match inputs.recv_timeout(left) {
            Ok(Input::End) => return true,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
}

/// Runs the commands of the command line, each to its end. The arguments are the words of one command or,
/// if the first one contains a blank, one command each. Stops when the output is closed, and fails if a
/// command failed.
pub fn run_commands(arguments: &[String]) -> ExitCode {
    let output = Output::new(io::stdout());
    let Some(mut session) = session(&output) else {
        _ = written(&output);
        return ExitCode::FAILURE;
    };
    let each_a_command = arguments
        .first()
        .is_some_and(|first| first.trim().contains(char::is_whitespace));
    let commands = if each_a_command {
        arguments.to_vec()
    } else {
        vec![arguments.join(" ")]
    };
    for command in commands {
        if session.line(&command) == Next::Quit || output.is_closed() {
            break;
        }
        session.finish();
    }
    session.close();
    let code = written(&output);
    if output.has_failures() {
        ExitCode::FAILURE
    } else {
        code
    }
}
