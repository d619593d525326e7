//! `docs/uci.md` agrees with the engine: options with defaults and ranges, and the commands and limits
//! of the engine's help.

use std::collections::BTreeSet;
use std::path::Path;

use crate::harness::Client;
use skewer::command::{Complaint, parse};
use skewer::options::{Kind, OPTIONS};

fn manual() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/uci.md");
    std::fs::read_to_string(path).expect("the repository has docs/uci.md")
}

/// The rows of the manual's tables whose first column is in backquotes.
fn rows(manual: &str) -> impl Iterator<Item = &str> {
    manual.lines().filter(|line| line.starts_with("| `"))
}

/// The part of the manual with the tables of commands and limits.
fn commands(manual: &str) -> &str {
    let (_, rest) = manual
        .split_once("\n## Commands")
        .expect("a part about commands");
    rest.split_once("\n## ")
        .map_or(rest, |(commands, _)| commands)
}

/// The texts between backquotes in the first column.
fn first_column(row: &str) -> impl Iterator<Item = &str> {
    // A bar within a cell is escaped, so ` |` is the end of the column.
    let end = row[2..].find(" |").map_or(row.len(), |at| at + 2);
    row[..end].split('`').skip(1).step_by(2)
}

/// The words of the engine's help.
fn words_of_help() -> Result<BTreeSet<String>, String> {
    let mut client = Client::start(&[]);
    client.send("help");
    let output = client.leave()?;
    let words = output.iter().flat_map(|line| {
        let is_no_word = |c: char| !c.is_ascii_alphanumeric();
        line.split(is_no_word)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    });
    Ok(words.filter(|word| !word.is_empty()).collect())
}

/// Whether a word is a command.
fn is_command(word: &str) -> bool {
    let parsed = parse(word);
    let unknown = |complaint: &Complaint<'_>| {
        matches!(
            complaint,
            Complaint::UnknownCommand(_) | Complaint::Capitals { .. }
        )
    };
    !parsed.complaints.iter().any(unknown)
}

/// Whether a word is a limit of `go`.
fn is_limit(word: &str) -> bool {
    let line = format!("go {word}");
    let unknown =
        |complaint: &Complaint<'_>| matches!(complaint, Complaint::UnknownArgument { .. });
    word == word.to_ascii_lowercase() && !parse(&line).complaints.iter().any(unknown)
}

#[test]
fn the_manual_has_every_option_with_default_and_range() {
    let manual = manual();
    let rows: Vec<&str> = rows(&manual).collect();
    for option in OPTIONS {
        let start = match option.kind {
            Kind::Check { default, .. } => format!("| check | {default} | true, false |"),
            Kind::Spin {
                default, min, max, ..
            } => format!("| spin | {default} | {min} .. {max} |"),
            Kind::Text { default, .. } => {
                assert_eq!(default, "", "{}", option.name);
                "| string | empty |  |".to_owned()
            }
            Kind::Button { .. } => "| button |  |  |".to_owned(),
        };
        let row = format!("| `{}` {start} {} |", option.name, option.meaning);
        assert!(rows.contains(&row.as_str()), "not in docs/uci.md:\n{row}");
    }
}

/// The fewest commands and limits in the help, so that the test fails if it cannot read the help.
const FEWEST: usize = 10;

#[test]
fn the_manual_has_every_command_and_limit_of_the_help() -> Result<(), String> {
    let manual = manual();
    let typed: BTreeSet<&str> = rows(commands(&manual))
        .flat_map(first_column)
        .filter_map(|text| text.split(' ').next())
        .collect();
    let words = words_of_help()?;
    for (what, is_one) in [
        ("command", is_command as fn(&str) -> bool),
        ("limit", is_limit),
    ] {
        let known: Vec<&String> = words.iter().filter(|word| is_one(word)).collect();
        assert!(known.len() >= FEWEST, "{what}s of the help: {known:?}");
        for word in known {
            assert!(
                typed.contains(word.as_str()),
                "not in docs/uci.md: {what} {word}"
            );
        }
    }
    Ok(())
}

#[test]
fn the_help_has_every_command_and_limit_of_the_manual() -> Result<(), String> {
    let manual = manual();
    let words = words_of_help()?;
    for text in rows(commands(&manual)).flat_map(first_column) {
        let word = text.split(' ').next().unwrap_or_default();
        assert!(
            is_command(word) || is_limit(word),
            "`{word}` is not understood"
        );
        assert!(words.contains(word), "`help` does not name {word}");
    }
    Ok(())
}
