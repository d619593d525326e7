//! Parallel perft gives the counts of perft.

use skewer_movegen::{Board, perft, perft_divide, perft_parallel, perft_parallel_until};

#[test]
fn threads_give_the_counts_of_one() {
    for (fen, depth, count) in [
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            4,
            4_085_603,
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
        (
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            4,
            326_672,
        ),
    ] {
        let board = Board::from_fen(fen).unwrap();
        let divided = perft_parallel(&board, depth);
        assert_eq!(divided, perft_divide(&board, depth), "{fen}");
        let sum: u64 = divided.iter().map(|(_, count)| count).sum();
        assert_eq!(sum, count, "{fen}");
        assert_eq!(sum, perft(&board, depth), "{fen}");
    }
}

#[test]
fn mates_and_depths_zero_and_one_are_counted() {
    let mated = Board::from_fen("R5k1/5ppp/8/8/8/8/8/7K b - - 0 1").unwrap();
    assert_eq!(perft_parallel(&mated, 3), []);
    assert_eq!(perft_parallel(&Board::STARTPOS, 0), []);
    let first: Vec<_> = perft_parallel(&Board::STARTPOS, 1);
    assert_eq!(first.len(), 20);
    assert!(first.iter().all(|(_, count)| *count == 1));
}

#[test]
fn a_count_can_be_stopped() {
    assert_eq!(perft_parallel_until(&Board::STARTPOS, 30, || true), None);
}
