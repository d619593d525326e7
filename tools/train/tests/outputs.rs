//! No command overwrites its own data.

mod common;

use std::fs;
use std::path::Path;

use common::{game, run, text};
use skewer_gamedata::{GameResult, write_game};

fn write_games(path: &Path) {
    let mut bytes = Vec::new();
    for first in 0..8 {
        let mut game = game(first, 60);
        game.result = GameResult::WhiteWins;
        write_game(&mut bytes, &game).unwrap();
    }
    fs::write(path, bytes).unwrap();
}

#[cfg(unix)]
#[test]
fn outputs_that_are_inputs_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    write_games(&here.join("d.vf"));
    std::os::unix::fs::symlink("d.vf", here.join("soft.vf")).unwrap();
    fs::hard_link(here.join("d.vf"), here.join("hard.vf")).unwrap();
    fs::write(here.join("n.csv"), "mine").unwrap();
    let before = fs::read(here.join("d.vf")).unwrap();
    let refused: [&[&str]; 6] = [
        &["net", "d.vf", "-o", "d.vf", "--hidden", "32"],
        &["net", "d.vf", "-o", "soft.vf", "--hidden", "32"],
        &["net", "d.vf", "-o", "hard.vf", "--hidden", "32"],
        &["net", "n.csv", "-o", "n", "--hidden", "32"],
        &["tune", "d.vf", "--output", "d.vf"],
        &["tune", "d.vf", "--output", "./soft.vf"],
    ];
    for arguments in refused {
        let output = run(here, arguments);
        let said = text(&output.stderr);
        assert!(!output.status.success(), "{arguments:?}");
        assert!(
            said.contains("choose another output"),
            "{arguments:?}: {said}"
        );
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    assert_eq!(fs::read(here.join("d.vf")).unwrap(), before);
    assert_eq!(fs::read(here.join("n.csv")).unwrap(), b"mine");
    assert_eq!(
        fs::read_dir(here).unwrap().count(),
        4,
        "nothing was written"
    );
}

#[cfg(unix)]
#[test]
fn a_tuning_goes_through_links_and_into_devices() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    write_games(&here.join("d.vf"));
    fs::write(here.join("real.rs"), "old").unwrap();
    std::os::unix::fs::symlink("real.rs", here.join("link.rs")).unwrap();
    for output in ["link.rs", "/dev/null", "/dev/fd/1"] {
        let tuned = run(here, &["tune", "d.vf", "--epochs", "1", "--output", output]);
        assert!(tuned.status.success(), "{}", text(&tuned.stderr));
        if output == "/dev/fd/1" {
            assert!(text(&tuned.stdout).contains("WEIGHTS"));
        }
    }
    assert!(
        fs::symlink_metadata(here.join("link.rs"))
            .unwrap()
            .is_symlink()
    );
    assert!(
        fs::read_to_string(here.join("real.rs"))
            .unwrap()
            .contains("WEIGHTS")
    );
    assert!(!fs::metadata("/dev/null").unwrap().is_file());

    let trained = run(here, &["net", "d.vf", "-o", "/dev/null"]);
    assert!(text(&trained.stderr).contains("is not a regular file"));
    assert!(!Path::new("/dev/null.checkpoint").exists());
}
