//! The legality test of a single move, such as one read from a hash table.

use super::may_castle;
use super::safety::check_mask;
use crate::side::{Black, White};
use crate::{Bitboard, Board, Color, Move, MoveKind, Piece, Rank, Square, attacks};

impl Board {
    /// Whether a move is legal in this position. Any [`Move`] may be passed.
    ///
    /// ```
    /// use skewer_movegen::{Board, Move, Square};
    /// assert!(Board::STARTPOS.is_legal(Move::normal(Square::E2, Square::E4)));
    /// assert!(!Board::STARTPOS.is_legal(Move::normal(Square::E2, Square::E5)));
    /// assert!(!Board::STARTPOS.is_legal(Move::en_passant(Square::E2, Square::E3)));
    /// ```
    pub fn is_legal(&self, mv: Move) -> bool {
        let us = self.turn();
        let (from, to) = (mv.from(), mv.to());
        let own = self.color(us);
        let Some(piece) = self.piece_at(from) else {
            return false;
        };
        if !own.contains(from) {
            return false;
        }
        match mv.kind() {
            MoveKind::Castle => piece == Piece::King && self.is_legal_castle(from, to),
            MoveKind::EnPassant => {
                piece == Piece::Pawn
                    && self.en_passant() == Some(to)
                    && attacks::pawn_attacks(us, from).contains(to)
                    && self.placement.en_passant_is_safe(us, from, to)
            }
            MoveKind::Normal if piece == Piece::King => {
                attacks::king_attacks(from).contains(to)
                    && !own.contains(to)
                    && (self.attackers_to(to, self.occupied().without(from)) & self.color(!us))
                        .is_empty()
            }
            kind => {
                let reaches = if piece == Piece::Pawn {
                    let last = to.rank() == Rank::Eighth.relative_to(us);
                    last == matches!(kind, MoveKind::Promotion(_)) && self.pawn_reaches(from, to)
                } else {
                    kind == MoveKind::Normal
                        && !own.contains(to)
                        && attacks::piece_attacks(piece, us, from, self.occupied()).contains(to)
                };
                reaches && self.leaves_king_safe(from, to)
            }
        }
    }

    /// Whether a pawn of the side to move on `from` could go to `to`, not en passant.
    fn pawn_reaches(&self, from: Square, to: Square) -> bool {
        let us = self.turn();
        if attacks::pawn_attacks(us, from).contains(to) {
            return self.color(!us).contains(to);
        }
        let forward = us.fold(8, -8);
        let step = from as i8 + forward;
        let once = Square::wrapping(step as u8);
        if self.occupied().contains(once) || self.occupied().contains(to) {
            return false;
        }
        to == once || (from.rank() == Rank::Second.relative_to(us) && to as i8 == step + forward)
    }

    /// Whether a move of a piece other than the king ends a check and respects pins. Not for captures en
    /// passant.
    pub(crate) fn leaves_king_safe(&self, from: Square, to: Square) -> bool {
        let king = self.king(self.turn());
        Bitboard(check_mask(king, self.checkers().0)).contains(to)
            && (!self.pinned().contains(from) || attacks::line(king, from).contains(to))
    }

    fn is_legal_castle(&self, king: Square, rook: Square) -> bool {
        let us = self.turn();
        let back = Rank::First.relative_to(us).bitboard();
        if self.in_check() || !(self.castling_rooks() & (back - self.pinned())).contains(rook) {
            return false;
        }
        let attacked = self.attacks_by(!us, self.occupied().without(king)).0;
        match us {
            Color::White => may_castle::<White>(&self.placement, king, rook, attacked),
            Color::Black => may_castle::<Black>(&self.placement, king, rook, attacked),
        }
    }
}
