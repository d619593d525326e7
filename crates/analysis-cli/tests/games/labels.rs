//! Labels of positions: their inputs, the same bytes with any number of workers and shards and after interruptions, and
//! their verification.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use sha2::Digest as _;

use crate::{GAMES, folder, printed, program, run, write};

/// Positions: a FEN, EPD with an `id`, mate on the board, stalemate, and a bad line.
const POSITIONS: &str = "\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
# a comment
6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id \"back rank\";
R5k1/5ppp/8/8/8/8/8/6K1 b - - 1 1
7k/5Q2/6K1/8/8/8/8/8 b - - 0 1
nonsense
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3
";

fn positions(input: &str) -> Command {
    let mut command = program();
    command.args([
        "positions",
        input,
        "--nodes",
        "800",
        "--hash",
        "1",
        "--quiet",
    ]);
    command
}

fn lines(text: &[u8]) -> Vec<Value> {
    let text = String::from_utf8_lossy(text);
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn positions_are_labelled() {
    let folder = folder();
    let file = write(folder.path(), "in.epd", POSITIONS.as_bytes());
    let output = run(&mut positions(&file));
    let labels = lines(&output.stdout);
    let numbers: Vec<u64> = labels
        .iter()
        .map(|label| label["number"].as_u64().unwrap())
        .collect();
    // The bad line has its number.
    assert_eq!(numbers, [1, 2, 3, 4, 6]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("line 6: not a position"), "{errors}");
    let [start, mate, mated, stalemate, italian] = &labels[..] else {
        panic!("{labels:?}");
    };
    assert!(start["cp"].is_i64() && start["nodes"].as_u64() >= Some(800));
    assert_eq!(
        (&mate["mate"], &mate["best"]),
        (&Value::from(1), &Value::from("a1a8"))
    );
    assert_eq!(mate["id"], "back rank");
    assert_eq!(
        (&mated["mate"], &mated["best"]),
        (&Value::from(0), &Value::Null)
    );
    assert_eq!(
        (&mated["win"], &stalemate["cp"]),
        (&Value::from(1000), &Value::from(0))
    );
    assert_eq!(stalemate["draw"], 1000);
    assert_eq!(italian["line"], 7);
}

/// A line or a game that cannot be read makes the exit status 1. A shard leaves that to the command that joins the
/// shards. A file in which nothing can be read has no positions.
#[test]
fn what_cannot_be_read_sets_the_exit_status() {
    let folder = folder();
    let lines = write(folder.path(), "in.epd", POSITIONS.as_bytes());
    let games = write(folder.path(), "in.pgn", GAMES.as_bytes());
    let bad = write(folder.path(), "bad.epd", b"8/8/8/8/8/8/8/8 w - -\n");
    let both = "5 positions have labels; 1 line or game could not be read and was left out";
    for (file, shard, code, said) in [
        (&lines, "1/1", 1, both),
        (&lines, "1/2", 0, "2 positions have labels; 1 line or game"),
        (&lines, "2/2", 0, ""),
        (&games, "1/1", 1, "35 positions have labels; 1 line or game"),
        (&bad, "1/1", 2, "no position in"),
    ] {
        let (status, _, errors) = printed(positions(file).args(["--shard", shard]));
        assert_eq!(status, Some(code), "{file} {shard}: {errors}");
        assert!(errors.contains(said), "{file} {shard}: {errors}");
    }
}

#[test]
fn the_positions_of_games_are_labelled_from_compressed_input_and_pipes() {
    let folder = folder();
    let packed = zstd::encode_all(GAMES.as_bytes(), 1).unwrap();
    let file = write(folder.path(), "in.pgn.zst", &packed);
    let found = run(&mut positions(&file)).stdout;
    let labels = lines(&found);
    // 5, 9 and 21 positions; the bad game between them has a number as well.
    assert_eq!(labels.len(), 5 + 9 + 21);
    assert_eq!(
        (&labels[4]["ply"], &labels[4]["mate"]),
        (&Value::from(4), &Value::from(0))
    );
    let mut command = positions("-");
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&packed).unwrap();
    let piped = lines(&child.wait_with_output().unwrap().stdout);
    assert_eq!(piped.len(), labels.len());
    assert_eq!(piped[20]["cp"], labels[20]["cp"]);
}

