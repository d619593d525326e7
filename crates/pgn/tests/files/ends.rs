//! Where a game ends: unclosed comments, games without a result, comments that quote games.

use skewer_pgn::{Games, NodeId};

use crate::{data, expect, line, summaries};

/// Tags at the beginning of a line, before an empty line or moves, end a comment that has no closing brace; its game is
/// bad, and the next one is read.
#[test]
fn an_unclosed_comment_ends_at_the_next_game() {
    expect(
        "i1c_trunc2.pgn",
        &[
            "e4; line 5, column 7: game 1: a comment has no closing brace",
            "d4 d5 0-1",
        ],
    );
    expect(
        "q04_unclosed2.pgn",
        &[
            "e4; line 4, column 7: game 1: a comment has no closing brace",
            "d4 d5 1-0",
            "c4 c5 *",
        ],
    );
    let bytes = data("i1c_trunc2.pgn");
    let last = Games::new(&bytes[..]).last().unwrap().unwrap();
    assert_eq!(
        last.tags.get("Event"),
        Some("y"),
        "after the cut, in the same line"
    );
}

/// The tags after a comment that was cut may be indented, stand among blanks of Unicode, or lack quotes; and a game
/// without tags begins at its first move after an empty line.
#[test]
fn games_in_every_form_end_an_unclosed_comment() {
    let bad = "e4; line 1, column 7: game 1: a comment has no closing brace";
    for next in [
        "[Event \"y\"]\n[White \"C\"]\n\n1. d4 {ok} d5 1-0",
        "  [Event \"y\"]\n\t[White \"C\"]\n\n1. d4 {ok} d5 1-0",
        "\u{a0}[Event \"y\"]\u{a0}\n[White \"C\"]\u{200b}\n\u{a0}\n1. d4 {ok} d5 1-0",
        "\u{feff}[Event \"y\"]\n1. d4 {ok} d5 1-0",
        "[event \"y\"]\n[white \"C\"]\n\n1. d4 {ok} d5 1-0",
        "[Site \"y\"]\n[ECO \"D00\"]\n\n1. d4 {ok} d5 1-0",
        "[Event y]\n[White C]\n\n1. d4 {ok} d5 1-0",
        "[Event \"y\"]\n% escaped\n; comment\n[White \"C\"]\n\n1. d4 {ok} d5 1-0",
        "\n1. d4 {ok} d5 1-0",
        "\n1.d4{ok} d5 1-0",
        "\n  1. d4!? {ok} d5 1-0",
        "\n1. d2–d4 {ok} d5 1-0",
    ] {
        for comment in ["{cut 1-0", "{+0.31/20 1.2s", "{cut\n\nin several\nlines *"] {
            let text = format!("1. e4 {comment}\n{next}\n");
            assert_eq!(summaries(text.as_bytes()), [bad, "d4 d5 1-0"], "{text}");
            let text = text.replace("{ok}", "");
            assert_eq!(summaries(text.as_bytes()), [bad, "d4 d5 1-0"], "{text}");
        }
    }
}

/// Where a game ends and where it does not: an open comment with another brace, tags without `Event`, a number 1 after an
/// empty line, a bracket that opens no tag, a result that goes on.
#[test]
fn ends_of_games() {
    for (text, expected) in [
        (
            "1. e4 {a {b\n\n[Event \"y\"]\n\n1. d4 {ok} d5 1-0",
            &[
                "e4; line 1, column 7: game 1: a comment has no closing brace",
                "d4 d5 1-0",
            ][..],
        ),
        ("[Site \"x\"]\n\n[Event \"y\"]\n\n1. d4 *", &[" *", "d4 *"]),
        ("1. e4 e5\n\n1. d4 d5 *", &["e4 e5 *", "d4 d5 *"]),
    ] {
        assert_eq!(summaries(text.as_bytes()), expected, "{text}");
    }
    let first = |text: &str| summaries(text.as_bytes()).remove(0);
    assert!(
        first("1. e4\n[\"x\"] e5 *").starts_with("e4; "),
        "it is no tag"
    );
    assert!(
        !first("1. e4 1\u{2013}0\u{2013}0 *").ends_with("1-0"),
        "it is no result"
    );
}

/// A comment with a closing brace of its own may quote tags and whole games.
#[test]
fn a_comment_may_quote_tags() {
    for quote in [
        "{ see [Event \"y\"] }",
        "{ the file had\n[Event \"y\"]\n[White \"z\"]\nwhich is wrong }",
        "{ the file had\n[Event \"y\"]\n[White \"z\"]\n }",
        "{ a whole game:\n\n[Event \"y\"]\n\n1. d4 d5 1-0\n\nwhich I lost }",
        "{ a {nested brace\n[Event \"y\"]\nand no end of it }",
        "{ a {nested brace\n[see game 3]\n\nand no end of it }",
        "{ the file had\n[Event \"y\"]\nwhich is {very wrong }",
        "{ see [Event \"y\"]\n1. d4 in {the index }",
        "{ a plan:\n\n1. develop {all pieces\n2. castle }",
        "{ a plan:\n1. d4 {all pieces\n2. castle }",
    ] {
        let text = format!("[Event \"x\"]\n\n1. e4 {quote} e5 1-0\n\n[Event \"n\"]\n\n1. c4 *");
        assert_eq!(summaries(text.as_bytes()), ["e4 e5 1-0", "c4 *"], "{quote}");
    }
}

/// A game that is cut anywhere, with another one glued to it, does not change the other.
#[test]
fn a_cut_game_does_not_reach_into_the_next() {
    let cut = "[Event \"x\"]\n[White \"A [1]\"]\n\n1. e4 {fine} e5 (1... c5 2. Nf3) 2. Nf3 Nc6";
    let next = "[Event \"y\"]\n[White \"C\"]\n\n1. d4 {ok} d5 0-1\n";
    for end in 1..cut.len() {
        let text = format!("{}{next}", &cut[..end]);
        let last = Games::new(text.as_bytes()).last().unwrap();
        let game = last.unwrap_or_else(|error| panic!("{text}\n{error}"));
        let tags = ["Event", "White"].map(|tag| game.tags.get(tag));
        assert_eq!(
            (line(&game).as_str(), tags),
            ("d4 d5", [Some("y"), Some("C")]),
            "{text}"
        );
    }
}

/// Comments between the tags are comments of the game.
#[test]
fn comments_between_tags_do_not_split_a_game() {
    expect("q05_semi_tags.pgn", &["e4 e5 *"]);
    expect("q08_brace_tags.pgn", &["e4 e5 *"]);
    let text = "{first}\n[Event \"x\"]\n\n; second\n%escaped\n\n[White \"A\"]\n\n{third} 1. e4 *";
    let game = Games::new(text.as_bytes()).next().unwrap().unwrap();
    assert_eq!((game.tags.len(), line(&game).as_str()), (2, "e4"));
    assert_eq!(
        game.node(NodeId::ROOT).comments,
        ["first", "second", "third"]
    );
}
