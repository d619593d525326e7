//! Damaged tables: each of 2,000 copies is refused, or all of its probes return an answer or an error.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use common::{DATA, random_position};
use fastrand::Rng;
use skewer_syzygy::{FiftyMoveRule, Material, OpenError, ProbeError, TableKind, Tables};

/// How many copies are made with each kind of damage.
const COPIES: usize = 200;

/// How many positions are probed in each.
const POSITIONS: usize = 60;

/// Most headers have at most this many bytes.
const HEADER: usize = 256;

/// How many bytes at the beginning of the file name the kind of table.
const MAGIC: usize = 4;

/// Ways to damage a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Damage {
    /// Cut short by a multiple of 64 bytes.
    Cut,
    /// A multiple of 64 bytes removed from the middle.
    CutInside,
    /// A block of 4 KiB is zero.
    ZeroBlock,
    /// Everything from a random offset on is zero.
    ZeroTail,
    /// A few bytes of the header are changed.
    Header,
    /// A bit is flipped.
    Bit,
    /// A few bytes anywhere are changed.
    Bytes,
    /// A block of 4 KiB is random.
    Noise,
    /// Everything after the header is random.
    NoisyTail,
    /// The table has the content of another table.
    Swapped,
}

impl Damage {
    const ALL: [Self; 10] = [
        Self::Cut,
        Self::CutInside,
        Self::ZeroBlock,
        Self::ZeroTail,
        Self::Header,
        Self::Bit,
        Self::Bytes,
        Self::Noise,
        Self::NoisyTail,
        Self::Swapped,
    ];

    fn apply(self, table: &[u8], other: &[u8], rng: &mut Rng) -> Vec<u8> {
        let mut table = table.to_vec();
        let length = table.len();
        let block = |rng: &mut Rng| {
            let start = rng.usize(..length.div_ceil(4096)) * 4096;
            start.max(MAGIC)..(start + 4096).min(length)
        };
        match self {
            Self::Cut => table.truncate(length - 64 * rng.usize(1..=length / 64)),
            Self::CutInside => {
                let cut = 64 * rng.usize(1..=length / 64);
                let start = (length - cut).min(MAGIC + rng.usize(..length));
                table.drain(start..start + cut);
            }
            Self::ZeroBlock => table[block(rng)].fill(0),
            Self::ZeroTail => table[rng.usize(MAGIC..length)..].fill(0),
            Self::Header => {
                for _ in 0..rng.usize(1..4) {
                    table[rng.usize(MAGIC..length.min(HEADER))] = rng.u8(..);
                }
            }
            Self::Bit => table[rng.usize(..length)] ^= 1 << rng.u8(..8),
            Self::Bytes => {
                for _ in 0..rng.usize(1..64) {
                    table[rng.usize(MAGIC..length)] = rng.u8(..);
                }
            }
            Self::Noise => table[block(rng)].fill_with(|| rng.u8(..)),
            Self::NoisyTail => {
                table[rng.usize(length.min(HEADER)..=length)..].fill_with(|| rng.u8(..));
            }
            Self::Swapped => table = other.to_vec(),
        }
        table
    }
}

/// The committed tables.
fn tables() -> Vec<(Material, TableKind, Vec<u8>)> {
    let mut tables = Vec::new();
    for material in (3..=4).flat_map(Material::with_pieces) {
        for kind in TableKind::ALL {
            let path = Path::new(DATA).join(format!("{material}.{}", kind.extension()));
            if let Ok(content) = fs::read(path) {
                tables.push((material, kind, content));
            }
        }
    }
    assert!(tables.len() > 50);
    tables
}

#[test]
fn damaged_tables_are_refused_or_can_be_probed() {
    let tables = tables();
    let mut rng = Rng::with_seed(2026);
    let mut counts: BTreeMap<Damage, [usize; 3]> = BTreeMap::new();
    for damage in Damage::ALL {
        for _ in 0..COPIES {
            let (material, kind, content) = &tables[rng.usize(..tables.len())];
            let other = loop {
                let (other, other_kind, content) = &tables[rng.usize(..tables.len())];
                if (other, other_kind) != (material, kind) {
                    break content;
                }
            };
            let damaged = damage.apply(content, other, &mut rng);
            let count = counts.entry(damage).or_default();
            match look_up(*material, *kind, damaged, &mut rng) {
                Found::Refused => count[0] += 1,
                Found::Errors => count[1] += 1,
                Found::Answers => count[2] += 1,
            }
        }
    }
    for (damage, [refused, errors, answers]) in &counts {
        println!(
            "{damage:?}: {refused} refused, {errors} with errors, {answers} with answers only"
        );
    }
    // Damage that shows in the header or the length is found before any probe.
    for damage in [Damage::Cut, Damage::CutInside, Damage::Swapped] {
        assert_eq!(counts[&damage], [COPIES, 0, 0], "{damage:?}");
    }
    // Other damage may also be found by a probe, or only change answers.
    for found in [1, 2] {
        let total: usize = counts.values().map(|counts| counts[found]).sum();
        assert!(total > COPIES, "{counts:?}");
    }
}

/// The result of opening and probing a damaged table.
enum Found {
    /// The table was not opened.
    Refused,
    /// Some probes failed.
    Errors,
    /// Every probe had an answer.
    Answers,
}

fn look_up(material: Material, kind: TableKind, content: Vec<u8>, rng: &mut Rng) -> Found {
    let set = Tables::builder()
        .table(material, kind, content)
        .directory(DATA)
        .open();
    let tables = match set {
        Ok(tables) => tables,
        Err(OpenError::Table(error)) => {
            let name = format!("{material}.{}", kind.extension());
            assert!(error.path().ends_with(&name), "{error}");
            return Found::Refused;
        }
        Err(error) => panic!("{error}"),
    };
    let mut found = Found::Answers;
    for _ in 0..POSITIONS {
        let board = random_position(material, rng);
        let wdl = tables.probe_wdl(&board).map(drop);
        let dtz = tables.probe_dtz(&board).map(drop);
        let moves = tables.rank_moves(&board, FiftyMoveRule::InForce).map(drop);
        for result in [wdl, dtz, moves] {
            match result {
                // Not every DTZ table is committed.
                Ok(())
                | Err(ProbeError::Missing {
                    kind: TableKind::Dtz,
                    ..
                }) => {}
                Err(ProbeError::Table(_)) => found = Found::Errors,
                Err(error) => panic!("{error}"),
            }
        }
    }
    found
}
