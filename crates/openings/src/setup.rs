//! Where games start: the standard position, or one of the 960 start positions of Chess960.

use skewer_movegen::{Board, Scharnagl};

use crate::Rng;

/// The variant of chess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, strum::Display, strum::EnumString)]
#[strum(ascii_case_insensitive)]
#[strum(parse_err_ty = UnknownVariantError, parse_err_fn = unknown_variant)]
pub enum Variant {
    /// `standard`: chess from the standard position.
    #[default]
    #[strum(to_string = "standard", serialize = "chess")]
    Standard,
    /// `chess960` (Fischer, 1996): one of 960 back ranks, the same for both sides.
    #[strum(to_string = "chess960", serialize = "960", serialize = "frc")]
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

/// The error for an unknown name of a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no such variant; there are `standard` and `chess960`")]
pub struct UnknownVariantError;

const fn unknown_variant(_name: &str) -> UnknownVariantError {
    UnknownVariantError
}
