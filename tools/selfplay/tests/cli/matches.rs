//! Matches: results, journals, repetition, sequential tests and openings.

use std::fs;

use crate::{refuse, run, text, words};

#[test]
fn a_match_is_recorded_and_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("results/v1.2");
    let command = |games: &'static str| {
        run(&words(
            "match --engine ours --engine ours,without=null-move,name=plain --nodes 150 --threads 2",
            &["--games", games, "--out", text(&out)],
        ))
    };
    let (first, _) = command("4");
    assert!(
        first.starts_with("ours against plain, 150 nodes a move"),
        "{first}"
    );
    assert!(first.contains("Games: 4,"), "{first}");
    assert!(
        first.contains("plain: 0 time losses, 0 illegal moves, 0 failures"),
        "{first}"
    );
    let journal = fs::read_to_string(out.with_added_extension("journal")).unwrap();
    assert_eq!(journal.lines().count(), 3);

    // The same command plays nothing more; a longer match plays the rest.
    assert_eq!(command("4").0, first);
    assert_eq!(
        fs::read_to_string(out.with_added_extension("journal")).unwrap(),
        journal
    );
    let (longer, messages) = command("6");
    assert!(longer.contains("Games: 6,"), "{longer}");
    assert!(messages.contains("resuming after 2 pairs"), "{messages}");

    let pgn = fs::File::open(out.with_added_extension("pgn")).unwrap();
    let tally = skewer_pgn::check(pgn).unwrap();
    assert_eq!((tally.games, tally.bad_games), (6, 0));
    let json = fs::read_to_string(out.with_added_extension("json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["finished"], true);
    let games: u64 = json["games"]
        .as_array()
        .unwrap()
        .iter()
        .map(|n| n.as_u64().unwrap())
        .sum();
    assert_eq!(games, 6);

    let error = refuse(&words(
        "match --engine ours --engine ours --nodes 150",
        &["--out", text(&out)],
    ));
    assert!(error.contains("belongs to another match"), "{error}");
}

#[test]
fn the_limit_of_each_side_is_in_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("m");
    let line = "match --games 2 --nodes 60 --engine ours,name=A --engine ours,nodes=40,name=B";
    run(&words(line, &["--out", text(&out)]));
    let pgn = fs::read_to_string(out.with_added_extension("pgn")).unwrap();
    for (own, limit) in [
        ("White \"A\"", "60 nodes a move"),
        ("White \"B\"", "40 nodes a move"),
    ] {
        let game = pgn.find(own).unwrap();
        let tag = format!("[WhiteTimeControl \"{limit}\"]");
        assert!(pgn[game..].find(&tag).is_some_and(|at| at < 300), "{pgn}");
    }
    assert!(!pgn.contains("[TimeControl"), "{pgn}");
}

#[test]
fn a_match_on_a_node_clock_is_reproducible() {
    let folder = tempfile::tempdir().unwrap();
    let moves = |name: &str, threads: &str| {
        let out = folder.path().join(name);
        run(&words(
            "match --engine ours --engine ours,without=time-by-nodes,name=plain --tc 0.1+0.001@20 \
             --games 4",
            &["--threads", threads, "--out", text(&out)],
        ));
        let pgn = fs::read_to_string(out.with_extension("pgn")).unwrap();
        let mut games: Vec<String> = pgn.split("\n\n").map(str::to_owned).collect();
        // With two threads, games may end in another order.
        games.sort();
        games
    };
    assert_eq!(moves("one", "1"), moves("two", "2"));
}

#[test]
fn a_match_at_fixed_nodes_is_reproducible() {
    let play = |threads: &'static str| {
        run(&words(
            "match --engine ours --engine ours,without=late-move-reductions --nodes 200 --games 8 \
             --variant chess960",
            &["--threads", threads],
        ))
        .0
    };
    assert_eq!(play("1"), play("2"));
}

#[test]
fn a_sequential_test_ends_a_match() {
    // An engine that searches three plies less and no quiescence loses nearly every game.
    let (out, _) = run(&words(
        "match --engine ours,depth=4 --engine ours,without=quiescence,depth=1 --games 2000 \
         --sprt 0 50 --random-plies 6",
        &[],
    ));
    assert!(out.contains("accepted: 50 is likelier than 0"), "{out}");
    assert!(!out.contains("Games: 2000"), "{out}");
}

