//! What is kept from one iteration, and one search, to the next.

use super::*;
use crate::diversity::Diversity;
use crate::iterate::{Best, Deepening};
use crate::params;
use crate::{Report, TimeSource};

/// White has two rooks more.
pub(super) const FEN: &str = "4k3/8/8/8/8/8/8/R3K2R w - - 0 1";

/// A legal move of this position, by its place in the list.
pub(super) fn root_move(index: usize) -> Move {
    let board: Board = FEN.parse().expect("a legal position");
    board.legal_moves()[index]
}

#[test]
fn a_search_begins_with_aged_histories_and_an_empty_history_by_ply() {
    with_search(PREVIOUS, Techniques::all(), |search, board| {
        let mv = uci(board, "b2b4");
        let attacked = Bitboard::EMPTY;
        let context = search.move_context(0, attacked);
        let histories = &mut search.memory.histories;
        histories.update_quiet(search.set, board, mv, &context, 1600);
        let known = |search: &TestSearch| {
            let histories = &search.memory.histories;
            let by_ply = histories.quiets(board, &context).of(board.moved(mv));
            (
                histories.quiet_sum(Techniques::QUIET_HISTORY, board, mv, &context),
                by_ply.low_ply(Techniques::LOW_PLY_HISTORY, mv),
            )
        };
        assert_eq!(known(search).0, 1600);
        assert!(known(search).1 > 0);
        search.prepare(&Position::new(*board));
        assert_eq!(known(search), (1200, 0));
    });
}

/// The first window, around `average`, and the windows after it: the score leaves one window after another at its
/// lower (-1) or upper (1) end.
fn windows(average: i32, id: usize, ends: &[i32]) -> Vec<(i32, i32)> {
    let mut window = crate::window::Window::around(Score::new(average), &Diversity::of(id));
    let mut all = vec![(window.alpha.raw(), window.beta.raw())];
    for end in ends {
        if *end < 0 {
            window.lower(window.alpha);
        } else {
            window.raise(window.beta);
        }
        all.push((window.alpha.raw(), window.beta.raw()));
    }
    all
}

#[test]
fn an_aspiration_window_grows_on_the_side_that_the_score_has_left() {
    let width = params::aspiration_width();
    assert_eq!(width, 14, "the numbers below assume this width");
    // The width grows by 45 hundredths, rounded down: 14, 20, 29, 42.
    assert_eq!(
        windows(0, 0, &[1, 1, 1]),
        [(-14, 14), (-14, 28), (-14, 48), (-14, 77)]
    );
    // After a fail low the other end comes to the middle.
    assert_eq!(
        windows(0, 0, &[-1, -1, -1]),
        [(-14, 14), (-28, 0), (-48, -14), (-77, -31)]
    );
    assert_eq!(windows(0, 0, &[1, -1]), [(-14, 14), (-14, 28), (-34, 7)]);
}

#[test]
fn an_aspiration_window_is_wider_for_other_workers_and_far_from_level() {
    let widths = |average| [0, 1, 3, 4].map(|id| windows(average, id, &[])[0]);
    assert_eq!(widths(0), [(-14, 14), (-17, 17), (-23, 23), (-14, 14)]);
    assert_eq!(widths(640)[0], (616, 664));
    assert_eq!(widths(-640)[0], (-664, -616));
}

