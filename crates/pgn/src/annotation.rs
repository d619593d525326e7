//! Commands in comments: `[%clk 0:05:00]`, `[%eval 0.17,18]`, `[%emt 0:00:07]`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use memchr::{memchr, memchr_iter, memrchr};
use skewer_movegen::Board;

use crate::characters::{Meaning, meaning};
use crate::params::{LARGEST_DEPTH, LONGEST_CLOCK, LONGEST_MATE};
use crate::text::is_number;

/// An evaluation as `[%eval ...]` gives it: from White's side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EvalValue {
    /// Hundredths of a pawn, positive when White is better.
    Centipawns(i32),
    /// Mate in this many moves, negative when Black mates. Zero is mate on the board.
    Mate(i32),
}

/// An evaluation with the depth of the search, if that is known.
///
/// ```
/// use skewer_pgn::{EvalTag, EvalValue};
///
/// let eval = EvalTag { value: EvalValue::Centipawns(17), depth: Some(18) };
/// assert_eq!(eval.to_string(), "[%eval 0.17,18]");
/// assert_eq!(EvalTag::find("hm [%eval #-3] yes").unwrap().value, EvalValue::Mate(-3));
/// assert_eq!(EvalTag::find("[%eval 0,5]"), None, "half a pawn, or depth 5");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EvalTag {
    /// The evaluation.
    pub value: EvalValue,
    /// Search depth in plies.
    pub depth: Option<u32>,
}

impl EvalTag {
    /// The first evaluation in a comment. A mate may be written `M3` or `mate 3`; signs and digits may be other
    /// characters that look the same. The depth may follow a comma, a slash, a colon, a bar, a semicolon or a
    /// blank. Text after the depth is ignored.
    ///
    /// An ambiguous or impossible value is not read: a number without decimals before another number (`3,16` may be 3.16
    /// pawns, or 3 pawns at depth 16), a mate in more than [`LONGEST_MATE`] moves, or a depth above [`LARGEST_DEPTH`].
    pub fn find(comment: &str) -> Option<Self> {
        Self::all(comment).next()
    }

    /// The first evaluation in a comment that is possible in `board`, the position after the commented move. Mate in 0
    /// moves is possible only in checkmate.
    ///
    /// ```
    /// use skewer_movegen::Board;
    /// use skewer_pgn::EvalTag;
    ///
    /// assert_eq!(EvalTag::find_at("[%eval #0]", &Board::STARTPOS), None);
    /// assert!(EvalTag::find_at("[%eval #1]", &Board::STARTPOS).is_some());
    /// ```
    pub fn find_at(comment: &str, board: &Board) -> Option<Self> {
        let is_mate = || board.in_check() && !board.has_legal_moves();
        Self::all(comment).find(|eval| eval.value != EvalValue::Mate(0) || is_mate())
    }

    /// The evaluations in a comment.
    fn all(comment: &str) -> impl Iterator<Item = Self> {
        commands(comment, "eval").filter_map(|(_, _, inside)| Self::parse(inside))
    }

    /// The evaluation in the value of a command.
    fn parse(inside: &str) -> Option<Self> {
        let plain: String = inside.chars().map(plain_char).collect();
        let plain = with_decimal_point(&plain).unwrap_or(plain);
        let separates =
            |c: char| matches!(c, ',' | '/' | ';' | ':' | '|' | '(' | ')') || c.is_whitespace();
        let mut words = plain.split(separates).filter(|word| !word.is_empty());
        let first = words.next()?;
        let value = if first.eq_ignore_ascii_case("mate") {
            let mut moves = words.next()?;
            if moves == "in" {
                moves = words.next()?;
            }
            EvalValue::Mate(mate(moves)?)
        } else {
            value_of(first)?
        };
        let depth = match words.next() {
            None => None,
            Some("d" | "D" | "depth") => Some(depth(words.next()?)?),
            Some(word) => {
                let name = word.trim_end_matches(|c: char| c.is_ascii_digit());
                let is_depth = match name {
                    // Without decimals the two numbers may also be one with a decimal comma.
                    "" => matches!(value, EvalValue::Mate(_)) || first.contains('.'),
                    "d" | "D" | "depth=" | "d=" => true,
                    _ => false,
                };
                if !is_depth {
                    return None;
                }
                Some(depth(&word[name.len()..])?)
            }
        };
        Some(Self { value, depth })
    }
}

/// The ASCII character that a character outside ASCII stands for, or the character itself.
fn plain_char(c: char) -> char {
    match meaning(c) {
        Meaning::Same(byte) if !c.is_ascii() => char::from(byte),
        _ => c,
    }
}

