//! Material signatures such as `KRPvKR`, which name tables.

use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

use skewer_movegen::{Board, Color, Piece};

/// The most pieces, kings included, for which tables exist.
pub const MAX_PIECES: usize = 7;

/// Pieces from the strongest to the weakest, as they are ordered in a name.
const BY_STRENGTH: [Piece; 6] = [
    Piece::King,
    Piece::Queen,
    Piece::Rook,
    Piece::Bishop,
    Piece::Knight,
    Piece::Pawn,
];

/// Bits for the number of pieces of one kind in a [`MaterialKey`].
const COUNT_BITS: u32 = 4;

/// Bits for one side in a [`MaterialKey`]: five kinds besides the king.
const SIDE_BITS: u32 = 5 * COUNT_BITS;

/// The pieces of both sides without their squares, packed into an integer that can be hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct MaterialKey(u64);

impl MaterialKey {
    /// The pieces on a board with at most [`MAX_PIECES`] pieces; White is the first side.
    #[inline]
    pub(crate) fn of(board: &Board) -> Self {
        let side = |color| {
            let count = |piece| u64::from(board.colored(color, piece).count());
            count(Piece::Queen)
                | count(Piece::Rook) << COUNT_BITS
                | count(Piece::Bishop) << (2 * COUNT_BITS)
                | count(Piece::Knight) << (3 * COUNT_BITS)
                | count(Piece::Pawn) << (4 * COUNT_BITS)
        };
        Self(side(Color::White) | side(Color::Black) << SIDE_BITS)
    }

    /// The same pieces with the sides exchanged.
    #[inline]
    pub(crate) fn flipped(self) -> Self {
        let side = (1 << SIDE_BITS) - 1;
        Self((self.0 & side) << SIDE_BITS | self.0 >> SIDE_BITS)
    }
}

/// The pieces of an endgame, as in the name of its table: `KRPvKR`.
///
/// The side named first has more pieces, or stronger ones; it may be White or Black on the board.
///
/// ```
/// use skewer_syzygy::Material;
///
/// let material: Material = "KRPvKR".parse().unwrap();
/// assert_eq!(material.pieces(), 5);
/// assert!(material.has_pawns());
/// // The stronger side is named first.
/// assert!("KRvKRP".parse::<Material>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Material {
    /// For each side, the number of pieces of each kind in the order of `BY_STRENGTH`.
    counts: [[u8; 6]; 2],
}

/// The text is not the name of a material. A name has one king for each side, pieces ordered `KQRBNP`, the side with
/// more or stronger pieces first, and three to seven pieces in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not the name of an endgame such as KRPvKR")]
pub struct ParseMaterialError;

impl Material {
    /// The material on a board; `None` unless it has three to [`MAX_PIECES`] pieces.
    pub fn of(board: &Board) -> Option<Self> {
        let count = |color| {
            BY_STRENGTH.map(|piece| board.colored(color, piece).count().try_into().unwrap_or(0))
        };
        let [white, black] = Color::ALL.map(count);
        Self::new(white, black).or_else(|| Self::new(black, white))
    }

    /// `None` if this is not the material of a table, or the sides are in the wrong order.
    fn new(first: [u8; 6], second: [u8; 6]) -> Option<Self> {
        let total = |side: &[u8; 6]| side.iter().map(|&count| usize::from(count)).sum::<usize>();
        let pieces = total(&first) + total(&second);
        let ordered = (total(&first), first) >= (total(&second), second);
        (first[0] == 1 && second[0] == 1 && ordered && (3..=MAX_PIECES).contains(&pieces))
            .then_some(Self {
                counts: [first, second],
            })
    }

    /// Every material with this number of pieces. Empty unless `pieces` is in
    /// `3..=`[`MAX_PIECES`].
    ///
    /// ```
    /// use skewer_syzygy::Material;
    ///
    /// assert_eq!(Material::with_pieces(3).count(), 5);
    /// assert_eq!(Material::with_pieces(5).count(), 110);
    /// ```
    pub fn with_pieces(pieces: usize) -> impl Iterator<Item = Self> {
        let sides = (1..pieces).map(sides_of).collect::<Vec<_>>();
        let mut all = Vec::new();
        for first in 1..pieces {
            let (firsts, seconds) = (&sides[first - 1], &sides[pieces - first - 1]);
            for &first in firsts {
                all.extend(
                    seconds
                        .iter()
                        .filter_map(|&second| Self::new(first, second)),
                );
            }
        }
        // The strongest first, as they are usually listed.
        all.sort_unstable_by_key(|&material| Reverse(material));
        all.into_iter()
    }

    /// The number of pieces, kings included.
    pub fn pieces(&self) -> usize {
        self.counts
            .iter()
            .flatten()
            .map(|&count| usize::from(count))
            .sum()
    }

