//! Positions that are won by putting the opponent in zugzwang, where the null move heuristic errs.

mod common;

use common::{Engine, evaluations};
use skewer_search::Limits;

/// A position, the only move that wins, and the nodes of the search by the built-in network. All but the
/// last two are from endgame tables: after the move, the side to move loses and would draw if it could
/// pass. The last is Morphy's mate in two.
const POSITIONS: &[(&str, &str, u64)] = &[
    ("2k2n2/8/3R4/1K6/8/8/8/8 w - - 0 1", "b5c6", 50_000),
    ("2n2k2/8/5K2/8/8/8/8/4R3 w - - 0 1", "e1e6", 50_000),
    ("3k4/4R3/8/2K3n1/8/8/8/8 w - - 0 1", "c5d6", 50_000),
    ("4R3/8/8/8/8/5K2/8/2n2k2 w - - 0 1", "e8e3", 50_000),
    ("4k3/5R2/4K3/1n6/8/8/8/8 w - - 0 1", "f7d7", 50_000),
    ("5nk1/8/2P5/6K1/8/8/8/8 w - - 0 1", "g5f6", 50_000),
    ("7k/7n/6K1/8/5P2/8/8/8 w - - 0 1", "g6f7", 50_000),
    ("8/3n4/8/6R1/k1K5/8/8/8 w - - 0 1", "g5b5", 600_000),
    ("8/7K/8/7k/6p1/6R1/8/8 w - - 0 1", "g3g1", 50_000),
    ("8/7k/3p4/3P4/7K/8/8/8 w - - 0 1", "h4h5", 50_000),
    ("8/7k/8/4p3/7K/5P2/8/8 w - - 0 1", "h4h5", 100_000),
    ("8/8/6R1/5K1k/8/8/4n3/8 w - - 0 1", "g6g4", 50_000),
    ("8/8/7n/8/5R2/4K2k/8/8 w - - 0 1", "e3f3", 50_000),
    ("8/8/8/5K2/7k/5R2/8/7n w - - 0 1", "f5f4", 50_000),
    ("8/8/8/8/7P/7n/5K1k/8 w - - 0 1", "f2f3", 50_000),
    ("8/8/8/8/8/2K1R3/8/3k2n1 w - - 0 1", "c3d3", 50_000),
    ("8/8/8/8/8/P7/n7/k1K5 w - - 0 1", "c1c2", 50_000),
    ("8/8/8/8/P1K5/n7/k7/8 w - - 0 1", "c4c3", 50_000),
    ("8/8/k7/8/3p4/K7/2P5/8 w - - 0 1", "a3a4", 160_000),
    ("8/8/k7/8/6p1/K7/5P2/8 w - - 0 1", "a3a4", 1_000_000),
    ("8/K7/8/k7/1p6/8/1R6/8 w - - 0 1", "b2b1", 50_000),
    ("8/k7/8/6p1/K7/5P2/8/8 w - - 0 1", "a4a5", 400_000),
    ("8/n7/8/2R5/k7/3K4/8/8 w - - 0 1", "d3c4", 50_000),
    ("k7/n7/2K5/8/2P5/8/8/8 w - - 0 1", "c6c7", 50_000),
    ("n2k4/8/2R5/3K4/8/8/8/8 w - - 0 1", "d5d6", 50_000),
    ("n2k4/8/2R5/4K3/8/8/8/8 w - - 0 1", "e5d6", 50_000),
    ("8/2b5/7k/8/4K3/3R4/8/8 w - - 0 1", "e4f5", 3_000_000),
    ("5b2/8/6R1/8/1K6/8/k7/8 w - - 0 1", "b4c3", 400_000),
    (
        "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1",
        "e1f1",
        1_000_000,
    ),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "a1a6", 50_000),
];

/// The geometric mean of the nodes after which the move was chosen for good, at bench 2022648. (`cargo test
/// --test zugzwang -- --nocapture` prints it.)
const RECORDED: f64 = 700.0;

/// The nodes for a single position change by up to eighteen times with any change of search or network, so the test
/// judges their mean.
#[test]
fn the_move_that_leaves_the_opponent_in_zugzwang_is_found() {
    let [_, network] = evaluations();
    let (mut logarithms, mut missed) = (0.0, 0);
    for &(fen, best, budget) in POSITIONS {
        let mut engine = Engine::by(&network);
        let outcome = engine.search_fen(fen, &Limits::nodes(budget));
        let answer = format!("{:?}", outcome.best.expect("a legal move"));
        let earlier = engine.reports.iter().rev();
        let chosen = earlier.take_while(|report| format!("{:?}", report.pv[0]) == best);
        let nodes = chosen.last().map_or(budget, |report| report.nodes);
        let nodes = if answer == best { nodes } else { budget };
        println!(
            "{fen} {best} {nodes} {}",
            if answer == best { "" } else { "not found" }
        );
        missed += usize::from(answer != best);
        logarithms += (nodes.max(1) as f64).ln();
    }
    let mean = (logarithms / POSITIONS.len() as f64).exp();
    println!("geometric mean {mean:.0}, {missed} not found");
    assert!(
        mean <= 2.0 * RECORDED,
        "{mean:.0} nodes in place of {RECORDED:.0}"
    );
    assert!(missed <= 2, "{missed} of {} are not found", POSITIONS.len());
}
