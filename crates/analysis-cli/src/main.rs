//! The program: reads the command line and runs the command.

#![forbid(unsafe_code)]

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

use std::path::Path;
use std::process::ExitCode;

use clap::Parser as _;
use clap::error::{ContextKind, ContextValue};

use crate::cli::{Cli, Command};
use crate::output::is_closed_pipe;
use skewer_types::printable;

fn main() -> ExitCode {
    skewer_store::report_file_size_limit();
    if let Err(error) = skewer_uci_client::end_engines_on_signals() {
        eprintln!("skewer-analyse: cannot start a thread: {error}");
        return ExitCode::from(2);
    }
    let cli = Cli::try_parse().unwrap_or_else(|error| {
        if let Some(hint) = missing_command(&error) {
            eprintln!("skewer-analyse: {}", printable(&hint));
            std::process::exit(2);
        }
        error.exit()
    });
    let done = match cli.command {
        Command::Games(arguments) => games::analyse(&arguments),
        Command::Merge(arguments) => games::merge(&arguments),
        Command::Position(arguments) => position::analyse(&arguments),
        Command::Positions(arguments) => positions::label(&arguments),
        Command::Verify(arguments) => verify::verify(&arguments),
        Command::Suite(arguments) => suite::run(&arguments),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        // The reader has closed the pipe, as `head` does.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("skewer-analyse: {}", printable(&message(&error)));
            ExitCode::from(2)
        }
    }
}

/// What to say to a command line that gives a file in place of a command.
fn missing_command(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(file)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let is_suite = Path::new(file).extension().is_some_and(|end| end == "epd");
    let command = if is_suite { "suite" } else { "games" };
    Path::new(file)
        .is_file()
        .then(|| format!("{file} is a file: use `skewer-analyse {command} {file}`"))
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
