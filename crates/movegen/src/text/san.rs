//! Moves in standard algebraic notation (SAN): `Nf3`, `exd5`, `O-O`, `e8=Q#`.
//!
//! The move is found from the pieces that attack its target, and from the checks and pins of the board; no list
//! of moves is made, except for moves in coordinates.

use core::fmt;

use super::ParseMoveError;
use crate::board::castling::CastlingSide;
use crate::{Bitboard, Board, Color, File, IllegalReason, Move, Piece, Rank, Square, attacks};

impl Board {
    /// The legal move of a text in standard algebraic notation, read leniently. Check marks,
    /// annotations (`!?`), `e.p.`, `ch.`, `dis.ch.` and `mate` are ignored; `x` and `=` may be missing; castling may be
    /// written with zeros; the origin may be given where it is not needed (`Ng1f3`, `e2e4`,
    /// `e2-e4`); a pawn's capture may name the files alone (`ed`); promotions may be in lower case or parentheses.
    ///
    /// ```
    /// use skewer_movegen::{Board, IllegalReason, Move, ParseMoveError, Piece, Square};
    ///
    /// let board = Board::STARTPOS;
    /// assert_eq!(board.parse_san("Nf3"), Ok(Move::normal(Square::G1, Square::F3)));
    /// let reason = IllegalReason::Blocked(Square::E2);
    /// assert_eq!(board.parse_san("Bd3"), Err(ParseMoveError::Illegal(reason)));
    /// ```
    ///
    /// # Errors
    ///
    /// [`ParseMoveError::Syntax`] if the text is not a move, [`ParseMoveError::Illegal`] with the
    /// reason, or [`ParseMoveError::Ambiguous`] with the squares of the pieces that could move.
    #[inline]
    pub fn parse_san(&self, text: &str) -> Result<Move, ParseMoveError> {
        self.parse_san_bytes(text.as_bytes())
    }

    /// [`parse_san`](Self::parse_san) for bytes that need not be UTF-8, such as the bytes of a
    /// PGN file.
    ///
    /// # Errors
    ///
    /// As [`parse_san`](Self::parse_san).
    #[inline]
    pub fn parse_san_bytes(&self, text: &[u8]) -> Result<Move, ParseMoveError> {
        let trimmed = trim_marks(text);
        let Some(&first) = trimmed.first() else {
            return Err(ParseMoveError::Syntax);
        };
        let piece = match first {
            b'a'..=b'h' => return self.pawn_san(trimmed),
            b'N' => Piece::Knight,
            b'B' => Piece::Bishop,
            b'R' => Piece::Rook,
            b'Q' => Piece::Queen,
            b'K' => Piece::King,
            _ => return self.rare_san(trimmed),
        };
        match squares(&trimmed[1..]) {
            Some((from, to)) => self.piece_san(piece, from, to),
            None => self.rare_san(trimmed),
        }
    }

    /// Finds the move of a piece other than a pawn.
    #[inline]
    fn piece_san(&self, piece: Piece, from: Bitboard, to: Square) -> Result<Move, ParseMoveError> {
        let us = self.turn();
        let occupied = self.occupied();
        let candidates = match piece {
            Piece::Knight => attacks::knight_attacks(to),
            Piece::Bishop => attacks::bishop_attacks(to, occupied),
            Piece::Rook => attacks::rook_attacks(to, occupied),
            Piece::Queen => attacks::queen_attacks(to, occupied),
            Piece::King | Piece::Pawn => attacks::king_attacks(to),
        } & from
            & self.colored(us, piece);
        if self.color(us).contains(to) {
            return Err(self.explain_san(piece, from, to, None));
        }
        let mut found = None;
        for from_square in candidates {
            let safe = if piece == Piece::King {
                let attackers = self.attackers_to(to, occupied.without(from_square));
                (attackers & self.color(!us)).is_empty()
            } else {
                self.leaves_king_safe(from_square, to)
            };
            if safe {
                if found.is_some() {
                    return Err(self.ambiguous_san(candidates, to));
                }
                found = Some(Move::normal(from_square, to));
            }
        }
        found.ok_or_else(|| self.explain_san(piece, from, to, None))
    }

    /// Reads a text that begins with the letter of a file: a pawn move, or a move in coordinates.
    #[inline]
    fn pawn_san(&self, text: &[u8]) -> Result<Move, ParseMoveError> {
        let (squares, promotion) = split_promotion(text);
        let (from_file, to) = match *squares {
            [file, rank] => (file, [file, rank]),
            [from, b'x' | b':' | b'X', file, rank] | [from, file @ b'a'..=b'h', rank] => {
                (from, [file, rank])
            }
            _ => return self.rare_san(text),
        };
        let (Some(from_file), Some(file), Some(rank)) =
            (file_of(from_file), file_of(to[0]), rank_of(to[1]))
        else {
            return self.rare_san(text);
        };
        let to = Square::new(file, rank);
        self.pawn_move(from_file, to, promotion)
            .ok_or_else(|| self.explain_san(Piece::Pawn, from_file.bitboard(), to, promotion))
    }

