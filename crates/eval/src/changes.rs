//! The features that a move changes: the coloured pieces that leave a square or arrive on one.

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

/// The features that a move removes and adds: at most two of each.
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
    #[inline(always)]
    pub fn of(board: &Board, mv: Move) -> Self {
        if mv.kind() != MoveKind::Normal {
            return Self::of_special(board, mv);
        }
        let us = board.turn();
        let moved = board.moved(mv);
        let (from, to) = (mv.from().index(), mv.to().index());
        let captured = board.piece_at(mv.to());
        Self {
            added: [Feature::new(us, moved, to), Feature::default()],
            removed: [
                Feature::new(us, moved, from),
                captured.map_or_else(Feature::default, |piece| Feature::new(!us, piece, to)),
            ],
            added_len: 1,
            removed_len: 1 + u8::from(captured.is_some()),
        }
    }

    /// The changes of castling, a promotion or a capture en passant.
    #[cold]
    #[inline(never)]
    fn of_special(board: &Board, mv: Move) -> Self {
        let us = board.turn();
        let (from, to) = (mv.from().index(), mv.to().index());
        if mv.is_castle() {
            let side = CastlingSide::of(mv.from(), mv.to());
            return Self {
                added: [
                    Feature::new(us, Piece::King, side.king_target(us).index()),
                    Feature::new(us, Piece::Rook, side.rook_target(us).index()),
                ],
                removed: [
                    Feature::new(us, Piece::King, from),
                    Feature::new(us, Piece::Rook, to),
                ],
                added_len: 2,
                removed_len: 2,
            };
        }
        let arrives = mv.promotion().unwrap_or(Piece::Pawn);
        let captured = if mv.is_en_passant() {
            Some(Feature::new(!us, Piece::Pawn, to ^ 8))
        } else {
            let captured = board.piece_at(mv.to());
            captured.map(|piece| Feature::new(!us, piece, to))
        };
        Self {
            added: [Feature::new(us, arrives, to), Feature::default()],
            removed: [
                Feature::new(us, Piece::Pawn, from),
                captured.unwrap_or_default(),
            ],
            added_len: 1,
            removed_len: 1 + u8::from(captured.is_some()),
        }
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
