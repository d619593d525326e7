//! A case of bad input: a script, its expected output, and how it is run.

use std::time::Duration;

use crate::harness::{Client, fits};

/// A step of a script.
pub(crate) enum Step {
    /// Sends a line.
    Line(String),
    /// Sends bytes as they are.
    Bytes(Vec<u8>),
    /// Waits for a line that fits this pattern (see [`fits`]) from its beginning on.
    Wait(&'static str),
    /// Reads for [`LATE`] more. No line of the engine so far may contain this.
    Absent(&'static str),
    /// Closes the engine's input.
    Eof,
}

pub(crate) use Step::{Absent, Bytes, Eof, Wait};

/// Sends this line.
pub(crate) fn line(text: impl Into<String>) -> Step {
    Step::Line(text.into())
}

/// Sends these bytes.
pub(crate) fn bytes(bytes: &[u8]) -> Step {
    Bytes(bytes.to_vec())
}

/// The remarks (`info string` lines) that are expected, as patterns (see [`fits`]).
pub(crate) enum Remarks {
    /// None.
    Silent,
    /// One that fits this pattern.
    One(&'static str),
    /// One for each pattern, in this order.
    Each(&'static [&'static str]),
}

pub(crate) use Remarks::{Each, One, Silent};

pub(crate) struct Case {
    /// A description.
    pub(crate) name: &'static str,
    pub(crate) script: Vec<Step>,
    /// How many `bestmove` lines there must be.
    pub(crate) answers: usize,
    pub(crate) remarks: Remarks,
}

pub(crate) fn case(
    name: &'static str,
    script: Vec<Step>,
    answers: usize,
    remarks: Remarks,
) -> Case {
    Case {
        name,
        script,
        answers,
        remarks,
    }
}

/// Lines that are not answered by a `bestmove`.
pub(crate) fn unanswered(name: &'static str, lines: &[&str], remarks: Remarks) -> Case {
    case(
        name,
        lines.iter().map(|&text| line(text)).collect(),
        0,
        remarks,
    )
}

/// A `position` that is accepted, with these remarks, and the FEN of the resulting position.
pub(crate) fn good_position(
    name: &'static str,
    position: impl Into<String>,
    fen: &'static str,
    remarks: Remarks,
) -> Case {
    let script = vec![
        line(position),
        line("d"),
        Wait(fen),
        line("go depth 3"),
        Wait("bestmove "),
    ];
    case(name, script, 1, remarks)
}

/// A `position` that cannot be set up: one remark, and no move from it.
pub(crate) fn bad_position(
    name: &'static str,
    position: impl Into<String>,
    remark: &'static str,
) -> Case {
    let script = vec![line(position), line("go depth 3"), Wait("bestmove (none)")];
    case(name, script, 1, One(remark))
}

/// A `go` from the start that ends by itself.
pub(crate) fn go(name: &'static str, go: impl Into<String>, remarks: Remarks) -> Case {
    let script = vec![line("position startpos"), line(go), Wait("bestmove ")];
    case(name, script, 1, remarks)
}

/// Steps during an infinite search, which is then stopped, and steps after it, without another
/// `bestmove`.
pub(crate) fn while_searching(
    name: &'static str,
    meanwhile: Vec<Step>,
    afterwards: Vec<Step>,
    remarks: Remarks,
) -> Case {
    let mut script = vec![
        line("position startpos"),
        line("go infinite"),
        Wait("info depth 2 "),
    ];
    script.extend(meanwhile);
    script.extend([line("stop"), Wait("bestmove ")]);
    script.extend(afterwards);
    case(name, script, 1, remarks)
}

/// How long to wait for a line that must not come.
const LATE: Duration = Duration::from_millis(100);

/// The longest line that the engine may print. The longest lines that it should print are lines of options.
const MAX_LINE_CHARS: usize = 600;

/// Whether the protocol, or a command of these cases, allows this line of output.
fn is_well_formed(line: &str) -> bool {
    let first = line.split(' ').next().unwrap_or_default();
    let known = ["id", "option", "uciok", "readyok", "bestmove", "info"].contains(&first);
    line.chars().count() <= MAX_LINE_CHARS
        && !line.contains(char::is_control)
        && ((known && line == line.trim()) || is_of_the_board(line))
}

/// Whether a line is part of the output of `d`.
fn is_of_the_board(line: &str) -> bool {
    [
        " +---",
        " | ",
        "   a   b",
        "Fen: ",
        "Side to move: ",
        "Last move: ",
        "Key: ",
        "Checkers:",
        "Result: ",
    ]
    .iter()
    .any(|start| line.starts_with(start))
}

/// Carries out the script. Returns whether the script ended the session: by `quit`, or by closing the input.
fn play(client: &mut Client, script: &[Step]) -> Result<bool, String> {
    let mut left = false;
    for step in script {
        match step {
            Step::Line(text) => {
                left |= text.split_ascii_whitespace().next() == Some("quit");
                client.send(text);
            }
            Bytes(bytes) => client.send_bytes(bytes),
            Wait(pattern) => {
                client.wait_until(pattern, |line| is_like(line, pattern))?;
            }
            Absent(part) => {
                client.listen(LATE);
                if let Some(line) = client.output.iter().find(|line| line.contains(part)) {
                    return Err(format!("unexpected line {line:?}"));
                }
            }
            Eof => {
                left = true;
                client.close_stdin();
            }
        }
    }
    Ok(left)
}

/// Whether a line fits the pattern from its beginning on.
fn is_like(line: &str, pattern: &str) -> bool {
    let start = pattern.split('*').next().unwrap_or_default();
    line.starts_with(start) && fits(line, pattern)
}

/// Checks that the engine still works: it plays a legal move in a valid position.
fn still_works(client: &mut Client) -> Result<(), String> {
    client.send("position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6");
    client.send("go depth 3 searchmoves d7c6 b7c6");
    let answer = client.wait_for("bestmove ")?;
    if !["d7c6", "b7c6"].contains(&answer.split(' ').nth(1).unwrap_or_default()) {
        return Err(format!("the search after the case answers {answer:?}"));
    }
    client.send("quit");
    Ok(())
}

fn compare_remarks(said: &[String], expected: &Remarks) -> Result<(), String> {
    let patterns = match expected {
        Silent => &[],
        One(pattern) => std::slice::from_ref(pattern),
        Each(patterns) => patterns,
    };
    let agree = said.len() == patterns.len()
        && said
            .iter()
            .zip(patterns)
            .all(|(said, pattern)| fits(said, pattern));
    if agree {
        Ok(())
    } else {
        let said: Vec<String> = said.iter().map(|line| shortened(line)).collect();
        Err(format!("remarks {said:?}, not {patterns:?}"))
    }
}

/// A line as it is shown when a case fails.
fn shortened(line: &str) -> String {
    let mut text: String = line.chars().take(MAX_LINE_CHARS).collect();
    if text.len() < line.len() {
        text.push_str("...");
    }
    text
}

fn run(case: &Case) -> Result<(), String> {
    let mut client = Client::start(&[]);
    let left = play(&mut client, &case.script)?;
    if !left {
        // `readyok` comes after the remarks about all earlier commands.
        client.send("isready");
        client.wait_for("readyok")?;
    }
    let mut checked = client.output.len();
    if !left {
        still_works(&mut client)?;
    }
    let (status, stderr) = client.wait_for_exit()?;
    if !status.success() || !stderr.is_empty() {
        return Err(format!("exited with {status}, stderr {stderr:?}"));
    }
    if left {
        checked = client.output.len();
    }
    let lines = |start: &str| -> Vec<String> {
        let lines = client.output[..checked].iter();
        lines
            .filter(|line| line.starts_with(start))
            .cloned()
            .collect()
    };
    let answers = lines("bestmove").len();
    if answers != case.answers {
        return Err(format!("{answers} answers, not {}", case.answers));
    }
    compare_remarks(&lines("info string"), &case.remarks)?;
    match client.output.iter().find(|line| !is_well_formed(line)) {
        Some(line) => Err(format!("a malformed line: {:?}", shortened(line))),
        None => Ok(()),
    }
}

/// Runs the cases and reports all failures.
pub(crate) fn run_all(cases: &[Case]) {
    let failures: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let failure = run(case).err()?;
            Some(format!("{}: {failure}", case.name))
        })
        .collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}
