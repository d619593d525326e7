//! serde's traits where they cannot be derived: squares by name, boards as FEN, moves as text or by their bits.

use core::fmt;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Board, Move, MoveKind, Square, UciMove};

/// Serialises a type as the text that its `Display` writes and its `FromStr` reads.
macro_rules! as_text {
    ($type:ty, $expected:literal) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Text;

                impl Visitor<'_> for Text {
                    type Value = $type;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($expected)
                    }

                    fn visit_str<E: Error>(self, text: &str) -> Result<$type, E> {
                        text.parse().map_err(E::custom)
                    }
                }

                deserializer.deserialize_str(Text)
            }
        }
    };
}

as_text!(Board, "a position in Forsyth-Edwards notation");
as_text!(Square, "the name of a square");

as_text!(UciMove, "a move in UCI notation");

/// What is written after the squares of castling and of captures en passant, because the squares alone do not
/// distinguish them from other moves.
const MARKS: [(&str, MoveKind); 2] = [
    (":castle", MoveKind::Castle),
    (":en-passant", MoveKind::EnPassant),
];

impl Serialize for Move {
    /// In formats for people (JSON), writes text such as `e2e4`, `a7a8q`, `e1h1:castle`, `e5d6:en-passant`; in other
    /// formats, writes the sixteen bits. [`Board::uci`] writes the text that other programs read.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            return serializer.serialize_u16(self.bits());
        }
        let mark = MARKS.iter().find(|(_, kind)| *kind == self.kind());
        let mark = mark.map_or("", |(mark, _)| mark);
        serializer.collect_str(&format_args!("{self:?}{mark}"))
    }
}

impl<'de> Deserialize<'de> for Move {
    /// Reads both forms. Formats for people may also have the sixteen bits as a number.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrBits;

        impl Visitor<'_> for TextOrBits {
            type Value = Move;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a move")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Move, E> {
                from_text(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
            }

            fn visit_u64<E: Error>(self, bits: u64) -> Result<Move, E> {
                let mv = u16::try_from(bits).ok().and_then(Move::from_bits);
                mv.ok_or_else(|| E::invalid_value(Unexpected::Unsigned(bits), &self))
            }
        }

        if deserializer.is_human_readable() {
            deserializer.deserialize_any(TextOrBits)
        } else {
            deserializer.deserialize_u16(TextOrBits)
        }
    }
}

fn from_text(text: &str) -> Option<Move> {
    let marked = MARKS
        .iter()
        .find_map(|(mark, kind)| Some((text.strip_suffix(mark)?, *kind)));
    let (squares, kind) = marked.unwrap_or((text, MoveKind::Normal));
    let UciMove::Normal {
        from,
        to,
        promotion,
    } = squares.parse().ok()?
    else {
        return None;
    };
    match (kind, promotion) {
        (MoveKind::Castle, None) => Some(Move::castle(from, to)),
        (MoveKind::EnPassant, None) => Some(Move::en_passant(from, to)),
        (MoveKind::Normal, Some(piece)) => Some(Move::promoting(from, to, piece)),
        (MoveKind::Normal, None) => Some(Move::normal(from, to)),
        _ => None,
    }
}
