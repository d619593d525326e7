//! Moves as PGN files write them, and which legal move they mean.
//!
//! The move is found from the attack table of its target square and the pins and checks that the
//! board knows: no list of moves is made but for castling.

use std::borrow::Cow;
use std::fmt;

use skewer_movegen::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, line, queen_attacks, rook_attacks,
};
use skewer_movegen::{Bitboard, Board, Color, File, Move, Piece, Rank, Square};
use thiserror::Error;

use crate::params::QUOTED;
use crate::text::decode;

/// A move as it stands in the file: usually standard algebraic notation, such as `Nbd7+`.
///
/// Long forms (`Ng1-f3`, `e2e4`), zeros in castling, promotions without the equals sign, `e.p.`
/// and marks such as `+` and `!?` are understood too, and so are the usual ways to write a null
/// move: `--`, `Z0`, `0000`, `@@@@`, `null` and `pass`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct San<'a>(&'a [u8]);

/// Why a move of a file is not one of the position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[non_exhaustive]
pub enum SanError {
    /// This is not written as a move.
    #[error("is not a move")]
    Syntax,
    /// No piece can legally make this move.
    #[error("is not legal")]
    Illegal,
    /// More than one piece can make this move.
    #[error("can be more than one move")]
    Ambiguous,
}

impl<'a> San<'a> {
    /// A move from its text, marks and all.
    #[inline]
    pub const fn new(text: &'a [u8]) -> Self {
        Self(text)
    }

    /// The bytes of the file.
    #[inline]
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// The text; what is not UTF-8 is read as Latin-1.
    pub fn text(self) -> Cow<'a, str> {
        decode(self.0)
    }

    /// Whether this is a null move: the side to move passes.
    #[inline]
    pub fn is_null(self) -> bool {
        matches!(
            self.0,
            b"--" | b"Z0" | b"0000" | b"@@@@" | b"null" | b"NULL" | b"pass"
        )
    }

    /// The legal move of `board` that this stands for; `None` for a null move (which is legal
    /// when not in check).
    ///
    /// Whether a `+` or `#` behind it tells the truth is not checked.
    ///
    /// # Errors
    ///
    /// When this is no move, or not legal, or could be more than one move.
    ///
    /// ```
    /// use skewer_movegen::Board;
    /// use skewer_pgn::{San, SanError};
    ///
    /// let board = Board::STARTPOS;
    /// assert_eq!(San::new(b"Nf3").resolve(&board)?.unwrap().to_string(), "g1f3");
    /// assert_eq!(San::new(b"--").resolve(&board)?, None);
    /// assert_eq!(San::new(b"Ke2").resolve(&board), Err(SanError::Illegal));
    /// # Ok::<(), SanError>(())
    /// ```
    #[inline]
    pub fn resolve(self, board: &Board) -> Result<Option<Move>, SanError> {
        let text = trim_marks(self.0);
        let Some(&first) = text.first() else {
            return other(self, board);
        };
        let piece = match first {
            b'a'..=b'h' => return pawn(self, text, board),
            b'N' => Piece::Knight,
            b'B' => Piece::Bishop,
            b'R' => Piece::Rook,
            b'Q' => Piece::Queen,
            b'K' => Piece::King,
            _ => return other(self, board),
        };
        let Some((from, to)) = squares(&text[1..]) else {
            return other(self, board);
        };
        officer(board, piece, from, to).map(Some)
    }
}

impl fmt::Display for San<'_> {
    /// The text, cut when it is long: what a message repeats.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.text();
        match text.char_indices().nth(QUOTED) {
            Some((cut, _)) => write!(f, "{}...", &text[..cut]),
            None => f.pad(&text),
        }
    }
}

impl fmt::Debug for San<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

/// The text without check signs and marks behind it.
#[inline]
fn trim_marks(text: &[u8]) -> &[u8] {
    let mut end = text.len();
    while end > 0 && matches!(text[end - 1], b'+' | b'#' | b'!' | b'?' | b'=' | b'.') {
        end -= 1;
    }
    &text[..end]
}

#[inline]
fn file_of(byte: u8) -> Option<File> {
    match byte {
        b'a'..=b'h' => Some(File::ALL[usize::from(byte - b'a')]),
        _ => None,
    }
}

#[inline]
fn rank_of(byte: u8) -> Option<Rank> {
    match byte {
        b'1'..=b'8' => Some(Rank::ALL[usize::from(byte - b'1')]),
        _ => None,
    }
}

