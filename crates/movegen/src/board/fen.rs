//! Forsyth-Edwards notation, read and written: FEN, X-FEN (Reinhard Scharnagl, 2003) and
//! Shredder-FEN (Stefan Meyer-Kahlen).

mod error;

use core::fmt;
use core::str::FromStr;

pub use self::error::{FenError, FenErrorKind, FenField};

use super::Board;
use super::castling::{CastlingMode, CastlingRights, CastlingSide};
use super::setup::{Setup, Strictness};
use crate::{Bitboard, Color, File, Piece, Rank, Square};

impl Board {
    /// Reads a FEN leniently: castling rights as `KQkq`, X-FEN or Shredder-FEN;
    /// the two counters may be missing; rights that the position contradicts are dropped
    /// ([`Setup::impossible_rights`] names them); fields may be separated by any white space; a rank may
    /// have digits in a row (`44` for `8`); a side may have more promoted pieces than missing pawns, as in
    /// composed positions.
    ///
    /// ```
    /// use skewer_movegen::Board;
    /// // No pawn can capture on e3, and the counters are missing.
    /// let board = Board::from_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3")?;
    /// assert_eq!(board.en_passant(), None);
    /// assert_eq!(board.fullmove_number(), 1);
    /// # Ok::<(), skewer_movegen::FenError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A [`FenError`] that says which field is wrong and why.
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        Self::from_fen_with(fen, Strictness::Relaxed)
    }

    /// Reads a FEN strictly: six fields with one space between, no digits in a row, no right that
    /// the position contradicts, and no more promoted pieces than missing pawns.
    ///
    /// # Errors
    ///
    /// A [`FenError`] that says which field is wrong and why.
    pub fn from_fen_strict(fen: &str) -> Result<Self, FenError> {
        Self::from_fen_with(fen, Strictness::Strict)
    }

    /// Reads a FEN, as [`from_fen`](Self::from_fen) or [`from_fen_strict`](Self::from_fen_strict).
    ///
    /// # Errors
    ///
    /// A [`FenError`] that says which field is wrong and why.
    pub fn from_fen_with(fen: &str, strictness: Strictness) -> Result<Self, FenError> {
        Ok(Setup::from_fen(fen, strictness)?.build(strictness)?)
    }

    /// The FEN of the position, which is also what [`Display`](fmt::Display) writes. Castling rights
    /// are `KQkq`, or the file of the rook where it is not the outermost rook (X-FEN). This is
    /// standard FEN for standard chess, and most programs read it for Chess960.
    ///
    /// ```
    /// use skewer_movegen::Board;
    /// let fen = Board::STARTPOS.to_fen().to_string();
    /// assert_eq!(fen, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    /// ```
    pub const fn to_fen(&self) -> impl fmt::Display {
        self.to_fen_in(CastlingMode::Standard)
    }

    /// The FEN of the position with castling rights in the notation of `mode`: `KQkq` or X-FEN
    /// for [`CastlingMode::Standard`], Shredder-FEN, which always names the files of the rooks,
    /// for [`CastlingMode::Chess960`].
    ///
    /// ```
    /// use skewer_movegen::{Board, CastlingMode};
    /// let fen = Board::STARTPOS.to_fen_in(CastlingMode::Chess960).to_string();
    /// assert_eq!(fen, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
    /// ```
    pub const fn to_fen_in(&self, mode: CastlingMode) -> impl fmt::Display {
        Fen { board: *self, mode }
    }
}

impl FromStr for Board {
    type Err = FenError;

    /// The same as [`Board::from_fen`].
    fn from_str(fen: &str) -> Result<Self, FenError> {
        Self::from_fen(fen)
    }
}

impl fmt::Display for Board {
    /// The FEN, with castling rights as `KQkq` (X-FEN where that needs the file of a rook).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_fen_in(CastlingMode::Standard).fmt(f)
    }
}

