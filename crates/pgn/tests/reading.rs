//! Reading: variations of notation in real files, damaged files, and the test data.

use std::io::{self, Read};

use skewer_movegen::ParseMoveError;
use skewer_pgn::{
    EvalTag, EvalValue, GameError, GameErrorKind, Games, Nag, NodeId, Outcome, PgnError, PgnGame,
    ReadError, Reader, annotation, check, params,
};

fn read(text: &[u8]) -> Vec<Result<PgnGame, Box<GameError>>> {
    Games::new(text)
        .map(|game| match game {
            Ok(game) => Ok(game),
            Err(ReadError::Bad(bad)) => Err(bad),
            Err(error) => panic!("a slice can always be read: {error}"),
        })
        .collect()
}

fn one(text: &str) -> PgnGame {
    let mut games = read(text.as_bytes());
    assert_eq!(games.len(), 1, "one game in {text:?}");
    games.remove(0).unwrap_or_else(|bad| panic!("{bad}"))
}

/// The syntax errors that did not end a game.
fn problems(game: &PgnGame) -> Vec<PgnError> {
    let errors = game.problems.iter().map(|problem| match problem.reason {
        GameErrorKind::File(error) => error,
        ref reason => panic!("{reason}"),
    });
    errors.collect()
}

/// The main line in SAN.
fn line(game: &PgnGame) -> String {
    let mut board = game.start().board;
    let mut words = Vec::new();
    for id in game.mainline() {
        words.push(
            game.node(id)
                .mv()
                .map_or("--".to_owned(), |mv| board.san(mv).to_string()),
        );
        board = *game.node(id).board();
    }
    words.join(" ")
}

#[test]
fn a_byte_order_mark_crlf_and_percent_lines() {
    let game = one(
        "\u{feff}%created by hand\r\n[Event \"A\"]\r\n%x\r\n[White \"B\"]\r\n\r\n1. e4\r\n%not a move\r\ne5 1-0\r\n",
    );
    assert_eq!(
        game.tags.iter().collect::<Vec<_>>(),
        [("Event", "A"), ("White", "B")]
    );
    assert_eq!(line(&game), "e4 e5");
    assert_eq!(game.outcome, Some(Outcome::WhiteWins));
}

#[test]
fn latin_1_among_utf_8() {
    let games = read(b"[White \"M\xfcller\"]\n[Black \"M\xc3\xbcller\"]\n\n1. e4 {sch\xf6n} *\n");
    let game = games[0].as_ref().unwrap();
    assert_eq!(game.tags.get("White"), Some("Müller"));
    assert_eq!(game.tags.get("Black"), Some("Müller"));
    assert_eq!(
        game.node(game.next(NodeId::ROOT).unwrap()).comments,
        ["schön"]
    );
}

#[test]
fn tags_as_people_write_them() {
    let game = one(concat!(
        "[Event \"The \\\"Open\\\"\"] [Site \"x\"]\n[White \"Bob \"The Rock\" J\"]\n",
        "[Round 7]\n[ Black  \"B\" ]\n[Date \"2020\n[Opening \"\"]\n1. e4 *"
    ));
    let tags: Vec<_> = game.tags.iter().collect();
    let expected = [
        ("Event", "The \"Open\""),
        ("Site", "x"),
        ("White", "Bob \"The Rock\" J"),
        ("Round", "7"),
        ("Black", "B"),
        ("Date", "2020"),
        ("Opening", ""),
    ];
    assert_eq!(tags, expected);
}

#[test]
fn moves_as_people_write_them() {
    for text in [
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O",
        "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.0-0",
        "1 e4 e5 2 Nf3 Nc6 3 Bb5 a6 4 o-o",
        "e4 e5 Nf3 Nc6 Bb5 a6 OO",
        "1. e2e4 e7-e5 2. Ng1-f3 Nb8c6 3. Bf1b5 Pa6 4. e1g1",
        "1. e4! e5?! 2. Nf3!? $14 Nc6 += 3. Bb5+- a6 4. O-O!",
    ] {
        let game = one(text);
        assert_eq!(line(&game), "e4 e5 Nf3 Nc6 Bb5 a6 O-O", "{text}");
    }
    let game = one("1. e4! e5?! 2. Nf3!? $14 Nc6 += 3. Bb5+- a6 4. O-O!! *");
    let nags: Vec<_> = game
        .mainline()
        .map(|id| game.node(id).nags.clone())
        .collect();
    let expected: [&[u8]; 7] = [&[1], &[6], &[5, 14], &[14], &[18], &[], &[3]];
    let expected = expected.map(|nags| nags.iter().map(|&nag| Nag(nag)).collect::<Vec<_>>());
    assert_eq!(nags, expected);
}

