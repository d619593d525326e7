//! Moves in sixteen bits, and lists of them.

use core::fmt;
use core::num::NonZeroU16;
use core::ops::{Deref, DerefMut};

use arrayvec::ArrayVec;

use crate::{Piece, Square};

/// The kind of a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveKind {
    /// A piece moves from one square to another and captures what stands there.
    Normal,
    /// A capture en passant.
    EnPassant,
    /// Castling, written as the king taking its own rook.
    Castle,
    /// A pawn promotes to a knight, bishop, rook or queen.
    Promotion(Piece),
}

/// A move in sixteen bits, never zero, so that an `Option<Move>` is sixteen bits as well.
///
/// From the lowest bit: six bits for the origin, six for the target, four for the kind. Castling is
/// stored as king takes rook, because that form is unambiguous in Chess960.
///
/// The text of a move depends on its position, so a move has no `Display`: write it by
/// [`Board::uci`](crate::Board::uci) (castling is `e1g1`) or [`Board::san`](crate::Board::san). `Debug` writes castling
/// as `e1h1`.
///
/// ```
/// use skewer_movegen::{Move, MoveKind, Piece, Square};
///
/// let promotion = Move::promoting(Square::A7, Square::A8, Piece::Queen);
/// assert_eq!(format!("{promotion:?}"), "a7a8q");
/// assert_eq!(promotion.kind(), MoveKind::Promotion(Piece::Queen));
/// assert_eq!(Move::from_bits(promotion.bits()), Some(promotion));
/// assert_eq!(size_of::<Option<Move>>(), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Move(NonZeroU16);

const EN_PASSANT: u16 = 1 << 12;
const CASTLE: u16 = 2 << 12;
/// Kinds 4 to 7 are promotions to knight, bishop, rook and queen.
const PROMOTION: u16 = 4 << 12;
const KIND: u16 = 15 << 12;

impl Move {
    #[inline]
    const fn pack(from: Square, to: Square, kind: u16) -> Self {
        match NonZeroU16::new(from as u16 | (to as u16) << 6 | kind) {
            Some(bits) => Self(bits),
            // Only "a1 to a1", which is not legal anywhere: replaced by "b1 to b1".
            None => Self(NonZeroU16::new(Square::B1 as u16 | (Square::B1 as u16) << 6).unwrap()),
        }
    }

    /// A move that is neither a promotion, nor castling, nor en passant. With `from` equal to `to` it is
    /// never legal.
    #[inline]
    pub const fn normal(from: Square, to: Square) -> Self {
        Self::pack(from, to, 0)
    }

    /// A capture en passant; `to` is the square behind the captured pawn.
    #[inline]
    pub const fn en_passant(from: Square, to: Square) -> Self {
        Self::pack(from, to, EN_PASSANT)
    }

    /// Castling of the king on `king` with the rook on `rook`.
    #[inline]
    pub const fn castle(king: Square, rook: Square) -> Self {
        Self::pack(king, rook, CASTLE)
    }

    /// A promotion to knight, bishop, rook or queen. A pawn or a king as `piece` is taken as a queen.
    #[inline]
    pub const fn promoting(from: Square, to: Square, piece: Piece) -> Self {
        let piece = match piece {
            Piece::Knight => 0,
            Piece::Bishop => 1,
            Piece::Rook => 2,
            Piece::Queen | Piece::Pawn | Piece::King => 3,
        };
        Self::pack(from, to, PROMOTION + (piece << 12))
    }

    /// The origin: the square that the piece leaves.
    #[inline]
    pub const fn from(self) -> Square {
        Square::wrapping((self.0.get() & 63) as u8)
    }

    /// The target: the square that the piece goes to; in castling the square of the rook.
    #[inline]
    pub const fn to(self) -> Square {
        Square::wrapping((self.0.get() >> 6 & 63) as u8)
    }

