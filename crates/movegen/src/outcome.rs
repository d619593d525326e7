//! The result of a game.

use core::fmt;
use core::str::FromStr;

use crate::Color;

/// The result of a finished game. A game that is not finished, or of unknown result, has
/// `None` for an `Option<Outcome>`.
///
/// ```
/// use skewer_movegen::{Color, Outcome};
/// assert_eq!("1-0".parse(), Ok(Outcome::WhiteWins));
/// assert_eq!(Outcome::Draw.to_string(), "1/2-1/2");
/// assert_eq!(Outcome::WhiteWins.winner(), Some(Color::White));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
}

impl Outcome {
    /// The outcome with this winner; `None` for a draw.
    pub const fn from_winner(winner: Option<Color>) -> Self {
        match winner {
            Some(Color::White) => Self::WhiteWins,
            Some(Color::Black) => Self::BlackWins,
            None => Self::Draw,
        }
    }

    /// The outcome as a byte of a file: 0 if Black won, 1 for a draw, 2 if White won. This is the
    /// number of half points that White gets.
    ///
    /// ```
    /// use skewer_movegen::Outcome;
    /// assert_eq!(Outcome::WhiteWins.to_byte(), 2);
    /// assert_eq!(Outcome::from_byte(1), Some(Outcome::Draw));
    /// assert_eq!(Outcome::from_byte(3), None);
    /// ```
    pub const fn to_byte(self) -> u8 {
        match self {
            Self::BlackWins => 0,
            Self::Draw => 1,
            Self::WhiteWins => 2,
        }
    }

    /// The outcome with this byte; `None` for a byte that [`to_byte`](Self::to_byte) never returns.
    pub const fn from_byte(byte: u8) -> Option<Self> {
        match byte {
            0 => Some(Self::BlackWins),
            1 => Some(Self::Draw),
            2 => Some(Self::WhiteWins),
            _ => None,
        }
    }

    /// The points that `color` gets: 1, ½ or 0.
    pub fn points_for(self, color: Color) -> f32 {
        let white = f32::from(self.to_byte()) / 2.0;
        color.fold(white, 1.0 - white)
    }

    /// The winner; `None` for a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::WhiteWins => Some(Color::White),
            Self::BlackWins => Some(Color::Black),
            Self::Draw => None,
        }
    }

    /// The text as PGN writes it: `1-0`, `0-1` or `1/2-1/2`.
    pub const fn text(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }

    /// The `Result` of a PGN: the text of the outcome, or `*` if there is none.
    pub const fn pgn_result(outcome: Option<Self>) -> &'static str {
        match outcome {
            Some(outcome) => outcome.text(),
            None => "*",
        }
    }
}

impl fmt::Display for Outcome {
    /// The result as PGN writes it: `1-0`, `0-1` or `1/2-1/2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

/// The text is not a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseOutcomeError;

impl fmt::Display for ParseOutcomeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a result: expected 1-0, 0-1 or 1/2-1/2")
    }
}

impl core::error::Error for ParseOutcomeError {}

impl FromStr for Outcome {
    type Err = ParseOutcomeError;

    /// Reads `1-0`, `0-1`, `1/2-1/2` or `1/2`.
    fn from_str(text: &str) -> Result<Self, ParseOutcomeError> {
        match text {
            "1-0" => Ok(Self::WhiteWins),
            "0-1" => Ok(Self::BlackWins),
            "1/2-1/2" | "1/2" => Ok(Self::Draw),
            _ => Err(ParseOutcomeError),
        }
    }
}
