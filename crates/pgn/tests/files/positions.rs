//! Lists of positions: FEN and EPD.

use skewer_movegen::Board;
use skewer_pgn::{Epd, EpdReader, Games, ReadError};

use crate::data;

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

/// A counter that is not the one taken is a problem of its line: another value than the FEN or an earlier operation
/// has, no number, or out of range. A dash in the FEN is an unknown counter, which an operation may give.
#[test]
fn counters_that_are_not_taken_are_problems() {
    let clock = |written: &str, taken: u16| {
        format!("{written}; passed over, and {taken} is taken as the half-move clock")
    };
    let number = |written: &str, taken: u16| {
        format!("{written}; passed over, and {taken} is taken as the move number")
    };
    for (rest, counters, expected) in [
        ("hmvc 5; fmvn 7;", "5 7", vec![]),
        ("5 7 hmvc 5; fmvn 07;", "5 7", vec![]),
        ("- 7 hmvc 5;", "5 7", vec![]),
        ("5 - fmvn 7;", "5 7", vec![]),
        ("5 fmvn 7;", "5 7", vec![]),
        ("0 0", "0 1", vec![]),
        ("fmvn 0;", "0 1", vec![]),
        (
            "0 1 hmvc 5; fmvn 7;",
            "0 1",
            vec![clock("hmvc 5", 0), number("fmvn 7", 1)],
        ),
        ("hmvc 5; hmvc 6;", "5 1", vec![clock("hmvc 6", 5)]),
        ("hmvc x; hmvc 6;", "6 1", vec![clock("hmvc x", 6)]),
        ("hmvc -3;", "0 1", vec![clock("hmvc -3", 0)]),
        ("hmvc 5 6;", "0 1", vec![clock("hmvc 5 6", 0)]),
        ("hmvc;", "0 1", vec![clock("hmvc", 0)]),
        ("300 1", "0 1", vec![clock("half-move clock 300", 0)]),
        ("fmvn 70000;", "0 1", vec![number("fmvn 70000", 1)]),
    ] {
        let position = "4k3/8/8/8/8/8/8/4K3 w - -";
        let line = format!("{position} {rest}");
        let read = EpdReader::new(line.as_bytes()).next().unwrap().unwrap();
        let fen = read.epd.board.to_fen().to_string();
        assert_eq!(fen, format!("{position} {counters}"), "{rest}");
        let problems: Vec<_> = read.problems.iter().map(ToString::to_string).collect();
        assert_eq!(problems, expected, "{rest}");
    }
}

/// Moves after the position, as UCI has them, are an error, because another position is meant than the one of the
/// line. A number or a text after the word is not.
#[test]
fn moves_after_a_position_are_an_error() {
    let position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    for counters in ["", " 0 1"] {
        for moves in [
            "moves e2e4",
            "moves e2e4 e7e5",
            "moves e4;",
            "Moves e2e5",
            "bm e4; moves g1f3;",
        ] {
            let read = Epd::parse(&format!("{position}{counters} {moves}"));
            let said = read.map_err(|error| error.to_string());
            let expected = "moves follow the position: write the position after them";
            assert_eq!(said, Err(expected.to_owned()), "{moves}");
        }
        for other in ["moves", "moves 20;", "moves 4865;", "moves \"twenty\";"] {
            let read = Epd::parse(&format!("{position}{counters} {other}"));
            assert_eq!(read.unwrap().board, Board::STARTPOS, "{other}");
        }
    }
}

/// A castling or en passant right that the position contradicts is a problem of the game or of the line that has it,
/// and is passed over. An en passant square after a double step is sound, whether a pawn can capture there or not.
#[test]
fn impossible_rights_are_problems() {
    let castling =
        |right: &str| format!("FEN, castling rights: {right}: king or rook is not on its square");
    let passed = |square: &str| {
        format!("FEN, en passant square: no pawn can have passed {square} on the last move")
    };
    for (fen, expected) in [
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3",
            vec![],
        ),
        (
            "nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq -",
            vec![],
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq -",
            vec![castling("white cannot castle kingside")],
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w Kkq -",
            vec![
                castling("black cannot castle kingside"),
                castling("black cannot castle queenside"),
            ],
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR b KQkq e3",
            vec![passed("e3")],
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e6",
            vec![passed("e6")],
        ),
    ] {
        let read = EpdReader::new(fen.as_bytes()).next().unwrap().unwrap();
        let problems = read.problems.iter().map(ToString::to_string);
        let problems: Vec<_> = problems.collect();
        let of_line = expected.iter().map(|text| format!("{text}; passed over"));
        assert_eq!(problems, of_line.collect::<Vec<_>>(), "{fen}");
        // The same in games: one that is read whole, and one that is cut at an error.
        let text = format!("\n[Event \"x\"]\n[FEN \"{fen} 0 1\"]\n\n");
        let whole = text.clone() + "*\n";
        let whole = Games::new(whole.as_bytes()).next().unwrap().unwrap();
        let cut = text + "1. Ka5 *\n";
        let Some(Err(ReadError::Bad(cut))) = Games::new(cut.as_bytes()).next() else {
            panic!("Ka5 is not legal");
        };
        let of_game: Vec<_> = expected
            .iter()
            .map(|text| format!("line 2, column 1: {text}"))
            .collect();
        for game in [&whole, &cut.partial] {
            let problems = game.problems.iter().map(ToString::to_string);
            assert_eq!(problems.collect::<Vec<_>>(), of_game, "{fen}");
            assert_eq!(game.start().board, read.epd.board, "{fen}");
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