#[test]
fn several_lines_of_a_position_are_several_rows() {
    let folder = folder();
    let file = write(folder.path(), "in.epd", POSITIONS.as_bytes());
    let output = run(positions(&file).args(["--multipv", "3", "--csv", "-"]));
    let mut rows = csv::Reader::from_reader(&output.stdout[..]);
    let ranks: Vec<String> = rows
        .records()
        .map(|row| row.unwrap()[1].to_owned())
        .collect();
    assert_eq!(
        ranks,
        ["1", "2", "3", "1", "2", "3", "1", "1", "1", "2", "3"]
    );
}

/// The labels in a folder, as JSON Lines and as CSV.
fn results(folder: &Path) -> Vec<Vec<u8>> {
    ["out.jsonl", "out.csv"]
        .iter()
        .map(|name| fs::read(folder.join(name)).unwrap())
        .collect()
}

fn into(mut command: Command, folder: &Path) -> Command {
    command.arg("--jsonl").arg(folder.join("out.jsonl"));
    command.arg("--csv").arg(folder.join("out.csv"));
    command
}

#[test]
fn workers_shards_and_interruptions_give_the_same_bytes() {
    let whole = folder();
    let file = write(whole.path(), "in.epd", POSITIONS.repeat(60).as_bytes());
    let started = std::time::Instant::now();
    run(into(positions(&file), whole.path()).args(["--threads", "1"]));
    let time = started.elapsed();
    let expected = results(whole.path());

    let many = folder();
    run(into(positions(&file), many.path()).args(["--threads", "3"]));
    assert!(results(many.path()) == expected, "three workers");

    let shards = folder();
    let journals = [1, 2].map(|part| shards.path().join(format!("{part}.journal")));
    for (part, journal) in (1..).zip(&journals) {
        let shard = format!("{part}/2");
        run(positions(&file)
            .args(["--shard", &shard, "--journal"])
            .arg(journal));
    }
    let mut merge = program();
    merge
        .args(["positions", &file, "--quiet", "--from"])
        .args(&journals);
    run(&mut into(merge, shards.path()));
    assert!(results(shards.path()) == expected, "shards");
    let manifest = shards.path().join("out.jsonl.manifest.json");
    let (code, _, errors) = printed(program().arg("verify").arg(manifest));
    assert_eq!(code, Some(0), "{errors}");

    let killed = folder();
    let journal = killed.path().join("journal");
    for _ in 0..10 {
        let mut command = into(positions(&file), killed.path());
        command.args(["--threads", "2", "--journal"]).arg(&journal);
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep((time / 20).max(Duration::from_millis(5)));
        child.kill().unwrap(); // SIGKILL on Unix
        child.wait().unwrap();
    }
    let mut command = into(positions(&file), killed.path());
    run(command.arg("--journal").arg(&journal));
    assert!(results(killed.path()) == expected, "killed ten times");
}

/// Joined labels have the settings of their journals. Other settings are refused, and the same settings are not.
#[test]
fn joined_labels_take_no_settings() {
    let folder = folder();
    let file = write(folder.path(), "in.epd", POSITIONS.as_bytes());
    let journal = folder.path().join("journal");
    run(positions(&file).arg("--journal").arg(&journal));
    for more in [&["--nodes", "801"][..], &["--hash", "2"], &["--depth", "3"]] {
        let mut command = program();
        command.args(["positions", &file]).args(more).arg("--from");
        let (code, _, errors) = printed(command.arg(&journal));
        assert_eq!(code, Some(2), "{errors}");
        assert!(errors.contains("the journals were made with"), "{errors}");
    }
    run(positions(&file).arg("--from").arg(&journal));
}

