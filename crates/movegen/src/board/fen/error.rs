//! What is wrong with a FEN.

use core::fmt;

use super::super::setup::SetupError;
use crate::Rank;

/// One of the six fields of a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FenField {
    /// The pieces and their squares.
    Placement,
    /// The side to move.
    Turn,
    /// Castling rights.
    Castling,
    /// The en passant square.
    EnPassant,
    /// Moves since the last capture or move of a pawn.
    HalfmoveClock,
    /// The number of the move.
    FullmoveNumber,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Placement => "piece placement",
            Self::Turn => "side to move",
            Self::Castling => "castling rights",
            Self::EnPassant => "en passant square",
            Self::HalfmoveClock => "half-move clock",
            Self::FullmoveNumber => "move number",
        })
    }
}

/// What is wrong with a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FenErrorKind {
    /// The field is missing.
    Missing,
    /// A character that the field cannot contain.
    UnexpectedCharacter(char),
    /// A rank of the placement does not describe eight squares.
    WrongRankLength(Rank),
    /// A rank of the placement has two digits in a row, such as `44` for `8`.
    AdjacentDigits(Rank),
    /// The placement does not describe eight ranks.
    WrongRankCount,
    /// Not a number, or a number out of range.
    InvalidNumber,
    /// A right is given twice, or more rights are given than a position can have.
    Repeated,
    /// There is more text after the last field.
    TrailingText,
    /// The fields can be read, but the position breaks a rule of chess.
    Position(SetupError),
}

/// A FEN that could not be read: which field, and why.
///
/// ```
/// use skewer_movegen::{Board, FenErrorKind, FenField};
///
/// let error = Board::from_fen("8/8/8/8/8/8/8/8 x - - 0 1").unwrap_err();
/// assert_eq!(error.field(), FenField::Turn);
/// assert_eq!(error.kind(), FenErrorKind::UnexpectedCharacter('x'));
/// assert_eq!(error.to_string(), "FEN, side to move: unexpected character 'x'");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FenError {
    field: FenField,
    kind: FenErrorKind,
}

impl FenError {
    pub(super) const fn new(field: FenField, kind: FenErrorKind) -> Self {
        Self { field, kind }
    }

    /// The field that is wrong.
    pub const fn field(&self) -> FenField {
        self.field
    }

    /// What is wrong with it.
    pub const fn kind(&self) -> FenErrorKind {
        self.kind
    }
}

impl From<SetupError> for FenError {
    /// The error in the field of the FEN that breaks the rule.
    fn from(error: SetupError) -> Self {
        let field = match error {
            SetupError::InvalidCastling(..) => FenField::Castling,
            SetupError::InvalidEnPassant(_) => FenField::EnPassant,
            SetupError::OpponentInCheck => FenField::Turn,
            _ => FenField::Placement,
        };
        Self::new(field, FenErrorKind::Position(error))
    }
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FEN, {}: ", self.field)?;
        match self.kind {
            FenErrorKind::Missing => f.write_str("missing"),
            FenErrorKind::UnexpectedCharacter(c) => write!(f, "unexpected character {c:?}"),
            FenErrorKind::WrongRankLength(rank) => {
                write!(f, "rank {rank} does not have eight squares")
            }
            FenErrorKind::AdjacentDigits(rank) => {
                write!(f, "rank {rank} has two digits in a row; write their sum")
            }
            FenErrorKind::WrongRankCount => f.write_str("not eight ranks"),
            FenErrorKind::InvalidNumber => f.write_str("not a number in range"),
            FenErrorKind::Repeated => f.write_str("given more than once"),
            FenErrorKind::TrailingText => f.write_str("more text follows"),
            FenErrorKind::Position(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for FenError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.kind {
            FenErrorKind::Position(error) => Some(error),
            _ => None,
        }
    }
}
