//! Mates: the shortest is found, counted exactly, and its line played out to the end.

mod common;

use common::{Engine, evaluations, position};
use skewer_search::Limits;
use skewer_types::{Score, Techniques};

/// Morphy's problem: the key is a sacrifice that leaves Black in zugzwang. A null move for a side with a
/// single bishop hides the key: with such null moves the network's search took 222,000 nodes, without them 2,500.
const MORPHY: &str = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";

/// Positions, and in how many full moves the side to move mates.
const MATES: &[(&str, u32)] = &[
    ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 1),
    (
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
        1,
    ),
    ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", 2),
    (
        "r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 10",
        2,
    ),
    ("1rb4r/pkPp3p/1b1P3n/1Q6/N3Pp2/8/P1P3PP/7K w - - 1 1", 2),
    (MORPHY, 2),
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    (
        "r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1",
        3,
    ),
    ("8/8/8/8/8/1k6/2q5/K7 b - - 0 1", 1),
    ("2r3k1/p4p2/3Rp2p/1p2P1pK/8/1P4P1/P3Q2P/1q6 b - - 0 1", 3),
    ("1k5r/pP3ppp/3p2b1/1BN1n3/1Q2P3/P1B5/KP3P1P/7q w - - 1 0", 3),
    ("3r4/pR2N3/2pkb3/5p2/8/2B5/qP3PPP/4R1K1 w - - 1 0", 3),
];

#[test]
fn go_mate_finds_the_shortest_mate() {
    for evaluation in evaluations() {
        for &(fen, moves) in MATES {
            let mut engine = Engine::by(&evaluation);
            let limits = Limits {
                nodes: Some(2_000_000),
                ..Limits::mate(moves)
            };
            let outcome = engine.search_fen(fen, &limits);
            let found = outcome.score.mate_distance();
            assert_eq!(found, Some(moves as i32), "{fen} by {evaluation}");
        }
    }
}

/// `Engine::search` also checks that the line of each mate score mates in so many plies.
#[test]
fn a_plain_search_finds_the_shortest_mate_and_never_claims_a_shorter_one() {
    for evaluation in evaluations() {
        for &(fen, moves) in MATES {
            let mut engine = Engine::by(&evaluation);
            let (mut nodes, mut depth) = (0, 0);
            let found = loop {
                depth += 1;
                let outcome = engine.search_fen(fen, &Limits::depth(depth));
                nodes += outcome.nodes;
                let found = outcome.score.mate_distance();
                assert!(
                    found.is_none_or(|found| found >= moves as i32),
                    "{fen} by {evaluation}: mate in {found:?} at depth {depth}"
                );
                if found == Some(moves as i32) || nodes > 3_000_000 {
                    break found;
                }
            };
            assert_eq!(
                found,
                Some(moves as i32),
                "{fen} by {evaluation}, depth {depth}, {nodes} nodes"
            );
        }
    }
}

#[test]
fn the_losing_side_counts_the_same_mate() {
    for evaluation in evaluations() {
        for &(fen, moves) in MATES {
            if moves < 2 {
                continue;
            }
            let mut engine = Engine::by(&evaluation);
            let limits = |moves| Limits {
                nodes: Some(2_000_000),
                ..Limits::mate(moves)
            };
            let win = engine.search_fen(fen, &limits(moves));
            let mut game = position(fen);
            game.play(win.best.unwrap());
            let mut engine = Engine::by(&evaluation);
            let loss = engine.search(&game, &limits(moves - 1));
            // After another defence the mate may only come sooner.
            assert_eq!(
                loss.score,
                Score::mated_in(2 * moves as usize - 2),
                "{fen} by {evaluation}"
            );
        }
    }
}

#[test]
fn mates_are_exact_with_any_one_technique_switched() {
    for (name, technique) in Techniques::all().iter_names() {
        for &(fen, moves) in &MATES[2..8] {
            let mut engine = Engine::toggling(technique);
            let outcome = engine.search_fen(
                fen,
                &Limits {
                    // Far deeper than the mates, so that no single evaluation of a position decides the result.
                    depth: Some(16),
                    ..Limits::mate(moves)
                },
            );
            assert_eq!(
                outcome.score.mate_distance(),
                Some(moves as i32),
                "{name}: {fen}"
            );
        }
    }
}
