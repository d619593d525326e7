#![doc = include_str!("../README.md")]
#![no_std]
#![deny(unsafe_code)]
#![allow(
    clippy::decimal_bitwise_operands,
    reason = "squares are numbered in decimal"
)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod attacks;
mod bitboard;
mod board;
mod color;
mod generate;
mod lanes;
mod moves;
mod perft;
mod piece;
mod side;
mod square;
mod text;
pub mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use board::castling::{CastlingFlags, CastlingMode, CastlingRights, Wing};
pub use board::fen::{FenError, FenErrorKind, FenField};
pub use board::setup::{Setup, SetupError, Strictness};
pub use board::{Board, IllegalMove, Scharnagl};
pub use color::Color;
pub use moves::{MAX_MOVES, Move, MoveKind, MoveList};
pub use perft::perft;
#[cfg(feature = "alloc")]
pub use perft::perft_divide;
#[cfg(feature = "parallel")]
pub use perft::perft_parallel;
pub use piece::Piece;
pub use square::{File, ParseSquareError, Rank, Square};
pub use text::ParseMoveError;
