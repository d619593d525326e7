//! How positions are packed: a symbol stands for a value or for two symbols in a row, and symbols
//! are written in a canonical Huffman code, in blocks of one size.

use std::io::{Read, Seek};

use super::ensure;
use super::source::Source;

/// The bit of the flags that says that all positions have one value.
const ONE_VALUE: u8 = 0x80;

/// In place of the right half of a pair: the symbol stands for a value.
const NO_PAIR: u16 = 0xfff;

/// The longest codes that the reader can take.
const LONGEST_CODE: u8 = 32;

/// What the header says of one packed part.
pub(super) struct Pairs {
    pub(super) flags: u8,
    /// The largest value that a symbol stands for.
    pub(super) largest: u16,
    /// `None` if all positions have one value.
    pub(super) blocks: Option<Blocks>,
}

/// How the blocks of a part are found and read.
pub(super) struct Blocks {
    /// A block has this power of two of bytes.
    pub(super) size_bits: u8,
    /// The index has an entry for each span of this power of two of positions.
    pub(super) span_bits: u8,
    /// How many blocks there are.
    pub(super) count: u64,
    /// How many are listed in the table of sizes: those, and some that are not there.
    pub(super) listed: u64,
    pub(super) code: Code,
}

impl Pairs {
    /// Reads the header of a part, and goes on to the next one.
    pub(super) fn read<R: Read + Seek>(source: &mut Source<R>) -> Option<Self> {
        let [flags, size_bits] = source.array()?;
        if flags & ONE_VALUE != 0 {
            return Some(Self {
                flags,
                largest: 0,
                blocks: None,
            });
        }
        let [span_bits, not_there] = source.array()?;
        let count = u32::from_le_bytes(source.array()?);
        let listed = count.checked_add(u32::from(not_there))?;
        ensure(size_bits < 32 && (1..=31).contains(&span_bits) && count > 0)?;
        let (code, largest) = Code::read(source)?;
        Some(Self {
            flags,
            largest,
            blocks: Some(Blocks {
                size_bits,
                span_bits,
                count: count.into(),
                listed: listed.into(),
                code,
            }),
        })
    }
}

/// A canonical Huffman code.
pub(super) struct Code {
    /// The fewest bits of a symbol.
    shortest: u8,
    /// For each length from the shortest on: the first code that is so long, at the top of a
    /// word. Shorter ones are above it.
    first: Vec<u64>,
    /// For each length: the symbol of that code. The following codes have the following symbols.
    symbol: Vec<u16>,
    /// For each symbol: how many values it stands for, less one.
    more: Vec<u8>,
}

impl Code {
    /// Reads it, with the largest value of a symbol.
    fn read<R: Read + Seek>(source: &mut Source<R>) -> Option<(Self, u16)> {
        let [longest, shortest] = source.array()?;
        ensure((1..=longest).contains(&shortest) && longest <= LONGEST_CODE)?;
        let symbol = source.u16s(u64::from(longest - shortest) + 1)?;
        let count = source.u16()?;
        ensure((1..=NO_PAIR).contains(&count))?;
        let bytes = source.bytes(3 * u64::from(count))?;
        source.skip(u64::from(count % 2))?;
        let halves: Vec<[u16; 2]> = bytes
            .chunks_exact(3)
            .map(|b| {
                let [low, middle, high] = [b[0], b[1], b[2]].map(u16::from);
                [low | (middle & 15) << 8, middle >> 4 | high << 4]
            })
            .collect();
        let values = halves.iter().filter(|[_, right]| *right == NO_PAIR);
        let largest = values.map(|[value, _]| *value).max()?;
        let code = Self {
            shortest,
            first: first_codes(shortest, &symbol),
            symbol,
            more: lengths(&halves)?,
        };
        code.names_symbols_only()?;
        Some((code, largest))
    }

    /// The most bits of a symbol.
    pub(super) fn longest(&self) -> u64 {
        u64::from(self.shortest) + self.first.len() as u64 - 1
    }

    /// Whether any bits whatever are read as symbols that there are.
    fn names_symbols_only(&self) -> Option<()> {
        // What is left to the length at hand are the words below the shorter codes.
        let mut below = u64::MAX;
        for (length, (&first, &symbol)) in
            (self.shortest..).zip(self.first.iter().zip(&self.symbol))
        {
            if first <= below {
                let last = u64::from(symbol) + ((below - first) >> (64 - length));
                ensure(last < self.more.len() as u64)?;
                let Some(rest) = first.checked_sub(1) else {
                    return Some(());
                };
                below = rest;
            }
        }
        None
    }

