//! The program from outside: same bytes for any number of workers, resuming after `kill -9`,
//! shards and merging, compressed input, bad games, suites.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::read::GzDecoder;
use skewer_pgn::{EvalTag, Games, ReadError};
use tempfile::TempDir;

/// Three games and a bad one in between: annotations, a clock, a variation, Chess960, and a mate.
const GAMES: &str = concat!(
    "[Event \"one\"]\n[White \"A <b>\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n",
    "1. f3 { [%clk 0:05:00] } 1... e5 { [%eval 0.9] [%clk 0:04:59] hm } 2. g4 (2. d4 exd4) Qh4# 0-1\n\n",
    "[Event \"bad\"]\n[White \"C\"]\n[Black \"D\"]\n\n1. e4 e5 2. Ke3 *\n\n",
    "[Event \"two\"]\n[White \"E\"]\n[Black \"F\"]\n[Result \"1/2-1/2\"]\n",
    "[FEN \"nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 1\"]\n[SetUp \"1\"]\n[Variant \"fischerandom\"]\n\n",
    "1. d4 d5 2. c3 Nb6 3. e4 -- 4. exd5 Nxd5 1/2-1/2\n\n",
    "[Event \"three\"]\n[White \"G\"]\n[Black \"H\"]\n[Result \"1-0\"]\n\n",
    "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 g6 6. Bc4 Bg7 7. e5 dxe5 8. Bxf7+ Kxf7 ",
    "9. Ne6 Qxd1+ 10. Nxd1 Kxe6 1-0\n"
);

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_skewer-analyse"))
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> String {
    let path = folder.join(name);
    fs::write(&path, bytes).expect("it can be written");
    path.to_str().expect("it is plain").to_owned()
}

/// Runs and insists on success.
fn run(command: &mut Command) -> Output {
    let output = command.output().expect("the program runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    output
}

const OUTPUTS: [&str; 6] = ["pgn", "jsonl", "csv", "html", "summary", "summary-csv"];

/// `games` without an output.
fn program_with_limits(input: &str) -> Command {
    let mut command = program();
    command.args(["games", input, "--nodes", "1500", "--hash", "1", "--quiet"]);
    command
}

/// `games` with all its results in `folder`.
fn games(input: &str, folder: &Path, more: &[&str]) -> Command {
    let mut command = program_with_limits(input);
    command.args(more);
    outputs(&mut command, folder);
    command
}

fn outputs(command: &mut Command, folder: &Path) {
    for kind in OUTPUTS {
        command
            .arg(format!("--{kind}"))
            .arg(folder.join(format!("out.{kind}")));
    }
    command.arg("--png").arg(folder.join("graphs"));
    command.arg("--html-folder").arg(folder.join("report"));
}

/// All results, name and contents.
fn results(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<PathBuf> = OUTPUTS
        .iter()
        .map(|kind| folder.join(format!("out.{kind}")))
        .collect();
    for inner in ["graphs", "report", "report/data"] {
        let mut files: Vec<PathBuf> = fs::read_dir(folder.join(inner))
            .expect("there is a folder")
            .map(|entry| entry.expect("it can be read").path())
            .filter(|path| path.is_file())
            .collect();
        files.sort();
        all.append(&mut files);
    }
    all.iter()
        .map(|path| {
            let name = path
                .file_name()
                .expect("it has a name")
                .to_string_lossy()
                .into_owned();
            (
                name,
                fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())),
            )
        })
        .collect()
}

/// The same, where a difference is named and not printed in full.
fn assert_same(left: &[(String, Vec<u8>)], right: &[(String, Vec<u8>)], what: &str) {
    assert_eq!(left.len(), right.len(), "{what}");
    for ((name, left), (other, right)) in left.iter().zip(right) {
        assert_eq!(name, other, "{what}");
        assert!(left == right, "{what}: {name} is not the same");
    }
}

