//! Why a move is not legal.

use core::fmt;

use crate::{Bitboard, Board, CastlingSide, Move, MoveKind, Piece, Rank, Square, attacks};

/// The rule that forbids a move, see [`Board::why_illegal`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum IllegalReason {
    /// There is no piece on the origin.
    EmptySquare(Square),
    /// The piece on the origin belongs to the opponent.
    OpponentsPiece(Square),
    /// The side to move has no such piece, or none on the file or rank that SAN names.
    NoSuchPiece(Piece),
    /// No such piece of the side to move could move to this square, even on an empty board.
    Unreachable(Piece, Square),
    /// The piece on this square stands in the way.
    Blocked(Square),
    /// The target is occupied by a piece of the same colour.
    OwnPiece(Square),
    /// A pawn moves diagonally only to capture, and there is nothing to capture here.
    NothingToCapture(Square),
    /// The piece on this square is pinned to its king.
    Pinned(Square),
    /// The side to move is in check, and the move does not end it.
    InCheck,
    /// The king would be in check on this square.
    IntoCheck(Square),
    /// The capture en passant would leave the king in check.
    ExposesKing,
    /// There is no right to castle on this side.
    NoCastlingRight(CastlingSide),
    /// The king may not castle out of check.
    CastlingOutOfCheck,
    /// The king may not castle over or to this square, which is attacked.
    CastlingThroughCheck(Square),
    /// The pawn reaches the last rank, and the move does not say to what it promotes.
    MissingPromotion,
    /// The move names a promotion but is not one.
    NotAPromotion,
}

impl IllegalReason {
    /// How close to legal the move is: of several pieces that could be meant, the reason of the
    /// closest is the most useful.
    pub(crate) const fn closeness(self) -> u32 {
        match self {
            Self::EmptySquare(_) | Self::OpponentsPiece(_) | Self::NoSuchPiece(_) => 0,
            Self::Unreachable(..) => 1,
            Self::Blocked(_) | Self::OwnPiece(_) | Self::NothingToCapture(_) => 2,
            _ => 3,
        }
    }
}

impl fmt::Display for IllegalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptySquare(square) => write!(f, "there is no piece on {square}"),
            Self::OpponentsPiece(square) => {
                write!(f, "the piece on {square} belongs to the opponent")
            }
            Self::NoSuchPiece(piece) => write!(f, "there is no such {piece}"),
            Self::Unreachable(Piece::King, to) => write!(f, "the king cannot reach {to}"),
            Self::Unreachable(piece, to) => write!(f, "no such {piece} can reach {to}"),
            Self::Blocked(by) => write!(f, "the piece on {by} is in the way"),
            Self::OwnPiece(to) => write!(f, "{to} is occupied by a piece of the same side"),
            Self::NothingToCapture(to) => write!(f, "there is nothing to capture on {to}"),
            Self::Pinned(from) => write!(f, "the piece on {from} is pinned"),
            Self::InCheck => f.write_str("the king is in check"),
            Self::IntoCheck(to) => write!(f, "the king would be in check on {to}"),
            Self::ExposesKing => f.write_str("the capture would leave the king in check"),
            Self::NoCastlingRight(CastlingSide::King) => f.write_str("no right to castle kingside"),
            Self::NoCastlingRight(CastlingSide::Queen) => {
                f.write_str("no right to castle queenside")
            }
            Self::CastlingOutOfCheck => f.write_str("the king may not castle out of check"),
            Self::CastlingThroughCheck(square) => {
                write!(
                    f,
                    "the king may not castle across {square}, which is attacked"
                )
            }
            Self::MissingPromotion => f.write_str("the promotion piece is missing"),
            Self::NotAPromotion => f.write_str("this is not a promotion"),
        }
    }
}

impl Board {
    /// Why a move is not legal; `None` if it is legal.
    ///
    /// ```
    /// use skewer_movegen::{Board, IllegalReason, Move, Square};
    ///
    /// let rook = Move::normal(Square::A1, Square::A4);
    /// let reason = Board::STARTPOS.why_illegal(rook).unwrap();
    /// assert_eq!(reason, IllegalReason::Blocked(Square::A2));
    /// assert_eq!(reason.to_string(), "the piece on a2 is in the way");
    /// ```
    #[inline]
    pub fn why_illegal(&self, mv: Move) -> Option<IllegalReason> {
        if self.is_legal(mv) {
            None
        } else {
            Some(self.reason(mv))
        }
    }

