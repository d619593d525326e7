//! Perft against published counts.

use skewer_movegen::{Board, Child, Color, Piece, perft};

/// Checks the counts from depth 1 up.
fn check(fen: &str, counts: &[u64]) {
    let board = Board::from_fen(fen).unwrap();
    for (depth, count) in (1..).zip(counts) {
        assert_eq!(perft(&board, depth), *count, "{fen} at depth {depth}");
    }
}

/// Checks one count.
fn check_at(fen: &str, depth: u32, count: u64) {
    let board = Board::from_fen(fen).unwrap();
    assert_eq!(perft(&board, depth), count, "{fen} at depth {depth}");
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

#[test]
fn position_3() {
    check(
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        &[14, 191, 2_812, 43_238, 674_624, 11_030_083, 178_633_661],
    );
}

#[test]
fn position_4_and_its_mirror() {
    check(
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        &[6, 264, 9_467, 422_333, 15_833_292, 706_045_033],
    );
    check(
        "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
        &[6, 264, 9_467, 422_333, 15_833_292],
    );
}

#[test]
fn position_5() {
    check(
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        &[44, 1_486, 62_379, 2_103_487, 89_941_194],
    );
}

#[test]
fn position_6() {
    check(
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2_079, 89_890, 3_894_594],
    );
}

/// Small positions, each of which exposes a common mistake (Martin Sedlak's collection).
#[test]
fn corner_cases_of_the_rules() {
    // The pawn that moves en passant or in two steps uncovers a check.
    check_at("3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, 1_134_888);
    check_at("8/8/4k3/8/2p5/8/B2P2K1/8 w - - 0 1", 6, 1_015_133);
    // En passant that takes the checker.
    check_at("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 6, 1_440_467);
    // Castling with check, through check, after the rook is taken.
    check_at("5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6, 661_072);
    check_at("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 6, 803_711);
    check_at("r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4, 1_274_206);
    check_at("r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4, 1_720_476);
    // Promotion out of check, with check, to each piece.
    check_at("2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 6, 3_821_001);
    check_at("8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 5, 1_004_658);
    check_at("4k3/1P6/8/8/8/8/K7/8 w - - 0 1", 6, 217_342);
    check_at("8/P1k5/K7/8/8/8/8/8 w - - 0 1", 6, 92_683);
    // Stalemate and mate.
    check_at("K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6, 2_217);
    check_at("8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7, 567_584);
    check_at("8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", 4, 23_527);
}

#[test]
fn chess960() {
    check(
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        &[21, 528, 12_189, 326_672, 8_146_062],
    );
    check(
        "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
        &[21, 807, 18_002, 667_366, 16_253_601],
    );
    check(
        "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9",
        &[20, 479, 10_471, 273_318, 6_417_013],
    );
    check(
        "qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9",
        &[22, 593, 13_440, 382_958, 9_183_776],
    );
    // Castling blocked by the other rook.
    check(
        "4rrk1/pbbp2p1/1ppnp3/3n1pqp/3N1PQP/1PPNP3/PBBP2P1/4RRK1 w Ff - 0 1",
        &[42, 1_743, 71_908],
    );
}

/// Perft by the children that `for_each_child` makes. Each must compute the values that its board stores.
fn children(board: &Board, child: &Child, depth: u32) -> u64 {
    assert_eq!(child.turn(), board.turn());
    assert_eq!(child.checkers(), board.checkers(), "{board}");
    assert_eq!(child.pinned(), board.pinned(), "{board}");
    assert_eq!(child.in_check(), board.in_check());
    assert_eq!(
        child.is_mate(),
        board.in_check() && !board.has_legal_moves()
    );
    assert_eq!(child.count_legal_moves(), board.count_legal_moves());
    if depth == 0 {
        return 1;
    }
    // `for_each_move` and `for_each_child` follow the same order.
    let mut boards = Vec::new();
    board.for_each_move(|mv| boards.push(board.play(mv)));
    let mut boards = boards.iter();
    let mut nodes = 0;
    child.for_each_child(|next| {
        let board = boards.next().expect("a move for each child");
        for color in Color::ALL {
            assert_eq!(next.color(color), board.color(color), "{board}");
        }
        for piece in Piece::ALL {
            assert_eq!(next.pieces(piece), board.pieces(piece), "{board}");
        }
        nodes += children(board, next, depth - 1);
    });
    assert!(boards.next().is_none());
    nodes
}

#[test]
fn children_are_the_positions_after_the_moves() {
    for (fen, depth, count) in [
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            3,
            97_862,
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43_238),
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            3,
            9_467,
        ),
        (
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            3,
            12_189,
        ),
    ] {
        let board = Board::from_fen(fen).unwrap();
        assert_eq!(
            children(&board, &Child::from(&board), depth),
            count,
            "{fen}"
        );
    }
}