    /// The kind of the move.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match self.0.get() >> 12 {
            0 => MoveKind::Normal,
            1 => MoveKind::EnPassant,
            2 => MoveKind::Castle,
            4 => MoveKind::Promotion(Piece::Knight),
            5 => MoveKind::Promotion(Piece::Bishop),
            6 => MoveKind::Promotion(Piece::Rook),
            _ => MoveKind::Promotion(Piece::Queen),
        }
    }

    /// The kind to which the pawn promotes, if this is a promotion.
    #[inline]
    pub const fn promotion(self) -> Option<Piece> {
        match self.kind() {
            MoveKind::Promotion(piece) => Some(piece),
            _ => None,
        }
    }

    /// Whether this is a promotion.
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.0.get() >= PROMOTION
    }

    /// Whether the kind is [`MoveKind::Normal`].
    #[inline(always)]
    pub(crate) const fn is_normal(self) -> bool {
        self.0.get() & KIND == 0
    }

    /// Whether this is castling.
    #[inline]
    pub const fn is_castle(self) -> bool {
        self.0.get() & KIND == CASTLE
    }

    /// Whether this is a capture en passant.
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.0.get() & KIND == EN_PASSANT
    }

    /// The sixteen bits, never zero: what a hash table stores.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The inverse of [`bits`](Self::bits); `None` for bits that no move has. The move need not
    /// be legal anywhere: ask [`Board::is_legal`](crate::Board::is_legal).
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        // Kind 3 and kinds 8 to 15 have no meaning.
        if bits >> 12 == 3 || bits >> 12 >= 8 {
            return None;
        }
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }
}

/// Writes a move as UCI text.
pub(crate) fn write_coordinates(
    f: &mut fmt::Formatter<'_>,
    from: Square,
    to: Square,
    promotion: Option<Piece>,
) -> fmt::Result {
    let text = [
        from.file().letter() as u8,
        from.rank().digit() as u8,
        to.file().letter() as u8,
        to.rank().digit() as u8,
        promotion.map_or(0, |piece| b"pnbrqk"[piece.index()]),
    ];
    let length = 4 + usize::from(promotion.is_some());
    f.pad(core::str::from_utf8(&text[..length]).unwrap_or_default())
}

impl fmt::Debug for Move {
    /// The two squares and the promotion, with castling as king takes rook (`e1h1`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_coordinates(f, self.from(), self.to(), self.promotion())
    }
}

/// The capacity of a [`MoveList`]. The largest number known in a reachable position is 218; no
/// position that this crate accepts has more than 400 moves.
///
/// A side has a king and at most 15 other pieces. A sliding piece has at most 27 moves, a pawn 12,
/// a knight 8, a king 8 and two castlings. Each square that is not the side's own can be reached
/// by at most one sliding piece from each of eight directions. So 15 sliding pieces have at most 8
/// x 48 = 384 moves; 14 sliding pieces and a pawn have at most 14 x 27 + 12 = 390. With the 10
/// moves of the king this makes 400.
pub const MAX_MOVES: usize = 400;

/// A list of moves on the stack.
///
/// ```
/// use skewer_movegen::Board;
/// let moves = Board::STARTPOS.legal_moves();
/// assert_eq!(moves.len(), 20);
/// for mv in &moves {
///     println!("{}", Board::STARTPOS.uci(mv));
/// }
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct MoveList(ArrayVec<Move, MAX_MOVES>);

impl MoveList {
    /// An empty list.
    #[inline]
    pub const fn new() -> Self {
        Self(ArrayVec::new_const())
    }

    /// Appends a move.
    ///
    /// # Panics
    ///
    /// When the list is full.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        self.0.push(mv);
    }

    /// Empties the list.
    #[inline]
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Removes the move at `index` and puts the last move in its place.
    ///
    /// # Panics
    ///
    /// When there is no move at `index`.
    #[inline]
    pub fn swap_remove(&mut self, index: usize) -> Move {
        self.0.swap_remove(index)
    }

    /// Keeps the moves for which `keep` is true, in their order.
    #[inline]
    pub fn retain(&mut self, mut keep: impl FnMut(Move) -> bool) {
        self.0.retain(|mv| keep(*mv));
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.0
    }
}

impl DerefMut for MoveList {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.0
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = arrayvec::IntoIter<Move, MAX_MOVES>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = Move;
    type IntoIter = core::iter::Copied<core::slice::Iter<'a, Move>>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().copied()
    }
}

impl FromIterator<Move> for MoveList {
    /// Collects moves.
    ///
    /// # Panics
    ///
    /// When there are more than [`MAX_MOVES`].
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> Self {
        Self(moves.into_iter().collect())
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
