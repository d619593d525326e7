//! Positions in 28 bytes.

use core::fmt;

use super::Board;
use super::setup::{Setup, SetupError, Strictness};
use crate::{Bitboard, CastlingRights, CastlingSide, Color, Piece, Rank, Square};

/// Why bytes are not a packed position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PackedError {
    /// More than 32 squares are occupied.
    TooManyPieces,
    /// A code, a flag or padding has a value that is never written.
    InvalidCode,
    /// The position is not legal.
    Position(SetupError),
}

impl fmt::Display for PackedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyPieces => f.write_str("packed position: more than 32 pieces"),
            Self::InvalidCode => f.write_str("packed position: invalid code"),
            Self::Position(error) => write!(f, "packed position: {error}"),
        }
    }
}

impl core::error::Error for PackedError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Position(error) => Some(error),
            _ => None,
        }
    }
}

/// The code of a rook that may castle.
const CASTLING_ROOK: u8 = 6;
/// The code of a pawn that can be captured en passant.
const PASSED_PAWN: u8 = 7;
/// The bit of the code that is set for Black.
const BLACK: u8 = 8;

impl Board {
    /// The size of a [packed](Self::to_packed) position in bytes.
    pub const PACKED_LEN: usize = 28;

    /// The position in 28 bytes, counters included: for files and tables of many positions. The
    /// format works for Chess960 and does not change between versions:
    ///
    /// | bytes | content |
    /// |---|---|
    /// | 0 to 7 | the occupied squares, `a1` in the lowest bit, little-endian |
    /// | 8 to 23 | a code of four bits for each occupied square, in the order of the squares, the lower half of a byte first; 0 after the last |
    /// | 24 | the side to move: 0 for White, 1 for Black |
    /// | 25 | the half-move clock |
    /// | 26 to 27 | the number of the move, little-endian |
    ///
    /// The codes are 0 to 5 for pawn to king, 6 for a rook that may castle, 7 for a pawn that can be
    /// captured en passant, and 8 more for a black piece.
    ///
    /// ```
    /// use skewer_movegen::Board;
    /// let packed = Board::STARTPOS.to_packed();
    /// assert_eq!(Board::from_packed(&packed), Ok(Board::STARTPOS));
    /// ```
    pub fn to_packed(&self) -> [u8; Self::PACKED_LEN] {
        let mut packed = [0; Self::PACKED_LEN];
        packed[..8].copy_from_slice(&self.occupied().0.to_le_bytes());
        let passed = self.en_passant().map(Square::behind_or_ahead);
        for (index, square) in self.occupied().into_iter().enumerate() {
            let piece = self.piece_at(square).unwrap_or(Piece::Pawn);
            let mut code = if self.castling_rooks().contains(square) {
                CASTLING_ROOK
            } else if passed == Some(square) {
                PASSED_PAWN
            } else {
                piece as u8
            };
            if self.color(Color::Black).contains(square) {
                code |= BLACK;
            }
            packed[8 + index / 2] |= code << (4 * (index % 2));
        }
        packed[24] = self.turn() as u8;
        packed[25] = self.halfmove_clock();
        packed[26..].copy_from_slice(&self.fullmove_number().to_le_bytes());
        packed
    }

    /// Reads a [packed](Self::to_packed) position.
    ///
    /// # Errors
    ///
    /// If the bytes are not those of a legal position. Bytes that are accepted are exactly those
    /// that [`to_packed`](Self::to_packed) writes.
    pub fn from_packed(packed: &[u8; Self::PACKED_LEN]) -> Result<Self, PackedError> {
        let [
            a,
            b,
            c,
            d,
            e,
            f,
            g,
            h,
            codes @ ..,
            turn,
            halfmove,
            low,
            high,
        ] = *packed;
        let occupied = Bitboard(u64::from_le_bytes([a, b, c, d, e, f, g, h]));
        if occupied.count() > 32 {
            return Err(PackedError::TooManyPieces);
        }
        let mut setup = Setup::empty();
        setup.turn = match turn {
            0 => Color::White,
            1 => Color::Black,
            _ => return Err(PackedError::InvalidCode),
        };
        setup.halfmove_clock = halfmove;
        setup.fullmove_number = u16::from_le_bytes([low, high]);
        let mut castling_rooks = Bitboard::EMPTY;
        for (index, square) in occupied.into_iter().enumerate() {
            let code = codes[index / 2] >> (4 * (index % 2)) & 15;
            let color = if code & BLACK == 0 {
                Color::White
            } else {
                Color::Black
            };
            let piece = match code & !BLACK {
                CASTLING_ROOK => {
                    castling_rooks = castling_rooks.with(square);
                    Piece::Rook
                }
                PASSED_PAWN => {
                    if setup.en_passant.is_some() {
                        return Err(PackedError::InvalidCode);
                    }
                    setup.en_passant = Some(square.behind_or_ahead());
                    Piece::Pawn
                }
                kind => Piece::from_index(usize::from(kind)).ok_or(PackedError::InvalidCode)?,
            };
            setup.set_piece(square, Some((color, piece)));
        }
        setup.castling = rights(&setup, castling_rooks)?;
        let board = setup
            .build(Strictness::Strict)
            .map_err(PackedError::Position)?;
        // One position has one form: no stray bits, and en passant only if it is legal.
        if board.to_packed() == *packed {
            Ok(board)
        } else {
            Err(PackedError::InvalidCode)
        }
    }
}

/// The castling rights of rooks on their squares.
fn rights(setup: &Setup, rooks: Bitboard) -> Result<CastlingRights, PackedError> {
    let mut rights = CastlingRights::NONE;
    for rook in rooks {
        let Some((color, _)) = setup.piece_at(rook) else {
            continue;
        };
        let back = Rank::First.relative_to(color);
        let king = back
            .bitboard()
            .into_iter()
            .find(|square| setup.piece_at(*square) == Some((color, Piece::King)));
        let side = king.map(|king| CastlingSide::of(king, rook));
        match side {
            Some(side) if rook.rank() == back && !rights.has(color, side) => {
                rights = rights.with_rook(color, side, Some(rook.file()));
            }
            _ => return Err(PackedError::InvalidCode),
        }
    }
    Ok(rights)
}

impl Square {
    /// The square of a pawn from the square that it has passed, and the other way round.
    const fn behind_or_ahead(self) -> Self {
        Self::wrapping(self as u8 ^ 8)
    }
}
