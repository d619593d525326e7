//! Compressed values: recursive pairing and a canonical Huffman code, in blocks of one size.

use super::reader::Reader;
use crate::error::Fault;
use crate::source::Bytes;

/// The right half of a symbol that is a value rather than a pair.
const NO_PAIR: u16 = 0xfff;

/// The longest code that can be read, in bits. The reader always has more than 32 bits at hand.
const LONGEST_CODE: u8 = 32;

/// Bytes of an index entry: four for the number of a block, and two for a position in that block.
const ENTRY: u64 = 6;

/// How many block lengths are read at once.
const LENGTHS_AT_ONCE: u64 = 16;

/// Codes of at most this many bits are found by one table look-up; longer ones are rare.
const SHORT_BITS: u32 = 9;

/// The most blocks between an index entry and a position of its span. A valid file has far fewer,
/// because it has about as many entries as blocks; the limit bounds the work on a damaged file.
const MOST_STEPS: u64 = 1 << 16;

/// A symbol: a value, or two symbols in a row.
#[derive(Debug, Clone, Copy)]
struct Symbol {
    /// The left symbol, or the value.
    left: u16,
    /// The right symbol; not used for a value.
    right: u16,
    /// How many values the symbol stands for, less one.
    more: u8,
    /// How many values the left symbol stands for, less one; not used for a value.
    left_more: u8,
}

/// The symbol at the beginning of the next bits of a block.
#[derive(Debug, Clone, Copy, Default)]
struct Short {
    symbol: u16,
    /// As in [`Symbol`].
    more: u8,
    /// The length of the code, or zero if it is longer than [`SHORT_BITS`].
    length: u8,
}

/// A canonical Huffman code and its symbols.
#[derive(Debug)]
struct Code {
    /// The fewest bits of a code.
    shortest: u8,
    /// For each length from the shortest on: the first code of that length and the symbol that it
    /// stands for. Codes are aligned to the top of the word; shorter codes are larger numbers.
    lengths: Vec<(u64, u16)>,
    symbols: Vec<Symbol>,
    /// The symbol for each value of the next [`SHORT_BITS`] bits.
    short: Box<[Short; 1 << SHORT_BITS]>,
}

/// Where the compressed values of one part of a table are and how to read them.
#[derive(Debug)]
pub(crate) struct Pairs {
    /// The bytes of a block, as a power of two.
    block_bits: u8,
    /// The positions of a span, as a power of two. There is an index entry for each span.
    span_bits: u8,
    /// How many blocks there are.
    blocks: u64,
    /// How many block lengths are listed. Those past the last block are padding.
    listed: u64,
    /// Where the index entries, the block lengths and the blocks begin.
    index_at: u64,
    lengths_at: u64,
    data_at: u64,
    code: Code,
}

