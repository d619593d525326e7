//! The position after a move.

use core::fmt;

use super::Board;
use super::castling::Wing;
use crate::side::{Black, Side, White};
use crate::{Bitboard, Color, Move, Piece, Square, zobrist};

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

/// The code of a pawn, see [`Men::code_at`](super::men::Men::code_at).
const PAWN: u64 = Piece::Pawn as u64 + 1;
/// The code of a king.
const KING: u64 = Piece::King as u64 + 1;

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
        match self.turn {
            Color::White => self.play_for::<White>(mv),
            Color::Black => self.play_for::<Black>(mv),
        }
    }

    #[inline]
    fn play_for<S: Side>(&self, mv: Move) -> Self {
        let (us, them) = (S::COLOR, S::Opponent::COLOR);
        let (from, to) = (mv.from(), mv.to());
        let both = from.bitboard().0 | to.bitboard().0;
        let moved = self.men.code_at(from);
        let captured = self.men.code_at(to);
        let becomes = mv.promotion_code().unwrap_or(moved);

        let mut men = self.men;
        men.clear(both);
        men.put_code(us, becomes, to.bitboard().0);
        let mut key = self.key
            ^ zobrist::black_to_move_key()
            ^ zobrist::code_key(us, moved, from)
            ^ zobrist::code_key(us, becomes, to)
            ^ zobrist::code_key(them, captured, to);
        let mut halfmove = self.halfmove.saturating_add(1);
        if captured != 0 || moved == PAWN {
            halfmove = 0;
        }
        if mv.is_castle_or_en_passant() {
            if mv.is_castle() {
                // The king stands where its rook was, and took it; undo that.
                let wing = Wing::of(from, to);
                let (king_to, rook_to) = (wing.king_target(us), wing.rook_target(us));
                men.clear(to.bitboard().0);
                men.put(us, Piece::King, king_to.bitboard().0);
                men.put(us, Piece::Rook, rook_to.bitboard().0);
                key ^= zobrist::code_key(them, captured, to)
                    ^ zobrist::code_key(us, captured, to)
                    ^ zobrist::code_key(us, becomes, to)
                    ^ zobrist::piece_key(us, Piece::King, king_to)
                    ^ zobrist::piece_key(us, Piece::Rook, rook_to);
                halfmove = self.halfmove.saturating_add(1);
            } else {
                let victim = Square::wrapping(to as u8 ^ 8);
                men.clear(victim.bitboard().0);
                key ^= zobrist::piece_key(them, Piece::Pawn, victim);
            }
        }

        let mut rights = self.rights;
        if rights != 0 {
            // A rook that moves or falls loses its right; a king that moves loses both.
            let king_moves = if moved == KING { S::BACK } else { 0 };
            let gone = rights & (both | king_moves | !Bitboard::BACK_RANKS.0);
            rights ^= gone;
            for square in Bitboard(gone) {
                key ^= zobrist::right_key(square);
            }
        }
        if moved == PAWN && from as u8 ^ to as u8 == 16 {
            let target = Square::wrapping(from as u8 ^ 24);
            // A copy, so that the men themselves can stay in registers.
            let copy = men;
            if copy.en_passant_is_legal(them, target) {
                rights |= target.bitboard().0;
                key ^= zobrist::right_key(target);
            }
        }
        let (checkers, pinned) = men.checkers_and_pinned(them);
        Self {
            men,
            rights,
            key,
            checkers,
            pinned,
            fullmove: self.fullmove.saturating_add(us as u16),
            halfmove,
            turn: them,
        }
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
}
