//! Games that contradict themselves: numbers of moves, results, tags. Each contradiction is a problem of its game, and
//! nothing is changed in silence when the game is written.

use std::io::{self, Read};

use skewer_movegen::{Board, Termination};
use skewer_pgn::{GameErrorKind, Games, Outcome, PgnGame, Problem, Reader, check, outcome_of};

/// The main line, the result and the problems of every game; or the error of a bad one.
fn read(text: &str) -> Vec<String> {
    let games = Games::new(text.as_bytes()).map(|game| match game {
        Ok(game) => {
            let result = Outcome::pgn_result(game.outcome);
            let told = [format!("{} {result}", line(&game))].into_iter();
            let told = told.chain(game.problems.iter().map(ToString::to_string));
            told.collect::<Vec<_>>().join("; ")
        }
        Err(error) => error.to_string(),
    });
    games.collect()
}

fn line(game: &PgnGame) -> String {
    let sans = game.moves().map(|(board, mv)| board.san(mv).to_string());
    sans.collect::<Vec<_>>().join(" ")
}

fn one(text: &str) -> PgnGame {
    let mut games = Games::new(text.as_bytes());
    let game = games.next().expect("a game");
    assert!(games.next().is_none(), "one game in {text:?}");
    game.unwrap_or_else(|bad| panic!("{bad}"))
}

fn problems(game: &PgnGame) -> Vec<String> {
    game.problems.iter().map(ToString::to_string).collect()
}

/// Reads one byte at a time, so that little stands ahead of the reader.
struct OneByte<'a>(&'a [u8]);

impl Read for OneByte<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(1);
        self.0.read(&mut buffer[..length])
    }
}

const AGAIN: &str = "the numbers begin again at 1, and there is no result before them";

/// White's number 1 at the beginning of a line, after a whole move and before a legal first move, begins another game,
/// and the game before it says so: with dots or without, after numbers or none, in a game from a position, and after an
/// error. Every reader finds the same games.
#[test]
fn numbers_that_begin_again_begin_another_game() {
    for (text, expected) in [
        (
            "1. e4 e5\n1. d4 d5 *",
            [&*format!("e4 e5 *; line 2, column 1: {AGAIN}"), "d4 d5 *"],
        ),
        (
            "1. e4 e5 2. Nf3\n  1.d4 d5 1-0",
            [
                &*format!("e4 e5 Nf3 *; line 2, column 3: {AGAIN}"),
                "d4 d5 1-0",
            ],
        ),
        (
            "1 e4 e5\n1 d4 d5 *",
            [&*format!("e4 e5 *; line 2, column 1: {AGAIN}"), "d4 d5 *"],
        ),
        (
            "e4 e5\n1. d4 d5 *",
            [&*format!("e4 e5 *; line 2, column 1: {AGAIN}"), "d4 d5 *"],
        ),
        (
            "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 12\"]\n\n12. Kd2 Kd7\n1. d4 d5 *",
            [&*format!("Kd2 Kd7 *; line 4, column 1: {AGAIN}"), "d4 d5 *"],
        ),
        (
            "1. e4 e5 (1... c5 2. Nf3) {c}\n1. d4 d5 *",
            [&*format!("e4 e5 *; line 2, column 1: {AGAIN}"), "d4 d5 *"],
        ),
        (
            "1. e4 e5\n1. d4(1. c4) d5 *",
            [&*format!("e4 e5 *; line 2, column 1: {AGAIN}"), "d4 d5 *"],
        ),
        (
            "1. e4 e5\n1. d4; c\n d5 *",
            [&*format!("e4 e5 *; line 2, column 1: {AGAIN}"), "d4 d5 *"],
        ),
        (
            "1. e4 e5 2. Ke3 Nc6\n1. d4 d5 *",
            [
                "line 1, column 13: game 1: move 2. Ke3 is not legal: the king cannot reach e3",
                "d4 d5 *",
            ],
        ),
    ] {
        for end in ["\n", "\r", "\r\n"] {
            let text = text.replace('\n', end);
            assert_eq!(read(&text), expected, "{text:?}");
            assert_eq!(check(text.as_bytes()).unwrap().games, 2, "{text:?}");
            let mut reader = Reader::new(text.as_bytes());
            assert!(reader.skip_game().unwrap() && reader.skip_game().unwrap());
            assert!(!reader.skip_game().unwrap(), "{text:?}");
        }
    }
}

/// An empty line separates two games as well as a result does, so a number 1 after it is no problem.
#[test]
fn an_empty_line_separates_games() {
    for text in [
        "1. e4 e5\n\n1. d4 d5 *",
        "1 e4 e5\n\n1 d4 d5 *",
        "1 e4 e5 {c}\n \n1\td4 d5 *",
    ] {
        assert_eq!(read(text), ["e4 e5 *", "d4 d5 *"], "{text:?}");
        assert_eq!(check(text.as_bytes()).unwrap().games, 2, "{text:?}");
    }
}

