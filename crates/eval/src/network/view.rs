//! How a side sees the board: from its own back rank, mirrored so that its king stands on the
//! queen's wing, and through the inputs of its king's region.

use skewer_movegen::{Board, Color};

use crate::Feature;

/// Regions of the king that can have inputs of their own.
pub const KING_BUCKETS: usize = 6;

/// The region of the king for files a to d of its mirrored board, from its back rank up: the squares of
/// the back rank, where kings stand most, the second rank, and everything further up.
const REGIONS: [[u8; 4]; 8] = [
    [0, 1, 2, 3],
    [4, 4, 4, 4],
    [5, 5, 5, 5],
    [5, 5, 5, 5],
    [5, 5, 5, 5],
    [5, 5, 5, 5],
    [5, 5, 5, 5],
    [5, 5, 5, 5],
];

/// How a side sees the board. Two positions in which a side has the same view share its inputs, so its accumulator
/// can be updated incrementally.
///
/// ```
/// use skewer_eval::{Feature, network::View};
/// use skewer_movegen::{Color, Piece, Square};
///
/// let own = Feature::new(Color::Black, Piece::Pawn, 48); // Black's pawn on a7
/// let queen_side = View::of_king(Square::C8, Color::Black, 1);
/// assert_eq!(queen_side.input(own, Color::Black), 8); // is "my pawn on a2"
/// let king_side = View::of_king(Square::G8, Color::Black, 1);
/// assert_eq!(king_side.input(own, Color::Black), 15); // or h2, when the king is on the other wing
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct View(u8);

/// The views of a king on each square, as its own side sees the square.
type Views = [View; 64];

/// The views of networks with one king bucket, and of networks with several.
static VIEWS: [Views; 2] = [views(1), views(KING_BUCKETS)];

const fn views(king_buckets: usize) -> Views {
    let mut views = [View(0); 64];
    let mut square = 0;
    while square < 64 {
        let (rank, file) = (square / 8, square % 8);
        let mirrored = file >= 4;
        let half = if mirrored { 7 - file } else { file };
        let bucket = if king_buckets == 1 {
            0
        } else {
            REGIONS[rank][half]
        };
        views[square] = View(bucket << 1 | mirrored as u8);
        square += 1;
    }
    views
}

impl View {
    /// Every [`index`](Self::index) is below this power of two, which makes it cheap to check.
    pub const COUNT: usize = (2 * KING_BUCKETS).next_power_of_two();

    /// The view of `side` with its king on this square, in a network with `king_buckets` king buckets.
    #[inline]
    pub fn of_king(king: skewer_movegen::Square, side: Color, king_buckets: usize) -> Self {
        let views = &VIEWS[usize::from(king_buckets > 1)];
        views[king.index() ^ side.fold(0, 0x38)]
    }

    /// The view of `side` of this board.
    #[inline]
    pub(super) fn of(board: &Board, side: Color, king_buckets: usize) -> Self {
        Self::of_king(board.king(side), side, king_buckets)
    }

    /// The number of the view, below [`COUNT`](Self::COUNT).
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize % Self::COUNT
    }

    /// The region of the king: the view's inputs begin at this many times [`Feature::COUNT`].
    #[inline]
    pub const fn king_bucket(self) -> usize {
        self.index() >> 1
    }

    /// Whether the king stands on the king's wing, so that the side sees the board mirrored.
    #[inline]
    pub const fn is_mirrored(self) -> bool {
        self.0 & 1 != 0
    }

    /// The input that a feature is for `side`: its own pieces first, its own back rank first,
    /// and its king on the queen's wing. A network is trained with this numbering.
    #[inline]
    pub const fn input(self, feature: Feature, side: Color) -> usize {
        self.king_bucket() * Feature::COUNT + self.seen(feature, side)
    }

    /// The same number in a network with one king bucket. The input of a piece that is en prise is this many inputs
    /// after the first, [`Architecture::piece_inputs`](super::Architecture::piece_inputs).
    #[inline]
    pub const fn seen(self, feature: Feature, side: Color) -> usize {
        let seen = match side {
            Color::White => feature,
            Color::Black => feature.color_flipped(),
        };
        if self.is_mirrored() {
            seen.mirrored().index()
        } else {
            seen.index()
        }
    }
}

#[cfg(test)]
mod tests {
    use skewer_movegen::Square;

    use super::*;

    #[test]
    fn kings_of_one_region_share_a_view_and_wings_do_not() {
        let view = |king, side| View::of_king(king, side, KING_BUCKETS);
        assert_eq!(
            view(Square::G1, Color::White),
            view(Square::G8, Color::Black)
        );
        assert_eq!(
            view(Square::G2, Color::White),
            view(Square::H2, Color::White)
        );
        for square in [Square::F1, Square::H1, Square::G2] {
            assert_ne!(view(Square::G1, Color::White), view(square, Color::White));
        }
        assert_ne!(
            view(Square::G1, Color::White),
            view(Square::B1, Color::White)
        );
        assert_eq!(
            view(Square::B1, Color::White).king_bucket(),
            view(Square::G1, Color::White).king_bucket()
        );
        let mut seen = [false; View::COUNT];
        for square in Square::ALL {
            seen[view(square, Color::Black).index()] = true;
            assert_eq!(View::of_king(square, Color::White, 1).king_bucket(), 0);
        }
        assert_eq!(seen[..2 * KING_BUCKETS], [true; 2 * KING_BUCKETS]);
    }
}
