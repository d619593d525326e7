//! The program: reads the command line and hands over.

use std::process::ExitCode;

use clap::Parser as _;
use skewer_analyse::cli::{Cli, Command};
use skewer_analyse::{games, position, suite};

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Games(arguments) => games::analyse(&arguments),
        Command::Merge(arguments) => games::merge(&arguments),
        Command::Position(arguments) => position::analyse(&arguments),
        Command::Suite(arguments) => suite::run(&arguments),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("skewer-analyse: {error:#}");
            ExitCode::from(2)
        }
    }
}
