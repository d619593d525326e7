//! `help`, for a person at a terminal.

use skewer_types::Techniques;

use crate::command::{COMMANDS, KEYWORDS, Origin};
use crate::manual;
use crate::options::{Kind, OPTIONS, OptionSpec};
use crate::output::Output;

/// What is printed at the start in a terminal. A narrow terminal cuts longer lines inside a word.
pub(crate) const GREETING: [&str; 4] = [
    concat!(
        "Skewer ",
        env!("SKEWER_VERSION"),
        ", a chess engine for the UCI protocol."
    ),
    if cfg!(feature = "play") {
        "Load it in a chess program, or run `skewer play` for a game in this terminal."
    } else {
        "Load it in a chess program to play or analyse."
    },
    "To try it here: `go movetime 1000` finds a move, `d` shows the board,",
    "`help` says more, `quit` leaves.",
];

/// Prints a page of help.
pub(crate) fn print(topic: Option<&str>, output: &Output) {
    match topic {
        Some("options") => OPTIONS.iter().for_each(|option| {
            output.line(format_args!("{} ({})", option.name, describe(option)));
            output.line(format_args!("    {}", option.meaning));
        }),
        Some("techniques") => {
            for (name, technique) in Techniques::all().iter_names() {
                let name = name.to_ascii_lowercase().replace('_', "-");
                row(output, 0, &name, technique.explanation());
            }
        }
        _ => topic.and_then(manual::document).unwrap_or(commands)(output),
    }
}

/// Prints the version, and how the program was compiled.
pub(crate) fn compiler(output: &Output) {
    output.line(concat!("Skewer ", env!("SKEWER_VERSION")));
    output.line(concat!("compiler: ", env!("SKEWER_COMPILER")));
    output.line(concat!("target: ", env!("SKEWER_TARGET")));
    output.line(concat!("processor features: ", env!("SKEWER_CPU_FEATURES")));
}

fn commands(output: &Output) {
    let mut origin = None;
    for command in COMMANDS {
        if origin != Some(command.origin) {
            origin = Some(command.origin);
            output.line(match command.origin {
                Origin::Protocol => "Commands of the UCI protocol:",
                Origin::Engine => "Others:",
            });
        }
        let usage = format!("{} {}", command.name, command.arguments);
        row(output, 2, usage.trim_end(), command.help);
        if command.name == "go" {
            for keyword in KEYWORDS {
                row(output, 4, keyword.name, keyword.help);
            }
        }
    }
}

/// Prints a name and its explanation in two columns, or on two lines if the name is long.
fn row(output: &Output, indent: usize, name: &str, explanation: &str) {
    /// Where the explanations begin.
    const COLUMN: usize = 28;
    let name = format!("{:indent$}{name}", "");
    if name.len() < COLUMN {
        output.line(format_args!("{name:COLUMN$}{explanation}"));
    } else {
        output.line(&name);
        output.line(format_args!("{:COLUMN$}{explanation}", ""));
    }
}

pub(crate) fn describe(option: &OptionSpec) -> String {
    match option.kind {
        Kind::Check { default, .. } => format!("true or false, default {default}"),
        Kind::Spin {
            default, min, max, ..
        } => format!("{min} to {max}, default {default}"),
        Kind::Text { .. } => "text, default empty".to_owned(),
        Kind::Button { .. } => "a button".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greeting_fits_a_narrow_terminal() {
        for line in GREETING {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}
