//! Games as people write and damage them: random games in every notation, encoding and kind of line end, damaged in one
//! place. The generator also knows what must be read of each file.
//!
//! A test run tries a few hundred files; `SKEWER_PGN_CASES=100000 cargo test -p skewer-pgn --test damaged --release`
//! tries the files of the seeds 0 to 99,999, in about a minute. `SKEWER_PGN_SEED` is the first seed. A failure names
//! its seed, and the same seed writes the same files again.

mod letters;

use std::fmt::Write as _;

use letters::{Seen, letters};
use skewer_movegen::{Board, DrawRules, Move, Termination};
use skewer_pgn::{
    GameErrorKind, Games, Nag, NodeId, Outcome, PgnError, PgnGame, ReadError, Reader, Start,
};

/// A small generator of random numbers (xorshift64*).
struct Rng(u64);

impl Rng {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit
    }

    fn one_in(&mut self, limit: usize) -> bool {
        self.below(limit) == 0
    }

    fn choose<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

/// What is wrong with a game.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Damage {
    None,
    /// A word that is no move, in a variation.
    Variation,
    /// The same in the main line.
    MainLine,
    /// A comment without its closing brace.
    Comment,
    /// The end is missing, and the next game is glued to it.
    Cut,
}

const DAMAGES: [Damage; 5] = [
    Damage::None,
    Damage::Variation,
    Damage::MainLine,
    Damage::Comment,
    Damage::Cut,
];

/// Words that are not moves in any position, although parts of them are.
const JUNK: [&str; 8] = ["Кf3", "¤f3", "Sf3", "♘♘f3", "Nf9", "&e4", "xyz", "e4♘"];
const LATIN_JUNK: [&str; 4] = ["¤f3", "Sf3", "Nf9", "&e4"];

/// A position in which many moves castle or promote.
const ROOKS_AND_PAWNS: &str = "r3k2r/1P4p1/8/8/8/8/1p4P1/R3K2R w KQkq - 0 1";

/// Writes a game and the tree that must be read.
struct Writer {
    rng: Rng,
    /// Whether to use only characters that Windows-1252 has.
    latin: bool,
    damage: Damage,
    text: String,
    game: PgnGame,
    /// Where the damage stands in the text, once it is done.
    damaged_at: Option<usize>,
    /// Whether the rest of the game is not read.
    lost: bool,
}

impl Writer {
    fn new(seed: u64, latin: bool, damage: Damage) -> Self {
        let mut rng = Rng::new(seed);
        // A random game from the ordinary start hardly ever castles or promotes.
        let start = rng.one_in(3).then_some(ROOKS_AND_PAWNS);
        let start = Start::from_tags(start, None).expect("it is a position");
        Self {
            rng,
            latin,
            damage,
            text: String::new(),
            game: PgnGame::from_start(start),
            damaged_at: None,
            lost: false,
        }
    }