    /// The reason of a move that is known to be illegal.
    #[cold]
    fn reason(&self, mv: Move) -> IllegalReason {
        let us = self.turn();
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_at(from) else {
            return IllegalReason::EmptySquare(from);
        };
        if !self.color(us).contains(from) {
            return IllegalReason::OpponentsPiece(from);
        }
        match mv.kind() {
            MoveKind::Castle if piece == Piece::King => self.castling_reason(from, to),
            MoveKind::Castle => IllegalReason::Unreachable(piece, to),
            MoveKind::EnPassant => {
                if piece != Piece::Pawn || !attacks::pawn_attacks(us, from).contains(to) {
                    IllegalReason::Unreachable(piece, to)
                } else if self.en_passant() == Some(to) {
                    IllegalReason::ExposesKing
                } else {
                    IllegalReason::NothingToCapture(to)
                }
            }
            _ if from == to => IllegalReason::Unreachable(piece, to),
            kind => self
                .obstacle(piece, from, to, matches!(kind, MoveKind::Promotion(_)))
                .unwrap_or_else(|| self.king_reason(piece, from, to)),
        }
    }

    /// What stops a piece from moving like this, the safety of its king aside.
    fn obstacle(
        &self,
        piece: Piece,
        from: Square,
        to: Square,
        promotes: bool,
    ) -> Option<IllegalReason> {
        let us = self.turn();
        let in_the_way = |last: Bitboard| {
            let between = (attacks::between(from, to) | last) & self.occupied();
            let nearest = between.into_iter().min_by_key(|s| s.distance(from));
            nearest.map(IllegalReason::Blocked)
        };
        if piece == Piece::Pawn {
            let forward = us.fold(1, -1);
            let ahead = from.offset(0, forward);
            let two = from.offset(0, 2 * forward);
            let doubles = from.rank() == Rank::Second.relative_to(us);
            let reason = if attacks::pawn_attacks(us, from).contains(to) {
                (!self.color(!us).contains(to)).then_some(IllegalReason::NothingToCapture(to))
            } else if ahead == Some(to) || (doubles && two == Some(to)) {
                in_the_way(to.bitboard())
            } else {
                Some(IllegalReason::Unreachable(piece, to))
            };
            return reason.or_else(|| {
                match (promotes, to.rank() == Rank::Eighth.relative_to(us)) {
                    (false, true) => Some(IllegalReason::MissingPromotion),
                    (true, false) => Some(IllegalReason::NotAPromotion),
                    _ => None,
                }
            });
        }
        if !attacks::piece_attacks(piece, us, from, Bitboard::EMPTY).contains(to) {
            Some(IllegalReason::Unreachable(piece, to))
        } else if promotes {
            Some(IllegalReason::NotAPromotion)
        } else if let Some(reason) = in_the_way(Bitboard::EMPTY) {
            Some(reason)
        } else if self.color(us).contains(to) {
            Some(IllegalReason::OwnPiece(to))
        } else {
            None
        }
    }

    /// How a move that is otherwise possible leaves the king in check.
    fn king_reason(&self, piece: Piece, from: Square, to: Square) -> IllegalReason {
        if piece == Piece::King {
            return IllegalReason::IntoCheck(to);
        }
        let line = attacks::line(self.king(self.turn()), from);
        if self.pinned().contains(from) && !line.contains(to) {
            IllegalReason::Pinned(from)
        } else {
            IllegalReason::InCheck
        }
    }

    fn castling_reason(&self, king: Square, rook: Square) -> IllegalReason {
        let us = self.turn();
        let side = CastlingSide::of(king, rook);
        if !(self.castling_rooks() & self.color(us)).contains(rook) {
            return IllegalReason::NoCastlingRight(side);
        }
        if self.in_check() {
            return IllegalReason::CastlingOutOfCheck;
        }
        let (king_target, rook_target) = (side.king_target(us), side.rook_target(us));
        let king_path = attacks::between(king, king_target).with(king_target);
        let rook_path = attacks::between(rook, rook_target).with(rook_target);
        let others = self.occupied().without(king).without(rook);
        if let Some(square) = ((king_path | rook_path) & others).first() {
            return IllegalReason::Blocked(square);
        }
        let attacked = self.attacks_by(!us, self.occupied().without(king));
        match (king_path & attacked).first() {
            Some(square) => IllegalReason::CastlingThroughCheck(square),
            None => IllegalReason::Pinned(rook),
        }
    }
}
