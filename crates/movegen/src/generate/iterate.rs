//! The legal moves without a list: counted, or made one at a time from sets.

use core::fmt;
use core::iter::FusedIterator;

use arrayvec::ArrayVec;

use super::sets::{MoveSet, Sets, Way, origin};
use super::{Board, Stage};
use crate::{Bitboard, Move, Piece, Square};

/// The most sets that a position has: the king, two castlings, one for each other piece, and for pawns two captures
/// and one step to the last rank, two captures and two steps to other ranks, and two captures en passant. A side has
/// fifteen pieces besides its king; one of them is a pawn if pawns move.
const MAX_SETS: usize = 1 + 2 + 14 + 9;

/// The legal moves of a position, without a list of them. See [`Board::moves`].
#[derive(Clone, Copy)]
pub struct Moves<'a> {
    board: &'a Board,
}

impl Board {
    /// The legal moves, in the order of [`legal_moves`](Self::legal_moves), without a list of them: a loop makes one
    /// move after the other, and [`len`](Moves::len) only counts.
    ///
    /// ```
    /// use skewer_movegen::Board;
    ///
    /// fn perft(board: &Board, depth: u32) -> usize {
    ///     let moves = board.moves();
    ///     if depth == 1 {
    ///         return moves.len();
    ///     }
    ///     moves.into_iter().map(|mv| perft(&board.play(mv), depth - 1)).sum()
    /// }
    /// assert_eq!(perft(&Board::STARTPOS, 3), 8_902);
    /// ```
    #[inline]
    pub const fn moves(&self) -> Moves<'_> {
        Moves { board: self }
    }
}

impl<'a> Moves<'a> {
    /// The number of legal moves.
    #[inline]
    pub fn len(self) -> usize {
        self.board.count_legal_moves()
    }

    /// Whether there is no legal move.
    #[inline]
    pub fn is_empty(self) -> bool {
        !self.board.has_legal_moves()
    }

    /// An iterator over the moves.
    #[inline]
    pub fn iter(self) -> MovesIter {
        let mut sets = ArrayVec::new_const();
        let _ = self
            .board
            .generate(Stage::All, &mut Sets(|set| sets.push(set)));
        MovesIter {
            sets: sets.into_iter(),
            to: Bitboard::EMPTY,
            way: Way::Pawns(0),
            promotions: 0,
        }
    }

    /// The position whose moves these are.
    #[inline]
    pub const fn board(self) -> &'a Board {
        self.board
    }
}

impl IntoIterator for Moves<'_> {
    type Item = Move;
    type IntoIter = MovesIter;

    #[inline]
    fn into_iter(self) -> MovesIter {
        self.iter()
    }
}

impl fmt::Debug for Moves<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// An iterator over legal moves, by [`Moves::iter`].
#[derive(Clone, Debug)]
pub struct MovesIter {
    /// The sets of which no move was made yet.
    sets: arrayvec::IntoIter<MoveSet, MAX_SETS>,
    /// The targets that are left of the current set.
    to: Bitboard,
    /// How the moves of the current set are made.
    way: Way,
    /// How many promotions to the first target were already returned.
    promotions: u8,
}

impl MovesIter {
    /// The number of moves to `to`.
    fn count(way: Way, to: Bitboard) -> usize {
        let each = match way {
            Way::Promotions(_) => Piece::PROMOTIONS.len(),
            _ => 1,
        };
        each * to.count() as usize
    }

    #[inline]
    fn make(&mut self, to: Square) -> Move {
        match self.way {
            Way::Piece(_, from) => Move::normal(from, to),
            Way::Pawns(delta) => Move::normal(origin(to, delta), to),
            Way::Promotions(delta) => {
                let piece = Piece::PROMOTIONS[usize::from(self.promotions) & 3];
                self.promotions = (self.promotions + 1) & 3;
                if self.promotions != 0 {
                    self.to = self.to.with(to);
                }
                Move::promoting(origin(to, delta), to, piece)
            }
            Way::EnPassant(from) => Move::en_passant(from, to),
            Way::Castle(king) => Move::castle(king, to),
        }
    }
}

impl Iterator for MovesIter {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        if self.to.is_empty() {
            let set = self.sets.next()?;
            (self.way, self.to) = (set.way, set.to);
        }
        let to = self.to.pop_first()?;
        Some(self.make(to))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let rest: usize = self
            .sets
            .as_slice()
            .iter()
            .map(|set| Self::count(set.way, set.to))
            .sum();
        let count = Self::count(self.way, self.to) - usize::from(self.promotions) + rest;
        (count, Some(count))
    }
}

impl ExactSizeIterator for MovesIter {}

impl FusedIterator for MovesIter {}