/// A number 1 that a game may have does not begin another one: before a move of Black, after a number 0, in a comment,
/// in a variation, within a line, or before a move that cannot be the first.
#[test]
fn other_numbers_1_begin_no_game() {
    for (text, expected) in [
        ("1. e4\n1. e5 2. Nf3 *", "e4 e5 Nf3 *"),
        ("1. e4\n1... e5\n2. Nf3 *", "e4 e5 Nf3 *"),
        ("0. e4 e5\n1. Nf3 Nc6 *", "e4 e5 Nf3 Nc6 *"),
        ("0. e4 (0. d4 d5 1. c4) e5\n1. Nf3 *", "e4 e5 Nf3 *"),
        ("1. e4 e5 {\n1. d4} 2. Nf3 *", "e4 e5 Nf3 *"),
        (
            "1. e4 e5 (1... c5\n1. d4 d5) 2. Nf3 *",
            "e4 e5 Nf3 *; line 2, column 1, in a variation: the number \"1.\" stands where \"2.\" is due",
        ),
        (
            "1. e4 e5 1. d4 d5 *",
            "e4 e5 d4 d5 *; line 1, column 10: the number \"1.\" stands where \"2.\" is due",
        ),
        (
            "1. e4 e5\n1. Ke2 Ke7 *",
            "e4 e5 Ke2 Ke7 *; line 2, column 1: the number \"1.\" stands where \"2.\" is due",
        ),
    ] {
        assert_eq!(read(text), [expected], "{text:?}");
    }
}

/// Numbers as people write them fit: before every move or few, with one dot before a move of Black, from 0, off by a
/// constant in a game from a position, of every move of either player, and in variations.
#[test]
fn usual_numbers_fit() {
    let bare = |turn: &str| format!("[FEN \"4k3/8/8/8/8/8/8/4K3 {turn} - - 0 7\"]\n\n");
    for text in [
        "1. e4 e5 2. Nf3 Nc6 *",
        "1.e4 1.e5 2.Nf3 2.Nc6 *",
        "1. e4 1... e5 2. Nf3 2... Nc6 *",
        "1 e4 e5 2 Nf3 Nc6 3 Bb5 *",
        "0. e4 e5 1. Nf3 Nc6 2. Bb5 *",
        "1 e4 2 e5 3 Nf3 4 Nc6 5 Bb5 *",
        "1. e4 2. e5 3. Nf3 4. Nc6 (4. d6 5. d4) 5. Bb5 *",
        "e4 e5 2. Nf3 *",
        "1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6 3. d4) (1... e6) 2. Nf3 Nc6 *",
        "1. e4 -- 2. d4 1/2-1/2",
        "１．ｅ４ e5 ２．Nf3 Nc6 *",
        &*(bare("w") + "7. Kd2 Kd7 8. Ke3 *"),
        &*(bare("w") + "31. Kd2 Kd7 32. Ke3 Ke6 (32... Kd6 33. Kd4) 33. Kd4 *"),
        &*(bare("b") + "7... Kd7 8. Kd2 *"),
        &*(bare("b") + "1... Kd7 2. Kd2 2... Kd6 *"),
        &*(bare("b") + "1. Kd7 2. Kd2 *"),
        &*(bare("b") + "1. Kd7 2. Kd2 3. Kd6 4. Kd3 (4. Ke3 5. Ke5) 5. Kd5 *"),
        &*(bare("b") + "7 Kd7 8 Kd2 9 Kd6 10 Kd3 *"),
    ] {
        assert_eq!(problems(&one(text)), [""; 0], "{text}");
    }
}