#[test]
fn the_results_say_what_they_should() {
    let folder = folder();
    let input = write(folder.path(), "in.pgn", GAMES.as_bytes());
    let output = run(&mut games(
        &input,
        folder.path(),
        &["--threads", "1", "--multipv", "2"],
    ));
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(
        printed.contains("line 12: game 2 (C - D): move 2. Ke3 is not legal"),
        "{printed}"
    );

    let pgn = fs::read(folder.path().join("out.pgn")).unwrap();
    let games: Vec<_> = Games::new(&pgn[..])
        .collect::<Result<_, ReadError>>()
        .unwrap();
    assert_eq!(games.len(), 3);
    for game in &games {
        for id in game.mainline() {
            let evals = game
                .node(id)
                .comments
                .iter()
                .filter_map(|text| EvalTag::find(text));
            assert_eq!(evals.count(), 1, "one evaluation a move:\n{game}");
        }
    }
    let text = String::from_utf8(pgn).unwrap().replace('\n', " ");
    assert!(
        text.contains("[%clk 0:05:00]") && text.contains("[%clk 0:04:59] hm"),
        "{text}"
    );
    assert!(text.contains("2. g4 $4 { [%eval #-1"), "{text}");
    assert!(text.contains("(2. d4 exd4)"), "{text}");
    assert!(text.contains("Qh4# { [%eval #0] }"), "{text}");
    assert!(text.contains("[ECO \"A00\"]"), "{text}");

    let jsonl = fs::read_to_string(folder.path().join("out.jsonl")).unwrap();
    let lines: Vec<serde_json::Value> = jsonl
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(
        lines
            .iter()
            .all(|line| line["schema"] == "skewer-analyse/1")
    );
    let kinds: Vec<_> = lines
        .iter()
        .map(|line| line["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["header", "game", "bad", "game", "game"]);
    let first = &lines[1];
    assert_eq!(first["moves"][2]["label"], "blunder");
    assert_eq!(first["moves"][3]["eval"]["mate"], 0);
    assert_eq!(first["moves"][0]["clock"], 300.0);
    assert!(first["moves"][0]["gap"].is_i64());
    assert_eq!(first["players"]["white"]["blunders"], 1);
    assert_eq!(first["players"]["black"]["blunders"], 0);
    assert_eq!(lines[4]["opening"]["eco"].as_str().unwrap().len(), 3);
    for game in lines.iter().filter(|line| line["kind"] == "game") {
        for mv in game["moves"].as_array().unwrap() {
            let wdl = mv["wdl"].as_array().unwrap();
            assert_eq!(
                wdl.iter().map(|part| part.as_u64().unwrap()).sum::<u64>(),
                1000
            );
            let accuracy = mv["accuracy"].as_f64().unwrap();
            assert!((0.0..=100.0).contains(&accuracy));
        }
    }

    let csv = fs::read_to_string(folder.path().join("out.csv")).unwrap();
    // A header and a row for each of 4, 8 and 20 half-moves.
    assert_eq!(csv.lines().count(), 1 + 4 + 8 + 20);
    let html = fs::read_to_string(folder.path().join("out.html")).unwrap();
    assert!(html.contains("A \\u003cb>"), "names cannot become markup");
    assert!(html.contains("default-src 'none'"), "nothing is loaded");
    for outside in ["src=\"http", "src='http", "url(", "@import", "<link"] {
        assert!(!html.contains(outside), "{outside}");
    }
    for graph in results(folder.path())
        .iter()
        .filter(|(name, _)| name.starts_with("game-"))
    {
        assert!(graph.1.starts_with(b"\x89PNG\r\n\x1a\n"));
    }
}

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

    // A shard that is missing is said, and nothing is written.
    let few = folder();
    let mut merge = program();
    merge
        .args(["merge", &file, "--quiet", "--from"])
        .args(&journals[..2]);
    outputs(&mut merge, few.path());
    let output = merge.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("do not have all of game"));
    assert!(!few.path().join("out.pgn").exists());
}

/// A random number that is different in every run.
fn random() -> u64 {
    use std::hash::{BuildHasher as _, Hasher as _};
    std::collections::hash_map::RandomState::new()
        .build_hasher()
        .finish()
}

