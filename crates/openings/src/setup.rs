//! Where games start: the standard position, or one of the 960 of Chess960.

use core::fmt;
use core::str::FromStr;

use skewer_movegen::Board;

use crate::Rng;

/// Which game is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Variant {
    /// Chess from the usual position.
    #[default]
    Standard,
    /// Chess960 (Fischer, 1996): one of 960 back ranks, the same for both sides.
    Chess960,
}

impl Variant {
    /// A position to start from.
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

/// A variant's name that is not known.
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

/// The knights' places among the five squares that bishops and queen leave free.
const KNIGHTS: [(usize, usize); 10] = [
    (0, 1),
    (0, 2),
    (0, 3),
    (0, 4),
    (1, 2),
    (1, 3),
    (1, 4),
    (2, 3),
    (2, 4),
    (3, 4),
];

/// Starting position `number` of Chess960 by the numbering of Scharnagl (1990s), in which 518 is
/// the usual one. Numbers from 960 on begin again at 0.
///
/// ```
/// use skewer_movegen::Board;
/// use skewer_openings::chess960_start;
/// assert_eq!(chess960_start(518), Board::STARTPOS);
/// ```
pub fn chess960_start(number: u16) -> Board {
    let mut rest = usize::from(number % 960);
    let mut rank = [b' '; 8];
    // The bishop on light squares (b, d, f, h), the one on dark squares, the queen, ...
    rank[2 * (rest % 4) + 1] = b'B';
    rest /= 4;
    rank[2 * (rest % 4)] = b'B';
    rest /= 4;
    place(&mut rank, rest % 6, b'Q');
    rest /= 6;
    // ... both knights, the second first so that it does not move the other's place ...
    let (left, right) = KNIGHTS[rest];
    place(&mut rank, right, b'N');
    place(&mut rank, left, b'N');
    // ... and the king between the rooks on what is left.
    for man in [b'R', b'K', b'R'] {
        place(&mut rank, 0, man);
    }
    let white = String::from_utf8_lossy(&rank).into_owned();
    let black = white.to_ascii_lowercase();
    let rooks: String = ('A'..='H')
        .zip(rank)
        .filter(|(_, man)| *man == b'R')
        .map(|(file, _)| file)
        .collect();
    let fen = format!(
        "{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {rooks}{} - 0 1",
        rooks.to_ascii_lowercase()
    );
    Board::from_fen(&fen).unwrap_or(Board::STARTPOS)
}

/// Puts a man on the free square with this number among the free ones.
fn place(rank: &mut [u8; 8], free: usize, man: u8) {
    if let Some(square) = rank.iter_mut().filter(|man| **man == b' ').nth(free) {
        *square = man;
    }
}
