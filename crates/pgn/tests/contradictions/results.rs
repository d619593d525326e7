//! Results that contradict each other or the board.

use skewer_movegen::Termination;
use skewer_pgn::{GameErrorKind, Games, Outcome, PgnGame, check, outcome_of};

use crate::{OneByte, line, one, problems, read};

/// The result of the moves counts, or the one of the tag if the moves have none or a star. Two different results are a
/// problem; a star or an unknown result contradicts nothing.
#[test]
fn results_of_tag_and_moves() {
    use Outcome::{BlackWins, Draw, WhiteWins};
    for (tag, moves, outcome, is_problem) in [
        ("1-0", "1-0", Some(WhiteWins), false),
        ("½–½", "1/2-1/2", Some(Draw), false),
        ("*", "0-1", Some(BlackWins), false),
        ("?", "0-1", Some(BlackWins), false),
        ("1-0", "*", Some(WhiteWins), false),
        ("½–½", "*", Some(Draw), false),
        ("1-0", "", Some(WhiteWins), false),
        ("*", "*", None, false),
        ("0-0", "*", None, false),
        ("1-0", "* 0-1", Some(BlackWins), true),
        ("1-0", "0-1", Some(BlackWins), true),
        ("0-1", "1/2-1/2", Some(Draw), true),
        ("1/2-1/2", "White resigns", Some(BlackWins), true),
    ] {
        let text = format!("[Result \"{tag}\"]\n\n1. e4 e5 {moves}\n");
        let game = one(&text);
        assert_eq!(game.outcome, outcome, "{text}");
        let named = game.problems.iter().map(|problem| &problem.reason);
        let two = |reason: &GameErrorKind| matches!(reason, GameErrorKind::TwoResults { .. });
        let named: Vec<bool> = named.map(two).collect();
        assert_eq!(named, vec![true; usize::from(is_problem)], "{text}");
    }
    let game = one("[Result \"1-0\"]\n\n1. e4 e5\n0-1 {time}\n");
    let named = "line 4, column 1: the moves end with 0-1, and the tag Result says 1-0";
    assert_eq!(problems(&game), [named]);
}

/// Points that are no outcome end a game without one, and the tag keeps them. `0-0` is such a result only at the end of
/// the moves and with a tag that says the same, and castling elsewhere. Other points are a bad move among the moves. If
/// the tag does not say the points, a comment does.
#[test]
fn points_without_outcome_end_a_game() {
    let moves = "e4 e5 Nf3 Nc6 Bc4 Bc5";
    let castled = format!("{moves} O-O *");
    let ended = format!("{moves} *");
    for (tag, end, expected) in [
        ("0-0", "0-0", &ended),
        ("0-0", "0:0", &ended),
        ("0:0", "0 - 0", &ended),
        (" 0\u{2013}0 ", "0-0 {both\n\nforfeit} ; late\n{c}", &ended),
        ("0-0", "0-0\n\n", &ended),
        ("0-0", "0-0 {c}\n[Event \"y\"]\n\n*", &ended),
        ("0-0", "4. 0-0 0-0", &format!("{moves} O-O *")),
        ("0-0", "4. 0-0 Nf6", &format!("{moves} O-O Nf6 *")),
        ("0-0", "4. 0-0 {c} Nf6 0-0", &format!("{moves} O-O Nf6 *")),
        ("0-0", "4. 0-0 (4. d3) 0-0", &castled),
        ("0-0", "4. O-O", &castled),
        ("0-0", "4. d3 (4. 0-0) d6 0-0", &format!("{moves} d3 d6 *")),
        ("*", "0-0", &castled),
        ("1-0", "4. 0-0", &format!("{moves} O-O 1-0")),
        ("0-1/2", "4. 0-0", &castled),
        ("1/2-0", "1/2-0", &ended),
        ("1/2-0", "\u{bd}-0", &ended),
        ("\u{bd}:0", "1/2 - 0 {c}", &ended),
        ("0-1/2", "0-1/2", &ended),
        ("1-1/2", "1-\u{bd}\n\n", &ended),
        ("*", "1/2-0", &ended),
    ] {
        let text = format!("[Result \"{tag}\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 {end}");
        for text in [&text, &text.replace('\n', "\r\n")] {
            let games = read(text);
            assert_eq!(&games[0], expected, "{text:?}");
            assert_eq!(games.len(), 1 + text.matches("Event").count(), "{text:?}");
            assert_eq!(check(text.as_bytes()).unwrap().bad_games, 0, "{text:?}");
        }
    }
    // Far from the last move, and in a game without moves.
    let long = format!(
        "[Result \"0-0\"]\n\n1. e4 e5 0-0 {{{}}}\n",
        "c ".repeat(100_000)
    );
    assert_eq!(read(&long), ["e4 e5 *"]);
    let next = format!("{long}[Event \"y\"]\n\n*");
    let games = Games::new(OneByte(next.as_bytes()));
    let lines: Vec<_> = games.map(|game| line(&game.unwrap())).collect();
    assert_eq!(lines, ["e4 e5", ""]);
    assert_eq!(read("[Result \"0-0\"]\n\n0-0\n"), [" *"]);
    assert!(read("[Result \"*\"]\n\n0-0\n")[0].contains("move 1. 0-0 is not legal"));
    // Among the moves.
    let among = read("1. e4 e5 1/2-0 2. Nf3 *");
    assert!(among[0].contains("move 2. 1/2-0 is"), "{among:?}");
    // After a result.
    let stray = "a result stands among the moves or after another result";
    for text in [
        "1. e4 e5 1-0 1/2-0",
        "1. e4 e5 1-0\n0-1/2",
        "1. e4 e5 1-0 \u{bd}-0 {c}",
    ] {
        assert_eq!(problems(&one(text)).len(), 1, "{text}");
        assert!(problems(&one(text))[0].ends_with(stray), "{text}");
    }
    // The tag and a comment keep the points.
    let game = one("[Result \"1/2-0\"]\n\n1. e4 e5 1/2-0\n");
    assert!(
        game.to_string()
            .ends_with("[Result \"1/2-0\"]\n\n1. e4 e5 *\n\n"),
        "{game}"
    );
    let game = one("1. e4 e5 1/2-0\n");
    assert!(
        game.to_string().ends_with("\n1. e4 e5 { 1/2-0 } *\n\n"),
        "{game}"
    );
}

