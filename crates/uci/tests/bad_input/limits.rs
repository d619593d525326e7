//! Limits of `go`: no numbers, numbers out of range, and limits that contradict each other.

use crate::case::{Absent, Case, One, Remarks, Silent, Wait, case, go, line};
use crate::harness::{Client, fits};
use crate::positions::{MATED, STALEMATED};

pub(crate) fn cases() -> Vec<Case> {
    [numbers(), searchmoves(), waiting(), many_words()]
        .into_iter()
        .flatten()
        .collect()
}

fn numbers() -> Vec<Case> {
    vec![
        go("depth abc", "go depth abc", One("abc")),
        go("depth -1", "go depth -1", One("-1")),
        go(
            "depth 2^64",
            "go depth 18446744073709551616",
            One("18446744073709551616"),
        ),
        go("depth without a number", "go depth", One("depth")),
        go("wtime -5", "go wtime -5 btime 1000", One("wtime")),
        go("wtime 0", "go wtime 0 btime 0 winc 0 binc 0", Silent),
        go("movetime 0", "go movetime 0", One("movetime")),
        go(
            "movestogo 0",
            "go wtime 100 btime 100 movestogo 0",
            One("movestogo"),
        ),
        go("a clock for the other side only", "go btime 200", Silent),
        go(
            "the longest clock that can be given",
            "go wtime 18446744073709551615 btime 1 movetime 20",
            Silent,
        ),
        go("a limit twice", "go depth 30 depth 2", Silent),
        go("limits in capitals", "go DEPTH 2 NODES 1000", Silent),
    ]
}

