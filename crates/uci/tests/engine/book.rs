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
    // By chance the counts lie outside these limits once in ten million runs.
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

/// Files without end, and files that are no books, are refused quickly and without much memory.
#[test]
fn what_is_no_book_is_refused_at_once() -> Result<(), String> {
    let entry = |key: u64| [&key.to_be_bytes()[..], &[0; 8]].concat();
    let zeros = NamedTempFile::new().expect("a temporary file");
    zeros.as_file().set_len(1 << 36).expect("a sparse file");
    let unsorted = NamedTempFile::new().expect("a temporary file");
    std::fs::write(unsorted.path(), [entry(2), entry(1)].concat()).expect("written");
    let cut = NamedTempFile::new().expect("a temporary file");
    std::fs::write(cut.path(), &entry(2)[1..]).expect("written");
    let mut client = Client::start(&[]);
    for (file, reason) in [
        (&zeros, "one position has more than 256 moves"),
        (&unsorted, "entry 1 is smaller"),
        (&cut, "15 bytes are not a multiple of 16"),
    ] {
        client.set("Book File", file.path().display());
        let remark = client.wait_for("info string Book File")?;
        assert!(remark.contains(reason), "{remark}");
        assert!(remark.ends_with("nothing changed"), "{remark}");
    }
    client.leave().map(drop)
}

/// The first and the last position of a large book are found on disk.
#[test]
fn a_large_book_is_searched_on_disk() -> Result<(), String> {
    let mut boards = vec![
        (Board::STARTPOS, "e2e4"),
        (CASTLING.parse().expect("legal"), "e1g1"),
    ];
    boards.sort_by_key(|(board, _)| board.polyglot_key());
    let mut book = Book::new();
    for (board, mv) in &boards {
        book.add(board, board.parse_uci(mv).expect("legal"), 1);
    }
    let (keys, entries): (Vec<u64>, Vec<_>) = (
        boards
            .iter()
            .map(|(board, _)| board.polyglot_key())
            .collect(),
        book.to_bytes().chunks(16).map(<[u8]>::to_vec).collect(),
    );
    // A million other positions between the two.
    let step = (keys[1] - keys[0]) / 1_000_001;
    let between =
        (1..=1_000_000).flat_map(|n| [(keys[0] + n * step).to_be_bytes(), [0; 8]].concat());
    let bytes: Vec<u8> = entries[0]
        .iter()
        .copied()
        .chain(between)
        .chain(entries[1].clone())
        .collect();
    let file = NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), bytes).expect("written");
    let mut client = player(&file);
    client.wait_for("info string an opening book of 1000002 moves is open")?;
    for (position, answer) in [("startpos", "e2e4"), (&format!("fen {CASTLING}"), "e1g1")] {
        client.send(&format!("position {position}"));
        client.send("go depth 1");
        assert_eq!(client.wait_for("bestmove ")?, format!("bestmove {answer}"));
    }
    client.leave().map(drop)
}