/// The text with a decimal point in place of its decimal comma, as in `0,16/16`. Only the depth after the slash shows
/// that the comma is a decimal one.
fn with_decimal_point(text: &str) -> Option<String> {
    let (value, depth) = text.split_once('/')?;
    let (whole, part) = value.split_once(',')?;
    let digits = whole.trim_start_matches(['+', '-']);
    (is_number(digits) && is_number(part)).then(|| format!("{whole}.{part}/{depth}"))
}

/// The evaluation of one word: a mate, or pawns with decimals.
fn value_of(word: &str) -> Option<EvalValue> {
    let unsigned = word.strip_prefix(['+', '-']).unwrap_or(word);
    let Some(moves) = unsigned.strip_prefix(['#', 'M', 'm']) else {
        return Some(EvalValue::Centipawns(hundredths(word)?));
    };
    // There is one sign, before or after the letter.
    let sign = &word[..word.len() - unsigned.len()];
    if !sign.is_empty() && moves.starts_with(['+', '-']) {
        return None;
    }
    Some(EvalValue::Mate(mate(&format!("{sign}{moves}"))?))
}

/// The moves to a mate: a whole number, with or without a sign.
fn mate(text: &str) -> Option<i32> {
    let moves: i32 = text.parse().ok()?;
    (moves.unsigned_abs() <= LONGEST_MATE).then_some(moves)
}

/// The depth of a search.
fn depth(text: &str) -> Option<u32> {
    parse_digits(text).filter(|&depth: &u32| depth <= LARGEST_DEPTH)
}

impl fmt::Display for EvalTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            EvalValue::Centipawns(score) => {
                let sign = if score < 0 { "-" } else { "" };
                let score = score.unsigned_abs();
                write!(f, "[%eval {sign}{}.{:02}", score / 100, score % 100)?;
            }
            EvalValue::Mate(moves) => write!(f, "[%eval #{moves}")?,
        }
        match self.depth {
            Some(depth) => write!(f, ",{depth}]"),
            None => f.write_str("]"),
        }
    }
}

/// The player's clock after the move, from `[%clk h:mm:ss]`, or a number of seconds. Rounded seconds may be sixty
/// (`0:15:60` is 16 minutes), and minutes without hours may be sixty or more. `None` for other texts, for a clock of more
/// than [`LONGEST_CLOCK`], and for a clock of two parts, which [`short_clock`] reads.
pub fn clock(comment: &str) -> Option<Duration> {
    duration(command(comment, "clk")?)
}

/// The two numbers of a clock of two parts: hours and minutes, or minutes and seconds, which only the time control can
/// tell. The second one has two digits.
///
/// ```
/// assert_eq!(skewer_pgn::annotation::short_clock("[%clk 01:30]"), Some([1, 30]));
/// assert_eq!(skewer_pgn::annotation::short_clock("[%clk 0:01:30]"), None);
/// assert_eq!(skewer_pgn::annotation::short_clock("[%clk 0:5]"), None);
/// ```
pub fn short_clock(comment: &str) -> Option<[u32; 2]> {
    let (first, second) = command(comment, "clk")?.split_once(':')?;
    let number = |text: &str| parse_digits(text).filter(|&number: &u32| number < 1_000_000);
    let second = Some(second).filter(|second| second.len() == 2)?;
    Some([number(first)?, number(second)?])
}

/// The time spent on the move, from `[%emt h:mm:ss]` or a number of seconds; as [`clock`].
pub fn elapsed(comment: &str) -> Option<Duration> {
    duration(command(comment, "emt")?)
}

/// The comment without its commands of this name (such as `eval`), with one blank in place of each.
///
/// ```
/// use skewer_pgn::annotation::without;
/// assert_eq!(without("[%eval 0.2] [%clk 0:01:02] fine", "eval"), "[%clk 0:01:02] fine");
/// ```
pub fn without(comment: &str, name: &str) -> String {
    let unfinished = format!("[%{name}");
    let (mut kept, mut rest) = (String::new(), comment);
    for (start, end, _) in commands(comment, name) {
        let at = comment.len() - rest.len();
        if start < at {
            // The command lies in a command that the loop below has removed.
            continue;
        }
        append(&mut kept, comment[at..start].trim_end());
        rest = comment[end..].trim_start();
        // Without its inner command, `[%eval[%eval 1]2]` is a command too.
        while kept.ends_with(&unfinished) {
            let Some(length) = memchr(b']', rest.as_bytes()) else {
                break;
            };
            kept.truncate(kept.len() - unfinished.len());
            kept.truncate(kept.trim_end().len());
            rest = rest[length + 1..].trim_start();
        }
    }
    append(&mut kept, rest);
    kept
}

