//! A chess position.

pub(crate) mod castling;
mod check;
pub(crate) mod fen;
mod lean;
mod make;
mod mirror;
pub(crate) mod placement;
mod scharnagl;
pub(crate) mod setup;

use core::fmt;

use self::castling::CastlingRights;
use self::placement::Placement;
use crate::{Bitboard, Color, Move, MoveKind, Piece, Square, generate};

pub use self::lean::Child;
pub(crate) use self::lean::LeanBoard;
pub use self::make::IllegalMoveError;
pub use self::scharnagl::Scharnagl;

/// A legal position: pieces, side to move, castling rights, en passant square and counters.
///
/// A `Board` is small and `Copy`; [`play`](Self::play) returns the position after a move and leaves
/// this one unchanged. Checkers, pinned pieces and the Zobrist key are stored with it.
///
/// Equality compares everything, counters included; [`same_position`](Self::same_position)
/// compares as the repetition rule does.
///
/// ```
/// use skewer_movegen::{Board, Color, Piece, Square};
///
/// let board: Board = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 2 4".parse()?;
/// assert_eq!(board.turn(), Color::White);
/// assert_eq!(board.piece_at(Square::F3), Some(Piece::Queen));
///
/// let mate = board.parse_san("Qxf7#").unwrap();
/// let after = board.play(mate);
/// assert!(after.in_check() && !after.has_legal_moves());
/// # Ok::<(), skewer_movegen::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    pub(crate) placement: Placement,
    /// Rooks that may still castle, on the back ranks, and the target square of a legal en
    /// passant capture, on the third or sixth.
    pub(crate) rights: u64,
    key: u64,
    checkers: u64,
    pinned: u64,
    fullmove: u16,
    halfmove: u8,
    turn: Color,
}

impl Board {
    /// The starting position of standard chess.
    pub const STARTPOS: Self = Self::starting_position();

    const fn starting_position() -> Self {
        const BACK: [Piece; 8] = [
            Piece::Rook,
            Piece::Knight,
            Piece::Bishop,
            Piece::Queen,
            Piece::King,
            Piece::Bishop,
            Piece::Knight,
            Piece::Rook,
        ];
        let mut placement = Placement::EMPTY;
        let mut file = 0;
        while file < 8 {
            placement.put(Color::White, BACK[file], 1 << file);
            placement.put(Color::White, Piece::Pawn, 1 << (8 + file));
            placement.put(Color::Black, Piece::Pawn, 1 << (48 + file));
            placement.put(Color::Black, BACK[file], 1 << (56 + file));
            file += 1;
        }
        let mut board = Self {
            placement,
            rights: 0x8100_0000_0000_0081,
            key: 0,
            checkers: 0,
            pinned: 0,
            fullmove: 1,
            halfmove: 0,
            turn: Color::White,
        };
        board.key = board.compute_key();
        board
    }

