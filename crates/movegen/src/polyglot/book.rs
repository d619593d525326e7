//! Polyglot opening books, read and written.

use alloc::vec::Vec;
use core::fmt;

use crate::{Board, Move, Piece, Square, UciMove};

/// The size of an entry in bytes.
const ENTRY: usize = 16;

/// A move as a book stores it: 16 bits, castling as king takes rook (`e1h1`).
///
/// From the lowest bit: file and rank of the target, file and rank of the origin, three bits each,
/// then three bits for the promotion (0: none, 1: knight, ..., 4: queen).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BookMove(pub u16);

impl BookMove {
    /// The form in which a book stores `mv`.
    pub const fn from_move(mv: Move) -> Self {
        let promotion = match mv.promotion() {
            // The format numbers the pieces as `Piece` does: a knight is 1.
            Some(piece) => piece as u16,
            None => 0,
        };
        Self(mv.to() as u16 | (mv.from() as u16) << 6 | promotion << 12)
    }

    /// The legal move of `board` that this stands for. Castling is understood both as king takes
    /// rook and as the king's two steps.
    pub fn to_move(self, board: &Board) -> Option<Move> {
        let promotion = match self.0 >> 12 {
            0 => None,
            code @ 1..=4 => Piece::from_index(usize::from(code)),
            _ => return None,
        };
        let uci = UciMove::Normal {
            from: Square::wrapping((self.0 >> 6) as u8),
            to: Square::wrapping(self.0 as u8),
            promotion,
        };
        uci.to_move(board).ok()
    }
}

/// An entry of a book: a move in a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Entry {
    /// The [key](Board::polyglot_key) of the position.
    pub key: u64,
    /// The move.
    pub mv: BookMove,
    /// How good the move is; programs usually choose with a probability proportional to it.
    pub weight: u16,
    /// Data of learning programs, usually 0.
    pub learn: u32,
}

impl Entry {
    const fn to_bytes(self) -> [u8; ENTRY] {
        let number = (self.key as u128) << 64
            | (self.mv.0 as u128) << 48
            | (self.weight as u128) << 32
            | self.learn as u128;
        number.to_be_bytes()
    }

    const fn from_bytes(bytes: [u8; ENTRY]) -> Self {
        let number = u128::from_be_bytes(bytes);
        Self {
            key: (number >> 64) as u64,
            mv: BookMove((number >> 48) as u16),
            weight: (number >> 32) as u16,
            learn: number as u32,
        }
    }
}

/// Why bytes are not a Polyglot book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BookError {
    /// The length is not a multiple of 16 bytes, the size of an entry.
    Length(usize),
    /// The key of the entry with this index, from 0, is smaller than the key of the entry before it.
    Unsorted(usize),
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(length) => write!(
                f,
                "not a Polyglot book: {length} bytes are not a multiple of {ENTRY}"
            ),
            Self::Unsorted(index) => write!(
                f,
                "not a Polyglot book: the key of entry {index} is smaller than the key before it"
            ),
        }
    }
}

impl core::error::Error for BookError {}

/// A Polyglot opening book (`.bin`): moves with weights, sorted by the keys of their positions.
///
/// ```
/// use skewer_movegen::Board;
/// use skewer_movegen::polyglot::Book;
///
/// let board = Board::STARTPOS;
/// let mut book = Book::new();
/// book.add(&board, board.parse_san("e4").unwrap(), 3);
/// book.add(&board, board.parse_san("d4").unwrap(), 1);
///
/// let bytes = book.to_bytes();
/// assert_eq!(bytes.len(), 2 * 16);
/// let read = Book::from_bytes(&bytes)?;
/// let moves: Vec<_> = read.moves(&board).map(|(mv, weight)| (board.uci(mv).to_string(), weight)).collect();
/// assert_eq!(moves, [("e2e4".to_string(), 3), ("d2d4".to_string(), 1)]);
/// assert_eq!(board.uci(read.choose(&board, 3).unwrap()).to_string(), "d2d4");
/// # Ok::<(), skewer_movegen::polyglot::BookError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Book {
    /// Sorted by key.
    entries: Vec<Entry>,
}

