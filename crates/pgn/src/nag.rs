//! Annotation glyphs (`$6`, `!?`).

use std::fmt;

/// A numeric annotation glyph: `$1` is a good move, `$6` a dubious one, and so on to `$255`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nag(pub u8);

impl Nag {
    /// `!`, a good move.
    pub const GOOD: Self = Self(1);
    /// `?`, a mistake.
    pub const MISTAKE: Self = Self(2);
    /// `!!`, a brilliant move.
    pub const BRILLIANT: Self = Self(3);
    /// `??`, a blunder.
    pub const BLUNDER: Self = Self(4);
    /// `!?`, an interesting move.
    pub const INTERESTING: Self = Self(5);
    /// `?!`, a dubious move, an inaccuracy.
    pub const DUBIOUS: Self = Self(6);
    /// `□`, the only move.
    pub const FORCED: Self = Self(7);

    /// `[#]`, a diagram.
    pub const DIAGRAM: Self = Self(220);

    /// Whether a move that was not played may follow the glyph: an intended move, or a better move.
    pub(crate) const fn is_before_moves(self) -> bool {
        matches!(self.0, 140..=142)
    }

    pub(crate) fn from_bytes(symbol: &[u8]) -> Option<Self> {
        Some(Self(match symbol {
            b"!" => 1,
            b"?" => 2,
            b"!!" | b"!!!" | b"!!!!" => 3,
            b"??" | b"???" | b"????" => 4,
            b"!?" => 5,
            b"?!" => 6,
            b"=" => 10,
            b"+=" | b"+/=" | b"=/+-" => 14,
            b"=+" | b"=/+" => 15,
            b"+/-" | b"+/\xe2\x88\x92" => 16,
            b"-/+" => 17,
            b"+-" | b"+--" => 18,
            b"-+" | b"--+" => 19,
            // An 8 stands for infinity.
            b"=8" | b"=/8" => 44,
            b"N" => 146,
            b"D" => 220,
            _ => return None,
        }))
    }
}

impl fmt::Display for Nag {
    /// The number, as the export format wants it: `$6`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}

impl fmt::Debug for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
