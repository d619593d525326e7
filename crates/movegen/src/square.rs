//! Files, ranks and squares.

use core::fmt;
use core::str::FromStr;

use crate::{Bitboard, Color};

/// The eight files or ranks, in order.
macro_rules! lines {
    ($(#[$attribute:meta])* $name:ident { $($line:ident),* }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[repr(u8)]
        pub enum $name {
            $($line),*
        }

        impl $name {
            /// The number of files or ranks.
            pub const COUNT: usize = 8;
            /// All, in the order of their indices.
            pub const ALL: [Self; Self::COUNT] = [$(Self::$line),*];

            /// 0 to 7.
            #[inline]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The inverse of [`index`](Self::index).
            #[inline]
            pub const fn from_index(index: usize) -> Option<Self> {
                if index < 8 {
                    Some(Self::ALL[index])
                } else {
                    None
                }
            }
        }
    };
}

lines! {
    /// A file (column) of the board, `a` to `h`.
    #[expect(missing_docs, reason = "the letters of the files")]
    File { A, B, C, D, E, F, G, H }
}

impl File {
    /// The lower-case letter of the file.
    #[inline]
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file of a letter, in either case.
    #[inline]
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter.to_ascii_lowercase() {
            c @ 'a'..='h' => Some(Self::ALL[c as usize - 'a' as usize]),
            _ => None,
        }
    }

    /// The eight squares of the file.
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << self as u32)
    }
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.letter(), f)
    }
}

lines! {
    /// A rank (row) of the board, as White counts them.
    #[expect(missing_docs, reason = "the numbers of the ranks")]
    Rank { First, Second, Third, Fourth, Fifth, Sixth, Seventh, Eighth }
}

impl Rank {
    /// The digit of the rank, `1` to `8`.
    #[inline]
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }

    /// The rank of a digit, `1` to `8`.
    #[inline]
    pub const fn from_digit(digit: char) -> Option<Self> {
        match digit {
            c @ '1'..='8' => Some(Self::ALL[c as usize - '1' as usize]),
            _ => None,
        }
    }

    /// The rank as `color` counts: unchanged for White, upside down for Black.
    ///
    /// ```
    /// use skewer_movegen::{Color, Rank};
    /// assert_eq!(Rank::First.relative_to(Color::Black), Rank::Eighth);
    /// ```
    #[inline]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => Self::ALL[7 - self as usize],
        }
    }

    /// The eight squares of the rank.
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0xff << (8 * self as u32))
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.digit(), f)
    }
}

/// A square of the board, `a1` = 0, `b1` = 1, ..., `h8` = 63.
///
/// An enumeration, so that the compiler knows an index to be below 64 and an `Option<Square>` takes
/// one byte.
///
/// ```
/// use skewer_movegen::{Color, File, Rank, Square};
///
/// let e4: Square = "e4".parse()?;
/// assert_eq!(e4, Square::new(File::E, Rank::Fourth));
/// assert_eq!(e4.index(), 28);
/// assert_eq!(e4.flip_rank(), Square::E5);
/// assert_eq!(e4.flip_file(), Square::D4);
/// assert_eq!(e4.relative_to(Color::Black), Square::E5);
/// # Ok::<(), skewer_movegen::ParseSquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[rustfmt::skip]
#[expect(missing_docs, reason = "the names of the squares")]
pub enum Square {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
}

impl Square {
    /// The number of squares.
    pub const COUNT: usize = 64;

    /// Every square, from `a1` along the ranks to `h8`.
    #[rustfmt::skip]
    pub const ALL: [Self; Self::COUNT] = [
        Self::A1, Self::B1, Self::C1, Self::D1, Self::E1, Self::F1, Self::G1, Self::H1,
        Self::A2, Self::B2, Self::C2, Self::D2, Self::E2, Self::F2, Self::G2, Self::H2,
        Self::A3, Self::B3, Self::C3, Self::D3, Self::E3, Self::F3, Self::G3, Self::H3,
        Self::A4, Self::B4, Self::C4, Self::D4, Self::E4, Self::F4, Self::G4, Self::H4,
        Self::A5, Self::B5, Self::C5, Self::D5, Self::E5, Self::F5, Self::G5, Self::H5,
        Self::A6, Self::B6, Self::C6, Self::D6, Self::E6, Self::F6, Self::G6, Self::H6,
        Self::A7, Self::B7, Self::C7, Self::D7, Self::E7, Self::F7, Self::G7, Self::H7,
        Self::A8, Self::B8, Self::C8, Self::D8, Self::E8, Self::F8, Self::G8, Self::H8,
    ];