impl Book {
    /// An empty book.
    pub const fn new() -> Self {
        Self {
            entries: Vec::new(),
        }
    }

    /// Reads the bytes of a book. Entries of one position keep their order, so that
    /// [`to_bytes`](Self::to_bytes) returns the same bytes.
    ///
    /// # Errors
    ///
    /// If the length is not a multiple of 16, or the entries are not sorted by key.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BookError> {
        let chunks = bytes.chunks_exact(ENTRY);
        if !chunks.remainder().is_empty() {
            return Err(BookError::Length(bytes.len()));
        }
        let whole = chunks.filter_map(|chunk| chunk.try_into().ok());
        let entries: Vec<Entry> = whole.map(Entry::from_bytes).collect();
        match entries.windows(2).position(|two| two[1].key < two[0].key) {
            Some(before) => Err(BookError::Unsorted(before + 1)),
            None => Ok(Self { entries }),
        }
    }

    /// The bytes of the book.
    pub fn to_bytes(&self) -> Vec<u8> {
        let bytes = self.entries.iter().flat_map(|entry| entry.to_bytes());
        bytes.collect()
    }

    /// All entries, sorted by key.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the book has no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entries of the position with this [key](Board::polyglot_key).
    pub fn find(&self, key: u64) -> &[Entry] {
        let start = self.entries.partition_point(|entry| entry.key < key);
        let rest = &self.entries[start..];
        &rest[..rest.partition_point(|entry| entry.key == key)]
    }

    /// The legal moves of the book in a position, with their weights, in the order of the book.
    /// Entries whose move is not legal (two positions may share a key) are left out.
    pub fn moves(&self, board: &Board) -> impl Iterator<Item = (Move, u16)> {
        self.find(board.polyglot_key())
            .iter()
            .filter_map(move |entry| Some((entry.mv.to_move(board)?, entry.weight)))
    }

    /// A move of the book, with a probability proportional to its weight if `random` is a uniformly
    /// distributed number; `None` if the book has no move with a weight above zero.
    pub fn choose(&self, board: &Board, random: u64) -> Option<Move> {
        let total: u64 = self.moves(board).map(|(_, weight)| u64::from(weight)).sum();
        let mut left = random.checked_rem(total)?;
        self.moves(board).find_map(|(mv, weight)| {
            let chosen = left < u64::from(weight);
            left = left.saturating_sub(u64::from(weight));
            chosen.then_some(mv)
        })
    }

    /// The move of the book with the largest weight, the first of several.
    pub fn best(&self, board: &Board) -> Option<Move> {
        let better =
            |best: (Move, u16), next: (Move, u16)| if next.1 > best.1 { next } else { best };
        self.moves(board).reduce(better).map(|(mv, _)| mv)
    }

    /// Adds `weight` to the weight of a move; adds the move if it is new. A weight stops at 65,535.
    /// The move is stored with castling as king takes rook, as the format prescribes.
    pub fn add(&mut self, board: &Board, mv: Move, weight: u16) {
        self.add_entry(Entry {
            key: board.polyglot_key(),
            mv: BookMove::from_move(mv),
            weight,
            learn: 0,
        });
    }

    /// Adds an entry, or its weight if the position has the move already.
    fn add_entry(&mut self, entry: Entry) {
        let start = self.entries.partition_point(|other| other.key < entry.key);
        let end = start + self.find(entry.key).len();
        let same = self.entries[start..end]
            .iter_mut()
            .find(|other| other.mv == entry.mv);
        match same {
            Some(same) => same.weight = same.weight.saturating_add(entry.weight),
            None => self.entries.insert(end, entry),
        }
    }
}
