//! The position after a move.

use core::fmt;

use super::Board;
use super::castling::CastlingSide;
use super::placement::Placement;
use crate::side::{Black, Side, White};
use crate::{Bitboard, Color, Move, Piece, Square, zobrist};

/// The move is not legal in the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMoveError(
    /// The move that was refused.
    pub Move,
);

impl fmt::Display for IllegalMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not legal in this position", self.0)
    }
}

impl core::error::Error for IllegalMoveError {}

/// The code of a pawn, see [`Placement::code_at`](super::placement::Placement::code_at).
const PAWN: u64 = Piece::Pawn as u64 + 1;
/// The code of a king.
const KING: u64 = Piece::King as u64 + 1;

impl Board {
    /// The position after a legal move.
    ///
    /// The move must be legal, like all moves of the generators. Any other move gives a meaningless position, but no
    /// panic and no undefined behaviour in release builds. For moves from other sources use
    /// [`try_play`](Self::try_play).
    ///
    /// ```
    /// use skewer_movegen::{Board, Move, Square};
    /// let after = Board::STARTPOS.play(Move::normal(Square::E2, Square::E4));
    /// assert_eq!(after.to_string(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    /// ```
    #[must_use]
    pub fn play(&self, mv: Move) -> Self {
        debug_assert!(self.is_legal(mv), "{mv:?} is not legal in {self}");
        match self.turn {
            Color::White => self.play_for::<White>(mv),
            Color::Black => self.play_for::<Black>(mv),
        }
    }

