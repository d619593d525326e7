//! The cases of `data/cases.txt`, which test the other PGN readers of this project too.

mod table;

use skewer_pgn::{Games, Outcome, PgnGame, ReadError};
use table::cases;

/// The moves of the main line.
fn line(game: &PgnGame) -> Vec<String> {
    let mut board = game.start().board;
    let mut words = Vec::new();
    for id in game.mainline() {
        let mv = game.node(id).mv();
        words.push(mv.map_or_else(|| "--".to_owned(), |mv| board.san(mv).to_string()));
        board = *game.node(id).board();
    }
    words
}

/// A game as it was read: its words as in the table, the text of its errors, and whether an error ended the game.
type Read = (Vec<String>, String, bool);

fn games(text: &str) -> Vec<Read> {
    let games = Games::new(text.as_bytes()).map(|game| match game {
        Ok(game) => {
            let mut words = line(&game);
            words.push(Outcome::pgn_result(game.outcome).to_owned());
            let problems = game.problems.iter().filter(|problem| !problem.in_variation);
            let problems: Vec<String> = problems.map(ToString::to_string).collect();
            (words, problems.join("; "), false)
        }
        Err(ReadError::Bad(bad)) => (line(&bad.partial), bad.to_string(), true),
        Err(error) => panic!("{text}: {error}"),
    });
    games.collect()
}

/// Each text gives the games of its lines, and no more.
#[test]
fn every_case_is_read_as_written() {
    for case in cases() {
        let name = case.name;
        let read = games(&case.text);
        assert_eq!(read.len(), case.games.len(), "{name}: {read:?}");
        for ((words, errors, is_cut), expected) in read.iter().zip(&case.games) {
            assert_eq!(*words, expected.words, "{name}");
            assert_eq!(*is_cut, expected.is_cut, "{name}: {errors}");
            match expected.error {
                Some(error) => assert!(errors.contains(error), "{name}: {errors}"),
                None => assert_eq!(errors, "", "{name}"),
            }
        }
    }
}
