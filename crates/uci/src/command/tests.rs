//! Tests of the parser.

use super::*;
use skewer_movegen::Scharnagl;

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
    // Commands that UCI does not have, such as `help`, are not looked for inside prose.
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
    let last = Scharnagl::new(959).map(Start::Chess960).unwrap();
    assert_eq!(
        command("position chess960 959 moves e2e4"),
        position(last, &["e2e4"])
    );
    for wrong in ["chess960", "chess960 960", "chess960 -1", "chess960 1 2"] {
        let words = format!("position {wrong}");
        assert_eq!(command(&words), position(Start::Unreadable(wrong), &[]));
    }
    assert_eq!(command("position"), position(Start::Unreadable(""), &[]));
    assert_eq!(
        command("position 8/8 w moves a1a2"),
        position(Start::Unreadable("8/8 w"), &["a1a2"])
    );
    // Without the word `moves`, the words after `startpos` are not read as moves.
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
        ("go depth 3.5", 0, false),
        ("go depth 3.x", 1, true),
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
