//! Makes a Polyglot book of the first twelve plies of games: `book BOOK.bin < games.pgn`.

use std::io;

use skewer::movegen::polyglot::Book;
use skewer::pgn::Games;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: book BOOK < GAMES")?;
    let mut book = Book::new();
    for game in Games::new(io::stdin().lock()) {
        for (board, mv) in game?.moves().take(12) {
            book.add(board, mv, 1);
        }
    }
    std::fs::write(path, book.to_bytes())?;
    Ok(())
}
