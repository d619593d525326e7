//! The pieces on their squares as four bit planes: the four bits of a square give its piece.

use super::castling::CastlingSide;
use crate::{Bitboard, Color, Piece, Square, attacks};

/// The pieces of a position. The first three planes hold the code of the kind of piece in binary
/// (0: empty, 1: pawn, ..., 6: king), the fourth holds the black pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Placement {
    kinds: [u64; 3],
    black: u64,
}

impl Placement {
    pub(crate) const EMPTY: Self = Self {
        kinds: [0; 3],
        black: 0,
    };

    #[inline(always)]
    pub(crate) const fn occupied(&self) -> u64 {
        self.kinds[0] | self.kinds[1] | self.kinds[2]
    }

    #[inline(always)]
    pub(crate) const fn color(&self, color: Color) -> u64 {
        match color {
            Color::White => self.occupied() & !self.black,
            Color::Black => self.black,
        }
    }

    /// The pieces of one kind, of both colours.
    #[inline(always)]
    pub(crate) const fn pieces(&self, piece: Piece) -> u64 {
        let [one, two, four] = self.kinds;
        match piece {
            Piece::Pawn => one & !two & !four,
            Piece::Knight => two & !one & !four,
            Piece::Bishop => one & two,
            Piece::Rook => four & !one & !two,
            Piece::Queen => one & four,
            Piece::King => two & four,
        }
    }

    /// Bishops and queens, of both colours.
    #[inline(always)]
    pub(crate) const fn diagonal(&self) -> u64 {
        self.kinds[0] & (self.kinds[1] | self.kinds[2])
    }

    /// Rooks and queens, of both colours.
    #[inline(always)]
    pub(crate) const fn straight(&self) -> u64 {
        self.kinds[2] & !self.kinds[1]
    }

    /// The code of the piece on `square`: 0 if it is empty, else its index plus one.
    #[inline(always)]
    pub(crate) const fn code_at(&self, square: Square) -> u64 {
        let shift = square as u32;
        self.kinds[0] >> shift & 1
            | (self.kinds[1] >> shift & 1) << 1
            | (self.kinds[2] >> shift & 1) << 2
    }

    #[inline(always)]
    pub(crate) const fn piece_at(&self, square: Square) -> Option<Piece> {
        match self.code_at(square) {
            1 => Some(Piece::Pawn),
            2 => Some(Piece::Knight),
            3 => Some(Piece::Bishop),
            4 => Some(Piece::Rook),
            5 => Some(Piece::Queen),
            6 => Some(Piece::King),
            _ => None,
        }
    }

    #[inline(always)]
    pub(crate) const fn color_at(&self, square: Square) -> Option<Color> {
        if Bitboard(self.black).contains(square) {
            Some(Color::Black)
        } else if Bitboard(self.occupied()).contains(square) {
            Some(Color::White)
        } else {
            None
        }
    }

    /// Empties squares.
    #[inline(always)]
    pub(crate) const fn clear(&mut self, squares: u64) {
        self.kinds[0] &= !squares;
        self.kinds[1] &= !squares;
        self.kinds[2] &= !squares;
        self.black &= !squares;
    }

    /// Puts a piece on empty squares.
    #[inline(always)]
    pub(crate) const fn put(&mut self, color: Color, piece: Piece, squares: u64) {
        let code = piece as u64 + 1;
        self.kinds[0] |= squares & (code & 1).wrapping_neg();
        self.kinds[1] |= squares & (code >> 1 & 1).wrapping_neg();
        self.kinds[2] |= squares & (code >> 2).wrapping_neg();
        self.black |= squares & (color as u64).wrapping_neg();
    }

    /// Castles on `side` with the king on `king` and the rook on `rook`.
    #[inline(always)]
    pub(crate) const fn castle(
        &mut self,
        us: Color,
        king: Square,
        rook: Square,
        side: CastlingSide,
    ) {
        self.clear(king.bitboard().0 | rook.bitboard().0);
        self.put(us, Piece::King, side.king_target(us).bitboard().0);
        self.put(us, Piece::Rook, side.rook_target(us).bitboard().0);
    }

