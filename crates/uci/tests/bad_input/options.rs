//! Options: unknown ones, bad values, and unusual ways to write valid ones.

use skewer::options::{Kind, OPTIONS};

use crate::case::{Case, One, Silent, Wait, case, line, unanswered};
use crate::harness::{Client, fits};

pub(crate) fn cases() -> Vec<Case> {
    [bad(), odd()].into_iter().flatten().collect()
}

fn bad() -> Vec<Case> {
    let option = |name, text, remarks| unanswered(name, &[text], remarks);
    vec![
        option("setoption alone", "setoption", One("name")),
        option(
            "setoption without a value",
            "setoption name Hash",
            One("Hash"),
        ),
        option("a value without a name", "setoption value 3", One("name")),
        option(
            "an unknown name",
            "setoption name Nonsense value 3",
            One("Nonsense"),
        ),
        option(
            "neither true nor false",
            "setoption name Ponder value maybe",
            One("maybe"),
        ),
        option(
            "Hash above memory",
            "setoption name Hash value 33554432",
            One("memory"),
        ),
        option(
            "Hash above its maximum",
            "setoption name Hash value 99999999999",
            One("Hash"),
        ),
        option("Hash -1", "setoption name Hash value -1", One("Hash")),
        option(
            "Threads 0",
            "setoption name Threads value 0",
            One("Threads"),
        ),
        option(
            "Threads -10^12",
            "setoption name Threads value -1000000000000",
            One("Threads"),
        ),
        option(
            "MultiPV 500",
            "setoption name MultiPV value 500",
            One("MultiPV*500*above 256*counts as 256"),
        ),
        option(
            "two options on a line",
            "setoption name Hash value 2 name Threads value 2",
            One("Hash*name Threads value 2*nothing changed"),
        ),
        option(
            "a number with its unit",
            "setoption name Hash value 16 MB",
            One("Hash*16 MB"),
        ),
        option(
            "an unknown technique",
            "setoption name Without value magic",
            One("magic"),
        ),
        option(
            "an unknown option in capitals",
            "SETOPTION name Nonsense",
            One("Nonsense"),
        ),
    ]
}

/// Unusual ways to set an option, which are accepted.
fn odd() -> Vec<Case> {
    let three_lines = |name, text| {
        let script = vec![
            line(text),
            line("go depth 2"),
            Wait("info depth 2*multipv 3 "),
            Wait("bestmove "),
        ];
        case(name, script, 1, Silent)
    };
    vec![
        three_lines("odd case", "setoption name mUlTiPv vAlUe 3"),
        three_lines(
            "tabs around an option's words",
            "setoption\tname\tMultiPV\t value\t3\t",
        ),
        three_lines(
            "an option without the word name",
            "setoption MultiPV value 3",
        ),
        three_lines("a number with a sign", "setoption name MultiPV value +3"),
        unanswered(
            "a tab in an option's name",
            &["setoption name Move\t Overhead value 30"],
            Silent,
        ),
        unanswered(
            "an empty list of techniques",
            &["setoption name Without value ,, ,"],
            Silent,
        ),
        unanswered(
            "a button with a value",
            &["setoption name Clear Hash value 7"],
            Silent,
        ),
        unanswered(
            "a button with an empty value",
            &["setoption name Clear Hash value"],
            Silent,
        ),
    ]
}

/// Bad values for an option of this kind.
fn bad_values(kind: Kind) -> Vec<String> {
    let texts = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
    match kind {
        Kind::Check { .. } => texts(&["", "1", "yes", "truefalse", "true false", "\u{FFFD}"]),
        Kind::Spin { min, max, .. } => {
            let mut values: Vec<String> = texts(&["", "abc", "1.0", "--1", "99999999999999999999"]);
            values.extend([min - 1, max + 1, i64::MIN, i64::MAX].map(|value| value.to_string()));
            values
        }
        // Which texts are bad depends on the option; buttons ignore values.
        _ => Vec::new(),
    }
}

#[test]
fn every_option_answers_invalid_values_with_one_remark() -> Result<(), String> {
    let mut client = Client::start(&[]);
    for option in OPTIONS {
        for value in bad_values(option.kind) {
            let before = client.output.len();
            client.send(&format!("setoption name {} value {value}", option.name));
            client.send("isready");
            client.wait_for("readyok")?;
            let output = &client.output[before..];
            // A number out of range counts as the nearest limit; any other bad value changes nothing.
            let digits = value.strip_prefix('-').unwrap_or(&value);
            let is_number = !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit());
            let is_number = is_number && matches!(option.kind, Kind::Spin { .. });
            // The largest number of threads takes seconds and gigabytes.
            if is_number && option.name == "Threads" && !value.starts_with('-') && value != "0" {
                continue;
            }
            let end = if is_number {
                "counts as "
            } else {
                "nothing changed"
            };
            let agrees = output.len() == 2
                && output[0].starts_with("info string")
                && fits(&output[0], &format!("{}*{value}*{end}*", option.name));
            assert!(agrees, "{} {value}: {output:?}", option.name);
        }
    }
    client.leave()?;
    Ok(())
}