#[test]
fn promotions_and_en_passant() {
    let fen = "[FEN \"1r2k3/P7/8/5pP1/8/8/8/4K3 w - f6 0 1\"]\n";
    for (text, uci) in [
        ("gxf6", "g5f6"),
        ("gxf6e.p.", "g5f6"),
        ("gxf6 e.p.", "g5f6"),
        ("gf6", "g5f6"),
        ("a8=Q", "a7a8q"),
        ("a8R", "a7a8r"),
        ("a8(B)", "a7a8b"),
        ("a8/N", "a7a8n"),
        ("axb8=Q+", "a7b8q"),
        ("ab8N", "a7b8n"),
        ("a7a8q", "a7a8q"),
        ("a7xb8=R", "a7b8r"),
    ] {
        let game = one(&format!("{fen}{text} *"));
        let mv = game.node(game.next(NodeId::ROOT).unwrap()).mv().unwrap();
        assert_eq!(format!("{mv:?}"), uci, "{text}");
    }
}

#[test]
fn null_moves() {
    for null in ["--", "Z0", "0000", "@@@@", "null"] {
        let game = one(&format!("1. e4 {null} 2. d4 *"));
        assert_eq!(line(&game), "e4 -- d4", "{null}");
    }
    let bad = read(b"1. e4 e5 2. Qh5 -- 3. Qxf7+ -- *");
    assert!(matches!(
        &bad[0].as_ref().unwrap_err().reason,
        GameErrorKind::Move { error: ParseMoveError::Null, number, .. } if number == "3... "
    ));
}

#[test]
fn variations_and_comments_are_attached_to_their_moves() {
    let game = one(concat!(
        "{start} 1. e4 {a} {b} ({before} 1. d4 {c} d5 (1... Nf6 2. c4) 2. c4) (1. c4) ",
        "1... e5 ; to the end ( of the line\n2. Nf3 () ({empty}) *"
    ));
    let first = game.next(NodeId::ROOT).unwrap();
    assert_eq!(game.node(NodeId::ROOT).comments, ["start"]);
    assert_eq!(game.node(first).comments, ["a", "b"]);
    let children = game.node(NodeId::ROOT).children();
    let moves: Vec<_> = children
        .iter()
        .map(|&id| format!("{:?}", game.node(id).mv().unwrap()))
        .collect();
    assert_eq!(moves, ["e2e4", "d2d4", "c2c4"]);
    assert_eq!(game.node(children[1]).comments_before, ["before"]);
    assert_eq!(game.node(children[1]).comments, ["c"]);
    assert_eq!(game.node(children[1]).children().len(), 2);
    assert_eq!(line(&game), "e4 e5 Nf3");
    let last = game.mainline().last().unwrap();
    assert_eq!(game.node(last).comments, ["empty"]);
    assert_eq!(
        game.node(game.next(first).unwrap()).comments,
        ["to the end ( of the line"]
    );
    assert_eq!(game.len(), 9);
}