/// Appends text, after a blank if neither is empty.
fn append(kept: &mut String, text: &str) {
    if !kept.is_empty() && !text.is_empty() {
        kept.push(' ');
    }
    kept.push_str(text);
}

/// The value of the first command of this name.
pub fn command<'a>(comment: &'a str, name: &str) -> Option<&'a str> {
    commands(comment, name).next().map(|(_, _, inside)| inside)
}

/// Start, end and value of the commands of this name.
fn commands<'a>(comment: &'a str, name: &str) -> impl Iterator<Item = (usize, usize, &'a str)> {
    // A command before the last closing bracket has an end. Without this limit, a comment of many open
    // brackets would be searched to its end for each of them.
    let last = memrchr(b']', comment.as_bytes()).unwrap_or(0);
    let mut past = 0;
    memchr_iter(b'[', &comment.as_bytes()[..last]).filter_map(move |start| {
        // A bracket inside a command does not begin another command.
        let value = comment[start + 1..].strip_prefix('%')?.strip_prefix(name)?;
        if start < past || !value.starts_with(char::is_whitespace) {
            return None;
        }
        let length = memchr(b']', value.as_bytes())?;
        past = comment.len() - value.len() + length + 1;
        Some((start, past, value[..length].trim()))
    })
}

/// A decimal number in hundredths; more digits are cut off.
fn hundredths(text: &str) -> Option<i32> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    if (whole.is_empty() && part.is_empty()) || !part.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digit = |index: usize| {
        part.as_bytes()
            .get(index)
            .map_or(0, |byte| i32::from(byte - b'0'))
    };
    let whole: i32 = if whole.is_empty() {
        0
    } else {
        parse_digits(whole)?
    };
    let value = whole
        .checked_mul(100)?
        .checked_add(digit(0) * 10 + digit(1))?;
    Some(if negative { -value } else { value })
}

fn parse_digits<N: FromStr>(text: &str) -> Option<N> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        text.parse().ok()
    } else {
        None
    }
}

/// Hours, minutes and seconds, or only seconds, which may have a fraction. Digits and colons may be other characters
/// that look the same.
fn duration(text: &str) -> Option<Duration> {
    if !text.is_ascii() {
        let shown = text.chars().filter(|&c| meaning(c) != Meaning::Invisible);
        let plain: String = shown.map(plain_char).collect();
        return plain.is_ascii().then(|| duration(&plain)).flatten();
    }
    let mut parts = text.split(':').map(str::trim);
    let (first, second, third) = (parts.next()?, parts.next(), parts.next());
    let time = match (second, third) {
        (None, None) => seconds(first)?,
        (Some(minutes), Some(rest)) if parts.next().is_none() => {
            let (hours, minutes): (u32, u32) = (parse_digits(first)?, parse_digits(minutes)?);
            let rest = seconds(rest)?;
            if (hours > 0 && minutes >= 60) || rest > Duration::from_secs(60) {
                return None;
            }
            let whole = 3600 * u64::from(hours) + 60 * u64::from(minutes);
            Duration::from_secs(whole) + rest
        }
        _ => return None,
    };
    (time <= Duration::from_secs(LONGEST_CLOCK)).then_some(time)
}

