//! `docs/uci.md` and `docs/options.csv` agree with the engine: the commands and limits of the engine's help,
//! options with defaults and ranges.

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
fn the_table_of_options_has_every_option_with_default_and_range() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/options.csv");
    let table = std::fs::read_to_string(path).expect("the repository has docs/options.csv");
    for option in OPTIONS {
        let (kind, default, range) = match option.kind {
            Kind::Check { default, .. } => ("check", default.to_string(), "true, false".to_owned()),
            Kind::Spin {
                default, min, max, ..
            } => ("spin", default.to_string(), format!("{min} .. {max}")),
            Kind::Text { .. } => ("string", "empty".to_owned(), String::new()),
            Kind::Button { .. } => ("button", String::new(), String::new()),
        };
        let row = [option.name, kind, &default, &range, option.meaning];
        let row = format!("\"{}\"", row.join("\",\""));
        assert!(
            table.lines().any(|line| line == row),
            "not in docs/options.csv:\n{row}"
        );
    }
    assert_eq!(table.lines().count(), OPTIONS.len() + 1);
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

/// The cells of a row of a table, without the backquotes.
fn cells(row: &str) -> Vec<String> {
    let cells = row.trim_matches('|').split(" | ");
    cells.map(|cell| cell.trim().replace('`', "")).collect()
}

/// Whether a source has the word `name` after `before`.
fn has_word(source: &str, before: &str, name: &str) -> bool {
    source
        .match_indices(&format!("{before}{name}"))
        .any(|(at, text)| {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            !source[..at].ends_with(is_word) && !source[at + text.len()..].starts_with(is_word)
        })
}

/// The table of `docs/architecture.md` names each file that a `go` passes through, and a function or type of that
/// file. An earlier file of the table must mention the function or type, so that no file can be left out.
#[test]
fn the_files_of_a_go_lead_from_one_to_the_next() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect(path);
    let page = read("docs/architecture.md");
    let (_, section) = page
        .split_once("\n## How a `go` is executed")
        .expect("a part");
    let section = section.split("\n## ").next().unwrap_or_default();
    let steps: Vec<Vec<String>> = section
        .lines()
        .filter(|line| line.starts_with("| ") && line.contains(".rs`"))
        .map(cells)
        .collect();
    let mut before = String::new();
    for step in &steps {
        let [_, file, name, _] = &step[..] else {
            panic!("four columns, not {step:?}");
        };
        let source = read(file);
        assert!(
            has_word(&source, "fn ", name) || has_word(&source, "struct ", name),
            "{file} does not define {name}"
        );
        assert!(
            before.is_empty() || has_word(&before, "", name),
            "nothing before {file} mentions {name}"
        );
        before.push_str(&source);
    }
    let ends = (steps.first(), steps.last());
    let name = |step: Option<&Vec<String>>| step.map(|step| step[2].clone());
    assert_eq!(name(ends.0).as_deref(), Some("console"));
    assert_eq!(name(ends.1).as_deref(), Some("node"));
}
