//! What a node learns, and what it takes from the table.

use skewer_movegen::Move;
use skewer_types::Bound;

use super::super::{Context, Entry, Verify};
use super::{INNER, QUEENS, below, lines, uci, with};
use crate::chess::config::Ideas;
use crate::chess::positions::from_fen;
use crate::game::Window;
use crate::params::chess as params;

#[test]
fn a_quiet_move_that_fails_high_is_the_first_killer_and_the_killer_before_it_the_second() {
    let position = from_fen("4k3/8/8/8/3p4/2P5/P7/4K2R w - - 0 1");
    let [a3, a4, rook, capture] = ["a2a3", "a2a4", "h1h2", "c3d4"].map(|mv| uci(&position, mv));
    let mut searcher = with(Ideas::empty());
    let mut learn = |mv, value| {
        let window = Window { alpha: 0, beta: 10 };
        searcher.learn(&position, 2, window, value, Some(mv), 3);
        searcher.killers[3]
    };
    assert_eq!(learn(a3, 5), [None; 2], "best, but no cut-off");
    assert_eq!(learn(a3, 10), [Some(a3), None]);
    assert_eq!(learn(a4, 10), [Some(a4), Some(a3)]);
    assert_eq!(
        learn(a4, 12),
        [Some(a4), Some(a3)],
        "it is not entered twice"
    );
    assert_eq!(learn(capture, 10), [Some(a4), Some(a3)]);
    assert_eq!(learn(rook, 10), [Some(rook), Some(a4)]);
    let other_plies = searcher
        .killers
        .iter()
        .enumerate()
        .filter(|(ply, _)| *ply != 3);
    assert!(
        other_plies
            .into_iter()
            .all(|(_, killers)| *killers == [None; 2])
    );
}

#[test]
fn the_history_grows_by_the_square_of_the_depth_for_any_best_quiet_move() {
    let position = from_fen("4k3/8/8/8/3p4/2P5/P7/4K2R w - - 0 1");
    let [quiet, other, capture] = ["a2a3", "a2a4", "c3d4"].map(|mv| uci(&position, mv));
    let mut searcher = with(Ideas::empty());
    let window = Window { alpha: 0, beta: 10 };
    for (mv, depth, value) in [(quiet, 3, 5), (quiet, 2, 10), (capture, 9, 10)] {
        searcher.learn(&position, depth, window, value, Some(mv), 1);
    }
    searcher.learn(&position, 9, window, 0, None, 1);
    let turn = position.board().turn();
    let known = [quiet, other, capture].map(|mv| searcher.history.get(turn, mv));
    assert_eq!(known, [9 + 4, 0, 0]);
    assert_eq!(searcher.history.get(!turn, quiet), 0);
}

#[test]
fn an_entry_keeps_its_move_until_there_is_another() {
    let position = from_fen(QUEENS);
    let key = position.board().key();
    let [one, other] = ["a1a2", "h1h2"].map(|mv| uci(&position, mv));
    let mut searcher = with(Ideas::empty());
    let window = Window { alpha: 0, beta: 10 };
    for (best, value, bound, expected) in [
        (Some(one), 5, Bound::Exact, one),
        (None, 0, Bound::Upper, one),
        (Some(other), 10, Bound::Lower, other),
    ] {
        searcher.learn(&position, 4, window, value, best, 1);
        let entry = searcher.table[&key];
        assert_eq!((entry.depth, entry.value, entry.bound), (4, value, bound));
        assert_eq!(entry.best, Some(expected));
    }
}

#[test]
fn the_move_of_the_table_is_tried_first_if_it_is_legal_and_hash_moves_are_on() {
    let position = from_fen(QUEENS);
    let key = position.board().key();
    let order = |ideas, best| {
        let mut searcher = with(ideas);
        let (depth, value, bound) = (9, 0, Bound::Upper);
        let entry = Entry {
            depth,
            value,
            bound,
            best: Some(best),
        };
        searcher.table.insert(key, entry);
        searcher.record();
        searcher.search(&position, 1, Window::FULL, INNER);
        lines(searcher)[1..].to_vec()
    };
    let legal = uci(&position, "h1g2");
    let illegal = Move::normal(skewer_movegen::Square::A8, skewer_movegen::Square::B8);
    let plain = order(Ideas::empty(), legal);
    let hashed = order(Ideas::HASH_MOVE, legal);
    assert!(
        plain[0] != "Qg2" && hashed[0] == "Qg2",
        "{plain:?} {hashed:?}"
    );
    assert_eq!(plain.len(), position.board().legal_moves().len());
    assert_eq!(hashed.len(), plain.len(), "and not a second time");
    assert_eq!(order(Ideas::HASH_MOVE, illegal), plain);
}

