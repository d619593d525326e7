//! Parses a line: finds the command and its arguments.

use super::{Command, Complaint, DebugMode, Parsed, PositionText, SetOption, Start};

/// The commands of the protocol, which may follow unknown words.
const PROTOCOL: [&str; 11] = [
    "uci",
    "isready",
    "ucinewgame",
    "setoption",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "debug",
    "register",
];

/// Our own commands, which must be the first word of their line.
const EXTRAS: [&str; 8] = [
    "d", "eval", "flip", "perft", "bench", "genfens", "help", "exit",
];

/// Commands without arguments. (`quit` is not listed, because no remark is printed after it.)
const WITHOUT_ARGUMENTS: [&str; 8] = [
    "uci",
    "isready",
    "ucinewgame",
    "stop",
    "ponderhit",
    "d",
    "eval",
    "flip",
];

/// Reads one line. A trailing line break is allowed.
///
/// ```
/// use skewer::command::{Command, parse};
///
/// let parsed = parse("isready");
/// assert_eq!(parsed.command, Some(Command::IsReady));
/// assert!(parsed.complaints.is_empty());
///
/// // The protocol: skip what you do not know, and use the rest.
/// assert_eq!(parse("joho isready").command, Some(Command::IsReady));
/// assert_eq!(parse("").command, None);
/// ```
pub fn parse(line: &str) -> Parsed<'_> {
    let line = line.trim_matches(|c: char| c.is_ascii_whitespace());
    let mut complaints = Vec::new();
    let command = match find_command(line, &mut complaints) {
        Some((name, rest)) => read_command(name, rest, &mut complaints),
        None => None,
    };
    Parsed {
        command,
        complaints,
    }
}

/// The command's name and the text after it.
fn find_command<'a>(
    line: &'a str,
    complaints: &mut Vec<Complaint<'a>>,
) -> Option<(&'static str, &'a str)> {
    let (first, rest) = split_word(line)?;
    if let Some(name) = known(first, EXTRAS.iter().chain(&PROTOCOL)) {
        note_capitals(first, name, complaints);
        return Some((name, rest));
    }
    let mut after = rest;
    while let Some((word, next)) = split_word(after) {
        // Prose is more likely than a command in capitals here, so the case must be right.
        if let Some(&name) = PROTOCOL.iter().find(|&&name| name == word) {
            let skipped = &line[..line.len() - after.len()];
            complaints.push(Complaint::Skipped(skipped.trim_ascii_end()));
            return Some((name, next));
        }
        after = next;
    }
    complaints.push(Complaint::UnknownCommand(line));
    None
}

fn known<'n>(
    word: &str,
    mut names: impl Iterator<Item = &'n &'static str>,
) -> Option<&'static str> {
    names.find(|name| name.eq_ignore_ascii_case(word)).copied()
}

fn note_capitals<'a>(found: &'a str, expected: &'static str, complaints: &mut Vec<Complaint<'a>>) {
    if found != expected {
        complaints.push(Complaint::Capitals { found, expected });
    }
}

/// The first word and the text after it, both without blanks around them; `None` if there is no
/// word.
fn split_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_ascii();
    if text.is_empty() {
        return None;
    }
    let end = text
        .find(|c: char| c.is_ascii_whitespace())
        .unwrap_or(text.len());
    Some((&text[..end], text[end..].trim_ascii_start()))
}

fn read_command<'a>(
    name: &'static str,
    rest: &'a str,
    complaints: &mut Vec<Complaint<'a>>,
) -> Option<Command<'a>> {
    if WITHOUT_ARGUMENTS.contains(&name)
        && let Some((word, _)) = split_word(rest)
    {
        complaints.push(Complaint::UnknownArgument {
            command: name,
            word,
        });
    }
    Some(match name {
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "setoption" => Command::SetOption(read_setoption(rest)),
        "position" => Command::Position(read_position(rest)),
        "go" => return super::go::read_go(rest, complaints),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "debug" => return read_debug(rest, complaints),
        "register" => Command::Register,
        "d" => Command::Display,
        "eval" => Command::Eval,
        "flip" => Command::Flip,
        "perft" => return super::go::read_perft(rest, complaints),
        "bench" => Command::Bench(rest.split_ascii_whitespace().collect()),
        "genfens" => Command::GenFens(rest.split_ascii_whitespace().collect()),
        "help" => Command::Help(rest.split_ascii_whitespace().next()),
        _ => Command::Quit,
    })
}

/// A word that is neither `on` nor `off` changes nothing.
fn read_debug<'a>(rest: &'a str, complaints: &mut Vec<Complaint<'a>>) -> Option<Command<'a>> {
    match rest.split_ascii_whitespace().next() {
        None => Some(Command::Debug(DebugMode::On)),
        Some(word) if word.eq_ignore_ascii_case("on") => Some(Command::Debug(DebugMode::On)),
        Some(word) if word.eq_ignore_ascii_case("off") => Some(Command::Debug(DebugMode::Off)),
        Some(word) => {
            complaints.push(Complaint::UnknownArgument {
                command: "debug",
                word,
            });
            None
        }
    }
}

/// Splits at the words `name` and `value`. A value may hold the word `value`, and a name with
/// inner spaces keeps them.
fn read_setoption(rest: &str) -> SetOption<'_> {
    let name_and_value = match split_word(rest) {
        Some((word, after)) if word.eq_ignore_ascii_case("name") => after,
        _ => rest,
    };
    match find_word(name_and_value, "value") {
        Some((start, end)) => SetOption {
            name: name_and_value[..start].trim_ascii(),
            value: Some(name_and_value[end..].trim_ascii()),
        },
        None => SetOption {
            name: name_and_value.trim_ascii(),
            value: None,
        },
    }
}