#[test]
fn results_missing_and_doubled() {
    let text = concat!(
        "[Event \"1\"]\n[Result \"1/2-1/2\"]\n1. e4 e5\n\n[Event \"2\"]\n1. d4\n[Event \"3\"]\n\n",
        "[Event \"4\"]\n\n1-0 {resigned}\n1. c4 c5\n\n1. b3 *\n"
    );
    let games: Vec<_> = read(text.as_bytes())
        .into_iter()
        .map(Result::unwrap)
        .collect();
    let seen: Vec<_> = games
        .iter()
        .map(|g| (g.tags.get("Event").unwrap_or("-"), line(g), g.outcome))
        .collect();
    let expected = [
        ("1", "e4 e5".to_owned(), Some(Outcome::Draw)),
        ("2", "d4".to_owned(), None),
        ("3", String::new(), None),
        ("4", String::new(), Some(Outcome::WhiteWins)),
        ("-", "c4 c5".to_owned(), None),
        ("-", "b3".to_owned(), None),
    ];
    assert_eq!(seen, expected);
    assert_eq!(games[3].node(NodeId::ROOT).comments, ["resigned"]);
}

#[test]
fn an_empty_line_among_the_moves_does_not_end_the_game() {
    let game = one("[Event \"x\"]\n\n1. e4 e5\n\n2. Nf3\n\n{hm}\n\nNc6 *");
    assert_eq!(line(&game), "e4 e5 Nf3 Nc6");
}

#[test]
fn bad_games_are_reported_and_the_next_is_read() {
    let text = concat!(
        "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5\n2. Ke3 {what} (2. Nf3) Nc6 1-0\n\n", // line 5
        "[FEN \"nonsense\"]\n\n1. e4 {a} *\n\n", // begins on line 7
        "[Variant \"Atomic\"]\n\n1. e4 *\n\n",   // 11
        "From: somebody\n\n",                    // 15
        "[Event \"fine\"]\n\n1. e4 *\n\n",
        "[Event \"two ways\"]\n\n1. Nf3 d5 2. d4 Nf6 3. Nd2 *\n", // 23
        "[Event \"fine too\"]\n\n1. d4 *\n"
    );
    let games = read(text.as_bytes());
    let results: Vec<_> = games
        .iter()
        .map(|game| match game {
            Ok(game) => format!("good: {}", line(game)),
            Err(bad) => format!("{bad}"),
        })
        .collect();
    assert_eq!(
        results[0],
        "line 5, column 4: game 1 (A - B): move 2. Ke3 is not legal: the king cannot reach e3"
    );
    assert!(
        results[1].starts_with("line 9, column 1: game 2: the FEN \"nonsense\" is not a position"),
        "{}",
        results[1]
    );
    assert_eq!(
        results[2],
        "line 13, column 1: game 3: the variant \"Atomic\" is not supported"
    );
    assert_eq!(
        results[3],
        "line 15, column 1: game 4: move 1. From: is not a move"
    );
    assert_eq!(results[4], "good: e4");
    assert_eq!(
        results[5],
        "line 23, column 24: game 6: move 3. Nd2 is ambiguous: possible from b1 and f3"
    );
    assert_eq!(results[6], "good: d4");
    assert_eq!(results.len(), 7);
    assert_eq!(line(&games[0].as_ref().unwrap_err().partial), "e4 e5");
}

#[test]
fn cut_files() {
    let whole = "[Event \"x\"]\n[White \"y\"]\n\n1. e4 {fine} e5 (1... c5 2. Nf3) 2. Nf3 Nc6 1-0";
    for end in 0..=whole.len() {
        // There is no panic and no second game.
        let games = read(&whole.as_bytes()[..end]);
        assert!(games.len() <= 1, "{:?}", &whole[..end]);
        if let Some(Err(bad)) = games.first() {
            let at_end = matches!(&bad.reason, GameErrorKind::Move { at_end, .. } if *at_end);
            let cut = matches!(
                bad.reason,
                GameErrorKind::File(
                    PgnError::CutShort | PgnError::UnclosedComment | PgnError::UnclosedVariation
                )
            );
            assert!(at_end || cut, "{:?}: {bad}", &whole[..end]);
        }
    }
    let half = read(b"1. e4 e5 2. N");
    assert_eq!(
        half[0].as_ref().unwrap_err().to_string(),
        "line 1, column 13: game 1: move 2. N is not a move (the file ends here)"
    );
    let half = read(b"1. e4 e5 2. Nf3 N");
    assert!(half[0].is_ok(), "after a move it is the glyph of a novelty");
    let half = read(b"1. e4 e5 2. Nf");
    assert_eq!(
        half[0].as_ref().unwrap_err().to_string(),
        "line 1, column 13: game 1: move 2. Nf is not a move (the file ends here)"
    );
}

