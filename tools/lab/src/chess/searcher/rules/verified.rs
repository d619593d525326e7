//! Verified null moves (Tabibi and Netanyahu).

use super::super::Searcher;
use super::{QUEENS, below, passes, searcher};
use crate::chess::config::{Config, Ideas, NullMove};
use crate::chess::positions::{ZUGZWANG, from_fen};
use crate::game::{End, Window};
use crate::trace::Step;

#[test]
fn in_the_search_of_a_null_move_cut_offs_are_verified_too() {
    let position = from_fen(QUEENS);
    // The null move leaves three plies: Black moves, and White may pass with two.
    let mut searcher = searcher(NullMove::Verified);
    searcher.record();
    assert!(searcher.null_move_holds(&position, 7, below(&position)));
    assert_eq!(searcher.effort.visits.ended(End::NullMove), 0);
    assert!(!passes(searcher).is_empty());
}

#[test]
fn a_search_of_one_ply_cannot_be_verified_and_makes_no_null_move() {
    let position = from_fen(QUEENS);
    for (depth, expected) in [(1, 0), (2, 1)] {
        let mut searcher = searcher(NullMove::Verified);
        searcher.record();
        searcher.probe(&position, depth, below(&position));
        assert_eq!(passes(searcher).len(), expected, "depth {depth}");
    }
}

#[test]
fn the_verifying_search_is_a_ply_shallower_and_its_null_moves_are_not_verified() {
    let position = from_fen(QUEENS);
    let mut searcher = searcher(NullMove::Verified);
    searcher.probe(&position, 6, below(&position));
    assert!(searcher.effort.visits.ended(End::NullMove) > 0);
    let entry = searcher.table[&position.board().key()];
    assert_eq!(entry.depth, 5);
}

#[test]
fn the_search_after_a_refuted_verification_verifies_again_below() {
    // Each of White's king moves costs some of its evaluation, and a pass does not: beta is what a pass keeps.
    // After any of them Black can pass and still stand above its own beta.
    let position = from_fen("b6k/8/8/8/8/8/8/6K1 w - - 0 1");
    let window = Window::null(position.evaluate());
    for depth in 3..=4 {
        let mut searcher = searcher(NullMove::Verified);
        searcher.record();
        assert_eq!(searcher.probe(&position, depth, window), window.alpha);
        let recording = searcher.recording().expect("recorded");
        let is_move = |place: &&usize| {
            let place = &recording.places[**place];
            place.parent == Some(0) && place.label != "pass"
        };
        let places: Vec<_> = (0..recording.places.len()).collect();
        let moves: Vec<_> = places.iter().filter(is_move).collect();
        assert_eq!(moves.len(), 3, "f1, f2 and h2");
        for &mv in moves {
            let ends = recording.steps.iter().filter_map(|step| match *step {
                Step::Leave { node, end, .. } if node == mv => Some(end),
                _ => None,
            });
            // In the verifying search Black's pass cuts at once. In the search after the refuted verification Black's
            // pass is verified too, by a search of Black's moves, which ends by a cut-off.
            let ends: Vec<_> = ends.collect();
            assert_eq!(ends, [End::NullMove, End::Cutoff], "depth {depth}");
        }
    }
}

#[test]
fn a_null_move_that_verification_refutes_leads_to_a_search_of_the_whole_depth() {
    let position = from_fen(ZUGZWANG);
    for depth in 4..=6 {
        let mut searcher = searcher(NullMove::Verified);
        let window = Window::null(-300);
        assert!(searcher.null_move_holds(&position, depth, window));
        assert_eq!(searcher.probe(&position, depth, window), window.alpha);
        assert_eq!(searcher.table[&position.board().key()].depth, depth);
    }
}

#[test]
fn the_verifying_search_and_the_search_after_it_skip_futile_moves_at_the_node_itself() {
    // No move of White's king keeps the evaluation, and a pass does. With no margin all three moves are futile, in the
    // verifying search of one ply and in the search of two plies after it.
    let position = from_fen("b6k/8/8/8/8/8/8/6K1 w - - 0 1");
    let window = Window::null(position.evaluate());
    let mut searcher = Searcher::new(Config {
        null_move: NullMove::Verified,
        margin: 0,
        ..Config::PLAIN.with(Ideas::FUTILITY_PARENT)
    });
    assert_eq!(searcher.probe(&position, 2, window), window.alpha);
    assert_eq!((searcher.effort.futile, searcher.effort.skipped), (6, 6));
}
