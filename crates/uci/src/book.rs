//! The opening book that `OwnBook` and `Book File` select.

use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::{BuildHasher, Hasher};

use skewer_movegen::polyglot::Book;
use skewer_movegen::{Board, Move};

use crate::command::{Go, quote};

/// The values of the two options.
#[derive(Debug, Default)]
pub(crate) struct OpeningBook {
    /// Whether moves are played from the book.
    pub(crate) own_book: bool,
    book: Book,
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
            self.book = Book::new();
            return Ok("no opening book is used".to_owned());
        }
        self.book = read(path)
            .map_err(|error| format!("Book File: {}: {error}; nothing changed", quote(path)))?;
        let entries = self.book.len();
        Ok(format!("an opening book of {entries} moves is open"))
    }

    /// The move to play at once. `None` if the position has to be searched: it is not in the book, or
    /// `go` asks for an analysis or for certain moves.
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
        self.book.choose(board, random)
    }
}

fn read(path: &str) -> Result<Book, String> {
    // Reading a device or a pipe might never end.
    let file = fs::metadata(path).map_err(|error| error.to_string())?;
    if !file.is_file() {
        return Err("it is not a file".to_owned());
    }
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    Book::from_bytes(&bytes).map_err(|error| error.to_string())
}