/// Where the first whole word equal to `wanted` (in any case) begins and ends.
fn find_word(text: &str, wanted: &str) -> Option<(usize, usize)> {
    let mut at = 0;
    while let Some((word, rest)) = split_word(&text[at..]) {
        let end = text.len() - rest.len();
        let start = at + (text[at..].len() - text[at..].trim_ascii_start().len());
        if word.eq_ignore_ascii_case(wanted) {
            return Some((start, start + word.len()));
        }
        at = end;
    }
    None
}

fn read_position(rest: &str) -> PositionText<'_> {
    let (head, moves) = match find_word(rest, "moves") {
        Some((start, end)) => (rest[..start].trim_ascii(), &rest[end..]),
        None => (rest, ""),
    };
    let start = match split_word(head) {
        Some((word, "")) if word.eq_ignore_ascii_case("startpos") => Start::Initial,
        Some((word, after)) if word.eq_ignore_ascii_case("fen") => Start::Fen(after),
        _ => Start::Unreadable(head),
    };
    PositionText {
        start,
        moves: moves.split_ascii_whitespace().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Command<'_> {
        let parsed = parse(line);
        assert_eq!(parsed.complaints, [], "{line}");
        parsed.command.expect(line)
    }

    #[test]
    fn plain_commands() {
        assert_eq!(command("uci"), Command::Uci);
        assert_eq!(command(" \t isready \r\n"), Command::IsReady);
        assert_eq!(command("ucinewgame"), Command::NewGame);
        assert_eq!(command("quit"), Command::Quit);
        assert_eq!(command("exit"), Command::Quit);
        assert_eq!(command("debug off"), Command::Debug(DebugMode::Off));
        assert_eq!(command("debug on"), Command::Debug(DebugMode::On));
        assert_eq!(command("register later"), Command::Register);
        assert_eq!(command("help options"), Command::Help(Some("options")));
    }

    #[test]
    fn blank_lines_are_not_errors() {
        for line in ["", " ", "\r", "\t \r\n"] {
            let parsed = parse(line);
            assert_eq!((parsed.command, parsed.complaints.len()), (None, 0));
        }
    }

    #[test]
    fn unknown_words_are_skipped_with_a_remark() {
        let parsed = parse("joho  debug on");
        assert_eq!(parsed.command, Some(Command::Debug(DebugMode::On)));
        assert_eq!(parsed.complaints, [Complaint::Skipped("joho")]);
        let parsed = parse("no such thing");
        assert_eq!(parsed.command, None);
        assert_eq!(
            parsed.complaints,
            [Complaint::UnknownCommand("no such thing")]
        );
        // Our own commands are not looked for inside prose.
        assert_eq!(parse("I need help").command, None);
    }

    #[test]
    fn capitals_are_accepted_with_a_remark() {
        let parsed = parse("UCI");
        assert_eq!(parsed.command, Some(Command::Uci));
        assert_eq!(parsed.complaints.len(), 1);
    }

    #[test]
    fn options_keep_spaces_and_odd_words() {
        let cases = [
            ("setoption name Hash value 64", "Hash", Some("64")),
            ("setoption name Clear Hash", "Clear Hash", None),
            (
                "setoption name SyzygyPath value /a b/value c",
                "SyzygyPath",
                Some("/a b/value c"),
            ),
            ("setoption name Hash value", "Hash", Some("")),
            ("setoption NAME hash VALUE 1", "hash", Some("1")),
            ("setoption", "", None),
            ("setoption name", "", None),
            ("setoption value 3", "", Some("3")),
            ("setoption Hash value 3", "Hash", Some("3")),
            (
                "setoption name  Move   Overhead  value  3",
                "Move   Overhead",
                Some("3"),
            ),
        ];
        for (line, name, value) in cases {
            assert_eq!(
                command(line),
                Command::SetOption(SetOption { name, value }),
                "{line}"
            );
        }
    }

    #[test]
    fn positions() {
        let position = |start, moves: &[&'static str]| {
            Command::Position(PositionText {
                start,
                moves: moves.to_vec(),
            })
        };
        assert_eq!(command("position startpos"), position(Start::Initial, &[]));
        assert_eq!(
            command("position startpos moves e2e4 e7e5"),
            position(Start::Initial, &["e2e4", "e7e5"])
        );
        assert_eq!(
            command("position fen 8/8/8/8/8/8/8/8 w - - moves a1a2"),
            position(Start::Fen("8/8/8/8/8/8/8/8 w - -"), &["a1a2"])
        );
        assert_eq!(command("position fen"), position(Start::Fen(""), &[]));
        assert_eq!(command("position fen moves"), position(Start::Fen(""), &[]));
        assert_eq!(command("position"), position(Start::Unreadable(""), &[]));
        assert_eq!(
            command("position 8/8 w moves a1a2"),
            position(Start::Unreadable("8/8 w"), &["a1a2"])
        );
        // The moves are not taken for granted: the word that announces them is missing.
        assert_eq!(
            command("position startpos e2e4"),
            position(Start::Unreadable("startpos e2e4"), &[])
        );
    }

    #[test]
    fn quotes_are_one_short_line() {
        let long = "x\n".repeat(100_000);
        let text = Complaint::UnknownCommand(&long).to_string();
        assert!(text.len() < 200 && !text.contains('\n'), "{text}");
    }
}
