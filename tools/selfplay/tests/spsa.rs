//! `spsa`: with the feature `tune` it tunes and resumes; without the feature, it names the missing feature.
//! All tests that need this feature are here, so that one more build is enough.

mod common;

use common::{refuse, run};

#[test]
fn the_parameters_are_listed_in_every_build() {
    let (text, _) = run(&["spsa", "--list"]);
    for word in ["rfp_margin = ", "see_pawn = ", "plies"] {
        assert!(text.contains(word), "{text}");
    }
}

#[cfg(not(feature = "tune"))]
#[test]
fn constant_parameters_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a");
    let text = refuse(&["spsa", "--out", out.to_str().unwrap()]);
    assert!(text.contains("--features tune"), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(!out.with_extension("spsa").exists());
}

#[cfg(feature = "tune")]
mod tuned {
    use std::fs;
    use std::path::Path;
    use std::thread;

    use skewer_eval::Evaluation;
    use skewer_movegen::Board;
    use skewer_search::{Limits, Parameters, Position, Solo};
    use skewer_tt::TableSize;

    use super::{refuse, run};

    fn solo(parameters: Parameters) -> Solo {
        Solo::new(Evaluation::hand_written(), TableSize::from_megabytes(1))
            .unwrap()
            .with_parameters(parameters)
    }

    fn nodes(solo: &mut Solo) -> u64 {
        solo.clear();
        let start = Position::new(Board::STARTPOS);
        solo.search(&start, &Limits::depth(8)).nodes
    }

    #[test]
    fn parameters_do_not_leak_between_searches_or_threads() {
        let other = |name: &str, value| {
            let mut parameters = Parameters::default();
            parameters.set(name, value).unwrap();
            solo(parameters)
        };
        let mut plain = solo(Parameters::default());
        let first = nodes(&mut plain);
        assert_ne!(nodes(&mut other("rfp_margin", 20)), first);
        assert_ne!(nodes(&mut other("see_knight", 200)), first);
        let beside = thread::spawn(|| nodes(&mut solo(Parameters::default())));
        assert_eq!(beside.join().unwrap(), first);
        assert_eq!(nodes(&mut plain), first);
    }

    #[test]
    fn unknown_parameters_and_bad_values_are_refused() {
        let refused = |set: &str| {
            let engine = format!("ours,{set}");
            refuse(&[
                "match", "--engine", &engine, "--engine", "ours", "--nodes", "9",
            ])
        };
        for (set, said) in [
            ("set.magic=80", "no parameter of that name"),
            ("set.rfp_margin=-1", "outside the parameter's range"),
            ("set.rfp_margin=much", "not a whole number"),
        ] {
            let text = refused(set);
            assert!(text.contains(said), "{set}: {text}");
        }
    }

    /// The command line of a tuning run.
    fn tuning_arguments<'a>(out: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
        let engine = "ours,eval=hce,hash=1";
        let mut arguments = vec![
            "spsa",
            "--engine",
            engine,
            "--nodes",
            "120",
            "--threads",
            "1",
        ];
        arguments.extend(["--parameters", "rfp_margin,see_pawn,lmr_*"]);
        arguments.extend(["--out", out.to_str().unwrap()]);
        arguments.extend(more);
        arguments
    }

    #[test]
    fn a_tuning_run_is_resumed() {
        let folder = tempfile::tempdir().unwrap();
        let (whole, cut) = (folder.path().join("whole"), folder.path().join("cut"));
        run(&tuning_arguments(&whole, &["--pairs", "10"]));
        let text = fs::read_to_string(whole.with_extension("spsa")).unwrap();
        assert_eq!(text.lines().count(), 1 + 10);
        // A pair was won and the parameters moved, so the state is not the initial one.
        let before = text.lines().skip(1).take(8);
        let even = before.filter(|line| line.contains("\"half_points\":2"));
        assert!(even.count() < 8, "{text}");
        // Killed in the middle of the ninth pair's line.
        let kept: usize = text.split_inclusive('\n').take(9).map(str::len).sum();
        fs::write(cut.with_extension("spsa"), &text[..kept + 9]).unwrap();
        let (_, messages) = run(&tuning_arguments(&cut, &["--pairs", "10"]));
        assert!(messages.contains("resuming after 8 pairs"), "{messages}");
        assert!(fs::read_to_string(cut.with_extension("spsa")).unwrap() == text);

        let messages = refuse(&tuning_arguments(&cut, &["--pairs", "11"]));
        assert!(messages.contains("belongs to another run"), "{messages}");
    }

    /// Sets a parameter to its default value.
    fn same(name: &str) -> String {
        let value = Parameters::default().get(name).unwrap();
        format!(",set.{name}={value}")
    }

    #[test]
    fn games_on_a_clock_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("a");
        let out = out.to_str().unwrap();
        let text = refuse(&["spsa", "--engine", "ours,movetime=0.1", "--out", out]);
        assert!(text.contains("depend on the machine"), "{text}");
    }

    #[test]
    fn tuned_parameters_can_be_played() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("a");
        let (text, _) = run(&tuning_arguments(&out, &["--pairs", "8", "--rate", "1"]));
        assert!(text.contains("after 8 of 8 pairs"), "{text}");
        let found = text.lines().last().unwrap();
        let engine = found.strip_prefix("--engine ").unwrap();
        assert!(engine.starts_with("ours,eval=hce,hash=1,set."), "{found}");
        run(&[
            "match",
            "--engine",
            engine,
            "--engine",
            "ours,eval=hce",
            "--nodes",
            "100",
            "--games",
            "2",
        ]);
    }

    #[test]
    fn changed_parameters_change_the_games_and_equal_ones_repeat_them() {
        let book = tempfile::tempdir().unwrap();
        let path = book.path().join("book.epd");
        let path = path.to_str().unwrap();
        run(&["book", "--count", "3", "--nodes", "100", "--out", path]);
        let play = |setting: &str| {
            let second = format!("ours,eval=hce,name=b{setting}");
            let out = book.path().join("match");
            let out = out.to_str().unwrap();
            let first = "ours,eval=hce,name=a";
            run(&[
                "match",
                "--engine",
                first,
                "--engine",
                &second,
                "--nodes",
                "400",
                "--games",
                "6",
                "--threads",
                "1",
                "--openings",
                path,
                "--out",
                out,
            ]);
            let games = fs::read_to_string(format!("{out}.pgn")).unwrap();
            // Another match must not find the files of this one.
            fs::remove_file(format!("{out}.journal")).unwrap();
            fs::remove_file(format!("{out}.pgn")).unwrap();
            fs::remove_file(format!("{out}.json")).unwrap();
            // Without the times, which differ.
            games
                .replace('\n', " ")
                .split("[%emt")
                .map(|part| part.split_once(']').map_or(part, |(_, rest)| rest))
                .collect::<String>()
        };
        let plain = play("");
        assert!(plain == play(&same("rfp_margin")));
        assert!(plain != play(",set.rfp_margin=20,set.lmr_divisor=120"));
        assert!(plain != play(",set.see_knight=200,set.victim_weight=4"));
    }
}
