//! `is_legal` for all 65,536 encodings of moves accepts exactly the moves of the generator, in every
//! position of trees of two and three plies from difficult positions.

use skewer_movegen::{Board, Move, perft};

/// Perft with `is_legal` as the generator. Compares the moves with the real generator's at every node.
fn perft_by_is_legal(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut listed = board.legal_moves();
    listed.sort_unstable_by_key(|mv| mv.bits());
    let found: Vec<Move> = (0..=u16::MAX)
        .filter_map(Move::from_bits)
        .filter(|mv| {
            let legal = board.is_legal(*mv);
            assert_eq!(board.why_illegal(*mv).is_none(), legal, "{board}: {mv:?}");
            legal
        })
        .collect();
    assert_eq!(found, *listed, "{board}");
    found
        .iter()
        .map(|mv| perft_by_is_legal(&board.play(*mv), depth - 1))
        .sum()
}

fn check(depth: u32, fens: &[&str]) {
    for fen in fens {
        let board = Board::from_fen(fen).unwrap();
        assert_eq!(
            perft_by_is_legal(&board, depth),
            perft(&board, depth),
            "{fen}"
        );
    }
}

#[test]
fn every_encoding_has_one_meaning_or_none() {
    let mut count = 0;
    for bits in 0..=u16::MAX {
        if let Some(mv) = Move::from_bits(bits) {
            assert_eq!(mv.bits(), bits);
            count += 1;
        }
    }
    // Seven kinds of moves from 64 to 64 squares; zero is no move.
    assert_eq!(count, 7 * 64 * 64 - 1);
}

#[test]
fn three_plies_of_the_published_positions() {
    check(
        3,
        &[
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        ],
    );
}

#[test]
fn three_plies_of_small_corner_cases() {
    check(
        3,
        &[
            // A capture en passant uncovers a rank, is made by a pinned pawn, takes the checker, blocks a check.
            "8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1",
            "8/8/8/K1pP3q/8/8/8/4k3 w - c6 0 1",
            "6k1/8/8/8/1Pp5/8/B7/6K1 b - b3 0 1",
            "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1",
            "8/8/8/8/1k1Pp2R/8/8/4K3 b - d3 0 1",
            // Promotions with check, out of check, by capture.
            "2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1",
            "8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            // Two checkers, and the king walking back along the line.
            "4k3/8/8/8/1b6/8/4r3/R3K2R w KQ - 0 1",
            "8/8/8/8/q3K3/8/8/4r2k w - - 0 1",
        ],
    );
}

#[test]
fn two_plies_of_large_corner_cases() {
    check(
        2,
        &[
            "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1",
            "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1",
            // Chess960: the rook as a shield, castling past the other rook, kings at the edge.
            "nrkb2nr/ppppp1p1/6bp/5p2/BPP1P1P1/P7/3P1P1P/qRK1BQNR w BHbh - 0 1",
            "4rrk1/pbbp2p1/1ppnp3/3n1pqp/3N1PQP/1PPNP3/PBBP2P1/4RRK1 w Ff - 0 1",
            "1r2k1r1/8/8/8/8/8/8/RK4R1 w AGbg - 0 1",
            "rkr5/pppppppp/8/8/8/8/PPPPPPPP/5RKR b FHac - 0 1",
            // The most moves known.
            "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        ],
    );
}
