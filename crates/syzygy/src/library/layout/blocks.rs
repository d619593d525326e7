//! Whether a reader that looks up any position stays within the file.
//!
//! The index says, for the middle of every span of positions, in which block and where in it that
//! position is. From there the reader goes back or on, block by block, by the table of sizes; then
//! it unpacks that block up to the position. As every block has a position at least, an entry that
//! is wrong, or wrong sizes, can lead out of the file only near the first and the last block: only
//! there are the sizes read. And as a position takes 32 bits at most, only blocks near the end of
//! the file must be looked at themselves. Of large files still less is read, and the rest believed.

use std::io::{Read, Seek};

use super::ensure;
use super::pairs::Blocks;
use super::source::Source;

/// The most positions in a block.
const LARGEST_BLOCK: u64 = 1 << 16;

/// The bytes of an index entry.
const ENTRY: u64 = 6;

/// Files up to this length, which no table of five men passes, are looked at as thoroughly as it
/// takes. Hundreds of larger ones are to be opened in seconds.
const SMALL_FILE: u64 = 64 << 20;

/// How many entries and sizes are read in a larger file, at each end of each table of them: what a
/// download leaves out is mostly longer than such a table, and takes an end of it along.
const MOST_AT_AN_END: u64 = 1 << 13;

/// Bytes that the reader takes beyond the bits that it needs.
const AHEAD: u64 = 12;

/// One packed part of a table, and where it lies in the file.
pub(super) struct Section {
    pub(super) blocks: Blocks,
    pub(super) positions: u64,
    pub(super) index_at: u64,
    pub(super) sizes_at: u64,
    pub(super) data_at: u64,
}

impl Section {
    /// A section whose places in the file are yet to be found.
    pub(super) fn new(blocks: Blocks, positions: u64) -> Self {
        Self {
            blocks,
            positions,
            index_at: 0,
            sizes_at: 0,
            data_at: 0,
        }
    }

    /// Positions of one index entry.
    fn span(&self) -> u64 {
        1 << self.blocks.span_bits
    }

    fn entries(&self) -> u64 {
        self.positions.div_ceil(self.span())
    }

    /// The bytes of the index; `None` if the reader cannot count so far.
    pub(super) fn index_bytes(&self) -> Option<u64> {
        let bytes = ENTRY * self.entries();
        ensure(u32::try_from(bytes).is_ok())?;
        Some(bytes)
    }

    /// The bytes of the table of sizes.
    pub(super) fn sizes_bytes(&self) -> u64 {
        2 * self.blocks.listed
    }

    /// The bytes of the blocks.
    pub(super) fn data_bytes(&self) -> u64 {
        self.blocks.count << self.blocks.size_bits
    }

    /// Reads what the blocks hold, as far as need be.
    pub(super) fn sizes<R: Read + Seek>(&self, source: &mut Source<R>) -> Option<Sizes> {
        Sizes::read(self, most_at_an_end(source.length()), source)
    }

    /// Whether the index agrees with what the blocks hold.
    pub(super) fn check_index<R: Read + Seek>(
        &self,
        sizes: &Sizes,
        source: &mut Source<R>,
    ) -> Option<()> {
        let entries = self.entries();
        let most = most_at_an_end(source.length());
        let first = entries.min(most);
        let last = first.max(entries.saturating_sub(most));
        for range in [0..first, last..entries] {
            source.go_to(self.index_at + ENTRY * range.start)?;
            let bytes = source.bytes(ENTRY * (range.end - range.start))?;
            for (entry, bytes) in range.zip(bytes.chunks_exact(ENTRY as usize)) {
                let (block, offset) = bytes.split_first_chunk()?;
                let block = u64::from(u32::from_le_bytes(*block));
                let offset = u16::from_le_bytes(offset.try_into().ok()?);
                let middle = entry * self.span() + self.span() / 2;
                ensure(block <= self.blocks.listed)?;
                if let Some(start) = sizes.start(block) {
                    ensure(start + i64::from(offset) == middle.cast_signed())?;
                }
            }
        }
        Some(())
    }

