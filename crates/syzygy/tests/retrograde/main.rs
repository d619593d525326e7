//! Tables against exhaustive retrograde analysis: every legal position of a material, both sides to
//! move.

#[path = "../common/mod.rs"]
mod common;
mod solve;

use common::DATA;
use skewer_movegen::{Board, Setup, Strictness};
use skewer_syzygy::{Material, TableKind, Tables, Wdl};
use solve::{Library, Value};

/// One position in this many is also probed with the colors exchanged.
const EXCHANGED: usize = 16;

/// The committed tables, or the tables of the directory that the environment names.
fn tables() -> Tables {
    let directory = std::env::var("SYZYGY_TABLES").unwrap_or_else(|_| DATA.to_owned());
    Tables::open(directory).unwrap()
}

/// The same position with the colors exchanged.
fn exchange(board: &Board) -> Board {
    let setup = Setup::from(*board);
    let mut exchanged = Setup::empty().with_turn(!board.turn());
    for square in board.occupied() {
        let (color, piece) = setup.piece_at(square).unwrap();
        exchanged.set_piece(square.flip_rank(), Some((!color, piece)));
    }
    exchanged.build(Strictness::Strict).unwrap()
}

/// Compares the outcomes of all positions and, if there is a DTZ table and there are no pawns (so
/// that only captures and mates end the count), the distances.
fn compare(material: Material, tables: &Tables, library: &mut Library) {
    let distances = tables.has(material, TableKind::Dtz) && !material.has_pawns();
    let (mut positions, mut decided) = (0, 0);
    for (board, value) in library.get(material).positions() {
        let (wdl, plies) = match value {
            Value::Win(plies) => (Wdl::Win, plies),
            Value::Loss(plies) => (Wdl::Loss, plies),
            Value::Open => (Wdl::Draw, 0),
            Value::Illegal => panic!("{board:?} is legal"),
        };
        assert_eq!(tables.probe_wdl(&board).unwrap(), wdl, "{board:?}");
        if positions % EXCHANGED == 0 {
            assert_eq!(
                tables.probe_wdl(&exchange(&board)).unwrap(),
                wdl,
                "{board:?}"
            );
        }
        if distances {
            let dtz = tables.probe_dtz(&board).unwrap();
            assert_eq!(dtz.outcome_at(0), wdl, "{board:?}");
            // Being mated has distance 1. A table that counts moves can be one ply short.
            let plies = u32::from(plies).max(u32::from(wdl != Wdl::Draw));
            let short = plies - dtz.plies().min(plies);
            assert!(
                dtz.plies() <= plies && short <= 1,
                "{board:?}: {dtz}, not {plies}"
            );
        }
        positions += 1;
        decided += usize::from(wdl != Wdl::Draw);
    }
    println!("{material}: {positions} positions, {decided} of them won or lost");
    assert!(positions > 50_000);
}

#[test]
fn every_position_of_three_pieces() {
    let (tables, mut library) = (tables(), Library::default());
    for material in Material::with_pieces(3) {
        compare(material, &tables, &mut library);
    }
}

/// This test takes minutes. `.ci/run deep_tables` runs it.
#[test]
#[ignore = "takes minutes"]
fn every_position_of_four_pieces() {
    let (tables, mut library) = (tables(), Library::default());
    for material in Material::with_pieces(4) {
        compare(material, &tables, &mut library);
    }
}
