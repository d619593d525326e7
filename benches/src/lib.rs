//! Criterion benches of every crate on the path of a search.
//!
//! The comparisons with peer crates are a package of their own, in `peers/`.

#[cfg(feature = "criterion")]
pub mod harness;
pub mod ratios;

/// The positions that move generators are timed on: name, FEN, the depth of the published count
/// and the count.
pub const POSITIONS: [(&str, &str, u32, u64); 5] = [
    (
        "start",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        6,
        119_060_324,
    ),
    (
        "Kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        5,
        193_690_690,
    ),
    (
        "position 3",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        7,
        178_633_661,
    ),
    (
        "position 4",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        6,
        706_045_033,
    ),
    (
        "position 5",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        5,
        89_941_194,
    ),
];

/// The guide to the library crates, whose examples are tested here.
#[cfg(all(doctest, feature = "criterion"))]
#[doc = include_str!("../../docs/library.md")]
pub struct LibraryGuide;
