//! Depth, ends of the game and windows.

use skewer_movegen::Board;

use super::super::{Context, Limits, Searcher};
use super::{INNER, QUEENS, below, uci, with};
use crate::chess::config::{Config, Ideas, Quiescence, QuietOrder};
use crate::chess::position::Position;
use crate::chess::positions::from_fen;
use crate::game::{Value, Window};
use crate::params::chess as params;
use crate::trace::Step;

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
    // The second search has the window of the node.
    let mut searcher = with(scout);
    searcher.record();
    let window = Window {
        alpha: low,
        beta: high,
    };
    searcher.move_value(&after, 0, window, INNER, true);
    let recording = searcher.recording().expect("recorded");
    let windows = recording.steps.iter().filter_map(|step| match *step {
        Step::Enter { window, .. } => Some(window),
        _ => None,
    });
    let windows: Vec<_> = windows.collect();
    assert_eq!(windows, [Window::null(low + 1).flip(), window.flip()]);
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

#[test]
fn two_reasons_extend_a_node_by_one_ply() {
    // White is in check, and Black has a queen on h3 with a pawn on f3.
    let position = from_fen("6k1/8/8/8/8/5p1q/8/R3r1K1 w - - 0 1");
    let evasions = position.board().legal_moves().len() as u64;
    let (check, pattern) = (Ideas::CHECK_EXTENSION, Ideas::EXTEND_QUEEN_AND_PAWN);
    for ideas in [check, pattern, check | pattern] {
        let mut searcher = with(ideas);
        searcher.search(&position, 0, Window::FULL, INNER);
        let effort = (searcher.effort.nodes, searcher.effort.horizons);
        assert_eq!(effort, (1, evasions), "{ideas:?}");
    }
}

#[test]
fn quiescence_has_the_window_of_its_node() {
    let position = from_fen("4k3/8/8/3n1n2/4P3/8/8/4K3 w - - 0 1");
    let cost = |window| {
        let mut searcher = with(Ideas::empty());
        searcher.search(&position, 0, window, INNER);
        searcher.effort.quiescence
    };
    // The evaluation reaches the lower window without a capture.
    assert_eq!(cost(below(&position)), 0);
    assert!(cost(Window::FULL) > 1);
}

#[test]
fn negascout_has_null_windows_once_a_move_is_better_than_alpha() {
    let position = from_fen(QUEENS);
    let mut searcher = Searcher::new(Config {
        quiescence: Quiescence::Off,
        ..Config::PLAIN.with(Ideas::NEGASCOUT)
    });
    // Alpha is the middle value. The first moves that are tried are worth alpha or less, and other moves come after the
    // first move that is worth more.
    let moves = position.board().legal_moves();
    let values = moves.iter().map(|&mv| -position.play(mv).evaluate());
    let mut values: Vec<Value> = values.collect();
    values.sort_unstable();
    let window = Window {
        alpha: values[values.len() / 2],
        beta: values[values.len() - 1] + 1,
    };
    searcher.record();
    searcher.search(&position, 1, window, INNER);
    let recording = searcher.recording().expect("recorded");
    let (mut entered, mut better) = (Vec::new(), Vec::new());
    for step in &recording.steps {
        match *step {
            Step::Enter { node, window } if node > 0 => entered.push((node, window.is_null())),
            Step::Leave { node, value, .. } if node > 0 => {
                better.push((node, -value > window.alpha));
            }
            _ => {}
        }
    }
    let first = better.iter().position(|&(_, better)| better).expect("one");
    assert!(0 < first && first + 1 < better.len(), "{first}");
    assert!(entered[..=first].iter().all(|&(_, is_null)| !is_null));
    assert!(entered[first + 1].1);
}

#[test]
fn generated_spared_and_tested_moves_are_added_up_over_the_nodes() {
    let position = from_fen(QUEENS);
    let moves = position.board().legal_moves().len() as u64;
    let effort = |config: Config, window| {
        let mut searcher = Searcher::new(config);
        let mut count = || {
            searcher.search(&position, 1, window, INNER);
            let effort = searcher.effort;
            (effort.generated, effort.spared, effort.check_tests)
        };
        (count(), count())
    };
    // Both sides have kings and queens alone, so that all moves are quiet.
    let checks = Config::PLAIN.with(Ideas::CHECKS_FIRST);
    let (one, two) = effort(checks, Window::FULL);
    assert_eq!((one, two), ((moves, 0, moves), (2 * moves, 0, 2 * moves)));
    // The first move that gains is enough.
    let at_once = Config {
        quiet_order: QuietOrder::BestAtOnce,
        ..Config::PLAIN
    };
    let (one, two) = effort(at_once, below(&position));
    assert_eq!(one.0 + one.1, moves);
    assert!(one.1 > 0, "{one:?}");
    assert_eq!(two, (2 * one.0, 2 * one.1, 0));
}
