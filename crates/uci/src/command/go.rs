//! The arguments of `go` and `perft`: keywords and numbers in any order and combination.
//!
//! Checks only that numbers can be read and are within their ranges.

use super::{Command, Complaint, Go, Perft};

/// The deepest perft that is accepted; it would take years from most positions.
const MAX_PERFT_DEPTH: u64 = 20;

/// The keywords of `go` and their arguments.
const KEYWORDS: [(&str, Argument); 13] = [
    ("wtime", Argument::AtLeast(0)),
    ("btime", Argument::AtLeast(0)),
    ("winc", Argument::AtLeast(0)),
    ("binc", Argument::AtLeast(0)),
    ("movestogo", Argument::Positive),
    ("depth", Argument::AtLeast(1)),
    ("nodes", Argument::AtLeast(1)),
    ("movetime", Argument::AtLeast(1)),
    ("mate", Argument::AtLeast(1)),
    ("perft", Argument::AtLeast(0)),
    ("searchmoves", Argument::Moves),
    ("infinite", Argument::Nothing),
    ("ponder", Argument::Nothing),
];

/// What follows a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Argument {
    /// A number; a smaller one becomes this minimum.
    AtLeast(u64),
    /// A positive number; others are ignored. GUIs send `movestogo 0` for sudden death.
    Positive,
    /// Moves, up to the next keyword.
    Moves,
    /// Nothing.
    Nothing,
}

fn keyword(word: &str) -> Option<(&'static str, Argument)> {
    KEYWORDS
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(word))
        .copied()
}

/// The result of reading a number.
enum Number {
    Is(u64),
    /// Ignored, with a complaint.
    Absent,
    /// Missing or not a number.
    Unreadable,
}

/// Reads the words after `go`.
///
/// `go perft` without a valid depth is no command.
pub(super) fn read_go<'a>(
    text: &'a str,
    complaints: &mut Vec<Complaint<'a>>,
) -> Option<Command<'a>> {
    let mut go = Go::default();
    let mut perft = None;
    let mut words = text.split_ascii_whitespace().peekable();
    while let Some(word) = words.next() {
        let Some((name, argument)) = keyword(word) else {
            complaints.push(Complaint::UnknownArgument {
                command: "go",
                word,
            });
            continue;
        };
        match argument {
            Argument::Nothing if name == "infinite" => go.infinite = true,
            Argument::Nothing => go.ponder = true,
            Argument::Moves => {
                let moves = go.searchmoves.get_or_insert_default();
                while let Some(word) = words.next_if(|word| keyword(word).is_none()) {
                    moves.push(word);
                }
                if moves.is_empty() {
                    complaints.push(Complaint::MissingValue { keyword: name });
                }
            }
            Argument::AtLeast(_) | Argument::Positive => {
                let value = words.next_if(|word| keyword(word).is_none());
                if name == "perft" {
                    perft = Some(read_depth(value, complaints));
                    continue;
                }
                match read_number(name, argument, value, complaints) {
                    Number::Is(number) => set(&mut go, name, number),
                    Number::Absent => {}
                    Number::Unreadable => go.unreadable = true,
                }
            }
        }
    }
    match perft {
        Some(depth) => Some(Command::Perft(Perft {
            depth: depth?,
            fen: None,
        })),
        None => Some(Command::Go(go)),
    }
}

/// Sets a limit. If it is given twice, the tighter one counts.
fn set(go: &mut Go<'_>, name: &str, number: u64) {
    let field = match name {
        "wtime" => &mut go.wtime,
        "btime" => &mut go.btime,
        "winc" => &mut go.winc,
        "binc" => &mut go.binc,
        "movestogo" => &mut go.movestogo,
        "depth" => &mut go.depth,
        "nodes" => &mut go.nodes,
        "movetime" => &mut go.movetime,
        _ => &mut go.mate,
    };
    *field = Some(field.map_or(number, |old| old.min(number)));
}

fn read_number<'a>(
    keyword: &'static str,
    argument: Argument,
    value: Option<&'a str>,
    complaints: &mut Vec<Complaint<'a>>,
) -> Number {
    let Some(value) = value else {
        complaints.push(Complaint::MissingValue { keyword });
        return Number::Unreadable;
    };
    // A negative number of any size is below every minimum.
    let negative = value
        .strip_prefix('-')
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()));
    let number = if negative { None } else { value.parse().ok() };
    match (argument, number) {
        (Argument::Positive, _) if negative || number == Some(0) => {
            complaints.push(Complaint::Ignored { keyword, value });
            Number::Absent
        }
        (Argument::AtLeast(least), None) if negative => {
            complaints.push(Complaint::TooSmall {
                keyword,
                value,
                used: least,
            });
            Number::Is(least)
        }
        (Argument::AtLeast(least), Some(number)) if number < least => {
            complaints.push(Complaint::TooSmall {
                keyword,
                value,
                used: least,
            });
            Number::Is(least)
        }
        (_, Some(number)) => Number::Is(number),
        (_, None) => {
            complaints.push(Complaint::NotANumber { keyword, value });
            Number::Unreadable
        }
    }
}

