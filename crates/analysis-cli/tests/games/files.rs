//! Input and output files: compression, devices, limits, and files that are refused.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{GAMES, folder, printed, program, run, table, write};

#[test]
fn compressed_files_and_the_standard_input_are_read() {
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

/// The texts of the reader's table give the same games here: the same moves and results, errors that name the file, and an
/// exit code other than 0 where a game was left out.
#[test]
fn games_are_read_as_the_table_of_the_reader_says() {
    let folder = folder();
    let cases = table::cases();
    let files: Vec<String> = cases
        .iter()
        .enumerate()
        .map(|(number, case)| {
            write(
                folder.path(),
                &format!("{number}.pgn"),
                case.text.as_bytes(),
            )
        })
        .collect();
    let rows = folder.path().join("rows.jsonl");
    let limits = ["--nodes", "1", "--confidence", "none", "--hash", "1"];
    let mut command = program();
    command.arg("games").args(&files).args(limits);
    command.args(["--partial", "--quiet", "--jsonl"]).arg(&rows);
    let (code, _, errors) = printed(&mut command);
    assert_eq!(code, Some(1), "some are left out: {errors}");
    let rows: Vec<serde_json::Value> = fs::read_to_string(&rows)
        .unwrap()
        .lines()
        .map(|row| serde_json::from_str(row).unwrap())
        .collect();
    for (case, file) in cases.iter().zip(&files) {
        let name = case.name;
        let games = rows
            .iter()
            .filter(|row| row["kind"] == "game" && row["file"] == **file);
        let read: Vec<Vec<&str>> = games
            .map(|game| {
                let moves = game["moves"].as_array().unwrap().iter();
                let moves = moves.map(|mv| mv["san"].as_str().unwrap());
                moves.chain(game["result"].as_str()).collect()
            })
            .collect();
        // A game that is cut before its first move is left out.
        let mut left = read.iter();
        for expected in &case.games {
            if !(expected.is_cut && expected.words.is_empty()) {
                let words = left
                    .next()
                    .unwrap_or_else(|| panic!("{name}: a game is missing"));
                let words = &words[..words.len() - usize::from(expected.is_cut)];
                assert_eq!(words, expected.words, "{name}");
            }
            if let Some(error) = expected.error {
                let named = errors.lines().any(|line| {
                    line.starts_with(&format!("{file}: line ")) && line.contains(error)
                });
                assert!(named, "{name}: {errors}");
            }
        }
        assert_eq!(left.next(), None, "{name}");
    }
}

#[test]
fn a_folder_stands_for_its_games() {
    let folder = folder();
    let inside = folder.path().join("games");
    fs::create_dir(&inside).unwrap();
    let games = |folder: &Path| {
        let mut command = program();
        command.args([
            "games",
            folder.to_str().unwrap(),
            "--nodes",
            "1",
            "--quiet",
            "--csv",
            "-",
        ]);
        printed(&mut command)
    };
    let (code, _, errors) = games(&inside);
    assert_eq!(code, Some(2));
    assert!(errors.contains("there is no .pgn file in it"), "{errors}");
    write(&inside, "b.pgn", b"[White \"Second\"]\n\n1. e4 *\n");
    let packed = zstd::encode_all(&b"[White \"First\"]\n\n1. d4 *\n"[..], 1).unwrap();
    write(&inside, "a.PGN.zst", &packed);
    write(&inside, "notes.txt", b"1. c4 *\n");
    let (code, out, _) = games(&inside);
    let names: Vec<&str> = out
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').nth(3))
        .collect();
    assert_eq!((code, &names[..]), (Some(0), &["First", "Second"][..]));
}

#[test]
fn input_without_a_game_is_an_error() {
    let folder = folder();
    let random: Vec<u8> = (0..4000_u32).map(|n| (n * n / 7 % 251) as u8).collect();
    let variant = b"[Variant \"Crazyhouse\"]\n\n1. e4 e5 *\n";
    let openings = b"[White \"A\"]\n\n*\n\n[White \"B\"]\n\n*\n";
    for (name, bytes, reason) in [
        ("empty", &b""[..], "no game with a move in"),
        ("openings", openings, "no game with a move in"),
        ("random", &random, "it is a binary file"),
        ("variant", variant, "no game with a move in"),
    ] {
        let file = write(folder.path(), name, bytes);
        let (code, _, errors) = printed(program().args(["games", &file, "--csv", "-"]));
        assert_eq!(code, Some(2), "{name}: {errors}");
        assert!(errors.contains(reason), "{name}: {errors}");
    }
    let bad = write(folder.path(), "bad.pgn", b"1. x *\n");
    let (_, _, errors) = printed(program().args(["games", &bad]));
    assert_eq!(errors.matches("bad.pgn").count(), 1, "{errors}");
    let pgn = write(folder.path(), "in.pgn", GAMES.as_bytes());
    let (code, _, errors) = printed(program().args(["suite", &pgn]));
    assert_eq!(code, Some(2));
    assert!(errors.contains("holds games (PGN)"), "{errors}");
    // A missing second file is an error before the first is analysed.
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

/// The error names the commands that read positions, whatever the name of the file is, beside files of games, and in a
/// pipe.
#[test]
fn positions_in_the_place_of_games_are_named() {
    let folder = folder();
    let epd = b"2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6;\n";
    let pgn = write(folder.path(), "in.pgn", GAMES.as_bytes());
    let packed = zstd::encode_all(&epd[..], 1).unwrap();
    let later = [b"\n; mates\n\n", &epd[..]].concat();
    for (name, bytes) in [
        ("wac.epd", &epd[..]),
        ("x.pgn", epd),
        ("x.zst", &packed),
        ("later.epd", &later),
    ] {
        let file = write(folder.path(), name, bytes);
        let expected = format!(
            "skewer-analyse: {file} holds positions (EPD), not games (PGN): \
             use `skewer-analyse positions {file}` to label them, \
             or `skewer-analyse suite {file}` to solve a test suite\n"
        );
        for files in [&[&file][..], &[&pgn, &file]] {
            let (code, _, errors) = printed(program().arg("games").args(files));
            assert_eq!((code, &errors), (Some(2), &expected));
        }
    }
    let mut piped = program();
    let file = fs::File::open(folder.path().join("wac.epd")).unwrap();
    let (code, _, errors) = printed(piped.args(["games", "-"]).stdin(file));
    assert_eq!(code, Some(2));
    assert!(errors.contains("holds positions (EPD)"), "{errors}");
    // A pipe is not known before its turn. What was found in the files before it is kept.
    let good = write(folder.path(), "good.pgn", b"1. e4 e5 *\n");
    let file = fs::File::open(folder.path().join("wac.epd")).unwrap();
    let csv = folder.path().join("out.csv");
    let mut piped = program();
    piped.args(["games", &good, "-", &good, "--nodes", "1", "--csv"]);
    let (code, _, errors) = printed(piped.arg(&csv).stdin(file));
    assert_eq!(code, Some(1), "{errors}");
    let named = "- holds positions (EPD), not games (PGN): use `skewer-analyse positions -`";
    assert!(errors.contains(named), "{errors}");
    let summary = "1 input with positions was left out";
    assert!(errors.contains(summary), "{errors}");
    assert!(!errors.contains("--partial"), "{errors}");
    let rows = fs::read_to_string(&csv).unwrap();
    assert_eq!(rows.lines().count(), 1 + 2 + 2, "{rows}");
    // A position before games is a bad game among good ones.
    let mixed = [&epd[..], b"\n", GAMES.as_bytes()].concat();
    let mixed = write(folder.path(), "mixed.pgn", &mixed);
    let (code, _, errors) = printed(program().args(["games", &mixed, "--nodes", "1"]));
    assert_eq!(code, Some(1), "{errors}");
    assert!(!errors.contains("EPD"), "{errors}");
}

#[cfg(unix)]
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

#[cfg(unix)]
#[test]
fn devices_are_written_to() {
    let folder = folder();
    let file = write(folder.path(), "in.pgn", GAMES.as_bytes());
    let csv = |path: &str| {
        let mut command = program();
        command.args(["games", &file, "--nodes", "200", "--quiet", "--csv", path]);
        command
    };
    run(&mut csv("/dev/null"));
    let kind = fs::metadata("/dev/null").unwrap();
    assert!(!kind.is_file(), "/dev/null is a device still");
    let (code, _, errors) = printed(&mut csv("/dev/full"));
    assert_eq!(code, Some(2));
    assert!(errors.contains("/dev/full"), "{errors}");
    assert_eq!(errors.matches("No space left").count(), 1, "{errors}");
}

/// A link stays a link, a pipe stays a pipe, and text that other programs print to the standard
/// output is not overwritten.
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

    crate::fifo(folder.path(), "pipe");
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

/// Writes the report of a file into a folder.
fn report_command(file: &str, report: &Path) -> Command {
    let mut command = program();
    command.args(["games", file, "--nodes", "50", "--quiet", "--html-folder"]);
    command.arg(report);
    command
}

/// Beside a report, files and links of others with the names of data files stay.
#[test]
fn a_report_does_not_replace_files_by_their_names() {
    let folder = folder();
    let file = write(folder.path(), "in.pgn", b"1. e4 e5 *\n");
    let report = folder.path().join("report");
    let command = || report_command(&file, &report);
    run(&mut command());
    // Files and links of others that lie beside a report and have names of its files.
    let outside = folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("0.js"), "skewer.games(0, []);\n").unwrap();
    for name in [
        "data/8.js",
        "data.old/0.js",
        "data.unfinished/.notes.part",
        "data/.9.js.notes",
    ] {
        let path = report.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "mine").unwrap();
        let (code, _, errors) = printed(&mut command());
        assert_eq!(code, Some(2), "{name}: {errors}");
        assert!(errors.contains("choose another folder"), "{name}: {errors}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "mine", "{name}");
        fs::remove_file(&path).unwrap();
    }
    let _ = fs::remove_dir(report.join("data.old"));
    let _ = fs::remove_dir(report.join("data.unfinished"));
    for (target, name) in [
        (outside.clone(), "data.unfinished"),
        (outside.clone(), "data.old"),
        (outside.join("0.js"), "data/9.js"),
        (folder.path().join("nowhere"), "data.old"),
    ] {
        let link = report.join(name);
        std::os::unix::fs::symlink(target, &link).unwrap();
        let (code, _, errors) = printed(&mut command());
        assert_eq!(code, Some(2), "{name}: {errors}");
        assert!(errors.contains("choose another folder"), "{name}: {errors}");
        assert!(link.is_symlink() && outside.join("0.js").exists(), "{name}");
        fs::remove_file(&link).unwrap();
    }
    run(&mut command());
}

/// A report replaces an older report, but no other files.
#[test]
fn a_report_does_not_replace_the_files_of_others() {
    let folder = folder();
    let file = write(folder.path(), "in.pgn", b"1. e4 e5 *\n");
    let report = folder.path().join("report");
    let command = || report_command(&file, &report);
    for name in [
        "index.html",
        "data/games.pgn",
        "data/index.js",
        "data/inner/0.js",
        "data.unfinished/games.pgn",
        // Files with the names of a report, but without a report beside them.
        "data.unfinished/0.js",
        "data.old/0.js",
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
    // Pages that only quote the mark of a report.
    let mark = "<meta name=\"generator\" content=\"skewer-analyse\">";
    for page in [
        format!("{mark}\n"),
        format!("<!doctype html>\n<title>Notes</title>\n<p>A report has {mark} in its head.\n"),
        format!("<!doctype html>\n<html>\n<head>\n</head>\n<body>\n<pre>\n{mark}\n</pre>\n"),
    ] {
        fs::create_dir_all(&report).unwrap();
        fs::write(report.join("index.html"), &page).unwrap();
        let (code, _, errors) = printed(&mut command());
        assert_eq!(code, Some(2), "{page}: {errors}");
        assert!(errors.contains("choose another folder"), "{errors}");
        assert_eq!(fs::read_to_string(report.join("index.html")).unwrap(), page);
        fs::remove_dir_all(&report).unwrap();
    }
    fs::write(&report, "mine").unwrap();
    let (code, _, errors) = printed(&mut command());
    assert_eq!(code, Some(2), "{errors}");
    assert!(
        errors.contains("report is a file; choose a folder"),
        "{errors}"
    );
    fs::remove_file(&report).unwrap();
    // A run that was killed leaves files behind.
    let file = write(folder.path(), "endless.pgn", GAMES.repeat(2000).as_bytes());
    let mut child = program()
        .args(["games", &file, "--nodes", "50", "--quiet", "--html-folder"])
        .arg(&report)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !report.join("data.unfinished/0.js").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(report.join("data.unfinished").exists() && !report.join("data").exists());
    for name in ["0.js", "engine.js", ".1.js.99999-0.part"] {
        fs::write(report.join("data.unfinished").join(name), "skewer.games(").unwrap();
    }
    run(&mut command());
    assert!(!report.join("data.unfinished").exists());
    // A report of this program is replaced.
    fs::write(report.join("data/7.js"), "skewer.games(7, []);\n").unwrap();
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

/// The limit of one block (512 or 1,024 bytes) is below the sizes of both tables. The first table is smaller than the
/// buffers, so it is written when it is complete. The second table is larger, so its beginning is written before.
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
fn a_report_in_one_file_has_a_limit_of_games() {
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
