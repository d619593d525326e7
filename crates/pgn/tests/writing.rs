//! Writing: the export format byte for byte, and round trips of unusual text.

use skewer_pgn::{EpdReader, Games, Op, PgnGame};

fn read(text: &str) -> PgnGame {
    Games::new(text.as_bytes())
        .next()
        .expect("a game")
        .unwrap_or_else(|bad| panic!("{bad}"))
}

#[test]
fn the_export_format() {
    let game = read(concat!(
        "[White \"O\\\"Hara \\\\\"]\n[Opening \"Ruy Lopez\"]\n",
        "{Before all.} 1. e4! e5 2. Nf3 (2. f4 exf4 (2... d5) 3. Nf3) Nc6 {solid} 3. Bb5 $14 ",
        "({or} 3. Bc4 {calm}) 3... a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 1/2-1/2"
    ));
    let expected = r#"[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "O\"Hara \\"]
[Black "?"]
[Result "1/2-1/2"]
[Opening "Ruy Lopez"]

{ Before all. } 1. e4 $1 e5 2. Nf3 (2. f4 exf4 (2... d5) 3. Nf3) 2... Nc6 {
solid } 3. Bb5 $14 ({ or } 3. Bc4 { calm }) 3... a6 4. Ba4 Nf6 5. O-O Be7 6. Re1
b5 7. Bb3 d6 8. c3 O-O 9. h3 1/2-1/2

"#;
    assert_eq!(game.to_string(), expected);
    assert!(expected.lines().all(|line| line.len() <= 80));
    let short = read("[White \"A\"]\n1. e4! e5 $2 $14 *");
    assert!(format!("{short:#}").ends_with("\n\n1. e4 $1 e5 $2 $14 *\n\n"));
}

#[test]
fn chess960_games_have_a_variant_tag() {
    let fen = "nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 1";
    let game = read(&format!(
        "[FEN \"{fen}\"]\n[Variant \"fischerandom\"]\n\n1. d4 *"
    ));
    let text = game.to_string();
    assert!(
        text.contains("[Variant \"fischerandom\"]\n[SetUp \"1\"]"),
        "{text}"
    );
    let game = read("[FEN \"1rk1r3/4p3/8/8/8/8/4P3/1RK1R3 w KQkq - 0 1\"]\n\n1. O-O *");
    assert!(game.to_string().contains("[Variant \"Chess960\"]"));
}

#[test]
fn comments_and_tags_that_look_like_pgn_stay_text() {
    let mut game = read("1. e4 *");
    let first = game.mainline().next().expect("a move");
    let nasty = "} [Event \"x\"] ; % \n\n[Event \"y\"]\n1. d4 {";
    game.node_mut(first).comments.push(nasty.repeat(20));
    game.tags.set("White", "new\nline");
    let text = game.to_string();
    let again: Vec<_> = Games::new(text.as_bytes())
        .collect::<Result<_, _>>()
        .expect("all good");
    assert_eq!(again.len(), 1, "{text}");
    assert_eq!(again[0].len(), 1);
    assert_eq!(again[0].tags.get("White"), Some("new line"));
}

#[test]
fn words_that_may_not_begin_a_line_stay_on_it_however_long_it_grows() {
    for padding in 0..90 {
        let mut game = read("1. e4 *");
        let first = game.mainline().next().expect("a move");
        let risky = "% [Event \"x\"] ; % [Event \"y\"]";
        let comment = format!("{} {risky} {risky}", "x".repeat(padding));
        game.node_mut(first).comments.push(comment.clone());
        let text = game.to_string();
        let again: Vec<_> = Games::new(text.as_bytes())
            .collect::<Result<_, _>>()
            .unwrap_or_else(|bad| panic!("{bad}\n{text}"));
        assert_eq!(again.len(), 1, "{text}");
        let node = again[0].node(again[0].mainline().next().expect("a move"));
        let words = |text: &str| {
            text.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(words(&node.comments[0]), words(&comment), "{text}");
    }
}

#[test]
fn suites_are_read_whole() {
    let text = include_str!("data/suite.epd");
    let read: Vec<_> = EpdReader::new(text.as_bytes())
        .collect::<Result<_, _>>()
        .unwrap();
    assert_eq!(read.len(), text.lines().count());
    for placed in &read {
        let epd = &placed.epd;
        assert!(!epd.best_moves().is_empty(), "line {}", placed.line);
        let again = skewer_pgn::Epd::parse(&epd.to_string()).unwrap();
        assert_eq!(&again, epd);
        assert!(matches!(again.get("bm"), Some(Op::Moves(_))));
    }
}

/// An opcode in quotes is written in quotes, so that it stays one word. Found by fuzzing.
#[test]
fn unusual_opcodes_round_trip() {
    let position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    for operations in [
        "bm e4 d4; \"it dsart; here\" ce -31; acd 12;",
        "\"\" a;",
        "\"\\\"\" \"\\\\\";",
        "; 5 7;",
        "\"5\" ;",
        "\"5\" 7;",
    ] {
        let line = format!("{position} {operations}");
        let epd = skewer_pgn::Epd::parse(&line).unwrap();
        let text = epd.to_string();
        assert_eq!(
            skewer_pgn::Epd::parse(&text).as_ref(),
            Ok(&epd),
            "{line}\n{text}"
        );
    }
}

#[test]
fn a_dash_too_many_is_no_operation() {
    let text = "4k3/8/8/8/8/8/8/4K2R w K - - bm O-O;";
    let epd = skewer_pgn::Epd::parse(text).unwrap();
    let opcodes: Vec<&str> = epd
        .operations
        .iter()
        .map(|operation| operation.opcode.as_str())
        .collect();
    assert_eq!(opcodes, ["bm"]);
}

/// A comment that quotes a tag and has a brace is written so that it is read back as a comment, however lines are broken.
#[test]
fn comments_that_quote_tags_are_read_back() {
    for text in [
        "1. e4 { [Event \"x\"]\n { } e5 *",
        "1. e4 { a [Event \"x\"] 1. e4 { b } e5 *",
        "1. e4 { [Event \"x\"] [Site \"y\"] * { c } e5 *",
    ] {
        let game = Games::new(text.as_bytes()).next().unwrap().unwrap();
        assert_eq!(game.len(), 2, "{text}");
        for width in 0..80 {
            let written = format!("{game:width$}");
            let again = Games::new(written.as_bytes()).next().unwrap();
            let again = again.unwrap_or_else(|bad| panic!("{bad}\n{written}"));
            assert_eq!(again.len(), 2, "{written}");
        }
    }
}

/// A character that names of tags cannot have is replaced, so that the name does not become the name of another tag,
/// which could begin a game.
#[test]
fn names_of_tags_stay_apart() {
    let game = read("[Even\u{ef}t \"a\"]\n[Site \"b\"]\n\n1. e4 *");
    assert_eq!(game.tags.get("Even\u{ef}t"), Some("a"));
    let latin = b"[Even\xeft \"a\"]\n[Site \"b\"]\n\n1. e4 *";
    assert_eq!(
        Games::new(&latin[..]).next().unwrap().unwrap().tags,
        game.tags
    );
    let text = game.to_string();
    let again: Vec<_> = Games::new(text.as_bytes()).collect();
    assert_eq!(again.len(), 1, "{text}");
    let again = again[0].as_ref().unwrap();
    assert_eq!(
        (again.tags.get("Event"), again.tags.get("Even_t")),
        (Some("?"), Some("a"))
    );
}