    fn pick<'a>(&mut self, latin: &[&'a str], others: &[&'a str]) -> &'a str {
        let choice = self.rng.below(latin.len() + others.len());
        match others.get(choice.wrapping_sub(latin.len())) {
            Some(text) if !self.latin => text,
            _ => latin[choice % latin.len()],
        }
    }

    fn blank(&mut self) {
        let blank = self.pick(
            &[" ", " ", " ", "\n", "  ", "\t", "\u{a0}", " \u{ad}"],
            &["\u{2009}", "\u{3000}", "\u{200b} ", "\u{feff} ", "\u{2028}"],
        );
        self.text.push_str(blank);
    }

    fn tags(&mut self, name: &str) {
        let mut tags = vec![
            ("Event", name),
            ("White", "M\u{fc}ller [\u{e9}x]"),
            ("Black", "B"),
        ];
        if !self.game.start().is_standard() {
            tags.push(("FEN", ROOKS_AND_PAWNS));
        }
        for (tag, value) in tags {
            let indent = self.pick(&["", "", "", "  ", "\u{a0}"], &["\u{3000}"]);
            self.text.push_str(indent);
            _ = write!(self.text, "[{tag} \"{value}\"]");
            // A game glued to an escaped line would be escaped too.
            let ends = ["\n", " \n", "\n%escaped\n"];
            let usable = if self.damage == Damage::Cut { 2 } else { 3 };
            self.text.push_str(self.rng.choose(&ends[..usable]));
            self.game.tags.set(tag, value);
            if self.damage == Damage::None && self.rng.one_in(8) {
                let comment = self.rng.choose(&["{between tags}\n", "; between tags\n"]);
                self.text.push_str(comment);
                self.game
                    .node_mut(NodeId::ROOT)
                    .comments
                    .push("between tags".to_owned());
            }
        }
        self.text.push('\n');
    }

    fn number(&mut self, board: &Board, always: bool) {
        let number = board.fullmove_number();
        let white = board.turn() == skewer_movegen::Color::White;
        if !white && !always && self.rng.below(4) > 0 {
            return;
        }
        let dots = if white {
            self.pick(&[".", ". ", "", " ."], &["\u{2024}"])
        } else {
            self.pick(&["...", "... ", ". ...", ".."], &["\u{2026}", ".\u{2026} "])
        };
        _ = write!(self.text, "{number}{dots}");
        if dots.is_empty() {
            self.blank();
        }
    }

    /// Castling with letters and dashes of any kind, and blanks between them.
    fn castling(&mut self, san: &str) -> String {
        let letter = self.pick(
            &["O", "0", "o"],
            &["\u{41e}", "\u{39f}", "\u{ff10}", "\u{25cb}"],
        );
        let dash = self.pick(
            &["-", "\u{2013}", "\u{2014}"],
            &["\u{2010}", "\u{2011}", "\u{2212}"],
        );
        let blank = self.pick(&["", "", "", " ", "\u{a0}"], &["\u{2009}"]);
        san.replace('O', letter)
            .replace('-', &format!("{blank}{dash}{blank}"))
    }

    /// The move in one of the ways in which people write it.
    fn word(&mut self, board: &Board, mv: Move) -> String {
        let san = board.san(mv).to_string();
        if mv.is_castle() {
            return self.castling(&san);
        }
        let spaced = |san: &str, inner: &str| format!("{}{inner}{}", &san[..1], &san[1..]);
        match self.rng.below(12) {
            0 if !self.latin => {
                let black = self.rng.one_in(2);
                let figurine = |c| match (c, black) {
                    ('K', false) => '♔',
                    ('Q', false) => '♕',
                    ('R', false) => '♖',
                    ('B', false) => '♗',
                    ('N', false) => '♘',
                    ('K', true) => '♚',
                    ('Q', true) => '♛',
                    ('R', true) => '♜',
                    ('B', true) => '♝',
                    ('N', true) => '♞',
                    _ => c,
                };
                san.chars().map(figurine).collect()
            }
            1 => san.replace(
                '-',
                self.pick(&["\u{2013}", "\u{2014}"], &["\u{2212}", "\u{2011}"]),
            ),
            2 => match san.split_once('=') {
                Some((pawn, piece)) => {
                    let (piece, mark) = piece.split_at(1);
                    let piece = match self.rng.below(3) {
                        0 if !self.latin => "\u{265b}\u{265c}\u{265d}\u{265e}"
                            .chars()
                            .nth("QRBN".find(piece).expect("it is a piece"))
                            .expect("there are four")
                            .to_string(),
                        1 => piece.to_lowercase(),
                        _ => piece.to_owned(),
                    };
                    match self.rng.below(3) {
                        0 => format!("{pawn}{piece}{mark}"),
                        1 if self.latin => format!("{pawn}/{piece}{mark}"),
                        _ => format!("{pawn}({piece}){mark}"),
                    }
                }
                None => san,
            },
            3 => san.replace('x', "\u{d7}"),
            4 => spaced(&san, self.pick(&["\u{ad}"], &["\u{feff}", "\u{2060}"])),
            5 if !self.latin => {
                let wide = |c: char| match c {
                    'A'..='Z' | 'a'..='z' | '0'..='9' => {
                        char::from_u32(u32::from(c) + 0xfee0).expect("it is a letter")
                    }
                    _ => c,
                };
                san.chars().map(wide).collect()
            }
            6 => san.replace('+', "\u{2020}"),
            7 => board.uci_in(mv, self.game.start().mode).to_string(),
            _ => san,
        }
    }

    fn nags(&mut self, id: NodeId) {
        while self.rng.one_in(6) {
            let latin = [
                ("!", 1),
                ("?!", 6),
                (" $14", 14),
                ("\u{b1}", 16),
                (" +-", 18),
            ];
            let others = [
                ("\u{203c}", 3),
                ("\u{2a72}", 14),
                (" \u{221e}", 13),
                ("\u{25a1}", 7),
                ("\u{ff1f}", 2),
            ];
            let (text, number) = if self.latin || self.rng.one_in(2) {
                latin[self.rng.below(latin.len())]
            } else {
                others[self.rng.below(others.len())]
            };
            self.text.push_str(text);
            self.game.node_mut(id).nags.push(Nag(number));
            self.blank();
        }
    }

    /// The text of a comment in the file, and as it is read.
    fn comment_text(&mut self) -> (String, String) {
        let words = [
            "fine",
            "sch\u{f6}n",
            "[%clk 0:01:02]",
            "(not",
            "1.",
            "Nf3",
            "a\u{2013}b",
            "\"quoted\"",
            "$3",
        ];
        let count = 1 + self.rng.below(5);
        let words: Vec<&str> = (0..count).map(|_| self.rng.choose(&words)).collect();
        let text = words.join(" ");
        let broken = text.replacen(' ', "\n", self.rng.below(2));
        (broken, text)
    }

    fn comment(&mut self) -> String {
        let (mut broken, mut text) = self.comment_text();
        if self.damage == Damage::None && self.rng.one_in(6) {
            broken.push_str("\n[Event \"quoted\"]\n[White \"x\"]\n\n1. e4 *");
            text.push_str(" [Event \"quoted\"] [White \"x\"] 1. e4 *");
        }
        _ = write!(self.text, "{{ {broken} }}");
        text
    }

    /// Writes a line of at most `plies` moves after `at`.
    fn line(&mut self, mut at: NodeId, plies: usize, depth: usize) {
        let mut fresh = true;
        for ply in 0..plies {
            let board = *self.game.node(at).board();
            let moves = board.legal_moves();
            let taken = |game: &PgnGame, mv: Move| {
                let mut children = game.node(at).children().iter();
                children.any(|&child| game.node(child).mv() == Some(mv))
            };
            let free: Vec<Move> = moves
                .iter()
                .copied()
                .filter(|&mv| !taken(&self.game, mv))
                .collect();
            if free.is_empty() {
                return;
            }
            self.number(&board, fresh);
            fresh = false;
            let here = (self.damage == Damage::Variation && depth > 0)
                || (self.damage == Damage::MainLine && depth == 0 && ply > 2);
            if here && self.damaged_at.is_none() && self.rng.one_in(3) {
                self.damaged_at = Some(self.text.len());
                let junk = if self.latin {
                    &LATIN_JUNK[..]
                } else {
                    &JUNK[..]
                };
                let junk = self.rng.choose(junk);
                self.text.push_str(junk);
                self.text.push_str(" Nc6 {lost} (e5 $3) ");
                self.lost = depth == 0;
                return;
            }
            let mv = free[self.rng.below(free.len())];
            let word = self.word(&board, mv);
            self.text.push_str(&word);
            let id = self.game.add(at, Some(mv)).expect("it is from the list");
            self.nags(id);
            self.blank();
            if self.damage == Damage::Comment
                && depth == 0
                && self.damaged_at.is_none()
                && self.rng.one_in(4)
            {
                self.damaged_at = Some(self.text.len());
                let (broken, text) = self.comment_text();
                _ = write!(self.text, "{{ {broken} e5 2. Nf3 *");
                let text = format!("{text} e5 2. Nf3 *");
                self.game.node_mut(id).comments.push(text);
                self.lost = true;
                return;
            }
            if self.rng.one_in(4) {
                let text = self.comment();
                self.game.node_mut(id).comments.push(text);
                self.blank();
                fresh = true;
            }
            while depth < 3 && free.len() > 6 && self.rng.one_in(5) {
                self.text.push('(');
                let plies = 1 + self.rng.below(5);
                self.line(at, plies, depth + 1);
                self.text.push(')');
                self.blank();
                fresh = true;
                if self.lost {
                    return;
                }
            }
            at = id;
        }
    }

    /// The result of checkmate or stalemate on the board; else any result.
    fn outcome(&mut self) -> Option<Outcome> {
        let end = self.game.mainline().last().unwrap_or(NodeId::ROOT);
        let board = self.game.node(end).board();
        if !board.has_legal_moves() {
            let ending = board.ending(1, DrawRules::Unclaimed);
            return ending.map(Termination::outcome);
        }
        Outcome::from_byte(self.rng.below(4) as u8)
    }

    fn result(&mut self) {
        let outcome = self.outcome();
        let results = match outcome {
            Some(Outcome::WhiteWins) => ["1-0", "1\u{2013}0"],
            Some(Outcome::BlackWins) => ["0-1", "0 - 1"],
            Some(Outcome::Draw) => ["1/2-1/2", "\u{bd}-\u{bd}"],
            None => ["*", "*"],
        };
        let result = self.rng.choose(&results);
        self.text.push_str(result);
        self.text.push_str("\n\n");
        self.game.outcome = outcome;
    }

    fn write(mut self, name: &str) -> Self {
        self.tags(name);
        let plies = 1 + self.rng.below(40);
        self.line(NodeId::ROOT, plies, 0);
        if self.lost {
            self.text.push_str("\n\n");
        } else {
            self.result();
        }
        if self.damage == Damage::Cut {
            let mut end = 1 + self.rng.below(self.text.trim_end().len() - 1);
            while !self.text.is_char_boundary(end) {
                end += 1;
            }
            self.text.truncate(end);
        }
        self
    }
}

