//! Glyphs, signs, clocks and evaluations, and text without a meaning.

use skewer_pgn::{EvalTag, Games, NodeId, annotation};

use crate::{expect, games_of, summaries};

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
        ("1. e4 (1. d4 1... !) $6 *", [vec![6], vec![1]]),
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
