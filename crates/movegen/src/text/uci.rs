//! Moves as the UCI protocol writes them: `e2e4`, `e7e8q`; castling as `e1g1`, or as `e1h1` in
//! Chess960.

use core::fmt;
use core::str::FromStr;

use super::ParseMoveError;
use crate::board::castling::{CastlingMode, CastlingSide};
use crate::moves::write_coordinates;
use crate::{Board, File, Move, Piece, Square};

/// A move in UCI notation. It names squares only, so that it can be read without a board;
/// [`to_move`](Self::to_move) finds the legal move that it stands for.
///
/// ```
/// use skewer_movegen::{Board, Move, Square, UciMove};
///
/// let uci: UciMove = "e2e4".parse()?;
/// assert_eq!(uci.to_move(&Board::STARTPOS)?, Move::normal(Square::E2, Square::E4));
/// assert_eq!(uci.to_string(), "e2e4");
/// assert_eq!("0000".parse(), Ok(UciMove::Null));
/// # Ok::<(), skewer_movegen::ParseMoveError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UciMove {
    /// A piece goes from one square to another.
    Normal {
        /// The origin.
        from: Square,
        /// The target. In castling the target of the king, or the square of the rook.
        to: Square,
        /// The kind to which a pawn promotes.
        promotion: Option<Piece>,
    },
    /// `0000`, the null move.
    Null,
}

impl UciMove {
    /// The legal move of `board` that this stands for. Castling is understood in both forms: as the king taking its
    /// rook, and as the king going to its target, if the target is more than one square away and the text is no other
    /// move.
    ///
    /// # Errors
    ///
    /// [`ParseMoveError::Illegal`] with the reason, if the move is not legal; [`ParseMoveError::Null`] for the null
    /// move.
    pub fn to_move(self, board: &Board) -> Result<Move, ParseMoveError> {
        let mv = self.to_any_move(board).ok_or(ParseMoveError::Null)?;
        board.check_legal(mv)
    }

    /// The move of `board` that this stands for, legal or not; `None` for the null move.
    pub fn to_any_move(self, board: &Board) -> Option<Move> {
        let Self::Normal {
            from,
            to,
            promotion,
        } = self
        else {
            return None;
        };
        if let Some(piece) = promotion {
            return Some(Move::promoting(from, to, piece));
        }
        Some(match board.piece_at(from) {
            Some(Piece::Pawn) if board.en_passant() == Some(to) && from.file() != to.file() => {
                Move::en_passant(from, to)
            }
            Some(Piece::King) if board.color(board.turn()).contains(to) => Move::castle(from, to),
            Some(Piece::King) if from.distance(to) > 1 => {
                castle_by_target(board, from, to).unwrap_or(Move::normal(from, to))
            }
            _ => Move::normal(from, to),
        })
    }
}

/// The castling that takes the king to `target`.
fn castle_by_target(board: &Board, king: Square, target: Square) -> Option<Move> {
    let us = board.turn();
    CastlingSide::ALL.into_iter().find_map(|side| {
        let rook = board.castling().rook(us, side)?;
        (side.king_target(us) == target)
            .then_some(Move::castle(king, Square::new(rook, king.rank())))
    })
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Normal {
                from,
                to,
                promotion,
            } => write_coordinates(f, from, to, promotion),
            Self::Null => f.pad("0000"),
        }
    }
}

impl FromStr for UciMove {
    type Err = ParseMoveError;

    /// Reads `e2e4`, `e7e8q` (the piece in either case) or `0000`.
    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        let promotion = match text.as_bytes() {
            b"0000" => return Ok(Self::Null),
            [_, _, _, _] => None,
            [_, _, _, _, piece] => {
                let piece = Piece::from_letter(char::from(*piece));
                let piece = piece.filter(|piece| Piece::PROMOTIONS.contains(piece));
                Some(piece.ok_or(ParseMoveError::Syntax)?)
            }
            _ => return Err(ParseMoveError::Syntax),
        };
        let square = |at| {
            let square = text.get(at).and_then(|name: &str| name.parse().ok());
            square.ok_or(ParseMoveError::Syntax)
        };
        Ok(Self::Normal {
            from: square(0..2)?,
            to: square(2..4)?,
            promotion,
        })
    }
}