impl Setup {
    /// Reads the fields of a FEN without checking that the position is legal.
    ///
    /// # Errors
    ///
    /// A [`FenError`] that says which field is wrong and why.
    pub fn from_fen(fen: &str, strictness: Strictness) -> Result<Self, FenError> {
        let mut setup = Self::empty();
        let mut fields = Fields {
            rest: Some(fen).filter(|fen| !fen.is_empty()),
            strictness,
        };
        let field =
            |text: Option<_>, field| text.ok_or(FenError::new(field, FenErrorKind::Missing));
        let placement = field(fields.next(), FenField::Placement)?;
        setup.read_placement(placement, strictness)?;
        setup.read_turn(field(fields.next(), FenField::Turn)?)?;
        setup.read_castling(field(fields.next(), FenField::Castling)?)?;
        setup.read_en_passant(field(fields.next(), FenField::EnPassant)?)?;
        let (half, full) = (FenField::HalfmoveClock, FenField::FullmoveNumber);
        let (halfmove, fullmove) = (fields.next(), fields.next());
        let strict = strictness == Strictness::Strict;
        if strict || halfmove.is_some() {
            let clock = read_number(halfmove, half, u8::MAX.into(), strictness)?;
            setup.halfmove_clock = clock as u8;
        }
        if strict || fullmove.is_some() {
            setup.fullmove_number = read_number(fullmove, full, u16::MAX, strictness)?;
            if setup.fullmove_number == 0 && strict {
                return Err(FenError::new(full, FenErrorKind::InvalidNumber));
            }
        }
        if fields.next().is_some() {
            return Err(FenError::new(
                FenField::FullmoveNumber,
                FenErrorKind::TrailingText,
            ));
        }
        Ok(setup)
    }

    fn read_placement(&mut self, text: &str, strictness: Strictness) -> Result<(), FenError> {
        let error = |kind| FenError::new(FenField::Placement, kind);
        let mut rank = 7;
        let mut file = 0;
        let mut after_digit = false;
        for c in text.chars() {
            let here = Rank::ALL[rank];
            if strictness == Strictness::Strict && after_digit && c.is_ascii_digit() {
                return Err(error(FenErrorKind::AdjacentDigits(here)));
            }
            after_digit = c.is_ascii_digit();
            if let Some(piece) = Piece::from_letter(c) {
                let Some(file_here) = File::from_index(file) else {
                    return Err(error(FenErrorKind::WrongRankLength(here)));
                };
                self.set_piece(Square::new(file_here, here), Some((color_of(c), piece)));
                file += 1;
            } else {
                match c {
                    '1'..='8' => file += c as usize - '0' as usize,
                    '/' if rank == 0 => return Err(error(FenErrorKind::WrongRankCount)),
                    '/' if file == 8 => {
                        rank -= 1;
                        file = 0;
                    }
                    '/' => file = 9,
                    _ => return Err(error(FenErrorKind::UnexpectedCharacter(c))),
                }
                if file > 8 {
                    return Err(error(FenErrorKind::WrongRankLength(here)));
                }
            }
        }
        if file != 8 {
            return Err(error(FenErrorKind::WrongRankLength(Rank::ALL[rank])));
        }
        if rank != 0 {
            return Err(error(FenErrorKind::WrongRankCount));
        }
        Ok(())
    }

    fn read_turn(&mut self, text: &str) -> Result<(), FenError> {
        let error = |c| FenError::new(FenField::Turn, FenErrorKind::UnexpectedCharacter(c));
        let mut chars = text.chars();
        let first = chars.next().unwrap_or(' ');
        self.turn = Color::from_letter(first).ok_or(error(first))?;
        chars.next().map_or(Ok(()), |c| Err(error(c)))
    }

    fn read_castling(&mut self, text: &str) -> Result<(), FenError> {
        let error = |kind| FenError::new(FenField::Castling, kind);
        if text == "-" {
            return Ok(());
        }
        for c in text.chars() {
            let color = color_of(c);
            let back = Rank::First.relative_to(color);
            let standing = |piece| -> Bitboard {
                let wanted = Some((color, piece));
                back.bitboard()
                    .into_iter()
                    .filter(|s| self.piece_at(*s) == wanted)
                    .collect()
            };
            let king = standing(Piece::King).first();
            // Without a king on the back rank the right is void; `build` finds that whatever side
            // and file are noted here.
            let (side, file) = match c.to_ascii_lowercase() {
                'k' => (
                    CastlingSide::King,
                    standing(Piece::Rook).last().map_or(File::H, Square::file),
                ),
                'q' => (
                    CastlingSide::Queen,
                    standing(Piece::Rook).first().map_or(File::A, Square::file),
                ),
                letter @ 'a'..='h' => {
                    let file = File::from_letter(letter).unwrap_or(File::A);
                    let rook = Square::new(file, back);
                    (
                        king.map_or(CastlingSide::King, |king| CastlingSide::of(king, rook)),
                        file,
                    )
                }
                _ => return Err(error(FenErrorKind::UnexpectedCharacter(c))),
            };
            if self.castling.has(color, side) {
                return Err(error(FenErrorKind::Repeated));
            }
            self.castling = self.castling.with_rook(color, side, Some(file));
        }
        Ok(())
    }

