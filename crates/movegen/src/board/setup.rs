//! Positions set up by hand: pieces may stand anywhere until `build` checks them.

use core::fmt;

use super::Board;
use super::castling::{CastlingRights, CastlingSide};
use super::placement::Placement;
use crate::{Bitboard, Color, File, Piece, Rank, Square};

/// A position that need not be legal, as a FEN or a board editor describes it.
///
/// ```
/// use skewer_movegen::{Board, Color, Piece, Setup, SetupError, Square};
///
/// let setup = Setup::empty()
///     .with_piece(Square::E1, Color::White, Piece::King)
///     .with_piece(Square::E8, Color::Black, Piece::King)
///     .with_piece(Square::A7, Color::White, Piece::Rook);
/// let board = Board::try_from(setup)?;
/// assert_eq!(board.legal_moves().len(), 19);
///
/// let two_kings = setup.with_piece(Square::E2, Color::White, Piece::King);
/// assert_eq!(Board::try_from(two_kings), Err(SetupError::TooManyKings(Color::White)));
/// # Ok::<(), SetupError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    squares: [Option<(Color, Piece)>; 64],
    /// The side to move.
    pub turn: Color,
    /// The castling rights.
    pub castling: CastlingRights,
    /// The square behind a pawn that has just made two steps.
    pub en_passant: Option<Square>,
    /// Moves of either side since the last capture or move of a pawn.
    pub halfmove_clock: u8,
    /// The number of the move, from 1.
    pub fullmove_number: u16,
}

/// The rule of chess that a [`Setup`] breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SetupError {
    /// A side has no king.
    MissingKing(Color),
    /// A side has two kings or more.
    TooManyKings(Color),
    /// A side has more than sixteen pieces.
    TooManyPieces(Color),
    /// A side has more than eight pawns.
    TooManyPawns(Color),
    /// A side has more pieces than its starting set and its missing pawns allow.
    TooManyPromoted(Color),
    /// A pawn stands on the first or the last rank.
    PawnOnBackRank(Square),
    /// The side that is not to move is in check.
    OpponentInCheck,
    /// A castling right without its king or rook on the squares that it needs.
    InvalidCastling(Color, CastlingSide),
    /// No pawn can just have passed the en passant square by a double step.
    InvalidEnPassant(Square),
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingKing(color) => write!(f, "{color} has no king"),
            Self::TooManyKings(color) => write!(f, "{color} has more than one king"),
            Self::TooManyPieces(color) => write!(f, "{color} has more than sixteen pieces"),
            Self::TooManyPawns(color) => write!(f, "{color} has more than eight pawns"),
            Self::TooManyPromoted(color) => {
                write!(f, "{color} has more promoted pieces than missing pawns")
            }
            Self::PawnOnBackRank(square) => write!(f, "a pawn stands on {square}"),
            Self::OpponentInCheck => f.write_str("the side that is not to move is in check"),
            Self::InvalidCastling(color, side) => {
                let side = if *side == CastlingSide::King {
                    "king"
                } else {
                    "queen"
                };
                write!(
                    f,
                    "{color} cannot castle {side}side: king or rook is not on its square"
                )
            }
            Self::InvalidEnPassant(square) => {
                write!(f, "no pawn can have passed {square} on the last move")
            }
        }
    }
}

impl core::error::Error for SetupError {}

/// What to do with positions that chess programs write, but no game of chess reaches: castling and
/// en passant rights that the position contradicts, more promoted pieces than missing pawns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Strictness {
    /// Report an error.
    Strict,
    /// Drop the rights and accept the pieces, as most programs do.
    Relaxed,
}

impl Setup {
    /// An empty board with White to move.
    pub const fn empty() -> Self {
        Self {
            squares: [None; 64],
            turn: Color::White,
            castling: CastlingRights::NONE,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// The piece on `square`.
    #[inline]
    pub const fn piece_at(&self, square: Square) -> Option<(Color, Piece)> {
        self.squares[square.index()]
    }

    /// Puts a piece on `square`, or empties it.
    #[inline]
    pub const fn set_piece(&mut self, square: Square, piece: Option<(Color, Piece)>) {
        self.squares[square.index()] = piece;
    }

    /// The same with a piece on `square`.
    #[must_use]
    pub const fn with_piece(mut self, square: Square, color: Color, piece: Piece) -> Self {
        self.set_piece(square, Some((color, piece)));
        self
    }

    /// The same with this side to move.
    #[must_use]
    pub const fn with_turn(mut self, turn: Color) -> Self {
        self.turn = turn;
        self
    }

    /// The position, if it is legal.
    ///
    /// Castling and en passant rights that the position contradicts are an error or dropped, and more
    /// promoted pieces than missing pawns are an error or accepted, as `strictness` says. An en passant
    /// square on which no pawn can capture is never an error, because FEN writes it after every double
    /// step.
    ///
    /// # Errors
    ///
    /// The first rule that the position breaks.
    pub fn build(&self, strictness: Strictness) -> Result<Board, SetupError> {
        let mut placement = Placement::EMPTY;
        for square in Square::ALL {
            if let Some((color, piece)) = self.piece_at(square) {
                placement.put(color, piece, square.bitboard().0);
            }
        }
        check_counts(&placement, strictness)?;
        let mut board = Board {
            placement,
            rights: 0,
            key: 0,
            checkers: 0,
            pinned: 0,
            fullmove: self.fullmove_number.max(1),
            halfmove: self.halfmove_clock,
            turn: self.turn,
        };
        let other_king = board.king(!self.turn);
        let attackers = board.attackers_to(other_king, board.occupied());
        if (attackers & board.color(self.turn)).any() {
            return Err(SetupError::OpponentInCheck);
        }
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                let Some(file) = self.castling.rook(color, side) else {
                    continue;
                };
                if self.has_king_and_rook(color, side, file) {
                    let rook = Square::new(file, Rank::First.relative_to(color));
                    board.rights |= rook.bitboard().0;
                } else if strictness == Strictness::Strict {
                    return Err(SetupError::InvalidCastling(color, side));
                }
            }
        }
        board.key = board.compute_key();
        if let Some(square) = self.en_passant {
            if self.may_have_been_passed(square) {
                board.set_en_passant(square);
            } else if strictness == Strictness::Strict {
                return Err(SetupError::InvalidEnPassant(square));
            }
        }
        board.refresh_checks();
        Ok(board)
    }

