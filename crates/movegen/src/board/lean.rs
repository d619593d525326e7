//! Boards without derived data, which are faster to make.

use core::convert::Infallible;
use core::marker::PhantomData;
use core::ops::ControlFlow;

use super::Board;
use super::castling::CastlingSide;
use super::placement::Placement;
use crate::generate::{MoveSet, Sink, Way, count, generate, origin, safety};
use crate::side::Side;
use crate::{Bitboard, Piece, Square, attacks};

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