/// The whole content of a game.
fn contents(game: &PgnGame) -> Vec<String> {
    let mut contents: Vec<String> = game
        .tags
        .iter()
        .map(|(tag, value)| format!("{tag} {value}"))
        .collect();
    let mut open = vec![NodeId::ROOT];
    while let Some(id) = open.pop() {
        let node = game.node(id);
        contents.push(format!(
            "{:?} {:?} {:?} {}",
            node.mv(),
            node.nags,
            node.comments,
            node.children().len()
        ));
        open.extend(node.children());
    }
    contents
}

/// The bytes of a text in one of the encodings, with one of the line ends.
fn encoded(rng: &mut Rng, text: &str, latin: bool) -> Vec<u8> {
    let text = text.replace('\n', rng.choose(&["\n", "\r\n", "\r"]));
    if latin {
        let byte = |c| match c {
            '\u{2013}' => 0x96,
            '\u{2014}' => 0x97,
            '\u{2020}' => 0x86,
            c => u8::try_from(u32::from(c)).expect("it is of Latin-1"),
        };
        return text.chars().map(byte).collect();
    }
    let marked = format!("\u{feff}{text}");
    match rng.below(4) {
        0 => marked.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        1 => marked.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        2 => marked.into_bytes(),
        _ => text.into_bytes(),
    }
}

