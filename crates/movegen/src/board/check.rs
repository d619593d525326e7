//! Key, checkers and pinned pieces computed from scratch, and which moves give check.

use super::Board;
use crate::{Bitboard, Color, Move, MoveKind, Piece, Square, attacks, zobrist};

impl Board {
    /// The key computed from scratch; equal to [`key`](Self::key).
    pub(crate) const fn compute_key(&self) -> u64 {
        let mut key = match self.turn {
            Color::White => 0,
            Color::Black => zobrist::KEYS.black,
        };
        let mut placement = self.occupied();
        while let Some(square) = placement.pop_first() {
            if let (Some(piece), Some(color)) = (self.piece_at(square), self.color_at(square)) {
                key ^= zobrist::piece_key(color, piece, square);
            }
        }
        let mut rooks = self.castling_rooks();
        while let Some(rook) = rooks.pop_first() {
            key ^= zobrist::castling_key(rook);
        }
        if let Some(square) = self.en_passant() {
            key ^= zobrist::en_passant_key(square.file());
        }
        key
    }

    /// The pieces of `color` that are pinned to their king.
    pub fn pinned_of(&self, color: Color) -> Bitboard {
        Bitboard(self.placement.checkers_and_pinned(color).1)
    }

    /// Recomputes checkers and pins.
    #[inline]
    pub(super) fn refresh_checks(&mut self) {
        (self.checkers, self.pinned) = self.placement.checkers_and_pinned(self.turn);
    }

    /// Keeps the en passant right on `target` only if some pawn can legally use it.
    pub(super) fn set_en_passant(&mut self, target: Square) {
        if self.placement.en_passant_is_legal(self.turn, target) {
            self.rights |= target.bitboard().0;
            self.key ^= zobrist::en_passant_key(target.file());
        }
    }

    /// Whether a legal move gives check.
    ///
    /// ```
    /// use skewer_movegen::Board;
    /// let board: Board = "4k3/8/8/8/8/8/4N3/4RK2 w - - 0 1".parse()?;
    /// assert!(board.gives_check(board.parse_uci("e2c3").unwrap())); // uncovers the rook
    /// # Ok::<(), skewer_movegen::FenError>(())
    /// ```
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.turn;
        let king = self.king(!us);
        let (from, to) = (mv.from(), mv.to());
        let own = self.color(us).without(from);
        let mut diagonal = own & Bitboard(self.placement.diagonal());
        let mut straight = own & Bitboard(self.placement.straight());
        let mut occupied = self.occupied().without(from);
        match mv.kind() {
            MoveKind::Castle => {
                let side = super::castling::CastlingSide::of(from, to);
                let rook = side.rook_target(us);
                occupied = occupied.without(to).with(side.king_target(us)).with(rook);
                return attacks::rook_attacks(rook, occupied).contains(king);
            }
            MoveKind::EnPassant => {
                if attacks::pawn_attacks(us, to).contains(king) {
                    return true;
                }
                occupied = occupied.without(Square::wrapping(to as u8 ^ 8)).with(to);
            }
            MoveKind::Normal | MoveKind::Promotion(_) => {
                occupied = occupied.with(to);
                let piece = mv.promotion().unwrap_or(self.moved(mv));
                match piece {
                    Piece::Pawn if attacks::pawn_attacks(us, to).contains(king) => return true,
                    Piece::Knight if attacks::knight_attacks(to).contains(king) => return true,
                    Piece::Bishop => diagonal = diagonal.with(to),
                    Piece::Rook => straight = straight.with(to),
                    Piece::Queen => {
                        diagonal = diagonal.with(to);
                        straight = straight.with(to);
                    }
                    _ => {}
                }
            }
        }
        (attacks::bishop_attacks(king, occupied) & diagonal).any()
            || (attacks::rook_attacks(king, occupied) & straight).any()
    }
}
