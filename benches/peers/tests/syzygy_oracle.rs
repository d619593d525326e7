//! Endgame tables compared with pyrrhic-rs and shakmaty-syzygy: outcomes are equal, and with pyrrhic-rs
//! also outcomes and distances after every root move.

use fastrand::Rng;
use skewer_movegen::{Setup, Strictness};
use skewer_peers::tables::{DATA, Pyrrhic, Shakmaty, random_position};
use skewer_syzygy::{FiftyMoveRule, Material, ProbeError, TableKind, Tables};

/// Random positions of each material.
const POSITIONS: usize = 300;

#[test]
fn three_probers_agree() {
    // `SYZYGY_TABLES` may name a directory with more tables than the repository has.
    let directory = std::env::var("SYZYGY_TABLES").unwrap_or_else(|_| DATA.to_owned());
    let ours = Tables::builder()
        .directory(&directory)
        .map_files()
        .open()
        .unwrap();
    let pyrrhic = Pyrrhic::open(&directory);
    let shakmaty = Shakmaty::open(&directory);
    let mut rng = Rng::with_seed(2026);
    let mut random = |material| random_position(material, &mut rng);
    let all = || (3..=4).flat_map(Material::with_pieces);
    for material in all() {
        for _ in 0..POSITIONS {
            let board = random(material);
            let wdl = ours.probe_wdl(&board).unwrap();
            assert_eq!(pyrrhic.wdl(&board), Some(wdl), "{board}");
            assert_eq!(
                shakmaty.wdl(&Shakmaty::position(&board)),
                Some(wdl),
                "{board}"
            );
        }
    }
    // After a failed lookup pyrrhic-rs no longer uses the table, so it is probed second.
    let (mut roots, mut clocks) = (0, Rng::with_seed(2027));
    for material in all().filter(|&material| ours.has(material, TableKind::Dtz)) {
        for _ in 0..POSITIONS {
            let mut setup = Setup::from(random(material));
            setup.halfmove_clock = clocks.u8(..100);
            let board = setup.build(Strictness::Strict).unwrap();
            let ranked = match ours.rank_moves(&board, FiftyMoveRule::InForce) {
                Ok(ranked) if ranked.iter().all(|ranked| ranked.dtz.is_some()) => ranked,
                Ok(_) | Err(ProbeError::Missing { .. }) => continue,
                Err(error) => panic!("{error}"),
            };
            let Some(theirs) = pyrrhic.moves(&board) else {
                continue;
            };
            assert_eq!(theirs.len(), ranked.len());
            for ranked in ranked {
                // pyrrhic-rs does not see captures en passant after a move of the root.
                if board.play(ranked.mv).en_passant().is_some() {
                    continue;
                }
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
    assert!(roots > 1000, "compared {roots} roots only");
}
