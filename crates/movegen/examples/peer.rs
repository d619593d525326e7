//! Prints data that `tests/peers.py` compares with other programs:
//!
//! ```sh
//! cargo run --release --example peer -- positions N        # positions of random games
//! cargo run --release --example peer -- make-book N FILE   # a Polyglot book of random games
//! cargo run --release --example peer -- copy-book FROM TO  # reads a book and writes it again
//! ```
//!
//! `positions` prints the FEN, the rule that ends the game or `-`, and every move as UCI text and
//! SAN, separated by tabs; `make-book` prints the FEN and every move of the book with its weight.

use std::error::Error;
use std::io::{self, Write};

use fastrand::Rng;
use skewer_movegen::polyglot::Book;
use skewer_movegen::{Board, CastlingMode, Game, Move, Scharnagl};

/// Calls `look` with each position of random games, standard chess and Chess960 in turn, and with a random legal
/// move of the position.
fn walk(
    wanted: usize,
    mut look: impl FnMut(&Game, Option<Move>) -> io::Result<()>,
) -> io::Result<()> {
    let mut rng = Rng::with_seed(960);
    let mut seen = 0;
    for number in 0.. {
        let any = Scharnagl::new(rng.u16(..960)).filter(|_| number % 2 == 1);
        let mut game = Game::new(any.map_or(Board::STARTPOS, Board::chess960));
        for _ in 0..200 {
            if seen == wanted {
                return Ok(());
            }
            seen += 1;
            let moves = game.board().legal_moves();
            let mv = (!moves.is_empty()).then(|| moves[rng.usize(..moves.len())]);
            look(&game, mv)?;
            if game.outcome().is_some() || mv.is_none_or(|mv| game.play(mv).is_err()) {
                break;
            }
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut out = io::BufWriter::new(io::stdout().lock());
    match args[..] {
        ["positions", count] => walk(count.parse()?, |game, _| {
            let board = game.board();
            let end = game
                .termination()
                .map_or("-".to_owned(), |end| end.to_string());
            write!(out, "{}\t{end}", board.to_fen_in(CastlingMode::Chess960))?;
            for mv in &board.legal_moves() {
                let uci = board.uci_in(mv, CastlingMode::Chess960);
                write!(out, "\t{uci} {}", board.san(mv))?;
            }
            writeln!(out)
        })?,
        ["make-book", count, path] => {
            let mut book = Book::new();
            let mut boards = Vec::new();
            walk(count.parse()?, |game, mv| {
                if let Some(mv) = mv {
                    book.add(game.board(), mv, 1 + game.moves().len() as u16);
                    boards.push(*game.board());
                }
                Ok(())
            })?;
            std::fs::write(path, book.to_bytes())?;
            for board in boards {
                write!(out, "{}", board.to_fen_in(CastlingMode::Chess960))?;
                for (mv, weight) in book.moves(&board) {
                    let uci = board.uci_in(mv, CastlingMode::Chess960);
                    write!(out, "\t{uci} {weight}")?;
                }
                writeln!(out)?;
            }
        }
        ["copy-book", from, to] => {
            let book = Book::from_bytes(&std::fs::read(from)?)?;
            std::fs::write(to, book.to_bytes())?;
            writeln!(out, "{} entries", book.len())?;
        }
        _ => return Err("usage: positions N, make-book N FILE, or copy-book FROM TO".into()),
    }
    Ok(())
}
