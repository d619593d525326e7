//! Moves as PGN files write them, and which legal move they mean.

use std::borrow::Cow;
use std::fmt;

use skewer_movegen::{Board, Move, ParseMoveError};

use crate::characters::{Meaning, Plain, meaning};
use crate::params::QUOTED;
use crate::text::decode;

/// A move as written in the file: usually standard algebraic notation, such as `Nbd7+`.
///
/// Everything that [`Board::parse_san`] reads is understood, and the usual ways to write a null
/// move: `--`, `Z0`, `0000`, `@@@@`, `null` and `pass`. So are the digits of correspondence chess (`5254` is e2e4, and
/// `17181` promotes to a queen). Figurines (`♘f3`), any dashes, letters of other alphabets that
/// look the same (a Cyrillic `О-О`) and characters that are not shown are read too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct San<'a>(&'a [u8]);

impl<'a> San<'a> {
    /// A move from its text, marks included.
    #[inline]
    pub const fn new(text: &'a [u8]) -> Self {
        Self(text)
    }

    /// The bytes of the file.
    #[inline]
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// The text; what is not UTF-8 is read as Windows-1252.
    pub fn text(self) -> Cow<'a, str> {
        decode(self.0)
    }

    /// The move in ASCII, if each of its characters stands for an ASCII character; else the [`text`](Self::text).
    ///
    /// ```
    /// assert_eq!(skewer_pgn::San::new("♘×f3†".as_bytes()).plain(), "Nxf3+");
    /// ```
    pub fn plain(self) -> Cow<'a, str> {
        if self.may_not_be_plain() {
            let plain = Plain::of(self.0).filter(|plain| plain.bytes().is_ascii());
            if let Some(plain) = plain {
                return decode(plain.bytes()).into_owned().into();
            }
        }
        if let Some(squares) = self.of_digits() {
            return decode(squares.trim_ascii()).into_owned().into();
        }
        self.text()
    }

    /// Whether this is a null move: the side to move passes.
    #[inline]
    pub fn is_null(self) -> bool {
        matches!(
            self.0,
            b"--" | b"Z0" | b"0000" | b"@@@@" | b"null" | b"NULL" | b"pass"
        )
    }

    /// The legal move of `board` with this text; `None` for a null move, which is legal unless the side to
    /// move is in check.
    ///
    /// Whether a `+` or `#` is correct is not checked.
    ///
    /// # Errors
    ///
    /// As [`Board::parse_san`]; [`ParseMoveError::Null`] for a null move in check.
    ///
    /// ```
    /// use skewer_movegen::{Board, IllegalReason, ParseMoveError, Square};
    /// use skewer_pgn::San;
    ///
    /// let board = Board::STARTPOS;
    /// let knight = San::new(b"Nf3").resolve(&board)?.unwrap();
    /// assert_eq!(board.uci(knight).to_string(), "g1f3");
    /// assert_eq!(San::new(b"--").resolve(&board)?, None);
    /// let reason = IllegalReason::OwnPiece(Square::E2);
    /// assert_eq!(San::new(b"Ke2").resolve(&board), Err(ParseMoveError::Illegal(reason)));
    /// # Ok::<(), ParseMoveError>(())
    /// ```
    #[inline]
    pub fn resolve(self, board: &Board) -> Result<Option<Move>, ParseMoveError> {
        match board.parse_san_bytes(self.0) {
            Ok(mv) => Ok(Some(mv)),
            Err(error) => self.null_or(error, board),
        }
    }

    /// Whether it has characters outside ASCII, blanks, brackets, or two dashes in a row.
    fn may_not_be_plain(self) -> bool {
        let is_odd =
            |byte: &u8| !byte.is_ascii() || byte.is_ascii_whitespace() || b"([".contains(byte);
        self.0.iter().any(is_odd)
            || (self.0.len() > 2 && memchr::memmem::find(self.0, b"--").is_some())
    }

    /// The coordinates of a move in the digits of correspondence chess, with a blank for no promotion.
    fn of_digits(self) -> Option<[u8; 5]> {
        let (squares, promotion) = self.0.split_at_checked(4)?;
        let promotion = match promotion {
            [] => b' ',
            b"1" => b'q',
            b"2" => b'r',
            b"3" => b'b',
            b"4" => b'n',
            _ => return None,
        };
        if !squares.iter().all(|digit| matches!(digit, b'1'..=b'8')) {
            return None;
        }
        let file = |digit| b'a' + (digit - b'1');
        Some([
            file(squares[0]),
            squares[1],
            file(squares[2]),
            squares[3],
            promotion,
        ])
    }

    /// `Ok(None)` if this is a null move, else the error.
    #[cold]
    fn null_or(self, error: ParseMoveError, board: &Board) -> Result<Option<Move>, ParseMoveError> {
        if self.may_not_be_plain() {
            let plain = Plain::of(self.0).ok_or(ParseMoveError::Syntax)?;
            if plain.bytes() != self.0 && plain.bytes().is_ascii() {
                return San(plain.bytes()).resolve(board);
            }
        }
        if let Some(squares) = self.of_digits() {
            return San(squares.trim_ascii()).resolve(board);
        }
        if !self.is_null() {
            Err(error)
        } else if board.in_check() {
            Err(ParseMoveError::Null)
        } else {
            Ok(None)
        }
    }
}

impl fmt::Display for San<'_> {
    /// The text for messages: shortened if it is long, with characters that are not shown as escapes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&quoted(&self.text()))
    }
}

/// A text of the file for messages: shortened if it is long, with characters that are not shown as escapes.
pub(crate) fn quoted(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars().take(QUOTED) {
        match meaning(c) {
            // Escape characters that would be invisible, or would act on a terminal.
            _ if c.is_control() => shown.extend(c.escape_default()),
            Meaning::Blank | Meaning::Invisible => shown.extend(c.escape_unicode()),
            _ => shown.push(c),
        }
    }
    if text.chars().nth(QUOTED).is_some() {
        shown.push_str("...");
    }
    shown
}

impl fmt::Debug for San<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}