    /// Looks at the blocks from which the reader could get to the end of the file.
    pub(super) fn check_end<R: Read + Seek>(
        &self,
        sizes: &Sizes,
        source: &mut Source<R>,
    ) -> Option<()> {
        let block_size = 1 << self.blocks.size_bits;
        let end = source.length();
        let data_end = self.data_at + self.data_bytes();
        let longest = self.blocks.code.longest();
        let reach = |positions: u64| (positions * longest).div_ceil(8) + AHEAD;
        let begin = |block: u64| self.data_at + (block << self.blocks.size_bits);
        let near = end.saturating_sub(reach(LARGEST_BLOCK));
        let first = near.saturating_sub(self.data_at) >> self.blocks.size_bits;
        let mut near = (first..self.blocks.count)
            .filter_map(|block| Some((block, sizes.positions(block)?)))
            .filter(|&(block, positions)| begin(block) + reach(positions) > end)
            .peekable();
        let Some(&(first, _)) = near.peek() else {
            return Some(());
        };
        // A file ends with its checksum, so there is something after the last block.
        source.go_to(begin(first))?;
        let bytes = source.bytes(end.min(data_end + AHEAD) - begin(first))?;
        near.try_for_each(|(block, positions)| {
            let from = (begin(block) - begin(first)) as usize;
            self.blocks
                .code
                .unpacks(positions, bytes.get(from..)?, block_size)
        })
    }
}

/// How many entries and sizes are read at each end of their tables, in a file of this length.
fn most_at_an_end(length: u64) -> u64 {
    if length <= SMALL_FILE {
        u64::MAX
    } else {
        MOST_AT_AN_END
    }
}

/// What the first and the last blocks hold: near enough to the ends that the reader, led astray,
/// could pass them.
pub(super) struct Sizes {
    /// For each of the first blocks, and the one after them: its first position.
    first: Vec<i64>,
    /// The first of the last blocks.
    last_from: u64,
    /// For each of the last blocks, and one more: its first position. Those that are listed but
    /// not there follow the last position.
    last: Vec<i64>,
}

impl Sizes {
    fn read<R: Read + Seek>(section: &Section, most: u64, source: &mut Source<R>) -> Option<Self> {
        let Blocks { count, listed, .. } = section.blocks;
        let back = section.span() / 2;
        let on = back + LARGEST_BLOCK;
        // The blocks whose data is near the end of the file are among the last ones too.
        let on = on.max(((LARGEST_BLOCK * 4 + AHEAD) >> section.blocks.size_bits) + 1);
        let (back, on) = (back.min(most), on.min(most));
        let last_from = count.saturating_sub(on);
        let positions = section.positions.cast_signed();
        let starts = |sizes: Vec<u16>| {
            let mut starts = vec![0; sizes.len() + 1];
            for (block, size) in sizes.into_iter().enumerate() {
                starts[block + 1] = starts[block] + i64::from(size) + 1;
            }
            starts
        };
        if last_from <= back {
            source.go_to(section.sizes_at)?;
            let first = starts(source.u16s(listed)?);
            ensure(first[count as usize] == positions)?;
            return Some(Self {
                first,
                last_from: 0,
                last: Vec::new(),
            });
        }
        source.go_to(section.sizes_at)?;
        let first = starts(source.u16s(back)?);
        source.go_to(section.sizes_at + 2 * last_from)?;
        let mut last = starts(source.u16s(listed - last_from)?);
        let shift = positions - last[(count - last_from) as usize];
        for start in &mut last {
            *start += shift;
        }
        Some(Self {
            first,
            last_from,
            last,
        })
    }

    /// The first position of a block, if it is near an end.
    fn start(&self, block: u64) -> Option<i64> {
        let first = self.first.get(block as usize);
        let last = || self.last.get(block.checked_sub(self.last_from)? as usize);
        first.or_else(last).copied()
    }

