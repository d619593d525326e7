//! Names of files: which are taken, which are refused, and which files of others stay.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::attacks::{POSITIONS, engine};
use crate::{fifo, folder, printed, program, run, write};

/// A name that is not UTF-8 is taken where the program only opens the file. Where results name the file it is refused,
/// and the reason has the name.
#[test]
fn names_that_are_not_text_are_taken_or_named() {
    let folder = folder();
    let name = |bytes: &[u8]| folder.path().join(OsStr::from_bytes(bytes));
    let games = write(folder.path(), "in.pgn", b"1. e4 *\n");
    let limits = ["--nodes", "9", "--quiet"];
    let (table, journal) = (name(b"\xff.csv"), name(b"\xff.journal"));
    let mut command = program();
    command.args(["games", &games]).args(limits);
    command
        .arg("--csv")
        .arg(&table)
        .arg("--journal")
        .arg(&journal);
    let (code, _, errors) = printed(&mut command);
    assert_eq!(code, Some(0), "{errors}");
    assert!(table.is_file() && journal.is_file());
    fs::remove_file(&table).unwrap();

    let refused = |command: &mut Command, named: &str| {
        let (code, _, errors) = printed(command);
        assert_eq!(code, Some(2), "{errors}");
        let reason = format!("{named} is not UTF-8, and must be text");
        assert!(errors.contains(&reason), "{named}: {errors}");
    };
    let mut command = program();
    command.args(["positions", &games]).args(limits);
    refused(command.arg("--csv").arg(&table), "xFF.csv\"");
    assert!(!table.exists());
    fs::create_dir(name(b"games")).unwrap();
    let foreign = name(b"games/\xfe.pgn");
    fs::write(&foreign, "1. e4 *\n").unwrap();
    for input in [&foreign, &name(b"games")] {
        for command in ["games", "merge"] {
            let journal: &[&OsStr] = match command {
                "merge" => &["--from".as_ref(), journal.as_os_str()],
                _ => &[],
            };
            refused(program().arg(command).arg(input).args(journal), "xFE.pgn\"");
        }
    }
    refused(
        program()
            .args(["suite", "--hash"])
            .arg(OsStr::from_bytes(b"\xfd")),
        "xFD\"",
    );
}

/// A network, test suite or engine for pages is only opened, so its name may be any bytes. A journal or a manifest names
/// the network, and is refused before it is begun.
#[test]
fn inputs_that_are_only_opened_have_any_name() {
    let folder = folder();
    let name = |bytes: &[u8]| folder.path().join(OsStr::from_bytes(bytes));
    let (suite, engine) = (name(b"\xff.epd"), name(b"\xff.wasm"));
    fs::write(&suite, "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#;\n").unwrap();
    fs::write(&engine, "\0asm\x01\0\0\0").unwrap();
    let mut command = program();
    command.args(["suite", "--nodes", "500"]).arg(&suite);
    let (code, out, errors) = printed(&mut command);
    assert_eq!(code, Some(0), "{out}{errors}");
    let games = write(folder.path(), "in.pgn", b"1. e4 *\n");
    let mut command = program();
    command.args(["games", &games, "--nodes", "9", "--quiet"]);
    command.arg("--html").arg(name(b"\xff.html"));
    let (code, _, errors) = printed(command.arg("--page-engine").arg(&engine));
    assert_eq!(code, Some(0), "{errors}");

    let network = name(b"\xff.nnue");
    let evaluation = skewer_eval::Evaluation::default();
    let bytes = evaluation
        .network()
        .expect("a network is built in")
        .to_bytes();
    fs::write(&network, bytes).unwrap();
    let evaluated = |words: &[&str], option: &str, output: Option<&Path>| {
        let mut command = program();
        command
            .args(words)
            .args(["--nodes", "9", "--quiet", "--eval"]);
        command.arg(&network);
        if let Some(output) = output {
            command.arg(option).arg(output);
        }
        printed(&mut command)
    };
    let labels = ["positions", games.as_str()];
    for words in [&["position", "startpos"], &labels, &["games", &games]] {
        let (code, _, errors) = evaluated(words, "", None);
        assert_eq!(code, Some(0), "{words:?}: {errors}");
    }
    for (words, option) in [
        (&labels, "--csv"),
        (&labels, "--journal"),
        (&["games", &games], "--journal"),
    ] {
        let output = name(b"out");
        let (code, _, errors) = evaluated(words, option, Some(&output));
        assert_eq!(code, Some(2), "{words:?} {option}: {errors}");
        let reason = "xFF.nnue\" is not UTF-8, and must be text";
        assert!(errors.contains(reason), "{words:?} {option}: {errors}");
        assert!(!output.exists(), "{words:?} {option}");
    }
}