/// A remark may follow the result in the tag, as after the moves: it stands after a blank, a comma or a bracket, and
/// has no digits. The tag is compared with the moves, and stays as it is if the game has its result.
#[test]
fn a_remark_may_follow_the_result_of_the_tag() {
    use Outcome::{BlackWins, Draw, WhiteWins};
    for (tag, outcome) in [
        ("1-0 (time)", Some(WhiteWins)),
        ("1-0(time)", Some(WhiteWins)),
        ("1-0 FF", Some(WhiteWins)),
        ("0-1, on time", Some(BlackWins)),
        ("(0-1) resigns", Some(BlackWins)),
        ("\u{bd}-\u{bd} [agreed]", Some(Draw)),
        ("1-0FF", None),
        ("1-0 or 0-1", None),
        ("1-0 or \u{bd}", None),
        ("1-0 *", None),
        ("1-0 ?", None),
        ("* (adjourned)", None),
        ("White", None),
    ] {
        assert_eq!(outcome_of(tag), outcome, "{tag}");
        let game = one(&format!("[Result \"{tag}\"]\n\n1. e4 e5 *\n"));
        assert_eq!(game.outcome, outcome, "{tag}");
        let written = game.to_string();
        assert!(
            written.contains(&format!("[Result \"{tag}\"]")),
            "{written}"
        );
    }
    let game = one("[Result \"1-0 FF\"]\n\n1. e4 e5 0-1\n");
    let named = "line 3, column 10: the moves end with 0-1, and the tag Result says 1-0";
    assert_eq!(problems(&game), [named]);
    assert!(game.to_string().contains("[Result \"1-0 FF\"]"), "{game}");
    let mut game = one("[Result \"1-0 FF\"]\n\n1. e4 e5 1-0\n");
    game.outcome = Some(Draw);
    assert!(game.to_string().contains("[Result \"1/2-1/2\"]"), "{game}");
}

