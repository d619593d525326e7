//! Moves as the UCI protocol writes them: `e2e4`, `e7e8q`; castling as `e1g1`, or as `e1h1` in
//! Chess960.

use core::fmt;

use super::ParseMoveError;
use crate::board::castling::{CastlingMode, Wing};
use crate::{Board, Move, Piece, Square};

impl Board {
    /// A move as UCI text.
    ///
    /// ```
    /// use skewer_movegen::{Board, CastlingMode, Move, Square};
    ///
    /// let board: Board = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
    /// let castle = Move::castle(Square::E1, Square::H1);
    /// assert_eq!(board.uci(castle, CastlingMode::Standard).to_string(), "e1g1");
    /// assert_eq!(board.uci(castle, CastlingMode::Chess960).to_string(), "e1h1");
    /// # Ok::<(), skewer_movegen::FenError>(())
    /// ```
    pub fn uci(&self, mv: Move, mode: CastlingMode) -> impl fmt::Display + use<> {
        if mv.is_castle() && mode == CastlingMode::Standard {
            let wing = Wing::of(mv.from(), mv.to());
            // Only the text is borrowed from a move without anything special.
            Move::normal(mv.from(), wing.king_target(self.turn()))
        } else {
            mv
        }
    }

    /// The legal move of a UCI text. Castling is understood in both forms, whichever
    /// [`CastlingMode`] is in use: as the king taking its rook and as the king's step to where
    /// it goes, if that is more than one square and no other move.
    ///
    /// # Errors
    ///
    /// [`ParseMoveError::Syntax`] when this is no move at all, [`ParseMoveError::Illegal`] when it
    /// is not legal here.
    pub fn parse_uci(&self, text: &str) -> Result<Move, ParseMoveError> {
        let (squares, promotion) = match *text.as_bytes() {
            [a, b, c, d] => ([a, b, c, d], None),
            [a, b, c, d, piece] => {
                let piece = match piece.to_ascii_lowercase() {
                    b'n' => Piece::Knight,
                    b'b' => Piece::Bishop,
                    b'r' => Piece::Rook,
                    b'q' => Piece::Queen,
                    _ => return Err(ParseMoveError::Syntax),
                };
                ([a, b, c, d], Some(piece))
            }
            _ => return Err(ParseMoveError::Syntax),
        };
        let square = |file: u8, rank: u8| match (file, rank) {
            (b'a'..=b'h', b'1'..=b'8') => Ok(Square::wrapping((rank - b'1') * 8 + (file - b'a'))),
            _ => Err(ParseMoveError::Syntax),
        };
        let [file, rank, to_file, to_rank] = squares;
        let from = square(file, rank)?;
        let to = square(to_file, to_rank)?;

        let mv = if let Some(piece) = promotion {
            Move::promoting(from, to, piece)
        } else {
            match self.piece_at(from) {
                Some(Piece::Pawn) if self.en_passant() == Some(to) && from.file() != to.file() => {
                    Move::en_passant(from, to)
                }
                Some(Piece::King) if self.color(self.turn()).contains(to) => Move::castle(from, to),
                Some(Piece::King) if from.distance(to) > 1 => self.castle_by_target(from, to)?,
                _ => Move::normal(from, to),
            }
        };
        if self.is_legal(mv) {
            Ok(mv)
        } else {
            Err(ParseMoveError::Illegal)
        }
    }

    /// Castling said by where the king goes.
    fn castle_by_target(&self, king: Square, target: Square) -> Result<Move, ParseMoveError> {
        let us = self.turn();
        for wing in Wing::ALL {
            if wing.king_target(us) == target
                && let Some(rook) = self.castling().rook(us, wing)
            {
                return Ok(Move::castle(king, Square::new(rook, king.rank())));
            }
        }
        Err(ParseMoveError::Illegal)
    }
}
