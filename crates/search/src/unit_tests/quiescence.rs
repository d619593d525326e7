//! Quiescence: who may stand pat, which moves are looked at, and what is stored.

use super::*;
use crate::params;
use crate::table_key::table_key;
use skewer_ordering::see;

const OPEN: (Score, Score) = (Score::from_raw(-Score::INFINITE.raw()), Score::INFINITE);

/// The score of a quiescence search with this window around the evaluation, and its nodes.
fn quiesced(fen: &str, set: Techniques, window: impl Fn(Score) -> (Score, Score)) -> (Score, u64) {
    with_search(fen, set, |search, board| {
        let (alpha, beta) = window(search.evaluator.evaluate(board));
        let before = search.nodes;
        let score = search.quiesce::<NonPv>(board, 3, alpha, beta);
        (score, search.nodes - before)
    })
}

fn evaluation(fen: &str) -> Score {
    with_search(fen, Techniques::empty(), |search, board| {
        search.evaluator.evaluate(board)
    })
}

/// The knight can take a pawn that nothing defends.
const KNIGHT: &str = "7k/8/8/8/4p3/2N5/P7/K7 w - - 0 1";

#[test]
fn an_evaluation_at_beta_ends_the_search_before_any_move() {
    let plain = Techniques::empty();
    let score = evaluation(KNIGHT);
    assert_eq!(quiesced(KNIGHT, plain, |eval| (eval - 1, eval)), (score, 0));
    let (higher, nodes) = quiesced(KNIGHT, plain, |eval| (eval, eval + 1));
    assert!(higher > score && nodes == 1, "the pawn is taken");
    // What lies above beta counts by half.
    let blend = Techniques::FAIL_HIGH_BLEND;
    let (blended, _) = quiesced(KNIGHT, blend, |eval| (eval - 101, eval - 100));
    assert_eq!(blended, score - 50);
}

#[test]
fn a_side_in_check_may_not_stand_pat() {
    // The knight's check wins the queen.
    let fork = "4k3/8/8/8/8/8/2n5/Q3K3 w - - 0 1";
    let (score, _) = quiesced(fork, Techniques::empty(), |_| OPEN);
    assert!(score < evaluation(fork) - 300, "{score:?}");
}

#[test]
fn mates_count_their_distance_and_the_stalemate_of_a_king_nothing() {
    for set in [Techniques::empty(), Techniques::DEFAULT] {
        let value = |fen| quiesced(fen, set, |_| OPEN).0;
        assert_eq!(
            value("R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1"),
            Score::mated_in(3)
        );
        assert_eq!(value("k7/8/1Q6/8/8/8/8/7K b - - 0 1"), Score::DRAW);
    }
}

#[test]
fn after_an_evasion_that_does_not_lose_no_quiet_one_is_looked_at() {
    let (_, nodes) = quiesced(
        "4k3/4r3/8/8/8/8/8/4K3 w - - 0 1",
        Techniques::empty(),
        |_| OPEN,
    );
    assert_eq!(nodes, 1, "the first of four king moves");
}

#[test]
fn a_capture_that_cannot_reach_alpha_is_left_out() {
    let set = Techniques::DELTA_PRUNING;
    let reach = params::delta_margin() + see::value(skewer_movegen::Piece::Pawn);
    let nodes = |fen, short| {
        let window = |eval| (eval + reach + short, eval + reach + short + 1);
        quiesced(fen, set, window)
    };
    let hope = evaluation(KNIGHT) + reach;
    assert_eq!(nodes(KNIGHT, 0), (hope, 0), "what it could reach at best");
    assert_eq!(nodes(KNIGHT, -1).1, 1);
    // Nor is one that gives check left out, nor any below a mate.
    let check = "8/8/5k2/8/4p3/2N5/8/K7 w - - 0 1";
    assert!(nodes(check, 500).1 > 0);
    let mate = |_| (Score::mate_in(9), Score::mate_in(8));
    assert_eq!(quiesced(KNIGHT, set, mate).1, 1);
}

#[test]
fn three_captures_are_looked_at() {
    let five = "7k/8/8/1p1p1p2/8/1p1Q1p2/8/K7 w - - 0 1";
    let nodes = |set| quiesced(five, set, |_| OPEN).1;
    assert_eq!(nodes(Techniques::empty()), 5);
    assert_eq!(
        nodes(Techniques::QUIESCENCE_LIMIT),
        params::quiescence_moves() as u64
    );
}

#[test]
fn a_capture_that_loses_material_is_not_looked_at() {
    let losing = "4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1";
    let nodes = |set| quiesced(losing, set, |_| OPEN).1;
    assert!(nodes(Techniques::empty()) > 0);
    assert_eq!(nodes(Techniques::SEE_QUIESCENCE), 0);
}

#[test]
fn the_result_is_stored_at_depth_0_with_the_move_and_how_it_bounds_the_score() {
    let stored = |above: bool| {
        with_search(KNIGHT, Techniques::HASH_QUIESCENCE, |search, board| {
            let eval = search.evaluator.evaluate(board);
            let alpha = if above { eval + 10 } else { eval + 2000 };
            search.quiesce::<NonPv>(board, 3, alpha, alpha + 1);
            let entry = search.context.table.probe(table_key(board, search.set));
            let entry = entry.expect("stored");
            assert_eq!((entry.depth, entry.eval), (0, Some(eval)));
            (entry.bound, entry.mv.map(|mv| format!("{mv:?}")))
        })
    };
    assert_eq!(stored(true), (Some(Bound::Lower), Some("c3e4".to_owned())));
    assert_eq!(stored(false), (Some(Bound::Upper), None));
}

#[test]
fn a_draw_by_the_fifty_move_rule_ends_a_search_of_captures_too() {
    let value = |clock: u32| {
        let fen = format!("7k/8/8/8/8/8/8/K5Q1 w - - {clock} 90");
        quiesced(&fen, Techniques::empty(), |_| OPEN).0
    };
    assert_eq!(value(100), Score::DRAW);
    assert!(value(99) > Score::new(300));
}

#[test]
fn a_score_of_the_table_ends_a_search_with_a_null_window_alone() {
    let set = Techniques::HASH_QUIESCENCE | Techniques::HASH_CUTOFF;
    with_search(KNIGHT, set, |search, board| {
        let (key, known) = (table_key(board, search.set), Score::new(777));
        search.store(key, 3, None, known, None, 0, Some(Bound::Exact));
        let (alpha, beta) = (Score::new(10), Score::new(11));
        assert_eq!(search.quiesce::<NonPv>(board, 3, alpha, beta), known);
        assert_ne!(search.quiesce::<Pv>(board, 3, alpha, beta), known);
    });
}