    /// Whether either side has a pawn.
    pub fn has_pawns(&self) -> bool {
        self.counts.iter().any(|side| side[5] > 0)
    }

    /// Whether both sides have the same pieces.
    pub fn is_symmetric(&self) -> bool {
        self.counts[0] == self.counts[1]
    }

    /// The number of pieces of this kind. White stands for the side that is named first.
    pub(crate) fn count(&self, color: Color, piece: Piece) -> usize {
        let kind = BY_STRENGTH.iter().position(|&kind| kind == piece);
        kind.map_or(0, |kind| usize::from(self.counts[color.index()][kind]))
    }

    /// The key of a board on which White has the pieces named first.
    pub(crate) fn key(&self) -> MaterialKey {
        let side = |side: &[u8; 6]| {
            (side[1..].iter().rev()).fold(0, |key, &count| key << COUNT_BITS | u64::from(count))
        };
        MaterialKey(side(&self.counts[0]) | side(&self.counts[1]) << SIDE_BITS)
    }
}

/// Every side with this number of pieces, one of which is the king.
fn sides_of(pieces: usize) -> Vec<[u8; 6]> {
    fn fill(kind: usize, left: u8, side: [u8; 6], sides: &mut Vec<[u8; 6]>) {
        let mut side = side;
        if kind == 5 {
            side[5] = left;
            sides.push(side);
            return;
        }
        for count in 0..=left {
            side[kind] = count;
            fill(kind + 1, left - count, side, sides);
        }
    }
    let mut sides = Vec::new();
    if (1..MAX_PIECES).contains(&pieces) {
        fill(1, pieces as u8 - 1, [1, 0, 0, 0, 0, 0], &mut sides);
    }
    sides
}

impl FromStr for Material {
    type Err = ParseMaterialError;

    /// Reads a name such as `KRPvKR`, in upper or lower case.
    fn from_str(name: &str) -> Result<Self, ParseMaterialError> {
        let (first, second) = name.split_once(['v', 'V']).ok_or(ParseMaterialError)?;
        let side = |letters: &str| {
            let mut counts = [0_u8; 6];
            let mut last = 0;
            for letter in letters.chars() {
                let kind = BY_STRENGTH
                    .iter()
                    .position(|piece| piece.letter(Color::White) == letter.to_ascii_uppercase())?;
                if kind < last || letters.len() > MAX_PIECES {
                    return None;
                }
                last = kind;
                counts[kind] += 1;
            }
            Some(counts)
        };
        side(first)
            .zip(side(second))
            .and_then(|(first, second)| Self::new(first, second))
            .ok_or(ParseMaterialError)
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |side: &[u8; 6]| {
            let letters = BY_STRENGTH.iter().zip(side).flat_map(|(piece, &count)| {
                std::iter::repeat_n(piece.letter(Color::White), usize::from(count))
            });
            letters.collect::<String>()
        };
        let [first, second] = &self.counts;
        f.pad(&format!("{}v{}", side(first), side(second)))
    }
}

impl fmt::Debug for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        for name in ["KQvK", "KPvKP", "KBNvK", "KRPvKR", "KQRBNPvK", "KQvKP"] {
            assert_eq!(name.parse::<Material>().unwrap().to_string(), name);
        }
        assert_eq!("kqVkr".parse::<Material>().unwrap().to_string(), "KQvKR");
        for name in [
            "",
            "KQ",
            "KvK",
            "KvKQ",
            "KRvKQ",
            "KPQvK",
            "KQvKv",
            "QKvK",
            "KKvK",
            "KQv",
            "KXvK",
            "KQQQQQQvK",
            "notes",
            "ÄvK",
            "KQvK.rtbw",
        ] {
            assert_eq!(name.parse::<Material>(), Err(ParseMaterialError), "{name}");
        }
    }

    #[test]
    fn the_numbers_of_materials_are_correct() {
        let counts = (2..=8).map(|pieces| Material::with_pieces(pieces).count());
        assert_eq!(counts.collect::<Vec<_>>(), [0, 5, 30, 110, 365, 1001, 0]);
    }

    #[test]
    fn keys_of_boards_and_of_names_agree() {
        let board: Board = "8/8/4k3/8/1r6/8/1QP5/K7 w - - 0 1".parse().unwrap();
        let material = Material::of(&board).unwrap();
        assert_eq!(material.to_string(), "KQPvKR");
        assert_eq!(material.key(), MaterialKey::of(&board));
        let board: Board = "8/8/4K3/8/1R6/8/1qp5/k7 w - - 0 1".parse().unwrap();
        assert_eq!(material.key(), MaterialKey::of(&board).flipped());
        assert_eq!(Material::of(&board), Some(material));
    }
}
