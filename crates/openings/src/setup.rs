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
            Self::Chess960 => {
                Scharnagl::new(rng.below(960) as u16).map_or(Board::STARTPOS, Board::chess960)
            }
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
pub struct UnknownVariantError;

impl fmt::Display for UnknownVariantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no such variant; there are `standard` and `chess960`")
    }
}

impl core::error::Error for UnknownVariantError {}

impl FromStr for Variant {
    type Err = UnknownVariantError;

    fn from_str(name: &str) -> Result<Self, UnknownVariantError> {
        match name.to_ascii_lowercase().as_str() {
            "standard" | "chess" => Ok(Self::Standard),
            "chess960" | "960" | "frc" => Ok(Self::Chess960),
            _ => Err(UnknownVariantError),
        }
    }
}
