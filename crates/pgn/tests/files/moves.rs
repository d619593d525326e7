//! Moves in the forms in which people write them.

use skewer_pgn::{Games, ReadError};

use crate::{expect, expect_games, line, summaries};

/// Figurines, dashes, letters of other alphabets, blanks and invisible characters of Unicode, UTF-16.
#[test]
fn characters_outside_ascii_are_read() {
    let castled = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O *";
    expect("q01_fig_silent.pgn", &["Nf3 Nf6 Nc3 Nc6 Nd4 Nd5 *"]);
    expect("p18b_endash.pgn", &[castled]);
    expect("p18e_cyr.pgn", &[castled]);
    expect(
        "q03_cyr_mid.pgn",
        &["e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 *"],
    );
    expect("ws_00a0.pgn", &["e4 e5 Nf3 *"]);
    expect("p07_utf16.pgn", &["e4 e5 Nf3 *"]);
    for c in
        "\u{a0}\u{2009}\u{202f}\u{3000}\u{200b}\u{feff}\u{ad}\u{2028}\u{85}\u{fe0f}\u{2060}".chars()
    {
        let text = format!(
            "{c}[Event \"x\"]{c}\n{c}[White \"A\"]\n{c}\n1.{c}e4{c} e5{c} {c}2.{c} Nf3 {c}*{c}\n{c}"
        );
        assert_eq!(summaries(text.as_bytes()), ["e4 e5 Nf3 *"], "{c:?}");
    }
    for text in [
        "１．ｅ４ e5 2… ♞f6",
        "1.e2–e4 е5 2…♞f6",
        "1\u{a0}e4‼ e5 ⩲ 2... N\u{ad}f6±",
        "1.e4 e5 2... Nf6 –+",
    ] {
        let text = text.replace("2…", "2. -- ").replace("2...", "2. --");
        assert_eq!(
            summaries(format!("{text} ½–½").as_bytes()),
            ["e4 e5 -- Nf6 1/2-1/2"],
            "{text}"
        );
    }
    for result in ["1–0", "1 - 0", "1—0", "1-O", "1:0", "１－０"] {
        assert_eq!(
            summaries(format!("1. e4 {result}").as_bytes()),
            ["e4 1-0"],
            "{result}"
        );
    }
    // Windows-1252: a dash, a blank, a half.
    assert_eq!(
        summaries(b"1. e2\x96e4\xa0e5 \xbd\x96\xbd"),
        ["e4 e5 1/2-1/2"]
    );
}

/// Castling with any letter that looks like an O, any dash, and blanks around the dashes, on both sides.
#[test]
fn castling_in_every_form() {
    let start = "[FEN \"r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1\"]\n\n1. ";
    let dashes = "-\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{2212}\u{ff0d}";
    for letter in "O0oОоΟοՕⲞ〇◯○Ｏ０".chars() {
        for dash in dashes.chars() {
            for blank in ["", " ", "\u{a0}"] {
                let join = format!("{blank}{dash}{blank}");
                let short = [letter; 2].map(String::from).join(&join);
                let long = [letter; 3].map(String::from).join(&join);
                for (white, black, expected) in [
                    (&short, &long, "O-O O-O-O"),
                    (&long, &short, "O-O-O O-O"),
                    (&short, &short, "O-O O-O"),
                    (&long, &long, "O-O-O O-O-O"),
                ] {
                    let text = format!("{start}{white}+ {black}!? 1-0");
                    let game = Games::new(text.as_bytes()).next().unwrap();
                    let game = game.unwrap_or_else(|bad| panic!("{text}: {bad}"));
                    let played = line(&game).replace('+', "");
                    assert_eq!(
                        (played.as_str(), game.problems.len()),
                        (expected, 0),
                        "{text}"
                    );
                }
            }
        }
    }
    // Text after castling belongs to castling only with blanks on both sides of the dash.
    let text = format!("{start}0–0 -0.3 *");
    let expected = "O-O; line 3, column 8: game 1: move 1... -0.3 is not a move";
    assert_eq!(summaries(text.as_bytes()), [expected], "{text}");
    for (white, black) in [("00", "000"), ("OO", "ooo")] {
        let text = format!("{start}{white} {black} *");
        assert_eq!(summaries(text.as_bytes()), ["O-O O-O-O *"], "{text}");
    }
}

/// A promotion in the ways in which people write it, with a letter or a figurine.
#[test]
fn promotions_in_every_form() {
    for word in [
        "a8=Q",
        "a8Q",
        "a8q",
        "a8(Q)",
        "a8(q)",
        "a8/Q",
        "a7a8q",
        "a7-a8=Q",
        "a8♕",
        "a8=♛",
        "a8(♕)",
        "a7–a8♛",
        "♙a8=Q",
        "a8＝Q",
    ] {
        let text = format!("[FEN \"8/P6k/8/8/8/8/7K/8 w - - 0 1\"]\n\n1. {word} *");
        assert_eq!(summaries(text.as_bytes()), ["a8=Q *"], "{word}");
    }
}

