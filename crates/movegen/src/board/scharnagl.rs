//! The 960 starting positions of Chess960, numbered by Reinhard Scharnagl (2004).

use super::Board;
use super::castling::{CastlingMode, CastlingRights, CastlingSide};
use super::setup::{Setup, Strictness};
use crate::{Color, File, Piece, Rank, Square};

/// The number of a Chess960 starting position, 0 to 959.
///
/// ```
/// use skewer_movegen::{Board, Scharnagl};
///
/// assert_eq!(Board::chess960(Scharnagl::STANDARD), Board::STARTPOS);
/// let board = Board::chess960(Scharnagl::new(0).unwrap());
/// assert_eq!(board.to_string(), "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Scharnagl(u16);

/// Which two of the five remaining files have the knights, by the number divided by 96.
const KNIGHTS: [[usize; 2]; 10] = [
    [0, 1],
    [0, 2],
    [0, 3],
    [0, 4],
    [1, 2],
    [1, 3],
    [1, 4],
    [2, 3],
    [2, 4],
    [3, 4],
];

impl Scharnagl {
    /// The number of positions.
    pub const COUNT: u16 = 960;
    /// The position of standard chess.
    pub const STANDARD: Self = Self(518);

    /// The position of this number; `None` from 960 on.
    pub const fn new(number: u16) -> Option<Self> {
        if number < Self::COUNT {
            Some(Self(number))
        } else {
            None
        }
    }

    /// Every number, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self)
    }

    /// The number, 0 to 959.
    pub const fn number(self) -> u16 {
        self.0
    }

    /// The pieces from the a file to the h file.
    pub fn back_rank(self) -> [Piece; 8] {
        let number = usize::from(self.0);
        let mut rank = [None; 8];
        rank[number % 4 * 2 + 1] = Some(Piece::Bishop);
        rank[number / 4 % 4 * 2] = Some(Piece::Bishop);
        let free = |rank: &[Option<Piece>; 8], nth: usize| {
            (0..8)
                .filter(|file| rank[*file].is_none())
                .nth(nth)
                .unwrap_or(0)
        };
        let queen = free(&rank, number / 16 % 6);
        rank[queen] = Some(Piece::Queen);
        let [first, second] = KNIGHTS[number / 96].map(|nth| free(&rank, nth));
        rank[first] = Some(Piece::Knight);
        rank[second] = Some(Piece::Knight);
        let mut rest = [Piece::Rook, Piece::King, Piece::Rook].into_iter();
        rank.map(|piece| piece.or_else(|| rest.next()).unwrap_or(Piece::Rook))
    }
}

impl Board {
    /// A starting position of Chess960, the same for both sides.
    pub fn chess960(number: Scharnagl) -> Self {
        Self::double_chess960(number, number)
    }

    /// A starting position of double Chess960: each side has its own.
    ///
    /// ```
    /// use skewer_movegen::{Board, Scharnagl};
    /// let black = Scharnagl::new(959).unwrap();
    /// let board = Board::double_chess960(Scharnagl::STANDARD, black);
    /// assert_eq!(board.to_string(), "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    /// ```
    pub fn double_chess960(white: Scharnagl, black: Scharnagl) -> Self {
        let mut setup = Setup::empty();
        for (color, number) in [(Color::White, white), (Color::Black, black)] {
            let back = Rank::First.relative_to(color);
            let pawns = Rank::Second.relative_to(color);
            let mut side = CastlingSide::Queen;
            for (file, piece) in File::ALL.into_iter().zip(number.back_rank()) {
                setup.set_piece(Square::new(file, back), Some((color, piece)));
                setup.set_piece(Square::new(file, pawns), Some((color, Piece::Pawn)));
                if piece == Piece::Rook {
                    setup.castling = setup.castling.with_rook(color, side, Some(file));
                    side = CastlingSide::King;
                }
            }
        }
        // Every number gives a valid position; the default is never used.
        setup.build(Strictness::Strict).unwrap_or(Self::STARTPOS)
    }

    /// The castling mode that the position needs: [`CastlingMode::Chess960`] if a castling right
    /// does not fit standard chess (king on the e file, rooks on the a and h files), else
    /// [`CastlingMode::Standard`].
    ///
    /// A game of Chess960 may reach or begin with a position that needs no Chess960; a program
    /// that speaks UCI has to remember the mode of the game.
    ///
    /// ```
    /// use skewer_movegen::{Board, CastlingMode, Scharnagl};
    /// assert_eq!(Board::STARTPOS.castling_mode(), CastlingMode::Standard);
    /// let board = Board::chess960(Scharnagl::new(0).unwrap());
    /// assert_eq!(board.castling_mode(), CastlingMode::Chess960);
    /// ```
    pub fn castling_mode(&self) -> CastlingMode {
        if self.is_standard_castling() {
            CastlingMode::Standard
        } else {
            CastlingMode::Chess960
        }
    }

    /// Whether every castling right fits standard chess: king on the e file, rooks on the a and h
    /// files.
    pub fn is_standard_castling(&self) -> bool {
        let rights = self.castling();
        rights == CastlingRights::NONE
            || Color::ALL.into_iter().all(|color| {
                let fits = |side, file| rights.rook(color, side).is_none_or(|rook| rook == file);
                !rights.any(color)
                    || (self.king(color).file() == File::E
                        && fits(CastlingSide::King, File::H)
                        && fits(CastlingSide::Queen, File::A))
            })
    }
}