/// What contradicts a game is named where its positions are labelled, too, and once for the game.
#[test]
fn contradictions_in_games_are_named() {
    let folder = folder();
    let game = b"[White \"A\"]\n[White \"B\"]\n\n1. e4 e5 2. Nf3 *\n";
    let file = write(folder.path(), "in.pgn", game);
    let (code, _, errors) = printed(&mut positions(&file));
    assert_eq!(code, Some(0), "{errors}");
    let named = "in.pgn: line 1, column 1: the tag White stands twice, with two values; the last one counts";
    assert!(errors.contains(named), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
}

#[test]
fn only_a_shard_may_have_no_position() {
    let folder = folder();
    let file = write(folder.path(), "in.epd", POSITIONS.as_bytes());
    let (code, _, errors) = printed(positions(&file).args(["--shard", "9/9"]));
    assert_eq!(code, Some(0), "{errors}");
    let file = write(folder.path(), "empty.epd", b"");
    let (code, _, errors) = printed(&mut positions(&file));
    assert_eq!(code, Some(2));
    assert!(errors.contains("no position in"), "{errors}");
}

#[test]
fn a_manifest_that_cannot_be_written_is_noticed_before_the_work() {
    let folder = folder();
    let file = write(folder.path(), "in.epd", POSITIONS.as_bytes());
    let manifest = folder.path().join("none/manifest");
    let mut command = into(positions(&file), folder.path());
    let (code, _, errors) = printed(command.arg("--manifest").arg(manifest));
    assert_eq!(code, Some(2), "{errors}");
    assert!(!folder.path().join("out.csv").exists());
}

#[test]
fn chess960_on_the_files_of_standard_chess_is_verified() {
    let folder = folder();
    let game = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
                [FEN \"r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1\"]\n\n1. O-O O-O-O *\n";
    let file = write(folder.path(), "in.pgn", game.as_bytes());
    let csv = folder.path().join("out.csv");
    run(positions(&file).arg("--csv").arg(&csv));
    assert!(fs::read_to_string(csv).unwrap().contains(" HAha "));
    let manifest = folder.path().join("out.csv.manifest.json");
    let mut verify = program();
    verify.arg("verify").arg(manifest);
    let (code, out, errors) = printed(verify.args(["--sample", "100%"]));
    assert_eq!(code, Some(0), "{out}{errors}");
}

/// If a file cannot be compared, `verify` says so, and the exit code is 1.
#[test]
fn verify_fails_if_a_file_cannot_be_read_again() {
    let folder = folder();
    let file = write(folder.path(), "in.epd", POSITIONS.as_bytes());
    let manifest = folder.path().join("manifest");
    let csv = folder.path().join("out.csv");
    for more in [vec!["--csv".as_ref(), csv.as_os_str()], vec![]] {
        let mut command = positions(&file);
        command.args(["--jsonl", "-", "--manifest"]).arg(&manifest);
        run(command.args(more));
        let (code, out, errors) = printed(program().arg("verify").arg(&manifest));
        assert_eq!(code, Some(1), "{out}{errors}");
        assert!(out.contains("-: not compared: "), "{out}{errors}");
    }
    let mut command = positions("-");
    command
        .arg("--csv")
        .arg(&csv)
        .stdin(fs::File::open(&file).unwrap());
    run(&mut command);
    let manifest = folder.path().join("out.csv.manifest.json");
    let (code, out, errors) = printed(program().arg("verify").arg(manifest));
    assert_eq!(code, Some(1), "{out}{errors}");
    assert!(out.contains("-: not compared: "), "{out}{errors}");
}

/// The fingerprint is of the bytes of the file, compressed or not, also if the file is a pipe or has more bytes than
/// were needed.
#[test]
fn fingerprints_are_of_what_was_read_and_written() {
    let folder = folder();
    let packed = zstd::encode_all(POSITIONS.as_bytes(), 1).unwrap();
    let file = write(folder.path(), "in.epd.zst", &packed);
    let csv = folder.path().join("out.csv");
    let marks = |command: &mut Command| {
        run(command.arg("--csv").arg(&csv));
        let manifest = fs::read(folder.path().join("out.csv.manifest.json")).unwrap();
        let manifest: Value = serde_json::from_slice(&manifest).unwrap();
        ["inputs", "outputs"].map(|kind| manifest[kind][0]["sha256"].as_str().unwrap().to_owned())
    };
    let sum = |bytes: &[u8]| format!("{:x}", sha2::Sha256::digest(bytes));
    let whole = marks(&mut positions(&file));
    assert_eq!(whole, [sum(&packed), sum(&fs::read(&csv).unwrap())]);
    let part = marks(positions(&file).args(["--shard", "1/3"]));
    assert_eq!(part, [sum(&packed), sum(&fs::read(&csv).unwrap())]);
    let mut piped = positions("-");
    let piped = marks(piped.stdin(fs::File::open(&file).unwrap()));
    assert_eq!(piped[0], sum(&packed));
}

/// A shard without positions has a table all the same, which can be joined to the others.
#[test]
fn an_empty_shard_has_the_heading_of_its_table() {
    let folder = folder();
    let lines = write(folder.path(), "in.epd", POSITIONS.as_bytes());
    let games = write(folder.path(), "in.pgn", b"1. e4 e5 *\n");
    let csv = folder.path().join("out.csv");
    for (command, input) in [("positions", lines), ("games", games)] {
        let heading = |shard: &str| {
            let limits = ["--nodes", "50", "--hash", "1", "--quiet", "--shard", shard];
            run(program()
                .args([command, &input])
                .args(limits)
                .arg("--csv")
                .arg(&csv));
            let text = fs::read_to_string(&csv).unwrap();
            (
                text.lines().next().unwrap().to_owned(),
                text.lines().count(),
            )
        };
        let (full, rows) = heading("1/9");
        let (empty, none) = heading("9/9");
        assert_eq!((empty, none), (full, 1), "{command}");
        assert!(rows > 1);
    }
}

#[test]
fn planted_errors_are_found() {
    let folder = folder();
    let file = write(folder.path(), "in.epd", POSITIONS.repeat(10).as_bytes());
    let csv = folder.path().join("labels.csv");
    run(positions(&file).arg("--csv").arg(&csv));
    let manifest = folder.path().join("labels.csv.manifest.json");
    let verify = |more: &[&str]| printed(program().arg("verify").arg(&manifest).args(more));
    let (code, out, errors) = verify(&["--sample", "100%"]);
    assert_eq!(code, Some(0), "{out}{errors}");
    assert!(
        out.contains("50 of 50 positions computed again, 0 differ"),
        "{out}"
    );
    let (_, out, _) = verify(&["--sample", "20%"]);
    assert!(!out.contains(" 50 of 50"), "{out}");

    // Scores and moves of ten rows are changed.
    let text = fs::read_to_string(&csv).unwrap();
    let mut planted = 0;
    let changed: Vec<String> = (text.lines().enumerate())
        .map(|(index, line)| {
            let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
            if index % 5 == 1 && planted < 10 {
                planted += 1;
                let at = if planted % 2 == 0 { 7 } else { 13 };
                cells[at] = if at == 7 {
                    "999".to_owned()
                } else {
                    "a2a3".to_owned()
                };
            }
            cells.join(",")
        })
        .collect();
    assert_eq!(planted, 10);
    fs::write(&csv, changed.join("\n")).unwrap();
    let (code, out, _) = verify(&["--sample", "100%"]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("has been changed since it was used"), "{out}");
    assert!(out.contains("10 differ"), "{out}");

    // Labels of another network or other settings are not compared.
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(
        &manifest,
        text.replace("multipv=1 hash=1", "multipv=1 hash=2"),
    )
    .unwrap();
    let (code, _, errors) = verify(&[]);
    assert_eq!(code, Some(2));
    assert!(
        errors.contains("the labels were made otherwise"),
        "{errors}"
    );
}
