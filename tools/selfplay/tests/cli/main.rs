//! Runs the program as a user does. The modules hold most tests; this file holds what the modules share.

#[cfg(unix)]
mod attacks;
#[path = "../common/mod.rs"]
mod common;
#[cfg(unix)]
mod engines;
#[cfg(unix)]
mod interruptions;
mod matches;
mod training_games;

use std::path::Path;

use common::{refuse, run};

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The words of a command line, then `more`.
fn words<'a>(line: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    line.split_whitespace()
        .chain(more.iter().copied())
        .collect()
}

#[test]
fn help_is_a_page_to_start_from() {
    let (help, _) = run(&["--help"]);
    for word in ["match", "datagen", "spsa", "book", "Examples:"] {
        assert!(help.contains(word), "{help}");
    }
    let (help, _) = run(&["match", "--help"]);
    for word in [
        "--sprt",
        "without=",
        "eval=",
        "option.NAME",
        "set.NAME",
        "--resign",
    ] {
        assert!(help.contains(word), "{help}");
    }
}

#[test]
fn wrong_command_lines_are_refused_with_a_reason() {
    for (line, message) in [
        ("match --engine ours --nodes 9", "give two engines, not 1"),
        ("match --engine ours --engine ours", "give a limit"),
        (
            "match --engine ours --engine /no/such/engine --nodes 9",
            "cannot start the engine /no/such/engine",
        ),
        (
            "match --engine ours --engine ours,without=x --nodes 9",
            "there is no technique `x`",
        ),
        (
            "match --engine ours --engine ours --nodes 9 --openings /no/such/book",
            "/no/such/book",
        ),
        (
            "match --engine ours --engine ours --nodes 9 --sprt 5 0",
            "the first below the second",
        ),
        (
            "match --engine ours --engine ours --nodes 9 --sprt 0 300",
            "from -100 to 100",
        ),
        (
            "match --engine ours --engine ours --nodes 9 --precision 0",
            "an error in Elo from 1 to 100",
        ),
        ("datagen --eval /no/such/net", "/no/such/net"),
        ("datagen --evalfile /no/such/net", "/no/such/net"),
    ] {
        let error = refuse(&words(line, &[]));
        assert!(error.contains(message), "{line}: {error}");
        assert!(!error.contains("panicked"), "{error}");
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    for (line, more) in [
        (
            "match --engine ours --engine ours --nodes 9 --games 2",
            &[][..],
        ),
        (
            "datagen --nodes 9 --games 1 --out",
            &[text(folder.path())][..],
        ),
        ("spsa --list", &[]),
        ("book --count 1 --plies 1 --within 900", &[]),
    ] {
        let (reader, closed) = std::io::pipe().unwrap();
        drop(reader);
        let status = std::process::Command::new(env!("CARGO_BIN_EXE_skewer-selfplay"))
            .args(words(line, more))
            .stdout(closed.try_clone().unwrap())
            .stderr(closed)
            .status();
        assert!(status.unwrap().success(), "{line}");
    }
}