#[test]
fn ten_times_killed_and_nothing_lost_or_done_twice() {
    let undisturbed = folder();
    let file = write(undisturbed.path(), "in.pgn", GAMES.repeat(12).as_bytes());
    let journal = undisturbed.path().join("journal");
    let journal = journal.to_str().unwrap();
    let started = std::time::Instant::now();
    run(&mut games(
        &file,
        undisturbed.path(),
        &["--threads", "2", "--journal", journal],
    ));
    let whole = started.elapsed();
    let size = fs::metadata(journal).unwrap().len();

    let disturbed = folder();
    let journal = disturbed.path().join("journal");
    let journal = journal.to_str().unwrap();
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
        let share = 0.05 + 0.15 * (random() % 1000) as f64 / 1000.0;
        std::thread::sleep(whole.mul_f64(share).max(Duration::from_millis(5)));
        child.kill().unwrap(); // SIGKILL on Unix
        child.wait().unwrap();
        let now = fs::metadata(journal).map_or(0, |file| file.len());
        assert!(now >= kept, "the journal has lost something");
        kept = now;
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
    // Nothing was done twice: there is one record for each game, and they are as large as those.
    assert_eq!(fs::metadata(journal).unwrap().len(), size);
    // And once more there is nothing to do.
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
fn what_evaluates_can_be_chosen_and_is_said() {
    let folder = folder();
    let input = write(folder.path(), "in.pgn", GAMES.as_bytes());
    run(&mut games(&input, folder.path(), &["--eval", "hce"]));
    let jsonl = fs::read_to_string(folder.path().join("out.jsonl")).expect("it is there");
    let header = jsonl.lines().next().expect("a header");
    assert!(header.contains("eval=hand-written"), "{header}");

    let output = games(&input, folder.path(), &["--eval", "no/such.nnue"])
        .output()
        .expect("the program runs");
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && printed.contains("no/such.nnue"),
        "{printed}"
    );
}

#[test]
fn endgame_tables_are_used() {
    let bad = program()
        .args(["position", "startpos", "--syzygy", "no/such/folder"])
        .output()
        .expect("the program runs");
    let printed = String::from_utf8_lossy(&bad.stderr);
    assert!(
        !bad.status.success() && printed.contains("no/such/folder"),
        "{printed}"
    );

    let tables = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../crates/syzygy/tests/data"
    );
    // Won, but no search of a few nodes can know that.
    let ending = "8/8/8/4k3/8/8/8/KBN5 w - - 0 1";
    let output = run(program()
        .args(["position", ending, "--nodes", "100", "--threads", "1"])
        .args(["--json", "--syzygy", tables]));
    let found = String::from_utf8_lossy(&output.stdout);
    let cp: i32 = found
        .split_once("\"cp\":")
        .and_then(|(_, rest)| rest.split([',', '}']).next())
        .and_then(|cp| cp.parse().ok())
        .unwrap_or_else(|| panic!("no score in {found}"));
    assert!(cp > 10_000, "{found}");
}

#[test]
fn a_journal_knows_its_settings_and_its_games() {
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
fn compressed_files_and_the_standard_input() {
    let folder = folder();
    let plain = GAMES.as_bytes();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(plain).unwrap();
    let mut bz2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bz2.write_all(plain).unwrap();
    let files = [
        ("plain", plain.to_vec()),
        ("gz", gz.finish().unwrap()),
        ("bz2", bz2.finish().unwrap()),
        ("zst", zstd::encode_all(plain, 1).unwrap()),
    ];
    let mut expected: Option<Vec<u8>> = None;
    let arguments = ["--nodes", "500", "--hash", "1", "--quiet", "--pgn", "-"];
    for (name, bytes) in files {
        let file = write(folder.path(), name, &bytes);
        let found = run(program().args(["games", &file]).args(arguments)).stdout;
        let mut child = program()
            .args(["games", "-"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(&bytes).unwrap();
        let piped = child.wait_with_output().unwrap().stdout;
        assert!(found == piped, "{name}: a file and a pipe");
        let expected = expected.get_or_insert_with(|| found.clone());
        assert!(!found.is_empty() && found == *expected, "{name}");
    }
    let output = program()
        .args(["games", "/no/such/file", "--quiet"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("/no/such/file"));
}

#[test]
fn suites_are_solved_and_the_exit_code_says_so() {
    let folder = folder();
    let suite = concat!(
        "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; dm 1; id \"back rank\";\n",
        "6k1/5ppp/8/8/8/8/8/R5K1 w - - am Ra8#; id \"never\";\n",
        "nonsense\n",
        "k7/8/8/8/8/8/8/K6R w - - id \"nothing to find\";\n",
    );
    let file = write(folder.path(), "suite.epd", suite.as_bytes());
    let solve = |more: &[&str]| {
        program()
            .args(["suite", &file, "--nodes", "3000", "--threads", "2"])
            .args(more)
            .output()
            .unwrap()
    };
    let output = solve(&[]);
    assert_eq!(output.status.code(), Some(1));
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        printed.contains("back rank: bm Ra8#, dm 1: solved"),
        "{printed}"
    );
    assert!(
        printed.contains("never: am Ra8#: not solved, Ra8#"),
        "{printed}"
    );
    assert!(printed.contains("1 of 2 solved"), "{printed}");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        errors.contains("line 3: not a position") && errors.contains("line 4: no bm, am or dm")
    );
    assert_eq!(solve(&["--at-least", "1"]).status.code(), Some(0));
}

#[test]
fn one_position() {
    let mate = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    let output =
        run(program().args(["position", mate, "--depth", "4", "--threads", "1", "--json"]));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["lines"][0]["mate"], 1);
    assert_eq!(found["lines"][0]["moves"][0], "Ra8#");
    let output = run(program().args([
        "position",
        "startpos",
        "--nodes",
        "5000",
        "--multipv",
        "3",
        "--quiet",
    ]));
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        printed
            .lines()
            .filter(|line| line.starts_with("depth"))
            .count(),
        3,
        "{printed}"
    );
    assert_eq!(
        printed.lines().last().unwrap().split(' ').count(),
        3,
        "{printed}"
    );
    for wrong in ["x", "7k/5Q2/5K2/8/8/8/8/8 b - -"] {
        assert_eq!(
            program()
                .args(["position", wrong])
                .output()
                .unwrap()
                .status
                .code(),
            Some(2)
        );
    }
}

