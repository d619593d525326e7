//! Signals, kills, full disks, and files that are damaged or not to be replaced.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use skewer_gamedata::Tail;

use crate::engines::engine;
use crate::training_games::games_of;
use crate::{refuse, run, text, words};

fn start(arguments: &[&str]) -> Child {
    std::process::Command::new(env!("CARGO_BIN_EXE_skewer-selfplay"))
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Waits until the file has that many bytes.
fn wait_for(path: &PathBuf, bytes: u64) {
    let begun = Instant::now();
    while fs::metadata(path).map_or(0, |file| file.len()) < bytes {
        assert!(
            begun.elapsed() < Duration::from_mins(1),
            "nothing was written"
        );
        thread::sleep(Duration::from_millis(20));
    }
}

fn signal(child: &Child, name: &str) {
    let status = std::process::Command::new("kill")
        .args([name, &child.id().to_string()])
        .status()
        .unwrap();
    assert!(status.success());
}

#[test]
fn data_generation_ends_on_sigterm_and_resumes_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t-9.vf");
    let arguments = words(
        "datagen --name t --seed 9 --nodes 40 --threads 2",
        &["--out", text(folder.path())],
    );
    let terminated = start(&arguments);
    wait_for(&path, 1000);
    signal(&terminated, "-TERM");
    let output = terminated.wait_with_output().unwrap();
    assert!(output.status.success());
    let games = games_of(&path, Tail::Refuse);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains(&format!(": {games} games")), "{said}");

    let before = fs::metadata(&path).unwrap().len();
    let mut killed = start(&arguments);
    wait_for(&path, before + 1000);
    signal(&killed, "-KILL");
    killed.wait().unwrap();
    // At most the last game is incomplete, and resuming removes it.
    assert!(games_of(&path, Tail::AcceptTorn) > games);
    let more = games_of(&path, Tail::AcceptTorn) + 2;
    let mut last = arguments.clone();
    let count = more.to_string();
    last.extend(["--games", &count]);
    run(&last);
    assert!(games_of(&path, Tail::Refuse) >= more);
}

/// A signal is the usual end of `datagen` without --games and --positions. With one of them, a run that a signal ends
/// before the number is reached fails.
#[test]
fn data_generation_that_is_stopped_early_fails_and_keeps_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t-9.vf");
    for wanted in ["--games", "--positions"] {
        let arguments = words(
            "datagen --name t --seed 9 --nodes 40 --threads 1",
            &["--out", text(folder.path()), wanted, "1000000"],
        );
        let before = fs::metadata(&path).map_or(0, |file| file.len());
        let stopped = start(&arguments);
        wait_for(&path, before + 500);
        signal(&stopped, "-INT");
        let output = stopped.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{wanted}");
        let games = games_of(&path, Tail::Refuse);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.contains(&format!(": {games} games")), "{said}");
    }
}

/// Ends the process that ends the engines of a program that was killed.
fn end_watchdog(program: u32) {
    let arguments = ["-KILL", "-f", "skewer-watchdog", "-P", &program.to_string()];
    let ended = std::process::Command::new("pkill").args(arguments).status();
    assert!(ended.unwrap().success());
}

/// After the first signal, our own engine may finish the move that it is thinking about. The second signal does not
/// wait for this move. When the program has ended, none of its engines goes on running.
#[test]
fn a_second_signal_ends_a_match_and_its_engines_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let held = folder.path().join("held");
    let made = std::process::Command::new("mkfifo").arg(&held).status();
    assert!(made.unwrap().success());
    let player = engine(folder.path(), "holds", "went=1; echo bestmove e2e4");
    // After its answer the engine holds the pipe open, and so does what it starts.
    let hold = format!(
        "echo readyok; [ -z $went ] || {{ exec 3>'{}'; (trap '' TERM INT; sleep 600) & }}",
        text(&held)
    );
    let script = fs::read_to_string(&player).unwrap();
    fs::write(&player, script.replace("echo readyok", &hold)).unwrap();
    let first = format!("{player},nodes=5");
    let line = "match --games 2 --threads 1 --random-plies 0 --engine";
    let mut child = start(&words(line, &[&first, "--engine", "ours,movetime=300"]));
    let mut reader = fs::File::open(&held).unwrap();
    // The other engine begins to think, for five minutes.
    thread::sleep(Duration::from_secs(2));
    // The program ends its engines itself, also if nothing watches it.
    end_watchdog(child.id());
    let begun = Instant::now();
    signal(&child, "-INT");
    thread::sleep(Duration::from_millis(300));
    signal(&child, "-INT");
    std::io::copy(&mut reader, &mut std::io::sink()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(begun.elapsed() < Duration::from_mins(2));
}

/// A game whose engine was thinking when the match was stopped has no result, so that its pair is not counted.
#[test]
fn a_game_that_a_signal_stops_is_not_lost() {
    let folder = tempfile::tempdir().unwrap();
    let begun = folder.path().join("begun");
    let first = folder.path().join("first");
    let thinks = format!(
        "if [ -e '{0}' ]; then touch '{1}'; sleep 600; else touch '{0}'; echo bestmove e2e5; fi",
        text(&first),
        text(&begun)
    );
    let player = engine(folder.path(), "thinks", &thinks);
    let line = "match --games 2 --threads 1 --nodes 5 --random-plies 0 --engine ours --engine";
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_skewer-selfplay"))
        .args(words(line, &[&player]))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !begun.exists() {
        assert!(child.try_wait().unwrap().is_none());
        thread::sleep(Duration::from_millis(20));
    }
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("Games: 0, +0 =0 -0"), "{said}");
}