/// The squares that the piece may come from, as far as the text says, and the one it goes to.
#[inline]
fn squares(text: &[u8]) -> Option<(Bitboard, Square)> {
    let (origin, target) = text.split_at_checked(text.len().checked_sub(2)?)?;
    let to = Square::new(file_of(target[0])?, rank_of(target[1])?);
    let mut from = Bitboard::FULL;
    for &byte in origin {
        match byte {
            b'a'..=b'h' => from &= file_of(byte)?.bitboard(),
            b'1'..=b'8' => from &= rank_of(byte)?.bitboard(),
            b'x' | b'-' | b':' => {}
            _ => return None,
        }
    }
    Some((from, to))
}

/// Whether a piece other than the king may go from `from` to `to` as far as checks and pins are
/// concerned. (En passant is another matter.)
#[inline]
fn keeps_king_safe(board: &Board, from: Square, to: Square) -> bool {
    let king = board.king(board.turn());
    if board.pinned().contains(from) && !line(king, from).contains(to) {
        return false;
    }
    match board.checkers().first() {
        None => true,
        Some(_) if board.checkers().has_more_than_one() => false,
        Some(checker) => checker == to || between(king, checker).contains(to),
    }
}

/// A move of a piece that is not a pawn.
#[inline]
fn officer(board: &Board, piece: Piece, from: Bitboard, to: Square) -> Result<Move, SanError> {
    let us = board.turn();
    let occupied = board.occupied();
    let reach = match piece {
        Piece::Knight => knight_attacks(to),
        Piece::Bishop => bishop_attacks(to, occupied),
        Piece::Rook => rook_attacks(to, occupied),
        Piece::Queen => queen_attacks(to, occupied),
        Piece::King | Piece::Pawn => king_attacks(to),
    };
    let candidates = reach & from & board.colored(us, piece);
    if board.color(us).contains(to) {
        return Err(SanError::Illegal);
    }
    if piece == Piece::King {
        let king = candidates.first().ok_or(SanError::Illegal)?;
        let attackers = board.attackers_to(to, occupied ^ Bitboard::from(king));
        let safe = (attackers & board.color(!us)).is_empty();
        return if safe {
            Ok(Move::normal(king, to))
        } else {
            Err(SanError::Illegal)
        };
    }
    let mut found = None;
    for from in candidates {
        if keeps_king_safe(board, from, to) {
            if found.is_some() {
                return Err(SanError::Ambiguous);
            }
            found = Some(Move::normal(from, to));
        }
    }
    found.ok_or(SanError::Illegal)
}

/// A move that begins with a file's letter: a pawn's, or one in coordinates.
#[inline]
fn pawn(san: San<'_>, text: &[u8], board: &Board) -> Result<Option<Move>, SanError> {
    let (text, promotion) = split_promotion(text);
    let (from_file, to) = match *text {
        [file, rank] => (file, [file, rank]),
        [from, b'x', file, rank] | [from, file @ b'a'..=b'h', rank] => (from, [file, rank]),
        _ => return other(san, board),
    };
    let (Some(from_file), Some(file), Some(rank)) =
        (file_of(from_file), file_of(to[0]), rank_of(to[1]))
    else {
        return other(san, board);
    };
    pawn_move(board, from_file, Square::new(file, rank), promotion).map(Some)
}

fn pawn_move(
    board: &Board,
    from_file: File,
    to: Square,
    promotion: Option<Piece>,
) -> Result<Move, SanError> {
    let us = board.turn();
    let (back, double, last) = match us {
        Color::White => (-1, 3, 7),
        Color::Black => (1, 4, 0),
    };
    let rank = to.rank().index() as i8;
    let rank_back = |steps: i8| {
        usize::try_from(rank + steps * back)
            .ok()
            .and_then(|rank| Rank::ALL.get(rank))
            .copied()
    };
    let mut from = Square::new(from_file, rank_back(1).ok_or(SanError::Illegal)?);
    let pawns = board.colored(us, Piece::Pawn);
    if from_file == to.file() {
        if board.occupied().contains(to) {
            return Err(SanError::Illegal);
        }
        if rank == double && !board.occupied().contains(from) {
            from = Square::new(from_file, rank_back(2).ok_or(SanError::Illegal)?);
        }
    } else {
        if from_file.index().abs_diff(to.file().index()) != 1 {
            return Err(SanError::Illegal);
        }
        if board.en_passant() == Some(to) && pawns.contains(from) {
            let mv = Move::en_passant(from, to);
            return if board.is_legal(mv) {
                Ok(mv)
            } else {
                Err(SanError::Illegal)
            };
        }
        if !board.color(!us).contains(to) {
            return Err(SanError::Illegal);
        }
    }
    if !pawns.contains(from) || !keeps_king_safe(board, from, to) {
        return Err(SanError::Illegal);
    }
    match (promotion, rank == last) {
        (None, false) => Ok(Move::normal(from, to)),
        (Some(piece), true) => Ok(Move::promoting(from, to, piece)),
        _ => Err(SanError::Illegal),
    }
}

