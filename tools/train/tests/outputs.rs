//! No command overwrites its own data.

mod common;

use std::fs;
use std::path::Path;

use common::{game, run, text, write_games};

#[cfg(unix)]
#[test]
fn outputs_that_are_inputs_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    write_games(&here.join("d.vf"), &[0, 1, 2, 3, 4, 5, 6, 7], 60);
    std::os::unix::fs::symlink("d.vf", here.join("soft.vf")).unwrap();
    fs::hard_link(here.join("d.vf"), here.join("hard.vf")).unwrap();
    fs::write(here.join("n.csv"), "mine").unwrap();
    let before = fs::read(here.join("d.vf")).unwrap();
    for name in ["c.checkpoint", "v.svg"] {
        fs::copy(here.join("d.vf"), here.join(name)).unwrap();
    }
    let refused: [&[&str]; 11] = [
        &["net", "c.checkpoint", "-o", "c", "--hidden", "32"],
        &["net", "v.svg", "-o", "v", "--hidden", "32"],
        &["net", "d.vf", "-o", "c", "--warm-start", "c.checkpoint"],
        &["stats", "d.vf", "--picture", "d.vf"],
        &["stats", "d.vf", "--picture", "soft.vf"],
        &["net", "d.vf", "-o", "d.vf", "--hidden", "32"],
        &["net", "d.vf", "-o", "soft.vf", "--hidden", "32"],
        &["net", "d.vf", "-o", "hard.vf", "--hidden", "32"],
        &["net", "n.csv", "-o", "n", "--hidden", "32"],
        &["tune", "d.vf", "--output", "d.vf"],
        &["tune", "d.vf", "--output", "./soft.vf"],
    ];
    for arguments in refused {
        let output = run(here, arguments);
        let messages = text(&output.stderr);
        assert!(!output.status.success(), "{arguments:?}");
        assert!(
            messages.contains("choose another output"),
            "{arguments:?}: {messages}"
        );
        assert_eq!(messages.lines().count(), 1, "{messages}");
    }
    assert_eq!(fs::read(here.join("d.vf")).unwrap(), before);
    assert_eq!(fs::read(here.join("n.csv")).unwrap(), b"mine");
    for name in ["c.checkpoint", "v.svg"] {
        assert_eq!(fs::read(here.join(name)).unwrap(), before, "{name}");
    }
    assert_eq!(
        fs::read_dir(here).unwrap().count(),
        6,
        "nothing was written"
    );
}

#[cfg(unix)]
#[test]
fn weights_are_written_through_links_and_to_devices() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    write_games(&here.join("d.vf"), &[0, 1, 2, 3, 4, 5, 6, 7], 60);
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

/// The input files do not exist either. A command that read them first would report them and not the output.
#[test]
fn outputs_in_missing_folders_are_refused_before_files_are_read() {
    let folder = tempfile::tempdir().unwrap();
    for line in [
        "tune none.vf --output no/w",
        "net none.vf --output no/w",
        "shuffle none.vf --output no/w",
        "stats none.vf --picture no/w",
    ] {
        let output = run(folder.path(), &line.split(' ').collect::<Vec<_>>());
        let messages = text(&output.stderr);
        assert!(messages.contains("no/w"), "{line}: {messages}");
        assert!(!messages.contains("none.vf"), "{line}: {messages}");
    }
}

#[test]
fn closed_pipes_do_not_end_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    write_games(&here.join("d.vf"), &[0, 1, 2, 3, 4, 5, 6, 7], 60);
    for line in [
        "net d.vf --output n --hidden 32 --buckets 1 --epochs 1",
        "scale d.vf",
        "stats d.vf --picture s",
        "tune d.vf --output t --epochs 1",
        "shuffle d.vf --output b",
        "dedup d.vf --output g",
    ] {
        let before = fs::read(here.join("n")).ok();
        let (reader, closed) = std::io::pipe().unwrap();
        drop(reader);
        let status = std::process::Command::new(env!("CARGO_BIN_EXE_skewer-train"))
            .current_dir(here)
            .args(line.split(' '))
            .stdout(closed.try_clone().unwrap())
            .stderr(closed)
            .status();
        assert!(status.unwrap().success(), "{line}");
        if let Some(output) = line.split(' ').nth(3) {
            let written = fs::read(here.join(output)).unwrap();
            assert_ne!(Some(written), before, "{line}");
        }
    }
}

