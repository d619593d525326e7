//! Perft: counting the sequences of legal moves of a given length, to check and time a generator.
//!
//! It runs on placement and rights alone, because keys, checkers, pins and counters are not needed.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::convert::Infallible;
use core::ops::ControlFlow;

#[cfg(feature = "alloc")]
use crate::Move;
use crate::board::castling::CastlingSide;
use crate::board::placement::Placement;
use crate::generate::count::count;
use crate::generate::{Sink, generate, origin, safety};
use crate::side::{Black, Side, White};
use crate::{Bitboard, Board, Color, Piece, Square, attacks};

/// The number of sequences of `depth` legal moves. The moves of the last ply are counted, not
/// made.
///
/// ```
/// use skewer_movegen::{perft, Board};
/// assert_eq!(perft(&Board::STARTPOS, 4), 197_281);
/// ```
pub fn perft(board: &Board, depth: u32) -> u64 {
    let bare = Bare {
        placement: board.placement,
        rights: board.rights,
    };
    match board.turn() {
        Color::White => bare.perft::<White>(depth),
        Color::Black => bare.perft::<Black>(depth),
    }
}

/// The perft of `depth` by root move, in the order of [`Board::legal_moves`]; empty for depth 0.
#[cfg(feature = "alloc")]
pub fn perft_divide(board: &Board, depth: u32) -> Vec<(Move, u64)> {
    let Some(rest) = depth.checked_sub(1) else {
        return Vec::new();
    };
    board
        .legal_moves()
        .iter()
        .map(|mv| (*mv, perft(&board.play(*mv), rest)))
        .collect()
}

/// [`perft_divide`] on rayon's threads.
#[cfg(feature = "parallel")]
pub fn perft_parallel(board: &Board, depth: u32) -> Vec<(Move, u64)> {
    perft_parallel_until(board, depth, || false).unwrap_or_default()
}

/// [`perft_parallel`] that can be stopped: `None` once `stop` returns `true`. It is called every
/// few milliseconds of work on each thread.
#[cfg(feature = "parallel")]
pub fn perft_parallel_until(
    board: &Board,
    depth: u32,
    stop: impl Fn() -> bool + Sync,
) -> Option<Vec<(Move, u64)>> {
    use rayon::prelude::*;

    /// Trees of this depth are counted without looking at `stop`.
    const UNSTOPPABLE_PLIES: u32 = 4;

    fn count(board: &Board, depth: u32, stop: &(impl Fn() -> bool + Sync)) -> Option<u64> {
        if stop() {
            return None;
        }
        if depth <= UNSTOPPABLE_PLIES {
            return Some(perft(board, depth));
        }
        let moves = board.legal_moves();
        let counts = moves
            .par_iter()
            .map(|&mv| count(&board.play(mv), depth - 1, stop));
        counts.sum()
    }

    let Some(rest) = depth.checked_sub(1) else {
        return Some(Vec::new());
    };
    let moves = board.legal_moves();
    let counts = moves
        .par_iter()
        .map(|&mv| Some((mv, count(&board.play(mv), rest, &stop)?)));
    counts.collect()
}

/// [`perft`] with a table of counts of positions seen before; faster from about depth 6, because
/// transpositions are counted once.
///
/// The table holds `entries` counts of 24 bytes each (at least one). Positions are identified by
/// their 64-bit keys: two positions with equal keys would give a wrong count.
///
/// ```
/// use skewer_movegen::{perft_hashed, Board};
/// assert_eq!(perft_hashed(&Board::STARTPOS, 5, 1 << 14), 4_865_609);
/// ```
#[cfg(feature = "alloc")]
pub fn perft_hashed(board: &Board, depth: u32, entries: usize) -> u64 {
    let mut table = alloc::vec![(0, 0, 0); entries.max(1)];
    hashed(board, depth, &mut table)
}