    /// Whether so many positions are within a block of this size, which begins with these bytes.
    /// (There are some more bytes than are in the block.)
    pub(super) fn unpacks(&self, positions: u64, block: &[u8], size: u64) -> Option<()> {
        let mut at = 0;
        let mut unpacked = 0;
        while unpacked < positions {
            let bytes = block.get(at / 8..)?.first_chunk().copied()?;
            let word = u64::from_be_bytes(bytes) << (at % 8);
            let index = self.first.iter().position(|&first| first <= word)?;
            let length = usize::from(self.shortest) + index;
            let symbol =
                u64::from(self.symbol[index]) + ((word - self.first[index]) >> (64 - length));
            unpacked += u64::from(self.more[symbol as usize]) + 1;
            at += length;
            ensure(at as u64 <= 8 * size)?;
        }
        Some(())
    }
}

/// For each length the first code that is so long. The longest codes begin with zero; of the
/// codes of one length there are as many as the symbols go down by to the next length.
fn first_codes(shortest: u8, symbol: &[u16]) -> Vec<u64> {
    let mut first = vec![0_u64; symbol.len()];
    for at in (0..symbol.len() - 1).rev() {
        first[at] = first[at + 1]
            .wrapping_add(symbol[at].into())
            .wrapping_sub(symbol[at + 1].into())
            / 2;
    }
    for (length, first) in (shortest..).zip(&mut first) {
        *first <<= 64 - length;
    }
    first
}

/// For each symbol how many values it stands for, less one: at most 255, so that pairs of pairs
/// cannot go deeper than that either. `None` if they do, or if there is no such symbol.
fn lengths(halves: &[[u16; 2]]) -> Option<Vec<u8>> {
    let mut known = vec![None; halves.len()];
    for symbol in 0..halves.len() {
        length(symbol, halves, &mut known, u8::MAX)?;
    }
    known.into_iter().collect()
}

fn length(symbol: usize, halves: &[[u16; 2]], known: &mut [Option<u8>], depth: u8) -> Option<u8> {
    if let Some(length) = *known.get(symbol)? {
        return Some(length);
    }
    let [left, right] = halves[symbol];
    let length = if right == NO_PAIR {
        0
    } else {
        let depth = depth.checked_sub(1)?;
        let left = length(left.into(), halves, known, depth)?;
        let right = length(right.into(), halves, known, depth)?;
        left.checked_add(right)?.checked_add(1)?
    };
    known[symbol] = Some(length);
    Some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_pairs_are_measured() {
        // Two values, their pair twice, and the pair of these.
        let halves = [[3, 1], [2, 4], [0, NO_PAIR], [2, 4], [1, NO_PAIR]];
        assert_eq!(lengths(&halves), Some(vec![3, 1, 0, 1, 0]));
    }

    #[test]
    fn circles_strangers_and_towers_are_refused() {
        assert_eq!(lengths(&[[0, 0]]), None);
        assert_eq!(lengths(&[[1, 2], [0, 2], [0, NO_PAIR]]), None);
        assert_eq!(lengths(&[[0, NO_PAIR], [0, 2]]), None);
        // Each is a pair of the one before: values double until they are too many.
        let tower = |height| {
            let pairs = (0..height).map(|at| [at, at]);
            [[0, NO_PAIR]].into_iter().chain(pairs).collect::<Vec<_>>()
        };
        assert_eq!(lengths(&tower(8)).unwrap()[8], 255);
        assert_eq!(lengths(&tower(9)), None);
        // However deep it is.
        let chain: Vec<_> = (1..NO_PAIR).map(|at| [at, 0]).collect();
        assert_eq!(lengths(&chain), None);
    }

    #[test]
    fn codes_that_name_no_symbol_are_refused() {
        let read = |bytes: &[u8]| {
            let mut source = Source::new(std::io::Cursor::new(bytes), bytes.len() as u64);
            Code::read(&mut source).map(|(_, largest)| largest)
        };
        let two = [0, 0xf0, 0xff, 7, 0xf1, 0xff];
        let code = |head: &[u8]| [head, &two].concat();
        // One bit for each of two symbols.
        assert_eq!(read(&code(&[1, 1, 0, 0, 2, 0])), Some(0x107));
        // They begin at the second; they take two bits; they take none, or too many.
        assert_eq!(read(&code(&[1, 1, 1, 0, 2, 0])), None);
        assert_eq!(read(&code(&[2, 2, 0, 0, 2, 0])), None);
        assert_eq!(read(&code(&[0, 0, 0, 0, 2, 0])), None);
        assert_eq!(read(&code(&[33, 33, 0, 0, 2, 0])), None);
        assert_eq!(read(&code(&[1, 2, 0, 0, 2, 0])), None);
        // There are none; there are more than bytes.
        assert_eq!(read(&[1, 1, 0, 0, 0, 0]), None);
        assert_eq!(read(&code(&[1, 1, 0, 0, 4, 0])), None);
    }
}
