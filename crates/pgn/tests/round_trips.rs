//! Random games and positions, written and read back.

use proptest::prelude::*;
use skewer_movegen::{Board, CastlingMode};
use skewer_pgn::{Epd, EpdReader, Games, Nag, NodeId, Op, Operation, Outcome, PgnGame, San, Start};

/// A step in the construction of a game.
#[derive(Clone, Debug)]
enum Step {
    /// Adds the legal move with this number after the last one.
    Play(u16),
    /// Goes back this many moves; the next move begins a variation there.
    Back(u8),
    Null,
    Nag(u8),
    Comment(String),
    Before(String),
}

/// Comments as the reader returns them: no line breaks, no blanks at the ends, no closing brace, and no opening brace
/// beside text that looks like a tag.
fn comment() -> impl Strategy<Value = String> {
    "[ -|~a-zäöü%;(){\\[\"\\\\]{1,120}".prop_map(|text| {
        let text = text.replace('}', ")");
        let text = if text.contains('[') && text.contains(']') {
            text.replace('{', "(")
        } else {
            text
        };
        text.trim().to_owned()
    })
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        12 => any::<u16>().prop_map(Step::Play),
        2 => (1..6_u8).prop_map(Step::Back),
        1 => Just(Step::Null),
        1 => any::<u8>().prop_map(Step::Nag),
        1 => comment().prop_map(Step::Comment),
        1 => comment().prop_map(Step::Before),
    ]
}

fn start() -> impl Strategy<Value = Start> {
    prop_oneof![
        3 => Just(None),
        1 => Just(Some("nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 1")),
        1 => Just(Some("1rk1r3/pppppppp/8/8/8/8/PPPPPPPP/1RK1R3 b KQkq - 3 17")),
        1 => Just(Some("r3k2r/PP4PP/8/2pP4/8/8/pp4pp/R3K2R w KQkq c6 0 9")),
    ]
    .prop_map(|fen| Start::from_tags(fen, None).expect("these are positions"))
}

fn build(
    start: Start,
    steps: Vec<Step>,
    outcome: Option<Outcome>,
    tags: Vec<(String, String)>,
) -> PgnGame {
    let mut game = PgnGame::from_start(start);
    game.outcome = outcome;
    for (name, value) in tags {
        game.tags.set(name, value.trim());
    }
    let mut at = NodeId::ROOT;
    let mut before = None;
    for step in steps {
        match step {
            Step::Play(number) => {
                let moves = game.node(at).board().legal_moves();
                if moves.is_empty() {
                    continue;
                }
                let mv = moves[usize::from(number) % moves.len()];
                let twin = game
                    .node(at)
                    .children()
                    .iter()
                    .any(|&child| game.node(child).mv() == Some(mv));
                if !twin {
                    let variation = !game.node(at).children().is_empty();
                    at = game.add(at, Some(mv)).expect("it is from the list");
                    if variation && let Some(text) = before.take() {
                        game.node_mut(at).comments_before.push(text);
                    }
                }
            }
            Step::Back(moves) => {
                for _ in 0..moves {
                    at = game.node(at).parent().unwrap_or(NodeId::ROOT);
                }
            }
            Step::Null => {
                if let Ok(next) = game.add(at, None) {
                    at = next;
                }
            }
            Step::Nag(nag) if at != NodeId::ROOT => game.node_mut(at).nags.push(Nag(nag)),
            Step::Comment(text) if !text.is_empty() => game.node_mut(at).comments.push(text),
            Step::Before(text) if !text.is_empty() => before = Some(text),
            Step::Nag(_) | Step::Comment(_) | Step::Before(_) => {}
        }
    }
    game
}

