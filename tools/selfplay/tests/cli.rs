//! The program as people use it: what it prints, what it leaves behind, and how it takes engines
//! that misbehave, signals and being killed.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{refuse, run};
use skewer_gamedata::{Reader, Tail};

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn help_is_a_page_to_start_from() {
    let (help, _) = run(&["--help"]);
    for word in ["match", "datagen", "spsa", "book", "Examples:"] {
        assert!(help.contains(word), "{help}");
    }
    let (help, _) = run(&["match", "--help"]);
    for word in [
        "--sprt",
        "without=",
        "evalfile=",
        "option.NAME",
        "set.NAME",
        "--resign",
    ] {
        assert!(help.contains(word), "{help}");
    }
}

#[test]
fn a_match_is_played_kept_and_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("results/v1.2");
    let command = |games: &'static str| {
        run(&[
            "match",
            "--engine",
            "ours",
            "--engine",
            "ours,without=null-move,name=plain",
            "--nodes",
            "150",
            "--games",
            games,
            "--threads",
            "2",
            "--out",
            text(&out),
        ])
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

    // The same again plays nothing; a longer match plays the rest; the same openings come again.
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

    let error = refuse(&[
        "match",
        "--engine",
        "ours",
        "--engine",
        "ours",
        "--nodes",
        "150",
        "--out",
        text(&out),
    ]);
    assert!(error.contains("belongs to another match"), "{error}");
}

#[test]
fn a_clock_that_counts_nodes_gives_the_same_match_again() {
    let folder = tempfile::tempdir().unwrap();
    let moves = |name: &str, threads: &str| {
        let out = folder.path().join(name);
        run(&[
            "match",
            "--engine",
            "ours",
            "--engine",
            "ours,without=time-by-nodes,name=plain",
            "--tc",
            "0.1+0.001@20",
            "--games",
            "4",
            "--threads",
            threads,
            "--out",
            text(&out),
        ]);
        let pgn = fs::read_to_string(out.with_extension("pgn")).unwrap();
        let mut games: Vec<String> = pgn.split("\n\n").map(str::to_owned).collect();
        // Games end in another order.
        games.sort();
        games
    };
    assert_eq!(moves("one", "1"), moves("two", "2"));
}

#[test]
fn fixed_nodes_give_the_same_match_again() {
    let play = |threads: &'static str| {
        run(&[
            "match",
            "--engine",
            "ours",
            "--engine",
            "ours,without=late-move-reductions",
            "--nodes",
            "200",
            "--games",
            "8",
            "--threads",
            threads,
            "--variant",
            "chess960",
        ])
        .0
    };
    assert_eq!(play("1"), play("2"));
}

#[test]
fn a_sequential_test_ends_a_match() {
    // Three plies less and no quiescence: that loses nearly every game.
    let (out, _) = run(&[
        "match",
        "--engine",
        "ours,depth=4",
        "--engine",
        "ours,without=quiescence,depth=1",
        "--games",
        "2000",
        "--sprt",
        "0",
        "50",
        "--random-plies",
        "6",
    ]);
    assert!(out.contains("accepted: stronger"), "{out}");
    assert!(!out.contains("Games: 2000"), "{out}");
}

#[test]
fn what_is_missing_or_wrong_is_said() {
    for (arguments, said) in [
        (
            vec!["match", "--engine", "ours", "--nodes", "9"],
            "give two engines, not 1",
        ),
        (
            vec!["match", "--engine", "ours", "--engine", "ours"],
            "give a limit",
        ),
        (
            vec![
                "match",
                "--engine",
                "ours",
                "--engine",
                "/no/such/engine",
                "--nodes",
                "9",
            ],
            "cannot start the engine /no/such/engine",
        ),
        (
            vec![
                "match",
                "--engine",
                "ours",
                "--engine",
                "ours,without=x",
                "--nodes",
                "9",
            ],
            "there is no technique `x`",
        ),
        (
            vec![
                "match",
                "--engine",
                "ours",
                "--engine",
                "ours",
                "--nodes",
                "9",
                "--openings",
                "/no/such/book",
            ],
            "/no/such/book",
        ),
        (
            vec![
                "match", "--engine", "ours", "--engine", "ours", "--nodes", "9", "--sprt", "5", "0",
            ],
            "the first must be below the second",
        ),
        (
            vec!["datagen", "--evalfile", "/no/such/net"],
            "/no/such/net",
        ),
    ] {
        let error = refuse(&arguments);
        assert!(error.contains(said), "{arguments:?}: {error}");
        assert!(!error.contains("panicked"), "{error}");
    }
}