/// Runs and returns the exit code, the standard output and the standard error output.
fn printed(command: &mut Command) -> (Option<i32>, String, String) {
    let output = command.output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

#[test]
fn without_an_output_there_is_a_summary() {
    let folder = folder();
    let file = write(folder.path(), "in.pgn", GAMES.as_bytes());
    let (code, out, _) = printed(program().args(["games", &file, "--nodes", "500", "--hash", "1"]));
    assert_eq!(code, Some(0));
    assert!(out.contains("A <b>") && out.contains("accuracy"), "{out}");
    assert!(out.contains("    2  not read"), "{out}");
    assert!(out.contains("--html"), "{out}");
}

#[test]
fn an_output_that_is_an_input_or_another_output_is_refused() {
    let folder = folder();
    let file = write(folder.path(), "in.pgn", GAMES.as_bytes());
    let link = folder.path().join("link.pgn");
    std::os::unix::fs::symlink(&file, &link).unwrap();
    let link = link.to_str().unwrap();
    let hard = folder.path().join("hard.pgn");
    fs::hard_link(&file, &hard).unwrap();
    let hard = hard.to_str().unwrap();
    let spelling = format!("{}/./in.pgn", folder.path().display());
    let suite = write(
        folder.path(),
        "x.epd",
        b"6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#;\n",
    );
    let other = folder.path().join("other").to_str().unwrap().to_owned();
    let commands: [&[&str]; 9] = [
        &["games", &file, "--jsonl", &file],
        &["games", &file, "--csv", link],
        &["games", &file, "--csv", hard],
        &["games", &file, "--summary", &spelling],
        &["games", &file, "--html", &file],
        &["games", &file, "--journal", &file],
        &["games", &file, "--journal", &other, "--jsonl", &other],
        &["games", &file, "--pgn", &other, "--csv", &other],
        &["suite", &suite, "--jsonl", &suite],
    ];
    for command in commands {
        let (code, _, errors) = printed(program().args(command));
        assert_eq!(code, Some(2), "{command:?}: {errors}");
        assert!(errors.contains("choose another"), "{command:?}: {errors}");
    }
    assert_eq!(fs::read(&file).unwrap(), GAMES.as_bytes());
    assert!(!Path::new(&other).exists());
}

#[test]
fn a_device_is_written_to() {
    let folder = folder();
    let file = write(folder.path(), "in.pgn", GAMES.as_bytes());
    run(program().args([
        "games",
        &file,
        "--nodes",
        "200",
        "--quiet",
        "--csv",
        "/dev/null",
    ]));
    let kind = fs::metadata("/dev/null").unwrap();
    assert!(!kind.is_file(), "/dev/null is a device still");
    let (code, _, errors) = printed(program().args([
        "games",
        &file,
        "--nodes",
        "200",
        "--quiet",
        "--csv",
        "/dev/full",
    ]));
    assert_eq!(code, Some(2));
    assert!(errors.contains("/dev/full"), "{errors}");
    assert_eq!(errors.matches("No space left").count(), 1, "{errors}");
}

/// A link stays a link, a pipe stays a pipe, and what others print to the standard output is not
/// overwritten.
#[cfg(unix)]
#[test]
fn links_pipes_and_descriptors_are_written_to() {
    let folder = folder();
    let file = write(folder.path(), "in.pgn", b"1. e4 e5 *\n");
    let at = |name: &str| folder.path().join(name);
    let csv = |path: &Path| {
        let mut command = program();
        command.args(["games", &file, "--nodes", "50", "--quiet", "--csv"]);
        run(command.arg(path));
    };
    csv(&at("plain"));
    let table = fs::read_to_string(at("plain")).unwrap();
    assert_eq!(table.lines().count(), 3, "a heading and two moves: {table}");

    fs::write(at("target"), "old").unwrap();
    std::os::unix::fs::symlink("target", at("link")).unwrap();
    csv(&at("link"));
    assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(at("target")).unwrap(), table);

    let made = Command::new("mkfifo").arg(at("pipe")).status().unwrap();
    assert!(made.success());
    let reader = std::thread::spawn({
        let path = at("pipe");
        move || fs::read_to_string(path).unwrap()
    });
    csv(&at("pipe"));
    assert!(!fs::metadata(at("pipe")).unwrap().is_file());
    assert_eq!(reader.join().unwrap(), table);

    for descriptor in ["/dev/fd/1", "/dev/stdout", "/proc/self/fd/1"] {
        let script = format!(
            "(echo before; {} games {file} --nodes 50 --quiet --csv {descriptor}; echo after) > {}",
            env!("CARGO_BIN_EXE_skewer-analyse"),
            at("printed").display()
        );
        run(Command::new("sh").args(["-c", &script]));
        let printed = fs::read_to_string(at("printed")).unwrap();
        assert_eq!(printed, format!("before\n{table}after\n"), "{descriptor}");
    }
}