    fn read_en_passant(&mut self, text: &str) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        let square: Square = text.parse().map_err(|_| {
            let odd = text.chars().next().unwrap_or(' ');
            FenError::new(FenField::EnPassant, FenErrorKind::UnexpectedCharacter(odd))
        })?;
        self.en_passant = Some(square);
        Ok(())
    }
}

/// The colour of a letter: upper case for White.
const fn color_of(letter: char) -> Color {
    if letter.is_ascii_uppercase() {
        Color::White
    } else {
        Color::Black
    }
}

/// The fields of a FEN: by single spaces when strict, by any white space otherwise.
struct Fields<'a> {
    /// What follows the last separator; `None` after the last field.
    rest: Option<&'a str>,
    strictness: Strictness,
}

impl<'a> Iterator for Fields<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let mut rest = self.rest.take()?;
        let split = match self.strictness {
            Strictness::Strict => rest.split_once(' '),
            Strictness::Relaxed => {
                rest = rest.trim_start();
                if rest.is_empty() {
                    return None;
                }
                rest.split_once(char::is_whitespace)
            }
        };
        let (field, rest) = split.map_or((rest, None), |(field, rest)| (field, Some(rest)));
        self.rest = rest;
        Some(field)
    }
}

/// Reads a counter of at most `limit`. A larger counter becomes `limit`, or is an error if strict.
fn read_number(
    text: Option<&str>,
    field: FenField,
    limit: u16,
    strictness: Strictness,
) -> Result<u16, FenError> {
    let text = text.ok_or(FenError::new(field, FenErrorKind::Missing))?;
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(FenError::new(field, FenErrorKind::InvalidNumber));
    }
    match text.parse() {
        Ok(number) if number <= limit => Ok(number),
        _ if strictness == Strictness::Relaxed => Ok(limit),
        _ => Err(FenError::new(field, FenErrorKind::InvalidNumber)),
    }
}

/// A position and how to write its castling rights.
struct Fen {
    board: Board,
    mode: CastlingMode,
}

impl fmt::Display for Fen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = &self.board;
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                let square = Square::new(file, rank);
                let Some((color, piece)) = board.color_at(square).zip(board.piece_at(square))
                else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    write!(f, "{empty}")?;
                    empty = 0;
                }
                write!(f, "{}", piece.letter(color))?;
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            if rank != Rank::First {
                f.write_str("/")?;
            }
        }
        write!(f, " {} ", board.turn().letter())?;
        write_castling(f, board, self.mode)?;
        match board.en_passant() {
            Some(square) => write!(f, " {square}")?,
            None => f.write_str(" -")?,
        }
        write!(f, " {} {}", board.halfmove_clock(), board.fullmove_number())
    }
}

fn write_castling(f: &mut fmt::Formatter<'_>, board: &Board, mode: CastlingMode) -> fmt::Result {
    let rights = board.castling();
    if rights == CastlingRights::NONE {
        return f.write_str("-");
    }
    for color in Color::ALL {
        let back = Rank::First.relative_to(color);
        let rooks = board.colored(color, Piece::Rook) & back.bitboard();
        for side in CastlingSide::ALL {
            let Some(file) = rights.rook(color, side) else {
                continue;
            };
            let (letter, outermost) = match side {
                CastlingSide::King => ('K', rooks.last()),
                CastlingSide::Queen => ('Q', rooks.first()),
            };
            let by_side =
                mode == CastlingMode::Standard && outermost == Some(Square::new(file, back));
            let letter = if by_side {
                letter
            } else {
                file.letter().to_ascii_uppercase()
            };
            let letter = color.fold(letter, letter.to_ascii_lowercase());
            write!(f, "{letter}")?;
        }
    }
    Ok(())
}
