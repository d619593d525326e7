//! The commands for people at a terminal, on the real binary: their output, for the current position.

use crate::harness::Client;
use skewer::options::OPTIONS;

/// The output of a command.
fn page(client: &mut Client, command: &str) -> Result<Vec<String>, String> {
    let before = client.output.len();
    client.send(command);
    client.send("isready");
    client.wait_for("readyok")?;
    let mut lines = client.output.split_off(before);
    lines.pop();
    Ok(lines)
}

/// The rest of the line that begins with `start`.
fn value_of<'a>(page: &'a [String], start: &str) -> Result<&'a str, String> {
    let value = page.iter().find_map(|line| line.strip_prefix(start));
    value.ok_or_else(|| format!("no {start:?} in {page:?}"))
}

#[test]
fn eval_adds_up_and_shows_the_network_score() -> Result<(), String> {
    let mut client = Client::start(&[]);
    // White has a queen more.
    client.send("position fen 4k3/pppppppp/8/8/8/8/PPPPPPPP/3QK3 w - - 0 1");
    let page = page(&mut client, "eval")?;
    let terms: Vec<i32> = page
        .iter()
        .skip_while(|line| !line.starts_with("term "))
        .skip(1)
        .take_while(|line| !line.starts_with("phase: "))
        .map(|line| line.split(' ').next_back().unwrap_or_default().parse())
        .collect::<Result<_, _>>()
        .map_err(|error| format!("{error}: {page:?}"))?;
    assert!(terms.len() > 5, "{page:?}");
    let total: i32 = value_of(&page, "total, for White: ")?
        .parse()
        .map_err(|_| "no number")?;
    // Each term has been rounded.
    assert!(
        total.abs_diff(terms.iter().sum()) as usize <= terms.len(),
        "{page:?}"
    );
    let pawn = 100;
    assert!(total > pawn, "{page:?}");
    // A build may be without a network.
    if let Ok(network) = value_of(&page, "network ") {
        let score = network.rsplit(' ').next().unwrap_or_default();
        assert!(
            score.parse::<i32>().is_ok_and(|score| score > pawn),
            "{page:?}"
        );
    }
    client.set("Use Network", "false");
    client.send("isready");
    client.wait_for("readyok")?;
    let output = client.leave()?;
    assert!(!output.iter().any(|line| line.starts_with("info string")));
    Ok(())
}

#[test]
fn help_has_its_pages() -> Result<(), String> {
    let mut client = Client::start(&[]);
    let options = page(&mut client, "help options")?;
    assert_eq!(options.len(), 2 * OPTIONS.len());
    for (lines, option) in options.chunks(2).zip(OPTIONS) {
        assert!(
            lines[0].starts_with(&format!("{} (", option.name)),
            "{lines:?}"
        );
        assert_eq!(lines[1].trim(), option.meaning);
    }
    let techniques = page(&mut client, "help techniques")?;
    assert!(techniques.len() > 1, "{techniques:?}");
    let names: Vec<&str> = techniques
        .iter()
        .filter_map(|line| line.split_once(' '))
        .map(|(name, explanation)| {
            assert!(explanation.ends_with(['.', ')']), "{name}:{explanation}");
            name
        })
        .collect();
    assert_eq!(names.len(), techniques.len(), "{techniques:?}");
    // Every name can be used, all of them at once.
    client.send(&format!("setoption name Without value {}", names.join(",")));
    client.send("go depth 2");
    client.wait_for("bestmove ")?;
    let output = client.leave()?;
    assert!(!output.iter().any(|line| line.starts_with("info string")));
    Ok(())
}

/// If output is lost, the exit code is 1, and one line says why. A closed pipe is no loss, because its reader has read enough.
#[cfg(target_os = "linux")]
#[test]
fn lines_that_are_lost_are_an_error() {
    let program = env!("CARGO_BIN_EXE_skewer");
    for command in [
        "PROGRAM --version OUT",
        "PROGRAM --help OUT",
        "PROGRAM help OUT",
        "PROGRAM bench 1 OUT",
        "PROGRAM go perft 1 OUT",
        "PROGRAM 'go depth 1' d OUT",
        "PROGRAM play --help OUT",
        "PROGRAM d OUT",
        "echo uci | PROGRAM OUT",
        "printf 'isready\\ngo depth 2\\n' | PROGRAM OUT",
    ] {
        for (out, expected) in [
            (">/dev/full", 1),
            (">&-", 1),
            ("1</dev/null", 1),
            (">/dev/null", 0),
            ("| true", 0),
        ] {
            let command = command.replace("PROGRAM", program).replace("OUT", out);
            let done = std::process::Command::new("sh")
                .args(["-c", &command])
                .stdin(std::process::Stdio::null())
                .output()
                .unwrap();
            assert_eq!(done.status.code(), Some(expected), "{command}");
            let errors = String::from_utf8_lossy(&done.stderr);
            let reason = "skewer: standard output: cannot write: ";
            assert_eq!(
                errors.lines().count(),
                expected as usize,
                "{command}: {errors}"
            );
            assert_eq!(
                errors.starts_with(reason),
                expected == 1,
                "{command}: {errors}"
            );
        }
    }
}

/// A word that is not UTF-8 is neither a command nor an argument of one, and the error message names the word.
#[cfg(unix)]
#[test]
fn words_that_are_not_text_are_named() {
    use std::os::unix::ffi::OsStrExt as _;
    for words in [&[&b"bench"[..], b"\xff"][..], &[b"\xff"]] {
        let words = words.iter().map(|word| std::ffi::OsStr::from_bytes(word));
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_skewer"));
        let done = command.args(words).output().unwrap();
        let errors = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(1), "{errors}");
        assert_eq!(errors, "skewer: \"\\xFF\" is not UTF-8, and must be text\n");
        assert!(done.stdout.is_empty());
    }
}
