//! `OwnBook` and `Book File`: which positions are answered from the book, and by which moves.

use std::collections::BTreeMap;

use skewer_movegen::Board;
use skewer_movegen::polyglot::Book;
use tempfile::NamedTempFile;

use crate::harness::Client;

/// White may castle.
const CASTLING: &str = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";

/// A book of two moves in the starting position, a third that is never played, and castling.
fn book() -> NamedTempFile {
    let (start, castling) = (Board::STARTPOS, CASTLING.parse().expect("legal"));
    let mut book = Book::new();
    for (board, mv, weight) in [
        (&start, "d2d4", 3),
        (&start, "c2c4", 1),
        (&start, "a2a3", 0),
        (&castling, "e1g1", 1),
    ] {
        book.add(board, board.parse_uci(mv).expect("legal"), weight);
    }
    let file = NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), book.to_bytes()).expect("a book");
    file
}

/// An engine that plays from a book.
fn player(book: &NamedTempFile) -> Client {
    let mut client = Client::start(&[]);
    client.set("Book File", book.path().display());
    client.set("OwnBook", "true");
    client
}

#[test]
fn moves_of_the_book_are_played_in_proportion_to_their_weights() -> Result<(), String> {
    let book = book();
    let mut client = player(&book);
    let mut played = BTreeMap::new();
    for _ in 0..200 {
        client.send("go wtime 60000 btime 60000");
        *played.entry(client.wait_for("bestmove ")?).or_insert(0) += 1;
    }
    assert_eq!(client.count("info depth"), 0);
    assert_eq!(
        client.count("info string the move is from the opening book"),
        200
    );
    // Outside of these limits once in ten million runs.
    assert_eq!(played.len(), 2, "{played:?}");
    assert!((117..=183).contains(&played["bestmove d2d4"]), "{played:?}");
    client.leave().map(drop)
}

#[test]
fn castling_is_written_as_the_client_reads_it() -> Result<(), String> {
    let book = book();
    for (chess960, answer) in [(false, "bestmove e1g1"), (true, "bestmove e1h1")] {
        let mut client = player(&book);
        client.set("UCI_Chess960", chess960);
        client.send(&format!("position fen {CASTLING}"));
        client.send("go depth 1");
        assert_eq!(client.wait_for("bestmove ")?, answer);
        client.leave()?;
    }
    Ok(())
}

#[test]
fn positions_without_a_usable_book_move_are_searched() -> Result<(), String> {
    let book = book();
    for (setting, position, go) in [
        ("OwnBook value false", "startpos", "depth 2"),
        ("Book File value <empty>", "startpos", "depth 2"),
        ("UCI_AnalyseMode value true", "startpos", "depth 2"),
        ("MultiPV value 2", "startpos", "depth 2"),
        ("OwnBook value true", "startpos moves e2e4", "depth 2"),
        ("OwnBook value true", "startpos", "infinite depth 2"),
        ("OwnBook value true", "startpos", "ponder depth 2"),
        ("OwnBook value true", "startpos", "mate 1 depth 2"),
        ("OwnBook value true", "startpos", "depth 2 searchmoves e2e4"),
    ] {
        let mut client = player(&book);
        client.send(&format!("setoption name {setting}"));
        client.send(&format!("position {position}"));
        client.send(&format!("go {go}"));
        client.wait_for("info depth 2 ")?;
        client.send("stop");
        client.wait_for("bestmove ")?;
        client.leave()?;
    }
    Ok(())
}

#[test]
fn a_book_that_cannot_be_read_leaves_the_old_one_open() -> Result<(), String> {
    let book = book();
    let mut client = player(&book);
    client.set("Book File", "/no/such/file");
    client.wait_for("info string Book File")?;
    client.send("go depth 1");
    client.wait_for("info string the move is from the opening book")?;
    client.leave().map(drop)
}
