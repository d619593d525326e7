//! Copies the games that the side in its argument won: `filter white < all.pgn > won.pgn`.

use std::io::{self, Write};

use skewer::Outcome;
use skewer::pgn::Games;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wanted = match std::env::args().nth(1).as_deref() {
        Some("white") => Outcome::WhiteWins,
        Some("black") => Outcome::BlackWins,
        _ => return Err("usage: filter white|black < GAMES".into()),
    };
    let mut out = io::stdout().lock();
    for game in Games::new(io::stdin().lock()) {
        match game {
            Ok(game) if game.outcome == Some(wanted) => write!(out, "{game}")?,
            Ok(_) => {}
            Err(error) => eprintln!("{error}"),
        }
    }
    Ok(())
}