    /// The side to move.
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The occupied squares.
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.placement.occupied())
    }

    /// The squares of the pieces of `color`.
    #[inline]
    pub const fn color(&self, color: Color) -> Bitboard {
        Bitboard(self.placement.color(color))
    }

    /// The squares of the pieces of this kind, of both colours.
    #[inline]
    pub const fn pieces(&self, piece: Piece) -> Bitboard {
        Bitboard(self.placement.pieces(piece))
    }

    /// The squares of the pieces of this colour and kind.
    #[inline]
    pub const fn colored(&self, color: Color, piece: Piece) -> Bitboard {
        Bitboard(self.placement.color(color) & self.placement.pieces(piece))
    }

    /// The kind of the piece on `square`. For its colour too, see [`colored_piece_at`](Self::colored_piece_at).
    #[inline]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.placement.piece_at(square)
    }

    /// The piece on `square`: its colour and its kind.
    ///
    /// ```
    /// use skewer_movegen::{Board, Color, Piece, Square};
    ///
    /// let board = Board::STARTPOS;
    /// assert_eq!(board.colored_piece_at(Square::D8), Some((Color::Black, Piece::Queen)));
    /// assert_eq!(board.colored_piece_at(Square::D5), None);
    /// ```
    #[inline]
    pub const fn colored_piece_at(&self, square: Square) -> Option<(Color, Piece)> {
        match (self.color_at(square), self.piece_at(square)) {
            (Some(color), Some(piece)) => Some((color, piece)),
            _ => None,
        }
    }

    /// The colour of the piece on `square`.
    #[inline]
    pub const fn color_at(&self, square: Square) -> Option<Color> {
        self.placement.color_at(square)
    }

    /// Where the king of `color` stands.
    #[inline]
    pub const fn king(&self, color: Color) -> Square {
        let king = self.placement.pieces(Piece::King) & self.placement.color(color);
        // Every board has both kings.
        Square::wrapping(king.trailing_zeros() as u8)
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub const fn checkers(&self) -> Bitboard {
        Bitboard(self.checkers)
    }

    /// The pieces of the side to move that are pinned to their king.
    #[inline]
    pub const fn pinned(&self) -> Bitboard {
        Bitboard(self.pinned)
    }

    /// Whether the side to move is in check.
    #[inline]
    pub const fn in_check(&self) -> bool {
        self.checkers != 0
    }

    /// The square that a pawn has just passed by a double step, if a legal capture en passant
    /// goes there.
    #[inline]
    pub const fn en_passant(&self) -> Option<Square> {
        Bitboard(self.rights & !Bitboard::BACK_RANKS.0).first()
    }

    /// The castling rights.
    pub fn castling(&self) -> CastlingRights {
        CastlingRights::from_rooks(
            self.castling_rooks(),
            [self.king(Color::White), self.king(Color::Black)],
        )
    }

    /// The rooks that may still castle.
    #[inline]
    pub const fn castling_rooks(&self) -> Bitboard {
        Bitboard(self.rights & Bitboard::BACK_RANKS.0)
    }

    /// Moves of either side since the last capture or move of a pawn; stops at 255.
    #[inline]
    pub const fn halfmove_clock(&self) -> u8 {
        self.halfmove
    }

    /// The number of the move as FEN counts: 1 at the start, incremented after each move of
    /// Black; stops at 65,535.
    #[inline]
    pub const fn fullmove_number(&self) -> u16 {
        self.fullmove
    }

    /// The Zobrist key of pieces, side to move, castling rights and legal en passant. The counters
    /// are not part of it.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// Whether the repetition rule counts the positions as the same: equal pieces, side to move,
    /// castling rights and legal en passant.
    #[inline]
    pub fn same_position(&self, other: &Self) -> bool {
        self.key == other.key
            && self.placement == other.placement
            && self.rights == other.rights
            && self.turn == other.turn
    }

    /// The kind of piece that `mv` moves. For an (illegal) move from an empty square, a pawn.
    #[inline]
    pub const fn moved(&self, mv: Move) -> Piece {
        match self.piece_at(mv.from()) {
            Some(piece) => piece,
            None => Piece::Pawn,
        }
    }

    /// The kind of piece that a legal move captures.
    #[inline]
    pub const fn captured(&self, mv: Move) -> Option<Piece> {
        match mv.kind() {
            MoveKind::Castle => None,
            MoveKind::EnPassant => Some(Piece::Pawn),
            MoveKind::Normal | MoveKind::Promotion(_) => self.piece_at(mv.to()),
        }
    }

    /// Whether a legal move is a capture, en passant included.
    #[inline]
    pub const fn is_capture(&self, mv: Move) -> bool {
        mv.is_en_passant() || (!mv.is_castle() && self.occupied().contains(mv.to()))
    }

    /// The pieces of both colours that attack `square` when `occupied` squares stop sliders. Pieces
    /// outside `occupied` still count as attackers; mask the result to leave them out.
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        Bitboard(self.placement.attackers_to(square, occupied.0))
    }

    /// Every square that `color` attacks when `occupied` squares stop sliders. Squares of its
    /// own pieces count if they are defended.
    pub fn attacks_by(&self, color: Color, occupied: Bitboard) -> Bitboard {
        Bitboard(generate::attacks_by(&self.placement, color, occupied.0))
    }

    /// The material of both sides in pawns: a pawn counts 1, a knight and a bishop 3, a rook 5, a queen 9. The starting
    /// position has 78.
    ///
    /// ```
    /// use skewer_movegen::Board;
    /// assert_eq!(Board::default().material(), 78);
    /// let board: Board = "4k3/8/8/8/8/8/4P3/3RK3 w - - 0 1".parse()?;
    /// assert_eq!(board.material(), 6);
    /// # Ok::<(), skewer_movegen::FenError>(())
    /// ```
    pub fn material(&self) -> u32 {
        let count = |piece| self.pieces(piece).count();
        count(Piece::Pawn)
            + 3 * (count(Piece::Knight) + count(Piece::Bishop))
            + 5 * count(Piece::Rook)
            + 9 * count(Piece::Queen)
    }

    /// Whether the material rules out mate by any sequence of legal moves: bare kings, a single
    /// knight or bishop beside them, or only bishops on squares of one colour.
    ///
    /// ```
    /// use skewer_movegen::Board;
    /// let board: Board = "8/8/4k1b1/8/8/4B3/3K4/8 w - - 0 1".parse()?;
    /// assert!(!board.is_insufficient_material()); // bishops on both colours can help to mate
    /// # Ok::<(), skewer_movegen::FenError>(())
    /// ```
    #[inline]
    pub fn is_insufficient_material(&self) -> bool {
        let mating =
            self.pieces(Piece::Pawn) | self.pieces(Piece::Rook) | self.pieces(Piece::Queen);
        if mating.any() {
            return false;
        }
        let (knights, bishops) = (self.pieces(Piece::Knight), self.pieces(Piece::Bishop));
        if knights.any() {
            return bishops.is_empty() && knights.is_single();
        }
        bishops.is_subset(Bitboard::LIGHT) || bishops.is_subset(Bitboard::DARK)
    }
}

impl Default for Board {
    /// The starting position of standard chess.
    fn default() -> Self {
        Self::STARTPOS
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({self})")
    }
}
