//! Fast legal chess move generation: bitboards, FEN, SAN, UCI, Chess960, perft.

mod bitboard;
mod color;
mod moves;
mod piece;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use color::Color;
pub use moves::{MAX_MOVES, Move, MoveKind, MoveList};
pub use piece::Piece;
pub use square::{File, ParseSquareError, Rank, Square};
