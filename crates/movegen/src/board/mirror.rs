//! Boards with colours exchanged.

use super::Board;
use super::setup::{Setup, Strictness};
use crate::{CastlingSide, Color, Square};

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
        let mut setup = Setup::empty();
        setup.turn = !self.turn();
        setup.halfmove_clock = self.halfmove_clock();
        setup.fullmove_number = self.fullmove_number();
        for square in self.occupied() {
            let piece = self.color_at(square).zip(self.piece_at(square));
            let piece = piece.map(|(color, piece)| (!color, piece));
            setup.set_piece(square.flip_rank(), piece);
        }
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
}
