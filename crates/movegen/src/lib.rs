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
mod ending;
#[cfg(feature = "alloc")]
mod game;
mod generate;
#[cfg(target_arch = "x86_64")]
mod lanes;
mod moves;
mod outcome;
mod perft;
mod piece;
pub mod polyglot;
#[cfg(feature = "serde")]
mod serialize;
mod side;
mod square;
mod text;
pub mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub(crate) use board::LeanBoard;
pub use board::castling::{CastlingFlags, CastlingMode, CastlingRights, CastlingSide};
pub use board::fen::{FenError, FenErrorKind, FenField};
pub use board::setup::{Setup, SetupError, Strictness};
pub use board::{Board, Child, IllegalMoveError, Scharnagl};
pub use color::Color;
pub use ending::{Claim, DrawRules, Termination};
#[cfg(feature = "alloc")]
pub use game::Game;
pub use generate::{IllegalReason, MoveSet, Moves, MovesIter};
pub use moves::{MAX_MOVES, Move, MoveKind, MoveList};
pub use outcome::{Outcome, ParseOutcomeError};
pub use perft::perft;
#[cfg(feature = "alloc")]
pub use perft::perft_divide;
#[cfg(feature = "parallel")]
pub use perft::{perft_parallel, perft_parallel_until};
pub use piece::Piece;
pub use square::{File, ParseSquareError, Rank, Square};
pub use text::{ParseMoveError, Symbols, UciMove};
