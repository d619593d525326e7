//! What one side attacks, by the strength of the attacker.

use super::{king_attacks, knight_attacks};
use crate::{Bitboard, Color, File};

/// The squares that one side attacks, by the strength of the attacker. Squares of its own pieces count, too, if they
/// are defended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Threats {
    /// Squares attacked by pawns.
    pub pawns: Bitboard,
    /// Squares attacked by pawns, knights and bishops.
    pub minors: Bitboard,
    /// Squares attacked by pawns, knights, bishops and rooks.
    pub rooks: Bitboard,
    /// Squares attacked by anything.
    pub all: Bitboard,
}

impl Threats {
    /// What `pieces` of `color`, a set for each [`Piece`](crate::Piece), attack when `occupied` squares stop sliders.
    ///
    /// ```
    /// use skewer_movegen::{Board, Color, Piece, Square, attacks::Threats};
    ///
    /// let board = Board::STARTPOS;
    /// let pieces = Piece::ALL.map(|piece| board.colored(Color::White, piece));
    /// let threats = Threats::of(&pieces, Color::White, board.occupied());
    /// assert!(threats.pawns.contains(Square::E3) && !threats.all.contains(Square::E4));
    /// assert_eq!(threats.all, board.attacks_by(Color::White, board.occupied()));
    /// ```
    // Always inlined, so that a caller with other vector instructions has the loops compiled to them.
    #[inline(always)]
    pub fn of(pieces: &[Bitboard; 6], color: Color, occupied: Bitboard) -> Self {
        let [pawns, knights, bishops, rooks, queens, kings] = *pieces;
        let slides = slides([bishops, rooks, queens], occupied);
        let pawns = pawns_attack(pawns, color);
        let mut minors = pawns | slides[0];
        for square in knights {
            minors |= knight_attacks(square);
        }
        let rooks = minors | slides[1];
        let mut all = rooks | slides[2];
        for square in kings {
            all |= king_attacks(square);
        }
        Self {
            pawns,
            minors,
            rooks,
            all,
        }
    }
}

/// The squares that bishops, rooks and queens attack: all of a kind at once.
#[cfg(target_feature = "avx2")]
#[inline(always)]
fn slides([bishops, rooks, queens]: [Bitboard; 3], occupied: Bitboard) -> [Bitboard; 3] {
    use crate::lanes::quads::{Lanes, axes};

    let apart = Lanes::fill(axes(rooks.0, bishops.0), !occupied.0);
    let queens = Lanes::fill(axes(queens.0, queens.0), !occupied.0);
    let [rooks, bishops] = apart.by_line();
    [Bitboard(bishops), Bitboard(rooks), Bitboard(queens.any())]
}

/// The squares that bishops, rooks and queens attack, piece by piece.
#[cfg(not(target_feature = "avx2"))]
#[inline(always)]
fn slides([bishops, rooks, queens]: [Bitboard; 3], occupied: Bitboard) -> [Bitboard; 3] {
    let mut attacked = [Bitboard::EMPTY; 3];
    for square in bishops {
        attacked[0] |= super::bishop_attacks(square, occupied);
    }
    for square in rooks {
        attacked[1] |= super::rook_attacks(square, occupied);
    }
    for square in queens {
        attacked[2] |= super::queen_attacks(square, occupied);
    }
    attacked
}

/// The squares that `pawns` of one colour attack, all at once.
#[inline(always)]
fn pawns_attack(pawns: Bitboard, by: Color) -> Bitboard {
    let left = pawns.0 & !File::A.bitboard().0;
    let right = pawns.0 & !File::H.bitboard().0;
    Bitboard(match by {
        Color::White => left << 7 | right << 9,
        Color::Black => left >> 9 | right >> 7,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Piece, Square, attacks};

    /// Whichever of the two functions for sliders the build has.
    #[test]
    fn threats_are_the_attacks_of_the_single_pieces() {
        let mut rng = fastrand::Rng::with_seed(13);
        for _ in 0..2_000 {
            let mut pieces = [Bitboard::EMPTY; 6];
            let mut occupied = Bitboard(rng.u64(..) & rng.u64(..));
            for square in Square::ALL {
                if rng.u8(..) < 50 {
                    pieces[rng.usize(..6)] |= square.bitboard();
                    occupied |= square.bitboard();
                }
            }
            for color in Color::ALL {
                let by = |kinds: &[Piece]| {
                    let mut set = Bitboard::EMPTY;
                    for &kind in kinds {
                        for from in pieces[kind.index()] {
                            set |= attacks::piece_attacks(kind, color, from, occupied);
                        }
                    }
                    set
                };
                let expected = Threats {
                    pawns: by(&Piece::ALL[..1]),
                    minors: by(&Piece::ALL[..3]),
                    rooks: by(&Piece::ALL[..4]),
                    all: by(&Piece::ALL),
                };
                assert_eq!(Threats::of(&pieces, color, occupied), expected);
            }
        }
    }
}
