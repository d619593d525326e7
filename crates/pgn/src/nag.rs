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

    /// The glyph of a symbol that some programs write in place of a number; `None` for anything else.
    ///
    /// ```
    /// use skewer_pgn::Nag;
    /// assert_eq!(Nag::from_symbol("?!"), Some(Nag::DUBIOUS));
    /// assert_eq!(Nag::from_symbol("+-"), Some(Nag(18)));
    /// ```
    pub fn from_symbol(symbol: &str) -> Option<Self> {
        Self::from_bytes(symbol.as_bytes())
    }

    pub(crate) fn from_bytes(symbol: &[u8]) -> Option<Self> {
        Some(Self(match symbol {
            b"!" => 1,
            b"?" => 2,
            b"!!" => 3,
            b"??" => 4,
            b"!?" => 5,
            b"?!" => 6,
            b"=" => 10,
            b"+=" | b"+/=" | b"=/+-" => 14,
            b"=+" | b"=/+" => 15,
            b"+/-" | b"+/\xe2\x88\x92" => 16,
            b"-/+" => 17,
            b"+-" | b"+--" => 18,
            b"-+" | b"--+" => 19,
            b"N" => 146,
            b"D" => 220,
            _ => return None,
        }))
    }

    /// The suffix that SAN has for this glyph: only the first six have one.
    pub const fn suffix(self) -> Option<&'static str> {
        match self.0 {
            1 => Some("!"),
            2 => Some("?"),
            3 => Some("!!"),
            4 => Some("??"),
            5 => Some("!?"),
            6 => Some("?!"),
            _ => None,
        }
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