    /// The [key](Self::key) after a legal move, computed without making the move, to prefetch the entry that is
    /// stored under the key. The key is wrong after castling, a promotion or an en passant capture, and where
    /// castling or en passant rights change.
    ///
    /// ```
    /// use skewer_movegen::{Board, Move, Square};
    /// let mv = Move::normal(Square::G1, Square::F3);
    /// assert_eq!(Board::STARTPOS.likely_key_after(mv), Board::STARTPOS.play(mv).key());
    /// ```
    #[inline]
    pub fn likely_key_after(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to());
        let moved = self.placement.code_at(from);
        let captured = self.placement.code_at(to);
        self.key
            ^ zobrist::black_to_move_key()
            ^ zobrist::code_key(self.turn, moved, from)
            ^ zobrist::code_key(self.turn, moved, to)
            ^ zobrist::code_key(self.turn.opponent(), captured, to)
    }

    #[inline]
    fn play_for<S: Side>(&self, mv: Move) -> Self {
        let (from, to) = (mv.from(), mv.to());
        if !mv.is_normal() {
            return match mv.promotion() {
                Some(piece) => self.after_promotion::<S>(from, to, piece),
                None if mv.is_castle() => self.after_castle::<S>(from, to),
                None => self.after_en_passant::<S>(from, to),
            };
        }
        let captured = self.placement.code_at(to);
        let mut placement = self.placement;
        let moved = placement.move_piece(S::COLOR, from, to);
        self.after::<S>(placement, from, to, [moved, moved], captured)
    }

    /// The position after the pawn on `from` has become a `piece` on `to`.
    #[inline(never)]
    fn after_promotion<S: Side>(&self, from: Square, to: Square, piece: Piece) -> Self {
        let mut placement = self.placement;
        placement.clear(from.bitboard().0 | to.bitboard().0);
        placement.put(S::COLOR, piece, to.bitboard().0);
        let captured = self.placement.code_at(to);
        self.after::<S>(placement, from, to, [PAWN, piece as u64 + 1], captured)
    }

    /// The position with `placement` after a piece has moved from `from` to `to`. `moved` is the
    /// code of the piece, `becomes` the code of the piece that then stands on `to`, and `captured`
    /// the code of the captured piece.
    #[inline(always)]
    fn after<S: Side>(
        &self,
        placement: Placement,
        from: Square,
        to: Square,
        [moved, becomes]: [u64; 2],
        captured: u64,
    ) -> Self {
        let (us, them) = (S::COLOR, S::Opponent::COLOR);
        let both = from.bitboard().0 | to.bitboard().0;
        let mut key = self.key
            ^ zobrist::black_to_move_key()
            ^ zobrist::code_key(us, moved, from)
            ^ zobrist::code_key(us, becomes, to)
            ^ zobrist::code_key(them, captured, to);
        let mut rights = self.rights;
        if rights != 0 {
            // A rook that moves or is captured loses its right; a king that moves loses both.
            let king_moves = if moved == KING { S::BACK } else { 0 };
            let gone = rights & (both | king_moves | !Bitboard::BACK_RANKS.0);
            rights ^= gone;
            for square in Bitboard(gone) {
                key ^= zobrist::right_key(square);
            }
        }
        if moved == PAWN && from as u8 ^ to as u8 == 16 {
            let target = Square::wrapping(from as u8 ^ 24);
            // Use a copy, so that the original can stay in registers.
            let copy = placement;
            if copy.en_passant_is_legal(them, target) {
                rights |= target.bitboard().0;
                key ^= zobrist::right_key(target);
            }
        }
        let irreversible = captured != 0 || moved == PAWN;
        let halfmove = if irreversible {
            0
        } else {
            self.halfmove.saturating_add(1)
        };
        self.next::<S>(placement, rights, key, halfmove)
    }

    /// The position after castling of the king on `king` with the rook on `rook`.
    #[inline(never)]
    fn after_castle<S: Side>(&self, king: Square, rook: Square) -> Self {
        let us = S::COLOR;
        let side = CastlingSide::of(king, rook);
        let mut placement = self.placement;
        placement.castle(us, king, rook, side);
        let key = zobrist::piece_key(us, Piece::King, king)
            ^ zobrist::piece_key(us, Piece::Rook, rook)
            ^ zobrist::piece_key(us, Piece::King, side.king_target(us))
            ^ zobrist::piece_key(us, Piece::Rook, side.rook_target(us));
        self.after_special::<S>(placement, key, S::BACK, self.halfmove.saturating_add(1))
    }

    /// The position after the capture en passant by the pawn on `from` to `to`.
    #[inline(never)]
    fn after_en_passant<S: Side>(&self, from: Square, to: Square) -> Self {
        let (us, them) = (S::COLOR, S::Opponent::COLOR);
        let victim = Square::wrapping(to as u8 ^ 8);
        let mut placement = self.placement;
        placement.clear(from.bitboard().0 | victim.bitboard().0);
        placement.put(us, Piece::Pawn, to.bitboard().0);
        let key = zobrist::piece_key(us, Piece::Pawn, from)
            ^ zobrist::piece_key(us, Piece::Pawn, to)
            ^ zobrist::piece_key(them, Piece::Pawn, victim);
        self.after_special::<S>(placement, key, 0, 0)
    }

    /// The position with `placement` after a move that ends the castling rights on the squares
    /// `lost`. `pieces` is the exclusive or of the keys of the pieces that come and go.
    fn after_special<S: Side>(
        &self,
        placement: Placement,
        pieces: u64,
        lost: u64,
        halfmove: u8,
    ) -> Self {
        let gone = self.rights & (lost | !Bitboard::BACK_RANKS.0);
        let key = self.key ^ zobrist::black_to_move_key() ^ pieces;
        let rights = Bitboard(gone).into_iter().map(zobrist::right_key);
        let key = rights.fold(key, |key, right| key ^ right);
        self.next::<S>(placement, self.rights ^ gone, key, halfmove)
    }

    /// The position that follows a move of `S`, with its checkers and pins found.
    #[inline(always)]
    fn next<S: Side>(&self, placement: Placement, rights: u64, key: u64, halfmove: u8) -> Self {
        let (checkers, pinned) = placement.checkers_and_pinned(S::Opponent::COLOR);
        Self {
            placement,
            rights,
            key,
            checkers,
            pinned,
            fullmove: self.fullmove.saturating_add(S::COLOR as u16),
            halfmove,
            turn: S::Opponent::COLOR,
        }
    }

    /// The position after a move that need not be legal.
    ///
    /// # Errors
    ///
    /// [`IllegalMoveError`] when the move is not legal in this position.
    pub fn try_play(&self, mv: Move) -> Result<Self, IllegalMoveError> {
        if self.is_legal(mv) {
            Ok(self.play(mv))
        } else {
            Err(IllegalMoveError(mv))
        }
    }

    /// The position after the side to move passes; `None` when it is in check. The half-move clock
    /// is incremented.
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
        // After the pass the side to move is not in check, because in a legal position the side that is not to move
        // never is.
        next.checkers = 0;
        next.pinned = next.pinned_of(next.turn).0;
        Some(next)
    }
}
