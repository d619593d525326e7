//! Writes WDL tables of any material: a small compressor for values that come in long runs.

use std::collections::HashMap;

use skewer_movegen::{Color, Piece};
use skewer_syzygy::Material;

use crate::common::pieces;

/// Positions with the same value in a row.
pub(crate) const RUN: u64 = 4096;

/// Bytes of a block, and positions of a span, as powers of two.
const BLOCK_BITS: u8 = 7;
const SPAN_BITS: u8 = 17;

/// Levels of symbols: a symbol of level *n* stands for 2^*n* equal values.
const LEVELS: u16 = 9;

/// The values from 0 to 4, a loss to a win.
const VALUES: u16 = 5;

/// The code has two lengths. The long codes come first and stand for the symbols of all levels but
/// the highest, and for some unused symbols that make the code complete.
const LONG: u32 = 7;
const SHORT: u32 = 3;
const LONG_SYMBOLS: u16 = 48;

/// The symbol for 2^`level` times `value`.
fn symbol(level: u16, value: u16) -> u16 {
    level * VALUES
        + value
        + if level == LEVELS - 1 {
            LONG_SYMBOLS - level * VALUES
        } else {
            0
        }
}

/// The table of a material in which the value of each position is `value(part, index / RUN)`.
pub(crate) fn table(material: Material, value: impl Fn(usize, u64) -> u16) -> Vec<u8> {
    let parts = Parts::of(material);
    let mut file = header(material, &parts, material.pieces() as u8);
    let sides = sides(material);
    let mut compressed = Vec::new();
    for part in 0..parts.files * sides {
        let positions = parts.positions(part / sides);
        compressed.push(Compressed::new(positions, |run| value(part, run)));
    }
    for part in &compressed {
        part.write_header(&mut file);
    }
    for part in &compressed {
        file.extend(&part.index);
    }
    for part in &compressed {
        file.extend(part.lengths.iter().flat_map(|length| length.to_le_bytes()));
    }
    for part in &compressed {
        align(&mut file, 64);
        file.extend(&part.blocks);
    }
    align(&mut file, 64);
    file.extend([0; 16]);
    file
}

/// A table in which every position is won.
pub(crate) fn won(material: Material) -> Vec<u8> {
    let parts = Parts::of(material);
    let mut file = header(material, &parts, 0);
    for _ in 0..parts.files * sides(material) {
        file.extend([0x80, 4]);
    }
    align(&mut file, 64);
    file.extend([0; 16]);
    file
}

/// The magic number, flags, number of pieces, and orders of the pieces.
fn header(material: Material, parts: &Parts, pieces: u8) -> Vec<u8> {
    let mut file = vec![0x71, 0xe8, 0x23, 0x5d];
    let flags = u8::from(!material.is_symmetric()) | u8::from(material.has_pawns()) << 1;
    file.push(flags | pieces << 4);
    for _ in 0..parts.files {
        file.extend(parts.order());
    }
    align(&mut file, 2);
    file
}

/// The number of sides to move with values of their own.
fn sides(material: Material) -> usize {
    if material.is_symmetric() { 1 } else { 2 }
}

fn align(file: &mut Vec<u8>, to: usize) {
    file.resize(file.len().next_multiple_of(to), 0);
}

/// The pieces of a table in groups.
struct Parts {
    groups: Vec<Vec<(Color, Piece)>>,
    files: usize,
    other_pawns: bool,
}

impl Parts {
    fn of(material: Material) -> Self {
        let all = pieces(material);
        let mut counts: HashMap<(Color, Piece), usize> = HashMap::new();
        for &piece in &all {
            *counts.entry(piece).or_default() += 1;
        }
        let pawns = |color| counts.get(&(color, Piece::Pawn)).copied().unwrap_or(0);
        let (white, black) = (pawns(Color::White), pawns(Color::Black));
        let mut groups: Vec<Vec<(Color, Piece)>> = Vec::new();
        let mut rest: Vec<(Color, Piece)> = all.clone();
        rest.dedup();
        if material.has_pawns() {
            let second = white == 0 || (black > 0 && black < white);
            let lead = if second { Color::Black } else { Color::White };
            for color in [lead, !lead] {
                if pawns(color) > 0 {
                    groups.push(vec![(color, Piece::Pawn); pawns(color)]);
                }
            }
            rest.retain(|piece| piece.1 != Piece::Pawn);
        } else {
            let unique: Vec<_> = rest
                .iter()
                .copied()
                .filter(|piece| counts[piece] == 1)
                .collect();
            let lead: Vec<_> = if unique.len() > 2 {
                // The reverse of the order in the name, because any order must be read.
                unique[..3].iter().rev().copied().collect()
            } else {
                vec![(Color::Black, Piece::King), (Color::White, Piece::King)]
            };
            rest.retain(|piece| !lead.contains(piece));
            groups.push(lead);
        }
        groups.extend(rest.into_iter().map(|piece| vec![piece; counts[&piece]]));
        Self {
            groups,
            files: if material.has_pawns() { 4 } else { 1 },
            other_pawns: white > 0 && black > 0,
        }
    }

