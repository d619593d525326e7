//! The command line of `skewer-train`.

mod commands;

use clap::{Parser, Subcommand};
use skewer_console::options::exit_code;

/// The command line.
#[derive(Debug, Parser)]
#[command(name = "skewer-train", version, about = ABOUT, long_about = LONG_ABOUT)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const ABOUT: &str = "Train Skewer's evaluation on games that it played against itself";

/// A doc comment would lose the line breaks of the commands, or keep the line breaks of the paragraphs.
const LONG_ABOUT: &str = "\
Train Skewer's evaluation on games that it played against itself.

The games come from `skewer-selfplay datagen`. A first network takes about three million usable positions \
and a minute:

    skewer-train stats data/*.vf
    skewer-train tune data/*.vf --output weights.rs
    skewer-train net data/*.vf --output first.nnue

The engine plays with the network after `setoption name EvalFile value first.nnue`. See docs/training.md \
for the whole process.";

#[derive(Debug, Subcommand)]
enum Command {
    Net(commands::net::Args),
    Tune(commands::tune::Args),
    Stats(commands::stats::Args),
    Shuffle(commands::shuffle::Args),
    Dedup(commands::dedup::Args),
    Scale(commands::scale::Args),
    Lag(commands::lag::Args),
    Bench(commands::bench::Args),
}

fn main() -> std::process::ExitCode {
    skewer_store::report_file_size_limit();
    let cli: Cli = skewer_console::standard::parse();
    if let Err(error) = skewer_store::check_standard_output() {
        return exit_code("skewer-train", Err(error.into()));
    }
    let result = match cli.command {
        Command::Net(args) => commands::net::run(&args),
        Command::Tune(args) => commands::tune::run(&args),
        Command::Stats(args) => commands::stats::run(&args),
        Command::Shuffle(args) => commands::shuffle::run(&args),
        Command::Dedup(args) => commands::dedup::run(&args),
        Command::Scale(args) => commands::scale::run(&args),
        Command::Lag(args) => commands::lag::run(&args),
        Command::Bench(args) => commands::bench::run(&args),
    };
    exit_code("skewer-train", result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_has_whole_paragraphs() {
        use clap::CommandFactory as _;
        let found = skewer_console::manual::early_line_end(&Cli::command());
        assert_eq!(found, None);
    }
}
