//! Moves and positions as text: UCI notation, SAN, and diagrams.

mod diagram;
mod san;
mod uci;

use core::fmt;

pub use self::diagram::Symbols;
pub use self::uci::UciMove;
use crate::{Bitboard, Board, IllegalReason, Move};

/// Why a text is not a legal move of a position.
///
/// ```
/// use skewer_movegen::{Board, IllegalReason, ParseMoveError, Square};
///
/// let board: Board = "4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1".parse()?;
/// let error = board.parse_san("Bd3").unwrap_err();
/// assert_eq!(error, ParseMoveError::Illegal(IllegalReason::Pinned(Square::E2)));
/// assert_eq!(error.to_string(), "not legal: the piece on e2 is pinned");
/// # Ok::<(), skewer_movegen::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ParseMoveError {
    /// The text does not have the form of a move.
    Syntax,
    /// A null move, which is no legal move.
    Null,
    /// The move is not legal.
    Illegal(IllegalReason),
    /// The pieces on these squares can all make the move.
    Ambiguous(Bitboard),
}

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax => f.write_str("not a move"),
            Self::Null => f.write_str("not legal: a null move"),
            Self::Illegal(reason) => write!(f, "not legal: {reason}"),
            Self::Ambiguous(origins) => {
                f.write_str("ambiguous: possible from ")?;
                for (index, square) in origins.into_iter().enumerate() {
                    let before = match index {
                        0 => "",
                        _ if index + 1 == origins.count() as usize => " and ",
                        _ => ", ",
                    };
                    write!(f, "{before}{square}")?;
                }
                Ok(())
            }
        }
    }
}

impl core::error::Error for ParseMoveError {}

impl Board {
    /// The move itself if it is legal, else why it is not.
    #[inline]
    fn check_legal(&self, mv: Move) -> Result<Move, ParseMoveError> {
        match self.why_illegal(mv) {
            None => Ok(mv),
            Some(reason) => Err(ParseMoveError::Illegal(reason)),
        }
    }
}
