//! Moves together with the positions after them.
//!
//! [`Board::play`] decodes the piece and the kind of a move at run time. The generator knows both,
//! so that here they are compile-time constants.

use core::convert::Infallible;
use core::marker::PhantomData;
use core::ops::ControlFlow;

use super::{Sink, Stage, origin};
use crate::side::{Black, Side, White};
use crate::{Bitboard, Board, Color, Move, Piece, Square};

impl Board {
    /// Calls `look` with every legal move and the position after it. Faster than
    /// [`play`](Self::play) for callers that need every position and no particular order.
    ///
    /// ```
    /// use skewer_movegen::{Board, Square};
    ///
    /// let mut replies = 0;
    /// Board::STARTPOS.for_each_child(|mv, next| {
    ///     assert_eq!(*next, Board::STARTPOS.play(mv));
    ///     replies += next.count_legal_moves();
    /// });
    /// assert_eq!(replies, 400);
    /// ```
    #[inline]
    pub fn for_each_child(&self, look: impl FnMut(Move, &Self)) {
        match self.turn() {
            Color::White => self.children_for::<White>(look),
            Color::Black => self.children_for::<Black>(look),
        }
    }

    #[inline(always)]
    fn children_for<S: Side>(&self, look: impl FnMut(Move, &Self)) {
        let mut sink = Children::<S, _> {
            board: self,
            look,
            side: PhantomData,
        };
        let _ = self.generate_for::<S, _>(Stage::All, &mut sink);
    }
}

/// Plays the moves that it receives.
struct Children<'a, S, F> {
    board: &'a Board,
    look: F,
    side: PhantomData<S>,
}

impl<S: Side, F: FnMut(Move, &Board)> Children<'_, S, F> {
    #[inline(always)]
    fn step(&mut self, from: Square, to: Square, piece: Piece, captured: u64) {
        let next = self
            .board
            .after_known::<S>(from, to, [piece, piece], captured);
        (self.look)(Move::normal(from, to), &next);
    }
}

impl<S: Side, F: FnMut(Move, &Board)> Sink for Children<'_, S, F> {
    type Break = Infallible;

    #[inline(always)]
    fn piece(&mut self, piece: Piece, from: Square, to: Bitboard) -> ControlFlow<Infallible> {
        let placement = &self.board.placement;
        for to in to {
            self.step(from, to, piece, placement.code_at(to));
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, delta: i8) -> ControlFlow<Infallible> {
        let placement = &self.board.placement;
        let captures = delta == S::LEFT || delta == S::RIGHT;
        for to in to {
            let captured = if captures { placement.code_at(to) } else { 0 };
            self.step(origin(to, delta), to, Piece::Pawn, captured);
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, delta: i8) -> ControlFlow<Infallible> {
        for to in to {
            let from = origin(to, delta);
            let captured = self.board.placement.code_at(to);
            for piece in Piece::PROMOTIONS {
                let kinds = [Piece::Pawn, piece];
                let next = self.board.after_known::<S>(from, to, kinds, captured);
                (self.look)(Move::promoting(from, to, piece), &next);
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) -> ControlFlow<Infallible> {
        let next = self.board.after_en_passant::<S>(from, to);
        (self.look)(Move::en_passant(from, to), &next);
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) -> ControlFlow<Infallible> {
        let next = self.board.after_castle::<S>(king, rook);
        (self.look)(Move::castle(king, rook), &next);
        ControlFlow::Continue(())
    }
}