    #[inline]
    fn pawn_move(&self, from_file: File, to: Square, promotion: Option<Piece>) -> Option<Move> {
        let us = self.turn();
        let back: i8 = us.fold(-1, 1);
        let across = from_file as i8 - to.file() as i8;
        let mut from = to.offset(across, back)?;
        let pawns = self.colored(us, Piece::Pawn);
        if across == 0 {
            if self.occupied().contains(to) {
                return None;
            }
            if to.rank() == Rank::Fourth.relative_to(us) && !self.occupied().contains(from) {
                from = to.offset(0, 2 * back)?;
            }
        } else {
            if across.abs() != 1 {
                return None;
            }
            if self.en_passant() == Some(to) && pawns.contains(from) {
                let mv = Move::en_passant(from, to);
                return self.is_legal(mv).then_some(mv);
            }
            if !self.color(!us).contains(to) {
                return None;
            }
        }
        if !pawns.contains(from) || !self.leaves_king_safe(from, to) {
            return None;
        }
        match (promotion, to.rank() == Rank::Eighth.relative_to(us)) {
            (None, false) => Some(Move::normal(from, to)),
            (Some(piece), true) => Some(Move::promoting(from, to, piece)),
            _ => None,
        }
    }

    /// Reads castling, moves in coordinates, moves with a leading `P`, and moves with `e.p.` at the end.
    #[cold]
    fn rare_san(&self, text: &[u8]) -> Result<Move, ParseMoveError> {
        let mut bare = text;
        while let Some(shorter) = WORDS.iter().find_map(|word| bare.strip_suffix(*word)) {
            bare = trim_marks(shorter.trim_ascii_end());
        }
        let bare = bare.strip_prefix(b"P").unwrap_or(bare);
        if let Some(side) = castling(bare) {
            return self.castling_san(side);
        }
        if bare != text {
            // What is left may be a plain move. Each step shortens the text, so this ends.
            return match bare.first() {
                Some(b'a'..=b'h') => self.pawn_san(bare),
                _ => self.parse_san_bytes(bare),
            };
        }
        if let [from, file] | [from, b'x' | b'X' | b':', file] = *bare {
            if let (Some(from), Some(file)) = (file_of(from), file_of(file)) {
                return self.capture_between(from, file);
            }
        }
        let (squares_text, promotion) = split_promotion(bare);
        let [file, rank, target @ ..] = squares_text else {
            return Err(ParseMoveError::Syntax);
        };
        let (Some((file, rank)), Some((Bitboard::FULL, to))) =
            (file_of(*file).zip(rank_of(*rank)), squares(target))
        else {
            return Err(ParseMoveError::Syntax);
        };
        super::UciMove::Normal {
            from: Square::new(file, rank),
            to,
            promotion,
        }
        .to_move(self)
    }

    /// The only capture of a pawn from one file to another, as in `ed`.
    fn capture_between(&self, from: File, to: File) -> Result<Move, ParseMoveError> {
        let captures = |square: Square| {
            let target = Square::new(to, square.rank()).offset(0, self.turn().fold(1, -1))?;
            self.pawn_move(from, target, None)
        };
        let pawns = self.colored(self.turn(), Piece::Pawn) & from.bitboard();
        let mut found = pawns
            .into_iter()
            .filter_map(captures)
            .filter(|_| from != to);
        match (found.next(), found.next()) {
            (Some(mv), None) => Ok(mv),
            (Some(_), Some(_)) => Err(ParseMoveError::Ambiguous(pawns)),
            (None, _) => Err(ParseMoveError::Illegal(IllegalReason::NoSuchPiece(
                Piece::Pawn,
            ))),
        }
    }

    fn castling_san(&self, side: CastlingSide) -> Result<Move, ParseMoveError> {
        let us = self.turn();
        let king = self.king(us);
        match self.castling().rook(us, side) {
            Some(rook) => self.check_legal(Move::castle(king, Square::new(rook, king.rank()))),
            None => Err(ParseMoveError::Illegal(IllegalReason::NoCastlingRight(
                side,
            ))),
        }
    }

    /// The error for several pieces that can go to `to`.
    #[cold]
    fn ambiguous_san(&self, candidates: Bitboard, to: Square) -> ParseMoveError {
        let legal = |from: &Square| self.is_legal(Move::normal(*from, to));
        ParseMoveError::Ambiguous(candidates.into_iter().filter(legal).collect())
    }

    /// Why no piece of this kind on `origins` has a legal move to `to`: of the moves of all such
    /// pieces, the reason of the move that is closest to a legal one.
    #[cold]
    fn explain_san(
        &self,
        piece: Piece,
        origins: Bitboard,
        to: Square,
        promotion: Option<Piece>,
    ) -> ParseMoveError {
        let candidates = self.colored(self.turn(), piece) & origins;
        let reason = candidates
            .into_iter()
            .filter_map(|from| {
                let en_passant = piece == Piece::Pawn
                    && self.en_passant() == Some(to)
                    && from.file() != to.file();
                self.why_illegal(match promotion {
                    Some(piece) => Move::promoting(from, to, piece),
                    None if en_passant => Move::en_passant(from, to),
                    None => Move::normal(from, to),
                })
            })
            .max_by_key(|reason| reason.closeness())
            .unwrap_or(IllegalReason::NoSuchPiece(piece));
        ParseMoveError::Illegal(reason)
    }
}

