//! The program `skewer-selfplay`; everything it does is in the library.

use std::process::ExitCode;

use clap::Parser;
use skewer_selfplay::cli::Cli;

fn main() -> ExitCode {
    skewer_store::report_file_size_limit();
    match Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("skewer-selfplay: {error:#}");
            ExitCode::FAILURE
        }
    }
}
