//! The standard output, and what clap prints.

use std::fmt::Display;
use std::io::{self, Write as _};
use std::process;

use clap::Parser;
use skewer_types::printable_lines;

use crate::progress::note;

/// Prints lines on the standard output, without characters that a terminal would obey.
///
/// # Errors
///
/// If they cannot be written.
pub fn say(lines: impl Display) -> io::Result<()> {
    let lines = lines.to_string();
    writeln!(io::stdout(), "{}", printable_lines(&lines))
}

/// Reads the command line. Prints help or an error instead, and ends the program, where the command line asks for help
/// or is wrong.
pub fn parse<Cli: Parser>() -> Cli {
    Cli::try_parse().unwrap_or_else(|error| exit(&error))
}

/// Prints what clap has to say, and ends the program. An error quotes the command line, which may have the names of
/// files, so it is printed without characters that a terminal would obey.
pub fn exit(error: &clap::Error) -> ! {
    if error.use_stderr() {
        note(error.render().to_string().trim_end());
        process::exit(error.exit_code());
    }
    // Help and versions quote nothing.
    let printed = skewer_store::check_standard_output().map_err(|closed| closed.to_string());
    let printed = printed.and_then(|()| error.print().map_err(|error| error.to_string()));
    if let Err(reason) = &printed {
        note(reason);
    }
    process::exit(i32::from(printed.is_err()));
}
