//! The program: reads the command line and runs the command.

#![forbid(unsafe_code)]

mod cli;
mod formats;
mod games;
mod output;
mod page_engine;
mod position;
mod progress;
mod suite;

use std::process::ExitCode;

use clap::Parser as _;

use crate::cli::{Cli, Command};
use crate::output::is_closed_pipe;
use crate::progress::printable;

fn main() -> ExitCode {
    skewer_store::report_file_size_limit();
    let done = match Cli::parse().command {
        Command::Games(arguments) => games::analyse(&arguments),
        Command::Merge(arguments) => games::merge(&arguments),
        Command::Position(arguments) => position::analyse(&arguments),
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
