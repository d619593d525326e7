//! `skewer play`: whole games by pipes, as a person types them.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use crate::harness::Client;

/// The output of a game in which a person typed these lines.
fn typed(arguments: &[&str], lines: &[&str]) -> (String, Output) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_skewer"))
        .arg("play")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // With wrong options the program ends before it reads.
    _ = writeln!(stdin, "{}", lines.join("\n"));
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output)
}

#[test]
fn a_game_is_played_saved_and_continued() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games of mine.pgn");
    let file = file.to_str().unwrap();
    let save = format!("save {file}");
    let first = ["e4", "Ke8", "undo", "d4", "moves", "resign", &save];
    let (text, output) = typed(&["--level", "800", "--plain"], &first);
    assert!(output.status.success(), "{text}");
    assert!(
        text.contains("Ke8: "),
        "a wrong move is named with its reason: {text}"
    );
    assert!(
        text.contains("1. d4 "),
        "the move after `undo` counts: {text}"
    );
    assert!(text.contains("0-1: Skewer wins"), "{text}");
    assert!(text.contains("was added to"), "{text}");
    let pgn = std::fs::read_to_string(file).unwrap();
    assert!(
        pgn.contains("[Black \"Skewer (level 800)\"]") && pgn.contains("1. d4 "),
        "{pgn}"
    );

    let (text, _) = typed(
        &["--load", file, "--ascii", "--plain"],
        &["undo", "moves", "fen"],
    );
    assert!(
        text.contains("no moves yet"),
        "a resigned game can be taken back: {text}"
    );
    assert!(
        text.contains("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        "{text}"
    );
}

#[test]
fn the_player_may_be_black_and_a_mate_ends_the_game() {
    let fen = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
    let (text, _) = typed(
        &[
            "--fen", fen, "--color", "black", "--level", "full", "--plain",
        ],
        &["moves"],
    );
    assert!(text.contains("1. Ra8#"), "the engine begins: {text}");
    assert!(text.contains("1-0: Skewer wins"), "{text}");
    let (text, _) = typed(&["--fen", fen, "--plain"], &["hint", "ra8", "e4"]);
    assert!(text.contains("Ra8#\n"), "{text}");
    assert!(
        text.contains("1-0: you win"),
        "moves are read in lower case too: {text}"
    );
    assert!(text.contains("the game is over"), "{text}");
}

#[test]
fn wrong_options_and_files_are_one_line_and_a_failure() {
    for (arguments, named) in [
        (&["--level", "9"][..], "800 to"),
        (&["--fen", "x"], "--fen: the FEN \"x\" is not a position: "),
        (&["--load", "/no/such/file.pgn"], "/no/such/file.pgn"),
        (&["--wrong"], "--wrong"),
        // The error must not contain characters that a terminal would obey.
        (&["--fen", "x\u{1b}[31m\u{202e}"], "x?[31m?"),
        (&["--load", "x\u{1b}[31m\u{202e}"], "x?[31m?"),
    ] {
        let (text, output) = typed(arguments, &["e4"]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{arguments:?}: {text}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
        assert!(errors.contains(named), "{errors}");
    }
}

/// A person who types a move at the prompt of the protocol has taken the prompt for a game.
#[test]
fn a_move_in_the_place_of_a_command_gets_the_command_that_makes_it() -> Result<(), String> {
    let start = "position startpos";
    let after = "position startpos moves e2e4";
    for (before, typed, remedy) in [
        (start, "e4", "`position startpos moves e2e4`"),
        (start, "Nf3", "`position startpos moves g1f3`"),
        (start, "e2e4", "`position startpos moves e2e4`"),
        (
            after,
            "e5",
            "`position` again, with e7e5 as the last of its moves",
        ),
    ] {
        let mut client = Client::start(&[]);
        client.send(before);
        client.send(typed);
        let output = client.leave()?;
        let said = output.iter().find(|line| line.contains("skewer play"));
        let said = said.ok_or_else(|| format!("{typed}: {output:?}"))?;
        let expected =
            format!("{typed} is a move, not a command: send {remedy}, or run `skewer play`");
        assert!(said.contains(&expected), "{said}");
    }
    // A word that is not a legal move is an unknown command.
    let mut client = Client::start(&[]);
    client.send("e5");
    let output = client.leave()?;
    assert!(
        output.iter().any(|line| line.contains("unknown command")),
        "{output:?}"
    );
    Ok(())
}
