//! Readers of outputs that go away, and names that a terminal would obey.

use std::fs::{self, File};
use std::process::{Command, Stdio};

use crate::{GAMES, folder, printed, program, write};

/// So many positions that their labels do not fit into a pipe.
fn many(folder: &std::path::Path) -> String {
    let position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    write(folder, "in.epd", position.repeat(3000).as_bytes())
}

/// Runs a command whose standard output nobody reads. Returns the exit code and the standard error output.
fn unread(command: &mut Command) -> (Option<i32>, String) {
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), errors)
}

/// `| head` ends a command that only prints, without an error. If files were asked for, or the exit code says
/// something, the loss of the reader is an error, because the command has not done all of its work.
#[test]
fn a_reader_that_goes_away_is_no_error_of_a_command_that_only_prints() {
    let folder = folder();
    let input = many(folder.path());
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let label = |more: &[&str]| {
        let mut command = program();
        command.args(["positions", &input, "--nodes", "1", "--hash", "1", "-q"]);
        unread(command.args(more))
    };
    assert_eq!(label(&[]), (Some(0), String::new()));
    let games = write(folder.path(), "in.pgn", GAMES.repeat(40).as_bytes());
    for words in [
        &["games", &games, "--nodes", "50", "--quiet", "--csv", "-"][..],
        // Ends because nobody reads its lines.
        &["position", "startpos", "--depth", "200"],
        &["position", "startpos", "--nodes", "50", "--json"],
        &["--help"],
        &["games", "--help"],
        &["--version"],
    ] {
        let (code, errors) = unread(program().args(words));
        assert_eq!(code, Some(0), "{words:?}: {errors}");
        assert!(!errors.contains("pipe"), "{words:?}: {errors}");
    }
    // A journal is an output too: the next run goes on from what is in it.
    let journal = at("run.journal");
    for words in [
        &["games", &games, "--nodes", "50", "--csv", "-"][..],
        &["positions", &input, "--nodes", "1", "--hash", "1"],
    ] {
        let mut command = program();
        let (code, errors) = unread(command.args(words).args(["-q", "--journal", &journal]));
        assert_eq!(code, Some(2), "{words:?}: {errors}");
        assert!(errors.contains("standard output"), "{words:?}: {errors}");
        fs::remove_file(&journal).unwrap();
    }
    fs::remove_file(games).unwrap();
    for more in [
        &["--csv", &at("out.csv"), "--jsonl", "-"][..],
        &["--manifest", &at("out.json")],
    ] {
        let (code, errors) = label(more);
        assert_eq!(code, Some(2), "{more:?}: {errors}");
        assert!(errors.contains("standard output"), "{more:?}: {errors}");
        // Nothing half-written stays.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{more:?}");
    }
    let few = write(
        folder.path(),
        "few.epd",
        b"8/8/8/8/8/5k2/8/6QK b - - bm Ke2;\n",
    );
    let csv = at("few.csv");
    let mut command = program();
    command.args(["positions", &few, "--nodes", "5", "-q", "--csv", &csv]);
    assert!(command.status().unwrap().success());
    let manifest = csv + ".manifest.json";
    for words in [
        &["verify", &manifest][..],
        &["suite", &few, "--nodes", "5", "--at-least", "0"],
    ] {
        let (code, errors) = unread(program().args(words));
        assert_eq!(code, Some(2), "{words:?}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{words:?}: {errors}");
    }
}

/// An output that has a name is wanted as a whole, also if it is a pipe.
#[cfg(unix)]
#[test]
fn a_pipe_whose_reader_goes_away_is_an_error() {
    let folder = folder();
    let input = many(folder.path());
    let pipe = crate::fifo(folder.path(), "pipe");
    for option in ["--jsonl", "--csv"] {
        let mut command = program();
        command.args(["positions", &input, "--nodes", "1", "--hash", "1", "-q"]);
        let child = command
            .arg(option)
            .arg(&pipe)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(File::open(&pipe).unwrap());
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{option}: {errors}");
        assert!(errors.contains("pipe: Broken pipe"), "{option}: {errors}");
    }
}

/// Errors of the command line quote its words, which may be names of files.
#[test]
fn words_of_the_command_line_cannot_control_the_terminal() {
    let name = "x\u{1b}[31m\u{202e}\u{7}";
    for words in [
        &["verify", "a", name][..],
        &["games", "a", "--nodes", name],
        &[name],
        &["positions", name],
        &["games", name],
        &["verify", name],
        &["merge", name, "--from", name],
        &["position", name],
        &["position", "startpos", "--engine", name],
        &["position", "startpos", "--eval", name],
        &["position", "startpos", "--syzygy", name],
    ] {
        let (code, out, errors) = printed(program().args(words));
        assert_eq!(code, Some(2), "{words:?}: {out}{errors}");
        assert!(errors.contains("x?"), "{words:?}: {errors:?}");
        assert!(
            !format!("{out}{errors}").contains(['\u{1b}', '\u{202e}', '\u{7}']),
            "{words:?}: {errors:?}"
        );
    }
}
