//! Sets of moves, and what receives them.

use core::convert::Infallible;
use core::ops::ControlFlow;

use crate::{Bitboard, Move, Piece, Square};

/// Several legal moves at once: the moves of one piece, or the moves of all pawns in one direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveSet {
    pub(crate) way: Way,
    pub(crate) to: Bitboard,
}

/// How the moves of a set are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// Moves of one piece from a square, none of them special.
    Piece(Piece, Square),
    /// Moves of pawns to squares at this difference from where they stand, not to the last rank.
    Pawns(i8),
    /// Moves of pawns to the last rank, at this difference from where they stand.
    Promotions(i8),
    /// One capture en passant from this square.
    EnPassant(Square),
    /// One castling of the king on this square with the rook on the target.
    Castle(Square),
}

impl MoveSet {
    /// The kind of piece that moves.
    #[inline]
    pub const fn piece(&self) -> Piece {
        match self.way {
            Way::Piece(piece, _) => piece,
            Way::Pawns(_) | Way::Promotions(_) | Way::EnPassant(_) => Piece::Pawn,
            Way::Castle(_) => Piece::King,
        }
    }

    /// The square that all the moves start from; `None` for pawns, which move from several.
    #[inline]
    pub const fn origin(&self) -> Option<Square> {
        match self.way {
            Way::Piece(_, from) | Way::EnPassant(from) | Way::Castle(from) => Some(from),
            Way::Pawns(_) | Way::Promotions(_) => None,
        }
    }

    /// Whether the moves are neither castling nor en passant captures nor promotions.
    #[inline]
    pub const fn is_normal(&self) -> bool {
        matches!(self.way, Way::Piece(..) | Way::Pawns(_))
    }

    /// The target squares; for castling the square of the rook.
    #[inline]
    pub const fn targets(&self) -> Bitboard {
        self.to
    }

    /// Calls `look` with every move of the set.
    #[inline(always)]
    pub fn for_each(self, mut look: impl FnMut(Move)) {
        // One call of `look`, so that it is inlined.
        let each = match self.way {
            Way::Promotions(_) => &Piece::PROMOTIONS[..],
            _ => &[Piece::Queen],
        };
        for to in self.to {
            for &piece in each {
                look(match self.way {
                    Way::Piece(_, from) => Move::normal(from, to),
                    Way::Pawns(delta) => Move::normal(origin(to, delta), to),
                    Way::Promotions(delta) => Move::promoting(origin(to, delta), to, piece),
                    Way::EnPassant(from) => Move::en_passant(from, to),
                    Way::Castle(king) => Move::castle(king, to),
                });
            }
        }
    }
}

/// The square that a pawn left to reach `to` by a step of `delta`.
#[inline(always)]
pub(crate) fn origin(to: Square, delta: i8) -> Square {
    Square::wrapping((to as i8).wrapping_sub(delta) as u8)
}

/// Receives the sets of moves that the generator finds, none of them empty.
///
/// A trait and not a closure, because only a method can always be inlined: the way of a set is then
/// known to the compiler.
pub(crate) trait Sink {
    /// The value of an early exit; with `Infallible` the tests for one are compiled away.
    type Break;

    fn take(&mut self, set: MoveSet) -> ControlFlow<Self::Break>;
}

/// Stops at the first set.
pub(super) struct Any;

impl Sink for Any {
    type Break = ();

    #[inline(always)]
    fn take(&mut self, _: MoveSet) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

/// Passes moves to a closure.
pub(super) struct Each<F>(pub(super) F);

impl<F: FnMut(Move)> Sink for Each<F> {
    type Break = Infallible;

    #[inline(always)]
    fn take(&mut self, set: MoveSet) -> ControlFlow<Infallible> {
        set.for_each(&mut self.0);
        ControlFlow::Continue(())
    }
}

/// Passes sets to a closure.
pub(super) struct Sets<F>(pub(super) F);

impl<F: FnMut(MoveSet)> Sink for Sets<F> {
    type Break = Infallible;

    #[inline(always)]
    fn take(&mut self, set: MoveSet) -> ControlFlow<Infallible> {
        (self.0)(set);
        ControlFlow::Continue(())
    }
}
