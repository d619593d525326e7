//! Engines that misbehave, and engines that change or do not play the variant.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::{refuse, run, text, words};

/// Writes a UCI engine as a shell script, which runs `on_go` to choose a move.
pub(crate) fn engine(folder: &Path, name: &str, on_go: &str) -> String {
    let path = folder.join(name);
    let script = format!(
        "#!/bin/sh\n\
         while read -r line; do\n\
         case \"$line\" in\n\
         uci) echo id name {name}; echo uciok ;;\n\
         isready) echo readyok ;;\n\
         go*) {on_go} ;;\n\
         quit) exit 0 ;;\n\
         esac\n\
         done\n"
    );
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    text(&path).to_owned()
}

/// Plays four games against `engine`; the standard output and standard error.
fn against(engine: &str, more: &[&str]) -> String {
    let line = "match --engine ours,nodes=50 --games 4 --threads 2 --engine";
    let more = [&[engine], more].concat();
    let (out, messages) = run(&words(line, &more));
    format!("{out}{messages}")
}

#[test]
fn engines_that_misbehave_lose_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let illegal = engine(folder.path(), "illegal", "echo bestmove e2e5");
    let said = against(&illegal, &["--nodes", "10"]);
    assert!(said.contains("Games: 4, +4 =0 -0"), "{said}");
    assert!(
        said.contains("illegal: 0 time losses, 4 illegal moves, 0 failures"),
        "{said}"
    );
    assert!(
        said.contains("illegal forfeits: illegal move `e2e5`"),
        "{said}"
    );

    let late = engine(folder.path(), "late", "sleep 0.4; echo bestmove a2a3");
    let said = against(&late, &["--tc", "0.1+0"]);
    assert!(
        said.contains("late: 4 time losses, 0 illegal moves, 0 failures"),
        "{said}"
    );
    assert!(said.contains("out of time by "), "{said}");

    let dying = engine(folder.path(), "dying", "exit 3");
    let said = against(&dying, &["--nodes", "10"]);
    assert!(
        said.contains("dying: 0 time losses, 0 illegal moves, 4 failures"),
        "{said}"
    );
    assert!(said.contains("the engine ended unexpectedly"), "{said}");
}

/// The games that the engine would have played are not counted as lost.
#[test]
fn an_engine_that_cannot_be_started_again_ends_the_match() {
    let folder = tempfile::tempdir().unwrap();
    let gone = engine(folder.path(), "gone", "rm -f \"$0\"; exit 3");
    let line = "match --engine ours,nodes=50 --games 4 --nodes 10 --threads 1 --engine";
    let error = refuse(&words(line, &[&gone]));
    assert!(
        error.contains("the engine gone: could not be started"),
        "{error}"
    );
}

#[test]
fn an_engine_that_floods_its_output_loses_and_uses_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let flood = format!("yes info string {}", "x".repeat(8000));
    // On a busy machine the output may be too slow to count as a flood. Then the engine loses because it
    // does not answer. (A unit test checks from which rate on output is a flood.)
    let either = ["flooded its output", "did not answer `go`"];
    // Writes while the other engine is to move. That must not cost the other engine time.
    let later = format!("echo bestmove a7a6; {flood}");
    let unasked = "while :; do echo bestmove a2a3; done";
    for (name, on_go, reasons) in [
        // A line without an end.
        ("endless", "head -c 1000000000 /dev/zero", &either[..1]),
        ("lines", flood.as_str(), &either[..]),
        ("later", later.as_str(), &either[..]),
        ("unasked", unasked, &["forfeits"][..]),
    ] {
        let path = engine(folder.path(), name, on_go);
        let arguments = words(
            "match --engine ours,depth=4 --random-plies 0 --games 2 --threads 1 --tc 10+0.5",
            &["--engine", &path],
        );
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_skewer-selfplay"))
            .args(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut most_kb = 0;
        while child.try_wait().unwrap().is_none() {
            most_kb = most_kb.max(memory_kb(child.id()));
            thread::sleep(Duration::from_millis(10));
        }
        let output = child.wait_with_output().unwrap();
        let (out, messages) = (output.stdout, output.stderr);
        let text = String::from_utf8_lossy(&[out, messages].concat()).into_owned();
        assert!(output.status.success(), "{text}");
        assert!(text.contains("Games: 2, +2 =0 -0"), "{text}");
        let said = reasons.iter().any(|reason| text.contains(reason));
        assert!(said && text.contains(&format!("{name} forfeits")), "{text}");
        assert!(
            text.contains("ours,depth=4: 0 time losses, 0 illegal moves, 0 failures"),
            "{text}"
        );
        assert!(most_kb > 0 && most_kb < 200_000, "{name}: {most_kb} kB");
    }
}

/// The most memory that a process has had, in kB; 0 if it has ended.
fn memory_kb(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok())
        .unwrap_or(0)
}

#[test]
fn a_match_is_not_resumed_with_another_engine_of_the_same_name() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("m");
    let first = engine(folder.path(), "engine", "echo bestmove e2e5");
    let said = against(&first, &["--nodes", "10", "--out", text(&out)]);
    assert!(said.contains("Games: 4,"), "{said}");

    let arguments = words("match --engine ours,nodes=50", &["--engine", &first]);
    let more = words("--games 8 --nodes 10", &["--out", text(&out)]);
    // Another margin makes another match, as does another program in place of the first.
    let error = refuse(&[&arguments[..], &more, &["--margin", "50"]].concat());
    assert!(error.contains("belongs to another match"), "{error}");
    engine(folder.path(), "engine", "exit 3");
    let error = refuse(&[&arguments[..], &more].concat());
    assert!(error.contains("other builds or networks"), "{error}");
}

#[test]
fn options_that_an_engine_does_not_have_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let plain = engine(folder.path(), "plain", "echo bestmove a2a3");
    let error = refuse(&words(
        "match --engine ours --nodes 9 --engine",
        &[&format!("{plain},option.Hash=16")],
    ));
    assert!(error.contains("it has no option Hash"), "{error}");
}

/// A clock that counts nodes must hold for both engines, so a program without the option `nodestime` is refused.
#[test]
fn a_clock_of_nodes_needs_an_engine_that_has_one() {
    let folder = tempfile::tempdir().unwrap();
    let plain = engine(folder.path(), "plain", "echo bestmove a2a3");
    let line = "match --games 2 --tc 1+0@100 --engine ours --engine";
    let error = refuse(&words(line, &[&plain]));
    assert!(
        error.contains("which a clock that counts nodes needs"),
        "{error}"
    );
}

#[test]
fn openings_of_chess960_need_an_engine_that_knows_it() {
    let folder = tempfile::tempdir().unwrap();
    let plain = engine(folder.path(), "plain", "echo bestmove a2a3");
    let error = refuse(&words(
        "match --engine ours --nodes 9 --variant chess960",
        &["--engine", &plain],
    ));
    assert!(error.contains("does not play Chess960"), "{error}");
}
