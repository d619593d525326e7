//! Errors in a game that did not end its reading.

use std::fmt;

use crate::{GameErrorKind, Location};

/// An error that did not end the reading of a game: a bad move that cut a variation, or a syntax error that was
/// skipped.
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
    /// Where the error is.
    pub location: Location,
    /// Whether the error is in a variation.
    pub in_variation: bool,
    /// What is wrong. If a variation was cut, this is an error of a move.
    pub reason: GameErrorKind,
}

impl Problem {
    /// Whether the rest of a variation was left out.
    pub fn cuts(&self) -> bool {
        matches!(self.reason, GameErrorKind::Move { .. })
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
