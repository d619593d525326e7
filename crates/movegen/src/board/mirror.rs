//! Boards mirrored along an axis.

use super::Board;
use super::setup::{Setup, Strictness};
use crate::{CastlingRights, CastlingSide, Color, Square};

impl Board {
    /// The same position with colours exchanged: ranks are flipped, White becomes Black, and the
    /// other side is to move. Both positions have the same moves, mirrored, and the same value for
    /// the side to move.
    ///
    /// ```
    /// use skewer_movegen::Board;
    /// let board: Board = "4k3/8/8/8/8/8/4P3/4K2R w K - 3 9".parse()?;
    /// assert_eq!(board.mirrored().to_string(), "4k2r/4p3/8/8/8/8/8/4K3 b k - 3 9");
    /// # Ok::<(), skewer_movegen::FenError>(())
    /// ```
    pub fn mirrored(&self) -> Self {
        let mut setup = self.rearranged(Square::flip_rank, |color| !color);
        setup.turn = !self.turn();
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                let rook = self.castling().rook(!color, side);
                setup.castling = setup.castling.with_rook(color, side, rook);
            }
        }
        setup.en_passant = self.en_passant().map(Square::flip_rank);
        // The rules are the same for both colours, so the mirrored position is legal.
        setup.build(Strictness::Relaxed).unwrap_or(*self)
    }

    /// The position flipped left to right: the a file becomes the h file. `None` if there are
    /// castling rights, because castling is not symmetrical.
    ///
    /// ```
    /// use skewer_movegen::Board;
    /// let board: Board = "4k3/8/8/8/8/8/P7/4K3 w - - 0 1".parse()?;
    /// assert_eq!(board.flipped_files().unwrap().to_string(), "3k4/8/8/8/8/8/7P/3K4 w - - 0 1");
    /// assert_eq!(Board::STARTPOS.flipped_files(), None);
    /// # Ok::<(), skewer_movegen::FenError>(())
    /// ```
    pub fn flipped_files(&self) -> Option<Self> {
        if self.castling() != CastlingRights::NONE {
            return None;
        }
        let mut setup = self.rearranged(Square::flip_file, |color| color);
        setup.en_passant = self.en_passant().map(Square::flip_file);
        setup.build(Strictness::Relaxed).ok()
    }

    /// The position with squares mapped by `place` and colours by `paint`; counters and side to move
    /// are kept.
    fn rearranged(&self, place: fn(Square) -> Square, paint: fn(Color) -> Color) -> Setup {
        let mut setup = Setup::empty();
        setup.turn = self.turn();
        setup.halfmove_clock = self.halfmove_clock();
        setup.fullmove_number = self.fullmove_number();
        for square in self.occupied() {
            if let Some((color, piece)) = self.color_at(square).zip(self.piece_at(square)) {
                setup.set_piece(place(square), Some((paint(color), piece)));
            }
        }
        setup
    }
}
