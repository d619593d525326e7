//! The program: reads the command line and runs the command.

#![forbid(unsafe_code)]
// `println!` and `eprintln!` panic if they cannot write.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod cli;
mod fingerprint;
mod formats;
mod games;
mod manifest;
mod output;
mod page_engine;
mod position;
mod positions;
mod progress;
mod run;
mod suite;
mod verify;

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

use clap::CommandFactory as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::cli::{Cli, Command, GamesArgs, MergeArgs};
use crate::output::is_closed_pipe;
use skewer_console::progress::note;
use skewer_console::standard::{exit, read};
use skewer_types::printable;

fn main() -> ExitCode {
    skewer_store::report_file_size_limit();
    skewer_uci_client::adopt_helpers();
    let tell = || note("skewer-analyse: ended by a signal; no output has been completed");
    if let Err(error) = skewer_uci_client::end_engines_on_signals(tell) {
        note(format_args!(
            "skewer-analyse: cannot start a thread: {error}"
        ));
        return ExitCode::from(2);
    }
    if let Some(code) = skewer_console::manual::written(Cli::command()) {
        return code;
    }
    let cli: Cli = read(std::env::args_os()).unwrap_or_else(|error| match with_command(&error) {
        Some((command, words)) => {
            let command = printable(command);
            note(format_args!(
                "skewer-analyse: no command is given, taken as `skewer-analyse {command} ...`"
            ));
            read(words).unwrap_or_else(|error| exit(&error))
        }
        None => exit(&error),
    });
    let done = match &cli.command {
        Command::Games(arguments) => games::analyse(arguments),
        Command::Merge(arguments) => games::merge(arguments),
        Command::Position(arguments) => position::analyse(arguments),
        Command::Positions(arguments) => positions::label(arguments),
        Command::Verify(arguments) => verify::verify(arguments),
        Command::Suite(arguments) => suite::run(arguments),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        // The reader has closed the pipe, as `head` does.
        Err(error) if is_closed_pipe(&error) && only_prints(&cli.command) => ExitCode::SUCCESS,
        Err(error) => {
            note(format_args!(
                "skewer-analyse: {}",
                printable(&message(&error))
            ));
            ExitCode::from(2)
        }
    }
}

/// Whether a command writes to the standard output alone. Such a command has nothing left to do when its reader goes away.
fn only_prints(command: &Command) -> bool {
    match command {
        Command::Position(_) => true,
        Command::Games(GamesArgs { run, output, .. }) => {
            run.journal.is_none() && formats::only_prints(output)
        }
        Command::Merge(MergeArgs { output, .. }) => formats::only_prints(output),
        Command::Positions(arguments) => arguments.only_prints(),
        // The exit code says whether everything was compared, or solved.
        Command::Verify(_) | Command::Suite(_) => false,
    }
}

/// The command for a command line without one, and the words of the command line with it. `None` for other
/// errors, if a command is given, or if no word names games or positions.
fn with_command(error: &clap::Error) -> Option<(&'static str, Vec<OsString>)> {
    let unknown = match error.kind() {
        // A command that is misspelt is not a file.
        ErrorKind::InvalidSubcommand => match error.get(ContextKind::InvalidSubcommand) {
            Some(ContextValue::String(word)) => Some(OsString::from(word)),
            _ => None,
        },
        // An option of a command before or without the command.
        ErrorKind::UnknownArgument => None,
        _ => return None,
    };
    let mut words: Vec<OsString> = std::env::args_os().collect();
    let names: Vec<&str> = words.iter().filter_map(|word| word.to_str()).collect();
    let has_command = Cli::command()
        .get_subcommands()
        .any(|command| names.get(1) == Some(&command.get_name()));
    let mut files = words.iter().skip(1).filter(|word| is_input(word));
    let file = files.next()?;
    if has_command || unknown.is_some_and(|word| !is_input(&word)) {
        return None;
    }
    let is_suite = Path::new(file)
        .extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("epd"));
    let command = if is_suite { "suite" } else { "games" };
    words.insert(1, command.into());
    Some((command, words))
}

/// Whether a word names games or positions: a file or folder that exists, or a name with the ending of such a file.
fn is_input(word: &OsStr) -> bool {
    let path = Path::new(word);
    let is_named_so = |end: &OsStr| {
        ["pgn", "epd", "zst", "gz", "bz2"]
            .iter()
            .any(|own| end.eq_ignore_ascii_case(own))
    };
    path.exists() || path.extension().is_some_and(is_named_so)
}

/// An error and its causes, without causes whose text is already included.
fn message(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}
