//! Running the program as a user does.

use assert_cmd::Command;

pub(crate) fn selfplay() -> Command {
    Command::new(env!("CARGO_BIN_EXE_skewer-selfplay"))
}

/// Runs the program, which must succeed; its standard output and standard error.
pub(crate) fn run(arguments: &[&str]) -> (String, String) {
    let done = selfplay().args(arguments).assert().success();
    let output = done.get_output();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// Runs the program, which must fail. Returns its standard error.
pub(crate) fn refuse(arguments: &[&str]) -> String {
    let done = selfplay().args(arguments).assert().failure();
    String::from_utf8_lossy(&done.get_output().stderr).into_owned()
}
