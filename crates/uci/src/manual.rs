//! The manual page and the completions of shells, made from the tables of commands and options.

use crate::command::{COMMANDS, KEYWORDS, Origin};
use crate::help::describe;
use crate::options::OPTIONS;
use crate::output::Output;

/// Writes a document.
pub(crate) type Writer = fn(&Output);

/// The topic that asks for a document, and its writer.
type Document = (&'static str, Writer);

/// The documents that `help` writes for packagers.
const DOCUMENTS: [Document; 4] = [("man", man), ("bash", bash), ("zsh", zsh), ("fish", fish)];

/// The function that writes the document of this topic, if there is one.
pub(crate) fn document(topic: &str) -> Option<Writer> {
    let mut documents = DOCUMENTS.into_iter();
    let (_, write) = documents.find(|(name, _)| *name == topic)?;
    Some(write)
}

/// Text for troff: backslashes, and hyphens that are typed, are escaped, and no line begins with a request.
fn roff(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    match text.as_bytes().first() {
        Some(b'.' | b'\'') => format!("\\&{text}"),
        _ => text,
    }
}

/// A term and its explanation.
fn entry(output: &Output, term: &str, explanation: &str) {
    output.line(".TP");
    output.line(format_args!("\\fB{}\\fR", roff(term)));
    output.line(roff(explanation));
}

fn man(output: &Output) {
    let version = env!("SKEWER_VERSION");
    output.line(format_args!(
        ".TH SKEWER 6 \"\" \"Skewer {version}\" \"Games\""
    ));
    for line in [
        ".SH NAME",
        "skewer \\- chess engine for the UCI protocol",
        ".SH SYNOPSIS",
        ".B skewer",
        "[\\fICOMMAND\\fR ...]",
        ".br",
        ".B skewer play",
        "[\\fIOPTION\\fR ...]",
        ".br",
        ".B skewer",
        "\\fB\\-\\-help\\fR | \\fB\\-\\-version\\fR",
        ".SH DESCRIPTION",
        "Chess programs with boards start \\fBskewer\\fR and talk to it by the Universal Chess Interface (UCI).",
        "Without arguments it reads commands from the standard input.",
        "With arguments it executes them, one command an argument, and ends.",
        ".PP",
        "\\fBskewer play\\fR is a game against the engine in a terminal; \\fBskewer play \\-\\-help\\fR lists its options.",
    ] {
        output.line(line);
    }
    for (origin, heading) in [
        (Origin::Protocol, "COMMANDS OF THE PROTOCOL"),
        (Origin::Engine, "OTHER COMMANDS"),
    ] {
        output.line(format_args!(".SH {heading}"));
        for command in COMMANDS.iter().filter(|command| command.origin == origin) {
            let usage = format!("{} {}", command.name, command.arguments);
            entry(output, usage.trim_end(), command.help);
        }
    }
    output.line(".SH LIMITS OF A SEARCH");
    for keyword in KEYWORDS {
        entry(output, &format!("go {}", keyword.name), keyword.help);
    }
    output.line(".SH OPTIONS OF THE ENGINE");
    for option in OPTIONS {
        let term = format!("{} ({})", option.name, describe(option));
        entry(output, &term, option.meaning);
    }
    output.line(".SH EXAMPLES");
    entry(
        output,
        "skewer bench",
        "search a fixed set of positions, and print the number of nodes and the speed",
    );
    entry(
        output,
        "skewer 'position startpos moves e2e4' 'go movetime 1000'",
        "find an answer to 1. e4 in a second",
    );
}

/// The words that may follow the program's name.
fn words() -> Vec<&'static str> {
    let names = COMMANDS.iter().map(|command| command.name);
    names.chain(["play", "--help", "--version"]).collect()
}

/// The topics of `help` for people.
const TOPICS: [&str; 2] = ["options", "techniques"];

fn bash(output: &Output) {
    output.line(format_args!(
        "_skewer() {{\n    local word=\"${{COMP_WORDS[COMP_CWORD]}}\" words=\"{}\"\n    \
         [ \"${{COMP_WORDS[COMP_CWORD-1]}}\" != help ] || words=\"{}\"\n    \
         COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n}}\ncomplete -F _skewer skewer",
        words().join(" "),
        TOPICS.join(" ")
    ));
}

fn zsh(output: &Output) {
    output.line("#compdef skewer\nlocal -a commands=(");
    for command in COMMANDS {
        let help = command.help.replace('\'', "'\\''");
        output.line(format_args!("    '{}:{help}'", command.name));
    }
    output.line("    'play:play a game in this terminal'");
    output.line(format_args!(
        ")\n_arguments '(- *)--help[show the commands]' '(- *)--version[show the version]' \
         '*::command:->commands'\nif [[ $words[1] == help ]]; then\n    _values topic {}\nelse\n    \
         _describe command commands\nfi",
        TOPICS.join(" ")
    ));
}

fn fish(output: &Output) {
    output.line("complete -c skewer -f");
    for command in COMMANDS {
        let help = command.help.replace('\'', "\\'");
        output.line(format_args!(
            "complete -c skewer -a '{}' -d '{help}'",
            command.name
        ));
    }
    output.line(format_args!(
        "complete -c skewer -n '__fish_seen_subcommand_from help' -a '{}'",
        TOPICS.join(" ")
    ));
    output.line("complete -c skewer -a play -d 'play a game in this terminal'");
    output.line("complete -c skewer -l help -d 'show the commands'");
    output.line("complete -c skewer -l version -d 'show the version'");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_for_troff_is_no_request() {
        assert_eq!(roff(".."), "\\&..");
        assert_eq!(roff("--without a\\b"), "\\-\\-without a\\eb");
    }

    #[test]
    fn every_document_has_every_command() {
        for (topic, write) in DOCUMENTS {
            let text = crate::output::tests::written(write);
            for command in COMMANDS {
                assert!(text.contains(command.name), "{topic}: {}", command.name);
            }
        }
        let page = crate::output::tests::written(man);
        for option in OPTIONS {
            assert!(page.contains(&roff(option.name)), "{}", option.name);
        }
    }
}
