//! A sink that keeps no list: the question whether there is any move.

use core::ops::ControlFlow;

use super::Sink;
use crate::{Bitboard, Piece, Square};

/// Leaves at the first set that is not empty.
pub(crate) struct Any;

impl Sink for Any {
    type Break = ();

    #[inline(always)]
    fn piece(&mut self, _: Piece, _: Square, _: Bitboard) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    #[inline(always)]
    fn pawns(&mut self, _: Bitboard, _: i8) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    #[inline(always)]
    fn promotions(&mut self, _: Bitboard, _: i8) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    #[inline(always)]
    fn castle(&mut self, _: Square, _: Square) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}