    /// The square on a file and a rank.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self::wrapping(rank as u8 * 8 + file as u8)
    }

    /// The square of an index modulo 64. The compiler reduces the match to the mask.
    #[inline]
    #[rustfmt::skip]
    pub(crate) const fn wrapping(index: u8) -> Self {
        match index & 63 {
            0 => Self::A1, 1 => Self::B1, 2 => Self::C1, 3 => Self::D1, 4 => Self::E1, 5 => Self::F1, 6 => Self::G1, 7 => Self::H1,
            8 => Self::A2, 9 => Self::B2, 10 => Self::C2, 11 => Self::D2, 12 => Self::E2, 13 => Self::F2, 14 => Self::G2, 15 => Self::H2,
            16 => Self::A3, 17 => Self::B3, 18 => Self::C3, 19 => Self::D3, 20 => Self::E3, 21 => Self::F3, 22 => Self::G3, 23 => Self::H3,
            24 => Self::A4, 25 => Self::B4, 26 => Self::C4, 27 => Self::D4, 28 => Self::E4, 29 => Self::F4, 30 => Self::G4, 31 => Self::H4,
            32 => Self::A5, 33 => Self::B5, 34 => Self::C5, 35 => Self::D5, 36 => Self::E5, 37 => Self::F5, 38 => Self::G5, 39 => Self::H5,
            40 => Self::A6, 41 => Self::B6, 42 => Self::C6, 43 => Self::D6, 44 => Self::E6, 45 => Self::F6, 46 => Self::G6, 47 => Self::H6,
            48 => Self::A7, 49 => Self::B7, 50 => Self::C7, 51 => Self::D7, 52 => Self::E7, 53 => Self::F7, 54 => Self::G7, 55 => Self::H7,
            56 => Self::A8, 57 => Self::B8, 58 => Self::C8, 59 => Self::D8, 60 => Self::E8, 61 => Self::F8, 62 => Self::G8,
            _ => Self::H8,
        }
    }

    /// The square of an index, `None` from 64 on.
    #[inline]
    pub const fn from_index(index: u8) -> Option<Self> {
        if index < 64 {
            Some(Self::wrapping(index))
        } else {
            None
        }
    }

    /// 0 (`a1`) to 63 (`h8`).
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The file of the square.
    #[inline]
    pub const fn file(self) -> File {
        match self as u8 & 7 {
            0 => File::A,
            1 => File::B,
            2 => File::C,
            3 => File::D,
            4 => File::E,
            5 => File::F,
            6 => File::G,
            _ => File::H,
        }
    }

    /// The rank of the square.
    #[inline]
    pub const fn rank(self) -> Rank {
        match self as u8 >> 3 {
            0 => Rank::First,
            1 => Rank::Second,
            2 => Rank::Third,
            3 => Rank::Fourth,
            4 => Rank::Fifth,
            5 => Rank::Sixth,
            6 => Rank::Seventh,
            _ => Rank::Eighth,
        }
    }

    /// The square mirrored upside down: `a1` becomes `a8`.
    #[inline]
    pub const fn flip_rank(self) -> Self {
        Self::wrapping(self as u8 ^ 56)
    }

    /// The square mirrored left to right: `a1` becomes `h1`.
    #[inline]
    pub const fn flip_file(self) -> Self {
        Self::wrapping(self as u8 ^ 7)
    }

    /// The square as `color` sees it: unchanged for White, upside down for Black.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Self {
        Self::wrapping(self as u8 ^ (56 * color as u8))
    }

    /// The set of this square alone.
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(1 << self as u32)
    }

    /// The square `files` to the right and `ranks` up, or `None` beyond the edge.
    ///
    /// ```
    /// use skewer_movegen::Square;
    /// assert_eq!(Square::E4.offset(1, 2), Some(Square::F6));
    /// assert_eq!(Square::H1.offset(1, 0), None);
    /// ```
    #[inline]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        let file = (self as i8 & 7).saturating_add(files);
        let rank = (self as i8 >> 3).saturating_add(ranks);
        if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
            Some(Self::wrapping((rank * 8 + file) as u8))
        } else {
            None
        }
    }

    /// The number of king moves to `other` on an empty board: the larger of the differences in file
    /// and rank (Chebyshev distance).
    #[inline]
    pub const fn distance(self, other: Self) -> u32 {
        let files = (self as u8 & 7).abs_diff(other as u8 & 7);
        let ranks = (self as u8 >> 3).abs_diff(other as u8 >> 3);
        if files > ranks {
            files as u32
        } else {
            ranks as u32
        }
    }
}

impl fmt::Display for Square {
    /// The name in lower case: `e4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = [b'a' + self.file() as u8, b'1' + self.rank() as u8];
        f.pad(core::str::from_utf8(&name).unwrap_or_default())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not the name of a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseSquareError;

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a square: expected a letter a to h and a digit 1 to 8")
    }
}

impl core::error::Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Reads a name such as `e4`. The letter must be in lower case.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match *text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                Ok(Self::wrapping((rank - b'1') * 8 + (file - b'a')))
            }
            _ => Err(ParseSquareError),
        }
    }
}
