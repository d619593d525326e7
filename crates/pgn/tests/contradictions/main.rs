//! Games that contradict themselves: numbers of moves, results, tags. Each contradiction is a problem of its game, and
//! nothing is changed in silence when the game is written.

mod main_lines;
mod numbers;
mod results;
mod tags;

use std::io::{self, Read};

use skewer_pgn::{Games, Outcome, PgnGame};

/// The main line, the result and the problems of every game; or the error of a bad one.
fn read(text: &str) -> Vec<String> {
    let games = Games::new(text.as_bytes()).map(|game| match game {
        Ok(game) => {
            let result = Outcome::pgn_result(game.outcome);
            let named = [format!("{} {result}", line(&game))].into_iter();
            let named = named.chain(game.problems.iter().map(ToString::to_string));
            named.collect::<Vec<_>>().join("; ")
        }
        Err(error) => error.to_string(),
    });
    games.collect()
}

fn line(game: &PgnGame) -> String {
    let sans = game.moves().map(|(board, mv)| board.san(mv).to_string());
    sans.collect::<Vec<_>>().join(" ")
}

fn one(text: &str) -> PgnGame {
    let mut games = Games::new(text.as_bytes());
    let game = games.next().expect("a game");
    assert!(games.next().is_none(), "one game in {text:?}");
    let game = game.unwrap_or_else(|bad| panic!("{bad}"));
    main_lines::check(text, &game);
    game
}

fn problems(game: &PgnGame) -> Vec<String> {
    game.problems.iter().map(ToString::to_string).collect()
}

/// Reads one byte at a time, so that little stands ahead of the reader.
struct OneByte<'a>(&'a [u8]);

impl Read for OneByte<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(1);
        self.0.read(&mut buffer[..length])
    }
}