#[test]
fn an_unclosed_comment_ends_with_its_game() {
    let mut text = "[Event \"1\"]\n\n1. e4 {oh no ".to_owned();
    text.push_str(&"blah ".repeat(200));
    text.push_str("e5 1-0\n\n[Event \"2\"]\n\n1. d4 *\n");
    let games = read(text.as_bytes());
    assert_eq!(games.len(), 2);
    let bad = games[0].as_ref().unwrap_err();
    assert_eq!(bad.reason, GameErrorKind::File(PgnError::UnclosedComment));
    assert_eq!(line(&bad.partial), "e4");
    assert_eq!(line(games[1].as_ref().unwrap()), "d4");
}

#[test]
fn an_unclosed_comment_between_games_is_reported() {
    let blah = "blah ".repeat(200);
    for (text, games_after) in [
        (
            "1. e4 *\n\n{ note\n\n[Event \"B\"]\n\n1. d4 *\n".to_owned(),
            1,
        ),
        (
            format!("1. e4 *\n\n{{ {blah}\n\n[Event \"B\"]\n\n1. d4 *\n"),
            1,
        ),
    ] {
        let games = read(text.as_bytes());
        assert_eq!(games.len(), 2 + games_after, "{text}");
        assert_eq!(line(games[0].as_ref().unwrap()), "e4");
        let bad = games[1].as_ref().unwrap_err();
        assert_eq!(bad.reason, GameErrorKind::File(PgnError::UnclosedComment));
        for game in &games[2..] {
            assert_eq!(line(game.as_ref().unwrap()), "d4");
        }
        let mut reader = Reader::new(text.as_bytes());
        for _ in &games {
            assert!(reader.skip_game().unwrap());
        }
        assert!(!reader.skip_game().unwrap());
    }
}

#[test]
fn the_end_of_a_dos_file_is_no_game() {
    assert_eq!(read(b"1. e4 *\n\x1a").len(), 1);
    let mut reader = Reader::new(&b"1. e4 *\n\x1a"[..]);
    assert!(reader.skip_game().unwrap() && !reader.skip_game().unwrap());
}

#[test]
fn unbalanced_parentheses() {
    let game = one("1. e4 e5) 2. Nf3 (2. Nc3 *");
    assert_eq!(line(&game), "e4 e5 Nf3");
    assert_eq!(
        problems(&game),
        [PgnError::StrayParenthesis, PgnError::UnclosedVariation]
    );
}

#[test]
fn nesting_has_a_bound() {
    let mut text = "1. e4 ".to_owned();
    text.push_str(&"(1. d4 ".repeat(100_000));
    text.push_str(&")".repeat(100_000));
    text.push_str(" e5 *");
    let game = one(&text);
    assert_eq!(line(&game), "e4 e5");
    assert_eq!(problems(&game), [PgnError::TooDeep]);
    assert!(game.to_string().contains("1... e5 *"));
}

/// A stream with a very long run of one byte, which counts the bytes read.
struct Flood<'a> {
    head: &'a [u8],
    fill: u8,
    left: usize,
    tail: &'a [u8],
}

impl Read for Flood<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if !self.head.is_empty() {
            return self.head.read(out);
        }
        if self.left > 0 {
            let length = out.len().min(self.left);
            out[..length].fill(self.fill);
            self.left -= length;
            return Ok(length);
        }
        self.tail.read(out)
    }
}

