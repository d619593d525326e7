//! Hostile engines, files and surroundings.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::engines::engine;
use crate::{refuse, run, text, words};

fn fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// No process that an engine has started outlives the match: neither if the engine quits and leaves a helper, nor if it
/// does not quit, nor if a signal ends the match. These processes hold a FIFO open, and its reader sees the end of it
/// when all of them have ended.
#[test]
fn what_an_engine_started_ends_with_the_match() {
    let folder = tempfile::tempdir().unwrap();
    for (name, signal) in [
        ("leaves", None),
        ("killed", Some("-TERM")),
        ("hung-up", Some("-HUP")),
    ] {
        let held = folder.path().join(format!("{name}.fifo"));
        fifo(&held);
        let answer = if signal.is_some() {
            "sleep 600"
        } else {
            "echo bestmove a1a1"
        };
        let on_go = format!(
            "exec 3>'{}'; (trap '' TERM INT HUP; sleep 600) & {answer}",
            held.display()
        );
        let player = engine(folder.path(), name, &on_go);
        let line = "match --engine ours,nodes=5 --games 2 --threads 1 --nodes 5 --engine";
        let mut child = Command::new(env!("CARGO_BIN_EXE_skewer-selfplay"))
            .args(words(line, &[&player]))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut reader = File::open(&held).unwrap();
        if let Some(signal) = signal {
            let killed = Command::new("kill")
                .args([signal, &child.id().to_string()])
                .status();
            assert!(killed.unwrap().success());
        }
        std::io::copy(&mut reader, &mut std::io::sink()).unwrap();
        // A match that a signal has ended is not complete.
        let code = i32::from(signal.is_some());
        assert_eq!(child.wait().unwrap().code(), Some(code), "{name}");
    }
}

/// The name that an engine gives goes to the terminal in messages and in the result.
#[test]
fn the_name_of_an_engine_cannot_control_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let name = "Evil\\033[31m\\0342\\0200\\0256\\007";
    let path = engine(folder.path(), "evil", "echo bestmove e2e5");
    let script = std::fs::read_to_string(&path).unwrap();
    let script = script.replace(
        "echo id name evil",
        &format!("printf '%b\\n' 'id name {name}'"),
    );
    std::fs::write(&path, script).unwrap();
    let line = "match --engine ours,nodes=5 --games 2 --threads 1 --nodes 5 --engine";
    let (out, messages) = run(&words(line, &[&path]));
    for said in [out, messages] {
        assert!(said.contains("Evil?[31m??"), "{said:?}");
        assert!(!said.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{said:?}");
    }
}

/// An answer with numbers that no search has loses the game, and the reason is named.
#[test]
fn an_impossible_number_loses_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let liar = engine(
        folder.path(),
        "liar",
        "echo info depth 1 score cp nan; echo bestmove a2a3",
    );
    let line = "match --engine ours,nodes=5 --games 2 --threads 1 --nodes 5 --engine";
    let script = std::fs::read_to_string(&liar).unwrap();
    let started = folder.path().join("started");
    let script = script.replace(
        "while read",
        &format!("echo >>'{}'\nwhile read", started.display()),
    );
    std::fs::write(&liar, script).unwrap();
    let (_, messages) = run(&words(line, &[&liar]));
    assert!(
        messages.contains("wrote `cp nan`, which is no possible number"),
        "{messages}"
    );
    // Once for its name, once to play, and anew for the second game, because its state is unknown after the fault.
    let starts = std::fs::read_to_string(&started).unwrap();
    assert_eq!(starts.lines().count(), 3);
}

