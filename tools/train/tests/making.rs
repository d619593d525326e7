//! Commands that make game files from others: resuming after a kill, and the record of their steps.

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
fn a_killed_rescore_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    write_run(&here.join("a.vf"), &[0, 1, 2], 1);
    write_run(&here.join("b.vf"), &[3, 4], 2);
    let rescore = |more: &[&str]| {
        let command = [
            "rescore", "a.vf", "b.vf", "--output", "c.vf", "--eval", "hce",
        ];
        run(here, &[&command[..], more].concat())
    };
    let whole = rescore(&["--nodes", "60"]);
    assert!(whole.status.success(), "{}", text(&whole.stderr));
    let expected = fs::read(here.join("c.vf")).unwrap();

    // Killed in the middle of the fourth game. One score of the first three is changed, to show that
    // these games are kept and not rescored.
    let record = Provenance::path(here.join("c.vf"));
    fs::remove_file(here.join("c.vf")).unwrap();
    let game_bytes = expected.len() / 5;
    let mut begun = expected[..3 * game_bytes + 50].to_vec();
    let last_score = 3 * game_bytes - 4 - 2;
    begun[last_score] ^= 1;
    fs::write(here.join("c.vf.new"), &begun).unwrap();

    // Another command, or other games, cannot resume it.
    let other = rescore(&["--nodes", "70"]);
    assert!(text(&other.stderr).contains("begun by another command"));
    fs::write(here.join("c.vf.new"), &expected[game_bytes..2 * game_bytes]).unwrap();
    let other = rescore(&["--nodes", "60"]);
    assert!(text(&other.stderr).contains("or of other games"));
    fs::write(here.join("c.vf.new"), &begun).unwrap();

    let resumed = rescore(&["--nodes", "60"]);
    assert!(resumed.status.success(), "{}", text(&resumed.stderr));
    assert!(
        text(&resumed.stderr).contains("resuming after 3 of 5 games"),
        "{}",
        text(&resumed.stderr)
    );
    // It reports the same as the run that was not killed.
    assert_eq!(text(&resumed.stdout), text(&whole.stdout));
    let mut marked = expected.clone();
    marked[last_score] ^= 1;
    assert!(fs::read(here.join("c.vf")).unwrap() == marked);
    assert!(record.exists() && !here.join("c.vf.new").exists());

    // Killed before the first game was complete, and before anything was written.
    for begun in [&expected[..50], &[]] {
        fs::remove_file(here.join("c.vf")).unwrap();
        fs::write(here.join("c.vf.new"), begun).unwrap();
        let again = rescore(&["--nodes", "60"]);
        assert!(again.status.success(), "{}", text(&again.stderr));
        assert!(fs::read(here.join("c.vf")).unwrap() == expected);
    }
}

#[test]
fn provenance_is_written_beside_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    write_run(&here.join("a.vf"), &[0, 1, 2], 1);
    write_run(&here.join("b.vf"), &[2, 3, 4], 2);
    let joined = run(here, &["dedup", "a.vf", "b.vf", "--output", "c.vf"]);
    assert!(joined.status.success(), "{}", text(&joined.stderr));
    let rescored = run(
        here,
        &[
            "rescore", "c.vf", "--nodes", "40", "--eval", "hce", "--output", "d.vf",
        ],
    );
    assert!(rescored.status.success(), "{}", text(&rescored.stderr));
    let record = Provenance::load(here.join("d.vf")).unwrap();
    let seeds: Vec<u64> = record.runs.iter().map(|run| run.seed).collect();
    assert_eq!(seeds, [1, 2]);
    let [first, second] = &record.steps[..] else {
        panic!("{record:?}");
    };
    assert_eq!(first.command, "dedup");
    assert_eq!(first.sources, [Path::new("a.vf"), Path::new("b.vf")]);
    assert_eq!(second.command, "rescore");
    let judge = second.judge.as_ref().unwrap();
    assert_eq!((judge.soft_nodes, judge.hard_nodes), (40, 320));
    assert_eq!(judge.evaluation, "hand-written");
}

#[test]
fn a_refused_command_leaves_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    write_run(&here.join("a.vf"), &[0, 1], 1);
    let mut cut = fs::read(here.join("a.vf")).unwrap();
    cut.truncate(cut.len() - 5);
    fs::write(here.join("cut.vf"), cut).unwrap();
    for command in ["rescore", "dedup"] {
        let refused = run(here, &[command, "a.vf", "cut.vf", "--output", "c.vf"]);
        assert!(text(&refused.stderr).contains("cut.vf"), "{command}");
        for left in ["c.vf", "c.vf.new", "c.vf.json"] {
            assert!(!here.join(left).exists(), "{command} leaves {left}");
        }
    }
}
