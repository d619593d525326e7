//! Workers, shards, journals and interruptions: the results are the same bytes.

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use crate::{GAMES, assert_same, folder, games, outputs, printed, program, results, run, write};

#[test]
fn any_number_of_workers_gives_the_same_bytes() {
    let input = folder();
    let file = write(input.path(), "in.pgn", GAMES.repeat(3).as_bytes());
    for more in [&[][..], &["--split", "5"]] {
        let (one, many) = (folder(), folder());
        run(games(&file, one.path(), &["--threads", "1"]).args(more));
        run(games(&file, many.path(), &["--threads", "3"]).args(more));
        assert_same(
            &results(one.path()),
            &results(many.path()),
            "1 and 3 workers",
        );
    }
}

#[test]
fn shards_merge_to_the_same_bytes() {
    let whole = folder();
    let file = write(whole.path(), "in.pgn", GAMES.repeat(2).as_bytes());
    run(&mut games(
        &file,
        whole.path(),
        &["--threads", "2", "--split", "6"],
    ));
    let parts = folder();
    let journals: Vec<PathBuf> = (1..=3)
        .map(|part| parts.path().join(format!("{part}.journal")))
        .collect();
    for (part, journal) in (1..).zip(&journals) {
        run(program()
            .args([
                "games", &file, "--nodes", "1500", "--hash", "1", "--quiet", "--split", "6",
            ])
            .args(["--shard", &format!("{part}/3"), "--journal"])
            .arg(journal));
    }
    let mut merge = program();
    merge
        .args(["merge", &file, "--quiet", "--from"])
        .args(&journals);
    outputs(&mut merge, parts.path());
    run(&mut merge);
    assert_same(
        &results(whole.path()),
        &results(parts.path()),
        "merged and whole",
    );

    // A missing shard is an error, and nothing is written.
    let few = folder();
    let mut merge = program();
    merge
        .args(["merge", &file, "--quiet", "--from"])
        .args(&journals[..2]);
    outputs(&mut merge, few.path());
    let output = merge.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("do not have all of game or position")
    );
    assert!(!few.path().join("out.pgn").exists());
}

#[test]
fn journals_of_other_settings_are_not_merged() {
    let folder = folder();
    let file = write(folder.path(), "in.pgn", GAMES.as_bytes());
    let journals = [("1/2", "5"), ("2/2", "6")].map(|(shard, nodes)| {
        let journal = folder.path().join(nodes);
        run(program()
            .args([
                "games",
                &file,
                "--quiet",
                "--nodes",
                nodes,
                "--shard",
                shard,
                "--journal",
            ])
            .arg(&journal));
        journal
    });
    let (code, out, errors) = printed(
        program()
            .args(["merge", &file, "--quiet", "--csv", "-", "--from"])
            .args(&journals),
    );
    assert_eq!((code, out.as_str()), (Some(2), ""), "{errors}");
    assert!(
        errors.contains("nodes=6") && errors.contains("nodes=5"),
        "{errors}"
    );
}

/// A journal of more games than the input has is a journal of another input, for the same run and for `merge`.
#[test]
fn a_journal_of_more_games_is_refused() {
    let folder = folder();
    let (long, short) = ("1. e4 *\n\n1. d4 *\n", "1. e4 *\n");
    let file = write(folder.path(), "in.pgn", long.as_bytes());
    let journal = write(folder.path(), "journal", b"");
    fs::remove_file(&journal).unwrap();
    let analyse = || {
        let mut command = program();
        let limits = ["--nodes", "9", "--quiet", "--csv", "-"];
        command.args(["games", &file]).args(limits);
        printed(command.args(["--journal", &journal]))
    };
    let merge = || {
        let mut command = program();
        command.args(["merge", &file, "--quiet", "--csv", "-"]);
        printed(command.args(["--from", &journal]))
    };
    for (code, out, errors) in [analyse(), merge()] {
        assert_eq!(code, Some(0), "{errors}");
        assert!(!out.is_empty());
    }
    fs::write(&file, short).unwrap();
    for (code, _, errors) in [analyse(), merge()] {
        assert_eq!(code, Some(2), "{errors}");
        assert!(
            errors.contains("games or positions that are not in"),
            "{errors}"
        );
    }
}

/// A random number that is different in every run.
fn random() -> u64 {
    use std::hash::{BuildHasher as _, Hasher as _};
    std::collections::hash_map::RandomState::new()
        .build_hasher()
        .finish()
}

#[test]
fn a_run_killed_ten_times_loses_and_repeats_nothing() {
    let undisturbed = folder();
    let file = write(undisturbed.path(), "in.pgn", GAMES.repeat(6).as_bytes());
    let journal = undisturbed.path().join("journal");
    let journal = journal.to_str().unwrap();
    run(&mut games(
        &file,
        undisturbed.path(),
        &["--threads", "2", "--journal", journal],
    ));
    let size = fs::metadata(journal).unwrap().len();

    let disturbed = folder();
    let journal = disturbed.path().join("journal");
    let journal = journal.to_str().unwrap();
    let length = || fs::metadata(journal).map_or(0, |file| file.len());
    let mut kept = 0;
    for _ in 0..10 {
        let mut child = games(
            &file,
            disturbed.path(),
            &["--threads", "2", "--journal", journal],
        )
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
        // The run is killed when it has written up to a tenth of the whole journal, so that most runs are still at
        // work.
        let enough = kept + random() % (size / 10);
        while length() < enough && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap(); // SIGKILL on Unix
        child.wait().unwrap();
        assert!(length() >= kept, "the journal has lost something");
        kept = length();
    }
    run(&mut games(
        &file,
        disturbed.path(),
        &["--threads", "2", "--journal", journal],
    ));
    assert_same(
        &results(undisturbed.path()),
        &results(disturbed.path()),
        "killed ten times",
    );
    // No game was analysed twice: the journal is as large as the journal of the undisturbed run.
    assert_eq!(fs::metadata(journal).unwrap().len(), size);
    // A further run takes everything from the journal.
    let again = folder();
    run(&mut games(&file, again.path(), &["--journal", journal]));
    assert_same(
        &results(undisturbed.path()),
        &results(again.path()),
        "from the journal alone",
    );
    assert_eq!(fs::metadata(journal).unwrap().len(), size);
}