/// The whole content of a game, in an order that does not depend on how the tree was built.
fn contents(game: &PgnGame) -> Vec<String> {
    let mut contents = vec![Outcome::pgn_result(game.outcome).to_string()];
    let mut open = vec![NodeId::ROOT];
    while let Some(id) = open.pop() {
        let node = game.node(id);
        contents.push(format!(
            "{:?} {:?} {:?} {:?} {}",
            node.mv(),
            node.nags,
            node.comments_before,
            node.comments,
            node.children().len()
        ));
        open.extend(node.children());
    }
    contents
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn games_read_back_as_they_were(
        start in start(),
        steps in proptest::collection::vec(step(), 0..120),
        outcome in prop_oneof![
            Just(Some(Outcome::WhiteWins)), Just(Some(Outcome::BlackWins)),
            Just(Some(Outcome::Draw)), Just(None),
        ],
        tags in proptest::collection::vec(("[A-Z][A-Za-z0-9_]{0,8}", "[ -~äé]{0,20}"), 0..5),
        width in 0..100_usize,
    ) {
        prop_assume!(tags.iter().all(|(name, _)| !matches!(name.as_str(), "FEN" | "Variant")));
        let game = build(start, steps, outcome, tags);
        let text = format!("{game:width$}");
        let mut games = Games::new(text.as_bytes());
        let again = games.next().expect("one game").unwrap_or_else(|bad| panic!("{bad}\n{text}"));
        prop_assert!(games.next().is_none(), "more than one game in\n{}", text);
        prop_assert_eq!(contents(&again), contents(&game), "{}", text);
        prop_assert_eq!(again.start(), game.start());
        for (name, value) in game.tags.iter().filter(|(name, _)| *name != "Result") {
            prop_assert_eq!(again.tags.get(name), Some(value), "{}", text);
        }
        // A line is too long only because of a word that cannot be split, or that may not begin a line.
        if width >= 20 {
            let moves = text.split_once("\n\n").map_or("", |(_, moves)| moves);
            for line in moves.lines().filter(|line| line.chars().count() > width) {
                let (rest, last) = line.rsplit_once(' ').unwrap_or(("", line));
                let risky = last.starts_with(['%', ';', '[']) || line.contains("[%");
                let spaced = line.contains("  ");
                prop_assert!(rest.is_empty() || risky || spaced, "{:?} in\n{}", line, text);
            }
        }
        // The game that was read is written with the same text.
        prop_assert_eq!(format!("{again:width$}"), {
            let mut same = game;
            same.tags = again.tags.clone();
            format!("{same:width$}")
        });
    }

    #[test]
    fn every_legal_move_resolves_from_every_way_to_write_it(
        start in start(),
        choices in proptest::collection::vec(any::<u16>(), 0..100),
    ) {
        let mut board = start.board;
        for choice in choices {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            for mv in &moves {
                let san = board.san(mv).to_string();
                prop_assert_eq!(San::new(san.as_bytes()).resolve(&board), Ok(Some(mv)), "{} {}", san, board);
                let uci = board.uci_in(mv, start.mode).to_string();
                if !mv.is_castle() {
                    prop_assert_eq!(San::new(uci.as_bytes()).resolve(&board), Ok(Some(mv)), "{} {}", uci, board);
                }
            }
            board = board.play(moves[usize::from(choice) % moves.len()]);
        }
    }

    #[test]
    fn resolved_moves_are_legal(
        start in start(),
        choices in proptest::collection::vec(any::<u16>(), 0..60),
        text in "[KQRBN]?[a-h]?[1-8]?[x-]?[a-h][1-8](=?[QRBN])?[+#]?",
    ) {
        let mut board = start.board;
        for choice in choices {
            let moves = board.legal_moves();
            if let Ok(Some(mv)) = San::new(text.as_bytes()).resolve(&board) {
                prop_assert!(moves.contains(&mv), "{} {:?} {}", text, mv, board);
            }
            if moves.is_empty() {
                break;
            }
            board = board.play(moves[usize::from(choice) % moves.len()]);
        }
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        for game in Games::new(&bytes[..]) {
            let _ = game.map(|game| game.to_string());
        }
        for line in EpdReader::new(&bytes[..]) {
            let _ = line.map(|placed| placed.epd.to_string());
        }
    }

    #[test]
    fn shuffled_words_are_read_without_a_panic(
        words in proptest::collection::vec(prop_oneof![
            Just("[Event \"x\"]\n"), Just("1."), Just("e4"), Just("e5"), Just("Nf3"), Just("("),
            Just(")"), Just("{"), Just("}"), Just(";"), Just("\n"), Just("\n\n"), Just("$3"),
            Just("!?"), Just("*"), Just("1-0"), Just("0-0"), Just("--"), Just("%"), Just("["),
            Just("\""), Just("1/2-1/2"), Just("1..."), Just("O-O-O"), Just("[FEN \"8/8/8/8/8/8/8/8 w\"]\n"),
        ], 0..60),
        glue in prop_oneof![Just(""), Just(" "), Just("\r\n")],
    ) {
        let text = words.join(glue);
        for game in Games::new(text.as_bytes()).flatten() {
            // The result can be written and read again.
            let again = Games::new(game.to_string().as_bytes()).next();
            let again = again.expect("one game").unwrap_or_else(|bad| panic!("{bad}\n{text}"));
            prop_assert_eq!(again.len(), game.len(), "{}", text);
        }
    }

    #[test]
    fn epd_reads_back_as_it_was(
        start in start(),
        choices in proptest::collection::vec(any::<u16>(), 0..60),
        id in "[ -~]{0,20}",
        other in proptest::collection::vec("[ -~]{0,10}", 0..4),
        numbers in any::<(u32, i32)>(),
    ) {
        let mut board = start.board;
        for choice in choices {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            board = board.play(moves[usize::from(choice) % moves.len()]);
        }
        // EPD keeps the counters only as operations.
        let fields: Vec<String> =
            board.to_fen_in(CastlingMode::Chess960).to_string().split(' ').take(4).map(str::to_owned).collect();
        let board = Board::from_fen(&fields.join(" ")).expect("it came from a board");
        let op = |opcode: &str, op| Operation { opcode: opcode.to_owned(), op };
        let moves = board.legal_moves();
        let epd = Epd {
            board,
            mode: Start::from_board(board, CastlingMode::Standard).mode,
            operations: vec![
                op("bm", Op::Moves(moves.iter().copied().take(3).collect())),
                op("pv", Op::Line(moves.iter().copied().take(1).collect())),
                op("id", Op::Text(id)),
                op("c3", Op::Text("semi;colon \"quoted\" \\".to_owned())),
                op("acd", Op::Number(numbers.0.into())),
                op("ce", Op::Number(numbers.1.into())),
                op("xyz", Op::Other(other)),
            ],
        };
        let text = epd.to_string();
        prop_assert_eq!(Epd::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}")), epd, "{}", text);
    }
}
