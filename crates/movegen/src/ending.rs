//! The end of a game by the rules of chess.

use core::fmt;

use crate::{Board, Color, Outcome};

/// Plies without a capture or a move of a pawn after which a draw may be claimed.
const FIFTY_MOVES: u8 = 100;
/// Plies without a capture or a move of a pawn after which the game is drawn without a claim.
const SEVENTY_FIVE_MOVES: u8 = 150;

/// The rule that ended a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Termination {
    /// The side to move is in check and has no legal move.
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// Neither side has enough material to give mate.
    InsufficientMaterial,
    /// The same position has occurred five times.
    FivefoldRepetition,
    /// Each side has made 75 moves without a capture or a move of a pawn.
    SeventyFiveMoves,
    /// The same position has occurred three times; only by [`DrawRules::Claimed`].
    ThreefoldRepetition,
    /// Each side has made 50 moves without a capture or a move of a pawn; only by
    /// [`DrawRules::Claimed`].
    FiftyMoves,
}

impl Termination {
    /// The winner; `None` for a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Checkmate { winner } => Some(winner),
            _ => None,
        }
    }

    /// The result of the game.
    pub const fn outcome(self) -> Outcome {
        Outcome::from_winner(self.winner())
    }
}

impl fmt::Display for Termination {
    /// `checkmate`, `stalemate`, `insufficient material`, ...
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Checkmate { .. } => "checkmate",
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient material",
            Self::FivefoldRepetition => "fivefold repetition",
            Self::SeventyFiveMoves => "seventy-five-move rule",
            Self::ThreefoldRepetition => "threefold repetition",
            Self::FiftyMoves => "fifty-move rule",
        })
    }
}

/// A draw that the side to move may claim.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Claim {
    /// The same position has occurred three times.
    ThreefoldRepetition,
    /// Each side has made 50 moves without a capture or a move of a pawn.
    FiftyMoves,
}

impl From<Claim> for Termination {
    fn from(claim: Claim) -> Self {
        match claim {
            Claim::ThreefoldRepetition => Self::ThreefoldRepetition,
            Claim::FiftyMoves => Self::FiftyMoves,
        }
    }
}

/// Whether a draw that may be claimed ends a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DrawRules {
    /// No draw is claimed: the fifth occurrence of a position ends a game, and so do 75 moves of each side without a
    /// capture or a move of a pawn.
    Unclaimed,
    /// Every draw is claimed at once, as in matches of engines.
    Claimed,
}

impl Board {
    /// The rule that ends the game in this position, if it is over.
    ///
    /// `occurrences` is the number of times that this position has occurred in the game, this time
    /// included. Give 1 where the moves before are not known. [`Game`](crate::Game) counts them.
    ///
    /// ```
    /// use skewer_movegen::{Board, DrawRules, Termination};
    ///
    /// let board: Board = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1".parse()?;
    /// assert_eq!(board.ending(1, DrawRules::Unclaimed), Some(Termination::Stalemate));
    /// let start = Board::STARTPOS;
    /// assert_eq!(start.ending(3, DrawRules::Unclaimed), None);
    /// assert_eq!(start.ending(3, DrawRules::Claimed), Some(Termination::ThreefoldRepetition));
    /// # Ok::<(), skewer_movegen::FenError>(())
    /// ```
    pub fn ending(&self, occurrences: usize, rules: DrawRules) -> Option<Termination> {
        if !self.has_legal_moves() {
            let winner = !self.turn();
            return Some(if self.in_check() {
                Termination::Checkmate { winner }
            } else {
                Termination::Stalemate
            });
        }
        if self.is_insufficient_material() {
            return Some(Termination::InsufficientMaterial);
        }
        if rules == DrawRules::Claimed {
            if let Some(claim) = self.claim(occurrences) {
                return Some(claim.into());
            }
        }
        if self.halfmove_clock() >= SEVENTY_FIVE_MOVES {
            Some(Termination::SeventyFiveMoves)
        } else if occurrences >= 5 {
            Some(Termination::FivefoldRepetition)
        } else {
            None
        }
    }

    /// The draw that the side to move may claim in this position, which has occurred `occurrences` times
    /// in the game, this time included.
    pub fn claim(&self, occurrences: usize) -> Option<Claim> {
        if self.halfmove_clock() >= FIFTY_MOVES {
            Some(Claim::FiftyMoves)
        } else if occurrences >= 3 {
            Some(Claim::ThreefoldRepetition)
        } else {
            None
        }
    }
}