/// The limit of one block (512 or 1,024 bytes) is below the size of the tables. The first is
/// written when it is complete, and the second, which is larger than every buffer, before.
#[cfg(unix)]
#[test]
fn a_file_size_limit_is_an_error_like_a_full_disk() {
    let folder = folder();
    let csv = write(folder.path(), "out.csv", b"old");
    for games in [GAMES.to_owned(), "1. e4 e5 2. Nf3 Nc6 *\n\n".repeat(1500)] {
        let file = write(folder.path(), "in.pgn", games.as_bytes());
        let command = format!(
            "ulimit -f 1; exec {} games {file} --nodes 1 --quiet --csv {csv}",
            env!("CARGO_BIN_EXE_skewer-analyse")
        );
        let (code, _, errors) = printed(Command::new("sh").args(["-c", &command]));
        assert_eq!(code, Some(2), "{errors}");
        assert_eq!(errors.matches("File too large").count(), 1, "{errors}");
        assert_eq!(fs::read(&csv).unwrap(), b"old");
    }
}

/// A report replaces a report, and nothing else.
#[test]
fn a_report_does_not_replace_the_files_of_others() {
    let folder = folder();
    let file = write(folder.path(), "in.pgn", b"1. e4 e5 *\n");
    let report = folder.path().join("report");
    let command = || {
        let mut command = program();
        command.args(["games", &file, "--nodes", "50", "--quiet", "--html-folder"]);
        command.arg(&report);
        command
    };
    for name in [
        "index.html",
        "report.css",
        "report.js",
        "data/games.pgn",
        "data/index.js",
        "data/inner/0.js",
        "data.unfinished/games.pgn",
    ] {
        let path = report.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, b"\xffmine").unwrap();
        let (code, _, errors) = printed(&mut command());
        assert_eq!(code, Some(2), "{name}: {errors}");
        assert!(errors.contains("choose another folder"), "{name}: {errors}");
        assert_eq!(fs::read(&path).unwrap(), b"\xffmine", "{name}");
        fs::remove_dir_all(&report).unwrap();
    }
    // Left by a run that was killed.
    fs::create_dir_all(report.join("data.unfinished")).unwrap();
    for name in ["0.js", "engine.js", ".1.js.99999-0.part"] {
        fs::write(report.join("data.unfinished").join(name), "half").unwrap();
    }
    run(&mut command());
    assert!(!report.join("data.unfinished").exists());
    // A report of this program.
    fs::write(report.join("data/7.js"), "of more games").unwrap();
    run(&mut command());
    assert!(report.join("data/0.js").exists() && !report.join("data/7.js").exists());
    fs::write(report.join("data/notes.txt"), "mine").unwrap();
    let (code, _, errors) = printed(&mut command());
    assert_eq!(code, Some(2), "{errors}");
    assert_eq!(
        fs::read_to_string(report.join("data/notes.txt")).unwrap(),
        "mine"
    );
}