impl Pairs {
    /// Reads the header after the flags.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, Fault> {
        let at = reader.at();
        let [block_bits, span_bits, padding] = reader.array()?;
        let blocks = u64::from(u32::from_le_bytes(reader.array()?));
        if block_bits >= 32 || !(1..32).contains(&span_bits) || blocks == 0 {
            return Err(Fault::damaged(at, "impossible sizes of blocks"));
        }
        let code = Code::read(reader)?;
        Ok(Self {
            block_bits,
            span_bits,
            blocks,
            listed: blocks + u64::from(padding),
            index_at: 0,
            lengths_at: 0,
            data_at: 0,
            code,
        })
    }

    fn index_entries(&self, positions: u64) -> u64 {
        positions.div_ceil(1 << self.span_bits)
    }

    /// Notes where the index entries begin; returns where they end.
    pub(crate) fn place_index(&mut self, at: u64, positions: u64) -> Option<u64> {
        self.index_at = at;
        at.checked_add(self.index_entries(positions).checked_mul(ENTRY)?)
    }

    /// Notes where the block lengths begin; returns where they end.
    pub(crate) fn place_lengths(&mut self, at: u64) -> Option<u64> {
        self.lengths_at = at;
        at.checked_add(2 * self.listed)
    }

    /// Notes where the blocks begin; returns where they end.
    pub(crate) fn place_blocks(&mut self, at: u64) -> Option<u64> {
        self.data_at = at;
        at.checked_add(self.blocks << self.block_bits)
    }

    /// Checks that the blocks hold as many values as there are positions.
    pub(crate) fn check_lengths(
        &self,
        bytes: &(impl Bytes + ?Sized),
        positions: u64,
    ) -> Result<(), Fault> {
        let length = usize::try_from(2 * self.blocks).unwrap_or(usize::MAX);
        let held = bytes.with(self.lengths_at, length, |lengths| {
            let lengths = lengths.chunks_exact(2);
            lengths
                .map(|pair| u64::from(u16::from_le_bytes([pair[0], pair[1]])) + 1)
                .sum::<u64>()
        })?;
        if held == positions {
            Ok(())
        } else {
            Err(Fault::damaged(
                self.lengths_at,
                "blocks do not hold as many values as positions",
            ))
        }
    }

    /// The value of the position with this index.
    #[inline]
    pub(crate) fn value(&self, bytes: &(impl Bytes + ?Sized), index: u64) -> Result<u16, Fault> {
        let span = 1_i64 << self.span_bits;
        let entry_at = self.index_at + ENTRY * (index >> self.span_bits);
        let (block, offset) = bytes.with(entry_at, ENTRY as usize, |entry| {
            let [a, b, c, d, e, f] = *entry else {
                return (0, 0);
            };
            (u32::from_le_bytes([a, b, c, d]), u16::from_le_bytes([e, f]))
        })?;
        // An entry is for the middle of its span.
        let from_middle = (index & (span - 1) as u64).cast_signed() - span / 2;
        let (block, offset) = self.walk(
            bytes,
            entry_at,
            u64::from(block),
            i64::from(offset) + from_middle,
        )?;
        let at = self.data_at + (block << self.block_bits);
        let damaged = || Fault::damaged(at, "a block has fewer values than its length says");
        bytes
            .with(at, 1 << self.block_bits, |block| {
                self.code.value_at(block, offset)
            })?
            .ok_or_else(damaged)
    }

    /// Finds the block of a position that is `offset` values after the beginning of `block`, or
    /// before it; returns that block and the position in it.
    #[inline]
    fn walk(
        &self,
        bytes: &(impl Bytes + ?Sized),
        entry_at: u64,
        mut block: u64,
        mut offset: i64,
    ) -> Result<(u64, u32), Fault> {
        let damaged = || Fault::damaged(entry_at, "an index entry leads out of the blocks");
        let mut steps = 0;
        // Step back to the block of the position.
        while offset < 0 {
            let count = block.min(LENGTHS_AT_ONCE);
            steps += count;
            if count == 0 || steps > MOST_STEPS {
                return Err(damaged());
            }
            let at = self.lengths_at + 2 * (block - count);
            bytes.with(at, 2 * count as usize, |lengths| {
                for length in lengths.rchunks_exact(2) {
                    if offset >= 0 {
                        break;
                    }
                    offset += i64::from(u16::from_le_bytes([length[0], length[1]])) + 1;
                    block -= 1;
                }
            })?;
        }
        // Or step forward to it.
        let mut found = false;
        while !found {
            let count = self.listed.saturating_sub(block).min(LENGTHS_AT_ONCE);
            steps += count;
            if count == 0 || steps > MOST_STEPS {
                return Err(damaged());
            }
            let at = self.lengths_at + 2 * block;
            bytes.with(at, 2 * count as usize, |lengths| {
                for length in lengths.chunks_exact(2) {
                    let length = i64::from(u16::from_le_bytes([length[0], length[1]]));
                    if offset <= length {
                        found = true;
                        break;
                    }
                    offset -= length + 1;
                    block += 1;
                }
            })?;
        }
        if block < self.blocks {
            Ok((block, offset as u32))
        } else {
            Err(damaged())
        }
    }
}

impl Code {
    /// Reads a code and its symbols.
    fn read(reader: &mut Reader<'_>) -> Result<Self, Fault> {
        let at = reader.at();
        let [longest, shortest] = reader.array()?;
        if !(1..=longest).contains(&shortest) || longest > LONGEST_CODE {
            return Err(Fault::damaged(at, "impossible lengths of codes"));
        }
        let first_symbols = reader.u16s(usize::from(longest - shortest) + 1)?;
        let count = reader.u16()?;
        if !(1..=NO_PAIR).contains(&count) {
            return Err(Fault::damaged(at, "impossible number of symbols"));
        }
        let symbols_at = reader.at();
        let pairs: Vec<[u16; 2]> = reader
            .bytes(3 * usize::from(count))?
            .chunks_exact(3)
            .map(|bytes| {
                let [low, middle, high] = [bytes[0], bytes[1], bytes[2]].map(u16::from);
                [low | (middle & 15) << 8, middle >> 4 | high << 4]
            })
            .collect();
        reader.align(2)?;
        let symbols =
            measure(&pairs).ok_or(Fault::damaged(symbols_at, "impossible pairs of symbols"))?;
        let lengths = first_codes(shortest, &first_symbols);
        if !is_complete(shortest, &lengths, symbols.len()) {
            return Err(Fault::damaged(at, "some bits are not the code of a symbol"));
        }
        let mut code = Self {
            shortest,
            lengths,
            symbols,
            short: Box::new([Short::default(); 1 << SHORT_BITS]),
        };
        code.fill_short();
        Ok(code)
    }

