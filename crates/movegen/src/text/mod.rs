//! Moves as text: as UCI writes them, and as people do (SAN).

mod san;
mod uci;

use core::fmt;

/// Why a text is not a move here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParseMoveError {
    /// The text does not have the form of a move.
    Syntax,
    /// It has the form of a move, but no legal move fits.
    Illegal,
    /// More than one legal move fits.
    Ambiguous,
}

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Syntax => "not the text of a move",
            Self::Illegal => "no legal move fits",
            Self::Ambiguous => "more than one legal move fits",
        })
    }
}

impl core::error::Error for ParseMoveError {}