#[test]
fn an_aspiration_window_opens_at_a_width_or_for_a_decided_game() {
    let open = Score::INFINITE.raw();
    // A width of exactly 600 does not open the window: 14 and a 64th of the average make 414, and 45 hundredths
    // more make 600.
    assert_eq!(params::aspiration_open(), 600);
    let average = 400 * params::aspiration_swing();
    assert_eq!(
        windows(average, 0, &[1, 1, 1])[2].1,
        average + 2 * 414 + 600
    );
    assert_eq!(windows(average, 0, &[1, 1, 1])[3].1, open);
    let up = windows(0, 0, &[1; 14]);
    assert_eq!(up.last(), Some(&(-14, open)));
    // From 600 on: the widths are 14, 20, 29, 42, 60, 87, 126, 182, 263, 381, 552, 800.
    assert_eq!(up.iter().filter(|window| window.1 == open).count(), 3);
    let down = windows(0, 0, &[-1; 14]);
    assert_eq!(down.last().map(|window| window.0), Some(-open));
    let mut window = crate::window::Window::around(Score::ZERO, &Diversity::of(0));
    window.raise(Score::mate_in(7));
    assert_eq!(window.beta, Score::INFINITE);
    window.lower(Score::mated_in(7));
    assert_eq!(window.alpha, -Score::INFINITE);
    let edge = crate::window::Window::around(Score::mate_in(0), &Diversity::of(0));
    assert_eq!(edge.beta, Score::INFINITE);
    let edge = crate::window::Window::around(Score::mated_in(0), &Diversity::of(0));
    assert_eq!(edge.alpha, -Score::INFINITE);
}

/// The reports of a search of this many lines to this depth by worker 0, with the differences of worker `id`.
fn reports(lines: usize, depth: Depth, id: usize) -> Vec<Report> {
    let limits = Limits {
        depth: Some(depth),
        multi_pv: lines,
        ..Limits::default()
    };
    with_limited_search(FEN, Techniques::DEFAULT, limits, |search, board| {
        search.diversity = Diversity::of(id);
        let mut reports = Vec::new();
        search.iterate(&Position::new(*board), &mut |report| {
            reports.push(report.clone());
        });
        reports
    })
}

#[test]
fn a_worker_leaves_out_iterations_but_neither_the_first_nor_the_deepest() {
    let mut left_out = 0;
    for id in 0..6 {
        for deepest in [1, 4, 5] {
            let depths: Vec<Depth> = reports(1, deepest, id).iter().map(|r| r.depth).collect();
            let own = Diversity::of(id);
            let wanted =
                |depth: &Depth| *depth == 1 || *depth == deepest || !own.leaves_out(*depth);
            let expected: Vec<Depth> = (1..=deepest).filter(wanted).collect();
            assert_eq!(depths, expected, "worker {id}");
            left_out += deepest as usize - depths.len();
        }
    }
    assert!(left_out > 0);
}

#[test]
fn several_lines_begin_with_different_moves_and_are_in_the_order_of_their_scores() {
    let reports = reports(3, 4, 0);
    assert_eq!(reports.len(), 4 * 3);
    for (depth, lines) in (1..).zip(reports.chunks(3)) {
        for (number, line) in (1..).zip(lines) {
            assert_eq!((line.depth, line.multi_pv, line.lines), (depth, number, 3));
            let others = lines.iter().filter(|other| other.pv[0] == line.pv[0]);
            assert_eq!(others.count(), 1);
        }
        assert!(lines.is_sorted_by(|one, next| one.score >= next.score));
        // Each line has a search of its own, in which it is the best.
        assert!(lines.iter().all(|line| line.score > -Score::INFINITE));
    }
}

/// The first line is a rook's move, since the table says that all other moves lose. The second has an open window,
/// to which no entry of the table applies, and takes a knight.
#[test]
fn the_lines_of_an_iteration_are_sorted_also_if_a_later_one_is_better() {
    let fen = "4k3/8/8/3n4/4P3/8/8/R3K3 w - - 0 1";
    let set = Techniques::QUIESCENCE
        | Techniques::HASH_QUIESCENCE
        | Techniques::HASH_CUTOFF
        | Techniques::PRINCIPAL_VARIATION_SEARCH;
    let limits = Limits {
        depth: Some(1),
        multi_pv: 2,
        ..Limits::default()
    };
    with_limited_search(fen, set, limits, |search, board| {
        let [rook, takes] = ["a1a2", "e4d5"].map(|text| uci(board, text));
        for (index, mv) in [rook, takes].into_iter().enumerate() {
            let moves = &mut search.memory.root.moves;
            let place = moves.iter().position(|root| root.mv == mv);
            moves.swap(index, place.expect("a legal move"));
        }
        for mv in &board.legal_moves() {
            know(search, &board.play(mv), 1, Score::new(2000), 60);
        }
        let mut lines = Vec::new();
        search.iterate(&Position::new(*board), &mut |report| {
            lines.push((report.pv[0], report.score));
        });
        assert_eq!([lines[0].0, lines[1].0], [takes, rook]);
        assert!(lines[0].1 > lines[1].1);
    });
}

