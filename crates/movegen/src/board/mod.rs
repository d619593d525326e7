//! A position of chess: what it holds and what can be asked of it.

pub(crate) mod castling;
mod check;
pub(crate) mod fen;
mod make;
pub(crate) mod men;
mod scharnagl;
pub(crate) mod setup;

use core::fmt;

use self::castling::CastlingRights;
use self::men::Men;
use crate::{Bitboard, Color, Move, MoveKind, Piece, Square, generate};

pub use self::make::IllegalMove;
pub use self::scharnagl::Scharnagl;

/// A legal position: the men, whose turn it is, castling rights, en passant and the two counters.
///
/// A `Board` is small and `Copy`; [`play`](Self::play) returns the position after a move and leaves
/// this one as it was. The men that give check, the pinned men and the key are kept with it.
///
/// Two boards are equal when everything is, counters included;
/// [`same_position`](Self::same_position) is the equality of the repetition rule.
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
    pub(crate) men: Men,
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
    /// The position in which a game begins.
    pub const STARTPOS: Self = Self::build_startpos();

    /// The position in which a game begins.
    #[inline]
    pub const fn startpos() -> Self {
        Self::STARTPOS
    }

    const fn build_startpos() -> Self {
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
        let mut men = Men::EMPTY;
        let mut file = 0;
        while file < 8 {
            men.put(Color::White, BACK[file], 1 << file);
            men.put(Color::White, Piece::Pawn, 1 << (8 + file));
            men.put(Color::Black, Piece::Pawn, 1 << (48 + file));
            men.put(Color::Black, BACK[file], 1 << (56 + file));
            file += 1;
        }
        let mut board = Self {
            men,
            rights: 0x8100_0000_0000_0081,
            key: 0,
            checkers: 0,
            pinned: 0,
            fullmove: 1,
            halfmove: 0,
            turn: Color::White,
        };
        board.key = board.key_from_nothing();
        board
    }

    /// Whose turn it is.
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The squares where somebody stands.
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.men.occupied())
    }

    /// The squares where a man of `color` stands.
    #[inline]
    pub const fn color(&self, color: Color) -> Bitboard {
        Bitboard(self.men.color(color))
    }

    /// The squares where a man of this kind stands, of either colour.
    #[inline]
    pub const fn pieces(&self, piece: Piece) -> Bitboard {
        Bitboard(self.men.pieces(piece))
    }

    /// The squares where a man of this colour and kind stands.
    #[inline]
    pub const fn colored(&self, color: Color, piece: Piece) -> Bitboard {
        Bitboard(self.men.color(color) & self.men.pieces(piece))
    }

    /// The kind of man on `square`.
    #[inline]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.men.piece_at(square)
    }

    /// The colour of the man on `square`.
    #[inline]
    pub const fn color_at(&self, square: Square) -> Option<Color> {
        self.men.color_at(square)
    }

    /// Where the king of `color` stands.
    #[inline]
    pub const fn king(&self, color: Color) -> Square {
        let king = self.men.pieces(Piece::King) & self.men.color(color);
        // Every board has both kings.
        Square::wrapping(king.trailing_zeros() as u8)
    }

    /// The men that give check to the side to move.
    #[inline]
    pub const fn checkers(&self) -> Bitboard {
        Bitboard(self.checkers)
    }

    /// The men of the side to move that may not leave the line on which they shield their king.
    #[inline]
    pub const fn pinned(&self) -> Bitboard {
        Bitboard(self.pinned)
    }

    /// Whether the side to move is in check.
    #[inline]
    pub const fn in_check(&self) -> bool {
        self.checkers != 0
    }

    /// The square behind a pawn that has just made two steps, if it can legally be captured
    /// there.
    #[inline]
    pub const fn en_passant(&self) -> Option<Square> {
        Bitboard(self.rights & !Bitboard::BACK_RANKS.0).first()
    }

    /// Who may still castle, with which rooks.
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

    /// The number of the move as scoresheets count: 1 at the start, one more after each move of
    /// Black; stops at 65,535.
    #[inline]
    pub const fn fullmove_number(&self) -> u16 {
        self.fullmove
    }

    /// The key of the position: men, turn, castling rights and legal en passant, not the counters.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// Whether the positions are the same to the repetition rule: men, turn, castling rights and
    /// legal en passant.
    #[inline]
    pub fn same_position(&self, other: &Self) -> bool {
        self.key == other.key
            && self.men == other.men
            && self.rights == other.rights
            && self.turn == other.turn
    }

    /// What stands on the square that `mv` leaves: the piece that moves. A pawn if nobody
    /// stands there, which no legal move can bring about.
    #[inline]
    pub const fn moved(&self, mv: Move) -> Piece {
        match self.piece_at(mv.from()) {
            Some(piece) => piece,
            None => Piece::Pawn,
        }
    }

    /// What a legal move captures.
    #[inline]
    pub const fn captured(&self, mv: Move) -> Option<Piece> {
        match mv.kind() {
            MoveKind::Castle => None,
            MoveKind::EnPassant => Some(Piece::Pawn),
            MoveKind::Normal | MoveKind::Promotion(_) => self.piece_at(mv.to()),
        }
    }

    /// Whether a legal move captures something; en passant does, castling does not.
    #[inline]
    pub const fn is_capture(&self, mv: Move) -> bool {
        mv.is_en_passant() || (!mv.is_castle() && self.occupied().contains(mv.to()))
    }

    /// The men of both colours that attack `square` when `occupied` squares stop sliders. Men
    /// that stand outside `occupied` still count as attackers; mask them out if they are gone.
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        Bitboard(self.men.attackers_to(square, occupied.0))
    }

    /// Every square that `color` attacks when `occupied` squares stop sliders. Squares of its
    /// own men count when they are defended.
    pub fn attacks_by(&self, color: Color, occupied: Bitboard) -> Bitboard {
        Bitboard(generate::attacks_by(&self.men, color, occupied.0))
    }
}

impl Default for Board {
    /// The position in which a game begins.
    fn default() -> Self {
        Self::STARTPOS
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({self})")
    }
}