/// Words and signs after a move that say only what the board shows are read as chess books write them.
#[test]
fn marks_of_check_mate_and_en_passant() {
    for mark in [
        "+",
        "++",
        "#",
        "ch",
        "ch.",
        "Ch",
        "check",
        "dis ch",
        "dis.ch.",
        "disc. ch.",
        "dbl ch",
        "dbl.ch.",
        "double check",
        "mate",
        "Mate!",
        "matt",
        "mat",
        "e.p.",
        "ep",
        "e. p.",
        "E.P.",
        "e.p.+",
        "(ch)",
        "(e.p.)",
        "†",
        "‡",
        "+!",
        "ch!?",
        "mate.",
    ] {
        let text = format!("1. e4 {mark} e5 {mark} 2. Nf3 {mark} Nc6 *");
        assert_eq!(summaries(text.as_bytes()), ["e4 e5 Nf3 Nc6 *"], "{mark}");
    }
    for mark in [
        "+", "++", "#", "ch", "ch.", "check", "dis.ch.", "disc.ch", "dbl.ch.", "mate", "mat",
        "e.p.", "ep",
    ] {
        let text = format!("1. e4{mark} e5{mark} 2. Ng1-f3{mark} Nc6{mark} *");
        assert_eq!(summaries(text.as_bytes()), ["e4 e5 Nf3 Nc6 *"], "{mark}");
    }
    // These words are neither marks nor moves.
    for word in ["chess", "e.", "p.", "mated", "x", "ache"] {
        let text = format!("1. e4 {word} e5 *");
        let expected = format!("e4; line 1, column 7: game 1: move 1... {word} is not a move");
        assert_eq!(summaries(text.as_bytes()), [expected], "{word}");
    }
}

/// Captures as books write them: with any sign, with the sign at the end, without a sign, or by the two files alone if
/// only one move fits.
#[test]
fn captures_in_every_form() {
    for (white, black) in [
        ("exd5", "Qxd5"),
        ("e:d5", "Q:d5"),
        ("ed5", "Qd5"),
        ("ed5:", "Qd5:"),
        ("eXd5", "QXd5"),
        ("e4xd5", "Qd8xd5"),
        ("e4:d5", "Qd8:d5"),
        ("ed", "Qxd5"),
        ("exd", "Qxd5"),
        ("e:d", "Qxd5"),
        ("ed!", "Qxd5"),
    ] {
        let text = format!("1. e4 d5 2. {white} {black} *");
        assert_eq!(summaries(text.as_bytes()), ["e4 d5 exd5 Qxd5 *"], "{white}");
    }
    let text = "[FEN \"4k3/8/8/3p1p2/1p2P3/P3P3/8/4K3 w - - 0 1\"]\n\n1. ab Kd8 2. ed *";
    assert_eq!(summaries(text.as_bytes()), ["axb4 Kd8 exd5 *"]);
    let text = "[FEN \"4k3/8/3p4/3pP3/4P3/8/8/4K3 w - - 0 1\"]\n\n1. ed *";
    assert!(
        summaries(text.as_bytes())[0].contains("ed is ambiguous"),
        "two captures"
    );
    let text = "1. e4 d5 2. ef *";
    assert!(
        summaries(text.as_bytes())[0].contains("ef is not legal"),
        "none"
    );
}

/// There is no move 0: zeros are castling or an error, and are not skipped as a move number.
#[test]
fn zeros_are_no_numbers() {
    for (text, expected) in [
        (
            "1. e4 0 e5 *",
            "e4; line 1, column 7: game 1: move 1... 0 is not a move",
        ),
        (
            "1. e4 0.0 *",
            "e4; line 1, column 9: game 1: move 1... 0 is not a move",
        ),
        (
            "1. e4 0=0 *",
            "e4; line 1, column 7: game 1: move 1... 0=0 is not a move",
        ),
        (
            "1. e4 00000 *",
            "e4; line 1, column 7: game 1: move 1... 00000 is not a move",
        ),
        ("0. e4 e5 *", "e4 e5 *"),
        ("1. e4 0000 2. d4 *", "e4 -- d4 *"),
    ] {
        assert_eq!(summaries(text.as_bytes()), [expected], "{text}");
    }
}

/// A word where a move is expected is a move or an error. A piece without its square is not the glyph of a novelty,
/// which follows a move; and a rule of dashes is not a row of null moves.
#[test]
fn pieces_without_squares_and_rules_are_errors() {
    for (text, column) in [
        ("1. e4 e5 2. N\nf3 Nc6 *", "line 1, column 13"),
        ("1. e4 e5 ---- 2. Nf3 *", "line 1, column 10"),
        ("1. e4 e5 ——— 2. Nf3 *", "line 1, column 10"),
    ] {
        let game = Games::new(text.as_bytes()).next().unwrap();
        let Err(ReadError::Bad(bad)) = game else {
            panic!("{text} is read");
        };
        assert_eq!(bad.partial.mainline().count(), 2, "{text}");
        assert!(bad.to_string().starts_with(column), "{bad}");
    }
}

