//! Tags that contradict each other, and what is done about each contradiction.

use skewer_movegen::Board;
use skewer_pgn::{Games, check};

use crate::{one, problems, read};

/// A tag that stands twice with two values is a problem, and the last one counts. The names of the tags of the start
/// count in upper and lower case, for every reader, and when the game is written and read again.
#[test]
fn doubled_tags_are_problems() {
    let twice =
        |name: &str| format!("line 1, column 1: the tag {name} stands twice, with two values");
    for (tags, name, value, expected) in [
        (
            "[White \"A\"]\n[White \"B\"]",
            "White",
            "B",
            vec![twice("White")],
        ),
        (
            "[White \"A\"] [White \"B\"]",
            "White",
            "B",
            vec![twice("White")],
        ),
        ("[White \"A\"]\n[White \"A\"]", "White", "A", vec![]),
        ("[White \"A\"]\n[white \"B\"]", "White", "A", vec![]),
        (
            "[White \"A\"]\n[White \"B\"]\n[White \"A\"]",
            "White",
            "A",
            vec![twice("White"), twice("White")],
        ),
        (
            "[Result \"1-0\"]\n[Result \"0-1\"]",
            "Result",
            "0-1",
            vec![twice("Result")],
        ),
    ] {
        let game = one(&format!("{tags}\n\n1. e4 *\n"));
        assert_eq!(game.tags.get(name), Some(value), "{tags}");
        assert_eq!(problems(&game), expected, "{tags}");
    }
    let [first, last] = [
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/P7/4K3 w - - 0 1",
    ];
    for [one_name, other] in [
        ["FEN", "FEN"],
        ["FEN", "fen"],
        ["fen", "FEN"],
        ["fen", "Fen"],
    ] {
        let tags = format!("[{one_name} \"{first}\"]\n[{other} \"{last}\"]");
        let text = format!("{tags}\n\n1. a4 *\n");
        let game = one(&text);
        assert_eq!(game.start().board.to_fen().to_string(), last, "{tags}");
        assert_eq!(problems(&game), [twice(other)], "{tags}");
        let tally = check(text.as_bytes()).unwrap();
        assert_eq!((tally.bad_games, tally.moves), (0, 1), "{tags}");
        let again = one(&game.to_string());
        assert_eq!((again.start(), again.len()), (game.start(), 1), "{tags}");
        assert_eq!(problems(&again), [""; 0], "{tags}");
    }
    let long = "N".repeat(500);
    let game = one(&format!("[{long} \"1\"]\n[{long} \"2\"]\n\n1. e4 *\n"));
    assert!(problems(&game)[0].len() < 100);
}

/// A placeholder contradicts no value: if a tag stands twice, the known value counts, whichever comes last, for every
/// reader.
#[test]
fn a_placeholder_is_no_second_value() {
    let fen = "4k3/8/8/8/8/8/P7/4K3 w - - 0 1";
    for (name, placeholder, value) in [
        ("Round", "?", "3"),
        ("Round", "-", "3"),
        ("Annotator", "", "A"),
        ("Result", "*", "1-0"),
        ("Date", "????.??.??", "2020.01.02"),
        ("FEN", "?", fen),
    ] {
        for [first, last] in [[placeholder, value], [value, placeholder]] {
            let text = format!("[{name} \"{first}\"]\n[{name} \"{last}\"]\n\n");
            let game = one(&(text.clone() + "1. a4 *\n"));
            assert_eq!(game.tags.get(name), Some(value), "{text}");
            assert_eq!(problems(&game), [""; 0], "{text}");
            // The square b1 is empty in the position of the tag.
            let tally = check((text.clone() + "1. Nc3 *\n").as_bytes()).unwrap();
            assert_eq!(tally.bad_games, u64::from(name == "FEN"), "{text}");
        }
    }
    let three = one("[Round \"3\"]\n[Round \"?\"]\n[Round \"4\"]\n\n*");
    let named = "line 1, column 1: the tag Round stands twice, with two values";
    assert_eq!(problems(&three), [named]);
    for [first, last] in [["0-0", "*"], ["*", "0-0"], ["0-0", "0-0"]] {
        let text = format!("[Result \"{first}\"]\n[Result \"{last}\"]\n\n1. e4 e5 0-0");
        assert_eq!(read(&text), ["e4 e5 *"]);
    }
}

