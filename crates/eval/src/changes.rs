//! What a move changes, as features: which coloured pieces leave which squares and which arrive.

use skewer_movegen::{Board, CastlingSide, Color, Move, MoveKind, Piece};

/// A coloured piece on a square as one number below [`Feature::COUNT`]:
/// `colour * 384 + piece * 64 + square`, white and A1 first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Feature(u16);

impl Feature {
    /// How many features there are.
    pub const COUNT: usize = 768;

    /// The feature of `color`'s `piece` on the square with this index (0..=63, A1 = 0).
    #[inline]
    pub const fn new(color: Color, piece: Piece, square: usize) -> Self {
        Self((color as usize * 384 + piece as usize * 64 + (square & 63)) as u16)
    }

    /// The number itself, below [`Feature::COUNT`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The same feature with the colours exchanged and the board turned upside down.
    #[inline]
    pub const fn color_flipped(self) -> Self {
        let other = if self.0 >= 384 {
            self.0 - 384
        } else {
            self.0 + 384
        };
        Self(other ^ 0x38)
    }

    /// The same feature with the board mirrored, queen's side to king's side.
    #[inline]
    pub const fn mirrored(self) -> Self {
        Self(self.0 ^ 7)
    }
}

/// The features that a move takes from the board and those that it adds: at most two of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Changes {
    added: [Feature; 2],
    removed: [Feature; 2],
    added_len: u8,
    removed_len: u8,
}

impl Changes {
    /// The changes of `mv`, a legal move of `board`.
    ///
    /// ```
    /// use skewer_eval::Changes;
    /// use skewer_movegen::Board;
    ///
    /// let board = Board::STARTPOS;
    /// let e4 = board.parse_uci("e2e4").unwrap();
    /// let changes = Changes::of(&board, e4);
    /// assert_eq!((changes.added().len(), changes.removed().len()), (1, 1));
    /// ```
    #[inline]
    pub fn of(board: &Board, mv: Move) -> Self {
        let us = board.turn();
        let (from, to) = (mv.from().index(), mv.to().index());
        let mut changes = Self::default();
        match mv.kind() {
            MoveKind::Castle => {
                let side = CastlingSide::of(mv.from(), mv.to());
                changes.removed = [
                    Feature::new(us, Piece::King, from),
                    Feature::new(us, Piece::Rook, to),
                ];
                changes.added = [
                    Feature::new(us, Piece::King, side.king_target(us).index()),
                    Feature::new(us, Piece::Rook, side.rook_target(us).index()),
                ];
                changes.removed_len = 2;
                changes.added_len = 2;
            }
            kind => {
                let moved = board.moved(mv);
                let arrives = if let MoveKind::Promotion(piece) = kind {
                    piece
                } else {
                    moved
                };
                changes.removed[0] = Feature::new(us, moved, from);
                changes.added[0] = Feature::new(us, arrives, to);
                changes.removed_len = 1;
                changes.added_len = 1;
                if kind == MoveKind::EnPassant {
                    changes.removed[1] = Feature::new(!us, Piece::Pawn, to ^ 8);
                    changes.removed_len = 2;
                } else if let Some(captured) = board.piece_at(mv.to()) {
                    changes.removed[1] = Feature::new(!us, captured, to);
                    changes.removed_len = 2;
                }
            }
        }
        changes
    }

    /// The features that arrive.
    #[inline]
    pub fn added(&self) -> &[Feature] {
        &self.added[..usize::from(self.added_len & 3).min(2)]
    }

    /// The features that leave.
    #[inline]
    pub fn removed(&self) -> &[Feature] {
        &self.removed[..usize::from(self.removed_len & 3).min(2)]
    }
}

/// Every feature of `board`.
pub(crate) fn features(board: &Board) -> impl Iterator<Item = Feature> + '_ {
    Color::ALL.into_iter().flat_map(move |color| {
        Piece::ALL.into_iter().flat_map(move |piece| {
            board
                .colored(color, piece)
                .into_iter()
                .map(move |square| Feature::new(color, piece, square.index()))
        })
    })
}