/// Words at the end of a move. They are ignored, because they say what the board shows anyway. Dots after the words are
/// removed first.
const WORDS: &[&[u8]] = &[
    b"e.p", b"ep", b"mate", b"mat", b"matt", b"check", b"ch", b"disc", b"dis", b"dbl", b"double",
];

/// The text without check marks and annotations at its end.
#[inline]
fn trim_marks(text: &[u8]) -> &[u8] {
    let mut end = text.len();
    while end > 0
        && matches!(
            text[end - 1],
            b'+' | b'#' | b'!' | b'?' | b'=' | b'.' | b':'
        )
    {
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

/// The squares from which the piece may come according to the text, and its target.
#[inline]
fn squares(text: &[u8]) -> Option<(Bitboard, Square)> {
    let (origin, target) = text.split_at_checked(text.len().checked_sub(2)?)?;
    let to = Square::new(file_of(target[0])?, rank_of(target[1])?);
    let mut from = Bitboard::FULL;
    for &byte in origin {
        match byte {
            b'a'..=b'h' => from &= file_of(byte)?.bitboard(),
            b'1'..=b'8' => from &= rank_of(byte)?.bitboard(),
            b'x' | b'X' | b'-' | b':' => {}
            _ => return None,
        }
    }
    Some((from, to))
}

/// Splits off the promotion: `e8=Q`, `e8Q`, `e8(Q)`, `e8/Q`, `e7e8q`.
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

/// The side to which this text castles, if it does.
fn castling(text: &[u8]) -> Option<CastlingSide> {
    let mut letters = [0; 5];
    for (letter, &byte) in letters.get_mut(..text.len())?.iter_mut().zip(text) {
        *letter = if matches!(byte, b'0' | b'o') {
            b'O'
        } else {
            byte
        };
    }
    match &letters[..text.len()] {
        b"O-O" | b"OO" => Some(CastlingSide::King),
        b"O-O-O" | b"OOO" => Some(CastlingSide::Queen),
        _ => None,
    }
}

/// A move of a board and how to write it.
struct San {
    board: Board,
    mv: Move,
}

impl Board {
    /// A legal move in standard algebraic notation, with `+` or `#` where it applies.
    ///
    /// ```
    /// use skewer_movegen::{Board, Move, Square};
    /// let knight = Move::normal(Square::G1, Square::F3);
    /// assert_eq!(Board::STARTPOS.san(knight).to_string(), "Nf3");
    /// ```
    pub fn san(&self, mv: Move) -> impl fmt::Display + use<> {
        San { board: *self, mv }
    }
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (board, mv) = (&self.board, self.mv);
        let (from, to) = (mv.from(), mv.to());
        let piece = board.moved(mv);
        if mv.is_castle() {
            f.write_str(if CastlingSide::of(from, to) == CastlingSide::King {
                "O-O"
            } else {
                "O-O-O"
            })?;
        } else if piece == Piece::Pawn {
            if board.is_capture(mv) {
                write!(f, "{}x", from.file())?;
            }
            write!(f, "{to}")?;
            if let Some(promotion) = mv.promotion() {
                write!(f, "={}", promotion.letter(Color::White))?;
            }
        } else {
            write!(f, "{}", piece.letter(Color::White))?;
            write_origin(f, board, mv, piece)?;
            if board.is_capture(mv) {
                f.write_str("x")?;
            }
            write!(f, "{to}")?;
        }
        if board.gives_check(mv) {
            let mate = !board.play(mv).has_legal_moves();
            f.write_str(if mate { "#" } else { "+" })?;
        }
        Ok(())
    }
}

/// The origin as far as it is needed to distinguish the move from moves of other pieces of
/// the kind: nothing, the file, the rank, or both.
fn write_origin(f: &mut fmt::Formatter<'_>, board: &Board, mv: Move, piece: Piece) -> fmt::Result {
    let (from, to) = (mv.from(), mv.to());
    let us = board.turn();
    let rivals: Bitboard = (attacks::piece_attacks(piece, us, to, board.occupied())
        & board.colored(us, piece))
    .without(from)
    .into_iter()
    .filter(|rival| board.is_legal(Move::normal(*rival, to)))
    .collect();
    if rivals.is_empty() {
        Ok(())
    } else if (rivals & from.file().bitboard()).is_empty() {
        write!(f, "{}", from.file())
    } else if (rivals & from.rank().bitboard()).is_empty() {
        write!(f, "{}", from.rank())
    } else {
        write!(f, "{from}")
    }
}
