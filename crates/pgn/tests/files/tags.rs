//! Tags in the forms in which people write them, and lines that are escaped.

use skewer_pgn::{Games, Outcome, ReadError};

use crate::{expect_games, line, summaries};

/// A bracket too many after a tag is a problem of the game and does not split the game.
#[test]
fn a_stray_bracket_does_not_end_the_tags() {
    let text = "[Event \"x\"]]\n[White \"A\"]\n\n1. e4 *";
    assert_eq!(
        summaries(text.as_bytes()),
        ["e4 *; line 1, column 12: \"]\" means nothing here"]
    );
}

/// Tags without quotes are tags in a file, too.
#[test]
fn tags_without_quotes_begin_a_game() {
    let text = "[Event x]\n[White A]\n\n1. e4 e5\n\n[Event y]\n[White C]\n\n1. d4 d5 1-0\n";
    assert_eq!(summaries(text.as_bytes()), ["e4 e5 *", "d4 d5 1-0"]);
}

/// A tag gives the result in any notation if the moves have none. The tag of the start position may be written in any
/// case.
#[test]
fn results_and_positions_of_tags() {
    let text = "[Result \"½–½\"]\n[fen \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=Q";
    let game = Games::new(text.as_bytes()).next().unwrap().unwrap();
    assert_eq!(game.outcome, Some(Outcome::Draw));
    assert_eq!(game.mainline().count(), 1);
    let unknown = "[FEN \"?\"]\n\n1. e4 *";
    assert!(Games::new(unknown.as_bytes()).next().unwrap().is_ok());
}

/// A sign after a tag does not split the game, and moves in brackets are not a tag. Both are problems.
#[test]
fn signs_among_tags_are_named() {
    let text = "[Event \"x\"],\n[White \"A\"]\n\n1. e4 *";
    let games: Vec<_> = Games::new(text.as_bytes()).collect();
    assert_eq!(games.len(), 1);
    let game = games[0].as_ref().unwrap();
    assert_eq!((game.tags.len(), game.mainline().count()), (2, 1));
    let problem = game.problems[0].to_string();
    assert_eq!(problem, "line 1, column 12: \",\" means nothing here");
    let text = "[1. e4 e5 2. Nf3 *]";
    let game = Games::new(text.as_bytes()).next().unwrap();
    assert!(matches!(game, Err(ReadError::Bad(_))));
}

/// The value of a tag may go on in the next lines, up to its quote and bracket; but not over an empty line, another tag,
/// or more lines than a value may have.
#[test]
fn values_over_several_lines() {
    let tag = |text: &str| {
        let game = Games::new(text.as_bytes()).next().unwrap().ok()?;
        let whole = line(&game) == "e4" && game.problems.is_empty();
        whole.then(|| game.tags.get("Event").unwrap().to_owned())
    };
    let ends = "\"]\n[White \"A\"]\n\n1. e4 *";
    for (value, expected) in [
        ("a\nb", "a b"),
        ("a  \n  b\nc", "a b c"),
        ("1. FSG\n1. Runde", "1. FSG 1. Runde"),
        ("a \\\"b\nc\\\" d", "a \"b c\" d"),
    ] {
        let read = tag(&format!("[Event \"{value}{ends}"));
        assert_eq!(read.as_deref(), Some(expected), "{value}");
    }
    let fen = "[Event \"x\"]\n[FEN \"8/P6k/8/8/8/8/7K/8\nw - - 0 1\"]\n\n1. a8=Q *";
    assert_eq!(summaries(fen.as_bytes()), ["a8=Q *"]);
    assert_eq!(tag(&format!("[Event \"a\n\nb{ends}")), None);
    assert_eq!(
        tag("[Event \"a\"\nWhite \"A\"]\n\n1. e4 *"),
        None,
        "the value has its end"
    );
    assert_eq!(tag(&format!("[Event \"a{}b{ends}", "\n-".repeat(16))), None);
    assert_eq!(
        tag("[Event \"a\n[White \"A\"]\n\n1. e4 *").as_deref(),
        Some("a")
    );
}

/// Only a line that begins with `%` is escaped, not the rest of a line after a result.
#[test]
fn only_whole_lines_are_escaped() {
    expect_games(&[
        (
            "% a\n1. e4\n% b\n  % c\n e5 *\n% d\n1. d4 *",
            &["e4 e5 *", "d4 *"],
        ),
        ("  % a\n1. e4 *\n  % b\n", &["e4 *"]),
        (
            "1. e4 1-0 % rest\n1. d4 *",
            &[
                "e4 1-0; line 1, column 11: \"%\" means nothing here",
                "d4 *",
            ],
        ),
        (
            "{c} % rest\n",
            &["; line 1, column 7: game 1: move 1. rest is not a move"],
        ),
    ]);
}
