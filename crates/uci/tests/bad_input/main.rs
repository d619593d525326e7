//! Bad input. Every case runs on the binary over pipes and states how many answers and which remarks it
//! expects. Afterwards the engine must play a legal move from a good position and exit with success,
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

/// Defines a test for each module of cases, so that they run in parallel, and a list of all cases.
macro_rules! subjects {
    ($($module:ident: $test:ident,)*) => {
        fn all_cases() -> Vec<Case> {
            [$($module::cases()),*].into_iter().flatten().collect()
        }
        $(
            #[test]
            fn $test() {
                run_all(&$module::cases());
            }
        )*
    };
}

subjects! {
    streams: streams_that_are_not_clean_text,
    commands: unexpected_commands,
    positions: invalid_positions_and_unusual_notation,
    limits: invalid_limits,
    options: options_that_cannot_be_set,
    files: files_that_cannot_be_used,
    own: own_commands_with_unusable_arguments,
}

#[test]
fn every_case_has_a_name_of_its_own() {
    let cases = all_cases();
    let names: BTreeSet<&str> = cases.iter().map(|case| case.name).collect();
    assert_eq!(names.len(), cases.len(), "two cases with the same name");
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
                started.elapsed() < harness::TIMEOUT,
                "{script:?}: the engine does not exit"
            );
            std::thread::sleep(std::time::Duration::from_millis(5));
        };
        let mut stderr = String::new();
        std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut stderr).unwrap();
        assert!(
            status.success() && stderr.is_empty(),
            "{script:?}: {status} {stderr:?}"
        );
    }
}
