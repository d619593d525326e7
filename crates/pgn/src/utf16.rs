//! UTF-16 as UTF-8.

use std::io::{self, Read};

/// The smallest buffer that a read can write to, in bytes: room for one character and the bytes left
/// over from the read before.
pub(crate) const LEAST_OUTPUT: usize = 16;

/// How many bytes are read at once.
const CHUNK: usize = 8 * 1024;

/// Decodes UTF-16 in pieces.
#[derive(Debug)]
pub(crate) struct Decoder {
    big_endian: bool,
    /// The bytes of a character that is not complete.
    rest: Vec<u8>,
}

impl Decoder {
    /// A decoder for text with these first bytes, if they are UTF-16: with a byte-order mark, or two characters of
    /// ASCII.
    pub(crate) fn of(head: &[u8]) -> Option<Self> {
        let text = |byte: u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
        let big_endian = match *head {
            [0xff, 0xfe, 0, 0, ..] => return None,
            [0xff, 0xfe, ..] => false,
            [0xfe, 0xff, ..] => true,
            [first, 0, second, 0, ..] if text(first) && text(second) => false,
            [0, first, 0, second, ..] if text(first) && text(second) => true,
            _ => return None,
        };
        Some(Self {
            big_endian,
            rest: Vec::new(),
        })
    }

    /// Reads some bytes of `source`, adds their number to `read`, and decodes them into `out`. Returns the number of
    /// bytes of UTF-8, which is 0 only at the end.
    pub(crate) fn read(
        &mut self,
        source: &mut impl Read,
        read: &mut u64,
        out: &mut [u8],
    ) -> io::Result<usize> {
        let mut bytes = [0; CHUNK];
        // Two bytes become at most three.
        let most = (out.len() / 2).saturating_sub(4).clamp(2, CHUNK);
        loop {
            let length = source.read(&mut bytes[..most])?;
            *read += length as u64;
            if length == 0 {
                if self.rest.is_empty() {
                    return Ok(0);
                }
                self.rest.clear();
                return Ok(put('\u{fffd}', out));
            }
            let decoded = self.decode(&bytes[..length], out);
            if decoded > 0 {
                return Ok(decoded);
            }
        }
    }

    /// Decodes the bytes that follow the bytes before, and returns how many bytes of UTF-8 they are.
    pub(crate) fn decode(&mut self, bytes: &[u8], out: &mut [u8]) -> usize {
        self.rest.extend_from_slice(bytes);
        let unit = |pair: &[u8]| {
            let pair = [pair[0], pair[1]];
            if self.big_endian {
                u16::from_be_bytes(pair)
            } else {
                u16::from_le_bytes(pair)
            }
        };
        let mut units: Vec<u16> = self.rest.chunks_exact(2).map(unit).collect();
        // The second half of the last character may be still to come.
        if let Some(0xd800..=0xdbff) = units.last() {
            units.pop();
        }
        self.rest.drain(..2 * units.len());
        let mut length = 0;
        for c in char::decode_utf16(units) {
            length += put(c.unwrap_or('\u{fffd}'), &mut out[length..]);
        }
        length
    }
}

/// Writes a character and returns its length.
fn put(c: char, out: &mut [u8]) -> usize {
    c.encode_utf8(out).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text is the same in pieces of any size, with half characters between them.
    #[test]
    fn pieces_of_any_size() {
        let text = "\u{feff}1. ♘f3 𝔸 \r\n";
        for big_endian in [false, true] {
            let bytes: Vec<u8> = text
                .encode_utf16()
                .flat_map(|unit| {
                    if big_endian {
                        unit.to_be_bytes()
                    } else {
                        unit.to_le_bytes()
                    }
                })
                .collect();
            for size in 1..9 {
                let mut decoder = Decoder::of(&bytes).unwrap();
                let mut decoded = Vec::new();
                for piece in bytes.chunks(size) {
                    let mut out = [0; 64];
                    let length = decoder.decode(piece, &mut out);
                    decoded.extend_from_slice(&out[..length]);
                }
                assert_eq!(String::from_utf8(decoded).unwrap(), text);
            }
        }
        assert!(Decoder::of(b"1. e4").is_none());
        assert!(Decoder::of(b"\xff\xfe\0\0").is_none(), "UTF-32");
    }
}
