//! The positions of the engine's `bench` command, and its default depth and hash table. The node
//! count of a bench is the signature of a build.

use skewer_types::Depth;

/// The default depth of a bench, in plies.
pub const DEPTH: Depth = 13;

/// The default hash table of a bench, in megabytes.
pub const HASH_MB: usize = 16;

/// The positions: openings, middlegames quiet and sharp, endgames of all kinds, a few where a
/// rule of the game decides, and one of Chess960.
pub const POSITIONS: &[&str] = &[
    // Openings
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R b KQkq - 2 5",
    "rnbqkb1r/pp3ppp/4pn2/2pp4/2PP4/2N1PN2/PP3PPP/R1BQKB1R b KQkq - 0 5",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 3 6",
    "r1bqkbnr/1ppp1ppp/p1n5/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 1 4",
    "rnbqkbnr/ppp2ppp/4p3/3pP3/3P4/8/PPP2PPP/RNBQKBNR b KQkq - 0 3",
    // Middlegames
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/2N1B1P1/PP2PPBP/R2Q1RK1 w - - 6 12",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "r1bq1rk1/pp1n1pbp/2pp1np1/4p3/2PPP3/2N2N1P/PP2BPP1/R1BQ1RK1 w - - 0 10",
    "3r1rk1/1p2qppp/p1n1bn2/4p3/4P3/1BP1BN1P/PP2QPP1/3R1RK1 b - - 4 17",
    "r1b2rk1/2q1bppp/p2p1n2/np2p3/3PP3/2P2N1P/PPBN1PP1/R1BQR1K1 b - - 2 13",
    "2kr3r/pp1q1ppp/2nbbn2/3p4/3P4/P1NBBN2/1P1Q1PPP/R4RK1 w - - 5 14",
    "r3r1k1/pp3pbp/1qp1b1p1/2B5/2BP4/Q1n2N2/P4PPP/3R1K1R b - - 1 18",
    "5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - - 0 1",
    "r1b1r1k1/1p1n1p1p/p2p2p1/q1pP2B1/2P1R3/2N2Q2/PP3PPP/R5K1 b - - 1 19",
    "4rrk1/1bq2ppp/p2p1b2/1p1Pn3/4PP2/P1N1B3/1P2B1PP/R2Q1R1K b - - 0 21",
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
    "r2qr1k1/1b1nbppp/p2p4/1p1Np1P1/4P2P/1N1QBP2/PPP5/2KR3R b - - 0 17",
    "2r3k1/pppR1pp1/4p3/4P1P1/5P2/1P4K1/P1P5/8 w - - 0 1",
    "3q1rk1/4bp1p/1n2P2Q/1p1p1p2/6r1/Pp2R2N/1B4PP/7K w - - 0 1",
    // Endgames
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "8/5p2/3kp1p1/1p5p/1P1KPP1P/6P1/8/8 w - - 0 1",
    "6k1/5ppp/1p2p3/1P1bP3/3P4/3K1P2/4B1PP/8 w - - 0 1",
    "8/pp3k2/2p2np1/2P1p2p/1P2P2P/P2N1KP1/8/8 w - - 0 1",
    "8/6pk/3Q3p/5p2/1q3P2/6PP/6K1/8 b - - 0 1",
    "2r5/5pk1/4p1p1/3pP2p/1R1P1P1P/2K3P1/8/8 w - - 0 1",
    "8/8/8/1p3k2/1P1r4/4K1R1/5P2/8 w - - 0 1",
    "8/8/B1k1b1p1/4P2p/3K1P1P/6P1/8/8 w - - 0 1",
    "8/8/8/3k4/8/8/2QK4/6r1 w - - 0 1",
    "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 1",
    "5k2/7R/4P2p/5K2/p1r2P1p/8/8/8 b - - 0 1",
    // Where the rules decide: a fortress near the fifty-move draw, zugzwang, underpromotion
    "8/8/1k1p4/p1pP1p1p/P1P2P1P/1K6/8/8 w - - 92 120",
    "1q1k4/2Rr4/8/2Q3K1/8/8/8/8 w - - 0 1",
    "8/1p1P1k2/1P6/8/8/5K2/8/5n1r w - - 0 1",
    "8/5P1k/8/6K1/8/8/8/6q1 w - - 0 1",
    // Chess960
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
];

#[cfg(test)]
mod tests {
    use skewer_movegen::Board;

    use super::*;

    #[test]
    fn every_position_is_legal_and_there_are_enough() {
        assert!(POSITIONS.len() >= 40);
        for fen in POSITIONS {
            let board: Board = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert!(board.has_legal_moves(), "{fen}");
        }
    }
}
