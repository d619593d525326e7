//! Polyglot opening books: keys of positions, and [books](Book) of moves.
//!
//! The format (Fabien Letouzey, 2004; described at <http://hgm.nubati.net/book_format.html>) is a
//! sorted list of 16-byte entries: the key of a position, a move, a weight and data for learning.

#[cfg(feature = "alloc")]
mod book;

#[cfg(feature = "alloc")]
pub use self::book::{Book, BookError, BookMove, Entry};

use crate::{Board, Color, Square};

/// The numbers that the format prescribes ("Random64" of Letouzey's `PolyGlot`), big-endian: 768 for a piece on a
/// square, four for castling, eight for the file of an en passant capture and one for White to move. Read out of
/// python-chess 1.11.2 by a script and checked against the keys that the format's page prints.
static NUMBERS: &[u8] = include_bytes!("polyglot/random64.bin");

/// How many numbers the format prescribes.
pub const COUNT: usize = NUMBERS.len() / 8;

/// The prescribed number of this index.
///
/// # Panics
///
/// If the index is not below [`COUNT`].
pub fn number(index: usize) -> u64 {
    let mut number = [0; 8];
    number.copy_from_slice(&NUMBERS[8 * index..][..8]);
    u64::from_be_bytes(number)
}

/// The index of the number of an en passant capture on the a file; the numbers of the other files follow.
pub const EN_PASSANT: usize = 772;

/// The index of the first number of castling rights.
const CASTLING: usize = 768;
/// The index of the number for White to move.
const WHITE_TO_MOVE: usize = 780;

impl Board {
    /// The key of this position in Polyglot opening books (`.bin`), computed from scratch. For hash
    /// tables and repetitions use [`key`](Self::key), which is stored.
    ///
    /// The format counts the file of an en passant capture when an enemy pawn stands beside the pawn that has just made
    /// two steps, even if the capture would leave the king of the capturing side in check. A board does not store such
    /// illegal captures, so for those rare positions this is the key without en passant. In Chess960 the four numbers
    /// of castling stand for the sides.
    ///
    /// ```
    /// use skewer_movegen::Board;
    /// assert_eq!(Board::STARTPOS.polyglot_key(), 0x463b_9618_1691_fc9c);
    /// ```
    pub fn polyglot_key(&self) -> u64 {
        let mut key = 0;
        for square in self.occupied() {
            key ^= self.polyglot_number(square);
        }
        // The flags are numbered in the order of the format.
        let flags = self.castling().flags().bits();
        for right in 0..4 {
            if flags >> right & 1 != 0 {
                key ^= number(CASTLING + right);
            }
        }
        if let Some(target) = self.en_passant() {
            key ^= number(EN_PASSANT + target.file().index());
        }
        if self.turn() == Color::White {
            key ^= number(WHITE_TO_MOVE);
        }
        key
    }

    /// The number of the piece on a square: by kind from pawn to king, Black before White.
    fn polyglot_number(&self, square: Square) -> u64 {
        let white = usize::from(self.color(Color::White).contains(square));
        self.piece_at(square).map_or(0, |piece| {
            number((2 * piece.index() + white) * 64 + square.index())
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::Board;

    /// The test keys of the description of the format.
    #[test]
    fn keys_of_the_format() {
        for (moves, key) in [
            ("", 0x463b96181691fc9c_u64),
            ("e2e4", 0x823c9b50fd114196),
            ("e2e4 d7d5", 0x0756b94461c50fb0),
            ("e2e4 d7d5 e4e5", 0x662fafb965db29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a48b5a8e47ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a607ca3f242c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fdd303c946bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c8123ea7b067637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f9b829b279560),
        ] {
            let mut board = Board::STARTPOS;
            for mv in moves.split_whitespace() {
                board = board.play(board.parse_uci(mv).unwrap());
            }
            assert_eq!(board.polyglot_key(), key, "{moves}");
        }
    }
}