/// A second tag `Event` begins another game. If neither moves nor an empty line stand before it, that is a problem of
/// the game before, whose moves may be missing.
#[test]
fn a_second_event_without_an_empty_line_is_a_problem() {
    let named = "a second tag Event stands here, and neither moves nor an empty line before it";
    for (between, place) in [
        ("\n", Some("line 3, column 1")),
        (" ", Some("line 2, column 13")),
        ("\n{c}\n", Some("line 4, column 1")),
        ("\n\n", None),
        ("\n\n*\n", None),
        ("\n*\n", None),
    ] {
        let text = format!("[Event \"x\"]\n[White \"A\"]{between}[Event \"y\"]\n\n1. e4 *\n");
        let first = place.map_or(" *".to_owned(), |place| format!(" *; {place}: {named}"));
        assert_eq!(read(&text), [&*first, "e4 *"], "{text:?}");
        assert_eq!(check(text.as_bytes()).unwrap().games, 2, "{text:?}");
    }
    // The problem with a tag that was cut says enough.
    let cut = "[Event \"x\"]\n[White \"A [Event \"y\"]\n\n1. e4 *\n";
    let games: Vec<_> = Games::new(cut.as_bytes()).map(Result::unwrap).collect();
    assert_eq!(games[0].problems.len(), 1, "{:?}", games[0].problems);
}

/// The tag `SetUp` says whether there is a `FEN`. If it says something else, that is a problem, and the `FEN` counts.
#[test]
fn set_up_without_fen_and_fen_without_set_up_are_problems() {
    let fen = "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]";
    let usual = "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]";
    for (tags, expected) in [
        (fen.to_owned(), None),
        (format!("[SetUp \"1\"]\n{fen}"), None),
        (format!("{usual}\n[SetUp \"0\"]"), None),
        (format!("{usual}\n[SetUp \"1\"]"), None),
        ("[SetUp \"0\"]".to_owned(), None),
        ("[SetUp \"?\"]".to_owned(), None),
        (
            format!("{fen}\n[SetUp \"0\"]"),
            Some("the tag SetUp says 0, and there is a FEN"),
        ),
        (
            format!("[setup \"0\"]\n{fen}"),
            Some("the tag SetUp says 0, and there is a FEN"),
        ),
        (
            "[SetUp \"1\"]".to_owned(),
            Some("the tag SetUp says 1, and there is no FEN"),
        ),
        (
            "[SetUp \"1\"]\n[FEN \"?\"]".to_owned(),
            Some("the tag SetUp says 1, and there is no FEN"),
        ),
    ] {
        let game = one(&format!("\n{tags}\n\n*\n"));
        let expected = expected.map(|named| format!("line 2, column 1: {named}"));
        assert_eq!(problems(&game), Vec::from_iter(expected), "{tags}");
        let has_fen = tags.contains("4k3");
        assert_eq!(game.start().board != Board::STARTPOS, has_fen, "{tags}");
        assert_eq!(problems(&one(&game.to_string())), [""; 0], "{tags}");
    }
}

/// The remedy says what the reader did.
#[test]
fn remedies() {
    for (text, remedy) in [
        ("1. e4 e5 (1... Ke4) *", "the variation is cut there"),
        ("1. e4 e5\n1. d4 d5 *", "read as two games"),
        ("[Event \"x\"]\n[Event \"y\"]\n\n*", "read as two games"),
        ("[White \"A\"]\n[White \"B\"]\n\n*", "the last one counts"),
        (
            "[SetUp \"0\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n*",
            "the FEN counts",
        ),
        ("[SetUp \"1\"]\n\n*", "read from the usual position"),
        (
            "[Result \"1-0\"]\n\n1. e4 0-1",
            "the result of the moves counts",
        ),
        ("1. f3 e5 2. g4 Qh4# 1-0", "the result is kept"),
        ("1. e4 e5 3. Nf3 *", "passed over"),
        ("1. e4 ] e5 *", "passed over"),
    ] {
        let game = Games::new(text.as_bytes()).next().unwrap().unwrap();
        assert_eq!(game.problems[0].remedy(), remedy, "{text}");
    }
}
