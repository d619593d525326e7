//! The command that makes a game file from other game files, and the record of what it did.

mod common;

use std::fs;
use std::path::Path;

use common::{run, text, write_games};
use skewer_gamedata::{Provenance, Run};

/// Writes games of 40 plies, and the record of a run with this seed beside them.
fn write_run(path: &Path, first_moves: &[usize], seed: u64) {
    write_games(path, first_moves, 40);
    let run = Run {
        started: 0,
        program: "test".to_owned(),
        commit: "unknown".to_owned(),
        evaluation: "hand-written".to_owned(),
        soft_nodes: 1,
        hard_nodes: 8,
        random_plies: (8, 9),
        variant: "standard".to_owned(),
        parts: Vec::new(),
        rules: None,
        scores: None,
        name: "test".to_owned(),
        seed,
        first_game: 0,
        games_before: 0,
    };
    let record = Provenance {
        runs: vec![run],
        ..Provenance::default()
    };
    record.store(path).unwrap();
}

#[test]
fn provenance_is_written_beside_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    write_run(&here.join("a.vf"), &[0, 1, 2], 1);
    write_run(&here.join("b.vf"), &[2, 3, 4], 2);
    let joined = run(here, &["dedup", "a.vf", "b.vf", "--output", "c.vf"]);
    assert!(joined.status.success(), "{}", text(&joined.stderr));
    let record = Provenance::load(here.join("c.vf")).unwrap();
    let seeds: Vec<u64> = record.runs.iter().map(|run| run.seed).collect();
    assert_eq!(seeds, [1, 2]);
    let [step] = &record.steps[..] else {
        panic!("{record:?}");
    };
    assert_eq!(step.command, "dedup");
    assert_eq!(step.sources, [Path::new("a.vf"), Path::new("b.vf")]);
}

#[test]
fn a_refused_command_leaves_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    write_run(&here.join("a.vf"), &[0, 1], 1);
    let mut cut = fs::read(here.join("a.vf")).unwrap();
    cut.truncate(cut.len() - 5);
    fs::write(here.join("cut.vf"), cut).unwrap();
    let refused = run(here, &["dedup", "a.vf", "cut.vf", "--output", "c.vf"]);
    assert!(text(&refused.stderr).contains("cut.vf"));
    for left in ["c.vf", "c.vf.json"] {
        assert!(!here.join(left).exists(), "{left}");
    }
}