    /// Fills the table of short codes.
    fn fill_short(&mut self) {
        for next in 0..1 << SHORT_BITS {
            let found = self.first_symbol((next as u64) << (64 - SHORT_BITS));
            if let Some((symbol, length)) = found.filter(|&(_, length)| length <= SHORT_BITS)
                && let Some(&Symbol { more, .. }) = self.symbols.get(symbol)
            {
                self.short[next] = Short {
                    symbol: symbol as u16,
                    more,
                    length: length as u8,
                };
            }
        }
    }

    /// The symbol that the bits of `code` begin with, and how many bits it takes.
    #[inline]
    fn first_symbol(&self, code: u64) -> Option<(usize, u32)> {
        let lengths = u32::from(self.shortest)..;
        let mut codes = lengths.zip(&self.lengths);
        let (length, &(first, symbol)) = codes.find(|&(_, &(first, _))| code >= first)?;
        let symbol = usize::from(symbol) + ((code - first) >> (64 - length)) as usize;
        Some((symbol, length))
    }

    /// The value at `offset` in a block; `None` if the block ends before it.
    #[inline]
    fn value_at(&self, block: &[u8], mut offset: u32) -> Option<u16> {
        let mut words = block.chunks_exact(4).map(|word| match *word {
            [a, b, c, d] => u32::from_be_bytes([a, b, c, d]),
            _ => 0,
        });
        // The next bits are at the top of `code`. Bits after the end of the block read as zero.
        let mut next = || u64::from(words.next().unwrap_or(0));
        let mut code = next() << 32 | next();
        // How many of the highest bits of `code` are filled, from the block or with the zeros after it.
        let mut valid = 64_u32;
        let mut used = 0;
        let mut symbol = loop {
            let short = self.short[(code >> (64 - SHORT_BITS)) as usize];
            let (symbol, more, length) = if short.length > 0 {
                (short.symbol.into(), short.more, short.length.into())
            } else {
                let (symbol, length) = self.first_symbol(code)?;
                (symbol, self.symbols.get(symbol)?.more, length)
            };
            used += length;
            if offset <= u32::from(more) {
                break self.symbols.get(symbol)?;
            }
            offset -= u32::from(more) + 1;
            code <<= length;
            valid -= length;
            if valid <= 32 {
                code |= next() << (32 - valid);
                valid += 32;
            }
        };
        if used as usize > 8 * block.len() {
            return None;
        }
        while symbol.more > 0 {
            // Both halves are equally likely, so select without a branch.
            let left = u32::from(symbol.left_more);
            let is_left = offset <= left;
            let half = if is_left { symbol.left } else { symbol.right };
            offset -= if is_left { 0 } else { left + 1 };
            symbol = self.symbols.get(usize::from(half))?;
        }
        Some(symbol.left)
    }
}

/// For each length, the first code and its symbol. The first of the longest codes is zero. The
/// number of codes of a length is the distance from its first symbol to the first symbol of the next length.
fn first_codes(shortest: u8, first_symbols: &[u16]) -> Vec<(u64, u16)> {
    let mut codes = vec![0_u64; first_symbols.len()];
    for at in (0..first_symbols.len().saturating_sub(1)).rev() {
        codes[at] = codes[at + 1]
            .wrapping_add(first_symbols[at].into())
            .wrapping_sub(first_symbols[at + 1].into())
            / 2;
    }
    let aligned = (shortest..)
        .zip(codes)
        .map(|(length, code)| code << (64 - length));
    aligned.zip(first_symbols.iter().copied()).collect()
}