/// A number of seconds, which may have a fraction.
fn seconds(text: &str) -> Option<Duration> {
    // Nearly all clocks have whole seconds.
    if let Some(whole) = parse_digits(text) {
        return Some(Duration::from_secs(whole));
    }
    let is_decimal = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    let number: f64 = text.bytes().all(is_decimal).then(|| text.parse().ok())??;
    Duration::try_from_secs_f64(number).ok()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use proptest::prelude::*;

    use super::*;

    /// Removes one command after another, in as many copies of the comment.
    fn one_by_one(comment: &str) -> String {
        let mut rest = comment.to_owned();
        loop {
            let Some((start, end, _)) = commands(&rest, "eval").next() else {
                return rest;
            };
            let (before, after) = (rest[..start].trim_end(), rest[end..].trim_start());
            let blank = if before.is_empty() || after.is_empty() {
                ""
            } else {
                " "
            };
            rest = format!("{before}{blank}{after}");
        }
    }

    proptest! {
        #[test]
        fn commands_are_removed_in_one_pass_as_one_by_one(
            parts in proptest::collection::vec(
                prop::sample::select(vec!["[%eval", "[%eval 1]", "[%clk 2]", "[", "]", " ", "x", "é"]),
                0..12,
            )
        ) {
            let comment = parts.concat();
            prop_assert_eq!(without(&comment, "eval"), one_by_one(&comment), "{:?}", comment);
        }
    }

    /// A copy of the comment for each command would take minutes.
    #[test]
    fn many_commands_are_removed_in_a_moment() {
        let begun = Instant::now();
        let comment = "[%eval 1]".repeat(1 << 20) + "end";
        assert_eq!(without(&comment, "eval"), "end");
        assert!(begun.elapsed() < Duration::from_mins(1));
    }

    #[test]
    fn reads_evaluations() {
        let read = |text: &str| EvalTag::find(text).map(|eval| (eval.value, eval.depth));
        assert_eq!(
            read("[%eval 0.17]"),
            Some((EvalValue::Centipawns(17), None))
        );
        assert_eq!(
            read("[%eval -1.5,20]"),
            Some((EvalValue::Centipawns(-150), Some(20)))
        );
        assert_eq!(
            read("[%clk 0:01:00] [%eval #4]"),
            Some((EvalValue::Mate(4), None))
        );
        assert_eq!(
            read("[%eval +.25]"),
            Some((EvalValue::Centipawns(25), None))
        );
        assert_eq!(read("[%eval 3]"), Some((EvalValue::Centipawns(300), None)));
        for text in [
            "0.16/16",
            "0,16/16",
            "+0,16/16/24",
            "0.16, 16",
            "+0.16 d16",
            "0.16/16 1.2s",
            "0.16,d16",
            "0.16 depth=16",
            "0.16 depth 16",
            "0.16, d 16",
            "0.16;16",
            "0.16|16",
            "0.16:16",
            "0.16 (16)",
            "(0.16,16)",
            "0.16/16/24",
            "0.16,16,24",
            "0.16, 16, 1.2",
            "\u{ff0b}0.16\u{a0}16",
        ] {
            let expected = Some((EvalValue::Centipawns(16), Some(16)));
            assert_eq!(read(&format!("[%eval {text}]")), expected, "{text}");
        }
        assert_eq!(
            read("[%eval 3 d16]"),
            Some((EvalValue::Centipawns(300), Some(16)))
        );
        for minus in ['-', '−', '–', '—', '‐', '－'] {
            let expected = Some((EvalValue::Centipawns(-16), None));
            assert_eq!(read(&format!("[%eval {minus}0.16]")), expected, "{minus}");
        }
        assert_eq!(
            read("[%eval x] [%eval 1]"),
            Some((EvalValue::Centipawns(100), None)),
            "the first that can be read"
        );
        for (text, moves) in [
            ("#-3/20", -3),
            ("-#3,20", -3),
            ("M3/20", 3),
            ("-M3 20", -3),
            ("+M3,20", 3),
            ("mate 3/20", 3),
            ("Mate in -3, 20", -3),
            ("♯3 20", 3),
            ("#+3,20", 3),
            ("#9999,20", 9999),
        ] {
            let expected = Some((EvalValue::Mate(moves), Some(20)));
            assert_eq!(read(&format!("[%eval {text}]")), expected, "{text}");
        }
        for bad in [
            "[%eval]",
            "[%eval x]",
            "[%eval 1.2.3]",
            "[%eval 99999999999]",
            "[%evaluation 1]",
            "[%eval 1",
            "[%eval -]",
            "[%eval 1é]",
            "[%eval 1,x]",
            "[%eval 1 more]",
        ] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }

    /// A value that is not of the form of an evaluation, or that may mean two things, is not read. It is no evaluation of
    /// another kind: a decimal comma does not make a number and a depth of a number, and no clock or fraction is one.
    #[test]
    fn values_of_another_form_are_no_evaluations() {
        for text in [
            "-0,5",
            "0,5",
            "3,16",
            "17,20",
            "1,234.56",
            "3/16",
            "1:30",
            "3;16",
            "3 16",
            "+1|9",
            "(3,16)",
            "#10000",
            "#999999",
            "#-999999",
            "#-2147483648",
            "M99999",
            "mate 10000",
            "#3.5",
            "#",
            "+#-3",
            "-#-3",
            "-M+3",
            "#++3",
            "#--3",
            "+-1",
            "--1.0",
            "+",
            ".",
            "1e3",
            "0x1.0",
            "0.25,100000",
            "0.25,99999999999",
            "0.25,-3",
            "0.25,20.5",
            "0.25 d",
            "#3,x",
            "0.25cp",
        ] {
            let comment = format!("[%eval {text}]");
            assert_eq!(EvalTag::find(&comment), None, "{text}");
        }
    }

    /// Mate in 0 moves is an evaluation of checkmate only. If it stands elsewhere, the next evaluation counts.
    #[test]
    fn mate_in_0_is_checkmate() {
        let board = |fen: &str| fen.parse::<Board>().unwrap();
        let mated = board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
        let stalemate = board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
        let check = board("4k3/8/8/8/8/8/8/K3R3 b - - 0 1");
        for (text, board, expected) in [
            ("[%eval #0]", &mated, Some(EvalValue::Mate(0))),
            ("[%eval #-0]", &mated, Some(EvalValue::Mate(0))),
            ("[%eval #0]", &stalemate, None),
            ("[%eval #0]", &check, None),
            ("[%eval M0,20]", &Board::STARTPOS, None),
            (
                "[%eval #0] [%eval 0.25]",
                &check,
                Some(EvalValue::Centipawns(25)),
            ),
            ("[%eval #1]", &check, Some(EvalValue::Mate(1))),
        ] {
            let found = EvalTag::find_at(text, board).map(|eval| eval.value);
            assert_eq!(found, expected, "{text} {board}");
        }
    }

    #[test]
    fn tags_round_trip() {
        for value in [-12345, -100, -99, -5, 0, 5, 99, 100, 12345] {
            let eval = EvalTag {
                value: EvalValue::Centipawns(value),
                depth: Some(7),
            };
            assert_eq!(EvalTag::find(&eval.to_string()), Some(eval));
        }
        for moves in [-30, -1, 0, 1, 30] {
            let eval = EvalTag {
                value: EvalValue::Mate(moves),
                depth: None,
            };
            assert_eq!(EvalTag::find(&eval.to_string()), Some(eval));
        }
    }

    #[test]
    fn reads_clocks() {
        assert_eq!(clock("[%clk 0:05:01]"), Some(Duration::from_secs(301)));
        assert_eq!(
            clock("[%clk 1:00:00.5]"),
            Some(Duration::from_millis(3_600_500))
        );
        assert_eq!(elapsed("x [%emt 0:00:07]"), Some(Duration::from_secs(7)));
        for other in ["０:０５:０１", "0∶05∶01", "0:05：01\u{200b}"] {
            let text = format!("[%clk {other}]");
            assert_eq!(clock(&text), Some(Duration::from_secs(301)), "{other}");
        }
        assert_eq!(clock("[%clk −0:05:01]"), None, "a negative clock");
        // Rounded seconds may be sixty, and minutes without hours may be sixty or more.
        for (text, seconds) in [
            ("0:15:60", 960),
            ("1:59:60", 7200),
            ("0:90:00", 5400),
            ("0:5:1", 301),
            ("99999:59:59", 359_999_999),
        ] {
            let text = format!("[%clk {text}]");
            assert_eq!(clock(&text), Some(Duration::from_secs(seconds)), "{text}");
        }
        for none in [
            "-1:00",
            "-0:00:01",
            "1:-1:00",
            "01:30",
            "+0:00:01",
            "1e3",
            "0:00:-1",
            "1:2:3:4",
            "",
            // Minutes and seconds that no clock shows, and fractions of hours and minutes.
            "1:60:00",
            "0:05:61",
            "0:00:60.5",
            "0:00:90",
            "1.5:00:00",
            "0:0.5:00",
            "0:05:1.2.3",
            "0:05:.",
            "::",
            "0::1",
            "0:05: 1 2",
            "inf",
            // More than a clock of chess by post shows.
            "100001:00:00",
            "999999999:00:00",
            "0:999999999:00",
            "999999999999",
            "1000000000000000.5",
        ] {
            assert_eq!(clock(&format!("[%clk {none}]")), None, "{none}");
        }
        assert_eq!(clock("[%clk nan]"), None);
        assert_eq!(
            clock("[ [% clk 1] [%clk2 1] [%clk\t 90 ] x"),
            Some(Duration::from_secs(90))
        );
        assert_eq!(clock(&format!("[%clk 1{}]", ":00".repeat(20))), None);
        assert_eq!(clock("[%clk 2000000000:00]"), None);
    }

    /// The second part of a clock of two parts has two digits, whether they are minutes or seconds.
    #[test]
    fn reads_clocks_of_two_parts() {
        for (text, expected) in [
            ("01:30", Some([1, 30])),
            ("90:00", Some([90, 0])),
            ("0:5", None),
            ("0:005", None),
            ("1:", None),
            (":30", None),
            ("-0:30", None),
            ("1:3a", None),
            ("1:-3", None),
            ("1000000:00", None),
        ] {
            let comment = format!("[%clk {text}]");
            assert_eq!(short_clock(&comment), expected, "{text}");
            assert_eq!(clock(&comment), None, "{text}");
        }
    }
}
