//! The position after a move.

use core::fmt;

use super::Board;
use super::castling::Wing;
use crate::{Bitboard, Color, Move, MoveKind, Piece, Rank, Square, zobrist};

/// The move is not legal in the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMove(
    /// The move that was refused.
    pub Move,
);

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not legal here", self.0)
    }
}

impl core::error::Error for IllegalMove {}

impl Board {
    /// The position after a legal move.
    ///
    /// The move must be legal, as those of the generators are; with any other the result is
    /// some position without meaning, though nothing worse. For moves from elsewhere there is
    /// [`try_play`](Self::try_play).
    ///
    /// ```
    /// use skewer_movegen::{Board, Move, Square};
    /// let after = Board::STARTPOS.play(Move::normal(Square::E2, Square::E4));
    /// assert_eq!(after.to_string(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    /// ```
    #[must_use]
    pub fn play(&self, mv: Move) -> Self {
        debug_assert!(self.is_legal(mv), "{mv} is not legal in {self}");
        let mut next = *self;
        let us = self.turn;
        let (from, to) = (mv.from(), mv.to());
        let moved = self.moved(mv);

        next.fullmove = self.fullmove.saturating_add(us as u16);
        next.halfmove = self.halfmove.saturating_add(1);
        next.turn = !us;
        next.key ^= zobrist::black_to_move_key();
        if let Some(square) = self.en_passant() {
            next.key ^= zobrist::en_passant_key(square.file());
        }
        next.rights &= Bitboard::BACK_RANKS.0;

        if let MoveKind::Castle = mv.kind() {
            let wing = Wing::of(from, to);
            next.remove(us, Piece::King, from);
            next.remove(us, Piece::Rook, to);
            next.put(us, Piece::King, wing.king_target(us));
            next.put(us, Piece::Rook, wing.rook_target(us));
        } else {
            if let Some(captured) = self.piece_at(to) {
                next.remove(!us, captured, to);
                next.halfmove = 0;
            }
            next.remove(us, moved, from);
            next.put(us, mv.promotion().unwrap_or(moved), to);
            if mv.is_en_passant() {
                next.remove(!us, Piece::Pawn, Square::wrapping(to as u8 ^ 8));
            }
            if moved == Piece::Pawn {
                next.halfmove = 0;
            }
        }

        // A rook that moves or falls loses its right; a king that moves loses both.
        let mut lost = from.bitboard().0 | to.bitboard().0;
        if moved == Piece::King {
            lost |= Rank::First.relative_to(us).bitboard().0;
        }
        let lost = Bitboard(next.rights & lost);
        if lost.any() {
            next.rights &= !lost.0;
            for rook in lost {
                next.key ^= zobrist::castling_key(rook);
            }
        }

        if moved == Piece::Pawn && from as u8 ^ to as u8 == 16 {
            next.set_en_passant(Square::wrapping(from as u8 ^ 24));
        }
        next.refresh_checks();
        next
    }

    /// The position after a move from anywhere.
    ///
    /// # Errors
    ///
    /// [`IllegalMove`] when the move is not legal here.
    pub fn try_play(&self, mv: Move) -> Result<Self, IllegalMove> {
        if self.is_legal(mv) {
            Ok(self.play(mv))
        } else {
            Err(IllegalMove(mv))
        }
    }

    /// The position after the side to move has passed; `None` when it is in check, since the
    /// other side could then take its king. The half-move clock goes on.
    pub fn play_null(&self) -> Option<Self> {
        if self.in_check() {
            return None;
        }
        let mut next = *self;
        next.fullmove = self.fullmove.saturating_add(self.turn as u16);
        next.halfmove = self.halfmove.saturating_add(1);
        next.turn = !self.turn;
        next.key ^= zobrist::black_to_move_key();
        if let Some(square) = self.en_passant() {
            next.key ^= zobrist::en_passant_key(square.file());
        }
        next.rights &= Bitboard::BACK_RANKS.0;
        // Nobody can be in check here: the side that passed was not, and the other has just moved.
        next.checkers = 0;
        next.pinned = next.pinned_of(next.turn).0;
        Some(next)
    }

    #[inline(always)]
    fn put(&mut self, color: Color, piece: Piece, square: Square) {
        self.men.put(color, piece, square.bitboard().0);
        self.key ^= zobrist::piece_key(color, piece, square);
    }

    #[inline(always)]
    fn remove(&mut self, color: Color, piece: Piece, square: Square) {
        self.men.clear(square.bitboard().0);
        self.key ^= zobrist::piece_key(color, piece, square);
    }
}
