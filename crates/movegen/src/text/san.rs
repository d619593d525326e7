//! Moves as people write them: `Nf3`, `exd5`, `O-O`, `e8=Q#` (standard algebraic notation).

use core::fmt;

use super::ParseMoveError;
use crate::board::castling::Wing;
use crate::{Bitboard, Board, Color, File, Move, Piece, Rank, Square, attacks};

/// A move of a board about to be written.
struct San {
    board: Board,
    mv: Move,
}

impl Board {
    /// A legal move in standard algebraic notation, with `+` or `#` where it belongs.
    ///
    /// ```
    /// use skewer_movegen::{Board, Move, Square};
    /// let knight = Move::normal(Square::G1, Square::F3);
    /// assert_eq!(Board::STARTPOS.san(knight).to_string(), "Nf3");
    /// ```
    pub fn san(&self, mv: Move) -> impl fmt::Display + use<> {
        San { board: *self, mv }
    }

    /// The legal move of a text in standard algebraic notation, read generously: marks such as
    /// `+ # ! ?` and `e.p.` are passed over, `x` and `=` may be missing, castling may be written
    /// with zeros, more of the square that is left may be given than needed (`Ng1f3`, `e2e4`,
    /// `e2-e4`), and figures of promotion may be in lower case.
    ///
    /// # Errors
    ///
    /// [`ParseMoveError`] says whether it is no move, fits no legal move, or fits several.
    pub fn parse_san(&self, text: &str) -> Result<Move, ParseMoveError> {
        let text = strip_marks(text.as_bytes());
        match text {
            b"O-O" | b"0-0" | b"o-o" => return self.castle_on(Wing::King),
            b"O-O-O" | b"0-0-0" | b"o-o-o" => return self.castle_on(Wing::Queen),
            _ => {}
        }
        let wanted = Wanted::read(text).ok_or(ParseMoveError::Syntax)?;
        self.resolve(&wanted)
    }

    fn castle_on(&self, wing: Wing) -> Result<Move, ParseMoveError> {
        let us = self.turn();
        let king = self.king(us);
        let rook = self
            .castling()
            .rook(us, wing)
            .ok_or(ParseMoveError::Illegal)?;
        let mv = Move::castle(king, Square::new(rook, king.rank()));
        if self.is_legal(mv) {
            Ok(mv)
        } else {
            Err(ParseMoveError::Illegal)
        }
    }

    /// Finds the one legal move that is wanted.
    fn resolve(&self, wanted: &Wanted) -> Result<Move, ParseMoveError> {
        let us = self.turn();
        let to = wanted.to;
        let mut found = None;
        let origins = if wanted.piece == Piece::Pawn {
            let behind = |steps: i8| to.offset(0, us.fold(-steps, steps));
            attacks::pawn_attacks(!us, to)
                | behind(1).map_or(Bitboard::EMPTY, Square::bitboard)
                | behind(2).map_or(Bitboard::EMPTY, Square::bitboard)
        } else {
            attacks::piece_attacks(wanted.piece, us, to, self.occupied())
        };
        for from in origins & self.colored(us, wanted.piece) & wanted.origins {
            let mv = if wanted.piece != Piece::Pawn {
                Move::normal(from, to)
            } else if to.rank() == Rank::Eighth.relative_to(us) {
                match wanted.promotion {
                    Some(piece) => Move::promoting(from, to, piece),
                    None => return Err(ParseMoveError::Illegal),
                }
            } else if self.en_passant() == Some(to) && from.file() != to.file() {
                Move::en_passant(from, to)
            } else {
                Move::normal(from, to)
            };
            // "e4" is never a capture, and "dxe4" always one.
            if wanted.piece == Piece::Pawn
                && wanted.origins == Bitboard::FULL
                && from.file() != to.file()
            {
                continue;
            }
            if (wanted.promotion.is_none() || mv.is_promotion()) && self.is_legal(mv) {
                if found.is_some() {
                    return Err(ParseMoveError::Ambiguous);
                }
                found = Some(mv);
            }
        }
        found.ok_or(ParseMoveError::Illegal)
    }
}

/// What a text says of a move.
struct Wanted {
    piece: Piece,
    /// The squares that it may leave.
    origins: Bitboard,
    to: Square,
    promotion: Option<Piece>,
}

impl Wanted {
    fn read(text: &[u8]) -> Option<Self> {
        let (piece, rest) = match text {
            [
                letter @ (b'P' | b'N' | b'B' | b'R' | b'Q' | b'K'),
                rest @ ..,
            ] => (Piece::from_letter(*letter as char)?, rest),
            _ => (Piece::Pawn, text),
        };
        // From the end: what a pawn becomes, then the square it goes to.
        let (rest, promotion) = match rest {
            [rest @ .., letter] if !letter.is_ascii_digit() && piece == Piece::Pawn => {
                let promotion = match letter.to_ascii_uppercase() {
                    b'N' => Piece::Knight,
                    b'B' => Piece::Bishop,
                    b'R' => Piece::Rook,
                    b'Q' => Piece::Queen,
                    _ => return None,
                };
                (rest.strip_suffix(b"=").unwrap_or(rest), Some(promotion))
            }
            _ => (rest, None),
        };
        let (rest, target) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
        let to = core::str::from_utf8(target).ok()?.parse().ok()?;
        let rest = match rest {
            [rest @ .., b'x' | b'X' | b':' | b'-'] => rest,
            _ => rest,
        };
        let mut origins = Bitboard::FULL;
        let rest = match rest {
            [file @ b'a'..=b'h', rest @ ..] => {
                origins &= File::from_letter(*file as char)?.bitboard();
                rest
            }
            _ => rest,
        };
        let rest = match rest {
            [rank @ b'1'..=b'8', rest @ ..] => {
                origins &= Rank::from_digit(*rank as char)?.bitboard();
                rest
            }
            _ => rest,
        };
        rest.is_empty().then_some(Self {
            piece,
            origins,
            to,
            promotion,
        })
    }
}

/// Takes check, mate, praise and "e.p." off the end.
fn strip_marks(mut text: &[u8]) -> &[u8] {
    while let [rest @ .., b'+' | b'#' | b'!' | b'?'] = text {
        text = rest;
    }
    text.strip_suffix(b"e.p.")
        .map_or(text, <[u8]>::trim_ascii_end)
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (board, mv) = (&self.board, self.mv);
        let (from, to) = (mv.from(), mv.to());
        let piece = board.moved(mv);
        if mv.is_castle() {
            f.write_str(if Wing::of(from, to) == Wing::King {
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

/// The least of the square that is left that tells the move from those of other pieces of the
/// kind: nothing, the file, the rank, or both.
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