/// Whether all bit strings begin with the code of an existing symbol.
fn is_complete(shortest: u8, codes: &[(u64, u16)], symbols: usize) -> bool {
    // Words above this one begin with a shorter code.
    let mut highest = u64::MAX;
    for (length, &(first, symbol)) in (shortest..).zip(codes) {
        if first <= highest {
            let last = u64::from(symbol) + ((highest - first) >> (64 - length));
            if last >= symbols as u64 {
                return false;
            }
            let Some(rest) = first.checked_sub(1) else {
                return true;
            };
            highest = rest;
        }
    }
    false
}

/// Finds how many values each symbol stands for: at most 256. `None` if a pair names a symbol that
/// does not exist or contains itself, or stands for too many values.
fn measure(pairs: &[[u16; 2]]) -> Option<Vec<Symbol>> {
    let mut known = vec![None; pairs.len()];
    for symbol in 0..pairs.len() {
        more_values(symbol, pairs, &mut known, u8::MAX)?;
    }
    let symbols = pairs.iter().zip(&known).map(|(&[left, right], &more)| {
        let more = more?;
        let left_more = if more == 0 {
            0
        } else {
            (*known.get(usize::from(left))?)?
        };
        Some(Symbol {
            left,
            right,
            more,
            left_more,
        })
    });
    symbols.collect()
}

/// How many values a symbol stands for, less one. `depth` bounds the recursion: a symbol of 256
/// values is at most 255 pairs deep.
fn more_values(
    symbol: usize,
    pairs: &[[u16; 2]],
    known: &mut [Option<u8>],
    depth: u8,
) -> Option<u8> {
    if let Some(more) = *known.get(symbol)? {
        return Some(more);
    }
    let [left, right] = pairs[symbol];
    let more = if right == NO_PAIR {
        0
    } else {
        let depth = depth.checked_sub(1)?;
        let left = more_values(left.into(), pairs, known, depth)?;
        let right = more_values(right.into(), pairs, known, depth)?;
        left.checked_add(right)?.checked_add(1)?
    };
    known[symbol] = Some(more);
    Some(more)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    #[test]
    fn pairs_of_pairs_are_measured() {
        let more = |pairs: &[[u16; 2]]| -> Option<Vec<u8>> {
            Some(measure(pairs)?.iter().map(|symbol| symbol.more).collect())
        };
        // Two values, a pair of both values twice, and a pair of these two pairs.
        let pairs = [[3, 1], [2, 4], [0, NO_PAIR], [2, 4], [1, NO_PAIR]];
        assert_eq!(more(&pairs), Some(vec![3, 1, 0, 1, 0]));
        // Each symbol is a pair of the symbol before: the number of values doubles until it is too large.
        let doubled = |height: u16| {
            let pairs = (0..height).map(|at| [at, at]);
            [[0, NO_PAIR]].into_iter().chain(pairs).collect::<Vec<_>>()
        };
        assert_eq!(more(&doubled(8)).unwrap()[8], 255);
        assert_eq!(more(&doubled(9)), None);
    }

    #[test]
    fn pairs_that_never_end_are_refused() {
        assert!(measure(&[[0, 0]]).is_none());
        assert!(measure(&[[1, 2], [0, 2], [0, NO_PAIR]]).is_none());
        assert!(measure(&[[0, NO_PAIR], [0, 2]]).is_none());
        let chain: Vec<_> = (1..NO_PAIR).map(|at| [at, 0]).collect();
        assert!(measure(&chain).is_none());
    }

    #[test]
    fn codes_without_a_symbol_are_refused() {
        let read = |bytes: &[u8]| {
            let source = Source::Memory(bytes.into());
            Code::read(&mut Reader::new(&source)).is_ok()
        };
        let two = [0, 0xf0, 0xff, 7, 0xf1, 0xff];
        let code = |head: &[u8]| [head, &two].concat();
        // One bit for each of two symbols.
        assert!(read(&code(&[1, 1, 0, 0, 2, 0])));
        // Refused: codes that begin at the second symbol; two-bit codes for two symbols; codes of
        // no bits; codes of too many bits; a shortest code that is never used.
        assert!(!read(&code(&[1, 1, 1, 0, 2, 0])));
        assert!(!read(&code(&[2, 2, 0, 0, 2, 0])));
        assert!(!read(&code(&[0, 0, 0, 0, 2, 0])));
        assert!(!read(&code(&[33, 33, 0, 0, 2, 0])));
        assert!(!read(&code(&[1, 2, 0, 0, 2, 0])));
        // Refused: no symbols; more symbols than bytes.
        assert!(!read(&[1, 1, 0, 0, 0, 0]));
        assert!(!read(&code(&[1, 1, 0, 0, 4, 0])));
    }
}
