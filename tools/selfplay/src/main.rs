//! The program `skewer-selfplay`; everything it does is in the library.

use std::process::ExitCode;

use clap::Parser;
use skewer_selfplay::cli::Cli;

fn main() -> ExitCode {
    match Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("skewer-selfplay: {error:#}");
            ExitCode::FAILURE
        }
    }
}
