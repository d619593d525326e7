//! What `data/cases.txt` says of texts, which other readers of this project are held to as well.

use std::fmt::Write as _;

use skewer_pgn::{Games, Outcome, PgnGame, ReadError};

const CASES: &str = include_str!("data/cases.txt");

/// A text with its escapes as the characters that they stand for.
fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('\\') {
        plain.push_str(before);
        let length = match behind.as_bytes()[0] {
            b'u' => behind.find('}').expect("a closing brace") + 1,
            _ => 1,
        };
        plain.push(match &behind[..length] {
            "n" => '\n',
            "r" => '\r',
            "t" => '\t',
            code => {
                let digits = code.trim_start_matches("u{").trim_end_matches('}');
                let code = u32::from_str_radix(digits, 16).expect("a number");
                char::from_u32(code).expect("a character")
            }
        });
        rest = &behind[length..];
    }
    plain + rest
}

fn line(game: &PgnGame) -> String {
    let mut board = game.start().board;
    let mut words = String::new();
    for id in game.mainline() {
        match game.node(id).mv() {
            Some(mv) => _ = write!(words, "{} ", board.san(mv)),
            None => words.push_str("-- "),
        }
        board = *game.node(id).board();
    }
    words
}

/// What the reader makes of a text, in the form of the cases; and the whole of an error.
fn games(text: &str) -> Vec<(String, String)> {
    let games = Games::new(text.as_bytes()).map(|game| match game {
        Ok(game) => {
            let problems = game.problems.iter().filter(|problem| !problem.in_variation);
            let problems: Vec<String> = problems.map(ToString::to_string).collect();
            let sign = if problems.is_empty() { "" } else { " ~" };
            let result = Outcome::pgn_result(game.outcome);
            (
                format!("{}{result}{sign}", line(&game)),
                problems.join("; "),
            )
        }
        Err(ReadError::Bad(bad)) => (format!("{}!", line(&bad.partial)), bad.to_string()),
        Err(error) => panic!("{text}: {error}"),
    });
    games.collect()
}

/// Each text gives the games of its lines, and no more.
#[test]
fn every_case_is_read_as_written() {
    let mut lines = CASES.lines().filter(|line| !line.starts_with('#'));
    let (mut name, mut text) = ("", String::new());
    let mut left = Vec::new().into_iter();
    let mut cases = 0;
    while let Some(line) = lines.next() {
        if let Some(next) = line.strip_prefix("= ") {
            assert_eq!(left.next(), None::<(String, String)>, "{name}");
            name = next;
            text = unescaped(lines.next().expect("a text"));
            left = games(&text).into_iter();
            cases += 1;
        } else if let Some(expected) = line.strip_prefix("> ") {
            let (read, error) = left
                .next()
                .unwrap_or_else(|| panic!("{name}: a game is missing"));
            let (expected, part) = match expected.find(['!', '~']) {
                Some(at) => expected.split_at(at + 1),
                None => (expected, ""),
            };
            assert_eq!(read, expected, "{name}: {text}");
            assert!(error.contains(part.trim()), "{name}: {error}");
        }
    }
    assert_eq!(left.next(), None, "{name}");
    assert!(cases > 20);
}
