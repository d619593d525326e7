#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod book;
mod cli;
mod datagen;
mod game;
mod identity;
mod journal;
mod limit;
mod lines;
mod matches;
mod openings;
mod params;
mod record;
mod result;
mod spec;
mod spsa;
mod uci;

use std::process::ExitCode;

use skewer_console::options::exit_code;
use skewer_console::standard::parse;

fn main() -> ExitCode {
    skewer_store::report_file_size_limit();
    exit_code("skewer-selfplay", parse::<cli::Cli>().run())
}
