//! Games in PGN files.

use std::fs::{File, OpenOptions};
use std::io::{self, Cursor, Read as _, Write as _};
use std::path::Path;

use skewer_movegen::{Color, Move, Outcome};
use skewer_pgn::params::SNIFFED;
use skewer_pgn::{Games, NodeId, PgnGame, ReadError, Start, looks_like_epd};

use super::game::TimedGame;
use super::opponent::Strength;

/// What is read from a file: where the game began, its moves, and its result.
pub(super) struct Loaded {
    pub(super) start: Start,
    pub(super) moves: Vec<Move>,
    pub(super) outcome: Option<Outcome>,
}

/// A game that cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub(super) enum LoadError {
    /// The file cannot be opened or read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file has fewer games.
    #[error("there is no game {wanted}: the file has {there}")]
    Absent {
        /// The number of the game, from 1.
        wanted: usize,
        /// How many games the file has.
        there: usize,
    },
    /// The game has an error.
    #[error("{0}")]
    Bad(ReadError),
    /// The file has no games.
    #[error(
        "the file holds positions (EPD), not games (PGN): begin with a position by --fen, or by `fen` in a game"
    )]
    Positions,
    /// The game has a null move, which is not legal.
    #[error("game {0} has a null move")]
    NullMove(usize),
}

/// Reads game `number`, from 1, of a PGN file.
///
/// # Errors
///
/// See [`LoadError`].
pub(super) fn load(path: &Path, number: usize) -> Result<Loaded, LoadError> {
    let mut file = File::open(path)?;
    let mut head = Vec::new();
    (&mut file).take(SNIFFED).read_to_end(&mut head)?;
    if looks_like_epd(&head) {
        return Err(LoadError::Positions);
    }
    let mut there = 0;
    for game in Games::new(Cursor::new(head).chain(file)) {
        there += 1;
        if there < number {
            continue;
        }
        let game = match game {
            Ok(game) => game,
            Err(ReadError::Io(error)) => return Err(error.into()),
            Err(error) => return Err(LoadError::Bad(error)),
        };
        let moves: Option<Vec<Move>> = game.mainline().map(|id| game.node(id).mv()).collect();
        return Ok(Loaded {
            start: game.start(),
            moves: moves.ok_or(LoadError::NullMove(number))?,
            outcome: game.outcome,
        });
    }
    Err(LoadError::Absent {
        wanted: number,
        there,
    })
}

/// Adds the game to the end of a PGN file, which is created if it does not exist.
///
/// # Errors
///
/// If the file cannot be written.
pub(super) fn save(
    path: &Path,
    game: &TimedGame,
    strength: Strength,
    date: &str,
) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    // A blank line ends the game before, even if an editor removed the blank line.
    if file.metadata()?.len() > 0 {
        file.write_all(b"\n")?;
    }
    file.write_all(to_pgn(game, strength, date).as_bytes())
}

fn to_pgn(game: &TimedGame, strength: Strength, date: &str) -> String {
    let mut pgn = PgnGame::from_start(game.start);
    let engine = format!("Skewer ({strength})");
    let names = match game.player {
        Color::White => ["Player", &engine],
        Color::Black => [&engine, "Player"],
    };
    for (tag, value) in [
        ("Event", "Casual game"),
        ("Date", date),
        ("White", names[0]),
        ("Black", names[1]),
    ] {
        pgn.tags.set(tag, value);
    }
    if let Some(clocks) = game.clocks() {
        pgn.tags.set("TimeControl", clocks.control().to_string());
    }
    if let Some(end) = game.end() {
        pgn.outcome = Some(end.outcome());
        pgn.tags.set("Termination", end.to_string());
    }
    let mut at = NodeId::ROOT;
    for mv in game.moves() {
        match pgn.add(at, Some(mv)) {
            Ok(next) => at = next,
            Err(_) => break,
        }
    }
    pgn.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::game::End;

    #[test]
    fn saved_games_are_added_and_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my games.pgn");
        let mut game = TimedGame::new(Start::default(), Color::Black, Some("5+3".parse().unwrap()));
        for san in ["e4", "c5", "Nf3"] {
            let mv = game.board().parse_san(san).unwrap();
            game.play(mv);
        }
        save(&path, &game, Strength::Elo(1500), "2026.11.26").unwrap();
        game.declare(End::Resigned(Color::Black));
        save(&path, &game, Strength::Full, "2026.11.26").unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("[White \"Skewer (level 1500)\"]"), "{text}");
        assert!(text.contains("[TimeControl \"300+3\"]"), "{text}");
        let first = load(&path, 1).unwrap();
        assert_eq!((first.moves.len(), first.outcome), (3, None));
        let second = load(&path, 2).unwrap();
        assert_eq!(second.outcome, Some(Outcome::WhiteWins));
        assert!(matches!(
            load(&path, 3),
            Err(LoadError::Absent {
                wanted: 3,
                there: 2
            })
        ));
    }

    #[test]
    fn a_file_that_is_not_there_and_a_bad_game_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bad.pgn");
        assert!(matches!(load(&path, 1), Err(LoadError::Io(_))));
        std::fs::write(&path, "1. e4 e5 2. Ke3 *\n").unwrap();
        let said = |number| match load(&path, number) {
            Ok(_) => panic!("{path:?} has no good game"),
            Err(error) => error.to_string(),
        };
        assert!(said(1).starts_with("line 1, column 13: game 1: move 2. Ke3 is not legal"));
        std::fs::write(&path, "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#;\n").unwrap();
        assert!(said(1).starts_with("the file holds positions (EPD)"));
    }
}