/// A folder cannot be the standard output, and a file cannot have the name of a folder.
#[test]
fn names_of_another_kind_are_refused() {
    let folder = folder();
    let games = write(folder.path(), "in.pgn", b"1. e4 *\n");
    for (command, option, name, reason) in [
        ("games", "--html-folder", "-", "a standard stream"),
        ("games", "--graphs", "-", "a standard stream"),
        ("games", "--journal", "-", "a standard stream"),
        ("games", "--csv", "new/", "this is a folder"),
        ("positions", "--csv", "new/", "this is a folder"),
        ("positions", "--manifest", "new/", "this is a folder"),
    ] {
        let mut line = program();
        line.current_dir(folder.path());
        line.args([command, &games, "--nodes", "9", "--quiet", option, name]);
        let (code, _, errors) = printed(&mut line);
        assert_eq!(code, Some(2), "{option} {name}: {errors}");
        assert!(errors.contains(reason), "{option} {name}: {errors}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// No output of `positions` is an input, a journal or another output, and the manifest is an output.
#[test]
fn labels_and_their_manifest_replace_no_other_file() {
    let folder = folder();
    write(folder.path(), "in.epd", POSITIONS.as_bytes());
    let label = |words: &str| {
        let mut command = program();
        command
            .current_dir(folder.path())
            .args(["positions", "--nodes", "9", "-q"]);
        printed(command.args(words.split(' ')))
    };
    assert_eq!(label("in.epd --csv out.csv --journal journal").0, Some(0));
    for (words, named) in [
        ("in.epd --csv new.csv --manifest in.epd", "in.epd"),
        ("in.epd --csv new.csv --manifest new.csv", "new.csv"),
        (
            "in.epd --csv new.csv --manifest ./journal --journal journal",
            "journal",
        ),
        ("in.epd --csv ./journal --journal journal", "journal"),
        ("in.epd --jsonl journal --journal ./journal", "journal"),
        ("in.epd --csv ./journal --from journal", "journal"),
        ("in.epd --csv in.epd", "in.epd"),
        ("in.epd --jsonl new --csv ./new", "new"),
        // The manifest without a name of its own.
        (
            "out.csv.manifest.json --csv out.csv",
            "out.csv.manifest.json",
        ),
    ] {
        let before = fs::read_dir(folder.path()).unwrap().count();
        let (code, _, errors) = label(words);
        assert_eq!(code, Some(2), "{words}: {errors}");
        assert!(
            errors.contains("choose another") && errors.contains(named),
            "{words}: {errors}"
        );
        assert_eq!(
            fs::read_dir(folder.path()).unwrap().count(),
            before,
            "{words}"
        );
    }
    assert_eq!(
        fs::read_to_string(folder.path().join("in.epd")).unwrap(),
        POSITIONS
    );
}

/// Another picture that has the name of a graph stays, and the run ends before its first search. Of two runs with one
/// folder the second is refused.
#[test]
fn graphs_replace_only_graphs() {
    let folder = folder();
    let games = write(folder.path(), "in.pgn", b"1. e4 *\n\n1. d4 *\n");
    let graphs = folder.path().join("graphs");
    let draw = |more: &[&str]| {
        let mut command = program();
        command
            .args(["games", &games, "--nodes", "9", "--quiet"])
            .args(more);
        command.arg("--graphs").arg(&graphs);
        command
    };
    let picture = graphs.join("game-000002.svg");
    fs::create_dir(&graphs).unwrap();
    fs::write(graphs.join("game-plan.svg"), "<svg/>").unwrap();
    for theirs in ["<svg xmlns=\"http://www.w3.org/2000/svg\"/>", ""] {
        fs::write(&picture, theirs).unwrap();
        let (code, _, errors) = printed(&mut draw(&[]));
        assert_eq!(code, Some(2), "{errors}");
        assert!(errors.contains("is no graph of this program"), "{errors}");
        assert_eq!(fs::read_to_string(&picture).unwrap(), theirs);
        assert!(!graphs.join("game-000001.svg").exists());
    }
    fs::remove_file(&picture).unwrap();
    for _ in 0..2 {
        run(&mut draw(&[]));
    }
    let begun = folder.path().join("begun");
    let engine = engine(
        folder.path(),
        &format!("touch {}; sleep 100", begun.display()),
        "exit",
    );
    let mut first = draw(&["--engine", &engine, "--threads", "1"])
        .spawn()
        .unwrap();
    while !begun.exists() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let (code, _, errors) = printed(&mut draw(&[]));
    Command::new("kill")
        .arg(first.id().to_string())
        .status()
        .unwrap();
    first.wait().unwrap();
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("another program is writing"), "{errors}");
    let mut names: Vec<_> = fs::read_dir(&graphs)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    // A run that a signal ends leaves its unfinished file to the next one.
    names.retain(|name| !name.to_string_lossy().ends_with(".part"));
    assert_eq!(
        names,
        ["game-000001.svg", "game-000002.svg", "game-plan.svg"]
    );
}

/// A pipe among the files of a folder is refused, because opening it could wait for ever. A folder among them is passed over.
#[test]
fn pipes_in_folders_are_refused() {
    let folder = folder();
    write(folder.path(), "a.pgn", b"1. e4 *\n");
    fs::create_dir(folder.path().join("b.pgn")).unwrap();
    let games = || {
        let mut command = program();
        command.arg("games").arg(folder.path());
        printed(command.args(["--nodes", "9", "--quiet", "--csv", "-"]))
    };
    let (code, _, errors) = games();
    assert_eq!(code, Some(0), "{errors}");
    fifo(folder.path(), "c.pgn");
    let (code, out, errors) = games();
    assert_eq!((code, out.as_str()), (Some(2), ""), "{errors}");
    assert!(errors.contains("c.pgn is not a regular file"), "{errors}");
}

/// JSON has escapes in place of the characters that a terminal would obey or not show, and the data stay the same.
#[test]
fn labels_are_json_that_a_terminal_may_get() {
    let folder = folder();
    let name = "x\u{9b}31m\u{202e}\u{e0001}\u{200b}y";
    let line = format!("8/8/8/8/8/5k2/8/6QK b - - id \"{name}\";\n");
    let positions = write(folder.path(), "in.epd", line.as_bytes());
    let game = format!("[White \"{name}\"]\n[Event \"{name}\"]\n\n1. e4 *\n");
    let games = write(folder.path(), "in.pgn", game.as_bytes());
    let limits = ["--nodes", "9", "--quiet"];
    for words in [
        &["positions", &positions][..],
        &["games", &games, "--jsonl", "-"],
        &["games", &games, "--summary", "-"],
    ] {
        let (code, out, errors) = printed(program().args(words).args(limits));
        assert_eq!(code, Some(0), "{words:?}: {errors}");
        let is_seen = |c: char| c == '\n' || skewer_types::is_printable(c);
        assert!(out.chars().all(is_seen), "{words:?}: {out:?}");
        // Pretty JSON has several lines.
        let parsed: Result<Vec<Value>, _> = serde_json::Deserializer::from_str(&out)
            .into_iter()
            .collect();
        let name = format!("{name:?}");
        let has_name = |value: &Value| format!("{value:?}").contains(&name);
        assert!(parsed.unwrap().iter().any(has_name), "{words:?}: {out}");
    }
}