fn searchmoves() -> Vec<Case> {
    let answered = |name, text: String, answer, remarks| {
        let script = vec![line("position startpos"), line(text), Wait(answer)];
        case(name, script, 1, remarks)
    };
    vec![
        go(
            "an illegal searchmove",
            "go searchmoves e2e5 depth 2",
            One("e2e5*all moves are searched"),
        ),
        answered(
            "one legal searchmove",
            "go searchmoves e2e5 a2a3 depth 2".to_owned(),
            "bestmove a2a3",
            One("e2e5"),
        ),
        go(
            "an illegal searchmove and a bad depth",
            "GO depth x searchmoves e2e5",
            One("is no legal move"),
        ),
        go(
            "no searchmoves",
            "go searchmoves depth 2",
            One("searchmoves"),
        ),
        answered(
            "a hundred thousand illegal searchmoves",
            format!("go depth 2 searchmoves a2a3 {}", "e2e5 ".repeat(100_000)),
            "bestmove a2a3",
            One("e2e5"),
        ),
        // Counted twice, the move would give two lines of analysis.
        case(
            "a searchmove twice",
            vec![
                line("setoption name MultiPV value 2"),
                line("go depth 2 searchmoves a2a3 a2a3"),
                Wait("bestmove a2a3"),
                Absent("multipv 2"),
            ],
            1,
            Silent,
        ),
        case(
            "castling among the searchmoves, as in Chess960",
            vec![
                line("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
                line("go depth 2 searchmoves e1h1"),
                Wait("bestmove e1g1"),
            ],
            1,
            Silent,
        ),
        case(
            "castling among the searchmoves, not as in Chess960",
            vec![
                line("setoption name UCI_Chess960 value true"),
                line("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
                line("go depth 2 searchmoves e1g1"),
                Wait("bestmove e1h1"),
            ],
            1,
            Silent,
        ),
    ]
}

/// Searches that end only with `stop`, `ponderhit` or `quit`.
fn waiting() -> Vec<Case> {
    let waits = |name, position, limits: &str, end| {
        let script = vec![
            line(position),
            line(format!("go {limits}")),
            line("isready"),
            Wait("readyok"),
            Absent("bestmove"),
            line(end),
            Wait("bestmove "),
        ];
        case(name, script, 1, Silent)
    };
    let start = "position startpos";
    let clocks = "ponder wtime 1000 btime 1000";
    vec![
        waits("infinite depth 3", start, "infinite depth 3", "stop"),
        waits("ponder on mate", MATED, clocks, "ponderhit"),
        waits("ponder on stalemate", STALEMATED, clocks, "ponderhit"),
        waits("ponder on mate, stopped", MATED, clocks, "stop"),
        waits("infinite on mate", MATED, "infinite", "stop"),
        waits("infinite on stalemate", STALEMATED, "infinite", "stop"),
        waits("ponder depth 1", start, "ponder depth 1", "ponderhit"),
        waits("ponder nodes 1", start, "ponder nodes 1", "ponderhit"),
        waits("ponder movetime 1", start, "ponder movetime 1", "ponderhit"),
        waits(
            "ponder with no clock left",
            start,
            "ponder wtime 0 btime 0",
            "ponderhit",
        ),
        waits("ponder mate 1", start, "ponder mate 1 depth 2", "stop"),
        waits("infinite movetime 1", start, "infinite movetime 1", "stop"),
        waits(
            "infinite and ponder",
            start,
            "infinite ponder depth 1",
            "stop",
        ),
    ]
}

fn many_words() -> Vec<Case> {
    let unknown = |words: usize| format!("go depth 1{}", " x".repeat(words));
    vec![
        go(
            "a misspelt limit alone",
            "go dept 3",
            One("\"dept\"*\"3\"*no limit was understood*depth 1"),
        ),
        go(
            "unknown words after go",
            "go quickly depth 2",
            One("quickly"),
        ),
        go(
            "three unknown words",
            "go a b c depth 1",
            One("\"a\"*\"b\"*\"c\""),
        ),
        go(
            "four unknown words",
            "go a b c d depth 1",
            One("\"a\"*1 more"),
        ),
        go(
            "unknown words of 800 KB",
            unknown(400_000),
            One("\"x\"*more"),
        ),
        go(
            "a limit many times without its number",
            format!("go depth 1{}", " depth".repeat(100_000)),
            One("depth*more"),
        ),
    ]
}

/// A limit and the remark about 0. Every limit has a remark about negative numbers.
const LIMITS: [(&str, Remarks); 9] = [
    ("wtime", Silent),
    ("btime", Silent),
    ("winc", Silent),
    ("binc", Silent),
    ("movestogo", One("movestogo*\"0\"")),
    ("depth", One("depth*\"0\"*using 1")),
    ("nodes", One("nodes*\"0\"*using 1")),
    ("movetime", One("movetime*\"0\"*using 1")),
    ("mate", One("mate*\"0\"*using 1")),
];

/// Numbers that every limit accepts.
const GOOD: [&str; 6] = [
    "1",
    "+5",
    "007",
    "1.5",
    "9223372036854775808",
    "18446744073709551615",
];

/// Numbers that every limit refuses.
const BAD: [&str; 9] = [
    "-1",
    "-18446744073709551616",
    "18446744073709551616",
    "99999999999999999999999999999999",
    "1.5.0",
    "1e3",
    "0x10",
    "-",
    "\u{0661}",
];

/// Searches for 2 ms with a limit, and returns the remark about it, if there is one.
fn remark_about(client: &mut Client, limit: &str, value: &str) -> Result<Option<String>, String> {
    let before = client.output.len();
    client.send(&format!("go movetime 2 {limit} {value}"));
    client.wait_for("bestmove ")?;
    let mut said = client.output[before..]
        .iter()
        .filter(|line| line.starts_with("info string"));
    let first = said.next().cloned();
    match said.next() {
        Some(second) => Err(format!("{limit} {value}: a second remark, {second}")),
        None => Ok(first),
    }
}

#[test]
fn every_limit_at_its_extremes_is_obeyed_or_refused() -> Result<(), String> {
    let mut client = Client::start(&[]);
    for (limit, about_zero) in LIMITS {
        let said = remark_about(&mut client, limit, "0")?;
        match about_zero {
            One(pattern) => assert!(
                said.as_ref().is_some_and(|said| fits(said, pattern)),
                "{said:?}"
            ),
            _ => assert_eq!(said, None, "{limit} 0"),
        }
        for value in GOOD {
            assert_eq!(
                remark_about(&mut client, limit, value)?,
                None,
                "{limit} {value}"
            );
        }
        for value in BAD {
            let said = remark_about(&mut client, limit, value)?.unwrap_or_default();
            assert!(
                fits(&said, &format!("{limit}*{value}")),
                "{limit} {value}: {said:?}"
            );
        }
    }
    client.leave()?;
    Ok(())
}