    /// How many positions a block has, if it is near an end.
    fn positions(&self, block: u64) -> Option<u64> {
        Some((self.start(block + 1)? - self.start(block)?).cast_unsigned())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::super::pairs::Pairs;
    use super::*;

    /// Positions of a block of the sections made here: each takes one bit of 32 bytes.
    const POSITIONS: u64 = 256;

    /// The code in which a bit is a value.
    const CODE: [u8; 12] = [1, 1, 0, 0, 2, 0, 0, 0xf0, 0xff, 1, 0xf0, 0xff];

    /// A sound section with so many blocks and index entries of so many bits, and its file.
    fn section(count: u32, span_bits: u8) -> (Section, Vec<u8>) {
        let mut file = vec![0, 5, span_bits, 1];
        file.extend(count.to_le_bytes());
        file.extend(CODE);
        let mut source = Source::new(Cursor::new(&file), file.len() as u64);
        let blocks = Pairs::read(&mut source)
            .and_then(|pairs| pairs.blocks)
            .unwrap();
        let mut section = Section::new(blocks, u64::from(count) * POSITIONS);
        section.index_at = file.len() as u64;
        for entry in 0..section.entries() {
            let middle = entry * section.span() + section.span() / 2;
            // The last may lie in the block that is listed, but not there.
            file.extend(((middle / POSITIONS) as u32).to_le_bytes());
            file.extend(((middle % POSITIONS) as u16).to_le_bytes());
        }
        section.sizes_at = file.len() as u64;
        for _ in 0..count {
            file.extend((POSITIONS as u16 - 1).to_le_bytes());
        }
        file.extend(u16::MAX.to_le_bytes());
        file.resize(file.len().next_multiple_of(64), 0);
        section.data_at = file.len() as u64;
        file.resize(file.len() + section.data_bytes() as usize + 16, 0x5a);
        (section, file)
    }

    fn is_sound(section: &Section, file: &[u8]) -> bool {
        let mut source = Source::new(Cursor::new(file), file.len() as u64);
        let mut is_sound = || {
            let sizes = section.sizes(&mut source)?;
            section.check_index(&sizes, &mut source)?;
            section.check_end(&sizes, &mut source)
        };
        is_sound().is_some()
    }

    /// Few blocks, all of which are read; many, of which the first and the last are; and a large
    /// file.
    const CASES: [(u32, u8); 5] = [
        (5, 8),
        (300, 12),
        (70_000, 8),
        (90_001, 13),
        (2_200_000, 12),
    ];

    #[test]
    fn sound_sections_pass() {
        for (count, span_bits) in CASES {
            let (section, file) = section(count, span_bits);
            assert!(is_sound(&section, &file), "{count}, {span_bits}");
        }
    }

    #[test]
    fn what_is_wrong_near_an_end_is_seen() {
        for (count, span_bits) in CASES {
            let (section, mut file) = section(count, span_bits);
            let entries = section.entries();
            let index = |entry| section.index_at + ENTRY * entry;
            let size = |block| section.sizes_at + 2 * block;
            let blocks = section.blocks.count;
            // In a large file the middle is believed.
            let middle = entries.min(2 * MOST_AT_AN_END) / 2;
            for at in [
                index(0),
                index(0) + 3,
                index(0) + 4,
                index(middle - 1) + 3,
                index(entries - 1),
                index(entries - 1) + 4,
                size(0),
                size(blocks - 1),
                size(blocks - 2) + 1,
            ] {
                file[at as usize] ^= 1;
                assert!(!is_sound(&section, &file), "{count}, {span_bits}: {at}");
                file[at as usize] ^= 1;
            }
        }
    }

    #[test]
    fn a_last_block_that_ends_too_late_is_seen() {
        // Three symbols: a short code for one value, and long ones for two others.
        let code = [
            2, 1, 2, 0, 0, 0, 3, 0, 0, 0xf0, 0xff, 1, 0xf0, 0xff, 2, 0xf0, 0xff, 0,
        ];
        let (mut section, mut file) = section(5, 8);
        let mut pairs = vec![0, 5, 8, 1, 5, 0, 0, 0];
        pairs.extend(code);
        let mut source = Source::new(Cursor::new(&pairs), pairs.len() as u64);
        section.blocks = Pairs::read(&mut source)
            .and_then(|pairs| pairs.blocks)
            .unwrap();
        let end = file.len();
        file[end - 48..end - 16].fill(0xff);
        assert!(is_sound(&section, &file));
        file[end - 48..end - 16].fill(0);
        assert!(!is_sound(&section, &file));
    }
}
