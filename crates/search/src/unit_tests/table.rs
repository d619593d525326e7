//! What is stored in the hash table, and when it ends the search of a node.

use super::*;
use crate::table_key::table_key;

const FEN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

#[test]
fn a_mate_is_stored_by_its_distance_from_the_node_and_read_by_its_distance_from_the_root() {
    with_search(FEN, Techniques::DEFAULT, |search, board| {
        let exact = Some(Bound::Exact);
        for (score, at_node, at_ply_two) in [
            (Score::mate_in(9), Score::mate_in(4), Score::mate_in(6)),
            (Score::mated_in(9), Score::mated_in(4), Score::mated_in(6)),
            (
                Score::tb_win_in(9),
                Score::tb_win_in(4),
                Score::tb_win_in(6),
            ),
            (Score::new(31), Score::new(31), Score::new(31)),
        ] {
            search.store(7, 5, None, score, None, 3, exact);
            let stored = search.context.table.probe(7).expect("stored");
            assert_eq!(stored.score, at_node);
            let read = |ply| search.probe(board, 7, ply).map(|entry| entry.score);
            assert_eq!((read(5), read(2)), (Some(score), Some(at_ply_two)));
        }
    });
}

#[test]
fn a_stored_entry_has_all_that_the_node_knew() {
    with_search(FEN, Techniques::DEFAULT, |search, board| {
        let mv = uci(board, "e2e4");
        search.memory.stack.at_mut(3).on_pv = true;
        let eval = Some(Score::new(-5));
        for (ply, was_pv) in [(3, true), (4, false)] {
            let key = 70 + ply as u64;
            search.store(
                key,
                ply,
                Some(mv),
                Score::new(9),
                eval,
                6,
                Some(Bound::Lower),
            );
            let entry = search.context.table.probe(key).expect("stored");
            assert_eq!((entry.mv, entry.eval, entry.depth), (Some(mv), eval, 6));
            assert_eq!((entry.bound, entry.was_pv), (Some(Bound::Lower), was_pv));
        }
    });
}

/// The score of a node at which the table holds `score` with `bound`, searched `depth` plies for a null window
/// below 10; `None` if the entry does not end its search.
fn cutoff(
    fen: &str,
    set: Techniques,
    score: i32,
    bound: Option<Bound>,
    entry_depth: Depth,
) -> Option<i32> {
    with_search(fen, set, |search, board| {
        let key = table_key(board, search.set);
        search.store(key, 1, None, Score::new(score), None, entry_depth, bound);
        let (alpha, beta) = (Score::new(9), Score::new(10));
        let score = search.node::<NonPv>(board, 1, alpha, beta, 5, Expect::All);
        // An entry that ends the search leaves no move to play.
        (search.nodes == 0).then_some(score.raw())
    })
}

#[test]
fn a_hash_score_ends_a_search_that_is_no_deeper_if_its_bound_decides() {
    let set = Techniques::HASH_CUTOFF;
    let known = |score, bound, depth| cutoff(FEN, set, score, Some(bound), depth);
    for depth in [5, 6, 40] {
        assert_eq!(known(3, Bound::Exact, depth), Some(3), "depth {depth}");
        assert_eq!(known(30, Bound::Exact, depth), Some(30), "depth {depth}");
        assert_eq!(known(10, Bound::Lower, depth), Some(10), "depth {depth}");
        assert_eq!(known(9, Bound::Upper, depth), Some(9), "depth {depth}");
    }
    assert_eq!(known(3, Bound::Exact, 4), None, "a ply too shallow");
    assert_eq!(known(9, Bound::Lower, 9), None);
    assert_eq!(known(10, Bound::Upper, 9), None);
    assert_eq!(cutoff(FEN, set, 3, None, 9), None, "no score");
    assert_eq!(
        cutoff(FEN, Techniques::empty(), 3, Some(Bound::Exact), 9),
        None
    );
}