#[test]
fn endless_tokens_are_cut_and_reading_continues() {
    for (head, fill, tail) in [
        ("1. e4 {", b'x', "} e5 *\n1. d4 *"),
        ("1. e4 {", b'\n', "} e5 *\n1. d4 *"),
        ("1. e4 ; ", b'x', "\n e5 *\n1. d4 *"),
        ("[White \"", b'x', "\"]\n1. e4 e5 *\n1. d4 *"),
        ("1. e4 ", b'(', " *"),
        ("1. e4 ", b'\n', " e5 *\n1. d4 *"),
        ("% ", b'x', "\n1. e4 e5 *\n1. d4 *"),
    ] {
        let flood = Flood {
            head: head.as_bytes(),
            fill,
            left: 20_000_000,
            tail: tail.as_bytes(),
        };
        let games: Vec<_> = Games::new(flood).collect::<Result<_, _>>().unwrap();
        if fill == b'(' {
            assert_eq!(games.len(), 1);
            continue;
        }
        let lines: Vec<_> = games.iter().map(line).collect();
        assert_eq!(lines, ["e4 e5", "d4"], "{head}");
    }
    let mut junk = Games::new(Flood {
        head: b"1. e4 ",
        fill: b'q',
        left: 20_000_000,
        tail: b" *\n[Event \"x\"]\n*",
    });
    assert!(junk.next().unwrap().is_err());
    assert!(junk.next().unwrap().is_ok());
    assert!(junk.next().is_none());
}

#[test]
fn an_error_of_the_source_is_reported_once() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the cable is out"))
        }
    }
    let mut games = Games::new(Broken);
    assert!(matches!(games.next(), Some(Err(ReadError::Io(_)))));
    assert!(games.next().is_none());
}

/// Twelve games of the lichess database (CC0).
const LICHESS: &str = include_str!("data/lichess.pgn");
/// Games made for these tests: annotations, variations, promotion, castling, an illegal move,
/// Chess960.
const ANNOTATED: &str = include_str!("data/annotated.pgn");

#[test]
fn real_files_are_read_whole() {
    let marked = format!("\u{feff}{LICHESS}");
    // One of the annotated games has an illegal move.
    for (text, games, bad) in [(LICHESS, 12, 0), (&marked, 12, 0), (ANNOTATED, 4, 1)] {
        let tally = check(text.as_bytes()).unwrap();
        assert_eq!((tally.games, tally.bad_games), (games, bad));
        assert_eq!(tally.bytes, text.len() as u64);
        let mut moves = 0;
        let mut refused = 0;
        for game in Games::new(text.as_bytes()) {
            let game = match game {
                Ok(game) => game,
                Err(ReadError::Bad(bad)) => {
                    refused += 1;
                    moves += bad.partial.len() as u64;
                    continue;
                }
                Err(error) => panic!("{error}"),
            };
            assert_eq!(game.problems, []);
            moves += game.len() as u64;
            // Written games read back as the same tree.
            let again = one(&game.to_string());
            assert_eq!(line(&again), line(&game));
            assert_eq!(again.len(), game.len());
        }
        assert_eq!((refused, moves), (bad, tally.moves));
    }
}

#[test]
fn lichess_clocks_are_understood() {
    let mut clocks = 0;
    for game in Games::new(LICHESS.as_bytes()) {
        let game = game.unwrap();
        for id in game.mainline() {
            clocks += usize::from(
                game.node(id)
                    .comments
                    .iter()
                    .any(|text| annotation::clock(text).is_some()),
            );
        }
    }
    assert_eq!(clocks, LICHESS.matches("[%clk ").count());
    let game = one("1. e4 { [%eval 0.17] [%clk 0:00:30] } *");
    let comment = &game.node(game.next(NodeId::ROOT).unwrap()).comments[0];
    assert_eq!(
        EvalTag::find(comment).unwrap().value,
        EvalValue::Centipawns(17)
    );
}

#[test]
fn more_tags_than_any_game_has_are_passed_over() {
    let tags = |count: usize| {
        let lines: Vec<String> = (0..count).map(|n| format!("[Tag{n} \"x\"]\n")).collect();
        lines.concat()
    };
    let most = params::MOST_TAGS;
    for (count, kept, problems) in [
        (most, most, &[][..]),
        (most + 1, most, &[PgnError::TooManyTags]),
        // If each tag were looked up by a search of all earlier tags, this would take minutes.
        (300_000, most, &[PgnError::TooManyTags]),
    ] {
        let game = one(&format!("{}\n1. e4 *", tags(count)));
        assert_eq!((game.tags.len(), game.len()), (kept, 1));
        assert_eq!(self::problems(&game), problems);
    }
}