    /// Moves the piece of `color` from `from` to `to`, where it captures, and returns its code.
    #[inline(always)]
    pub(crate) const fn move_piece(&mut self, color: Color, from: Square, to: Square) -> u64 {
        let both = from.bitboard().0 | to.bitboard().0;
        let mut code = 0;
        let mut plane = 0;
        while plane < 3 {
            let bit = self.kinds[plane] >> from as u32 & 1;
            self.kinds[plane] = (self.kinds[plane] & !both) | bit << to as u32;
            code |= bit << plane;
            plane += 1;
        }
        self.black = (self.black & !both) | (color as u64) << to as u32;
        code
    }

    /// The pieces of both colours that attack `square` when `occupied` squares stop sliders.
    #[inline]
    pub(crate) fn attackers_to(&self, square: Square, occupied: u64) -> u64 {
        let pawns = self.pieces(Piece::Pawn);
        let black = self.black;
        let occupied = Bitboard(occupied);
        (attacks::pawn_attacks(Color::White, square).0 & pawns & black)
            | (attacks::pawn_attacks(Color::Black, square).0 & pawns & !black)
            | (attacks::knight_attacks(square).0 & self.pieces(Piece::Knight))
            | (attacks::king_attacks(square).0 & self.pieces(Piece::King))
            | (attacks::bishop_attacks(square, occupied).0 & self.diagonal())
            | (attacks::rook_attacks(square, occupied).0 & self.straight())
    }

    /// Whether `us` may capture en passant on `target` with a pawn on `from` without leaving its
    /// king in check. The caller has checked the geometry.
    pub(crate) fn en_passant_is_safe(&self, us: Color, from: Square, target: Square) -> bool {
        let victim = Square::wrapping(target as u8 ^ 8).bitboard().0;
        let king = Bitboard(self.pieces(Piece::King) & self.color(us));
        let occupied = (self.occupied() ^ from.bitboard().0 ^ victim) | target.bitboard().0;
        let enemy = self.color(us.opponent()) & !victim;
        king.first()
            .is_some_and(|king| self.attackers_to(king, occupied) & enemy == 0)
    }

    /// Whether `us` may capture en passant on `target`.
    #[inline]
    pub(crate) fn en_passant_is_legal(&self, us: Color, target: Square) -> bool {
        let pawns = self.pieces(Piece::Pawn) & self.color(us);
        (attacks::pawn_attacks(us.opponent(), target) & Bitboard(pawns))
            .into_iter()
            .any(|from| self.en_passant_is_safe(us, from, target))
    }

    /// The pieces that give check to the king of `us`, and the pieces of `us` pinned to it.
    #[inline(always)]
    pub(crate) fn checkers_and_pinned(&self, us: Color) -> (u64, u64) {
        let occupied = self.occupied();
        let own = self.color(us);
        let enemy = occupied ^ own;
        let king = Square::wrapping((self.pieces(Piece::King) & own).trailing_zeros() as u8);
        let mut checkers = (attacks::knight_attacks(king).0 & self.pieces(Piece::Knight))
            | (attacks::pawn_attacks(us, king).0 & self.pieces(Piece::Pawn));
        checkers &= enemy;
        let (straight, diagonal) = attacks::rays(king);
        let snipers = ((straight & self.straight()) | (diagonal & self.diagonal())) & enemy;
        let mut pinned = 0;
        for sniper in Bitboard(snipers) {
            // It is a check if no piece is between, and a pin if one piece of `us` is.
            let between = attacks::between(king, sniper).0 & occupied;
            if between == 0 {
                checkers |= sniper.bitboard().0;
            }
            if between & between.wrapping_sub(1) == 0 {
                pinned |= between & own;
            }
        }
        (checkers, pinned)
    }
}