/// Entries are key, depth, count.
#[cfg(feature = "alloc")]
fn hashed(board: &Board, depth: u32, table: &mut [(u64, u32, u64)]) -> u64 {
    if depth < 2 {
        return perft(board, depth);
    }
    // The high bits of key times room: an index without a division.
    let index = ((u128::from(board.key()) * table.len() as u128) >> 64) as usize;
    let (key, known, count) = table[index];
    if key == board.key() && known == depth {
        return count;
    }
    let mut count = 0;
    board.for_each_child(|_, next| count += hashed(next, depth - 1, table));
    table[index] = (board.key(), depth, count);
    count
}

/// A position without key, checkers, pins and counters.
#[derive(Clone, Copy)]
struct Bare {
    placement: Placement,
    /// As in a board, except that en passant need not be legal.
    rights: u64,
}

/// Plays the moves that it receives and sums the perfts of the positions after them.
struct Walk<'a, S: Side> {
    bare: &'a Bare,
    /// The depth left after the move.
    depth: u32,
    nodes: u64,
    side: core::marker::PhantomData<S>,
}

impl Bare {
    fn perft<S: Side>(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => u64::from(count::<S>(&self.placement, self.rights)),
            _ => {
                let mut walk = Walk::<S> {
                    bare: self,
                    depth: depth - 1,
                    nodes: 0,
                    side: core::marker::PhantomData,
                };
                let safety = safety::<S>(&self.placement);
                let _ =
                    generate::<S, _, true, true>(&self.placement, self.rights, &safety, &mut walk);
                walk.nodes
            }
        }
    }

    /// The position after the piece on `from` moves to `to` and becomes `becomes`.
    #[inline(always)]
    fn after<S: Side>(&self, from: Square, to: Square, becomes: Piece) -> Self {
        let mut next = *self;
        let (from, to) = (from.bitboard().0, to.bitboard().0);
        next.placement.clear(from | to);
        next.placement.put(S::COLOR, becomes, to);
        next.rights &= Bitboard::BACK_RANKS.0 & !(from | to);
        next
    }
}

impl<S: Side> Walk<'_, S> {
    #[inline(always)]
    fn descend(&mut self, next: Bare) {
        self.nodes += next.perft::<S::Opponent>(self.depth);
    }
}

impl<S: Side> Sink for Walk<'_, S> {
    type Break = Infallible;

    #[inline(always)]
    fn piece(&mut self, piece: Piece, from: Square, to: Bitboard) -> ControlFlow<Infallible> {
        for to in to {
            let mut next = self.bare.after::<S>(from, to, piece);
            if piece == Piece::King {
                next.rights &= !S::BACK;
            }
            self.descend(next);
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, delta: i8) -> ControlFlow<Infallible> {
        for to in to {
            let mut next = self.bare.after::<S>(origin(to, delta), to, Piece::Pawn);
            if delta == 2 * S::FORWARD {
                let target = origin(to, S::FORWARD);
                let pawns =
                    next.placement.pieces(Piece::Pawn) & next.placement.color(S::Opponent::COLOR);
                if attacks::pawn_attacks(S::COLOR, target).0 & pawns != 0 {
                    next.rights |= target.bitboard().0;
                }
            }
            self.descend(next);
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, delta: i8) -> ControlFlow<Infallible> {
        for to in to {
            for piece in Piece::PROMOTIONS {
                self.descend(self.bare.after::<S>(origin(to, delta), to, piece));
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) -> ControlFlow<Infallible> {
        let mut next = self.bare.after::<S>(from, to, Piece::Pawn);
        next.placement
            .clear(Square::wrapping(to as u8 ^ 8).bitboard().0);
        self.descend(next);
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) -> ControlFlow<Infallible> {
        let mut next = *self.bare;
        let side = CastlingSide::of(king, rook);
        next.placement.clear(king.bitboard().0 | rook.bitboard().0);
        next.placement.put(
            S::COLOR,
            Piece::King,
            side.king_target(S::COLOR).bitboard().0,
        );
        next.placement.put(
            S::COLOR,
            Piece::Rook,
            side.rook_target(S::COLOR).bitboard().0,
        );
        next.rights &= Bitboard::BACK_RANKS.0 & !S::BACK;
        self.descend(next);
        ControlFlow::Continue(())
    }
}