/// A written game has both results if it was read with two, as long as its result stays; and a tag that is no result
/// stays if the game has none. Otherwise the tag follows the game.
#[test]
fn no_result_is_lost_when_a_game_is_written() {
    let written = |game: &PgnGame| {
        let text = game.to_string();
        let (_, tag) = text.split_once("[Result \"").expect("the tag");
        let (tag, moves) = tag.split_once('"').expect("a quote");
        let result = moves.split_whitespace().last().expect("a result");
        (tag.to_owned(), result.to_owned())
    };
    for (tag, moves, expected) in [
        ("1-0", "0-1", ("1-0", "0-1")),
        ("1-0", "*", ("1-0", "1-0")),
        ("*", "0-1", ("0-1", "0-1")),
        ("½–½", "*", ("1/2-1/2", "1/2-1/2")),
        ("0-0", "*", ("0-0", "*")),
        ("0-0", "0-1", ("0-1", "0-1")),
        ("?", "*", ("*", "*")),
    ] {
        let mut game = one(&format!("[Result \"{tag}\"]\n\n1. e4 e5 {moves}\n"));
        let (in_tag, after_moves) = written(&game);
        assert_eq!((&*in_tag, &*after_moves), expected, "{tag} {moves}");
        let again = one(&game.to_string());
        assert_eq!(again.outcome, game.outcome, "{tag} {moves}");
        let reasons = |game: &PgnGame| {
            let reasons = game.problems.iter().map(|problem| problem.reason.clone());
            reasons.collect::<Vec<_>>()
        };
        assert_eq!(reasons(&again), reasons(&game), "{tag} {moves}");
        game.outcome = Some(Outcome::Draw);
        let drawn = ("1/2-1/2".to_owned(), "1/2-1/2".to_owned());
        assert_eq!(written(&game), drawn, "{tag} {moves}");
    }
}

/// Checkmate and stalemate have one result. Another one, of the moves or of the tag, is a problem and is kept. An
/// unknown result, and a mate in a variation, contradict nothing.
#[test]
fn results_that_contradict_the_board_are_problems() {
    let mate = "1. f3 e5 2. g4 Qh4#";
    let stalemate = "[FEN \"7k/8/6K1/8/8/8/8/5Q2 w - - 0 1\"]\n\n1. Qf7";
    for (text, expected) in [
        (format!("{mate} 0-1"), None),
        (format!("{mate} *"), None),
        (mate.to_owned(), None),
        (format!("{stalemate} 1/2-1/2"), None),
        (format!("{stalemate} *"), None),
        ("1. f3 e5 2. g4 d5 (2... Qh4#) 1-0".to_owned(), None),
        (
            "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1-0".to_owned(),
            None,
        ),
        (
            format!("{mate} 1-0"),
            Some("line 1, column 21: the result is 1-0, and the last position is checkmate: 0-1"),
        ),
        (
            format!("{mate} 1/2-1/2"),
            Some(
                "line 1, column 21: the result is 1/2-1/2, and the last position is checkmate: 0-1",
            ),
        ),
        (
            format!("[Event \"x\"]\n[Result \"1-0\"]\n\n{mate}\n"),
            Some("line 1, column 1: the result is 1-0, and the last position is checkmate: 0-1"),
        ),
        (
            format!("[Event \"x\"]\n[Result \"1-0\"]\n\n{mate} *\n"),
            Some("line 1, column 1: the result is 1-0, and the last position is checkmate: 0-1"),
        ),
        (
            format!("{stalemate} 1-0"),
            Some(
                "line 3, column 8: the result is 1-0, and the last position is stalemate: 1/2-1/2",
            ),
        ),
    ] {
        let game = one(&text);
        assert_eq!(problems(&game), Vec::from_iter(expected), "{text}");
        let written = game.to_string();
        let result = Outcome::pgn_result(game.outcome);
        assert!(
            written.contains(&format!("[Result \"{result}\"]")),
            "{written}"
        );
    }
    // Both contradictions are named.
    let game = one(&format!("[Result \"0-1\"]\n\n{mate} 1-0"));
    let reasons: Vec<_> = game
        .problems
        .into_iter()
        .map(|named| named.reason)
        .collect();
    let (tag, given) = (Outcome::BlackWins, Outcome::WhiteWins);
    let winner = skewer_movegen::Color::Black;
    let ending = Termination::Checkmate { winner };
    let two = GameErrorKind::TwoResults { tag, moves: given };
    assert_eq!(reasons, [two, GameErrorKind::WrongResult { ending, given }]);
}
