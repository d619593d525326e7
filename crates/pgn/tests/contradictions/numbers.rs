//! Numbers of moves that contradict the positions, or begin again.

use skewer_pgn::{Problem, Reader, check};

use crate::{one, problems, read};

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
        assert!(
            problems(&game)
                .iter()
                .all(|named| !named.contains("is due"))
        );
        assert!(game.problems.iter().any(Problem::cuts), "{text}");
    }
}