#[test]
fn training_games_that_cannot_be_played_leave_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("games");
    let error = refuse(&[
        "datagen",
        "--evalfile",
        "/no/such/net",
        "--out",
        out.to_str().unwrap(),
    ]);
    assert!(error.contains("/no/such/net"), "{error}");
    assert!(!out.exists());
}

#[test]
fn books_are_made() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.epd");
    run(&[
        "book",
        "--count",
        "12",
        "--nodes",
        "200",
        "--variant",
        "chess960",
        "--out",
        text(&path),
    ]);
    let book = fs::read_to_string(&path).unwrap();
    assert_eq!(book.lines().count(), 12);
    let (out, _) = run(&[
        "match",
        "--engine",
        "ours",
        "--engine",
        "ours",
        "--nodes",
        "60",
        "--games",
        "4",
        "--openings",
        text(&path),
        "--order",
        "sequential",
    ]);
    assert!(out.contains("ours (A) against ours (B)"), "{out}");
}

#[test]
fn games_that_would_only_be_repeated_are_not_played() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.epd");
    run(&[
        "book",
        "--count",
        "3",
        "--nodes",
        "100",
        "--out",
        text(&path),
    ]);
    let play = |limit: [&'static str; 2]| {
        let mut arguments = vec!["match", "--engine", "ours", "--engine", "ours,name=b"];
        arguments.extend(limit);
        arguments.extend([
            "--games",
            "10",
            "--openings",
            text(&path),
            "--draw",
            "1:1:9000",
        ]);
        run(&arguments)
    };
    let (out, messages) = play(["--nodes", "60"]);
    assert!(out.contains("Games: 6,"), "{out}");
    assert!(!out.contains("Interrupted"), "{out}");
    assert_eq!(
        messages.matches("at most 3 pairs for 3 openings").count(),
        1,
        "{messages}"
    );

    // With a clock no game comes again quite the same; that the openings do is said.
    let (out, messages) = play(["--movetime", "0.002"]);
    assert!(out.contains("Games: 10,"), "{out}");
    assert_eq!(
        messages.matches("3 openings for 5 pairs").count(),
        1,
        "{messages}"
    );
}

fn games_of(path: &Path, tail: Tail) -> usize {
    Reader::open(path, tail)
        .unwrap()
        .map(Result::unwrap)
        .count()
}

#[test]
fn training_games_are_written_and_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let play = |games: &'static str| {
        run(&[
            "datagen",
            "--out",
            text(folder.path()),
            "--name",
            "t",
            "--seed",
            "9",
            "--nodes",
            "80",
            "--threads",
            "1",
            "--games",
            games,
        ])
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
}

