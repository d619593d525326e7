//! Boards without derived data, which are faster to make.

use core::convert::Infallible;
use core::fmt;
use core::marker::PhantomData;
use core::ops::ControlFlow;

use super::Board;
use super::castling::CastlingSide;
use super::placement::Placement;
use crate::generate::{Sink, count, generate, origin, safety};
use crate::side::{Black, Side, White};
use crate::{Bitboard, Color, Move, Piece, Square, attacks};

/// A position without key, checkers, pinned pieces and counters.
///
/// A program that makes very many positions and asks little of each, such as perft, makes them faster
/// with this type than with [`Board`]. [`to_board`](Self::to_board) adds the rest where it is needed.
///
/// ```
/// use skewer_movegen::{Board, LeanBoard};
///
/// fn perft(board: &LeanBoard, depth: u32) -> u64 {
///     if depth == 1 {
///         return board.count_legal_moves() as u64;
///     }
///     let mut nodes = 0;
///     board.for_each_child(|_, next| nodes += perft(next, depth - 1));
///     nodes
/// }
/// assert_eq!(perft(&LeanBoard::from(&Board::STARTPOS), 4), 197_281);
/// ```
#[derive(Clone, Copy)]
pub struct LeanBoard {
    placement: Placement,
    /// As in a board, except that the capture en passant need not be legal.
    rights: u64,
    turn: Color,
}

impl LeanBoard {
    /// The side to move.
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The occupied squares.
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.placement.occupied())
    }

    /// The squares of the pieces of `color`.
    #[inline]
    pub const fn color(&self, color: Color) -> Bitboard {
        Bitboard(self.placement.color(color))
    }

    /// The squares of the pieces of this kind, of both colours.
    #[inline]
    pub const fn pieces(&self, piece: Piece) -> Bitboard {
        Bitboard(self.placement.pieces(piece))
    }

    /// The kind of piece on `square`.
    #[inline]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.placement.piece_at(square)
    }

    /// The colour of the piece on `square`.
    #[inline]
    pub const fn color_at(&self, square: Square) -> Option<Color> {
        self.placement.color_at(square)
    }

    /// The number of legal moves.
    #[inline]
    pub fn count_legal_moves(&self) -> usize {
        let count = match self.turn {
            Color::White => self.count_for::<White>(),
            Color::Black => self.count_for::<Black>(),
        };
        count as usize
    }

    /// Calls `look` with every legal move and the position after it.
    #[inline]
    pub fn for_each_child(&self, look: impl FnMut(Move, &Self)) {
        match self.turn {
            Color::White => self.children_for::<White>(look),
            Color::Black => self.children_for::<Black>(look),
        }
    }

    /// The same position as a [`Board`]. The halfmove clock is 0 and the move number 1.
    pub fn to_board(&self) -> Board {
        let mut board = Board {
            placement: self.placement,
            rights: self.rights & Bitboard::BACK_RANKS.0,
            key: 0,
            checkers: 0,
            pinned: 0,
            fullmove: 1,
            halfmove: 0,
            turn: self.turn,
        };
        board.key = board.compute_key();
        board.refresh_checks();
        if let Some(target) = Bitboard(self.rights & !Bitboard::BACK_RANKS.0).first() {
            board.set_en_passant(target);
        }
        board
    }

    #[inline(always)]
    pub(crate) fn count_for<S: Side>(&self) -> u32 {
        count::count::<S>(&self.placement, self.rights)
    }

    #[inline(always)]
    pub(crate) fn children_for<S: Side>(&self, look: impl FnMut(Move, &Self)) {
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
            turn: S::Opponent::COLOR,
        }
    }
}

impl From<&Board> for LeanBoard {
    fn from(board: &Board) -> Self {
        Self {
            placement: board.placement,
            rights: board.rights,
            turn: board.turn,
        }
    }
}

impl fmt::Debug for LeanBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LeanBoard({})", self.to_board())
    }
}

/// Plays the moves that it receives.
struct Children<'a, S, F> {
    board: &'a LeanBoard,
    look: F,
    side: PhantomData<S>,
}

impl<S: Side, F: FnMut(Move, &LeanBoard)> Sink for Children<'_, S, F> {
    type Break = Infallible;

    #[inline(always)]
    fn piece(&mut self, piece: Piece, from: Square, to: Bitboard) -> ControlFlow<Infallible> {
        for to in to {
            let mut next = self.board.after::<S>(from, to, piece);
            if piece == Piece::King {
                next.rights &= !S::BACK;
            }
            (self.look)(Move::normal(from, to), &next);
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, delta: i8) -> ControlFlow<Infallible> {
        for to in to {
            let from = origin(to, delta);
            let mut next = self.board.after::<S>(from, to, Piece::Pawn);
            if delta == 2 * S::FORWARD {
                let target = origin(to, S::FORWARD);
                let pawns =
                    next.placement.pieces(Piece::Pawn) & next.placement.color(S::Opponent::COLOR);
                if attacks::pawn_attacks(S::COLOR, target).0 & pawns != 0 {
                    next.rights |= target.bitboard().0;
                }
            }
            (self.look)(Move::normal(from, to), &next);
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, delta: i8) -> ControlFlow<Infallible> {
        for to in to {
            let from = origin(to, delta);
            for piece in Piece::PROMOTIONS {
                let next = self.board.after::<S>(from, to, piece);
                (self.look)(Move::promoting(from, to, piece), &next);
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) -> ControlFlow<Infallible> {
        let mut next = self.board.after::<S>(from, to, Piece::Pawn);
        next.placement
            .clear(Square::wrapping(to as u8 ^ 8).bitboard().0);
        (self.look)(Move::en_passant(from, to), &next);
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) -> ControlFlow<Infallible> {
        let mut next = *self.board;
        let side = CastlingSide::of(king, rook);
        let (king_to, rook_to) = (side.king_target(S::COLOR), side.rook_target(S::COLOR));
        let placement = &mut next.placement;
        placement.clear(king.bitboard().0 | rook.bitboard().0);
        placement.put(S::COLOR, Piece::King, king_to.bitboard().0);
        placement.put(S::COLOR, Piece::Rook, rook_to.bitboard().0);
        next.rights &= Bitboard::BACK_RANKS.0 & !S::BACK;
        next.turn = S::Opponent::COLOR;
        (self.look)(Move::castle(king, rook), &next);
        ControlFlow::Continue(())
    }
}
