//! Who stands where: four bit planes, so that a square's man is the four bits of its column.

use crate::{Bitboard, Color, Piece, Square};

/// The men of a position. Of the four planes the first three hold the kind of man in binary (0:
/// nobody, 1: pawn, ..., 6: king) and the fourth holds Black's men.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Men {
    kinds: [u64; 3],
    black: u64,
}

impl Men {
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

    /// The men of one kind, of both colours.
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

    #[inline(always)]
    pub(crate) const fn piece_at(&self, square: Square) -> Option<Piece> {
        let shift = square as u32;
        let code = self.kinds[0] >> shift & 1
            | (self.kinds[1] >> shift & 1) << 1
            | (self.kinds[2] >> shift & 1) << 2;
        match code {
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

    /// Puts a man on empty squares.
    #[inline(always)]
    pub(crate) const fn put(&mut self, color: Color, piece: Piece, squares: u64) {
        let code = piece as u64 + 1;
        self.kinds[0] |= squares & (code & 1).wrapping_neg();
        self.kinds[1] |= squares & (code >> 1 & 1).wrapping_neg();
        self.kinds[2] |= squares & (code >> 2).wrapping_neg();
        self.black |= squares & (color as u64).wrapping_neg();
    }
}