/// A reader that goes away is no error of a command that prints.
#[test]
fn openings_that_nobody_reads_any_more_are_no_error() {
    let mut child = start(&words("book --count 3", &[]));
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_killed_match_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("m");
    let fresh = words(
        "match --engine ours --engine ours,without=killers --nodes 400 --games 24 --threads 2",
        &[],
    );
    let arguments = [&fresh[..], &["--out", text(&out)]].concat();
    let mut killed = start(&arguments);
    wait_for(&out.with_extension("pgn"), 2000);
    signal(&killed, "-KILL");
    killed.wait().unwrap();
    let (resumed, messages) = run(&arguments);
    assert!(messages.contains("resuming after"), "{messages}");
    // At fixed nodes a match without interruption has the same result.
    assert_eq!(resumed, run(&fresh).0);
}

/// The limit of one block (512 or 1,024 bytes) is below what a match writes.
#[test]
fn a_file_size_limit_is_an_error_like_a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("m");
    let command = format!(
        "ulimit -f 1; exec {} match --engine ours --engine ours --nodes 50 --games 20 --out {}",
        env!("CARGO_BIN_EXE_skewer-selfplay"),
        text(&out)
    );
    let output = std::process::Command::new("sh")
        .args(["-c", &command])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("File too large"), "{said}");
    assert_eq!(said.matches("File too large").count(), 1, "{said}");
}

#[test]
fn a_match_does_not_overwrite_its_openings_or_the_games_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let openings = folder.path().join("m.pgn");
    let games = "1. e4 e5 2. Nf3 *\n\n1. d4 *\n";
    fs::write(&openings, games).unwrap();
    let out = folder.path().join("m");
    let arguments = words(
        "match --engine ours --engine ours --nodes 9 --games 2",
        &["--out", text(&out)],
    );
    let both = [&arguments[..], &["--openings", text(&openings)]].concat();
    let error = refuse(&both);
    assert!(error.contains("is both input and --out output"), "{error}");
    let error = refuse(&arguments);
    assert!(error.contains("choose another --out"), "{error}");
    assert_eq!(fs::read_to_string(&openings).unwrap(), games);
}

#[test]
fn a_changed_result_in_a_journal_is_detected() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("m");
    let arguments = words(
        "match --engine ours --engine ours --nodes 40 --games 4",
        &["--out", text(&out)],
    );
    let first = run(&arguments).0;
    let journal = out.with_extension("journal");
    let good = fs::read_to_string(&journal).unwrap();
    let at = good.rfind("\"half_points\":").unwrap() + "\"half_points\":".len();
    let mut bad = good.clone().into_bytes();
    bad[at] ^= 1;
    fs::write(&journal, bad).unwrap();
    let error = refuse(&arguments);
    assert!(
        error.contains("line 3 is damaged: its checksum does not match"),
        "{error}"
    );
    assert_eq!(error.lines().count(), 1, "{error}");
    // A journal without checksums, as older versions wrote it.
    let old: Vec<String> = good
        .lines()
        .map(|line| format!("{{{}", line.split_once("\",").unwrap().1))
        .collect();
    fs::write(&journal, old.join("\n") + "\n").unwrap();
    assert_eq!(run(&arguments).0, first);
}

#[test]
fn a_match_does_not_overwrite_an_engine_a_network_or_a_file_of_another_kind() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| text(&folder.path().join(name)).to_owned();
    let refused = |name: &str, contents: &[u8], more: &[&str], words: &str| {
        fs::write(at(name), contents).unwrap();
        let out = at("m");
        let plain = ["match", "--engine", "ours", "--nodes", "9", "--out", &out];
        let error = refuse(&[&plain[..], &["--games", "2"], more].concat());
        assert!(error.contains(words), "{more:?}: {error}");
        assert_eq!(fs::read(at(name)).unwrap(), contents, "{more:?}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{more:?}");
        fs::remove_file(at(name)).unwrap();
    };
    let both = "is both input and --out output";
    let ours = ["--engine", "ours"];
    let nets = Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../crates/eval/nets"
    ));
    let name = fs::read_to_string(nets.join("default")).unwrap();
    let network = fs::read(nets.join(name.trim())).unwrap();
    for key in ["eval", "evalfile"] {
        let with_network = format!("ours,{key}={}", at("m.json"));
        refused("m.json", &network, &["--engine", &with_network], both);
    }
    let engine = engine(folder.path(), "m.json", "echo bestmove a2a3");
    let script = fs::read(&engine).unwrap();
    refused("m.json", &script, &["--engine", &engine], both);
    let openings = at("m.journal");
    let games = [&ours[..], &["--openings", &openings]].concat();
    refused("m.journal", b"1. e4 *", &games, "is both input and journal");
    refused(
        "m.journal",
        b"notes",
        &ours,
        "is not a file of this program",
    );
    refused("m.json", b"notes", &ours, "choose another --out");
    refused("m.pgn", b"notes", &ours, "choose another --out");
}
