//! What the program makes of hostile engines, files and surroundings.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::manifests::labelled;
use crate::{GAMES, fifo, folder, printed, program, write};

/// A position with White to move, and a position with Black to move.
pub(crate) const POSITIONS: &str = "\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1
";

/// An engine whose answer to `go` is written by `on_go`: `$turn` counts the questions from 1, `$side` is `w` or `b`.
/// `on_quit` follows `quit`.
pub(crate) fn engine(folder: &Path, on_go: &str, on_quit: &str) -> String {
    let script = format!(
        "#!/bin/sh\nturn=0\nwhile read -r line; do case $line in\n\
         uci) printf '%b\\n' 'id name Stub\\033[31m\\0342\\0200\\0256\\n\
         option name MultiPV type spin default 1 min 1 max 9\\nuciok';;\nisready) echo readyok;;\n\
         *' w '*) side=w;;\n*' b '*) side=b;;\n\
         go*) turn=$((turn + 1)); {on_go};;\nquit) {on_quit};;\nesac; done\n"
    );
    let path = folder.join("engine");
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The right answer of either side.
const ANSWER: &str = "if [ $side = w ]; then best=e2e4; else best=e7e5; fi; \
                      printf 'info depth 5 score cp 20 nodes 9 pv %s\\nbestmove %s\\n' $best $best";

fn label(input: &str, engine: &str) -> Command {
    let mut command = program();
    command.args([
        "positions",
        input,
        "--nodes",
        "100",
        "--threads",
        "1",
        "--engine",
        engine,
    ]);
    command
}

fn best_moves(text: &str) -> Vec<Value> {
    let label = |line: &str| serde_json::from_str::<Value>(line).unwrap()["best"].clone();
    text.lines().map(label).collect()
}

/// An answer that cannot be right is named, its position has no label, and the exit code is 1.
#[test]
fn answers_that_cannot_be_right_are_refused_and_named() {
    let folder = folder();
    let input = write(folder.path(), "in.epd", POSITIONS.as_bytes());
    for (answer, named) in [
        (
            "info depth 5 score cp 9 nodes 3 pv e2e5\nbestmove e2e5",
            "`e2e5`, which is not legal",
        ),
        (
            "info depth 5 score cp 9 nodes 3 pv e2e5\nbestmove e2e4",
            "`e2e5`, which is not legal",
        ),
        (
            "info depth 5 score cp 9 nodes 3 pv e2e4\nbestmove e2e5",
            "`e2e5`, which is not legal",
        ),
        (
            "info depth 5 score cp 9 nodes 3 pv <script>\nbestmove e2e4",
            "`<script>`, which is not legal",
        ),
        (
            "info depth 5 score cp 9 nodes 3 pv e2e4\nbestmove 0000",
            "`0000`, which is not legal",
        ),
        (
            "info depth 5 score cp 9 nodes 3 pv e2e4\nbestmove",
            "``, which is not legal",
        ),
        ("bestmove e2e4", "gave no score"),
        (
            "info depth nan score cp nan pv e2e4\nbestmove e2e4",
            "`depth nan`",
        ),
        (
            "info depth 4294967295 score cp 9 pv e2e4\nbestmove e2e4",
            "`depth 4294967295`",
        ),
        (
            "info depth 5 score cp 9 nodes 18446744073709551615 pv e2e4\nbestmove e2e4",
            "`nodes 18446744073709551615`",
        ),
        (
            "info depth 5 score mate 0 pv e2e4\nbestmove e2e4",
            "`mate 0`",
        ),
        (
            "info depth 5 score mate 1 pv e2e4\nbestmove e2e4",
            "`mate 1`",
        ),
        (
            "info depth 5 score mate 101 pv e2e4\nbestmove e2e4",
            "`mate 101`",
        ),
        (
            "info depth 5 score cp 9 time -7 pv e2e4\nbestmove e2e4",
            "`time -7`",
        ),
        (
            "info depth 5 multipv 0 score cp 9 pv e2e4\nbestmove e2e4",
            "`multipv 0`",
        ),
    ] {
        let script = format!("if [ $side = w ]; then echo '{answer}'; else {ANSWER}; fi");
        let engine = engine(folder.path(), &script, "exit");
        let (code, out, errors) = printed(&mut label(&input, &engine));
        assert_eq!(code, Some(1), "{answer}: {out}{errors}");
        assert!(errors.contains(named), "{answer}: {errors}");
        assert_eq!(best_moves(&out), ["e7e5"], "{answer}: {errors}");
        // The name of the engine is foreign text.
        assert!(!errors.contains(['\u{1b}', '\u{202e}']), "{errors:?}");
    }
}

/// The best lines of a position begin with different moves. Lines with other numbers than those asked for are no lines of
/// the answer.
#[test]
fn lines_that_no_answer_has_are_refused_or_left_out() {
    let folder = folder();
    let first = POSITIONS.lines().next().unwrap();
    let input = write(folder.path(), "in.epd", first.as_bytes());
    let line =
        |number, score, mv| format!("info depth 5 multipv {number} score cp {score} pv {mv}\\n");
    for (lines, expected) in [
        (
            [line(1, 30, "e2e4"), line(2, 20, "e2e4"), String::new()],
            None,
        ),
        (
            [
                line(1, 30, "e2e4"),
                line(2, 20, "d2d4"),
                line(3, 10, "c2c4"),
            ],
            Some(2),
        ),
        (
            [
                line(1, 30, "e2e4"),
                line(2, 20, "d2d4"),
                line(256, 900, "a2a3"),
            ],
            Some(2),
        ),
        // An iteration that ends early does not replace a whole one.
        (
            [
                line(1, 30, "e2e4"),
                line(2, 20, "d2d4"),
                line(1, 900, "a2a3"),
            ],
            Some(2),
        ),
        (
            [
                line(2, 20, "d2d4"),
                line(1, 30, "e2e4"),
                line(2, 20, "d2d4"),
            ],
            Some(2),
        ),
    ] {
        let said = lines.concat();
        let script = format!("printf '{said}bestmove e2e4\\n'");
        let engine = engine(folder.path(), &script, "exit");
        let (code, out, errors) = printed(label(&input, &engine).args(["--multipv", "2"]));
        match expected {
            None => {
                assert_eq!((code, out.as_str()), (Some(1), ""), "{said}: {errors}");
                assert!(errors.contains("the move `e2e4` in two lines"), "{errors}");
            }
            Some(count) => {
                assert_eq!(
                    (code, out.lines().count()),
                    (Some(0), count),
                    "{said}: {out}{errors}"
                );
                assert_eq!(best_moves(&out), ["e2e4", "d2d4"], "{said}: {out}");
                assert!(!out.contains("900"), "{said}: {out}");
            }
        }
    }
}

/// The engine answers the first question twice. The second of these answers comes while the second question is searched,
/// and its move is legal there, too.
#[test]
fn a_late_answer_does_not_label_the_next_position() {
    let folder = folder();
    let input = write(folder.path(), "in.epd", POSITIONS.as_bytes());
    let late = "info depth 20 score cp 900 nodes 77 pv d7d5\nbestmove d7d5";
    let script = format!("[ $turn = 2 ] && echo '{late}'; {ANSWER}");
    let engine = engine(folder.path(), &script, "exit");
    let (code, out, errors) = printed(&mut label(&input, &engine));
    assert_eq!(code, Some(0), "{errors}");
    assert_eq!(best_moves(&out), ["e2e4", "e7e5"], "{out}");
    assert!(!out.contains("900"), "{out}");
}

/// The first answer of an engine that answers every question twice at once is the label.
#[test]
fn a_second_answer_at_once_labels_nothing() {
    let folder = folder();
    let input = write(folder.path(), "in.epd", POSITIONS.as_bytes());
    let more = "info depth 20 score cp 900 nodes 77 pv a2a3\nbestmove a2a3\n\
                info depth 20 score cp 900 nodes 77 pv a7a6\nbestmove a7a6";
    let script = format!("{ANSWER}; echo '{more}'");
    let engine = engine(folder.path(), &script, "exit");
    let (code, out, errors) = printed(&mut label(&input, &engine));
    assert_eq!(code, Some(0), "{errors}");
    assert_eq!(best_moves(&out), ["e2e4", "e7e5"], "{out}");
    assert!(!out.contains("900"), "{out}");
    assert!(
        errors.contains("answered one question several times"),
        "{errors}"
    );
}

/// Reading from the FIFO ends when no process holds the FIFO open.
#[test]
fn an_engine_that_does_not_quit_does_not_outlive_the_program() {
    let folder = folder();
    let input = write(folder.path(), "in.epd", POSITIONS.as_bytes());
    let fifo = fifo(folder.path(), "held");
    let held = format!("exec 3>'{}'; (sleep 600 &); {ANSWER}", fifo.display());
    let engine = engine(folder.path(), &held, "while :; do sleep 1; done");
    let mut child = label(&input, &engine)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut reader = File::open(&fifo).unwrap();
    std::io::copy(&mut reader, &mut std::io::sink()).unwrap();
    assert!(child.wait().unwrap().success());
}

/// The engine changes, replaces or removes the file of positions, while the program uses it.
#[test]
fn an_input_that_changes_meanwhile_is_an_error() {
    let folder = folder();
    let path = folder.path().join("in.epd");
    let csv = folder.path().join("out.csv");
    let other = write(folder.path(), "other.epd", POSITIONS.as_bytes());
    for change in [
        "rm -f IN",
        "cp OTHER IN.new; mv IN.new IN",
        "echo >>IN",
        // Other bytes of the same length, and the time put back.
        "cp -p IN IN.old; tr w b <IN.old | dd of=IN conv=notrunc; touch -r IN.old IN",
    ] {
        write(folder.path(), "in.epd", POSITIONS.as_bytes());
        let change = change
            .replace("IN", path.to_str().unwrap())
            .replace("OTHER", &other);
        let engine = engine(folder.path(), &format!("{change}; {ANSWER}"), "exit");
        let mut command = label(path.to_str().unwrap(), &engine);
        let (code, _, errors) = printed(command.arg("--csv").arg(&csv));
        assert_eq!(code, Some(2), "{change}: {errors}");
        assert!(errors.contains("in.epd"), "{errors}");
        assert!(errors.contains("while it was used"), "{change}: {errors}");
        assert!(!csv.exists(), "{change}");
    }
    // Another name and other permissions change no bytes.
    write(folder.path(), "in.epd", POSITIONS.as_bytes());
    let change = "ln -f IN IN.link; chmod a-w IN".replace("IN", path.to_str().unwrap());
    let engine = engine(folder.path(), &format!("{change}; {ANSWER}"), "exit");
    let mut command = label(path.to_str().unwrap(), &engine);
    let (code, _, errors) = printed(command.arg("--csv").arg(&csv));
    assert_eq!(code, Some(0), "{errors}");
}

/// The second run is refused while the first one works, and the first one ends as if it were alone.
#[test]
fn of_two_runs_with_one_output_one_is_refused() {
    let folder = folder();
    let input = write(folder.path(), "in.epd", POSITIONS.as_bytes());
    let csv = folder.path().join("out.csv");
    let fifo = fifo(folder.path(), "go");
    // Answers when somebody writes to the FIFO.
    let wait = format!("read -r _ <'{}'; {ANSWER}", fifo.display());
    let slow = engine(folder.path(), &wait, "exit");
    let mut first = label(&input, &slow);
    let mut first = first
        .arg("--csv")
        .arg(&csv)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    fs::write(&fifo, "\n").unwrap();
    let (code, _, errors) = printed(
        program()
            .args(["positions", &input, "--nodes", "5", "--csv"])
            .arg(&csv),
    );
    assert_eq!(code, Some(2), "{errors}");
    assert!(
        errors.contains("another program is writing this file"),
        "{errors}"
    );
    fs::write(&fifo, "\n").unwrap();
    assert!(first.wait().unwrap().success());
    let manifest = folder.path().join("out.csv.manifest.json");
    let mut verify = program();
    verify
        .arg("verify")
        .arg(&manifest)
        .args(["--engine", &slow]);
    let mut verify = verify.stdout(Stdio::null()).spawn().unwrap();
    fs::write(&fifo, "\n").unwrap();
    assert!(verify.wait().unwrap().success());
}

/// Messages that nobody can read change neither the results nor the exit code.
#[test]
fn a_standard_error_that_cannot_be_written_is_no_error() {
    let folder = folder();
    let input = write(folder.path(), "in.epd", POSITIONS.as_bytes());
    let games = write(folder.path(), "in.pgn", b"1. f3 e5 2. g4 Qh4# 0-1\n");
    let wrong = write(folder.path(), "wrong.pgn", b"1. e4 e5 2. Ke3 *\n");
    let engine = engine(folder.path(), "echo bestmove e2e5", "exit");
    let program = env!("CARGO_BIN_EXE_skewer-analyse");
    for (command, expected) in [
        (format!("games {games} {wrong} --nodes 5 --csv CSV"), 1),
        (
            format!("games {games} --nodes 5 --html CSV --page-engine none"),
            0,
        ),
        (format!("{games} --nodes 5 --csv CSV"), 0),
        (
            format!("games {games} --nodes 5 --journal {input}.journal --csv CSV"),
            0,
        ),
        (
            format!("games {games} --nodes 5 --journal {input}.journal --csv CSV"),
            0,
        ),
        (format!("positions {input} --nodes 5 --csv CSV"), 0),
        (
            format!("positions {input} --nodes 5 --engine {engine} --csv CSV"),
            1,
        ),
        (format!("suite {games} --nodes 5"), 2),
        ("games nowhere --nodes 5".to_owned(), 2),
        ("games --nodes many".to_owned(), 2),
    ] {
        for closed in ["2>/dev/full", "2>&-"] {
            let csv = folder.path().join("out.csv");
            let command = command.replace("CSV", csv.to_str().unwrap());
            let script = format!("exec {program} {command} {closed}");
            let (code, _, _) = printed(Command::new("sh").args(["-c", &script]));
            assert_eq!(code, Some(expected), "{command} {closed}");
        }
    }
}

#[test]
fn a_standard_output_that_loses_results_is_an_error() {
    let folder = folder();
    let input = write(folder.path(), "in.epd", POSITIONS.as_bytes());
    let games = write(folder.path(), "in.pgn", GAMES.as_bytes());
    let manifest = labelled(folder.path());
    let manifest = manifest.to_str().unwrap();
    for command in [
        format!("positions {input} --nodes 5 --quiet"),
        format!("positions {input} --nodes 5 --quiet --csv /dev/stdout"),
        format!("games {games} --nodes 5"),
        format!("verify {manifest}"),
        "position startpos --nodes 5".to_owned(),
        "position startpos --nodes 5 --json".to_owned(),
    ] {
        let program = env!("CARGO_BIN_EXE_skewer-analyse");
        for (out, reason) in [
            (">&-", "it is closed"),
            ("1</dev/null", "it is open for reading alone"),
            (">/dev/full", "No space left"),
        ] {
            let script = format!("exec {program} {command} {out}");
            let (code, _, errors) = printed(Command::new("sh").args(["-c", &script]));
            assert_eq!(code, Some(2), "{command} {out}: {errors}");
            let names = ["standard output", "/dev/stdout"];
            let is_named = names.iter().any(|name| errors.contains(name));
            assert!(
                is_named && errors.contains(reason),
                "{command} {out}: {errors}"
            );
        }
    }
}

/// A variable of a script that is not set becomes an empty word. It means neither a default nor the present folder.
#[test]
fn empty_words_and_values_are_refused() {
    let folder = folder();
    let games = write(folder.path(), "in.pgn", GAMES.as_bytes());
    for line in [
        &["games", &games, "--nodes", "5", "--eval", ""][..],
        &["games", &games, "--nodes", "5", "--eval="],
        &["games", &games, "--nodes", "5", "--syzygy", ""],
        &["games", &games, "--nodes", "5", "--engine", ""],
        &["games", &games, "--nodes", "5", "--html", ""],
        &["games", &games, "--nodes", "5", "--page-engine", ""],
        &["games", "", "--nodes", "5"],
        &["merge", &games, "--from", ""],
        &["positions", &games, "--csv="],
        &["verify", ""],
        &[""],
        &["", &games],
    ] {
        let (code, out, errors) = printed(program().args(line));
        assert_eq!((code, out.as_str()), (Some(2), ""), "{line:?}: {errors}");
        let named = errors.contains("is empty") || errors.contains("has no value");
        assert!(named && errors.lines().count() == 1, "{line:?}: {errors}");
    }
}
