//! Files as people have them, in `data/files`, and what must be read of each.

mod annotations;
mod ends;
mod formats;
mod moves;
mod positions;
mod tags;
mod variations;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use skewer_pgn::{Games, Outcome, PgnGame, ReadError};

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

/// Each text gives these games.
#[track_caller]
fn expect_games(cases: &[(&str, &[&str])]) {
    for (text, expected) in cases {
        assert_eq!(summaries(text.as_bytes()), *expected, "{text}");
    }
}