#[test]
fn the_iterations_with_the_same_best_move_are_counted_and_their_scores_averaged() {
    let mut deepening = Deepening::default();
    let mut add = |index, score| {
        deepening.add(Best {
            mv: root_move(index),
            score: Score::new(score),
            depth: 1,
            pv: crate::Line::new(),
        });
        let raw = |score: Option<Score>| score.map(Score::raw);
        (
            deepening.stable,
            raw(deepening.earlier),
            raw(deepening.average),
        )
    };
    assert_eq!(add(0, 30), (0, None, Some(30)));
    assert_eq!(add(0, 60), (1, Some(30), Some(50)));
    assert_eq!(add(0, 80), (2, Some(50), Some(70)));
    assert_eq!(add(1, 100), (0, Some(70), Some(90)), "another move");
    assert_eq!(add(1, 90), (1, Some(90), Some(90)));
}

/// The result of the searches of a line, with one window after another.
struct Windows {
    /// The reports.
    bounds: Vec<Bound>,
    /// The depth to which the root was searched last.
    depth: Depth,
    /// Whether a move that failed high is kept.
    has_failed_high: bool,
}

/// Searches a line of `fen`, with windows that grow from `average`. `nodes` nodes were searched before, and a node counts
/// as a millisecond. The search is stopped after `last` reports.
fn windows_left_until(
    last: usize,
    fen: &str,
    depth: Depth,
    average: i32,
    nodes: u64,
    lines: usize,
    id: usize,
) -> Windows {
    let limits = Limits {
        time_source: TimeSource::Nodes {
            per_millisecond: std::num::NonZeroU32::MIN,
        },
        ..Limits::default()
    };
    let set = Techniques::ASPIRATION_WINDOWS;
    with_limited_search(fen, set, limits, |search, board| {
        for root in &mut search.memory.root.moves {
            root.average = Some(Score::new(average));
        }
        search.id = id;
        search.nodes = nodes;
        search.context.counters[0].publish(nodes, 0);
        let control = search.context.control;
        let mut bounds = Vec::new();
        search.search_line(board, depth, 0, lines, &mut |report| {
            assert_eq!((report.depth, report.multi_pv), (depth, 1));
            bounds.push(report.bound);
            if bounds.len() == last {
                control.stop();
            }
        });
        let key = crate::table_key::table_key(board, search.set);
        Windows {
            bounds,
            depth: search.probe(board, key, 0).expect("stored").depth,
            has_failed_high: search.memory.root.failed_high.is_some(),
        }
    })
}

/// The reports and the last depth of [`windows_left_until`], without a stop.
fn windows_left(
    depth: Depth,
    average: i32,
    nodes: u64,
    lines: usize,
    id: usize,
) -> (Vec<Bound>, Depth) {
    let ended = windows_left_until(usize::MAX, PREVIOUS, depth, average, nodes, lines, id);
    (ended.bounds, ended.depth)
}

/// The nodes after three seconds.
const LATE: u64 = 3000;

#[test]
fn after_each_fail_high_the_root_is_searched_a_ply_less_deeply_up_to_three() {
    assert_eq!(params::aspiration_shallower(), 3);
    let mut high = 0;
    for depth in [params::aspiration_depth(), params::aspiration_depth() + 1] {
        for average in [-2000, -900, -300, 0, 300, 900, 2000] {
            let (bounds, last) = windows_left(depth, average, LATE, 1, 0);
            let last_low = bounds.iter().rposition(|&bound| bound == Bound::Upper);
            let fails = bounds.len() - last_low.map_or(0, |place| place + 1);
            assert_eq!(last, (depth - fails.min(3) as Depth).max(1), "{bounds:?}");
            high = high.max(fails);
        }
    }
    assert!(high > 0);
    // Earlier iterations have an open window.
    let (bounds, last) = windows_left(params::aspiration_depth() - 1, -2000, LATE, 1, 0);
    assert_eq!((bounds.len(), last), (0, params::aspiration_depth() - 1));
}

