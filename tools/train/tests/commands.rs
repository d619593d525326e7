//! The commands that read files: their output, and errors that name damaged files.

mod common;

use std::path::Path;

use common::{run, text, write_games};
use skewer_eval::network::Parameters;

/// A folder with three files: `a.vf` has three games and `b.vf` has four, of which one is in both; `c.vf` has all six.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    write_games(&here.join("a.vf"), &[0, 1, 2], 60);
    write_games(&here.join("b.vf"), &[2, 3, 4, 5], 60);
    write_games(&here.join("c.vf"), &[0, 1, 2, 3, 4, 5], 60);
    folder
}

/// Runs a command, which must succeed; its standard output.
fn succeed(here: &Path, line: &str) -> String {
    let done = run(here, &line.split_whitespace().collect::<Vec<_>>());
    assert!(done.status.success(), "{line}: {}", text(&done.stderr));
    text(&done.stdout)
}

/// Runs a command, which must fail; its standard error.
fn refuse(here: &Path, line: &str) -> String {
    let done = run(here, &line.split_whitespace().collect::<Vec<_>>());
    assert!(!done.status.success(), "{line}");
    text(&done.stderr)
}

/// A small training.
const SMALL: &str = "--hidden 32 --buckets 1 --epochs 2";

#[test]
fn games_are_counted_and_drawn() {
    let folder = folder();
    let counted = succeed(folder.path(), "stats a.vf b.vf --picture s.svg");
    assert!(counted.contains("7, 1 of them duplicates"), "{counted}");
    let picture = std::fs::read_to_string(folder.path().join("s.svg")).unwrap();
    for part in ["result", ">White won<", ">7 (100.0%)<"] {
        assert!(picture.contains(part), "{part}");
    }
}

#[test]
fn duplicate_games_are_left_out() {
    let folder = folder();
    let joined = succeed(folder.path(), "dedup a.vf b.vf --output d.vf");
    assert!(joined.contains("7 games read, 6 written"), "{joined}");
    let error = refuse(folder.path(), "dedup a.vf --output d.vf");
    assert!(error.contains("choose another --output"), "{error}");
}

#[test]
fn a_network_is_trained_and_not_overwritten() {
    let folder = folder();
    let here = folder.path();
    let train = format!("net c.vf {SMALL}");
    succeed(here, &train);
    for left in [
        "net.nnue",
        "net.nnue.checkpoint",
        "net.nnue.csv",
        "net.nnue.svg",
    ] {
        assert!(here.join(left).exists(), "{left} is missing");
    }
    Parameters::load(here.join("net.nnue")).unwrap();
    let error = refuse(here, &train);
    assert!(error.contains("--resume"), "{error}");
    succeed(here, &format!("{train} --overwrite"));
    let error = refuse(here, "net c.vf --hidden 33");
    assert!(error.contains("33 neurons"), "{error}");
}