/// Takes the promotion off the end: `e8=Q`, `e8Q`, `e8(Q)`, `e8/Q`, `e7e8q`.
#[inline]
fn split_promotion(text: &[u8]) -> (&[u8], Option<Piece>) {
    let length = text.len();
    if length < 3 || text[length - 1].is_ascii_digit() {
        return (text, None);
    }
    let (body, letter) = match *text {
        [ref body @ .., b'(', letter, b')'] | [ref body @ .., b'=' | b'/', letter] => {
            (body, letter)
        }
        [ref body @ .., letter] => (body, letter),
        [] => return (text, None),
    };
    let piece = match letter {
        b'Q' | b'q' => Piece::Queen,
        b'R' | b'r' => Piece::Rook,
        b'B' | b'b' => Piece::Bishop,
        b'N' | b'n' => Piece::Knight,
        _ => return (text, None),
    };
    if body.last().is_some_and(u8::is_ascii_digit) {
        (body, Some(piece))
    } else {
        (text, None)
    }
}

/// Everything rare: castling, null moves, coordinates, a `P` in front, `e.p.` behind.
#[cold]
fn other(san: San<'_>, board: &Board) -> Result<Option<Move>, SanError> {
    if san.is_null() {
        return if board.in_check() {
            Err(SanError::Illegal)
        } else {
            Ok(None)
        };
    }
    let mut text = trim_marks(san.0);
    for suffix in [&b"e.p"[..], b"ep", b"mate", b"ch"] {
        text = text.strip_suffix(suffix).unwrap_or(text);
    }
    if let Some(kingside) = castling(text) {
        let found = board.legal_moves().iter().copied().find(|mv| {
            mv.is_castle() && (mv.to().file().index() > mv.from().file().index()) == kingside
        });
        return found.map(Some).ok_or(SanError::Illegal);
    }
    let text = text.strip_prefix(b"P").unwrap_or(text);
    let (squares_text, promotion) = split_promotion(text);
    if text != trim_marks(san.0) && matches!(squares_text.len(), 2..=4) {
        // What is left may be a plain pawn move.
        return pawn(San(text), text, board);
    }
    let (from, to) = match *squares_text {
        [file, rank, ref target @ ..] => {
            let from = file_of(file).zip(rank_of(rank));
            (
                from,
                target
                    .strip_prefix(b"-")
                    .or(target.strip_prefix(b"x"))
                    .unwrap_or(target),
            )
        }
        _ => (None, &[][..]),
    };
    let (Some((file, rank)), Some((_, to))) = (from, squares(to)) else {
        return Err(SanError::Syntax);
    };
    let from = Square::new(file, rank);
    let moves = board.legal_moves();
    let found = moves.iter().copied().find(|mv| {
        let target = if mv.is_castle() {
            castled_king(*mv)
        } else {
            mv.to()
        };
        mv.from() == from && (target == to || mv.to() == to) && mv.promotion() == promotion
    });
    found.map(Some).ok_or(SanError::Illegal)
}

/// Where the king ends up.
fn castled_king(castle: Move) -> Square {
    let kingside = castle.to().file().index() > castle.from().file().index();
    let file = if kingside { File::ALL[6] } else { File::ALL[2] };
    Square::new(file, castle.from().rank())
}

/// Whether this is castling, and on the king's side.
fn castling(text: &[u8]) -> Option<bool> {
    let mut letters = [0; 5];
    for (letter, &byte) in letters.get_mut(..text.len())?.iter_mut().zip(text) {
        *letter = if matches!(byte, b'0' | b'o') {
            b'O'
        } else {
            byte
        };
    }
    match &letters[..text.len()] {
        b"O-O" | b"OO" => Some(true),
        b"O-O-O" | b"OOO" => Some(false),
        _ => None,
    }
}