/// Without quiescence a search of seven plies ends with a capture of White's that a search of six refutes. So the
/// first window fails high, and the next, a ply less deep, fails low.
#[test]
fn after_a_fail_low_the_depth_is_full_again_and_no_move_has_failed_high() {
    let fen = "4k3/2p5/3p4/8/8/8/3R4/4K3 w - - 0 1";
    let depth = 7;
    let [deep, shallow] = [depth, depth - 1].map(|depth| {
        with_search(fen, Techniques::empty(), |search, board| {
            let (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
            search.node::<Root>(board, 0, alpha, beta, depth, Expect::All)
        })
    });
    assert!(deep > shallow + 4 * params::aspiration_width());
    let between = i32::midpoint(deep.raw(), shallow.raw());
    // Once to the end, and once until the second window has failed.
    for last in [usize::MAX, 2] {
        let ended = windows_left_until(last, fen, depth, between, LATE, 1, 0);
        let bounds = &ended.bounds;
        assert_eq!(bounds[..2], [Bound::Lower, Bound::Upper]);
        if last == 2 {
            assert!(!ended.has_failed_high);
        } else {
            let low = bounds.iter().rposition(|&bound| bound == Bound::Upper);
            let high = bounds.len() - 1 - low.expect("a fail low");
            assert_eq!(ended.depth, depth - high as Depth, "{bounds:?}");
        }
    }
}

#[test]
fn the_window_of_each_line_is_around_the_average_of_its_own_move() {
    let fails_high = |line: usize| {
        with_search(FEN, Techniques::ASPIRATION_WINDOWS, |search, board| {
            search.memory.root.first = 1;
            search.memory.root.moves[line].average = Some(Score::new(-900));
            search.search_line(board, params::aspiration_depth(), 1, 2, &mut |_| {});
            search.memory.root.failed_high.is_some()
        })
    };
    assert_eq!([fails_high(0), fails_high(1)], [false, true]);
}

#[test]
fn windows_that_a_single_line_leaves_are_reported_after_three_seconds() {
    let bounds = |average, nodes, lines, id| {
        windows_left(params::aspiration_depth(), average, nodes, lines, id).0
    };
    assert_eq!(bounds(-2000, LATE, 1, 0).first(), Some(&Bound::Lower));
    assert_eq!(bounds(2000, LATE, 1, 0).first(), Some(&Bound::Upper));
    assert_eq!(bounds(-2000, LATE, 2, 0), [], "of several lines");
    assert_eq!(bounds(-2000, LATE, 1, 1), [], "another worker");
    assert_eq!(bounds(-2000, 0, 1, 0), [], "too early");
}

/// The table holds the root's result at depth 9, from which an analysis goes on.
#[test]
fn an_analysis_that_goes_on_begins_an_iteration_deeper_than_the_table() {
    let limits = Limits {
        depth: Some(10),
        mode: crate::Mode::Infinite,
        ..Limits::default()
    };
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let depths = with_limited_search(fen, Techniques::DEFAULT, limits, |search, board| {
        let key = crate::table_key::table_key(board, search.set);
        let mv = Some(uci(board, "e1d2"));
        let exact = Some(Bound::Exact);
        search.store(key, 0, mv, Score::new(150), None, 9, exact);
        let mut depths = Vec::new();
        search.iterate(&Position::new(*board), &mut |report| {
            depths.push(report.depth);
        });
        depths
    });
    assert_eq!(depths, [9, 10]);
}

#[test]
fn deepening_ends_at_the_mate_that_was_asked_for() {
    let limits = Limits {
        depth: Some(6),
        ..Limits::mate(1)
    };
    let fen = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    with_limited_search(fen, Techniques::DEFAULT, limits, |search, board| {
        let result = search.iterate(&Position::new(*board), &mut |_| {});
        assert_eq!(result.best, Some(uci(board, "a1a8")));
        assert_eq!(result.score, Score::mate_in(1));
        assert!(result.depth < 6, "depth {}", result.depth);
    });
}

#[test]
fn the_first_iteration_is_finished_whatever_the_limit() {
    with_search(FEN, Techniques::DEFAULT, |search, board| {
        search.node_limit = 1;
        let mut reports = Vec::new();
        let result = search.iterate(&Position::new(*board), &mut |report| {
            reports.push((report.depth, report.bound));
        });
        assert!(search.aborted, "in the second");
        assert_eq!(reports.first(), Some(&(1, Bound::Exact)));
        assert!(result.score > -Score::INFINITE);
    });
}

#[test]
fn a_search_begins_with_nothing_on_its_stack() {
    with_search(FEN, Techniques::DEFAULT, |search, board| {
        let mv = uci(board, "a1a7");
        search.memory.stack.at_mut(1).killers[0] = Some(mv);
        search.memory.stack.at_mut(2).on_pv = true;
        search.prepare(&Position::new(*board));
        assert_eq!(search.memory.stack.at(1).killers, [None; 2]);
        assert!(!search.memory.stack.at(2).on_pv);
    });
}

#[test]
fn each_window_begins_without_scores_of_the_moves_that_it_may_search() {
    with_search(FEN, Techniques::DEFAULT, |search, board| {
        for root in &mut search.memory.root.moves {
            (root.score, root.was_searched) = (Score::new(500), true);
        }
        search.aborted = true;
        search.search_line(board, 5, 1, 2, &mut |_| {});
        let (first, others) = search.memory.root.moves.split_at(1);
        assert!(first[0].was_searched && first[0].score == Score::new(500));
        let fresh =
            |root: &crate::root::RootMove| !root.was_searched && root.score == -Score::INFINITE;
        assert!(others.iter().all(fresh));
    });
}

/// The time in milliseconds after which no further iteration begins. By the clock alone it is a second; `technique`
/// changes it. Two iterations have ended with these scores and the same best move, on which the worker has spent half
/// of its nodes.
fn soft_limit(technique: Techniques, scores: [i32; 2]) -> Option<u64> {
    let limits = Limits {
        clock: Some(crate::Clock {
            remaining: std::time::Duration::from_secs(params::time_moves() as u64),
            increment: std::time::Duration::ZERO,
            moves_to_go: std::num::NonZeroU32::new(1000),
        }),
        move_overhead: std::time::Duration::ZERO,
        time_source: TimeSource::Nodes {
            per_millisecond: std::num::NonZeroU32::MIN,
        },
        ..Limits::default()
    };
    with_limited_search(FEN, technique, limits, |search, _| {
        let mut deepening = Deepening::default();
        for score in scores {
            deepening.add(Best {
                mv: root_move(0),
                score: Score::new(score),
                depth: 1,
                pv: crate::Line::new(),
            });
        }
        search.nodes = 300;
        search.memory.root.moves[0].nodes = 150;
        (300..4000).find(|&nodes| {
            // The nodes of all workers are the time.
            search.context.counters[0].publish(nodes, 0);
            search.stops_deepening(&deepening)
        })
    })
}

#[test]
fn deepening_stops_sooner_the_more_nodes_went_to_a_best_move_that_stays_and_whose_score_stays() {
    let hundredths = |hundredths: i32| Some(10 * hundredths as u64);
    assert_eq!(soft_limit(Techniques::empty(), [0, 0]), hundredths(100));
    let by_nodes = params::time_nodes_base() - params::time_nodes_slope() / 2;
    assert_eq!(
        soft_limit(Techniques::TIME_BY_NODES, [0, 0]),
        hundredths(by_nodes)
    );
    let by_stability = params::time_unstable() - params::time_stable();
    assert_eq!(
        soft_limit(Techniques::TIME_BY_STABILITY, [0, 0]),
        hundredths(by_stability)
    );
    // The score has fallen by 50 since the iteration before.
    assert_eq!(
        soft_limit(Techniques::TIME_BY_SCORE, [50, 0]),
        hundredths(100 + params::time_fall() / 2)
    );
}