/// Reads a whole game, a damaged one, and another whole one.
fn try_one(seed: u64) -> Result<(), String> {
    let mut rng = Rng::new(seed ^ 0x5eed);
    let latin = rng.one_in(3);
    let damage = DAMAGES[rng.below(DAMAGES.len())];
    let first = Writer::new(3 * seed, latin, Damage::None).write("one");
    let middle = Writer::new(3 * seed + 1, latin, damage).write("two");
    let last = Writer::new(3 * seed + 2, latin, Damage::None).write("three");
    let text = format!("{}{}{}", first.text, middle.text, last.text);
    let bytes = encoded(&mut rng, &text, latin);
    let games: Vec<_> = Games::new(&bytes[..]).collect();
    let fail = |what: &str| {
        Err(format!(
            "seed {seed}, {damage:?}: {what}\n{text}\n{games:#?}"
        ))
    };
    let is_whole = |read: Option<&Result<PgnGame, ReadError>>, expected: &Writer| match read {
        Some(Ok(game)) => {
            game.problems.is_empty()
                && game.outcome == expected.game.outcome
                && contents(game) == contents(&expected.game)
        }
        _ => false,
    };
    if !is_whole(games.first(), &first) {
        return fail("the first game is not whole");
    }
    if !is_whole(games.last(), &last) {
        return fail("the last game is not whole");
    }
    if damage == Damage::Cut {
        return if games.len() <= 3 {
            Ok(())
        } else {
            fail("there are more than three games")
        };
    }
    if games.len() != 3 {
        return fail("there are not three games");
    }
    let Some(at) = middle.damaged_at else {
        return if is_whole(games.get(1), &middle) {
            Ok(())
        } else {
            fail("the second game is not whole")
        };
    };
    let before = format!("{}{}", first.text, &middle.text[..at]);
    let line = before.rsplit('\n').next().unwrap_or_default();
    let line = (
        before.matches('\n').count() as u64 + 1,
        line.chars().count() as u64 + 1,
    );
    let (location, game) = match &games[1] {
        Ok(game) if damage == Damage::Variation => {
            let [problem] = &game.problems[..] else {
                return fail("there is not one problem");
            };
            if !problem.cuts() || !problem.in_variation {
                return fail("the problem is another one");
            }
            (problem.location, game)
        }
        Err(ReadError::Bad(bad)) if damage != Damage::Variation => {
            let expected = match &bad.reason {
                GameErrorKind::Move { .. } => Damage::MainLine,
                GameErrorKind::File(PgnError::UnclosedComment) => Damage::Comment,
                _ => Damage::None,
            };
            if damage != expected {
                return fail("the error is another one");
            }
            (bad.location, &bad.partial)
        }
        _ => return fail("the second game is not what it must be"),
    };
    if (location.line, location.column) != line {
        return fail(&format!("the place is {location}, not {line:?}"));
    }
    if contents(game) != contents(&middle.game) {
        return fail("the second game has other moves");
    }
    Ok(())
}