    /// The rights that the pieces contradict: castling without the king or the rook on its square, and an en
    /// passant square that no pawn can just have passed. [`build`](Self::build) refuses or drops them. An en
    /// passant square on which no pawn can capture is sound: FEN writes the square after every double step.
    ///
    /// ```
    /// use skewer_movegen::{CastlingSide, Color, Setup, SetupError, Strictness};
    ///
    /// let setup = Setup::from_fen("4k3/8/8/8/8/8/8/R3K3 w KQ - 0 1", Strictness::Relaxed)?;
    /// let rights: Vec<_> = setup.impossible_rights().collect();
    /// assert_eq!(rights, [SetupError::InvalidCastling(Color::White, CastlingSide::King)]);
    /// # Ok::<(), skewer_movegen::FenError>(())
    /// ```
    pub fn impossible_rights(&self) -> impl Iterator<Item = SetupError> {
        let sides = Color::ALL
            .into_iter()
            .flat_map(|color| CastlingSide::ALL.map(|side| (color, side)));
        let castling = sides.filter_map(move |(color, side)| {
            let file = self.castling.rook(color, side)?;
            let is_sound = self.has_king_and_rook(color, side, file);
            (!is_sound).then_some(SetupError::InvalidCastling(color, side))
        });
        let passed = self
            .en_passant
            .filter(|&square| !self.may_have_been_passed(square));
        castling.chain(passed.map(SetupError::InvalidEnPassant))
    }

    /// Whether a rook stands on `file` of the back rank, on this side of its king.
    fn has_king_and_rook(&self, color: Color, side: CastlingSide, file: File) -> bool {
        let back = Rank::First.relative_to(color);
        let rook = Square::new(file, back);
        let is_king = |square: &Square| self.piece_at(*square) == Some((color, Piece::King));
        let king = back.bitboard().into_iter().find(is_king);
        self.piece_at(rook) == Some((color, Piece::Rook))
            && king.is_some_and(|king| CastlingSide::of(king, rook) == side)
    }

    /// Whether a pawn of the side that has just moved can have passed `square`.
    fn may_have_been_passed(&self, square: Square) -> bool {
        let them = !self.turn;
        let pawn = Square::wrapping(square as u8 ^ 8);
        let origin = Square::wrapping(square as u8 ^ 24);
        square.rank() == Rank::Third.relative_to(them)
            && self.piece_at(pawn) == Some((them, Piece::Pawn))
            && self.piece_at(square).is_none()
            && self.piece_at(origin).is_none()
    }
}

/// Checks the number of pieces of each kind, and that no pawn stands on a back rank.
fn check_counts(placement: &Placement, strictness: Strictness) -> Result<(), SetupError> {
    for color in Color::ALL {
        let all = placement.color(color);
        let count = |piece| (placement.pieces(piece) & all).count_ones();
        match count(Piece::King) {
            0 => return Err(SetupError::MissingKing(color)),
            1 => {}
            _ => return Err(SetupError::TooManyKings(color)),
        }
        if all.count_ones() > 16 {
            return Err(SetupError::TooManyPieces(color));
        }
        let pawns = count(Piece::Pawn);
        if pawns > 8 {
            return Err(SetupError::TooManyPawns(color));
        }
        let promoted = count(Piece::Knight).saturating_sub(2)
            + count(Piece::Bishop).saturating_sub(2)
            + count(Piece::Rook).saturating_sub(2)
            + count(Piece::Queen).saturating_sub(1);
        if strictness == Strictness::Strict && promoted > 8 - pawns {
            return Err(SetupError::TooManyPromoted(color));
        }
    }
    match Bitboard(placement.pieces(Piece::Pawn) & Bitboard::BACK_RANKS.0).first() {
        Some(square) => Err(SetupError::PawnOnBackRank(square)),
        None => Ok(()),
    }
}

impl Default for Setup {
    /// The start of a game.
    fn default() -> Self {
        Self::from(Board::STARTPOS)
    }
}

impl From<Board> for Setup {
    fn from(board: Board) -> Self {
        let mut setup = Self {
            turn: board.turn(),
            castling: board.castling(),
            en_passant: board.en_passant(),
            halfmove_clock: board.halfmove_clock(),
            fullmove_number: board.fullmove_number(),
            ..Self::empty()
        };
        for square in board.occupied() {
            setup.set_piece(square, board.color_at(square).zip(board.piece_at(square)));
        }
        setup
    }
}

impl TryFrom<Setup> for Board {
    type Error = SetupError;

    /// Builds with [`Strictness::Strict`].
    fn try_from(setup: Setup) -> Result<Self, SetupError> {
        setup.build(Strictness::Strict)
    }
}