/// The score of a move is the score of the best line.
#[test]
fn the_score_of_another_line_is_not_taken() {
    let folder = tempfile::tempdir().unwrap();
    let said = "info depth 9 multipv 1 score cp 11; echo info depth 9 multipv 2 score cp -777";
    let player = engine(
        folder.path(),
        "lines",
        &format!("echo {said}; echo bestmove e2e4"),
    );
    let out = folder.path().join("m");
    let line = "match --engine ours,nodes=5 --games 2 --threads 1 --nodes 5 --random-plies 0 --out";
    run(&words(line, &[text(&out), "--engine", &player]));
    let games = std::fs::read_to_string(out.with_extension("pgn")).unwrap();
    assert!(games.contains("[%eval 0.11,9]"), "{games}");
    assert!(!games.contains("7.77"), "{games}");
}

/// If such an opening were accepted, a game of no moves would be counted.
#[test]
fn openings_without_a_legal_move_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.epd");
    std::fs::write(&book, "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1\n").unwrap();
    let line = "match --engine ours --engine ours --nodes 5 --games 2 --openings";
    let error = refuse(&words(line, &[text(&book)]));
    assert!(error.contains("has no legal moves"), "{error}");
}

#[test]
fn openings_and_journals_without_an_end_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (pipe, endless) = (
        folder.path().join("pipe.epd"),
        folder.path().join("endless.epd"),
    );
    fifo(&pipe);
    let zeros = folder.path().join("zeros.epd");
    File::create(&zeros).unwrap().set_len(40 << 20).unwrap();
    std::fs::write(&endless, vec![b'8'; 40 << 20]).unwrap();
    let line = "match --engine ours --engine ours --nodes 5 --games 2";
    for (path, reason) in [
        (pipe.as_path(), "not a regular file"),
        (Path::new("/dev/zero"), "not a regular file"),
        (zeros.as_path(), "is a binary file"),
        (endless.as_path(), "is longer than"),
    ] {
        let error = refuse(&words(line, &["--openings", text(path)]));
        assert!(error.contains(reason), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    let out = folder.path().join("match");
    fifo(&folder.path().join("match.journal"));
    let error = refuse(&words(line, &["--out", text(&out)]));
    assert!(error.contains("not a regular file"), "{error}");
}

/// Opening a pipe waits for a program at its other end.
#[test]
fn files_of_a_run_that_are_pipes_are_refused() {
    for name in ["m.journal", "m.pgn", "m.json"] {
        let folder = tempfile::tempdir().unwrap();
        fifo(&folder.path().join(name));
        let out = folder.path().join("m");
        let line = "match --engine ours --engine ours --nodes 5 --games 2 --threads 1";
        let error = refuse(&words(line, &["--out", text(&out)]));
        assert!(error.contains("not a regular file"), "{name}: {error}");
    }
    for name in ["d-1.vf", "d-1.vf.json"] {
        let folder = tempfile::tempdir().unwrap();
        fifo(&folder.path().join(name));
        let line = "datagen --name d --games 1 --nodes 5 --threads 1 --out";
        let error = refuse(&words(line, &[text(folder.path())]));
        assert!(error.contains("not a regular file"), "{name}: {error}");
    }
}

/// The names of files go to the terminal in messages and in results, and the words of the command line in errors.
#[test]
fn names_of_files_cannot_control_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let name = "x\u{1b}[31m\u{202e}\u{7}";
    let out = folder.path().join(name);
    let line = "datagen --games 1 --nodes 5 --threads 1 --out";
    let (said, messages) = run(&words(line, &[text(&out)]));
    assert!(said.contains("x?[31m??"), "{said:?}");
    let again = run(&words(line, &[text(&out)]));
    let mut all = vec![said, messages, again.0, again.1];
    let two = "match --engine ours --engine ours --nodes 5 --games 2";
    for (line, more) in [
        (two, &["--openings", name][..]),
        (two, &["--tc", name]),
        (two, &["--out", "/dev/null", name]),
        ("match --engine ours --nodes 5 --engine", &[name]),
        ("book --count 1 --out", &[&format!("{name}/{name}")]),
        ("book --count", &[name]),
    ] {
        let error = refuse(&words(line, more));
        assert!(error.contains("x?"), "{more:?}: {error:?}");
        all.push(error);
    }
    for said in all {
        assert!(!said.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{said:?}");
    }
}

/// The name of a file must not add a line of its own to a message.
#[test]
fn an_error_is_one_line_whatever_the_name_of_a_file() {
    let name = "/dev/null/x\nskewer-selfplay: all is well";
    let two = "match --engine ours --engine ours --nodes 5 --games 2";
    for line in [
        &format!("{two} --openings"),
        &format!("{two} --out"),
        "match --engine ours --nodes 5 --games 2 --engine",
        "book --count 1 --out",
    ] {
        let error = refuse(&words(line, &[name]));
        assert_eq!(error.lines().count(), 1, "{line}: {error}");
    }
}

/// The value of --out is the beginning of the names of several files. It cannot be a device, a pipe or an open
/// descriptor, because no file is made beside it.
#[test]
fn names_of_files_do_not_begin_with_a_device() {
    let folder = tempfile::tempdir().unwrap();
    let (pipe, link) = (folder.path().join("pipe"), folder.path().join("link"));
    fifo(&pipe);
    std::os::unix::fs::symlink("/dev/null", &link).unwrap();
    for out in [
        "/dev/null",
        "/dev/stdout",
        "/proc/self/fd/1",
        text(&pipe),
        text(&link),
    ] {
        for line in [
            "match --engine ours --engine ours --nodes 5 --games 2",
            "spsa --nodes 5 --pairs 1",
        ] {
            let error = refuse(&words(line, &["--out", out]));
            assert!(error.contains("it is no regular file"), "{out}: {error}");
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    assert!(!Path::new("/dev/null.journal").exists());
}

#[test]
fn threads_have_a_limit_everywhere() {
    for line in [
        "match --engine ours --engine ours --nodes 5 --threads 100000",
        "datagen --out /no/such/file --threads 100000",
        "book --threads 100000",
        "spsa --threads 100000",
        "match --engine ours --engine ours --nodes 5 --threads 0",
    ] {
        let error = refuse(&words(line, &[]));
        assert!(
            error.contains("give a number from 1 to 1024"),
            "{line}: {error}"
        );
    }
}

/// Files are made in the folder that is given, and not under a name that leads elsewhere or is a standard stream.
#[test]
fn names_of_files_do_not_lead_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    std::fs::create_dir(&inner).unwrap();
    let datagen = "datagen --games 1 --nodes 5 --threads 1 --out";
    for name in ["../x", "/dev/null", "a/b", "/"] {
        let error = refuse(&words(datagen, &[text(&inner), "--name", name]));
        assert!(error.contains("without a folder"), "{name}: {error}");
    }
    let two = "match --engine ours --engine ours --nodes 5 --games 2 --out";
    for line in [datagen, two] {
        let error = refuse(&words(line, &["-"]));
        assert!(error.contains("a standard stream"), "{line}: {error}");
    }
    let found = |path: &Path| std::fs::read_dir(path).unwrap().count();
    assert_eq!((found(folder.path()), found(&inner)), (1, 0));
}

/// `book` refuses a range of scores that is empty, before it searches a hundred thousand openings in vain.
#[test]
fn a_book_without_possible_scores_is_refused() {
    let error = refuse(&words("book --count 1 --beyond 91 --within 90", &[]));
    assert!(error.contains("no score is both"), "{error}");
    let error = refuse(&words("book --count 1 --beyond 4294967295", &[]));
    assert!(error.contains("no score is both"), "{error}");
}

#[test]
fn a_standard_output_that_loses_results_is_an_error() {
    let program = env!("CARGO_BIN_EXE_skewer-selfplay");
    let folder = tempfile::tempdir().unwrap();
    let datagen = format!(
        "datagen --games 1 --nodes 5 --out {}",
        folder.path().display()
    );
    for line in [
        "match --engine ours --engine ours --nodes 5 --games 2",
        "book --count 1",
        &datagen,
    ] {
        for (out, reason) in [
            (">&-", "it is closed"),
            ("1</dev/null", "it is open for reading alone"),
            (">/dev/full", "No space left"),
        ] {
            let script = format!("exec {program} {line} {out}");
            let done = Command::new("sh").args(["-c", &script]).output().unwrap();
            let error = String::from_utf8_lossy(&done.stderr);
            let is_named = error.contains("standard output") && error.contains(reason);
            assert!(!done.status.success() && is_named, "{line} {out}: {error}");
        }
    }
    for line in ["--help", "match --help", "spsa --list"] {
        let script = format!("exec {program} {line} >/dev/full");
        let done = Command::new("sh").args(["-c", &script]).output().unwrap();
        let error = String::from_utf8_lossy(&done.stderr);
        assert!(
            !done.status.success() && error.lines().count() == 1 && error.contains("No space left"),
            "{line}: {error}"
        );
    }
}

/// A variable of a script that is not set becomes an empty word, which must not mean a default.
#[test]
fn empty_words_and_values_are_refused() {
    let two = "match --engine ours --engine ours --nodes 5 --games 2";
    for (line, empty) in [
        (two, &["--out", ""][..]),
        (two, &["--out="]),
        (two, &["--openings", ""]),
        (two, &["--tc", ""]),
        (two, &[""]),
        ("datagen --games 1 --out x --name", &[""]),
        ("book --count 1 --out", &[""]),
        ("", &[""]),
        (
            "match --engine ours --nodes 5 --games 2 --engine",
            &["ours,eval="],
        ),
        (
            "match --engine ours --nodes 5 --games 2 --engine",
            &["ours,name="],
        ),
        (
            "match --engine ours --nodes 5 --games 2 --engine",
            &["x,dir="],
        ),
    ] {
        let error = refuse(&words(line, empty));
        let named = error.contains("is empty") || error.contains("has no value");
        assert!(
            named && error.lines().count() == 1,
            "{line} {empty:?}: {error}"
        );
    }
}

#[test]
fn a_book_does_not_replace_its_network() {
    let folder = tempfile::tempdir().unwrap();
    let network = folder.path().join("n.nnue");
    let evaluation = skewer_eval::Evaluation::default();
    let built_in = evaluation.network().expect("a network is built in");
    std::fs::write(&network, built_in.to_bytes()).unwrap();
    let name = text(&network);
    let line = "book --count 1 --nodes 5 --eval";
    let error = refuse(&words(line, &[name, "--out", name]));
    assert!(error.contains("n.nnue is both input and --out"), "{error}");
    assert_eq!(std::fs::read(&network).unwrap(), built_in.to_bytes());
}

/// `book` only opens its network, so that the name of the file may have any bytes. The record of training games has the
/// name of the network as text, so `datagen` refuses a name that is not UTF-8 before a game is played.
#[test]
fn networks_of_any_name_are_opened_or_named() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let folder = tempfile::tempdir().unwrap();
    let network = folder.path().join(OsStr::from_bytes(b"\xff.nnue"));
    let evaluation = skewer_eval::Evaluation::default();
    let built_in = evaluation.network().expect("a network is built in");
    std::fs::write(&network, built_in.to_bytes()).unwrap();
    let run = |line: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_skewer-selfplay"));
        command.current_dir(folder.path()).args(line.split(' '));
        command.arg("--eval").arg(&network).output().unwrap()
    };
    let book = run("book --count 1 --nodes 5");
    assert!(
        book.status.success() && book.stdout.ends_with(b"\n"),
        "{book:?}"
    );
    let games = run("datagen --games 1 --nodes 5 --out games");
    let error = String::from_utf8_lossy(&games.stderr);
    let reason = "xFF.nnue\" is not UTF-8, and must be text";
    assert!(!games.status.success() && error.contains(reason), "{error}");
    assert!(!folder.path().join("games").exists());
}
