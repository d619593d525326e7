//! Runs the program as a user does. The modules hold the tests, and this file holds what the tests share.

#[cfg(unix)]
mod attacks;
mod commands;
mod contents;
mod evaluations;
mod files;
mod journals;
mod labels;
#[cfg(unix)]
mod manifests;
#[cfg(unix)]
mod names;
mod readers;
#[path = "../../../pgn/tests/table/mod.rs"]
mod table;
#[cfg(unix)]
mod told;
#[cfg(unix)]
mod verified;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// Three games and a bad one in between: annotations, a clock, a variation, Chess960, and a mate.
const GAMES: &str = concat!(
    "[Event \"one\"]\n[White \"A <b>\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n",
    "1. f3 { [%clk 0:05:00] } 1... e5 { [%eval 0.9] [%clk 0:04:59] hm } 2. g4 (2. d4 exd4) Qh4# 0-1\n\n",
    "[Event \"bad\"]\n[White \"C\"]\n[Black \"D\"]\n\n1. e4 e5 2. Ke3 *\n\n",
    "[Event \"two\"]\n[White \"E\"]\n[Black \"F\"]\n[Result \"1/2-1/2\"]\n",
    "[FEN \"nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 1\"]\n[SetUp \"1\"]\n[Variant \"fischerandom\"]\n\n",
    "1. d4 d5 2. c3 Nb6 3. e4 -- 4. exd5 Nxd5 1/2-1/2\n\n",
    "[Event \"three\"]\n[White \"G\"]\n[Black \"H\"]\n[Result \"1-0\"]\n\n",
    "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 g6 6. Bc4 Bg7 7. e5 dxe5 8. Bxf7+ Kxf7 ",
    "9. Ne6 Qxd1+ 10. Nxd1 Kxe6 1-0\n"
);

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_skewer-analyse"))
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> String {
    let path = folder.join(name);
    fs::write(&path, bytes).expect("it can be written");
    path.to_str().expect("it is plain").to_owned()
}

/// Makes a named pipe in a folder.
#[cfg(unix)]
fn fifo(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    let made = Command::new("mkfifo").arg(&path).status();
    assert!(made.expect("mkfifo runs").success());
    path
}

/// Runs the program, which must succeed, except that it reports the bad game of [`GAMES`] or a bad line of positions.
fn run(command: &mut Command) -> Output {
    let output = command.output().expect("the program runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    let unread = ["were", "was"]
        .iter()
        .any(|be| errors.contains(&format!("could not be read and {be} left out")));
    let done = output.status.success() || unread && output.status.code() == Some(1);
    assert!(done, "{command:?}: {errors}");
    output
}

const OUTPUTS: [&str; 6] = ["pgn", "jsonl", "csv", "html", "summary", "summary-csv"];

/// The command `games` on `input`, without an output.
fn program_with_limits(input: &str) -> Command {
    let mut command = program();
    command.args(["games", input, "--nodes", "1500", "--hash", "1", "--quiet"]);
    command
}

/// The command `games` on `input`, with every output in `folder`.
fn games(input: &str, folder: &Path, more: &[&str]) -> Command {
    let mut command = program_with_limits(input);
    command.args(more);
    outputs(&mut command, folder);
    command
}

fn outputs(command: &mut Command, folder: &Path) {
    for kind in OUTPUTS {
        command
            .arg(format!("--{kind}"))
            .arg(folder.join(format!("out.{kind}")));
    }
    command.arg("--graphs").arg(folder.join("graphs"));
    command.arg("--html-folder").arg(folder.join("report"));
}

/// The names and contents of all outputs in `folder`.
fn results(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<PathBuf> = OUTPUTS
        .iter()
        .map(|kind| folder.join(format!("out.{kind}")))
        .collect();
    for inner in ["graphs", "report", "report/data"] {
        let mut files: Vec<PathBuf> = fs::read_dir(folder.join(inner))
            .expect("there is a folder")
            .map(|entry| entry.expect("it can be read").path())
            .filter(|path| path.is_file())
            .collect();
        files.sort();
        all.append(&mut files);
    }
    all.iter()
        .map(|path| {
            let name = path
                .file_name()
                .expect("it has a name")
                .to_string_lossy()
                .into_owned();
            (
                name,
                fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())),
            )
        })
        .collect()
}

/// Compares results like `assert_eq!`, but names the file that differs instead of printing it.
fn assert_same(left: &[(String, Vec<u8>)], right: &[(String, Vec<u8>)], what: &str) {
    assert_eq!(left.len(), right.len(), "{what}");
    for ((name, left), (other, right)) in left.iter().zip(right) {
        assert_eq!(name, other, "{what}");
        assert!(left == right, "{what}: {name} is not the same");
    }
}

/// Runs and returns the exit code, the standard output and the standard error output.
fn printed(command: &mut Command) -> (Option<i32>, String, String) {
    let output = command.output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}