impl From<Move> for UciMove {
    /// Castling as king takes rook.
    fn from(mv: Move) -> Self {
        Self::Normal {
            from: mv.from(),
            to: mv.to(),
            promotion: mv.promotion(),
        }
    }
}

/// A line of moves, for its `Display`.
struct UciLine<'a> {
    board: Board,
    line: &'a [Move],
    mode: CastlingMode,
}

impl fmt::Display for UciLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut board = self.board;
        for (index, &mv) in self.line.iter().enumerate() {
            let Ok(after) = board.try_play(mv) else {
                return Ok(());
            };
            let blank = if index == 0 { "" } else { " " };
            write!(f, "{blank}{}", board.uci_in(mv, self.mode))?;
            board = after;
        }
        Ok(())
    }
}

impl Board {
    /// A move in UCI notation, castling in the form that the position needs: `e1g1` if all
    /// castling rights are possible in standard chess, else as king takes rook. For games of Chess960,
    /// where the second form is always right, see [`uci_in`](Self::uci_in).
    ///
    /// ```
    /// use skewer_movegen::{Board, CastlingMode, Move, Square};
    ///
    /// let board: Board = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
    /// let castle = Move::castle(Square::E1, Square::H1);
    /// assert_eq!(board.uci(castle).to_string(), "e1g1");
    /// assert_eq!(board.uci_in(castle, CastlingMode::Chess960).to_string(), "e1h1");
    /// # Ok::<(), skewer_movegen::FenError>(())
    /// ```
    pub fn uci(&self, mv: Move) -> UciMove {
        if mv.is_castle() {
            self.uci_in(mv, self.castling_mode())
        } else {
            mv.into()
        }
    }

    /// A line of moves in UCI notation, separated by blanks, castling as in [`uci`](Self::uci). Each move must be
    /// legal after the moves before it; the text ends before the first illegal move.
    ///
    /// ```
    /// use skewer_movegen::{Board, Move, Square};
    ///
    /// let board: Board = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
    /// let castle = Move::castle(Square::E1, Square::H1);
    /// let line = [castle, Move::normal(Square::E8, Square::D7)];
    /// assert_eq!(board.uci_line(&line).to_string(), "e1g1 e8d7");
    /// # Ok::<(), skewer_movegen::FenError>(())
    /// ```
    pub fn uci_line(&self, line: &[Move]) -> impl fmt::Display {
        self.uci_line_in(line, self.castling_mode())
    }

    /// A line of moves as [`uci_line`](Self::uci_line) writes it, castling as `mode` says.
    pub fn uci_line_in(&self, line: &[Move], mode: CastlingMode) -> impl fmt::Display {
        UciLine {
            board: *self,
            line,
            mode,
        }
    }

    /// A move in UCI notation, castling as `mode` says.
    ///
    /// The standard notation can write castling (`e1g1`) only if king and rook stand on their
    /// squares of standard chess. From other squares the king's target may be next to the king, or
    /// be the king's own square, so castling is then written as king takes rook in either mode.
    ///
    /// ```
    /// use skewer_movegen::{Board, CastlingMode, Move, Square};
    ///
    /// let board: Board = "4k3/8/8/8/8/8/8/5K1R w H - 0 1".parse()?;
    /// let castle = Move::castle(Square::F1, Square::H1);
    /// let text = board.uci_in(castle, CastlingMode::Standard).to_string();
    /// assert_eq!(text, "f1h1"); // `f1g1` is the king's step
    /// assert_eq!(board.parse_uci(&text), Ok(castle));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn uci_in(&self, mv: Move, mode: CastlingMode) -> UciMove {
        let is_classical =
            mv.from().file() == File::E && matches!(mv.to().file(), File::A | File::H);
        if mv.is_castle() && is_classical && mode == CastlingMode::Standard {
            UciMove::Normal {
                from: mv.from(),
                to: CastlingSide::of(mv.from(), mv.to()).king_target(self.turn()),
                promotion: None,
            }
        } else {
            mv.into()
        }
    }

    /// The legal move of a UCI text; see [`UciMove::to_move`].
    ///
    /// # Errors
    ///
    /// [`ParseMoveError::Syntax`] if the text is not a move, [`ParseMoveError::Illegal`] with the
    /// reason if the move is not legal, [`ParseMoveError::Null`] for `0000`.
    pub fn parse_uci(&self, text: &str) -> Result<Move, ParseMoveError> {
        text.parse::<UciMove>()?.to_move(self)
    }
}