/// A mark of check, mate or en passant follows a move, with comments and glyphs between. At the beginning of the game
/// or of a variation, after a number, or after a variation, a word is read as a move, and a sign is a problem.
#[test]
fn marks_follow_a_move() {
    expect_games(&[
        ("1. e4 {c} ch $1 mate e5 *", &["e4 e5 *"]),
        ("1. e4 ( dis. ch ) e5 (+) *", &["e4 e5 *"]),
        (
            "\nmatt",
            &["; line 2, column 1: game 1: move 1. matt is not a move (the file ends here)"],
        ),
        (
            "ch 1. e4 *",
            &["; line 1, column 1: game 1: move 1. ch is not a move"],
        ),
        (
            "1. mate e4 *",
            &["; line 1, column 4: game 1: move 1. mate is not a move"],
        ),
        (
            "1. e4 e5 2. e.p. Nf3 *",
            &["e4 e5; line 1, column 13: game 1: move 2. e.p. is not a move"],
        ),
        (
            "1. e4 e5 (ch 1... c5) 2. Nf3 *",
            &["e4 e5 Nf3 *; line 1, column 11, in a variation: move 1... ch is not a move"],
        ),
        (
            "1. e4 e5 ({c} ch c5) 2. Nf3 *",
            &["e4 e5 Nf3 *; line 1, column 15, in a variation: move 1... ch is not a move"],
        ),
        (
            "1. e4 e5 (1... c5) ch 2. Nf3 *",
            &["e4 e5; line 1, column 20: game 1: move 2. ch is not a move"],
        ),
        (
            "† 1. # e4 *",
            &[
                "e4 *; line 1, column 1: \"†\" means nothing here; line 1, column 6: \"#\" means nothing here",
            ],
        ),
        (
            "(ch) 1. e4 *",
            &[
                "e4 *; line 1, column 1: a variation stands before the first move; \
               line 1, column 2, in a variation: move 1. ch is not a move",
            ],
        ),
        (
            "1. e4 e5 2. + Nf3 *",
            &["e4 e5 Nf3 *; line 1, column 13: \"+\" means nothing here"],
        ),
    ]);
}

/// `N` is the glyph of a novelty after a move. Where a move is expected, it is a piece without its square, and an
/// error. Before a square it may be either, which is a problem.
#[test]
fn a_piece_apart_from_its_square_is_named() {
    expect_games(&[
        ("1. e4 e5 2. Nf3 N Nc6 *", &["e4 e5 Nf3 Nc6 *"]),
        (
            "1. e4 e5 2. N(g1)f3 *",
            &["e4 e5; line 1, column 13: game 1: move 2. N is not a move"],
        ),
        (
            "1. e4 (N d4) e5 *",
            &["e4 e5 *; line 1, column 8, in a variation: move 1. N is not a move"],
        ),
        (
            "1. e4 N f6 *",
            &[
                "e4 f6 *; line 1, column 7: a letter before a square is read as a glyph, and may be a piece",
            ],
        ),
    ]);
}

/// Digits without a dot are a move number where they can be. Between the moves of White and Black, or where no move
/// follows, they may be minutes, and are a problem.
#[test]
fn lone_numbers_are_named() {
    expect_games(&[
        ("1 e4 e5 2 Nf3 Nc6 *", &["e4 e5 Nf3 Nc6 *"]),
        ("1 e4 1 e5 2 Nf3 *", &["e4 e5 Nf3 *"]),
        ("1 e4 2 e5 3 Nf3 4 Nc6 *", &["e4 e5 Nf3 Nc6 *"]),
        ("1 e4 {c} 1 ... e5 2 Nf3 *", &["e4 e5 Nf3 *"]),
        ("1 e4 (1 d4 d5 2 c4) 1 e5 2 Nf3 *", &["e4 e5 Nf3 *"]),
        (
            "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 12\"]\n\n\
             12 e4 (12 d4 d5 13 c4) 12 … e5 13 Nf3 *",
            &["e4 e5 Nf3 *"],
        ),
        (
            "1. e4 5 e5 *",
            &["e4 e5 *; line 1, column 7: 5 is neither a move nor the number of a move"],
        ),
        (
            "1. e4 e5 3 2. Nf3 2 *",
            &[
                "e4 e5 Nf3 *; line 1, column 10: 3 is neither a move nor the number of a move; \
               line 1, column 19: 2 is neither a move nor the number of a move",
            ],
        ),
        (
            "1. e4 (37) e5 45 1-0",
            &[
                "e4 e5 1-0; line 1, column 8, in a variation: 37 is neither a move nor the number of a move; \
               line 1, column 15: 45 is neither a move nor the number of a move",
            ],
        ),
    ]);
}
