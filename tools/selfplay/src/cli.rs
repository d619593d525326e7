//! The command line, converted to the settings of [`mod@crate::datagen`],
//! [`mod@crate::matches`], [`mod@crate::spsa`] and [`book`].

pub(crate) mod datagen;
mod matches;
pub(crate) mod shared;
mod spsa;

use anyhow::{Result, bail};
use clap::{Parser, Subcommand};
use skewer_console::standard;
use skewer_console::stop::Stop;
use skewer_store::{CommandFiles, OutputFile};

use self::datagen::Datagen;
use self::matches::Match;
use self::spsa::Spsa;
use crate::book::{self, Book};

/// Play chess engines against each other: matches, training games, tuning, openings.
#[derive(Debug, Parser)]
#[command(name = "skewer-selfplay", version, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  Is our engine weaker without the null move? At 10,000 nodes a move, on every core:
    skewer-selfplay match --engine ours --engine ours,without=null-move --nodes 10000

  Training games on every core, until Ctrl-C; the same command goes on later:
    skewer-selfplay datagen --name first --seed 1

  Tune parameters of the search, from 10,000 pairs of games (in a build with --features tune):
    skewer-selfplay spsa --parameters 'rfp_*,lmr_*' --pairs 10000 --out results/first

  A thousand Chess960 openings with scores within 90 of zero:
    skewer-selfplay book --count 1000 --variant chess960 --out frc.epd

  Openings that one side wins about every other time, for matches with fewer draws:
    skewer-selfplay book --count 4000 --eval net --beyond 105 --within 175 --out unbalanced.epd

Each command has its own help: skewer-selfplay match --help";

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a match between two engines and measure which is stronger
    Match(Box<Match>),
    /// Play training games against itself and write them to a file
    Datagen(Box<Datagen>),
    /// Tune parameters of the search by games against itself
    Spsa(Box<Spsa>),
    /// Make a file of random openings, balanced or in favour of one side
    Book(Book),
}

impl Cli {
    /// Runs the command.
    ///
    /// # Errors
    ///
    /// The errors of the command, as messages for the user.
    pub(crate) fn run(self) -> Result<()> {
        match self.command {
            Command::Match(options) => options.run(),
            Command::Datagen(options) => options.run(),
            Command::Spsa(options) => options.run(),
            Command::Book(options) => options.run(),
        }
    }
}

impl Book {
    fn run(self) -> Result<()> {
        let mut files = CommandFiles::reading(self.eval.path());
        if let Some(path) = &self.out {
            files.output("--out", path);
        }
        files.check()?;
        let stop = Stop::on_signals()?;
        let written = if let Some(path) = &self.out {
            let mut file = OutputFile::create_or_stdout(path)?;
            let written = book::write(&self, &mut file, &stop)?;
            if written == self.count {
                file.commit()?;
            }
            written
        } else {
            skewer_store::check_standard_output()?;
            book::write(&self, &mut standard::output(), &stop)?
        };
        if written < self.count {
            let kept = self.out.map_or("", |_| "; no file was written");
            let why = if stop.is_set() {
                "stopped".to_owned()
            } else {
                format!(
                    "too few different openings of {} plies with such scores (give more --plies or a wider range)",
                    self.plies
                )
            };
            bail!("{why}: {written} of {} openings{kept}", self.count);
        }
        Ok(())
    }
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