/// A number that contradicts the position, or says that the other player moves, is a problem with its place. It is
/// named once, whether the numbers after it go on from it or from the numbers before it.
#[test]
fn numbers_that_contradict_the_position_are_problems() {
    for (text, place, found, due) in [
        ("1. e4 e5 3. Nf3 Nc6 4. Bb5 a6 *", "column 10", "3.", "2."),
        (
            "1. e4 e5 33. Nf3 Nc6 3. Bb5 a6 4. Ba4 *",
            "column 10",
            "33.",
            "2.",
        ),
        ("1. e4 e5 33 Nf3 Nc6 3 Bb5 *", "column 10", "33.", "2."),
        ("1. e4 e5 2. Nf3 3. Nc6 4. Bb5 *", "column 17", "3.", "2..."),
        (
            "1. e4 e5 2. Nf3 3... Nc6 4. Bb5 *",
            "column 17",
            "3...",
            "2...",
        ),
        ("1. e4 e5 2... Nf3 Nc6 3. Bb5 *", "column 10", "2...", "2."),
        (
            "1. e4 e5 2. ... Nf3 Nc6 3. Bb5 *",
            "column 10",
            "2...",
            "2.",
        ),
        ("1. e4 e5 2… Nf3 Nc6 3. Bb5 *", "column 10", "2...", "2."),
        ("1. e4 e5 1... Nf3 Nc6 3. Bb5 *", "column 10", "1...", "2."),
        ("12. e4 e5 13. Nf3 Nc6 14. Bb5 *", "column 1", "12.", "1."),
        ("1... e4 e5 2. Nf3 *", "column 1", "1...", "1."),
        ("e4 e5 3. Nf3 Nc6 4. Bb5 *", "column 7", "3.", "2."),
        ("1. e4 2. e5 2. Nf3 Nc6 3. Bb5 *", "column 13", "2.", "3."),
        (
            "1. e4 e5 2. Nf3 (1. d4 d5 2. c4) 2... Nc6 *",
            "column 18, in a variation",
            "1.",
            "2.",
        ),
        (
            "1. e4 e5 (2. Na6 3. Nf3) 2. Nf3 *",
            "column 11, in a variation",
            "2.",
            "1...",
        ),
        // The numbers of Black's moves have three dots, or are missing, so these numbers do not count plies.
        (
            "[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 1\"] 1... Kd7 2. Kd2 3. Kd6 *",
            "column 55",
            "3.",
            "2...",
        ),
        (
            "[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 1\"] 1. Kd7 Kd2 3. Kd6 *",
            "column 50",
            "3.",
            "2...",
        ),
        (
            "[FEN \"3rk3/8/8/8/8/8/8/3RK3 w - - 0 9\"] 5. Rd5 (5... Rd4) *",
            "column 49, in a variation",
            "5...",
            "5.",
        ),
    ] {
        let expected =
            format!("line 1, {place}: the number \"{found}\" stands where \"{due}\" is due");
        let game = one(text);
        assert_eq!(problems(&game), [expected], "{text}");
        // A game is written with the numbers of its positions.
        assert_eq!(problems(&one(&game.to_string())), [""; 0], "{text}");
    }
}

/// Before a bad move of a variation, the number is no second problem: both may say that the variation does not belong
/// there.
#[test]
fn the_number_before_a_bad_move_is_no_problem_of_its_own() {
    for (text, expected) in [
        (
            "1. e4 e5 2. Nf3 (2... Nc6 3. Bb5) 2... Nc6 *",
            "line 1, column 23, in a variation: move 2. Nc6 is not legal",
        ),
        (
            "1. e4 e5 2. Nf3 (5. ] {c} Ke4) 2... Nc6 *",
            "line 1, column 21, in a variation: \"]\" means nothing here",
        ),
    ] {
        let game = one(text);
        assert!(problems(&game)[0].starts_with(expected), "{text}");
        assert!(problems(&game).iter().all(|told| !told.contains("is due")));
        assert!(game.problems.iter().any(Problem::cuts), "{text}");
    }
}

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
        let told = game.problems.iter().map(|problem| &problem.reason);
        let two = |reason: &GameErrorKind| matches!(reason, GameErrorKind::TwoResults { .. });
        let told: Vec<bool> = told.map(two).collect();
        assert_eq!(told, vec![true; usize::from(is_problem)], "{text}");
    }
    let game = one("[Result \"1-0\"]\n\n1. e4 e5\n0-1 {time}\n");
    let told = "line 4, column 1: the moves end with 0-1, and the tag Result says 1-0";
    assert_eq!(problems(&game), [told]);
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
    let told = "line 3, column 10: the moves end with 0-1, and the tag Result says 1-0";
    assert_eq!(problems(&game), [told]);
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
    let reasons: Vec<_> = game.problems.into_iter().map(|told| told.reason).collect();
    let (tag, given) = (Outcome::BlackWins, Outcome::WhiteWins);
    let winner = skewer_movegen::Color::Black;
    let ending = Termination::Checkmate { winner };
    let two = GameErrorKind::TwoResults { tag, moves: given };
    assert_eq!(reasons, [two, GameErrorKind::WrongResult { ending, given }]);
}

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
    let told = "line 1, column 1: the tag Round stands twice, with two values";
    assert_eq!(problems(&three), [told]);
    for [first, last] in [["0-0", "*"], ["*", "0-0"], ["0-0", "0-0"]] {
        let text = format!("[Result \"{first}\"]\n[Result \"{last}\"]\n\n1. e4 e5 0-0");
        assert_eq!(read(&text), ["e4 e5 *"]);
    }
}

/// A second tag `Event` begins another game. If neither moves nor an empty line stand before it, that is a problem of
/// the game before, whose moves may be missing.
#[test]
fn a_second_event_without_an_empty_line_is_a_problem() {
    let told = "a second tag Event stands here, and neither moves nor an empty line before it";
    for (between, place) in [
        ("\n", Some("line 3, column 1")),
        (" ", Some("line 2, column 13")),
        ("\n{c}\n", Some("line 4, column 1")),
        ("\n\n", None),
        ("\n\n*\n", None),
        ("\n*\n", None),
    ] {
        let text = format!("[Event \"x\"]\n[White \"A\"]{between}[Event \"y\"]\n\n1. e4 *\n");
        let first = place.map_or(" *".to_owned(), |place| format!(" *; {place}: {told}"));
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
        let expected = expected.map(|told| format!("line 2, column 1: {told}"));
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
