//! What the histories are indexed by.

use skewer_movegen::{Bitboard, Board, Color, Move, Piece};

use super::{PAWN_SLOTS, PIECE_SQUARES, SQUARES};

/// How many plies back the continuation history looks.
pub const CONTINUATIONS: [usize; 4] = [1, 2, 4, 6];

/// 0..12: the kind of a piece and its colour in one number.
#[inline]
pub const fn colored_piece(color: Color, piece: Piece) -> usize {
    color.index() * Piece::COUNT + piece.index()
}

/// The piece that moved and its target square, as an index of the continuation history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContinuationKey(u16);

impl ContinuationKey {
    /// No move: a null move, or one before the root. Its history is always empty.
    pub const NONE: Self = Self(PIECE_SQUARES as u16);

    /// The key of `mv`, which is legal on `board`.
    #[inline]
    pub fn new(board: &Board, mv: Move) -> Self {
        Self(piece_to(board, mv) as u16)
    }

    /// The index inside, 0..=768, the last of them for no move.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The colour of the piece that moved; `None` for no move.
    #[inline]
    pub fn color(self) -> Option<Color> {
        match self.index() / (Piece::COUNT * SQUARES) {
            0 => Some(Color::White),
            1 => Some(Color::Black),
            _ => None,
        }
    }
}

impl Default for ContinuationKey {
    fn default() -> Self {
        Self::NONE
    }
}

/// A move that has been played, with the indices of its histories that are not in the [`MoveContext`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedMove {
    /// The move.
    pub mv: Move,
    /// The piece and its target square.
    pub key: ContinuationKey,
    /// The piece that it captured.
    pub captured: Option<Piece>,
}

impl PlayedMove {
    /// `mv`, which is legal on `board`, before it is played.
    #[inline]
    pub fn new(board: &Board, mv: Move) -> Self {
        Self {
            mv,
            key: ContinuationKey::new(board, mv),
            captured: board.captured(mv),
        }
    }

    /// Whether the move is a capture or a promotion.
    #[inline]
    pub fn is_tactical(&self) -> bool {
        self.captured.is_some() || self.mv.is_promotion()
    }
}

#[inline]
fn piece_to(board: &Board, mv: Move) -> usize {
    colored_piece(board.turn(), board.moved(mv)) * SQUARES + mv.to().index()
}

/// The context of a move: the indices of the histories that do not depend on the move itself.
#[derive(Debug, Clone, Copy)]
pub struct MoveContext {
    /// Squares that the opponent attacks.
    pub attacked: Bitboard,
    /// The moves 1, 2, 4 and 6 plies ago.
    pub continuation: [ContinuationKey; 4],
    /// A hash of the pawns.
    pub pawn_key: u64,
    /// The distance from the root, in plies.
    pub ply: usize,
}

impl MoveContext {
    /// The entry of the pawn history.
    #[inline]
    pub(super) fn pawn_slot(&self) -> usize {
        self.pawn_key as usize % PAWN_SLOTS
    }
}