/// Files beside an output that the user did not name are not replaced, unless this program wrote them.
#[test]
fn files_beside_an_output_are_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    write_games(&here.join("d.vf"), &[0, 1, 2, 3, 4, 5, 6, 7], 60);
    fs::create_dir(here.join("s.parts")).unwrap();
    for name in ["s.parts/notes.txt", "o.json"] {
        fs::write(here.join(name), "mine").unwrap();
    }
    for arguments in [
        &["shuffle", "d.vf", "--output", "s"][..],
        &["dedup", "d.vf", "--output", "o"],
    ] {
        let output = run(here, arguments);
        assert!(!output.status.success(), "{arguments:?}");
        assert_eq!(text(&output.stderr).lines().count(), 1, "{arguments:?}");
    }
    for name in ["s.parts/notes.txt", "o.json"] {
        assert_eq!(fs::read(here.join(name)).unwrap(), b"mine", "{name}");
    }
    // Parts of an interrupted run are replaced.
    fs::rename(here.join("s.parts/notes.txt"), here.join("s.parts/63")).unwrap();
    let shuffled = run(here, &["shuffle", "d.vf", "--output", "s"]);
    assert!(shuffled.status.success(), "{}", text(&shuffled.stderr));
    assert!(here.join("s").is_file() && !here.join("s.parts").exists());
}

/// If a file has grown since its checksum was recorded, only the part before is checked.
#[test]
fn recorded_checksums_are_compared() {
    use skewer_gamedata::{Filter, Provenance, Writer};

    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let path = here.join("d.vf");
    let (mut writer, _) = Writer::append(&path, &Filter::default()).unwrap();
    writer.write(&game(0, 30)).unwrap();
    writer.write(&game(1, 30)).unwrap();
    let record = Provenance {
        checksums: vec![writer.sync().unwrap()],
        ..Provenance::default()
    };
    record.store(&path).unwrap();
    writer.write(&game(2, 30)).unwrap();
    drop(writer);
    assert!(run(here, &["stats", "d.vf"]).status.success());

    let good = fs::read(&path).unwrap();
    let refused = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let output = run(here, &["stats", "d.vf"]);
        assert!(!output.status.success());
        text(&output.stderr)
    };
    // Change the score of the first move. The file is still valid, but the checksum is not.
    let mut bad = good.clone();
    bad[34] ^= 1;
    let messages = refused(&bad);
    assert!(messages.contains("do not match the checksum"), "{messages}");
    assert!(refused(&good[..good.len() / 3]).contains("d.vf"));
    let messages = refused(b"");
    assert!(messages.contains("d.vf: the file is empty"), "{messages}");
    // One game of three, where the checksum covers two.
    let messages = refused(&good[..good.len() / 3 / 4 * 4]);
    assert!(messages.contains("d.vf"), "{messages}");

    // An incomplete game after the checksum is accepted with --accept-torn.
    fs::write(&path, &good[..good.len() - 10]).unwrap();
    assert!(
        run(here, &["stats", "d.vf", "--accept-torn"])
            .status
            .success()
    );
    let joined = run(
        here,
        &["dedup", "d.vf", "--accept-torn", "--output", "j.vf"],
    );
    assert!(joined.status.success(), "{}", text(&joined.stderr));
    let mut bytes = fs::read(here.join("j.vf")).unwrap();
    bytes[34] ^= 1;
    fs::write(here.join("j.vf"), bytes).unwrap();
    let messages = text(&run(here, &["stats", "j.vf"]).stderr);
    assert!(messages.contains("do not match the checksum"), "{messages}");
}

/// A full disk, a limit on the size of files and a damaged checkpoint are errors of one line, which
/// gives the reason once.
#[cfg(unix)]
#[test]
fn failures_are_reported_once() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let first_moves: Vec<usize> = (0..20).collect();
    write_games(&here.join("d.vf"), &first_moves, 400);
    let once = |arguments: &str, reason: &str| {
        let script = format!(
            "ulimit -f 1; exec {} {arguments}",
            env!("CARGO_BIN_EXE_skewer-train")
        );
        let output = std::process::Command::new("sh")
            .current_dir(here)
            .args(["-c", &script])
            .output()
            .unwrap();
        let messages = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments}: {messages}");
        assert_eq!(
            messages.matches(reason).count(),
            1,
            "{arguments}: {messages}"
        );
        let errors = messages
            .lines()
            .filter(|line| line.starts_with("skewer-train: "));
        assert_eq!(errors.count(), 1, "{arguments}: {messages}");
    };
    let net = "net d.vf -o n --hidden 32 --buckets 1 --epochs 1";
    once("stats d.vf --picture /dev/full", "No space left");
    let standard_output = "standard output: cannot write: No space left";
    once("stats d.vf >/dev/full", standard_output);
    once("scale d.vf >/dev/full", standard_output);
    once("stats d.vf --picture s.svg", "File too large");
    once("dedup d.vf --output o.vf", "File too large");
    once("shuffle d.vf --output s", "File too large");
    once(net, "File too large");
    assert!(!here.join("o.vf").exists() && !here.join("n").exists());
    fs::write(here.join("n.checkpoint"), "damaged").unwrap();
    once(&format!("{net} --resume"), "n.checkpoint");
}