/// Reads the words after `perft`: a depth, and a FEN if one is there.
pub(super) fn read_perft<'a>(
    text: &'a str,
    complaints: &mut Vec<Complaint<'a>>,
) -> Option<Command<'a>> {
    let (depth, fen) = match text.split_once(|c: char| c.is_ascii_whitespace()) {
        Some((depth, fen)) => (depth, Some(fen.trim_ascii())),
        None => (text, None),
    };
    let value = (!depth.is_empty()).then_some(depth);
    let depth = read_depth(value, complaints)?;
    Some(Command::Perft(Perft { depth, fen }))
}

/// The depth of a perft; `None` with a complaint if it is not valid.
fn read_depth<'a>(value: Option<&'a str>, complaints: &mut Vec<Complaint<'a>>) -> Option<u32> {
    match read_number("perft", Argument::AtLeast(0), value, complaints) {
        Number::Is(depth) if depth <= MAX_PERFT_DEPTH => Some(depth as u32),
        Number::Is(_) => {
            complaints.push(Complaint::TooLarge {
                keyword: "perft",
                value: value.unwrap_or_default(),
                most: MAX_PERFT_DEPTH,
            });
            None
        }
        Number::Absent | Number::Unreadable => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::parse;

    fn go(line: &str) -> (Go<'_>, usize) {
        let parsed = parse(line);
        match parsed.command {
            Some(Command::Go(go)) => (go, parsed.complaints.len()),
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn limits_are_read_in_any_order() {
        let (read, complaints) = go(
            "go ponder searchmoves e2e4 d2d4 wtime 1000 btime 2000 depth 7 winc 10 binc 20 \
             nodes 500 movestogo 3 movetime 99 mate 2 infinite",
        );
        assert_eq!(complaints, 0);
        assert_eq!(
            read,
            Go {
                wtime: Some(1000),
                btime: Some(2000),
                winc: Some(10),
                binc: Some(20),
                movestogo: Some(3),
                depth: Some(7),
                nodes: Some(500),
                movetime: Some(99),
                mate: Some(2),
                searchmoves: Some(vec!["e2e4", "d2d4"]),
                infinite: true,
                ponder: true,
                unreadable: false,
            }
        );
        assert!(read.is_limited());
        assert!(!go("go infinite").0.is_limited());
    }

    #[test]
    fn bad_numbers_are_ignored_or_clamped() {
        for (line, complaints, unreadable) in [
            ("go depth abc", 1, true),
            ("go depth 18446744073709551616", 1, true),
            ("go depth", 1, true),
            ("go depth -", 1, true),
            ("go depth 3.5", 1, true),
            ("go depth -1", 1, false),
            ("go depth 0", 1, false),
            ("go wtime -5 btime 0", 1, false),
            ("go movestogo 0 wtime 5 btime 5", 1, false),
            ("go movestogo -3 wtime 5 btime 5", 1, false),
            ("go nodes 18446744073709551615", 0, false),
            ("go depth movetime 5", 1, true),
        ] {
            let (read, count) = go(line);
            assert_eq!((count, read.unreadable), (complaints, unreadable), "{line}");
        }
        assert_eq!(go("go wtime -5").0.wtime, Some(0));
        assert_eq!(go("go depth -99999999999999999999").0.depth, Some(1));
        assert_eq!(go("go depth movetime 5").0.movetime, Some(5));
        assert_eq!(go("go movestogo 0").0.movestogo, None);
        assert_eq!(go("go depth 9 depth 4").0.depth, Some(4));
    }

    #[test]
    fn unknown_words_are_skipped() {
        let (read, count) = go("go quickly depth 3");
        assert_eq!((read.depth, count), (Some(3), 1));
        let (read, count) = go("go searchmoves depth 3");
        assert_eq!(
            (read.searchmoves, read.depth, count),
            (Some(vec![]), Some(3), 1)
        );
    }

    #[test]
    fn perft_and_go_perft_are_read() {
        let expected = |depth, fen| Some(Command::Perft(Perft { depth, fen }));
        assert_eq!(parse("go perft 5").command, expected(5, None));
        assert_eq!(parse("perft 4").command, expected(4, None));
        assert_eq!(
            parse("perft 4 8/8/8/8/8/8/8/8 w - -").command,
            expected(4, Some("8/8/8/8/8/8/8/8 w - -"))
        );
        assert_eq!(parse("perft").complaints.len(), 1);
        assert_eq!(parse("perft 20").command, expected(20, None));
        for line in ["perft 21", "go perft 21", "perft 18446744073709551615"] {
            let parsed = parse(line);
            assert_eq!(
                (parsed.command, parsed.complaints.len()),
                (None, 1),
                "{line}"
            );
        }
    }
}
