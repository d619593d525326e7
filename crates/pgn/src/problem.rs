//! Errors in a game that did not end its reading.

use std::fmt;

use crate::{GameErrorKind, Location, PgnError};

/// An error that did not end the reading of a game: a bad move that cut a variation, a syntax error that was
/// skipped, or a tag, a number or a result that contradicts the rest of the game.
///
/// ```
/// use skewer_pgn::Games;
///
/// let game = Games::new(&b"1. e4 e5 (1... Ke4 2. d4) 2. Nf3 *"[..]).next().unwrap().unwrap();
/// assert_eq!(game.mainline().count(), 3);
/// let problem = &game.problems[0];
/// assert!(problem.cuts());
/// assert!(problem.to_string().starts_with("line 1, column 16, in a variation: move 1... Ke4 is not legal"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Problem {
    /// Where the error is. For an error of a tag it is where the game begins.
    pub location: Location,
    /// Whether the error is in a variation.
    pub in_variation: bool,
    /// What is wrong. If a variation was cut, this is an error of a move.
    pub reason: GameErrorKind,
}

/// The [remedy](Problem::remedy) of an error that changes nothing else.
pub const PASSED_OVER: &str = "passed over";

impl Problem {
    /// Whether the rest of a variation was left out.
    pub fn cuts(&self) -> bool {
        matches!(self.reason, GameErrorKind::Move { .. })
    }

    /// What the reader did about the error, for messages: `passed over`.
    pub fn remedy(&self) -> &'static str {
        match self.reason {
            GameErrorKind::Move { .. } => "the variation is cut there",
            GameErrorKind::File(PgnError::SecondGame | PgnError::SecondEvent) => {
                "read as two games"
            }
            GameErrorKind::DoubledTag(_) => "the last one counts",
            GameErrorKind::FenWithoutSetUp => "the FEN counts",
            GameErrorKind::SetUpWithoutFen => "read from the usual position",
            GameErrorKind::TwoResults { .. } => "the result of the moves counts",
            GameErrorKind::WrongResult { .. } => "the result is kept",
            _ => PASSED_OVER,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.in_variation {
            ", in a variation"
        } else {
            ""
        };
        write!(f, "{}{place}: {}", self.location, self.reason)
    }
}
