//! Files as people have them, in `data/files`, and what must be read of each.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use skewer_pgn::{
    Epd, EpdReader, EvalTag, Foreign, Games, Nag, NodeId, Outcome, PgnGame, ReadError, annotation,
    check,
};

fn data(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/files");
    fs::read(path.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The moves of the main line, in SAN.
fn line(game: &PgnGame) -> String {
    let mut board = game.start().board;
    let mut words = Vec::new();
    for id in game.mainline() {
        let mv = game.node(id).mv();
        words.push(mv.map_or("--".to_owned(), |mv| board.san(mv).to_string()));
        board = *game.node(id).board();
    }
    words.join(" ")
}

/// Every game: its main line, result and problems; or the moves before its error, and the error.
fn summaries(bytes: &[u8]) -> Vec<String> {
    let games = Games::new(bytes).map(|game| match game {
        Ok(game) => {
            let mut text = format!("{} {}", line(&game), Outcome::pgn_result(game.outcome));
            for problem in &game.problems {
                _ = write!(text, "; {problem}");
            }
            text
        }
        Err(ReadError::Bad(bad)) => format!("{}; {bad}", line(&bad.partial)),
        Err(error) => error.to_string(),
    });
    games.collect()
}

fn games_of(name: &str) -> Vec<PgnGame> {
    let bytes = data(name);
    Games::new(&bytes[..])
        .collect::<Result<_, _>>()
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[track_caller]
fn expect(name: &str, expected: &[&str]) {
    let bytes = data(name);
    assert_eq!(summaries(&bytes), expected, "{name}");
    // The same text with lines that end in another way, and in UTF-16, gives the same.
    let Ok(text) = String::from_utf8(bytes) else {
        return;
    };
    for end in ["\r", "\r\n"] {
        let text = text.replace('\n', end);
        assert_eq!(summaries(text.as_bytes()), expected, "{name} with {end:?}");
        for big_endian in [false, true] {
            let marked = format!("\u{feff}{text}");
            let units = marked.encode_utf16();
            let bytes: Vec<u8> = if big_endian {
                units.flat_map(u16::to_be_bytes).collect()
            } else {
                units.flat_map(u16::to_le_bytes).collect()
            };
            assert_eq!(summaries(&bytes), expected, "{name} in UTF-16 with {end:?}");
        }
    }
}

/// A bad move in a variation ends the variation there, also where the variation goes on from the last move of the game
/// instead of replacing it, as `ChessBase` writes it. The main line is whole, and one problem names the place.
#[test]
fn an_error_in_a_variation_cuts_the_variation() {
    expect(
        "p01_badvar.pgn",
        &[
            "e4 e5 Nf3 Nc6 *; line 6, column 16, in a variation: move 1... Ke4 is not legal: \
           the king cannot reach e4",
        ],
    );
    expect(
        "r12_partialvar.pgn",
        &[
            "e4 e5 Nf3 Nc6 Bb5 *; line 6, column 16, in a variation: move 1... Ke4 is not legal: \
           the king cannot reach e4",
        ],
    );
    expect(
        "r14_164.pgn",
        &[
            "Nc5 dxc5 Bf4 Bd6 Bxd6 Rb6 Qxd7+ 1-0; line 7, column 100, in a variation: \
           move 4. Kxd7 is not legal: the king cannot reach d7",
        ],
    );
    assert_eq!(games_of("r14_164.pgn")[0].len(), 7 + 5 + 2 + 4 - 1);
    let tally = check(&data("p01_badvar.pgn")[..]).unwrap();
    assert_eq!(
        (tally.bad_games, tally.cut_variations, tally.moves),
        (0, 1, 4)
    );
}

/// The moves of a variation before its error stay, and so do the variations around it. Variations after the error are
/// cut.
#[test]
fn a_variation_is_cut_at_its_error() {
    let text = "1. e4 (1. d4 d5 (1... Nf6 2. Ke5 (2. c4) e6) 2. c4) 1... e5 2. Nf3 *";
    let game = Games::new(text.as_bytes()).next().unwrap().unwrap();
    assert_eq!(line(&game), "e4 e5 Nf3");
    assert_eq!(game.len(), 3 + 3 + 1);
    assert_eq!(game.problems.len(), 1);
    // A glyph before the bad move does not belong to the move that the variation replaces.
    let game = Games::new(&b"1. e4 e5 (1... !? Ke4) (!) 2. Nf3 *"[..])
        .next()
        .unwrap()
        .unwrap();
    let reply = game.mainline().nth(1).unwrap();
    assert_eq!(
        game.node(reply).nags,
        [Nag::GOOD],
        "the glyph of a variation without a move stays"
    );
    // The rest of the main line may be part of the variation that is not closed.
    let text = "1. e4 (1. d4 d5 1... e5 2. Nf3 *\n\n[Event \"next\"]\n\n1. c4 *";
    assert_eq!(
        summaries(text.as_bytes()),
        [
            "e4; line 1, column 22: game 1: a variation has no closing parenthesis",
            "c4 *"
        ]
    );
}

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

/// Where a game ends and where it does not: an open comment with another brace, tags without `Event`, a number 1 in the
/// next line, a bracket that opens no tag, a result that goes on.
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
        ("1. e4 e5\n1. d4 d5 *", &["e4 e5 d4 d5 *"]),
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

/// A move glued to the sign of an idea or of a better move was not played.
#[test]
fn moves_after_signs_were_not_played() {
    for (text, expected) in [
        (
            "1. e4 △d5 *",
            "e4; line 1, column 7: game 1: move 1... △d5 is not a move",
        ),
        (
            "1. e4 Δ♘f6 *",
            "e4; line 1, column 7: game 1: move 1... Δ♘f6 is not a move",
        ),
        (
            "1. e4 ⌓d5 *",
            "e4; line 1, column 7: game 1: move 1... ⌓d5 is not a move",
        ),
        ("1. e4 △ e5 *", "e4 e5 *"),
        ("1. e4□ e5± *", "e4 e5 *"),
    ] {
        assert_eq!(summaries(text.as_bytes()), [expected], "{text}");
    }
}

/// Text without a meaning is an error that names it, or a problem if it has no letter or digit.
#[test]
fn nothing_is_passed_over_in_silence() {
    for (text, expected) in [
        (
            "1. ¤f3 *",
            "; line 1, column 4: game 1: move 1. ¤f3 is not a move",
        ),
        (
            "1. e4 e5 2. Кf3 *",
            "e4 e5; line 1, column 13: game 1: move 2. Кf3 is not a move",
        ),
        (
            "1. Sf3 *",
            "; line 1, column 4: game 1: move 1. Sf3 is not a move",
        ),
        (
            "1. &f3 *",
            "; line 1, column 4: game 1: move 1. &f3 is not a move",
        ),
        (
            "1. \"f3 *",
            "; line 1, column 4: game 1: move 1. \"f3 is not a move",
        ),
        (
            "1. e4 ☃ *",
            "e4; line 1, column 7: game 1: move 1... ☃ is not a move",
        ),
        (
            "1. e4 {most of this is text} \u{1}e5 *",
            "e4; line 1, column 30: game 1: move 1... \\u{1}e5 is not a move",
        ),
        (
            "1. e4} e5 *",
            "e4 e5 *; line 1, column 6: \"}\" means nothing here",
        ),
        (
            "1. e4 \" e5 ] & *",
            "e4 e5 *; line 1, column 7: \"\\\"\" means nothing here; \
          line 1, column 12: \"]\" means nothing here; line 1, column 14: \"&\" means nothing here",
        ),
        (
            "1. e4 - e5 – *",
            "e4 e5 *; line 1, column 7: \"-\" means nothing here; \
          line 1, column 12: \"–\" means nothing here",
        ),
        (
            "1. e4 $ e5 $300 *",
            "e4 e5 *; line 1, column 7: the number of a glyph is missing or too large; \
          line 1, column 12: the number of a glyph is missing or too large",
        ),
        (
            "1. e4 e5) *",
            "e4 e5 *; line 1, column 9: a closing parenthesis has no opening one",
        ),
        ("1. e4 *\n]\n", "e4 *"),
    ] {
        assert_eq!(summaries(text.as_bytes())[0], expected, "{text}");
    }
    assert_eq!(
        summaries(b"1. e4 *\n]\n")[1],
        "; line 2, column 1: game 2: \"]\" means nothing here"
    );
}

/// Glyphs are read in every form; a glyph before a move belongs to that move.
#[test]
fn glyphs() {
    for (text, expected) in [
        ("1. e4!!! *", vec![3]),
        ("1. e4！ *", vec![1]),
        ("1. e4 ± ⩲ *", vec![16, 14]),
        ("1. e4+– *", vec![18]),
        ("1. e4−+ *", vec![19]),
        ("1. e4-+ *", vec![19]),
        ("1. e4 +/− *", vec![16]),
        ("1. e4 =∞ *", vec![44]),
        ("1. e4□N *", vec![7, 146]),
        ("1. $5 e4 [#] *", vec![5, 220]),
        ("1. e4 +! *", vec![1]),
    ] {
        let game = Games::new(text.as_bytes())
            .next()
            .unwrap()
            .unwrap_or_else(|bad| panic!("{bad}"));
        let first = game.next(NodeId::ROOT).unwrap();
        let nags: Vec<u8> = game.node(first).nags.iter().map(|nag| nag.0).collect();
        assert_eq!((nags, game.problems.len()), (expected, 0), "{text}");
    }
    expect("h1_glyphconf.pgn", &["f3 e5 g4 Qh4# 0-1"]);
    expect("h2_glyphconf.pgn", &["f3 e5 g4 Qh4# 0-1"]);
}

/// Games from a position, clocks and evaluations are read.
#[test]
fn games_from_positions_with_clocks_and_evaluations() {
    expect("a01_odds.pgn", &["d4 d5 Nf3 Nf6 e3 e6 Bd3 c5 O-O Nc6 *"]);
    expect("a01b_qodds.pgn", &["d4 d5 *"]);
    expect("a02_black.pgn", &["Bf5 Nd2 Ng4 Qxg4 *"]);
    expect(
        "b03_3fold.pgn",
        &["Qb3+ Kg7 Qb2+ Kg8 Qb3+ Kg7 Qb2+ Kg8 Qb3+ Kg7 Qb2+ Kg8 1/2-1/2"],
    );
    expect("b09_only.pgn", &["Kb8 Rh8# 1-0"]);
    let comment = |name: &str, ply: usize| {
        let game = games_of(name).remove(0);
        let id = game.mainline().nth(ply).unwrap();
        game.node(id).comments[0].clone()
    };
    assert_eq!(
        annotation::short_clock(&comment("clk_hhmm.pgn", 0)),
        Some([1, 30])
    );
    assert_eq!(
        annotation::clock(&comment("clk_lichess.pgn", 2))
            .unwrap()
            .as_secs(),
        602
    );
    assert_eq!(annotation::clock(&comment("h4_clkneg.pgn", 2)), None);
    let eval = EvalTag::find(&comment("ev_0.pgn", 0)).unwrap();
    assert_eq!(eval.to_string(), "[%eval 0.16,16]");
}

/// Every line of EPD, however lines end and fields are separated, is a position or an error with its line.
#[test]
fn lists_of_positions() {
    let ids = |name: &str| {
        let bytes = data(name);
        let lines = EpdReader::new(&bytes[..]).map(|line| match line {
            Ok(placed) => format!("{} {}", placed.line, placed.epd.id().unwrap_or("-")),
            Err(error) => error.to_string(),
        });
        lines.collect::<Vec<_>>()
    };
    assert_eq!(ids("c.epd"), ["1 cr1", "2 cr2"]);
    assert_eq!(ids("cr.txt"), ["1 -", "2 -"]);
    assert_eq!(
        ids("d.epd"),
        [
            "1 ERET 001 - Relief",
            "2 -",
            "3 glued",
            "4 glued6",
            "5 space",
            "6 uci knight",
            "7 long",
            "8 fig",
            "9 dbl",
            "line 10: bm: \"or\" is not a move",
            "11 numbered",
            "12 nosemi",
            "13 allbad",
        ]
    );
}

/// A FEN may have one counter of the two; blanks of Unicode and the end of a file in DOS are not positions; every kind
/// of line end ends a line.
#[test]
fn odd_lists_of_positions() {
    let position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    for (rest, counters) in [
        ("", "0 1"),
        ("7 9", "7 9"),
        ("7", "7 1"),
        ("7 -", "7 1"),
        ("- 9", "0 9"),
        ("-", "0 1"),
        ("- -", "0 1"),
        ("7;", "7 1"),
        ("\u{a0}7\u{a0}9", "7 9"),
    ] {
        for end in ["", " bm e4;", " ; bm e4"] {
            let epd = Epd::parse(&format!("{position} {rest}{end}")).unwrap();
            let fen = epd.board.to_fen().to_string();
            assert_eq!(fen, format!("{position} {counters}"), "{rest}{end}");
            assert_eq!(
                epd.best_moves().len(),
                usize::from(!end.is_empty()),
                "{rest}{end}"
            );
        }
    }
    for end in [
        "\n", "\r", "\r\n", "\n\r", "\0", "\x0b", "\x0c", "\u{85}", "\u{2028}", "\u{2029}",
    ] {
        let lines = ["bm e4; id \"1\";", "bm d4; id \"2\";", "bm c4; id \"3\";"];
        let mut text = lines.map(|line| format!("{position} {line}")).join(end);
        for last in [end, "\n\u{1a}", "\n\u{a0}\n; end\n\u{200b}# end\n% end"] {
            text.push_str(last);
            let ids = EpdReader::new(text.as_bytes())
                .map(|read| read.unwrap().epd.id().unwrap().to_owned());
            assert_eq!(ids.collect::<Vec<_>>(), ["1", "2", "3"], "{end:?} {last:?}");
        }
    }
}

/// A best move is read although its opcode is in capitals, or has a sign or an invisible character beside it. Marks of
/// check after the move are not moves.
#[test]
fn opcodes_in_every_form() {
    let position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    for operation in [
        "bm e4;",
        "BM e4;",
        "bm: e4;",
        "bm=e4;",
        "Bm = e4;",
        "\u{200b}bm e4;",
        "bm e4 ch;",
        "bm e4 e.p.;",
        "bm e4 mate",
    ] {
        let epd = Epd::parse(&format!("{position} {operation}")).unwrap();
        assert_eq!(epd.best_moves().len(), 1, "{operation}");
    }
    // `c4` is a comment where a text follows, and a move elsewhere.
    for (operations, count) in [("bm e4 c4;", 2), ("bm e4 c4 \"a comment\";", 1)] {
        let epd = Epd::parse(&format!("{position} {operations}")).unwrap();
        assert_eq!(epd.best_moves().len(), count, "{operations}");
    }
    let error = Epd::parse(&format!("{position} bm: or;")).unwrap_err();
    assert_eq!(error.to_string(), "bm: \"or\" is not a move");
}

/// The format of a file that is not text is named.
#[test]
fn files_of_other_formats() {
    expect(
        "t.zip",
        &["cannot read: it is a ZIP archive; unzip it, and give the .pgn file in it"],
    );
    // A document that is stored as a ZIP archive is named as a document.
    let zip = |name: &str, text: &str| {
        let mut bytes = b"PK\x03\x04".to_vec();
        bytes.extend([0; 22]);
        bytes.extend([name.len() as u8, 0, 0, 0]);
        bytes.extend(name.bytes().chain(text.bytes()));
        Foreign::of(&bytes).expect("a format")
    };
    let open = "application/vnd.oasis.opendocument";
    for (name, text, file, expected) in [
        ("[Content_Types].xml", "", "a.docx", "it is a Word document"),
        ("_rels/.rels", "", "a.xlsx", "it is an Excel workbook"),
        (
            "docProps/app.xml",
            "",
            "a",
            "it is a document of Microsoft Office",
        ),
        ("word/document.xml", "", "a", "it is a Word document"),
        ("xl/workbook.xml", "", "a", "it is an Excel workbook"),
        (
            "mimetype",
            &format!("{open}.text"),
            "a.odt",
            "it is an OpenDocument text",
        ),
        (
            "mimetype",
            &format!("{open}.spreadsheetPK"),
            "a.ods",
            "it is an OpenDocument spreadsheet",
        ),
        (
            "mimetype",
            "application/epub+zip",
            "a.epub",
            "it is a book in EPUB",
        ),
        (
            "games.pgn",
            "",
            "a.docx",
            "it is a ZIP archive; unzip it, and give the .pgn file in it",
        ),
        (
            "word.pgn",
            "",
            "a.zip",
            "it is a ZIP archive; unzip it, and give the .pgn file in it",
        ),
    ] {
        let said = zip(name, text).or_named(file).to_string();
        assert!(said.starts_with(expected), "{name}: {said}");
    }
    for (bytes, expected) in [
        (&b"{\"games\": [{\"url\": 1}]}"[..], "it is JSON"),
        (b"[\n {\"id\": \"x\"}]", "it is JSON"),
        (b"7z\xbc\xaf\x27\x1c", "it is a 7-Zip archive"),
        (b"Rar!\x1a\x07\x01\x00", "it is a RAR archive"),
        (b"\xfd7zXZ\0", "it is a file compressed by xz"),
        (b"MSCF\0\0\0\0", "it is a CAB archive"),
    ] {
        let said = Foreign::of(bytes)
            .map(|format| format.to_string())
            .unwrap_or_default();
        assert!(said.starts_with(expected), "{said}");
    }
    // A comment in braces is text, also with a quote in it.
    assert_eq!(Foreign::of(b"{\"Well played\", he said} 1. e4 *"), None);
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

/// Each text gives these games.
#[track_caller]
fn expect_games(cases: &[(&str, &[&str])]) {
    for (text, expected) in cases {
        assert_eq!(summaries(text.as_bytes()), *expected, "{text}");
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

/// A glyph before the first move of a line, or after a number, belongs to the next move, as in `($142 2. d4)` of
/// `ChessBase`. After a move, its comments or its variations it belongs to that move. A glyph in a game without a move
/// is a problem.
#[test]
fn every_glyph_has_a_move() {
    let nags = |text: &str| {
        let game = Games::new(text.as_bytes()).next().unwrap().unwrap();
        assert!(game.problems.is_empty(), "{text}: {:?}", game.problems);
        let mut nags = Vec::new();
        let mut open = vec![NodeId::ROOT];
        while let Some(id) = open.pop() {
            let node = game.node(id);
            nags.push(node.nags.iter().map(|nag| nag.0).collect::<Vec<_>>());
            open.extend(node.children().iter().rev());
        }
        assert!(nags.remove(0).is_empty(), "the start position has none");
        nags
    };
    for (text, expected) in [
        ("! 1. e4 e5 *", [vec![1], vec![]]),
        ("1. $5 $16 e4 e5 *", [vec![5, 16], vec![]]),
        ("[#] 1. e4 e5 *", [vec![220], vec![]]),
        ("1. e4 1... $2 e5 *", [vec![], vec![2]]),
        ("1. e4 {c} $4 e5 1-0 !", [vec![4], vec![1]]),
        ("1. e4(N) e5(D) *", [vec![146], vec![220]]),
        ("1. e4 e5 2. $3 *", [vec![], vec![3]]),
        ("1. e4 e5 (!) 2. $3 (?)", [vec![], vec![1, 3, 2]]),
        ("1. e4 ($142 1. d4) *", [vec![], vec![142]]),
        ("1. e4 ({c} 1. +- d4) *", [vec![], vec![18]]),
        ("1. e4 (1. d4 2. !) $6 *", [vec![6], vec![1]]),
        ("1. e4 1... ! (1. d4) *", [vec![1], vec![]]),
    ] {
        assert_eq!(nags(text), expected, "{text}");
    }
    for (text, glyph, column) in [
        ("$1 *", "$1", 1),
        ("* $2", "$2", 3),
        ("1-0 !", "$1", 5),
        ("{c} ∞ =\n", "$13", 5),
        ("=", "$10", 1),
        ("[#]", "$220", 1),
        ("($4) *", "$4", 2),
    ] {
        let read = summaries(text.as_bytes());
        let expected = format!("line 1, column {column}: ");
        let says = format!("the glyph {glyph} has no move");
        assert!(read.len() == 1 && read[0].contains(&expected), "{read:?}");
        assert!(read[0].contains(&says), "{read:?}");
    }
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
        ("12 e4 (12 d4 d5 13 c4) 12 … e5 13 Nf3 *", &["e4 e5 Nf3 *"]),
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

/// A result before the number of the next move does not end the game, and is a problem. So is a variation before any
/// move; the main line begins after it.
#[test]
fn results_and_variations_in_odd_places() {
    let among = "a result stands among the moves or after another result";
    expect_games(&[
        (
            "1. e4 e5 1-0 2. Nf3 *",
            &[&format!("e4 e5 Nf3 *; line 1, column 10: {among}")],
        ),
        (
            "1. e4 e5\n* 2. Nf3 1/2-1/2",
            &[&format!("e4 e5 Nf3 1/2-1/2; line 2, column 1: {among}")],
        ),
        ("1. e4 e5 1-0\n1. d4 *", &["e4 e5 1-0", "d4 *"]),
        ("1. e4 e5 1-0\n\n2. d4 *", &["e4 e5 1-0", "d4 *"]),
        (
            "(1. d4 d5) 1. e4 e5 *",
            &["e4 e5 *; line 1, column 1: a variation stands before the first move"],
        ),
        (
            "(! 1. d4) *",
            &["d4 *; line 1, column 1: a variation stands before the first move"],
        ),
        (
            "(1. d4)\n\n1. e4 *\n(2. c4)",
            &[
                "e4 *; line 1, column 1: a variation stands before the first move",
                "c4 *; line 4, column 1: a variation stands before the first move",
            ],
        ),
    ]);
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

/// An operation of moves without a move is an error, unless the position has no legal move. Several operations with the
/// same opcode are merged.
#[test]
fn operations_of_moves_have_moves() {
    let position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    for opcode in ["bm", "am", "sm", "pm"] {
        for operand in ["", " ", " -", " ?", " \"\""] {
            let error = Epd::parse(&format!("{position} {opcode}{operand};")).unwrap_err();
            assert_eq!(error.to_string(), format!("no move follows {opcode}"));
        }
    }
    assert!(
        Epd::parse("7k/6Q1/6K1/8/8/8/8/8 b - - bm;").is_ok(),
        "it is mate"
    );
    let epd = Epd::parse(&format!("{position} bm e4; id \"x\"; bm d4; am a3; am a4;")).unwrap();
    assert_eq!((epd.best_moves().len(), epd.avoid_moves().len()), (2, 2));
    assert_eq!(
        epd.to_string(),
        format!("{position} bm e4 d4; id \"x\"; am a3 a4;")
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
