//! Moves as sets and by callback, for callers that need no list.

use core::convert::Infallible;
use core::ops::ControlFlow;

use super::sinks::Each;
use super::{Sink, Stage, origin};
use crate::{Bitboard, Board, Move, Piece, Square};

/// Several legal moves at once: those of one piece, or those of all pawns in one direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveSet {
    way: Way,
    to: Bitboard,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Piece(Piece, Square),
    Pawns(i8),
    Promotions(i8),
    EnPassant(Square),
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

    /// The number of moves: one for each square, four where pawns promote.
    #[inline]
    pub const fn len(&self) -> usize {
        let squares = self.to.count() as usize;
        if matches!(self.way, Way::Promotions(_)) {
            4 * squares
        } else {
            squares
        }
    }

    /// Whether there is no move. The generator passes no empty sets.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.to.is_empty()
    }

    /// The moves whose target is in `squares`.
    #[inline]
    #[must_use]
    pub fn within(self, squares: Bitboard) -> Self {
        Self {
            to: self.to & squares,
            ..self
        }
    }
}

impl IntoIterator for MoveSet {
    type Item = Move;
    type IntoIter = Moves;

    #[inline]
    fn into_iter(self) -> Moves {
        Moves {
            set: self,
            promotion: 0,
        }
    }
}

/// The moves of a [`MoveSet`], one by one.
#[derive(Clone, Debug)]
pub struct Moves {
    set: MoveSet,
    /// How many of the four promotions to the first square are done.
    promotion: usize,
}

impl Iterator for Moves {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        let to = self.set.to.first()?;
        let mv = match self.set.way {
            Way::Piece(_, from) => Move::normal(from, to),
            Way::Pawns(delta) => Move::normal(origin(to, delta), to),
            Way::EnPassant(from) => Move::en_passant(from, to),
            Way::Castle(king) => Move::castle(king, to),
            Way::Promotions(delta) => {
                let piece = Piece::PROMOTIONS[self.promotion & 3];
                self.promotion = (self.promotion + 1) & 3;
                let mv = Move::promoting(origin(to, delta), to, piece);
                if self.promotion != 0 {
                    return Some(mv);
                }
                mv
            }
        };
        self.set.to = self.set.to.without(to);
        Some(mv)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.set.len() - self.promotion;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Moves {}

/// Passes sets to a closure.
struct Sets<F>(F);

impl<B, F> Sink for Sets<F>
where
    F: FnMut(MoveSet) -> ControlFlow<B>,
{
    type Break = B;

    #[inline(always)]
    fn piece(&mut self, piece: Piece, from: Square, to: Bitboard) -> ControlFlow<B> {
        (self.0)(MoveSet {
            way: Way::Piece(piece, from),
            to,
        })
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, delta: i8) -> ControlFlow<B> {
        (self.0)(MoveSet {
            way: Way::Pawns(delta),
            to,
        })
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, delta: i8) -> ControlFlow<B> {
        (self.0)(MoveSet {
            way: Way::Promotions(delta),
            to,
        })
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) -> ControlFlow<B> {
        (self.0)(MoveSet {
            way: Way::EnPassant(from),
            to: to.bitboard(),
        })
    }

    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) -> ControlFlow<B> {
        (self.0)(MoveSet {
            way: Way::Castle(king),
            to: rook.bitboard(),
        })
    }
}

impl Board {
    /// Calls `look` with every legal move.
    ///
    /// ```
    /// use skewer_movegen::Board;
    /// let mut checks = 0;
    /// let board = Board::STARTPOS;
    /// board.for_each_move(|mv| checks += u32::from(board.gives_check(mv)));
    /// assert_eq!(checks, 0);
    /// ```
    #[inline]
    pub fn for_each_move(&self, look: impl FnMut(Move)) {
        let _ = self.generate(Stage::All, &mut Each(look));
    }

    /// Calls `look` with every move of [`captures`](Self::captures), in the same order. Faster than a
    /// list, if each move is looked at once.
    ///
    /// ```
    /// use skewer_movegen::Board;
    /// let mut captures = 0;
    /// Board::STARTPOS.for_each_capture(|_| captures += 1);
    /// assert_eq!(captures, 0);
    /// ```
    #[inline]
    pub fn for_each_capture(&self, look: impl FnMut(Move)) {
        let _ = self.generate(Stage::Captures, &mut Each(look));
    }

    /// Calls `look` with the moves of [`quiets`](Self::quiets) as non-empty sets, in the same order.
    ///
    /// ```
    /// use skewer_movegen::{Bitboard, Board, Piece};
    /// let mut knights = Bitboard::EMPTY;
    /// Board::STARTPOS.for_each_quiet_set(|set| {
    ///     if set.piece() == Piece::Knight {
    ///         knights |= set.targets();
    ///     }
    /// });
    /// assert_eq!(knights.count(), 4);
    /// ```
    #[inline]
    pub fn for_each_quiet_set(&self, mut look: impl FnMut(MoveSet)) {
        let _ = self.generate(
            Stage::Quiets,
            &mut Sets(|set| {
                look(set);
                ControlFlow::<Infallible>::Continue(())
            }),
        );
    }

    /// Calls `look` with one legal move after the other until it breaks.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use skewer_movegen::{Board, Square};
    ///
    /// let to_e4 = Board::STARTPOS.try_for_each_move(|mv| {
    ///     if mv.to() == Square::E4 { ControlFlow::Break(mv) } else { ControlFlow::Continue(()) }
    /// });
    /// assert_eq!(to_e4.break_value().unwrap().to_string(), "e2e4");
    /// ```
    #[inline]
    pub fn try_for_each_move<B>(
        &self,
        mut look: impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.try_for_each_move_set(|set| set.into_iter().try_for_each(&mut look))
    }

    /// Calls `look` with the legal moves as non-empty sets until it breaks.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use skewer_movegen::Board;
    ///
    /// let mut count = 0;
    /// let _ = Board::STARTPOS.try_for_each_move_set(|set| {
    ///     count += set.len();
    ///     ControlFlow::<()>::Continue(())
    /// });
    /// assert_eq!(count, 20);
    /// ```
    #[inline]
    pub fn try_for_each_move_set<B>(
        &self,
        look: impl FnMut(MoveSet) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.generate(Stage::All, &mut Sets(look))
    }
}