    /// One order, the same for both sides: the leading group last in the product, the other side's
    /// pawns first.
    fn order(&self) -> Vec<u8> {
        let last = self.groups.len() as u8 - 1;
        let mut order = vec![last * 0x11];
        if self.other_pawns {
            order.push(0);
        }
        let code = |&(color, piece): &(Color, Piece)| piece as u8 + 1 + 8 * color as u8;
        order.extend(self.groups.iter().flatten().map(|piece| code(piece) * 0x11));
        order
    }

    fn positions(&self, file: usize) -> u64 {
        let lead = &self.groups[0];
        let mut positions = match lead[0].1 {
            Piece::Pawn => (0..6)
                .map(|rank| choose(47 - 12 * file as u64 - 2 * rank, lead.len() as u64 - 1))
                .sum(),
            _ if lead.len() == 3 => 31332,
            _ => 462,
        };
        let mut free = 64 - lead.len() as u64;
        for group in &self.groups[1..] {
            let squares = if group[0].1 == Piece::Pawn {
                free - 16
            } else {
                free
            };
            positions *= choose(squares, group.len() as u64);
            free -= group.len() as u64;
        }
        positions
    }
}

fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |ways, taken| ways * (n - taken) / (taken + 1))
}

/// A compressed part.
struct Compressed {
    blocks: Vec<u8>,
    lengths: Vec<u16>,
    index: Vec<u8>,
}

impl Compressed {
    fn new(positions: u64, value: impl Fn(u64) -> u16) -> Self {
        let mut blocks = Vec::new();
        let mut lengths = Vec::new();
        let mut index = Vec::new();
        let size = 1_usize << BLOCK_BITS;
        let (mut block, mut bits, mut held) = (vec![0_u8; size], 0_usize, 0_u64);
        let mut begin = 0;
        let mut at = 0;
        while at < positions || held > 0 {
            let left = (positions - at).min(RUN - at % RUN);
            let level = (LEVELS - 1).min(left.checked_ilog2().unwrap_or(0) as u16);
            let length = if level == LEVELS - 1 { SHORT } else { LONG };
            let full = bits + length as usize > 8 * size || held + (1 << level) > 1 << 16;
            if at == positions || full {
                // The entries whose positions are in this block.
                let span = 1_u64 << SPAN_BITS;
                loop {
                    let middle = index.len() as u64 / 6 * span + span / 2;
                    if middle >= begin + held {
                        break;
                    }
                    index.extend((lengths.len() as u32).to_le_bytes());
                    index.extend(((middle - begin) as u16).to_le_bytes());
                }
                blocks.append(&mut block);
                lengths.push((held - 1) as u16);
                begin += held;
                (block, bits, held) = (vec![0; size], 0, 0);
                continue;
            }
            let symbol = symbol(level, value(at / RUN));
            let code = if level == LEVELS - 1 {
                3 + symbol - LONG_SYMBOLS
            } else {
                symbol
            };
            for bit in (0..length).rev() {
                block[bits / 8] |= ((code >> bit & 1) as u8) << (7 - bits % 8);
                bits += 1;
            }
            held += 1 << level;
            at += 1 << level;
        }
        // The middle of the last span may be beyond the last position, in a block of padding.
        let entries = positions.div_ceil(1 << SPAN_BITS);
        while (index.len() as u64) < 6 * entries {
            let middle = (index.len() as u64 / 6) * (1 << SPAN_BITS) + (1 << (SPAN_BITS - 1));
            index.extend((lengths.len() as u32).to_le_bytes());
            index.extend(((middle - positions) as u16).to_le_bytes());
        }
        // The block of padding.
        lengths.push(u16::MAX);
        Self {
            blocks,
            lengths,
            index,
        }
    }

    fn write_header(&self, file: &mut Vec<u8>) {
        let blocks = self.blocks.len() >> BLOCK_BITS;
        file.extend([0, BLOCK_BITS, SPAN_BITS, 1]);
        file.extend((blocks as u32).to_le_bytes());
        file.extend([LONG as u8, SHORT as u8]);
        // The lowest symbols of the lengths from 3 to 7.
        for lowest in [LONG_SYMBOLS, LONG_SYMBOLS, LONG_SYMBOLS, LONG_SYMBOLS, 0] {
            file.extend(lowest.to_le_bytes());
        }
        let symbols = LONG_SYMBOLS + VALUES;
        file.extend(symbols.to_le_bytes());
        for number in 0..symbols {
            let (level, value) = if number >= LONG_SYMBOLS {
                (LEVELS - 1, number - LONG_SYMBOLS)
            } else {
                (number / VALUES, number % VALUES)
            };
            // The unused symbols are single values too.
            let (left, right) = if level == 0 || (LONG_SYMBOLS - 8..LONG_SYMBOLS).contains(&number)
            {
                (value, 0xfff)
            } else {
                (symbol(level - 1, value), symbol(level - 1, value))
            };
            file.extend([
                left as u8,
                (left >> 8 | right << 4) as u8,
                (right >> 4) as u8,
            ]);
        }
        align(file, 2);
    }
}
