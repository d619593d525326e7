//! Sinks that keep no list: a count, and the question whether there is any move.

use core::convert::Infallible;
use core::ops::ControlFlow;

use super::Sink;
use crate::{Bitboard, Piece, Square};

/// Counts moves by the sizes of sets.
pub(crate) struct Counter(pub(crate) u32);

impl Sink for Counter {
    type Break = Infallible;

    #[inline(always)]
    fn piece(&mut self, _: Piece, _: Square, to: Bitboard) -> ControlFlow<Infallible> {
        self.0 += to.count();
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, _: i8) -> ControlFlow<Infallible> {
        self.0 += to.count();
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, _: i8) -> ControlFlow<Infallible> {
        self.0 += 4 * to.count();
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square) -> ControlFlow<Infallible> {
        self.0 += 1;
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn castle(&mut self, _: Square, _: Square) -> ControlFlow<Infallible> {
        self.0 += 1;
        ControlFlow::Continue(())
    }
}

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