#[test]
fn a_journal_of_other_settings_or_games_is_refused() {
    let folder = folder();
    let file = write(folder.path(), "in.pgn", GAMES.as_bytes());
    let other = write(
        folder.path(),
        "other.pgn",
        b"1. d4 *\n1. d4 *\n1. d4 *\n1. d4 *\n",
    );
    let journal = folder.path().join("journal");
    let journal = journal.to_str().unwrap();
    run(&mut games(&file, folder.path(), &["--journal", journal]));
    for (input, more, says) in [
        (&file, &["--multipv", "2"][..], "cannot use the journal"),
        (&other, &[], "the journal is of other games"),
    ] {
        let output = games(input, folder.path(), &["--journal", journal])
            .args(more)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        let printed = String::from_utf8_lossy(&output.stderr);
        assert!(printed.contains(says), "{printed}");
    }
}

#[test]
fn a_journal_of_another_version_is_refused_and_kept() {
    let folder = folder();
    let file = write(folder.path(), "in.pgn", GAMES.as_bytes());
    let old = "{\"analysis\":4,\"settings\":\"skewer 0.2.0 nodes=1500\",\"words\":[]}\n";
    // A later version may have a heading of the same fields.
    let present = folder.path().join("present");
    run(crate::program_with_limits(&file)
        .arg("--journal")
        .arg(&present));
    let present = fs::read_to_string(present).unwrap();
    // The line without its checksum, which comes first.
    let line = present.lines().next().unwrap();
    let fields = &line[line.find("\"analysis\"").unwrap()..];
    let later = format!(
        "{{{}\n",
        fields.replace("\"analysis\":5,", "\"analysis\":6,")
    );
    assert!(later.contains("\"analysis\":6,"), "{later}");
    for heading in [old, &later] {
        let journal = write(folder.path(), "journal", heading.as_bytes());
        let mut merge = program();
        merge.args(["merge", &file, "--quiet", "--csv", "-", "--from", &journal]);
        for mut command in [games(&file, folder.path(), &["--journal", &journal]), merge] {
            let (code, _, errors) = printed(&mut command);
            assert_eq!(code, Some(2));
            let says = "written by another version of skewer-analyse; analyse the games again";
            assert!(errors.contains(says), "{errors}");
        }
        assert_eq!(fs::read_to_string(journal).unwrap(), heading);
    }
}

#[test]
fn a_journal_of_another_shard_is_refused_before_the_analysis() {
    let folder = folder();
    let file = write(folder.path(), "in.pgn", GAMES.as_bytes());
    let shard = |shard| {
        let mut command = crate::program_with_limits(&file);
        command.args(["--shard", shard, "--journal"]);
        printed(command.arg(folder.path().join("journal")))
    };
    assert_eq!(shard("1/2").0, Some(0));
    let (code, _, errors) = shard("2/2");
    assert_eq!(code, Some(2));
    assert!(errors.contains("give the same --shard"), "{errors}");
    assert_eq!(shard("1/2").0, Some(0));
}

#[test]
fn a_damaged_journal_is_refused_or_repaired() {
    let folder = folder();
    let file = write(folder.path(), "in.pgn", GAMES.repeat(2).as_bytes());
    let journal = folder.path().join("journal");
    let journal = journal.to_str().unwrap();
    run(&mut games(&file, folder.path(), &["--journal", journal]));
    let undisturbed = results(folder.path());
    let mut bytes = fs::read(journal).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(journal, &bytes).unwrap();
    let (code, _, errors) = printed(&mut games(&file, folder.path(), &["--journal", journal]));
    assert_eq!(code, Some(2));
    assert!(errors.contains("--repair-journal"), "{errors}");
    assert_eq!(errors.matches("damaged").count(), 1, "{errors}");
    // Only what was in the damaged record is analysed again.
    let again = self::folder();
    let kept = |more: &[&str]| {
        let mut command = program();
        command.args(["games", &file, "--nodes", "1500", "--hash", "1"]);
        command
            .args(["--journal", journal, "--csv", "-"])
            .args(more);
        let errors = run(&mut command).stderr;
        let text = String::from_utf8_lossy(&errors).into_owned();
        let rest = text
            .strip_prefix("resuming from the journal: ")
            .expect("a journal")
            .to_owned();
        let (number, _) = rest.split_once(' ').expect("a number");
        number.parse::<u32>().expect("a number")
    };
    let repaired = kept(&["--repair-journal"]);
    let all = kept(&[]);
    assert!(all > 4, "{all}");
    assert_eq!(repaired, all - 1);
    fs::write(journal, &bytes).unwrap();
    let more = ["--journal", journal, "--repair-journal"];
    run(&mut games(&file, again.path(), &more));
    assert_same(&undisturbed, &results(again.path()), "repaired");
    // An empty journal counts as new.
    fs::write(journal, b"").unwrap();
    run(&mut games(&file, again.path(), &["--journal", journal]));
}