#[test]
fn input_without_a_game_is_an_error() {
    let folder = folder();
    let random: Vec<u8> = (0..4000_u32).map(|n| (n * n / 7 % 251) as u8).collect();
    let variant = b"[Variant \"Crazyhouse\"]\n\n1. e4 e5 *\n";
    for (name, bytes) in [
        ("empty", &b""[..]),
        ("random", &random),
        ("variant", variant),
    ] {
        let file = write(folder.path(), name, bytes);
        let (code, _, errors) = printed(program().args(["games", &file, "--csv", "-"]));
        assert_eq!(code, Some(2), "{name}: {errors}");
        assert!(errors.contains("no game in"), "{name}: {errors}");
    }
    let pgn = write(folder.path(), "in.pgn", GAMES.as_bytes());
    let (code, _, errors) = printed(program().args(["suite", &pgn]));
    assert_eq!(code, Some(2));
    assert!(errors.contains("holds games (PGN)"), "{errors}");
    // A second file that is not there is found before the first is analysed.
    let csv = folder.path().join("out.csv");
    let (code, _, errors) = printed(
        program()
            .args(["games", &pgn, "/no/such/file", "--csv"])
            .arg(&csv),
    );
    assert_eq!((code, csv.exists()), (Some(2), false));
    assert!(errors.contains("/no/such/file"), "{errors}");
    let (code, _, errors) = printed(program().args(["games", &pgn, "--nodes", "0"]));
    assert_eq!(code, Some(2), "{errors}");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = folder();
    let file = write(folder.path(), "in.pgn", GAMES.repeat(40).as_bytes());
    let mut child = program()
        .args(["games", &file, "--nodes", "50", "--quiet", "--csv", "-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!errors.contains("pipe"), "{errors}");
}

#[test]
fn text_of_a_file_cannot_control_the_terminal() {
    let folder = folder();
    let bad = "[White \"\u{1b}[31mC\"]\n[Black \"D\"]\n\n1. e4 e5 2. Ke3 *\n\n1. e4 *\n";
    let file = write(folder.path(), "in.pgn", bad.as_bytes());
    let (_, out, errors) = printed(program().args(["games", &file, "--nodes", "50"]));
    assert!(
        !out.contains('\u{1b}') && !errors.contains('\u{1b}'),
        "{errors:?}"
    );
}

#[test]
fn a_damaged_journal_says_how_to_go_on() {
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
            .strip_prefix("resuming: ")
            .expect("a journal")
            .to_owned();
        let (number, _) = rest.split_once(' ').expect("a number");
        number.parse::<u32>().expect("a number")
    };
    let repaired = kept(&["--repair-journal"]);
    let all = kept(&[]);
    assert_eq!((repaired, all > 4), (all - 1, true), "of {all}");
    fs::write(journal, &bytes).unwrap();
    let more = ["--journal", journal, "--repair-journal"];
    run(&mut games(&file, again.path(), &more));
    assert_same(&undisturbed, &results(again.path()), "repaired");
    // An empty journal is a new one.
    fs::write(journal, b"").unwrap();
    run(&mut games(&file, again.path(), &["--journal", journal]));
}

#[test]
fn a_player_is_aggregated_under_all_names() {
    let folder = folder();
    let file = write(folder.path(), "in.pgn", GAMES.as_bytes());
    let summary = |names: &[&str]| {
        let mut command = program();
        command.args([
            "games",
            &file,
            "--nodes",
            "200",
            "--quiet",
            "--summary",
            "-",
        ]);
        for name in names {
            command.args(["--player", name]);
        }
        printed(&mut command)
    };
    let (code, out, _) = summary(&["b", "G"]);
    assert_eq!(code, Some(0));
    let found: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(found["schema"], "skewer-summary/1");
    assert_eq!(found["player"]["total"]["games"], 2);
    assert_eq!(found["player"]["total"]["wins"], 2);
    assert_eq!(found["all"]["total"]["games"], 6);
    let (code, out, errors) = summary(&["Nobody"]);
    assert_eq!(code, Some(2));
    assert!(errors.contains("no game has the player Nobody"), "{errors}");
    assert!(serde_json::from_str::<serde_json::Value>(&out).is_ok());
}

#[test]
fn spreadsheets_take_no_name_for_a_formula() {
    let folder = folder();
    let text = "[White \"=HYPERLINK(1)\"]\n[Black \"@B\"]\n[Event \"+1\"]\n\n1. e4 -- 2. d4 *\n";
    let file = write(folder.path(), "in.pgn", text.as_bytes());
    let output = run(program().args(["games", &file, "--nodes", "50", "--quiet", "--csv", "-"]));
    let mut rows = csv::Reader::from_reader(&output.stdout[..]);
    let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 3);
    assert_eq!((&rows[0][3], &rows[0][4]), ("'=HYPERLINK(1)", "'@B"));
    assert_eq!((&rows[0][11], &rows[1][17]), ("'+1", "'--"));
}

