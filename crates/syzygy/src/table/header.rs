//! Reads and checks the header of a table file.

use skewer_movegen::Color;

use super::order::{Leaders, Order};
use super::pairs::Pairs;
use super::part::{Part, Values};
use super::reader::Reader;
use crate::error::Fault;
use crate::material::Material;
use crate::outcome::TableKind;
use crate::source::Source;

/// The first bytes of a file, by which its kind is recognized.
const WDL_MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];
const DTZ_MAGIC: [u8; 4] = [0xd7, 0x66, 0x0c, 0xa5];

/// Flags of a file: the two sides have different pieces; there are pawns.
const ASYMMETRIC: u8 = 1;
const HAS_PAWNS: u8 = 2;

/// Flags of a part.
pub(super) const BLACK_TO_MOVE: u8 = 1;
const MAPPED: u8 = 2;
pub(super) const WIN_PLIES: u8 = 4;
pub(super) const LOSS_PLIES: u8 = 8;
const WIDE_MAP: u8 = 16;
const ONE_VALUE: u8 = 0x80;

/// Blocks begin at a multiple of this many bytes, and so does the checksum at the end.
const ALIGNMENT: u64 = 64;

/// The bytes of the checksum.
const CHECKSUM: u64 = 16;

/// Checks the length of a file, which can be done without opening it.
pub(crate) fn check_length(length: u64) -> Result<(), Fault> {
    if length % ALIGNMENT == CHECKSUM {
        Ok(())
    } else {
        Err(Fault::Unusable(
            "not a Syzygy table, or truncated: no table has this length",
        ))
    }
}

/// Reads the parts of a table: for every file of the leading pawn (or once, without pawns) and
/// every side to move that is stored.
pub(super) fn read(
    source: &Source,
    material: &Material,
    leaders: &Leaders,
    kind: TableKind,
) -> Result<Vec<Part>, Fault> {
    check_length(source.length())?;
    let mut reader = Reader::new(source);
    check_magic_and_flags(&mut reader, material, kind)?;
    let sides = 1 + u8::from(kind == TableKind::Wdl && !material.is_symmetric());
    let files = if material.has_pawns() { 4 } else { 1 };
    let mut orders = Vec::new();
    for file in 0..files {
        let at = reader.at();
        let bytes = reader.bytes(leaders.bytes(material))?;
        for side in 0..sides {
            let nibbles: Vec<u8> = bytes.iter().map(|byte| byte >> (4 * side) & 15).collect();
            let order = Order::new(&nibbles, material, leaders, file);
            orders.push(order.ok_or(Fault::damaged(
                at,
                "its pieces differ from the pieces in its name",
            ))?);
        }
    }
    reader.align(2)?;
    let mut parts = Vec::with_capacity(orders.len());
    for order in orders {
        let [flags] = reader.array()?;
        let values = if flags & ONE_VALUE == 0 {
            Values::Many(Pairs::read(&mut reader)?)
        } else {
            let [value] = reader.array()?;
            Values::One(value.into())
        };
        parts.push(Part {
            order,
            flags,
            values,
            map: None,
        });
    }
    if kind == TableKind::Dtz {
        for part in parts.iter_mut().filter(|part| part.flags & MAPPED != 0) {
            part.map = Some(read_map(&mut reader, part.flags)?);
        }
        reader.align(2)?;
    }
    place_sections(&mut parts, reader.at(), source.length())?;
    Ok(parts)
}

/// Reads the first five bytes and checks that they belong to a table of this material and kind.
fn check_magic_and_flags(
    reader: &mut Reader<'_>,
    material: &Material,
    kind: TableKind,
) -> Result<(), Fault> {
    let magic = reader.array()?;
    let (expected, name) = match kind {
        TableKind::Wdl => (WDL_MAGIC, "not a WDL table"),
        TableKind::Dtz => (DTZ_MAGIC, "not a DTZ table"),
    };
    if magic != expected {
        return Err(Fault::Unusable(name));
    }
    let [flags] = reader.array()?;
    let asymmetric = flags & ASYMMETRIC != 0;
    let pawns = flags & HAS_PAWNS != 0;
    if asymmetric == material.is_symmetric() || pawns != material.has_pawns() {
        return Err(Fault::damaged(
            4,
            "the file's flags do not fit the pieces in its name",
        ));
    }
    Ok(())
}

/// Reads the four lists that translate the values of a part.
fn read_map(reader: &mut Reader<'_>, flags: u8) -> Result<[Vec<u16>; 4], Fault> {
    let wide = flags & WIDE_MAP != 0;
    if wide {
        reader.align(2)?;
    }
    let mut lists = <[Vec<u16>; 4]>::default();
    for list in &mut lists {
        *list = if wide {
            let count = reader.u16()?;
            reader.u16s(count.into())?
        } else {
            let [count] = reader.array()?;
            reader
                .bytes(count.into())?
                .iter()
                .map(|&value| value.into())
                .collect()
        };
    }
    Ok(lists)
}

/// Computes where the index entries, block lengths and blocks of each part begin. The file has the
/// entries of all parts, then all lengths, then all blocks, then the checksum.
fn place_sections(parts: &mut [Part], at: u64, length: u64) -> Result<(), Fault> {
    const OTHER_LENGTH: &str = "the header describes a file of another length";
    let header_end = at;
    let other_length = Fault::damaged(header_end, OTHER_LENGTH);
    let mut at = Some(at);
    for part in &mut *parts {
        let positions = part.order.positions();
        if let Values::Many(pairs) = &mut part.values {
            at = at.and_then(|at| pairs.place_index(at, positions));
        }
    }
    for part in &mut *parts {
        if let Values::Many(pairs) = &mut part.values {
            at = at.and_then(|at| pairs.place_lengths(at));
        }
    }
    for part in parts {
        if let Values::Many(pairs) = &mut part.values {
            at = at
                .and_then(|at| at.checked_next_multiple_of(ALIGNMENT))
                .and_then(|at| pairs.place_blocks(at));
        }
    }
    let end = at
        .and_then(|at| at.checked_next_multiple_of(ALIGNMENT))
        .and_then(|at| at.checked_add(CHECKSUM));
    if end == Some(length) {
        Ok(())
    } else {
        Err(other_length)
    }
}

/// The side to move of a one-sided part: White stands for the side named first.
pub(super) const fn side_of(flags: u8) -> Color {
    Color::ALL[(flags & BLACK_TO_MOVE) as usize]
}
