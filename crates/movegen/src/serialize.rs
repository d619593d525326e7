//! serde's traits where they cannot be derived: squares by name, boards as FEN, moves by their bits.

use core::fmt;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Board, Move, Square};

impl Serialize for Board {
    /// The FEN.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Board {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fen;

        impl Visitor<'_> for Fen {
            type Value = Board;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a position in Forsyth-Edwards notation")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Board, E> {
                Board::from_fen(text).map_err(E::custom)
            }
        }

        deserializer.deserialize_str(Fen)
    }
}

impl Serialize for Square {
    /// The name.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Square {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;

        impl Visitor<'_> for Name {
            type Value = Square;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a square")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Square, E> {
                text.parse().map_err(E::custom)
            }
        }

        deserializer.deserialize_str(Name)
    }
}

impl Serialize for Move {
    /// The sixteen bits, because the text of a move is ambiguous without its board.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u16(self.bits())
    }
}

impl<'de> Deserialize<'de> for Move {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bits = u16::deserialize(deserializer)?;
        Self::from_bits(bits).ok_or_else(|| {
            D::Error::invalid_value(Unexpected::Unsigned(u64::from(bits)), &"the bits of a move")
        })
    }
}
