//! The opening book that `OwnBook` and `Book File` select.

use std::collections::hash_map::RandomState;
use std::fs::File;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use skewer_movegen::polyglot::{Book, BookError};
use skewer_movegen::{Board, Move};
use skewer_store::open_regular;

use crate::command::{Go, quote};

/// The size of an entry in bytes.
const ENTRY: u64 = 16;

/// More moves than any position has: the largest known number is 218. A file with more entries for
/// a position is not a book.
const MOST_MOVES: u64 = 256;

/// The values of the two options.
#[derive(Debug, Default)]
pub(crate) struct OpeningBook {
    /// Whether moves are played from the book.
    pub(crate) own_book: bool,
    book: Option<BookFile>,
}

impl OpeningBook {
    /// Reads a Polyglot book in place of the present one; an empty path closes it. Returns a message
    /// for the user.
    ///
    /// # Errors
    ///
    /// A message for the user if the file is no book; the present book then stays in use.
    pub(crate) fn open(&mut self, path: &str) -> Result<String, String> {
        if path.is_empty() {
            self.book = None;
            return Ok("no opening book is used".to_owned());
        }
        let book = BookFile::open(path)
            .map_err(|error| format!("Book File: {}: {error}; nothing changed", quote(path)))?;
        let message = format!("an opening book of {} moves is open", book.entries);
        self.book = Some(book);
        Ok(message)
    }

    /// The move to play at once. `None` if the position has to be searched: no book is used, the book does not have the
    /// position, or `go` asks for an analysis or for certain moves.
    ///
    /// Moves are chosen at random, in proportion to their weights.
    pub(crate) fn answer(&self, go: &Go<'_>, board: &Board) -> Option<Move> {
        let wants_search =
            go.infinite || go.ponder || go.mate.is_some() || go.searchmoves.is_some();
        if !self.own_book || wants_search {
            return None;
        }
        // The standard library seeds each hasher from the system's random numbers.
        let random = RandomState::new().build_hasher().finish();
        // An error means that the file was damaged since it was opened. The position is then searched.
        let found = self.book.as_ref()?.find(board.polyglot_key()).ok()?;
        found.choose(board, random)
    }
}

/// A book on disk, where the entries of a position are searched for, so that it takes no memory.
#[derive(Debug)]
struct BookFile {
    file: File,
    entries: u64,
}

impl BookFile {
    /// Opens a book and checks all of it.
    fn open(path: &str) -> Result<Self, String> {
        let file = open_regular(path, u64::MAX).map_err(|error| error.into_kind().to_string())?;
        let (length, file) = (file.limit(), file.into_inner());
        if length == 0 {
            return Err("it is empty".to_owned());
        }
        if !length.is_multiple_of(ENTRY) {
            return Err(BookError::Length(length as usize).to_string());
        }
        let entries = length / ENTRY;
        check(BufReader::new(&file).take(length), entries)?;
        Ok(Self { file, entries })
    }

    /// The key of an entry.
    fn key(&self, index: u64) -> io::Result<u64> {
        let mut key = [0; 8];
        let mut file = &self.file;
        file.seek(SeekFrom::Start(index * ENTRY))?;
        file.read_exact(&mut key)?;
        Ok(u64::from_be_bytes(key))
    }

    /// The entries of the position with this key, as a book of their own.
    fn find(&self, key: u64) -> io::Result<Book> {
        let (mut start, mut end) = (0, self.entries);
        while start < end {
            let middle = u64::midpoint(start, end);
            if self.key(middle)? < key {
                start = middle + 1;
            } else {
                end = middle;
            }
        }
        let mut file = &self.file;
        file.seek(SeekFrom::Start(start * ENTRY))?;
        let mut bytes = Vec::new();
        file.take(MOST_MOVES * ENTRY).read_to_end(&mut bytes)?;
        Book::from_bytes(&bytes).map_err(io::Error::other)
    }
}

/// Checks that entries are sorted, and that no position has more than `MOST_MOVES` entries.
fn check(mut book: impl Read, entries: u64) -> Result<(), String> {
    let (mut last, mut same) = (0, 0);
    for index in 0..entries {
        let mut entry = [0; ENTRY as usize];
        book.read_exact(&mut entry)
            .map_err(|error| error.to_string())?;
        let key = (u128::from_be_bytes(entry) >> 64) as u64;
        if key < last {
            return Err(BookError::Unsorted(index as usize).to_string());
        }
        same = if key == last { same + 1 } else { 1 };
        if same > MOST_MOVES {
            return Err(format!(
                "not a Polyglot book: one position has more than {MOST_MOVES} moves"
            ));
        }
        last = key;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A damaged book is refused if its form shows the damage. Otherwise the entries of a position are its moves, as far
    /// as they are legal.
    #[test]
    fn a_damaged_book_is_refused_or_read_as_it_is() {
        let start = Board::STARTPOS;
        let castling: Board = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
        let promotion: Board = "8/P7/8/8/8/8/k7/7K w - - 0 1".parse().unwrap();
        let mut whole = Book::new();
        for (board, mv) in [
            (start, "d2d4"),
            (start, "c2c4"),
            (castling, "e1g1"),
            (promotion, "a7a8n"),
        ] {
            whole.add(&board, board.parse_uci(mv).unwrap(), 2);
        }
        let whole = whole.to_bytes();
        let file = tempfile::NamedTempFile::new().unwrap();
        let path = file.path().to_str().unwrap();
        // Whether the file is refused.
        let is_refused = |bytes: &[u8]| {
            std::fs::write(path, bytes).unwrap();
            let (opened, read) = (BookFile::open(path), Book::from_bytes(bytes));
            match (opened, read) {
                (Ok(file), Ok(book)) => {
                    for board in [start, castling, promotion] {
                        let key = board.polyglot_key();
                        let found = file.find(key).unwrap();
                        assert_eq!(found.find(key), book.find(key));
                        assert!(found.moves(&board).all(|(mv, _)| board.is_legal(mv)));
                    }
                    false
                }
                (Err(reason), read) => {
                    assert!(read.is_err() || bytes.is_empty(), "{reason}");
                    assert_eq!(reason.lines().count(), 1);
                    true
                }
                (Ok(_), Err(error)) => panic!("{error}, but it was opened"),
            }
        };
        for cut in 0..whole.len() {
            let is_known = cut == 0 || cut % ENTRY as usize != 0;
            assert_eq!(is_refused(&whole[..cut]), is_known, "{cut} bytes");
        }
        assert!(!is_refused(&whole));
        let mut refused = 0;
        for bit in 0..8 * whole.len() {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 0x80 >> (bit % 8);
            refused += usize::from(is_refused(&bytes));
        }
        // Only a wrong key can be noticed, and only if it breaks the order of the keys.
        assert!((10..8 * 8 * 4).contains(&refused), "{refused}");
    }
}
