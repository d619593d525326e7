//! Perft against published counts.

use skewer_movegen::{Board, perft};

fn check(fen: &str, counts: &[u64]) {
    let board = Board::from_fen(fen).unwrap();
    for (depth, count) in (1..).zip(counts) {
        assert_eq!(perft(&board, depth), *count, "{fen} at depth {depth}");
    }
}

#[test]
fn start() {
    check(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &[20, 400, 8_902, 197_281, 4_865_609, 119_060_324],
    );
}

#[test]
fn kiwipete() {
    check(
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2_039, 97_862, 4_085_603, 193_690_690],
    );
}
