//! Depth, ends of the game and windows.

use skewer_movegen::Board;

use super::super::{Context, Limits, Searcher};
use super::{INNER, QUEENS, uci, with};
use crate::chess::config::{Config, Ideas, Quiescence};
use crate::chess::position::Position;
use crate::chess::positions::from_fen;
use crate::game::{Value, Window};
use crate::params::chess as params;

#[test]
fn a_node_in_check_is_searched_a_ply_deeper_with_the_check_extension() {
    let position = from_fen("4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1");
    let nodes = |ideas| {
        let mut searcher = with(ideas);
        searcher.search(&position, 0, Window::FULL, INNER);
        (searcher.effort.nodes, searcher.effort.horizons)
    };
    let evasions = position.board().legal_moves().len() as u64;
    assert_eq!(nodes(Ideas::empty()), (0, 1));
    assert_eq!(nodes(Ideas::CHECK_EXTENSION), (1, evasions));
}

#[test]
fn mates_count_their_distance_and_stalemates_nothing() {
    for (fen, depth, ply, value) in [
        (
            "R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1",
            0,
            3,
            3 - params::MATE,
        ),
        (
            "R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1",
            2,
            3,
            3 - params::MATE,
        ),
        ("k7/8/1Q6/8/8/8/8/7K b - - 0 1", 0, 3, 0),
        ("k7/8/1Q6/8/8/8/8/7K b - - 0 1", 2, 3, 0),
    ] {
        let mut searcher = with(Ideas::empty());
        let context = Context { ply, ..INNER };
        let found = searcher.search(&from_fen(fen), depth, Window::FULL, context);
        assert_eq!(found, value, "{fen}, depth {depth}");
    }
}

#[test]
fn values_stay_inside_the_window() {
    let queens = from_fen(QUEENS);
    let mated = from_fen("R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1");
    let stalemate = from_fen("k7/8/1Q6/8/8/8/8/7K b - - 0 1");
    for (position, expected) in [(queens, [10, 10]), (mated, [5, -10]), (stalemate, [5, 0])] {
        for depth in 0..=2 {
            let windows = [(5, 10), (-10, 10)];
            let values = windows.map(|(alpha, beta)| {
                let window = Window { alpha, beta };
                with(Ideas::empty()).search(&position, depth, window, INNER)
            });
            assert_eq!(values, expected, "depth {depth}");
        }
    }
}

#[test]
fn a_hundred_plies_without_progress_and_a_repetition_are_draws_below_the_root() {
    let drawn = |clock: u32, keys: &[u64], ideas| {
        let position = from_fen(&format!("4k3/8/8/8/8/8/8/Q3K2Q w - - {clock} 90"));
        let mut searcher = with(ideas);
        searcher.remember_game(keys);
        searcher.drawn(&position)
    };
    let key = from_fen(QUEENS).board().key();
    let draws = Ideas::PATH_DRAWS;
    assert!(drawn(100, &[], draws) && !drawn(99, &[], draws));
    assert!(!drawn(100, &[], Ideas::empty()));
    assert!(drawn(4, &[key, 1, 2, 3], draws));
    assert!(
        !drawn(3, &[key, 1, 2, 3], draws),
        "before the last capture or pawn move"
    );
    assert!(!drawn(4, &[key, 1, 2, 3], Ideas::empty()));
    // At the root a move is wanted, whatever the position was worth.
    let position = from_fen("4k3/8/8/8/8/8/8/Q3K2Q w - - 4 90");
    let mut searcher = with(draws);
    searcher.remember_game(&[position.board().key(), 1, 2, 3]);
    assert!(searcher.search_to_depth(&position, 1).best.is_some());
}

#[test]
fn negascout_searches_a_move_again_only_inside_the_window() {
    let position = from_fen(QUEENS);
    // A leaf is worth its evaluation: the value of the move for White.
    let after = position.play(uci(&position, "e1d1"));
    let value = -after.evaluate();
    let cost = |ideas, alpha, beta, has_best| {
        let mut searcher = Searcher::new(Config {
            quiescence: Quiescence::Off,
            ..Config::PLAIN.with(ideas)
        });
        let window = Window { alpha, beta };
        let found = searcher.move_value(&after, 0, window, INNER, has_best);
        let effort = searcher.effort;
        (
            found,
            effort.horizons,
            effort.researches,
            effort.visits.null_windows,
        )
    };
    let (low, high): (Value, Value) = (value - 50, value + 50);
    let scout = Ideas::NEGASCOUT;
    assert_eq!(
        cost(scout, low, high, true),
        (value, 2, 1, 1),
        "it is better"
    );
    assert_eq!(
        cost(scout, value, high, true),
        (value, 1, 0, 1),
        "it is no better"
    );
    assert_eq!(
        cost(scout, low, low + 1, true).1,
        1,
        "beta is reached at once"
    );
    assert_eq!(
        cost(scout, low, high, false),
        (value, 1, 0, 0),
        "the first move"
    );
    assert_eq!(cost(Ideas::empty(), low, high, true), (value, 1, 0, 0));
}

#[test]
fn deepening_stops_at_the_limit_and_keeps_the_last_whole_iteration() {
    let position = Position::new(Board::STARTPOS);
    let mut whole = with(Ideas::HASH_MOVE);
    let third = whole.think(&position, Limits::depth(3));
    let nodes = whole.effort.total();
    for (limit, depth) in [(0, 1), (nodes, 3), (nodes + 1, 3)] {
        let mut searcher = with(Ideas::HASH_MOVE);
        let thought = searcher.think(&position, Limits::nodes(limit));
        assert_eq!(thought.depth, depth, "{limit} nodes");
        if depth == 3 {
            assert_eq!(thought, third);
        }
        assert!(!searcher.stopped && searcher.nodes == u64::MAX);
    }
}
