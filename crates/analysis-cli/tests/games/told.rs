//! What is sent to an engine, and what follows from what the engine says about itself.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use crate::{folder, printed, program, write};

/// An engine that writes what is sent to it into a file. `options` are the options that it has, `on_go` is its answer.
fn engine(folder: &Path, options: &str, on_go: &str) -> String {
    let path = folder.join("engine");
    let script = format!(
        "#!/bin/sh\nwhile read -r line; do echo \"$line\" >>\"$0.told\"; case $line in\n\
         uci) printf '{options}uciok\\n';;\nisready) echo readyok;;\n\
         go*) {on_go};;\nquit) exit;;\nesac; done\n"
    );
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

const HASH: &str = "option name Hash type spin default 1 min 1 max 99\\n";

const ANSWER: &str = "printf 'info depth 5 score cp 20 nodes 9 pv e2e4\\nbestmove e2e4\\n'";

fn told(engine: &str) -> String {
    fs::read_to_string(format!("{engine}.told")).unwrap()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";

/// Labels the starting position, and returns the exit code, the standard output and the standard error output.
fn label(folder: &Path, engine: &str, more: &[&str]) -> (Option<i32>, String, String) {
    let input = write(folder, "in.epd", START.as_bytes());
    let mut command = program();
    command.args(["positions", &input, "--nodes", "9", "-q", "--threads", "1"]);
    printed(command.args(["--engine", engine]).args(more))
}

/// An option of the user is set once, and to the value of the user.
#[test]
fn options_of_the_user_are_not_overridden() {
    let folder = folder();
    let engine = engine(folder.path(), HASH, ANSWER);
    let named = format!("{engine},option.hash=64");
    let (code, _, errors) = label(folder.path(), &named, &["--hash", "8"]);
    assert_eq!(code, Some(0), "{errors}");
    assert!(!told(&engine).contains("value 8"), "{}", told(&engine));
    fs::remove_file(format!("{engine}.told")).unwrap();
    let (code, _, errors) = label(folder.path(), &engine, &["--hash", "8"]);
    assert_eq!(code, Some(0), "{errors}");
    assert!(told(&engine).contains("setoption name Hash value 8\n"));
}

#[test]
fn several_lines_need_an_engine_that_has_them() {
    let folder = folder();
    let engine = engine(folder.path(), "", ANSWER);
    let (code, out, errors) = label(folder.path(), &engine, &["--multipv", "2"]);
    assert_eq!((code, out.as_str()), (Some(1), ""), "{errors}");
    assert!(errors.contains("it has no option MultiPV"), "{errors}");
}

/// A bound is no score of a line, but better than none: the last one of the best line counts.
#[test]
fn the_bound_of_the_best_line_counts_where_there_is_no_score() {
    let folder = folder();
    let said = "info depth 5 multipv 1 score cp 30 lowerbound pv e2e4\\n\
                info depth 5 multipv 2 score cp -900 upperbound pv a2a3\\nbestmove e2e4\\n";
    let engine = engine(folder.path(), "", &format!("printf '{said}'"));
    let (code, out, errors) = label(folder.path(), &engine, &[]);
    assert_eq!(code, Some(0), "{errors}");
    assert!(out.contains("\"cp\":30,"), "{out}");
}

/// An engine may end in a search whose score is only a bound. The exact score before it counts.
#[test]
fn a_bound_does_not_replace_the_score_of_a_line() {
    let folder = folder();
    let said = "info depth 5 score cp 30 pv e2e4\\n\
                info depth 6 score cp 500 lowerbound pv e2e4\\nbestmove e2e4\\n";
    let engine = engine(folder.path(), "", &format!("printf '{said}'"));
    let (code, out, errors) = label(folder.path(), &engine, &[]);
    assert_eq!(code, Some(0), "{errors}");
    assert!(out.contains("\"cp\":30,"), "{out}");
}

/// What an engine has found in one game does not help it in the next.
#[test]
fn an_engine_is_told_of_every_game() {
    let folder = folder();
    let games = write(folder.path(), "in.pgn", b"1. e4 *\n\n1. d4 *\n\n1. c4 *\n");
    // After a first move it is Black's turn.
    let answer = "if tail -n 2 \"$0.told\" | grep -q ' moves \\| b '; then best=e7e5; else best=e2e4; fi; \
                  printf 'info depth 5 score cp 20 pv %s\\nbestmove %s\\n' $best $best";
    let engine = engine(folder.path(), "", answer);
    let mut command = program();
    command.args([
        "games",
        &games,
        "--nodes",
        "9",
        "--threads",
        "1",
        "--csv",
        "-",
        "--engine",
        &engine,
    ]);
    let (code, _, errors) = printed(&mut command);
    assert_eq!(code, Some(0), "{errors}");
    let count = told(&engine).matches("ucinewgame").count();
    assert!(count >= 3, "{count} for three games: {}", told(&engine));
}

/// An engine is told the variant of each game, and a new process is started where the variant changes, because engines
/// read `UCI_Chess960` at different times.
#[test]
fn an_engine_is_told_the_variant_of_every_game() {
    let folder = folder();
    let chess960 = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
                    [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n*\n\n";
    let standard = "[Event \"standard\"]\n\n*\n\n";
    let games = format!("{standard}{chess960}{standard}");
    let input = write(folder.path(), "in.pgn", games.as_bytes());
    let answer = "if grep position \"$0.told\" | tail -n 1 | grep -q 4k3/8; then best=e1d1; else best=e2e4; fi; \
                  printf 'info depth 5 score cp 20 pv %s\\nbestmove %s\\n' $best $best";
    let option = "option name UCI_Chess960 type check default false\\n";
    let engine = engine(folder.path(), option, answer);
    let mut command = program();
    command.args(["positions", &input, "--nodes", "9", "-q", "--threads", "1"]);
    let (code, out, errors) = printed(command.args(["--engine", &engine]));
    assert_eq!((code, out.lines().count()), (Some(0), 3), "{errors}");
    let told = told(&engine);
    let said = |line: &str| {
        line.strip_prefix("setoption name UCI_Chess960 value ")
            .or(line.starts_with("position fen 4k3").then_some("an ending"))
            .or(line.starts_with("position").then_some("standard"))
            .map(str::to_owned)
    };
    let said: Vec<String> = told.lines().filter_map(said).collect();
    let expected = "false standard true an ending false standard";
    // Before the run the engine is asked for its name.
    assert_eq!(said.join(" "), format!("false {expected}"), "{told}");
}

/// An input that vanishes is noticed while the engine searches, and not only at the end.
#[test]
fn a_vanished_input_ends_a_run_at_once() {
    let folder = folder();
    let engine = engine(folder.path(), "", "rm -f IN; sleep 100");
    let script = fs::read_to_string(&engine).unwrap();
    let input = folder.path().join("in.epd");
    fs::write(&engine, script.replace("IN", input.to_str().unwrap())).unwrap();
    let begun = std::time::Instant::now();
    let (code, _, errors) = label(folder.path(), &engine, &[]);
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("was removed while it was used"), "{errors}");
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
}
