//! The commands that read files: their output, and errors that name damaged files.

mod common;

use common::{run, text, write_games};

#[test]
fn games_are_counted_deduplicated_and_trained_on() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    write_games(&here.join("a.vf"), &[0, 1, 2], 60);
    write_games(&here.join("b.vf"), &[2, 3, 4, 5], 60);

    let stats = run(here, &["stats", "a.vf", "b.vf", "--picture", "s.svg"]);
    assert!(stats.status.success(), "{}", text(&stats.stderr));
    assert!(
        text(&stats.stdout).contains("7, 1 of them duplicates"),
        "{}",
        text(&stats.stdout)
    );

    let picture = std::fs::read_to_string(here.join("s.svg")).unwrap();
    assert!(
        picture.contains("result")
            && picture.contains(">White won<")
            && picture.contains(">7 (100.0%)<")
    );

    let joined = run(here, &["dedup", "a.vf", "b.vf", "--output", "c.vf"]);
    assert!(
        text(&joined.stdout).contains("7 games read, 6 written"),
        "{}",
        text(&joined.stderr)
    );
    let again = run(here, &["dedup", "a.vf", "--output", "c.vf"]);
    assert!(!again.status.success() && text(&again.stderr).contains("choose another --output"));

    let train = [
        "net",
        "c.vf",
        "--hidden",
        "32",
        "--buckets",
        "1",
        "--epochs",
        "2",
    ];
    let trained = run(here, &train);
    assert!(trained.status.success(), "{}", text(&trained.stderr));
    for left in [
        "net.nnue",
        "net.nnue.checkpoint",
        "net.nnue.csv",
        "net.nnue.svg",
    ] {
        assert!(here.join(left).exists(), "{left} is missing");
    }
    skewer_eval::network::Parameters::load(here.join("net.nnue")).unwrap();
    let fitted = run(here, &["scale", "c.vf", "--network", "net.nnue"]);
    assert!(fitted.status.success(), "{}", text(&fitted.stderr));
    assert!(text(&fitted.stdout).contains("6 games") && text(&fitted.stdout).contains("even"));
    let network = skewer_eval::network::Parameters::load(here.join("net.nnue")).unwrap();
    assert_ne!(network.win_model(), skewer_types::WinModel::default());

    let shuffled = run(here, &["shuffle", "c.vf", "--output", "p.blocks"]);
    assert!(
        text(&shuffled.stdout).contains("6 games, 0 left out"),
        "{}",
        text(&shuffled.stderr)
    );
    let streamed = [&["net", "p.blocks", "--output", "s.nnue"], &train[2..]].concat();
    let from_disk = run(here, &streamed);
    assert!(from_disk.status.success(), "{}", text(&from_disk.stderr));
    let with_filter = run(
        here,
        &[&streamed[..], &["--overwrite", "--min-ply", "8"]].concat(),
    );
    assert!(!with_filter.status.success() && text(&with_filter.stderr).contains("shuffled"));
    let again = run(here, &train);
    assert!(!again.status.success() && text(&again.stderr).contains("--resume"));
    let overwritten = run(here, &[&train[..], &["--overwrite"]].concat());
    assert!(
        overwritten.status.success(),
        "{}",
        text(&overwritten.stderr)
    );
    for command in ["net", "tune"] {
        let twice = run(here, &[command, "c.vf", "a.vf", "--output", "twice"]);
        assert!(
            !twice.status.success() && text(&twice.stderr).contains("3 of the same games"),
            "{}",
            text(&twice.stderr)
        );
    }

    let mut damaged = std::fs::read(here.join("c.vf")).unwrap();
    damaged.truncate(damaged.len() - 5);
    std::fs::write(here.join("cut.vf"), damaged).unwrap();
    for command in ["stats", "net", "tune", "rescore"] {
        let mut arguments = vec![command, "cut.vf"];
        if ["net", "rescore"].contains(&command) {
            arguments.extend(["--output", "never.vf"]);
        }
        let refused = run(here, &arguments);
        let messages = text(&refused.stderr);
        assert!(
            !refused.status.success() && messages.contains("cut.vf"),
            "{command}: {messages}"
        );
    }
    assert!(!here.join("never.vf").exists() && !here.join("weights.rs").exists());
    let narrow = run(here, &["net", "c.vf", "--hidden", "33"]);
    assert!(!narrow.status.success() && text(&narrow.stderr).contains("33 neurons"));
}

#[test]
fn weights_are_fitted_and_games_rescored() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    write_games(&here.join("a.vf"), &[0, 1, 2, 3, 4, 5], 60);

    let tuned = run(here, &["tune", "a.vf", "--epochs", "2", "--hold-out", "0"]);
    assert!(tuned.status.success(), "{}", text(&tuned.stderr));
    let source = std::fs::read_to_string(here.join("weights.rs")).unwrap();
    assert!(source.contains("pub const WEIGHTS") && source.contains("of 6 games"));

    let rescore = ["rescore", "a.vf", "--nodes", "50", "--output"];
    let rescored = run(here, &[&rescore[..], &["b.vf", "--threads", "1"]].concat());
    assert!(rescored.status.success(), "{}", text(&rescored.stderr));
    let again = run(here, &[&rescore[..], &["c.vf", "--threads", "2"]].concat());
    assert!(again.status.success(), "{}", text(&again.stderr));
    let read = |name: &str| std::fs::read(here.join(name)).unwrap();
    assert_eq!(read("b.vf").len(), read("a.vf").len());
    assert!(
        read("b.vf") == read("c.vf"),
        "threads change what is written"
    );
    let existing = run(here, &[&rescore[..], &["b.vf"]].concat());
    assert!(
        !existing.status.success() && text(&existing.stderr).contains("choose another --output")
    );
}
