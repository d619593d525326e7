//! Boards without derived data, which are faster to make: for perft, and for programs that walk the tree of moves.

use core::convert::Infallible;
use core::marker::PhantomData;
use core::ops::ControlFlow;

use super::Board;
use super::castling::CastlingSide;
use super::placement::Placement;
use crate::generate::{MoveSet, Sink, Way, count, generate, origin, safety};
use crate::side::{Black, Side, White};
use crate::{Bitboard, Color, Piece, Square, attacks};

/// A position without side to move, key, checkers, pinned pieces and counters, for perft, which makes
/// very many positions and asks little of each.
#[derive(Clone, Copy)]
pub(crate) struct LeanBoard {
    placement: Placement,
    /// As in a board, except that the capture en passant need not be legal.
    rights: u64,
}

impl LeanBoard {
    /// The number of legal moves of `S`.
    #[inline(always)]
    pub(crate) fn count<S: Side>(&self) -> u32 {
        count::count::<S>(&self.placement, self.rights)
    }

    /// Calls `look` with the position after each legal move of `S`.
    #[inline(always)]
    pub(crate) fn for_each_child<S: Side>(&self, look: impl FnMut(&Self)) {
        let mut sink = Children::<S, _> {
            board: self,
            look,
            side: PhantomData,
        };
        let safety = safety::<S>(&self.placement);
        let _ = generate::<S, _, true, true>(&self.placement, self.rights, &safety, &mut sink);
    }

    /// The position after the piece on `from` moves to `to` and becomes `becomes`.
    #[inline(always)]
    fn after<S: Side>(&self, from: Square, to: Square, becomes: Piece) -> Self {
        let (from, to) = (from.bitboard().0, to.bitboard().0);
        let mut placement = self.placement;
        placement.clear(from | to);
        placement.put(S::COLOR, becomes, to);
        Self {
            placement,
            rights: self.rights & Bitboard::BACK_RANKS.0 & !(from | to),
        }
    }
}

/// A position after a move, which keeps nothing but its pieces and rights: the fastest to make, for walks through
/// the tree of moves. Checks and pins are computed when they are asked for. Keys, counters and lists of moves exist
/// only on a [`Board`]. [`Board::for_each_child`] makes such positions.
///
/// ```
/// use skewer_movegen::{Board, Child};
///
/// fn mates(position: &Child, depth: u32) -> u64 {
///     let mut count = 0;
///     position.for_each_child(|next| {
///         count += if depth > 1 { mates(next, depth - 1) } else { u64::from(next.is_mate()) };
///     });
///     count
/// }
/// assert_eq!(mates(&Child::from(&Board::STARTPOS), 4), 8);
/// ```
#[derive(Clone, Copy)]
pub struct Child {
    board: LeanBoard,
    turn: Color,
}

/// Calls the method of the inner board for the side to move.
macro_rules! by_turn {
    ($turn:expr, $side:ident => $call:expr) => {
        match $turn {
            Color::White => {
                type $side = White;
                $call
            }
            Color::Black => {
                type $side = Black;
                $call
            }
        }
    };
}

impl Child {
    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// All pieces of a kind, of both sides.
    #[inline]
    pub fn pieces(&self, piece: Piece) -> Bitboard {
        Bitboard(self.board.placement.pieces(piece))
    }

    /// All pieces of a side.
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        Bitboard(self.board.placement.color(color))
    }

    /// The pieces that give check.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        Bitboard(self.board.placement.checkers_and_pinned(self.turn).0)
    }

    /// The pieces of the side to move that are pinned to its king.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        Bitboard(self.board.placement.checkers_and_pinned(self.turn).1)
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// The number of legal moves.
    #[inline]
    pub fn count_legal_moves(&self) -> usize {
        by_turn!(self.turn, S => self.board.count::<S>() as usize)
    }

    /// Whether the side to move is checkmated.
    #[inline]
    pub fn is_mate(&self) -> bool {
        self.in_check() && self.count_legal_moves() == 0
    }

    /// Calls `look` with the position after each legal move.
    #[inline]
    pub fn for_each_child(&self, mut look: impl FnMut(&Self)) {
        let turn = !self.turn;
        by_turn!(self.turn, S => self.board.for_each_child::<S>(|&board| look(&Self { board, turn })));
    }
}

impl From<&Board> for Child {
    fn from(board: &Board) -> Self {
        Self {
            board: board.into(),
            turn: board.turn(),
        }
    }
}

impl core::fmt::Debug for Child {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Child")
            .field("turn", &self.turn)
            .finish_non_exhaustive()
    }
}

impl Board {
    /// Calls `look` with the position after each legal move, made faster than by [`play`](Self::play): see
    /// [`Child`].
    #[inline]
    pub fn for_each_child(&self, look: impl FnMut(&Child)) {
        Child::from(self).for_each_child(look);
    }
}

impl From<&Board> for LeanBoard {
    fn from(board: &Board) -> Self {
        Self {
            placement: board.placement,
            rights: board.rights,
        }
    }
}

/// Plays the moves that it receives.
struct Children<'a, S, F> {
    board: &'a LeanBoard,
    look: F,
    side: PhantomData<S>,
}

impl<S: Side, F: FnMut(&LeanBoard)> Sink for Children<'_, S, F> {
    type Break = Infallible;

    #[inline(always)]
    fn take(&mut self, MoveSet { way, to }: MoveSet) -> ControlFlow<Infallible> {
        let board = self.board;
        for to in to {
            let next = match way {
                Way::Piece(piece, from) => {
                    let mut next = board.after::<S>(from, to, piece);
                    if piece == Piece::King {
                        next.rights &= !S::BACK;
                    }
                    next
                }
                Way::Pawns(delta) => {
                    let mut next = board.after::<S>(origin(to, delta), to, Piece::Pawn);
                    if delta == 2 * S::FORWARD {
                        let target = origin(to, S::FORWARD);
                        let enemy = next.placement.color(S::Opponent::COLOR);
                        let pawns = next.placement.pieces(Piece::Pawn) & enemy;
                        if attacks::pawn_attacks(S::COLOR, target).0 & pawns != 0 {
                            next.rights |= target.bitboard().0;
                        }
                    }
                    next
                }
                Way::Promotions(delta) => {
                    for piece in Piece::PROMOTIONS {
                        (self.look)(&board.after::<S>(origin(to, delta), to, piece));
                    }
                    continue;
                }
                Way::EnPassant(from) => {
                    let mut next = board.after::<S>(from, to, Piece::Pawn);
                    let victim = Square::wrapping(to as u8 ^ 8);
                    next.placement.clear(victim.bitboard().0);
                    next
                }
                Way::Castle(king) => {
                    let mut next = *board;
                    let side = CastlingSide::of(king, to);
                    next.placement.castle(S::COLOR, king, to, side);
                    next.rights &= Bitboard::BACK_RANKS.0 & !S::BACK;
                    next
                }
            };
            (self.look)(&next);
        }
        ControlFlow::Continue(())
    }
}