/// Undamaged games are read whole in every notation and encoding. A bad move in a variation costs the rest of the
/// variation, and a bad move in the main line costs the rest of its game. A missing brace or a missing end costs no
/// other game. The error names the place.
#[test]
fn games_as_people_write_and_damage_them() {
    let number = |name, default| {
        std::env::var(name).map_or(default, |value: String| value.parse().expect("a number"))
    };
    let first: u64 = number("SKEWER_PGN_SEED", 0);
    for seed in first..first + number("SKEWER_PGN_CASES", 300) {
        if let Err(error) = try_one(seed) {
            panic!("{error}");
        }
    }
}

/// Every letter of a file is in an event, or a problem says that text was skipped, in whatever order the pieces of
/// games stand.
#[test]
fn no_letter_is_lost() {
    let pieces = [
        "[Event \"x\"]",
        "[White \"cut",
        "\"]",
        "1.",
        "1...",
        "2.",
        "e4",
        "Nf3",
        "O-O",
        "0-0",
        "0\u{2013}0",
        "(",
        ")",
        "{",
        "}",
        "{ok}",
        ";rest",
        "\n",
        "\n\n",
        "\r",
        "$3",
        "$",
        "!?",
        "+-",
        "-",
        "--",
        "*",
        "1-0",
        "1/2-1/2",
        "\u{bd}",
        "\u{2658}f3",
        "\u{41e}-\u{41e}",
        "Sf3",
        "\"",
        "[",
        "]",
        "<",
        "&",
        "~",
        "[#]",
        ",",
        ".",
        "#",
        "e.p.",
        "ch",
        "matt",
        "(mate)",
        "dis.ch.+",
        "\u{2020}",
        "N",
        "O-O ch",
        "\u{a0}",
        "\u{200b}",
        "\u{b1}",
        "\u{2603}",
        "(Q)",
        "1",
        "12",
    ];
    for seed in 0..20_000 {
        let mut rng = Rng::new(seed);
        let count = 1 + rng.below(24);
        let mut text = String::new();
        for _ in 0..count {
            text.push_str(rng.choose(&pieces));
            text.push_str(rng.choose(&["", " ", " ", "\n"]));
        }
        // Comments after the last game belong to no game.
        text.push_str("\n\n[Event \"end\"]\n\n*");
        let mut seen = Seen::default();
        let mut reader = Reader::new(text.as_bytes());
        while reader.read_game(&mut seen).unwrap().is_some() {}
        assert_eq!(reader.offset(), text.len() as u64);
        if seen.problems == 0 {
            assert_eq!(seen.letters, letters(text.as_bytes()), "{text:?}");
        }
    }
}