#[test]
fn a_value_of_the_table_settles_a_node_at_its_depth_if_its_bound_decides() {
    let known = |ideas, bound, value, depth, context| {
        let entry = Entry {
            depth: 3,
            value,
            bound,
            best: None,
        };
        let window = Window { alpha: 0, beta: 10 };
        with(ideas).known_value(Some(entry), depth, window, context)
    };
    let value = |bound, value| known(Ideas::HASH_VALUE, bound, value, 3, INNER);
    // Values inside the window, at its ends and beyond; fail-hard.
    for (bound, cuts) in [
        (
            Bound::Exact,
            [Some(0), Some(0), Some(5), Some(10), Some(10)],
        ),
        (Bound::Lower, [None, None, None, Some(10), Some(10)]),
        (Bound::Upper, [Some(0), Some(0), None, None, None]),
    ] {
        assert_eq!(
            [-5, 0, 5, 10, 15].map(|v| value(bound, v)),
            cuts,
            "{bound:?}"
        );
    }
    let exact = |ideas, depth, context| known(ideas, Bound::Exact, 5, depth, context).is_some();
    assert!(!exact(Ideas::empty(), 3, INNER), "switched off");
    for depth in [2, 4] {
        assert!(!exact(Ideas::HASH_VALUE, depth, INNER), "depth {depth}");
    }
    assert!(
        !exact(Ideas::HASH_VALUE, 3, Context { ply: 0, ..INNER }),
        "at the root"
    );
    let unverified = Context {
        verify: Verify::Wanted,
        ..INNER
    };
    assert!(
        !exact(Ideas::HASH_VALUE, 3, unverified),
        "found by other rules"
    );
    // A mate's value depends on the distance from the root.
    for mate in [params::MATE_BOUND, -params::MATE_BOUND] {
        assert_eq!(value(Bound::Exact, mate), None);
    }
    assert_eq!(value(Bound::Exact, params::MATE_BOUND - 1), Some(10));
}

#[test]
fn a_node_tries_the_best_move_of_the_last_node_with_the_same_parent() {
    let position = from_fen(QUEENS);
    for mv in ["h1g2", "e1d2"] {
        let mut searcher = with(Ideas::EARLY_CANDIDATES);
        searcher.siblings[1] = Some(uci(&position, mv));
        searcher.record();
        searcher.search(&position, 1, Window::FULL, INNER);
        let san = position.board().san(uci(&position, mv)).to_string();
        assert_eq!(lines(searcher)[1], san);
    }
}

#[test]
fn a_node_leaves_its_best_move_to_its_siblings_and_not_to_its_cousins() {
    // Whatever White's king does, Black promotes.
    let position = from_fen("k7/8/8/8/8/8/6p1/K7 w - - 0 1");
    let mut searcher = with(Ideas::EARLY_CANDIDATES);
    searcher.siblings[1] = Some(Move::normal(
        skewer_movegen::Square::A8,
        skewer_movegen::Square::B8,
    ));
    searcher.record();
    let thought = searcher.search_to_depth(&position, 2);
    let best = format!("{:?}", searcher.siblings[1].expect("a best move"));
    assert_eq!(best, "g2g1q");
    assert_eq!(searcher.siblings[0], thought.best);
    let lines = lines(searcher);
    assert_eq!(lines[..3], ["", "Kb1", "Kb1 g1=Q+"], "{lines:?}");
}

#[test]
fn a_node_tries_the_killers_of_its_own_ply() {
    let position = from_fen("4k3/8/8/8/8/8/P6P/4K3 w - - 0 1");
    let mut searcher = with(Ideas::KILLERS);
    for (ply, killers) in [["e1d1", "a2a3"], ["h2h4", "h2h3"], ["a2a4", "e1f1"]]
        .into_iter()
        .enumerate()
    {
        searcher.killers[ply] = killers.map(|mv| Some(uci(&position, mv)));
    }
    searcher.record();
    searcher.search(&position, 1, Window::FULL, INNER);
    assert_eq!(INNER.ply, 1);
    assert_eq!(lines(searcher)[1..3], ["h4", "h3"]);
}

#[test]
fn a_node_first_takes_back_what_the_last_move_took() {
    // Black has just taken on d5; White could also win the queen.
    let position = from_fen("k7/7q/8/3n4/4P1N1/8/P6R/K2R4 w - - 0 1");
    let taken = Move::normal(skewer_movegen::Square::F6, skewer_movegen::Square::D5);
    for (last, first) in [(Some(taken), "exd5"), (None, "Rxh7")] {
        let mut searcher = with(Ideas::EARLY_CANDIDATES);
        searcher.record();
        let context = Context { last, ..INNER };
        searcher.search(&position, 1, Window::FULL, context);
        assert_eq!(lines(searcher)[1], first);
    }
}

#[test]
fn a_move_that_fails_high_is_left_to_the_siblings_too() {
    let position = from_fen(QUEENS);
    let mut searcher = with(Ideas::EARLY_CANDIDATES);
    searcher.record();
    searcher.search(&position, 1, below(&position), INNER);
    let sibling = searcher.siblings[INNER.ply].expect("a move that fails high");
    let san = position.board().san(sibling).to_string();
    assert_eq!(lines(searcher), ["", &san], "the first move is enough");
}

#[test]
fn a_draw_is_seen_before_the_table_is_asked() {
    let position = from_fen("4k3/8/8/8/8/8/8/Q3K2Q w - - 4 90");
    let key = position.board().key();
    for (ideas, value) in [(Ideas::PATH_DRAWS, 0), (Ideas::empty(), 5)] {
        let mut searcher = with(Ideas::HASH_VALUE | ideas);
        searcher.remember_game(&[key, 1, 2, 3]);
        let entry = Entry {
            depth: 2,
            value: 5,
            bound: Bound::Exact,
            best: None,
        };
        searcher.table.insert(key, entry);
        let window = Window {
            alpha: -10,
            beta: 10,
        };
        assert_eq!(searcher.search(&position, 2, window, INNER), value);
    }
}