#[test]
fn the_report_carries_the_engine_that_is_given() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let input = write(folder.path(), "games.pgn", GAMES.as_bytes());
    // The least file of WebAssembly: its magic number and version.
    let program = b"\0asm\x01\0\0\0";
    let engine = write(folder.path(), "engine.wasm", program);
    let command = |outputs: &[&str]| {
        let mut command = program_with_limits(&input);
        command.args(outputs);
        command
    };
    let (html, without, pages) = (at("with.html"), at("without.html"), at("pages"));
    run(&mut command(&[
        "--html",
        &html,
        "--html-folder",
        &pages,
        "--page-engine",
        &engine,
    ]));
    run(&mut command(&["--html", &without, "--page-engine", "none"]));

    let (html, without) = (
        fs::read_to_string(html).unwrap(),
        fs::read_to_string(without).unwrap(),
    );
    let script = "id=\"data-engine\">";
    let (_, carried) = html.split_once(script).expect("an engine");
    let (carried, _) = carried.split_once('<').expect("an end");
    let packed = BASE64_STANDARD.decode(carried).expect("base64");
    let mut unpacked = Vec::new();
    GzDecoder::new(&packed[..])
        .read_to_end(&mut unpacked)
        .expect("gzip");
    assert_eq!(unpacked, program);
    assert!(html.contains("'wasm-unsafe-eval'") && html.contains("\"engine\":true"));
    assert!(!without.contains(script) && !without.contains("wasm-unsafe-eval"));
    assert!(without.contains("\"engine\":false"));
    let file = fs::read_to_string(Path::new(&pages).join("data/engine.js")).unwrap();
    assert_eq!(file, format!("skewer.engine(\"{carried}\");\n"));

    let missing = at("missing.wasm");
    for (engine, wanted) in [
        (&input, "is not a WebAssembly file"),
        (&missing, "cannot read"),
    ] {
        let refused = command(&["--html", &at("x.html"), "--page-engine", engine])
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{errors}");
        assert!(
            errors.contains(wanted) && errors.lines().count() == 1,
            "{errors}"
        );
    }
    let refused = command(&["--html", &engine, "--page-engine", &engine])
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(2), "an output that is an input");
    assert_eq!(fs::read(&engine).unwrap(), program);
}

#[test]
fn one_file_is_for_a_bounded_number_of_games() {
    let folder = folder();
    let file = write(
        folder.path(),
        "in.pgn",
        "1. e4 *\n\n".repeat(1001).as_bytes(),
    );
    let html = folder.path().join("out.html");
    let (code, _, errors) = printed(program().args(["games", &file, "--html"]).arg(&html));
    assert_eq!((code, html.exists()), (Some(2), false));
    assert!(errors.contains("--html-folder"), "{errors}");
}
