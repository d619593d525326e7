//! Endgame tables beside pyrrhic-rs and shakmaty-syzygy: the same outcomes, and beside pyrrhic-rs
//! the same outcome and distance after every move of a root.

use fastrand::Rng;
use skewer_benches::tables::{DATA, Pyrrhic, Shakmaty, random_position};
use skewer_movegen::{Setup, Strictness};
use skewer_syzygy::{FiftyMoveRule, Material, ProbeError, TableKind, Tables};

/// Random positions of each material.
const POSITIONS: usize = 300;

#[test]
fn three_probers_agree() {
    // All tables at hand, if the environment names a directory that has more.
    let directory = std::env::var("SYZYGY_TABLES").unwrap_or_else(|_| DATA.to_owned());
    let ours = Tables::builder()
        .directory(&directory)
        .map_files()
        .open()
        .unwrap();
    let pyrrhic = Pyrrhic::open(&directory);
    let shakmaty = Shakmaty::open(&directory);
    let mut rng = Rng::with_seed(2026);
    let mut roots = 0;
    for material in (3..=4).flat_map(Material::with_pieces) {
        for _ in 0..POSITIONS {
            let board = random_position(material, &mut rng);
            let wdl = ours.probe_wdl(&board).unwrap();
            assert_eq!(pyrrhic.wdl(&board), Some(wdl), "{board}");
            assert_eq!(
                shakmaty.wdl(&Shakmaty::position(&board)),
                Some(wdl),
                "{board}"
            );
            // Pyrrhic reads distances only where all of them are there.
            let mut setup = Setup::from(board);
            setup.halfmove_clock = rng.u8(..100);
            let board = setup.build(Strictness::Strict).unwrap();
            let ranked = match ours.rank_moves(&board, FiftyMoveRule::InForce) {
                Ok(ranked) if ranked.iter().all(|ranked| ranked.dtz.is_some()) => ranked,
                Ok(_)
                | Err(ProbeError::Missing {
                    kind: TableKind::Dtz,
                    ..
                }) => continue,
                Err(error) => panic!("{error}"),
            };
            if ranked.is_empty() {
                continue;
            }
            let theirs = pyrrhic.moves(&board).expect("all moves known");
            assert_eq!(theirs.len(), ranked.len());
            for ranked in ranked {
                let plies = ranked.dtz.unwrap().plies();
                let expected = (ranked.mv, ranked.wdl, plies);
                assert!(
                    theirs.contains(&expected),
                    "{board}: {expected:?} not in {theirs:?}"
                );
            }
            roots += 1;
        }
    }
    println!("{roots} roots");
    assert!(roots > 1000);
}
