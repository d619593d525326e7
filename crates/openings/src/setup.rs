//! Where games start: the standard position, or one of the 960 of Chess960.

use core::fmt;
use core::str::FromStr;

use skewer_movegen::{Board, Scharnagl};

use crate::Rng;

/// The variant of chess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Variant {
    /// Chess from the standard position.
    #[default]
    Standard,
    /// Chess960 (Fischer, 1996): one of 960 back ranks, the same for both sides.
    Chess960,
}

impl Variant {
    /// A starting position; random in Chess960.
    pub fn start(self, rng: &mut Rng) -> Board {
        match self {
            Self::Standard => Board::STARTPOS,
            Self::Chess960 => chess960_start(rng.below(960) as u16),
        }
    }
}

impl fmt::Display for Variant {
    /// `standard` or `chess960`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Standard => "standard",
            Self::Chess960 => "chess960",
        })
    }
}

/// The error for an unknown name of a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownVariant;

impl fmt::Display for UnknownVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no such variant; there are `standard` and `chess960`")
    }
}

impl core::error::Error for UnknownVariant {}

impl FromStr for Variant {
    type Err = UnknownVariant;

    fn from_str(name: &str) -> Result<Self, UnknownVariant> {
        match name.to_ascii_lowercase().as_str() {
            "standard" | "chess" => Ok(Self::Standard),
            "chess960" | "960" | "frc" => Ok(Self::Chess960),
            _ => Err(UnknownVariant),
        }
    }
}

/// Starting position `number` of Chess960 by the numbering of Scharnagl (1990s), in which 518 is
/// the standard one. Larger numbers are taken modulo 960.
///
/// ```
/// use skewer_movegen::Board;
/// use skewer_openings::chess960_start;
/// assert_eq!(chess960_start(518), Board::STARTPOS);
/// ```
pub fn chess960_start(number: u16) -> Board {
    Scharnagl::new(number % Scharnagl::COUNT).map_or(Board::STARTPOS, Board::chess960)
}