/// There are 20 openings of one ply. A hundred pairs of them are 20 pairs, and copies that show nothing new.
#[test]
fn random_openings_that_were_played_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("r");
    let play = |games: &'static str| {
        let line = "match --engine ours,name=a --engine ours,name=b,without=null-move --nodes 30 --random-plies 1 \
                    --games";
        run(&words(line, &[games, "--out", text(&out)])).0
    };
    let counts = |printed: &str| {
        let number = |before: &str| -> u32 {
            let rest = printed.split_once(before).expect(before).1;
            let digits = rest.split(|c: char| !c.is_ascii_digit()).next();
            digits.and_then(|digits| digits.parse().ok()).expect(before)
        };
        (number("Games: ") / 2, number("Left out: "))
    };
    let (played, left_out) = counts(&play("120"));
    assert!((8..=20).contains(&played), "{played}");
    assert_eq!(played + left_out, 60);
    // A match that has ended says the same again.
    let (again, left_out_again) = counts(&play("120"));
    assert_eq!((again, left_out_again), (played, left_out));
    // A match that is resumed knows the openings that were played before.
    let (more, left_out) = counts(&play("200"));
    assert!((played..=20).contains(&more), "{more}");
    assert_eq!(more + left_out, 100);
    let journal = fs::read_to_string(out.with_extension("journal")).unwrap();
    let openings: Vec<&str> = journal
        .lines()
        .filter_map(|line| line.split_once("\"opening\":")?.1.split(',').next())
        .collect();
    let different: std::collections::HashSet<_> = openings.iter().collect();
    assert_eq!(
        (openings.len(), different.len()),
        (more as usize, more as usize)
    );
}

/// The results of one pair do not show how much results vary.
#[test]
fn one_pair_shows_no_superiority() {
    let line = "match --engine ours,name=a --engine ours,name=b,eval=hce --nodes 60 --games 2";
    let (out, _) = run(&words(line, &[]));
    assert!(
        out.contains("+/- inf") && !out.contains("superiority"),
        "{out}"
    );
}

#[test]
fn options_without_effect_are_refused() {
    let line = "match --engine ours --engine ours,name=b --nodes 5 --games 2";
    for more in [
        &["--errors", "0.1", "0.1"][..],
        &["--order", "sequential"],
        &["--opening-plies", "4"],
        &["--openings", "x.epd", "--random-plies", "4"],
        &["--openings", "x.epd", "--variant", "chess960"],
    ] {
        let error = refuse(&words(line, more));
        let named = more.iter().rfind(|word| word.starts_with("--")).unwrap();
        assert!(error.contains(named), "{error}");
        assert!(!error.contains("x.epd: "), "{error}");
    }
}

#[test]
fn a_match_ends_when_its_result_is_precise() {
    let (out, _) = run(&words(
        "match --engine ours,depth=2 --engine ours,depth=1 --games 4000 --precision 60 --random-plies 6",
        &[],
    ));
    let games = out.split_once("Games: ").expect("a count of games").1;
    let games: u32 = games.split(',').next().unwrap().parse().expect("a number");
    assert!((100..1000).contains(&games), "{out}");
}

#[test]
fn games_that_would_repeat_others_are_not_played() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.epd");
    run(&words(
        "book --count 3 --nodes 100",
        &["--out", text(&path)],
    ));
    let play = |limit: [&'static str; 2]| {
        let more = [&limit[..], &["--openings", text(&path)]].concat();
        run(&words(
            "match --engine ours --engine ours,name=b --games 10 --draw 1:1:9000",
            &more,
        ))
    };
    let (out, messages) = play(["--nodes", "60"]);
    assert!(out.contains("Games: 6,"), "{out}");
    assert!(!out.contains("Interrupted"), "{out}");
    assert_eq!(
        messages.matches("at most 3 pairs for 3 openings").count(),
        1,
        "{messages}"
    );

    // With a clock games differ, so all are played, with a message that openings repeat.
    let (out, messages) = play(["--movetime", "0.002"]);
    assert!(out.contains("Games: 10,"), "{out}");
    assert_eq!(
        messages.matches("3 openings for 5 pairs").count(),
        1,
        "{messages}"
    );
}

#[test]
fn books_are_made() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.epd");
    run(&words(
        "book --count 12 --nodes 200 --variant chess960",
        &["--out", text(&path)],
    ));
    let book = fs::read_to_string(&path).unwrap();
    assert_eq!(book.lines().count(), 12);
    let (out, _) = run(&words(
        "match --engine ours --engine ours --nodes 60 --games 4",
        &["--openings", text(&path), "--order", "sequential"],
    ));
    assert!(out.contains("ours (A) against ours (B)"), "{out}");
}
