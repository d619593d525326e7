//! The pieces that are en prise: what a capture would win at first sight.
//!
//! The networks of some engines have an input for each pair of an attacker and its target. An input for each piece that
//! is en prise says less, but a move changes only one of them on average.

use skewer_movegen::attacks::Threats;
use skewer_movegen::{Bitboard, Board, Color, Piece, Square};

use crate::Feature;

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
pub struct EnPrise {
    /// A set for each binary digit of the number of the piece, counted from one. Sets of digits are compared faster
    /// than sets of pieces, of which there are ten.
    kinds: [Bitboard; 3],
    /// The black pieces that are en prise.
    black: Bitboard,
}

impl EnPrise {
    /// The pieces of `board` that are en prise.
    #[inline(always)]
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
        let black_in_danger = in_danger(black, &by_black, &by_white);
        let all = in_danger(white, &by_white, &by_black) | black_in_danger;
        let bishops_or_queens = white[2] | black[2] | white[4] | black[4];
        Self {
            kinds: [
                all & (white[0] | black[0] | bishops_or_queens),
                all & (white[1] | black[1] | white[2] | black[2]),
                all & (white[3] | black[3] | white[4] | black[4]),
            ],
            black: black_in_danger,
        }
    }

    /// Where they stand.
    #[inline]
    pub fn squares(&self) -> Bitboard {
        let [one, two, four] = self.kinds;
        one | two | four
    }

    /// The squares on which not the same piece is en prise in `self` and in `other`.
    #[inline(always)]
    pub(super) fn difference(&self, other: &Self) -> Bitboard {
        (self.kinds[0] ^ other.kinds[0])
            | (self.kinds[1] ^ other.kinds[1])
            | (self.kinds[2] ^ other.kinds[2])
            | (self.black ^ other.black)
    }

    /// The piece on `square`, if it is en prise.
    #[inline(always)]
    pub(super) fn feature_at(&self, square: Square) -> Option<Feature> {
        let [one, two, four] = self.kinds;
        let number = usize::from(one.contains(square))
            + 2 * usize::from(two.contains(square))
            + 4 * usize::from(four.contains(square));
        let color = Color::ALL[usize::from(self.black.contains(square))];
        let piece = Piece::ALL.get(number.wrapping_sub(1))?;
        Some(Feature::new(color, *piece, square.index()))
    }
}

/// The pieces of one side that are en prise.
#[inline(always)]
fn in_danger(pieces: &[Bitboard; 6], own: &Threats, other: &Threats) -> Bitboard {
    let [pawns, knights, bishops, rooks, queens, _] = *pieces;
    let minors = knights | bishops;
    let all = pawns | minors | rooks | queens;
    let loose = other.all & !own.all;
    (all & (loose | other.pawns)) | ((rooks | queens) & other.minors) | (queens & other.rooks)
}

#[inline(always)]
fn union(sets: &[Bitboard; 6]) -> Bitboard {
    let [a, b, c, d, e, f] = *sets;
    a | b | c | d | e | f
}
