//! The pieces that are en prise: what a capture would win at first sight.
//!
//! Networks of today's engines have an input for each pair of an attacker and its target, and learn them from thousands
//! of millions of positions. An input for each piece that is en prise says less, but needs fewer positions, and a move
//! changes only one of them on average.

use skewer_movegen::{Bitboard, Color, Piece, attacks};

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
    pub fn of(board: &skewer_movegen::Board) -> Self {
        Self::among(&super::pieces(board))
    }

    /// The pieces that are en prise among these, side by side and kind by kind.
    // Always inlined, into the instructions that the network's arithmetic is compiled to, and without closures, which
    // the compiler would leave outside.
    #[inline(always)]
    pub fn among(pieces: &[[Bitboard; 6]; 2]) -> Self {
        let [white, black] = pieces;
        let occupied = union(white) | union(black);
        let by_white = Attacks::of(white, Color::White, occupied);
        let by_black = Attacks::of(black, Color::Black, occupied);
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
fn in_danger(pieces: &[Bitboard; 6], own: &Attacks, other: &Attacks) -> [Bitboard; KINDS] {
    let minor = other.by_pawns | (other.all & !own.all);
    let rook = minor | other.by_minors;
    let queen = rook | other.by_rooks;
    let [pawns, knights, bishops, rooks, queens, _] = *pieces;
    [
        pawns & minor,
        knights & minor,
        bishops & minor,
        rooks & rook,
        queens & queen,
    ]
}

#[inline(always)]
fn union(sets: &[Bitboard; 6]) -> Bitboard {
    let [a, b, c, d, e, f] = *sets;
    a | b | c | d | e | f
}

/// The squares that one side attacks.
struct Attacks {
    by_pawns: Bitboard,
    by_minors: Bitboard,
    by_rooks: Bitboard,
    all: Bitboard,
}

impl Attacks {
    #[inline(always)]
    fn of(pieces: &[Bitboard; 6], color: Color, occupied: Bitboard) -> Self {
        let [pawns, knights, bishops, rooks, queens, kings] = *pieces;
        let by_pawns = pawn_attacks(pawns, color);
        let by_minors = attacked_by(Piece::Knight, knights, occupied)
            | attacked_by(Piece::Bishop, bishops, occupied);
        let by_rooks = attacked_by(Piece::Rook, rooks, occupied);
        let by_queens = attacked_by(Piece::Queen, queens, occupied);
        let by_king = attacked_by(Piece::King, kings, occupied);
        Self {
            by_pawns,
            by_minors,
            by_rooks,
            all: by_pawns | by_minors | by_rooks | by_queens | by_king,
        }
    }
}

/// The squares that pieces of a kind other than pawns attack.
#[inline(always)]
fn attacked_by(piece: Piece, pieces: Bitboard, occupied: Bitboard) -> Bitboard {
    let mut attacked = Bitboard::EMPTY;
    for square in pieces {
        attacked |= attacks::piece_attacks(piece, Color::White, square, occupied);
    }
    attacked
}

/// The squares that `color`'s pawns attack.
#[inline(always)]
fn pawn_attacks(pawns: Bitboard, color: Color) -> Bitboard {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    let (queen_side, king_side) = (pawns.0 & !FILE_A, pawns.0 & !(FILE_A << 7));
    Bitboard(match color {
        Color::White => queen_side << 7 | king_side << 9,
        Color::Black => queen_side >> 9 | king_side >> 7,
    })
}
