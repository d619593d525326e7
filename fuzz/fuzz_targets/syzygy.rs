//! Any bytes can be opened as an endgame table and probed: no panic, no hang. Inputs are whole table
//! files, so that `crates/syzygy/tests/data` can be given as corpus.
#![no_main]

#[path = "../../crates/syzygy/tests/common/mod.rs"]
mod common;

use std::collections::HashMap;
use std::path::Path;
use std::sync::LazyLock;

use fastrand::Rng;
use libfuzzer_sys::fuzz_target;
use skewer_syzygy::{FiftyMoveRule, Material, TableKind, Tables};

/// The undamaged WDL tables: a probe of the input may look up other tables after captures.
static WDL: LazyLock<HashMap<Material, Vec<u8>>> = LazyLock::new(|| {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/syzygy/tests/data");
    let all = (3..=4).flat_map(Material::with_pieces);
    all.map(|material| {
        let content = std::fs::read(data.join(format!("{material}.rtbw")));
        (material, content.expect("the tables of the tests"))
    })
    .collect()
});

fuzz_target!(|bytes: &[u8]| {
    // The first byte of a WDL table is 0x71; everything else is tried as a DTZ table.
    let kind = TableKind::ALL[usize::from(bytes.first() != Some(&0x71))];
    for &material in WDL.keys() {
        let only = Tables::builder().table(material, kind, bytes.to_vec());
        let only = if kind == TableKind::Dtz {
            only.table(material, TableKind::Wdl, WDL[&material].clone())
        } else {
            only
        };
        if only.open().is_err() {
            continue;
        }
        let set = Tables::builder().table(material, kind, bytes.to_vec());
        let set = (WDL.iter()).fold(set, |set, (&material, content)| {
            set.table(material, TableKind::Wdl, content.clone())
        });
        let tables = set.open().expect("each table has been opened before");
        let mut rng = Rng::with_seed(bytes.len() as u64);
        for _ in 0..100 {
            let board = common::random_position(material, &mut rng);
            let _ = tables.probe_wdl(&board);
            let _ = tables.probe_dtz(&board);
            let _ = tables.rank_moves(&board, FiftyMoveRule::InForce);
        }
    }
});
