//! Training games: written, resumed, and their mix recorded.

use std::fs;
use std::path::Path;

use skewer_gamedata::{Reader, Tail};

use crate::{refuse, run, text, words};

pub(crate) fn games_of(path: &Path, tail: Tail) -> usize {
    Reader::open(path, tail)
        .unwrap()
        .map(Result::unwrap)
        .count()
}

#[test]
fn an_unusable_network_leaves_no_folder_behind() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("games");
    let error = refuse(&words(
        "datagen --evalfile /no/such/net",
        &["--out", text(&out)],
    ));
    assert!(error.contains("/no/such/net"), "{error}");
    assert!(!out.exists());
}

#[test]
fn training_games_are_written_and_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let play = |games: &'static str| {
        run(&words(
            "datagen --name t --seed 9 --nodes 80 --threads 1",
            &["--out", text(folder.path()), "--games", games],
        ))
    };
    let path = folder.path().join("t-9.vf");
    assert!(play("3").0.contains("t-9.vf: 3 games"));
    assert_eq!(games_of(&path, Tail::Refuse), 3);
    let (out, messages) = play("5");
    assert!(
        out.contains(": 5 games") && messages.contains("resuming after 3 games"),
        "{out}{messages}"
    );
    assert_eq!(games_of(&path, Tail::Refuse), 5);
    // Without the record, the numbers of the games played are unknown.
    fs::remove_file(folder.path().join("t-9.vf.json")).unwrap();
    let error = refuse(&words(
        "datagen --name t --seed 9 --nodes 80 --games 6 --out",
        &[text(folder.path())],
    ));
    assert!(error.contains("no record beside it"), "{error}");
}

#[test]
fn a_mix_of_training_games_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let mix = "datagen --name m --nodes 60 --part 40:90 --part 30:60:chess960 --opening-limit 250 \
               --resign 2:1100 --draw 41:6:8 --games 4 --threads 1 --out";
    run(&words(mix, &[text(folder.path())]));
    let record = fs::read_to_string(folder.path().join("m-1.vf.json")).unwrap();
    for field in [
        "\"opening_limit\": 250",
        "\"win_score\": 1100",
        "\"win_plies\": 4",
        "\"draw_from\": 80",
        "\"percent\": 40",
        "\"hard_nodes\": 180",
        "\"variant\": \"chess960\"",
    ] {
        assert!(record.contains(field), "no {field} in {record}");
    }
    for part in [
        "0:90",
        "101:90",
        "10",
        "10:0",
        "10:90:draughts",
        "10:90:chess960:1",
    ] {
        let error = refuse(&["datagen", "--part", part]);
        assert!(error.contains("PERCENT:NODES"), "{part}: {error}");
    }
    let error = refuse(&["datagen", "--part", "60:90", "--part", "50:90"]);
    assert!(error.contains("110%"), "{error}");
}

/// Values with which games would be no games, or copies of each other.
#[test]
fn senseless_values_are_refused() {
    for (options, reason) in [
        (&["--nodes", "0"][..], "--nodes"),
        (&["--hard-nodes", "0"], "--hard-nodes"),
        (
            &["--nodes", "50", "--hard-nodes", "10"],
            "less than --nodes 50",
        ),
        (&["--random-plies", "0", "0"], "4..=100"),
        (&["--random-plies", "8", "3"], "4..=100"),
        (&["--resign", "0:600"], "at least 1"),
        (&["--resign", "3:0"], "at least 1"),
        (&["--draw", "20:0:8"], "at least one move"),
    ] {
        let error = refuse(&[&["datagen", "--games", "1", "--out", "x"], options].concat());
        assert!(error.contains(reason), "{options:?}: {error}");
    }
}

#[test]
fn training_games_are_not_appended_to_a_file_of_another_kind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("d-1.vf");
    fs::write(&path, "notes").unwrap();
    let line = "datagen --name d --nodes 9 --games 1 --out";
    let error = refuse(&words(line, &[text(folder.path())]));
    assert!(error.contains("has no complete game"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"notes");
}
