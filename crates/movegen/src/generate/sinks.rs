//! Sinks for single moves, and for the test whether there is one.

use core::convert::Infallible;
use core::ops::ControlFlow;

use super::{Sink, origin};
use crate::{Bitboard, Move, Piece, Square};

/// Stops at the first set.
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

/// Passes moves to a closure one by one. Faster than a loop over [`Moves`](super::Moves), which
/// decides at each move what kind of set it comes from.
pub(super) struct Each<F>(pub(super) F);

impl<F: FnMut(Move)> Sink for Each<F> {
    type Break = Infallible;

    #[inline(always)]
    fn piece(&mut self, _: Piece, from: Square, to: Bitboard) -> ControlFlow<Infallible> {
        for to in to {
            (self.0)(Move::normal(from, to));
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, delta: i8) -> ControlFlow<Infallible> {
        for to in to {
            (self.0)(Move::normal(origin(to, delta), to));
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, delta: i8) -> ControlFlow<Infallible> {
        for to in to {
            for piece in Piece::PROMOTIONS {
                (self.0)(Move::promoting(origin(to, delta), to, piece));
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) -> ControlFlow<Infallible> {
        (self.0)(Move::en_passant(from, to));
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) -> ControlFlow<Infallible> {
        (self.0)(Move::castle(king, rook));
        ControlFlow::Continue(())
    }
}
