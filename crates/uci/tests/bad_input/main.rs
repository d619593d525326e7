//! Bad input. Every case runs on the binary over pipes, and has the expected number of answers and the
//! expected remarks. Afterwards the engine must play a legal move from a good position and quit with success,
//! without output on stderr.

#[path = "../harness/mod.rs"]
mod harness;

mod case;
mod commands;
mod effects;
mod files;
mod limits;
mod options;
mod own;
mod positions;
mod streams;

use std::collections::BTreeSet;

use case::{Case, run_all};

/// A part of the cases.
type Cases = fn() -> Vec<Case>;

/// The subjects, each of which has its test, so that they run side by side.
const SUBJECTS: [Cases; 7] = [
    streams::cases,
    commands::cases,
    positions::cases,
    limits::cases,
    options::cases,
    files::cases,
    own::cases,
];

/// The only bad input without a [`Case`], because a case reads the output.
const CLOSED_OUTPUT: &str = "11 stdout closed";

/// The last number of the list of bad inputs that the project began with.
const LAST_NUMBER: u32 = 55;

/// The number in front of a case's name, if it has one.
fn number(name: &str) -> Option<u32> {
    name.split(' ').next()?.parse().ok()
}

#[test]
fn no_bad_input_of_the_list_is_left_out() {
    let cases: Vec<Case> = SUBJECTS.iter().flat_map(|cases| cases()).collect();
    let mut names: Vec<&str> = cases.iter().map(|case| case.name).collect();
    names.push(CLOSED_OUTPUT);
    let numbers: BTreeSet<u32> = names.iter().filter_map(|name| number(name)).collect();
    assert!(numbers.iter().copied().eq(1..=LAST_NUMBER), "{numbers:?}");
    let different: BTreeSet<&str> = names.iter().copied().collect();
    assert_eq!(different.len(), names.len(), "two cases of one name");
}

#[test]
fn streams_that_are_not_clean_text() {
    run_all(&streams::cases());
}

#[test]
fn unexpected_commands() {
    run_all(&commands::cases());
}

#[test]
fn positions_that_cannot_be_or_are_written_oddly() {
    run_all(&positions::cases());
}

#[test]
fn limits_that_make_no_sense() {
    run_all(&limits::cases());
}

#[test]
fn options_that_cannot_be_set() {
    run_all(&options::cases());
}

#[test]
fn files_that_cannot_be_used() {
    run_all(&files::cases());
}

#[test]
fn own_commands_with_unusable_arguments() {
    run_all(&own::cases());
}

#[test]
fn a_closed_output_ends_the_session() {
    use std::process::{Command, Stdio};
    use std::time::Instant;

    // Close the output and keep the input open.
    for script in ["uci\n", "go infinite\n", "isready\ngo depth 5\n"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_skewer"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().unwrap();
        std::io::Write::write_all(&mut stdin, script.as_bytes()).unwrap();
        let started = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            assert!(
                started.elapsed() < harness::PATIENCE,
                "{CLOSED_OUTPUT}, {script:?}: it does not leave"
            );
            std::thread::sleep(std::time::Duration::from_millis(5));
        };
        let mut stderr = String::new();
        std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut stderr).unwrap();
        assert!(
            status.success() && stderr.is_empty(),
            "{CLOSED_OUTPUT}, {script:?}: {status} {stderr:?}"
        );
    }
}
