//! Whether a file can be the table that its name says: its header is read, and whatever the
//! library is going to compute from it is computed too and found to lie within the file.
//!
//! A file begins with four bytes that say what kind of table it is and one of flags. Then comes,
//! for each of the four files that the leading pawn may be on (or once, without pawns), the order
//! of the men, and after all of these what is needed to unpack each part; a part is the positions
//! of one file of the pawn and one side to move. In tables of distances lists follow that translate
//! values. Then come the indices of all parts, the tables of sizes, and the blocks; at the end, at
//! a multiple of 64 bytes, a checksum of sixteen bytes.

mod blocks;
mod order;
mod pairs;
mod source;

use std::io::{Read, Seek};

use super::name::{Kind, Name};
use blocks::Section;
use order::Groups;
use pairs::Pairs;
use source::Source;

/// How files begin: tables of outcomes, and of distances.
const OUTCOMES: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];
const DISTANCES: [u8; 4] = [0xd7, 0x66, 0x0c, 0xa5];

/// Flags of a file: both sides to move have their parts; there are pawns.
const BOTH_SIDES: u8 = 1;
const HAS_PAWNS: u8 = 2;

/// Flags of a part of a table of distances: values are to be translated; by numbers of two bytes.
const TRANSLATED: u8 = 2;
const WIDE: u8 = 16;

/// Where blocks may begin.
const ALIGNMENT: u64 = 64;

/// The bytes of the checksum.
const CHECKSUM: u64 = 16;

/// `None` unless it holds.
fn ensure(holds: bool) -> Option<()> {
    holds.then_some(())
}

/// Whether a file of this length is the table of this name, as far as its layout shows: `None` if
/// it is not, or cannot be read.
pub(super) fn check<R: Read + Seek>(file: R, length: u64, name: &Name) -> Option<()> {
    let mut source = Source::new(file, length);
    let groups = Groups::new(name);
    let magic = match name.kind {
        Kind::Outcomes => OUTCOMES,
        Kind::Distances => DISTANCES,
        // Nobody reads them.
        Kind::Mates => return Some(()),
    };
    ensure(length % ALIGNMENT == CHECKSUM)?;
    ensure(source.array()? == magic)?;
    let [flags] = source.array()?;
    ensure((flags & BOTH_SIDES != 0) != name.is_symmetric())?;
    ensure((flags & HAS_PAWNS != 0) == groups.have_pawns())?;
    let both_sides = name.kind == Kind::Outcomes && !name.is_symmetric();

    let mut positions = Vec::new();
    for file in 0..if groups.have_pawns() { 4 } else { 1 } {
        let order = source.bytes(groups.bytes())?;
        let lower: Vec<u8> = order.iter().map(|byte| byte & 15).collect();
        positions.push(groups.positions(&lower, file)?);
        if both_sides {
            let upper: Vec<u8> = order.iter().map(|byte| byte >> 4).collect();
            positions.push(groups.positions(&upper, file)?);
        }
    }
    source.align()?;
    let mut parts = Vec::with_capacity(positions.len());
    for _ in &positions {
        parts.push(Pairs::read(&mut source)?);
    }
    if name.kind == Kind::Distances {
        check_translations(&parts, &mut source)?;
    }
    let sections = parts
        .into_iter()
        .zip(positions)
        .filter_map(|(part, positions)| Some(Section::new(part.blocks?, positions)))
        .collect();
    check_sections(sections, &mut source)
}

/// Goes over the lists that translate distances, four for each part that has any. The library
/// looks at each of them for the largest value.
fn check_translations<R: Read + Seek>(parts: &[Pairs], source: &mut Source<R>) -> Option<()> {
    for part in parts.iter().filter(|part| part.flags & TRANSLATED != 0) {
        let width = if part.flags & WIDE == 0 { 1 } else { 2 };
        if width == 2 {
            source.align()?;
        }
        for _ in 0..4 {
            let count = if width == 1 {
                let [count] = source.array()?;
                count.into()
            } else {
                source.u16()?
            };
            let values = u64::from(part.largest) + 1;
            ensure(source.at() + width * values <= source.length())?;
            source.skip(width * u64::from(count))?;
        }
    }
    source.align()
}

/// Finds where the sections lie, and looks into them.
fn check_sections<R: Read + Seek>(
    mut sections: Vec<Section>,
    source: &mut Source<R>,
) -> Option<()> {
    let mut at = source.at();
    for section in &mut sections {
        section.index_at = at;
        at += section.index_bytes()?;
    }
    for section in &mut sections {
        section.sizes_at = at;
        at += section.sizes_bytes();
    }
    for section in &mut sections {
        section.data_at = at.next_multiple_of(ALIGNMENT);
        at = section.data_at.checked_add(section.data_bytes())?;
        ensure(at <= source.length())?;
    }
    ensure(at.next_multiple_of(ALIGNMENT) + CHECKSUM == source.length())?;
    // In the order of the file, or nearly: disks that turn like that.
    let mut sizes = Vec::with_capacity(sections.len());
    for section in &sections {
        sizes.push(section.sizes(source)?);
    }
    let sections = || sections.iter().zip(&sizes);
    sections().try_for_each(|(section, sizes)| section.check_index(sizes, source))?;
    sections().try_for_each(|(section, sizes)| section.check_end(sizes, source))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Cursor;
    use std::path::PathBuf;

    use super::*;

    fn is_table(bytes: &[u8], name: &Name) -> bool {
        check(Cursor::new(bytes), bytes.len() as u64, name).is_some()
    }

    #[test]
    fn tables_without_blocks_are_read() {
        // All that is to be said of a king and a knight against a king: drawn, or nothing.
        let name = Name::parse("KNvK.rtbw").unwrap();
        let mut table = OUTCOMES.to_vec();
        table.extend([BOTH_SIDES, 0, 0x66, 0xee, 0x22, 0, 0x80, 2, 0x80, 2]);
        table.resize(80, 0);
        assert!(is_table(&table, &name));
        for (at, byte) in [(0, 0), (4, 0), (4, 3), (5, 7), (6, 0x65), (10, 0)] {
            let mut table = table.clone();
            table[at] = byte;
            assert!(!is_table(&table, &name), "{at}: {byte}");
        }
        assert!(!is_table(&table, &Name::parse("KBvK.rtbw").unwrap()));
        assert!(!is_table(&table, &Name::parse("KNvK.rtbz").unwrap()));
        table.resize(144, 0);
        assert!(!is_table(&table, &name));
    }

    #[test]
    fn whatever_is_in_a_file_it_can_be_checked() {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/syzygy");
        let Ok(files) = fs::read_dir(&folder) else {
            println!("skipped: no {}", folder.display());
            return;
        };
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut below = |n: usize| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed >> 11) as usize % n
        };
        for file in files {
            let path = file.unwrap().path();
            let name = Name::parse(path.file_name().unwrap().to_str().unwrap()).unwrap();
            let mut table = fs::read(&path).unwrap();
            assert!(is_table(&table, &name), "{}", path.display());
            let length = table.len();
            for _ in 0..100 {
                let start = below(length.min(200));
                let spoilt = start..(start + 1 + below(4)).min(length);
                let sound = table[spoilt.clone()].to_vec();
                table[spoilt.clone()].fill_with(|| [0, 0xff, below(256) as u8][below(3)]);
                let _ = is_table(&table, &name);
                table[spoilt].copy_from_slice(&sound);
            }
        }
    }
}
