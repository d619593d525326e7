//! Positions that are won by putting the opponent in zugzwang, where the null move heuristic errs.

mod common;

use common::{Engine, evaluations};
use skewer_search::Limits;

/// A position, the only move that wins, and after how many nodes the search by the built-in network
/// chooses it for good. All but the last two are from endgame tables: after the move, the side to
/// move loses and would draw if it could pass. The last is Morphy's mate in two.
///
/// The counts are those of the build that they were written by: measure them again when search or
/// network changes (`cargo test --test zugzwang -- --nocapture` prints them).
const POSITIONS: &[(&str, &str, u64)] = &[
    ("2k2n2/8/3R4/1K6/8/8/8/8 w - - 0 1", "b5c6", 133),
    ("2n2k2/8/5K2/8/8/8/8/4R3 w - - 0 1", "e1e6", 48),
    ("3k4/4R3/8/2K3n1/8/8/8/8 w - - 0 1", "c5d6", 1009),
    ("4R3/8/8/8/8/5K2/8/2n2k2 w - - 0 1", "e8e3", 64),
    ("4k3/5R2/4K3/1n6/8/8/8/8 w - - 0 1", "f7d7", 913),
    ("5nk1/8/2P5/6K1/8/8/8/8 w - - 0 1", "g5f6", 64),
    ("7k/7n/6K1/8/5P2/8/8/8 w - - 0 1", "g6f7", 5),
    ("8/3n4/8/6R1/k1K5/8/8/8 w - - 0 1", "g5b5", 138_627),
    ("8/7K/8/7k/6p1/6R1/8/8 w - - 0 1", "g3g1", 8299),
    ("8/7k/3p4/3P4/7K/8/8/8 w - - 0 1", "h4h5", 298),
    ("8/7k/8/4p3/7K/5P2/8/8 w - - 0 1", "h4h5", 21_810),
    ("8/8/6R1/5K1k/8/8/4n3/8 w - - 0 1", "g6g4", 430),
    ("8/8/7n/8/5R2/4K2k/8/8 w - - 0 1", "e3f3", 92),
    ("8/8/8/5K2/7k/5R2/8/7n w - - 0 1", "f5f4", 59),
    ("8/8/8/8/7P/7n/5K1k/8 w - - 0 1", "f2f3", 24),
    ("8/8/8/8/8/2K1R3/8/3k2n1 w - - 0 1", "c3d3", 19),
    ("8/8/8/8/8/P7/n7/k1K5 w - - 0 1", "c1c2", 15),
    ("8/8/8/8/P1K5/n7/k7/8 w - - 0 1", "c4c3", 883),
    ("8/8/k7/8/3p4/K7/2P5/8 w - - 0 1", "a3a4", 36_632),
    ("8/8/k7/8/6p1/K7/5P2/8 w - - 0 1", "a3a4", 230_298),
    ("8/K7/8/k7/1p6/8/1R6/8 w - - 0 1", "b2b1", 4332),
    ("8/k7/8/6p1/K7/5P2/8/8 w - - 0 1", "a4a5", 97_066),
    ("8/n7/8/2R5/k7/3K4/8/8 w - - 0 1", "d3c4", 68),
    ("k7/n7/2K5/8/2P5/8/8/8 w - - 0 1", "c6c7", 6),
    ("n2k4/8/2R5/3K4/8/8/8/8 w - - 0 1", "d5d6", 76),
    ("n2k4/8/2R5/4K3/8/8/8/8 w - - 0 1", "e5d6", 24),
    ("8/2b5/7k/8/4K3/3R4/8/8 w - - 0 1", "e4f5", 732_495),
    ("5b2/8/6R1/8/1K6/8/k7/8 w - - 0 1", "b4c3", 40_042),
    (
        "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1",
        "e1f1",
        226_425,
    ),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "a1a6", 872),
];

#[test]
fn the_move_that_leaves_the_opponent_in_zugzwang_is_found() {
    let [_, network] = evaluations();
    for &(fen, best, expected) in POSITIONS {
        let limit = (3 * expected).max(30_000);
        let mut engine = Engine::by(&network);
        let outcome = engine.search_fen(fen, &Limits::nodes(limit));
        let answer = outcome.best.expect("a legal move").to_string();
        assert_eq!(answer, best, "{fen} after {limit} nodes");
        let earlier = engine.reports.iter().rev();
        let nodes = earlier
            .take_while(|report| report.pv[0].to_string() == best)
            .last()
            .map_or(0, |report| report.nodes);
        println!("{fen} {best} {nodes}");
    }
}