#[test]
fn a_hash_score_does_not_end_a_search_near_the_fifty_move_rule() {
    let known = |clock| {
        let fen = format!("4k3/8/8/8/8/8/4P3/4K3 w - - {clock} 90");
        cutoff(&fen, Techniques::HASH_CUTOFF, 3, Some(Bound::Exact), 9)
    };
    assert_eq!((known(89), known(90)), (Some(3), None));
}

#[test]
fn a_hash_score_does_not_end_the_search_of_an_open_window_or_without_a_move() {
    let nodes = |arrange: fn(&mut TestSearch, &Board), pv: bool| {
        with_search(FEN, Techniques::HASH_CUTOFF, |search, board| {
            let key = table_key(board, search.set);
            let exact = Some(Bound::Exact);
            search.store(key, 1, None, Score::new(3), None, 9, exact);
            arrange(search, board);
            let (alpha, beta) = (Score::new(-500), Score::new(500));
            if pv {
                search.node::<Pv>(board, 1, alpha, beta, 1, Expect::All);
            } else {
                search.node::<NonPv>(board, 1, beta - 1, beta, 1, Expect::All);
            }
            search.nodes
        })
    };
    assert_eq!(nodes(|_, _| {}, false), 0);
    assert!(nodes(|_, _| {}, true) > 0);
    let exclude = |search: &mut TestSearch, board: &Board| {
        search.memory.stack.at_mut(1).excluded = Some(uci(board, "e2e4"));
    };
    assert!(nodes(exclude, false) > 0);
}

#[test]
fn the_hash_score_replaces_the_evaluation_where_its_bound_tightens_it() {
    with_search(FEN, Techniques::HASH_EVAL, |search, _| {
        let better = |score: Score, bound| {
            let entry = skewer_tt::Entry {
                mv: None,
                score,
                eval: None,
                depth: 1,
                bound,
                was_pv: false,
            };
            search.better_eval(Some(&entry), Score::new(20)).raw()
        };
        for (bound, scores) in [
            (Some(Bound::Exact), [10, 20, 30]),
            (Some(Bound::Lower), [20, 20, 30]),
            (Some(Bound::Upper), [10, 20, 20]),
            (None, [20, 20, 20]),
        ] {
            let found = [10, 20, 30].map(|score| better(Score::new(score), bound));
            assert_eq!(found, scores, "{bound:?}");
        }
        assert_eq!(better(Score::mate_in(5), Some(Bound::Exact)), 20);
    });
}

/// What the table's key of the position with these pieces and this half-move clock adds to the position's own key.
fn added_to_key(pieces: &str, set: Techniques, clock: u8) -> u64 {
    let fen = format!("{pieces} w - - {clock} 90");
    let board: Board = fen.parse().expect("a legal position");
    table_key(&board, set) ^ board.key()
}

#[test]
fn from_the_24th_ply_without_progress_on_every_eight_have_keys_of_their_own() {
    let rook = "4k3/8/8/8/8/8/8/R3K3";
    let of_clocks = |pieces, clocks: std::ops::Range<u8>| -> Vec<u64> {
        let set = Techniques::FIFTY_MOVE_BUCKET;
        let mut keys: Vec<u64> = clocks
            .map(|clock| added_to_key(pieces, set, clock))
            .collect();
        keys.dedup();
        keys
    };
    assert_eq!(of_clocks(rook, 0..24), [0], "the key of the position");
    let buckets = |pieces| -> Vec<u64> {
        let from = (24..96).step_by(8);
        from.flat_map(|from| of_clocks(pieces, from..from + 8))
            .collect()
    };
    let own = buckets(rook);
    assert_eq!(own.len(), 9, "one key for each eight");
    let distinct: std::collections::HashSet<&u64> = own.iter().chain(&[0]).collect();
    assert_eq!(distinct.len(), 10);
    // Different positions stay as different as before.
    assert_eq!(buckets("4k3/8/8/8/8/8/8/2Q1K3"), own);
    let without = |clock| added_to_key(rook, Techniques::empty(), clock);
    assert!((0..100).all(|clock| without(clock) == 0));
}
