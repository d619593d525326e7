//! Tables of five to seven pieces. None are committed, so tables are written here: with every kind of
//! leading group, and values that are drawn at random but constant over long runs of indices.
//!
//! The test checks that positions which are equal by symmetry have equal values, that every value is
//! found, and that both ways of reading agree. The tables are left in `target/tmp`, where `.ci/run
//! tables` has python-chess look up the same positions.

#[path = "../common/mod.rs"]
mod common;
mod write;

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use common::random_position;
use fastrand::Rng;
use skewer_movegen::{Board, Piece, Setup, Square, Strictness};
use skewer_syzygy::{Material, Tables};

/// Three pieces lead; two kings; pawns of one side, of both sides; as many pieces as possible.
const MATERIALS: [&str; 6] = [
    "KRBvKN", "KQQvKQ", "KRPvKR", "KPPvKP", "KRRvKNN", "KQQQQQvK",
];

/// How many positions of each material are looked up.
const POSITIONS: usize = 1000;

/// The value of a run of positions.
fn value(part: usize, run: u64) -> u16 {
    let seed = (run << 8 | part as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Rng::with_seed(seed).u16(..5)
}

/// All materials that captures and promotions lead to.
fn smaller(material: Material) -> impl Iterator<Item = Material> {
    (3..material.pieces()).flat_map(Material::with_pieces)
}

/// The same position with every square changed by `change`.
fn moved(board: &Board, change: impl Fn(Square) -> Square) -> Board {
    let setup = Setup::from(*board);
    let mut moved = Setup::empty().with_turn(board.turn());
    for square in board.occupied() {
        moved.set_piece(change(square), setup.piece_at(square));
    }
    moved.build(Strictness::Strict).unwrap()
}

#[test]
fn tables_of_five_to_seven_pieces_are_read() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("large-tables");
    fs::create_dir_all(&directory).unwrap();
    let mut won = HashSet::new();
    for name in MATERIALS {
        let material: Material = name.parse().unwrap();
        won.extend(smaller(material));
        fs::write(
            directory.join(format!("{name}.rtbw")),
            write::table(material, value),
        )
        .unwrap();
    }
    // Whatever a capture leads to is won for the opponent, so that the stored values count.
    for material in won {
        let path = directory.join(format!("{material}.rtbw"));
        if !MATERIALS.contains(&material.to_string().as_str()) {
            fs::write(path, write::won(material)).unwrap();
        }
    }
    let tables = Tables::open(&directory).unwrap();
    tables.check_headers().unwrap();
    let positioned = Tables::builder()
        .directory(&directory)
        .read_whole_up_to(0)
        .open()
        .unwrap();
    let mut rng = Rng::with_seed(2026);
    for name in MATERIALS {
        let material: Material = name.parse().unwrap();
        let mut seen = HashSet::new();
        for _ in 0..POSITIONS {
            let board = random_position(material, &mut rng);
            let wdl = tables.probe_wdl(&board).unwrap();
            assert_eq!(positioned.probe_wdl(&board).unwrap(), wdl, "{board:?}");
            let mirrored = moved(&board, Square::flip_file);
            assert_eq!(tables.probe_wdl(&mirrored).unwrap(), wdl, "{board:?}");
            if board.pieces(Piece::Pawn).is_empty() {
                let turned = moved(&board, Square::flip_rank);
                assert_eq!(tables.probe_wdl(&turned).unwrap(), wdl, "{board:?}");
            }
            seen.insert(wdl);
        }
        assert_eq!(seen.len(), 5, "{name} has every outcome");
    }
}
