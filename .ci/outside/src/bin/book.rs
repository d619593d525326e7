//! Makes a Polyglot book of the first twelve plies of games: `book BOOK.bin < games.pgn`.

use std::io;

use skewer::movegen::polyglot::Book;
use skewer::pgn::{Games, NodeId};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: book BOOK < GAMES")?;
    let mut book = Book::new();
    for game in Games::new(io::stdin().lock()) {
        let game = game?;
        let mut at = NodeId::ROOT;
        for next in game.mainline().take(12) {
            if let Some(mv) = game.node(next).mv() {
                book.add(game.node(at).board(), mv, 1);
            }
            at = next;
        }
    }
    std::fs::write(path, book.to_bytes())?;
    Ok(())
}