#[test]
fn a_mix_of_training_games_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let mix = "datagen --name m --nodes 60 --part 40:90 --part 30:60:chess960 --opening-limit 250 \
               --resign 2:1100 --draw 41:6:8 --games 4 --threads 1 --out";
    let mut arguments: Vec<&str> = mix.split_whitespace().collect();
    arguments.push(text(folder.path()));
    run(&arguments);
    let record = fs::read_to_string(folder.path().join("m-1.vf.json")).unwrap();
    for field in [
        "\"opening_limit\": 250",
        "\"win_score\": 1100",
        "\"win_plies\": 4",
        "\"draw_from\": 80",
        "\"percent\": 40",
        "\"hard_nodes\": 720",
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

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::PermissionsExt;
    use std::process::{Child, Stdio};
    use std::thread;
    use std::time::{Duration, Instant};

    use super::*;

    /// A UCI engine in shell that does `on_go` when asked for a move.
    fn engine(folder: &Path, name: &str, on_go: &str) -> String {
        let path = folder.join(name);
        let script = format!(
            "#!/bin/sh\n\
             while read -r line; do\n\
             case \"$line\" in\n\
             uci) echo id name {name}; echo uciok ;;\n\
             isready) echo readyok ;;\n\
             go*) {on_go} ;;\n\
             quit) exit 0 ;;\n\
             esac\n\
             done\n"
        );
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        text(&path).to_owned()
    }

    fn against(engine: &str, more: &[&str]) -> String {
        let mut arguments = vec!["match", "--engine", "ours,nodes=50", "--engine", engine];
        arguments.extend(["--games", "4", "--threads", "2"]);
        arguments.extend(more);
        let (out, messages) = run(&arguments);
        format!("{out}{messages}")
    }

    #[test]
    fn engines_that_misbehave_lose_and_it_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let illegal = engine(folder.path(), "illegal", "echo bestmove e2e5");
        let said = against(&illegal, &["--nodes", "10"]);
        assert!(said.contains("Games: 4, +4 =0 -0"), "{said}");
        assert!(
            said.contains("illegal: 0 time losses, 4 illegal moves, 0 failures"),
            "{said}"
        );
        assert!(
            said.contains("illegal forfeits: illegal move `e2e5`"),
            "{said}"
        );

        let late = engine(folder.path(), "late", "sleep 0.4; echo bestmove a2a3");
        let said = against(&late, &["--tc", "0.1+0"]);
        assert!(
            said.contains("late: 4 time losses, 0 illegal moves, 0 failures"),
            "{said}"
        );
        assert!(said.contains("out of time by "), "{said}");

        let dying = engine(folder.path(), "dying", "exit 3");
        let said = against(&dying, &["--nodes", "10"]);
        assert!(
            said.contains("dying: 0 time losses, 0 illegal moves, 4 failures"),
            "{said}"
        );
        assert!(said.contains("the engine ended unexpectedly"), "{said}");
    }

    #[test]
    fn an_engine_that_floods_or_never_reads_loses_and_costs_little_memory() {
        let folder = tempfile::tempdir().unwrap();
        let flood = "while :; do echo info string nothing; done";
        for (name, on_go, said) in [
            (
                "endless",
                "head -c 1000000000 /dev/zero",
                "the engine flooded its output",
            ),
            (
                "lines",
                "yes info depth 1 currmove a2a3",
                "the engine flooded its output",
            ),
            // Writes when it is not asked: it must not take the time of the other engine.
            (
                "later",
                &format!("echo bestmove a7a6; {flood}"),
                "the engine flooded its output",
            ),
            ("deaf", "while :; do echo bestmove a2a3; done", "forfeits"),
        ] {
            let path = engine(folder.path(), name, on_go);
            let mut arguments = vec!["match", "--engine", "ours,depth=4", "--engine", &path];
            arguments.extend(["--random-plies", "0"]);
            arguments.extend(["--games", "2", "--threads", "1", "--tc", "2+0.5"]);
            let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_skewer-selfplay"))
                .args(&arguments)
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let mut most_kb = 0;
            while child.try_wait().unwrap().is_none() {
                most_kb = most_kb.max(memory_kb(child.id()));
                thread::sleep(Duration::from_millis(10));
            }
            let output = child.wait_with_output().unwrap();
            let (out, messages) = (output.stdout, output.stderr);
            let text = String::from_utf8_lossy(&[out, messages].concat()).into_owned();
            assert!(output.status.success(), "{text}");
            assert!(text.contains("Games: 2, +2 =0 -0"), "{text}");
            assert!(
                text.contains(&format!("{name} forfeits")) && text.contains(said),
                "{text}"
            );
            assert!(
                text.contains("ours,depth=4: 0 time losses, 0 illegal moves, 0 failures"),
                "{text}"
            );
            assert!(most_kb > 0 && most_kb < 200_000, "{name}: {most_kb} kB");
        }
    }

    /// The most memory that a process has had, in kB; 0 if it has ended.
    fn memory_kb(process: u32) -> u64 {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok())
            .unwrap_or(0)
    }

    /// The limit of one block (512 or 1,024 bytes) is below what a match writes.
    #[test]
    fn a_file_size_limit_is_an_error_like_a_full_disk() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("m");
        let command = format!(
            "ulimit -f 1; exec {} match --engine ours --engine ours --nodes 50 --games 20 --out {}",
            env!("CARGO_BIN_EXE_skewer-selfplay"),
            text(&out)
        );
        let output = std::process::Command::new("sh")
            .args(["-c", &command])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("File too large"), "{said}");
        assert_eq!(said.matches("File too large").count(), 1, "{said}");
    }

    #[test]
    fn a_match_does_not_overwrite_its_openings_or_the_games_of_others() {
        let folder = tempfile::tempdir().unwrap();
        let openings = folder.path().join("m.pgn");
        let games = "1. e4 e5 2. Nf3 *\n\n1. d4 *\n";
        fs::write(&openings, games).unwrap();
        let out = folder.path().join("m");
        let plain = [
            "match", "--engine", "ours", "--engine", "ours", "--nodes", "9",
        ];
        let kept = ["--games", "2", "--out", text(&out)];
        let both = [&plain[..], &kept, &["--openings", text(&openings)]].concat();
        let error = refuse(&both);
        assert!(error.contains("is both input and --out output"), "{error}");
        let error = refuse(&[&plain[..], &kept].concat());
        assert!(error.contains("is there already"), "{error}");
        assert_eq!(fs::read_to_string(&openings).unwrap(), games);
    }

    #[test]
    fn a_match_does_not_overwrite_an_engine_a_network_or_a_file_of_another_kind() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| text(&folder.path().join(name)).to_owned();
        let refused = |name: &str, contents: &[u8], more: &[&str], words: &str| {
            fs::write(at(name), contents).unwrap();
            let out = at("m");
            let plain = ["match", "--engine", "ours", "--nodes", "9", "--out", &out];
            let error = refuse(&[&plain[..], &["--games", "2"], more].concat());
            assert!(error.contains(words), "{more:?}: {error}");
            assert_eq!(fs::read(at(name)).unwrap(), contents, "{more:?}");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{more:?}");
            fs::remove_file(at(name)).unwrap();
        };
        let both = "is both input and --out output";
        let ours = ["--engine", "ours"];
        let nets = Path::new(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../crates/eval/nets"
        ));
        let name = fs::read_to_string(nets.join("default")).unwrap();
        let network = fs::read(nets.join(name.trim())).unwrap();
        let with_network = format!("ours,evalfile={}", at("m.json"));
        refused("m.json", &network, &["--engine", &with_network], both);
        let engine = engine(folder.path(), "m.json", "echo bestmove a2a3");
        let script = fs::read(&engine).unwrap();
        refused("m.json", &script, &["--engine", &engine], both);
        let openings = at("m.journal");
        let games = [&ours[..], &["--openings", &openings]].concat();
        refused("m.journal", b"1. e4 *", &games, "is both input and journal");
        refused(
            "m.journal",
            b"notes",
            &ours,
            "is not a file of this program",
        );
        refused("m.json", b"notes", &ours, "is there already");
        refused("m.pgn", b"notes", &ours, "is there already");
    }

    #[test]
    fn training_games_are_not_appended_to_a_file_of_another_kind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("d-1.vf");
        fs::write(&path, "notes").unwrap();
        let here = text(folder.path());
        let plain = ["datagen", "--out", here, "--name", "d", "--nodes", "9"];
        let error = refuse(&[&plain[..], &["--games", "1"]].concat());
        assert!(error.contains("has no complete game"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"notes");
    }

    #[test]
    fn a_changed_result_in_a_journal_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("m");
        let plain = [
            "match", "--engine", "ours", "--engine", "ours", "--nodes", "40",
        ];
        let arguments = [&plain[..], &["--games", "4", "--out", text(&out)]].concat();
        let first = run(&arguments).0;
        let journal = out.with_extension("journal");
        let good = fs::read_to_string(&journal).unwrap();
        let at = good.rfind("\"half_points\":").unwrap() + "\"half_points\":".len();
        let mut bad = good.clone().into_bytes();
        bad[at] ^= 1;
        fs::write(&journal, bad).unwrap();
        let error = refuse(&arguments);
        assert!(
            error.contains("line 3 is damaged: its checksum does not match"),
            "{error}"
        );
        // A journal without checksums, as older versions wrote it.
        let old: Vec<String> = good
            .lines()
            .map(|line| format!("{{{}", line.split_once("\",").unwrap().1))
            .collect();
        fs::write(&journal, old.join("\n") + "\n").unwrap();
        assert_eq!(run(&arguments).0, first);
    }

    #[test]
    fn a_match_does_not_go_on_with_another_engine_of_the_same_name() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("m");
        let first = engine(folder.path(), "engine", "echo bestmove e2e5");
        let said = against(&first, &["--nodes", "10", "--out", text(&out)]);
        assert!(said.contains("Games: 4,"), "{said}");

        let arguments = ["match", "--engine", "ours,nodes=50", "--engine", &first];
        let more = ["--games", "8", "--nodes", "10", "--out", text(&out)];
        // Another margin is another match, and so is another program in the place of the first.
        let error = refuse(&[&arguments[..], &more, &["--margin", "50"]].concat());
        assert!(error.contains("belongs to another match"), "{error}");
        engine(folder.path(), "engine", "exit 3");
        let error = refuse(&[&arguments[..], &more].concat());
        assert!(error.contains("other builds or networks"), "{error}");
    }

    #[test]
    fn openings_of_chess960_need_an_engine_that_knows_it() {
        let folder = tempfile::tempdir().unwrap();
        let plain = engine(folder.path(), "plain", "echo bestmove a2a3");
        let error = refuse(&[
            "match",
            "--engine",
            "ours",
            "--engine",
            &plain,
            "--nodes",
            "9",
            "--variant",
            "chess960",
        ]);
        assert!(error.contains("does not play Chess960"), "{error}");
    }

    fn start(arguments: &[&str]) -> Child {
        std::process::Command::new(env!("CARGO_BIN_EXE_skewer-selfplay"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }

    /// Waits until the file has that many bytes.
    fn wait_for(path: &PathBuf, bytes: u64) {
        let begun = Instant::now();
        while fs::metadata(path).map_or(0, |file| file.len()) < bytes {
            assert!(
                begun.elapsed() < Duration::from_mins(1),
                "nothing was written"
            );
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn signal(child: &Child, name: &str) {
        let status = std::process::Command::new("kill")
            .args([name, &child.id().to_string()])
            .status()
            .unwrap();
        assert!(status.success());
    }

    #[test]
    fn a_request_to_end_is_heeded_and_a_kill_is_survived() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t-9.vf");
        let arguments = [
            "datagen",
            "--out",
            text(folder.path()),
            "--name",
            "t",
            "--seed",
            "9",
            "--nodes",
            "40",
            "--threads",
            "2",
        ];
        let asked = start(&arguments);
        wait_for(&path, 1000);
        signal(&asked, "-TERM");
        let output = asked.wait_with_output().unwrap();
        assert!(output.status.success());
        let games = games_of(&path, Tail::Refuse);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.contains(&format!(": {games} games")), "{said}");

        let before = fs::metadata(&path).unwrap().len();
        let mut killed = start(&arguments);
        wait_for(&path, before + 1000);
        signal(&killed, "-KILL");
        killed.wait().unwrap();
        // At most the last game is torn, and going on cuts it off.
        assert!(games_of(&path, Tail::AcceptTorn) > games);
        let more = games_of(&path, Tail::AcceptTorn) + 2;
        let mut last = arguments.to_vec();
        let count = more.to_string();
        last.extend(["--games", &count]);
        run(&last);
        assert!(games_of(&path, Tail::Refuse) >= more);
    }

    #[test]
    fn a_killed_match_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("m");
        let arguments = [
            "match",
            "--engine",
            "ours",
            "--engine",
            "ours,without=killers",
            "--nodes",
            "400",
            "--games",
            "24",
            "--threads",
            "2",
            "--out",
            text(&out),
        ];
        let mut killed = start(&arguments);
        wait_for(&out.with_extension("pgn"), 2000);
        signal(&killed, "-KILL");
        killed.wait().unwrap();
        let (resumed, messages) = run(&arguments);
        assert!(messages.contains("resuming after"), "{messages}");
        let fresh: Vec<&str> = arguments[..arguments.len() - 2].to_vec();
        // At fixed nodes the match is the same as if nothing had happened.
        assert_eq!(resumed, run(&fresh).0);
    }
}