/// A network would be scaled twice if it learnt from scaled scores, and the win model is of the scores of play.
#[test]
fn scores_of_another_scale_are_refused() {
    let folder = folder();
    let here = folder.path();
    succeed(here, &format!("net c.vf {SMALL} --output other.nnue"));
    let record = |scores: &str| {
        let run = format!(
            r#"{{"runs": [{{"started": 0, "program": "test", "commit": "unknown", "evaluation": "hand-written",
            "soft_nodes": 1, "hard_nodes": 2, "random_plies": [8, 9], "variant": "standard", {scores}
            "seed": 1, "first_game": 0, "games_before": 0}}]}}"#
        );
        std::fs::write(here.join("c.vf.json"), run).unwrap();
    };
    let learn = [
        format!("net c.vf {SMALL} --output n.nnue"),
        "shuffle c.vf --output c.blocks".to_owned(),
        "tune c.vf --output w.rs --epochs 1".to_owned(),
    ];
    record(r#""scores": "scaled","#);
    for line in &learn {
        let error = refuse(here, line);
        assert!(
            error.contains("c.vf: its scores are scaled by the material"),
            "{error}"
        );
        assert!(error.contains("--scores unscaled"), "{error}");
    }
    succeed(here, "scale c.vf");
    record(r#""scores": "unscaled","#);
    for line in &learn {
        succeed(here, line);
    }
    let error = refuse(here, "scale c.vf --network other.nnue");
    assert!(error.contains("not scaled by the material"), "{error}");
    assert!(error.contains("--scores scaled"), "{error}");
    // Records of earlier versions do not say, but the search of 0.2.0 scaled its evaluations.
    record("");
    let written = std::fs::read_to_string(here.join("c.vf.json")).unwrap();
    let old = written.replace(
        r#""program": "test""#,
        r#""program": "skewer-selfplay 0.2.0""#,
    );
    assert_ne!(old, written);
    std::fs::write(here.join("c.vf.json"), old).unwrap();
    refuse(here, "tune c.vf --output v.rs --epochs 1");
    std::fs::write(here.join("c.vf.json"), written).unwrap();
    succeed(here, "scale c.vf");
    succeed(here, "tune c.vf --output v.rs --epochs 1");
}

#[test]
fn shuffled_positions_are_trained_on() {
    let folder = folder();
    let here = folder.path();
    let shuffled = succeed(here, "shuffle c.vf --output p.blocks");
    assert!(shuffled.contains("6 games, 0 left out"), "{shuffled}");
    let train = format!("net p.blocks --output s.nnue {SMALL}");
    succeed(here, &train);
    let error = refuse(here, &format!("{train} --overwrite --min-ply 8"));
    assert!(error.contains("shuffled"), "{error}");
}

#[test]
fn the_same_games_in_two_files_are_refused() {
    let folder = folder();
    for command in ["net", "tune"] {
        let line = format!("{command} c.vf a.vf --output twice");
        let error = refuse(folder.path(), &line);
        assert!(error.contains("3 of the same games"), "{error}");
    }
}

#[test]
fn a_damaged_file_is_named() {
    let folder = folder();
    let here = folder.path();
    let mut damaged = std::fs::read(here.join("c.vf")).unwrap();
    damaged.truncate(damaged.len() - 5);
    std::fs::write(here.join("cut.vf"), damaged).unwrap();
    for line in [
        "stats cut.vf",
        "net cut.vf --output never.vf",
        "tune cut.vf",
        "dedup cut.vf --output never.vf",
    ] {
        let error = refuse(here, line);
        assert!(error.contains("cut.vf"), "{line}: {error}");
    }
    assert!(!here.join("never.vf").exists() && !here.join("weights.rs").exists());
}

#[test]
fn weights_are_fitted() {
    let folder = folder();
    succeed(folder.path(), "tune c.vf --epochs 2 --hold-out 0");
    let source = std::fs::read_to_string(folder.path().join("weights.rs")).unwrap();
    assert!(source.contains("pub const WEIGHTS") && source.contains("of 6 games"));
}

/// A variable of a script that is not set becomes an empty word, which must not mean a default.
#[test]
fn empty_words_and_values_are_refused() {
    let folder = folder();
    for words in [
        &["net", "a.vf", "--output", "n.nnue", "--warm-start", ""][..],
        &["net", "a.vf", "--output="],
        &["net", "", "--output", "n.nnue"],
        &["stats", "a.vf", "--picture", ""],
        &[""],
    ] {
        let done = run(folder.path(), words);
        let error = text(&done.stderr);
        let named = error.contains("is empty") || error.contains("has no value");
        assert!(
            !done.status.success() && named && error.lines().count() == 1,
            "{words:?}: {error}"
        );
    }
    assert!(!folder.path().join("n.nnue").exists());
}

/// A FIFO or a device in the place of a file is refused at once, because its reading may never end.
#[cfg(unix)]
#[test]
fn fifos_and_devices_are_refused() {
    let folder = folder();
    let here = folder.path();
    let made = std::process::Command::new("mkfifo")
        .arg(here.join("fifo"))
        .status();
    assert!(made.unwrap().success());
    for (line, reason) in [
        ("lag fifo", "not a regular file"),
        ("lag /dev/zero", "not a regular file"),
        ("scale a.vf --network fifo", "not a regular file"),
        ("scale a.vf --network /dev/zero", "not a regular file"),
        (
            "net a.vf --output n --warm-start fifo",
            "not a regular file",
        ),
        (
            "net a.vf --output n --warm-start /dev/zero",
            "not a regular file",
        ),
        ("net /dev/zero --output n", "neither a file nor a pipe"),
        ("stats /dev/zero", "neither a file nor a pipe"),
        ("stats .", "neither a file nor a pipe"),
        #[cfg(target_os = "linux")]
        ("stats /proc/kmsg", "/proc/kmsg: "),
    ] {
        let error = refuse(here, line);
        assert!(error.contains(reason), "{line}: {error}");
    }
}
