//! The pieces that are en prise: what a capture would win at first sight.
//!
//! The networks of some engines have an input for each pair of an attacker and its target. An input for each piece that
//! is en prise says less, but a move changes only one of them on average.

use skewer_movegen::attacks::Threats;
use skewer_movegen::{Bitboard, Board, Color};

/// The kinds of pieces that can be en prise: all but the king.
pub(super) const KINDS: usize = 5;

/// The pieces of both sides that are en prise. A piece other than the king is en prise if it is attacked and not
/// defended, if a pawn attacks it, if it is a rook that a knight or a bishop attacks, or if it is a queen that a knight,
/// a bishop or a rook attacks. Pins do not count, nor does the side to move.
///
/// ```
/// use skewer_eval::network::EnPrise;
/// use skewer_movegen::{Board, Square};
///
/// // The pawn on e4 attacks the queen. The queen attacks the pawn, which the knight defends.
/// let board: Board = "rnb1kbnr/ppp1pppp/8/3q4/4P3/2N5/PPP2PPP/R1BQKBNR b KQkq - 0 1".parse()?;
/// assert_eq!(EnPrise::of(&board).squares(), Square::D5.bitboard());
/// # Ok::<(), skewer_movegen::FenError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EnPrise([[Bitboard; KINDS]; 2]);

impl EnPrise {
    /// The pieces of `board` that are en prise.
    #[inline]
    pub fn of(board: &Board) -> Self {
        Self::among(&super::pieces(board))
    }

    /// The pieces that are en prise among these, side by side and kind by kind.
    // Always inlined, and without closures, so that it is compiled to the instructions of the network's kernel.
    #[inline(always)]
    pub fn among(pieces: &[[Bitboard; 6]; 2]) -> Self {
        let [white, black] = pieces;
        let occupied = union(white) | union(black);
        let by_white = Threats::of(white, Color::White, occupied);
        let by_black = Threats::of(black, Color::Black, occupied);
        Self([
            in_danger(white, &by_white, &by_black),
            in_danger(black, &by_black, &by_white),
        ])
    }

    /// The pieces of one kind, by their number among [`KINDS`].
    #[inline(always)]
    pub(super) fn of_kind(&self, color: Color, kind: usize) -> Bitboard {
        self.0[color.index()][kind]
    }

    /// Where they stand.
    #[inline]
    pub fn squares(&self) -> Bitboard {
        let sets = self.0.iter().flatten();
        sets.fold(Bitboard::EMPTY, |sum, &set| sum | set)
    }
}

/// The pieces of one side that are en prise.
#[inline(always)]
fn in_danger(pieces: &[Bitboard; 6], own: &Threats, other: &Threats) -> [Bitboard; KINDS] {
    let loose = other.all & !own.all;
    let [pawns, knights, bishops, rooks, queens, _] = *pieces;
    [
        pawns & (loose | other.pawns),
        knights & (loose | other.pawns),
        bishops & (loose | other.pawns),
        rooks & (loose | other.minors),
        queens & (loose | other.rooks),
    ]
}

#[inline(always)]
fn union(sets: &[Bitboard; 6]) -> Bitboard {
    let [a, b, c, d, e, f] = *sets;
    a | b | c | d | e | f
}
