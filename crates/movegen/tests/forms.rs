//! Mirrored and printed boards, and opening books.

mod common;

use skewer_movegen::polyglot::{Book, BookError, BookMove};
use skewer_movegen::{Board, Color, Move, Square, Symbols};

#[test]
fn mirrored_boards_have_mirrored_moves() {
    common::walk(22, 120, 200, |board, _| {
        let mirrored = board.mirrored();
        assert_eq!(mirrored.turn(), !board.turn());
        assert_eq!(mirrored.mirrored(), *board);
        let mirror = |mv: &Move| (mv.from().flip_rank(), mv.to().flip_rank(), kind_text(*mv));
        let mut moves: Vec<_> = board.legal_moves().iter().map(mirror).collect();
        let same = |mv: &Move| (mv.from(), mv.to(), kind_text(*mv));
        let mut theirs: Vec<_> = mirrored.legal_moves().iter().map(same).collect();
        moves.sort_unstable();
        theirs.sort_unstable();
        assert_eq!(moves, theirs, "{board}");
    });
}

/// The kind of a move as text, which can be sorted.
fn kind_text(mv: Move) -> String {
    format!("{:?}", mv.kind())
}

#[test]
fn diagrams_show_every_piece() {
    common::walk(23, 12, 100, |board, _| {
        for symbols in [Symbols::Ascii, Symbols::Unicode] {
            let white = board.diagram(symbols, Color::White).to_string();
            assert_eq!(white.lines().count(), 10);
            let squares: String = white.lines().take(8).map(|line| &line[3..]).collect();
            assert_eq!(
                squares.matches('.').count() as u32,
                64 - board.occupied().count()
            );
            // From the other side everything is in reverse order.
            let black = board.diagram(symbols, Color::Black).to_string();
            let reversed = |text: &str| {
                text.lines()
                    .take(8)
                    .map(|l| l[3..].replace(' ', ""))
                    .collect::<String>()
            };
            assert!(reversed(&white).chars().eq(reversed(&black).chars().rev()));
        }
    });
}

/// A book of all moves of some games, with counts as weights.
fn book(seed: u64, games: usize) -> Book {
    let mut book = Book::new();
    let mut last: Option<(Board, Move)> = None;
    common::walk(seed, games, 20, |board, rng| {
        let moves = board.legal_moves();
        if !moves.is_empty() {
            let mv = moves[rng.usize(..moves.len())];
            book.add(board, mv, rng.u16(1..=9));
            last = Some((*board, mv));
        }
    });
    let (board, mv) = last.unwrap();
    assert!(book.moves(&board).any(|(other, _)| other == mv));
    book
}

#[test]
fn books_are_written_as_they_are_read() {
    let book = book(24, 60);
    let bytes = book.to_bytes();
    assert_eq!(bytes.len(), 16 * book.len());
    let read = Book::from_bytes(&bytes).unwrap();
    assert_eq!(read, book);
    assert_eq!(read.to_bytes(), bytes);
    assert_eq!(
        Book::from_bytes(&bytes[1..]),
        Err(BookError::Length(bytes.len() - 1))
    );
    let mut swapped = bytes[bytes.len() - 16..].to_vec();
    swapped.extend_from_slice(&bytes[..16]);
    assert_eq!(Book::from_bytes(&swapped), Err(BookError::Unsorted(1)));
}

#[test]
fn books_choose_by_weight() {
    let board = Board::STARTPOS;
    let mut book = Book::new();
    assert_eq!(book.choose(&board, 7), None);
    let [e4, d4] = ["e4", "d4"].map(|san| board.parse_san(san).unwrap());
    book.add(&board, d4, 1);
    book.add(&board, e4, 3);
    let count = (0..400)
        .filter(|n| book.choose(&board, *n) == Some(e4))
        .count();
    assert_eq!(count, 300);
    assert_eq!(book.best(&board), Some(e4));
    book.add(&board, d4, u16::MAX);
    assert_eq!(book.moves(&board).next(), Some((d4, u16::MAX)));
}

#[test]
fn books_castle_in_both_forms() {
    let board: Board = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1".parse().unwrap();
    let castle = Move::castle(Square::E8, Square::A8);
    assert_eq!(BookMove::from_move(castle).to_move(&board), Some(castle));
    let two_steps = BookMove::from_move(Move::normal(Square::E8, Square::C8));
    assert_eq!(two_steps.to_move(&board), Some(castle));
    assert_eq!(BookMove(0x7fff).to_move(&board), None);
    let promotion = Move::promoting(Square::A7, Square::B8, skewer_movegen::Piece::Rook);
    let board: Board = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1".parse().unwrap();
    assert_eq!(
        BookMove::from_move(promotion).to_move(&board),
        Some(promotion)
    );
    // a7b8=R: to b8 (1, 7), from a7 (0, 6), rook 3.
    assert_eq!(
        BookMove::from_move(promotion).0,
        1 | 7 << 3 | 6 << 9 | 3 << 12
    );
}
