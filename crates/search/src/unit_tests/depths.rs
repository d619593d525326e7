//! How deep a move and a node are searched, when the search stops, and how a node ends.

use super::*;
use crate::extend::Extension;
use crate::iterate::{Best, Deepening};
use crate::params;
use crate::search::Kind;

fn plies(extension: &Extension) -> Option<Depth> {
    match extension {
        Extension::Plies(plies) => Some(*plies),
        Extension::Cut(_) => None,
    }
}

// Check extensions.

/// How much deeper the check `text` is searched, after `change`.
fn check_extension(
    fen: &str,
    text: &str,
    change: impl FnOnce(&mut Node, &mut Candidate),
) -> Option<Depth> {
    with_search(fen, Techniques::CHECK_EXTENSION, |search, board| {
        let (mut node, mut candidate) = (node(1, params::check_depth()), second(board, text));
        change(&mut node, &mut candidate);
        search.memory.stack.at_mut(node.ply).attacked = Bitboard::FULL;
        plies(&search.extension::<NonPv>(board, &node, &candidate))
    })
}

#[test]
fn a_check_is_searched_a_ply_deeper_if_it_is_early_near_the_horizon_and_loses_nothing() {
    // The queen checks; with a knight on f6 it is lost.
    let (safe, losing) = (
        "4k3/8/8/8/8/8/8/3QK3 w - - 0 1",
        "4k3/8/5n2/8/8/8/8/3QK3 w - - 0 1",
    );
    let last = params::check_moves() as u32;
    assert_eq!(
        check_extension(safe, "d1h5", |_, candidate| candidate.number = last),
        Some(1)
    );
    assert_eq!(
        check_extension(safe, "d1h5", |_, candidate| candidate.number = last + 1),
        Some(0)
    );
    assert_eq!(
        check_extension(safe, "d1h5", |node, _| node.depth += 1),
        Some(0)
    );
    assert_eq!(check_extension(losing, "d1h5", |_, _| {}), Some(0));
    assert_eq!(
        check_extension(safe, "d1d2", |_, _| {}),
        Some(0),
        "no check"
    );
}

#[test]
fn nothing_is_extended_from_twice_the_depth_of_the_iteration_on() {
    let safe = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1";
    // The iteration of `with_search` has depth 8.
    let limit = (params::extension_limit() * 8) as Ply;
    assert_eq!(
        check_extension(safe, "d1h5", |node, _| node.ply = limit - 1),
        Some(1)
    );
    assert_eq!(
        check_extension(safe, "d1h5", |node, _| node.ply = limit),
        Some(0)
    );
}

#[test]
fn extensions_of_the_first_three_iterations_end_where_extensions_of_the_fourth_end() {
    let fen = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1";
    let extended = |root_depth, ply| {
        with_search(fen, Techniques::CHECK_EXTENSION, |search, board| {
            search.root_depth = root_depth;
            search.memory.stack.at_mut(ply).attacked = Bitboard::FULL;
            let candidate = second(board, "d1h5");
            plies(&search.extension::<NonPv>(board, &node(ply, 1), &candidate)) == Some(1)
        })
    };
    assert_eq!(
        (params::extension_floor(), params::extension_limit()),
        (4, 2)
    );
    for root_depth in [1, 4] {
        assert!(extended(root_depth, 7) && !extended(root_depth, 8));
    }
    assert!(extended(5, 9) && !extended(5, 10));
}

// Singular extensions.

/// White takes a queen with its pawn; with any other move it stays a queen down.
const ONLY_MOVE: &str = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1";
/// White is two queens up, whatever it plays.
const MANY_MOVES: &str = "4k3/8/8/8/8/8/8/Q3K2Q w - - 0 1";

/// What the table knows of the hash move.
#[derive(Clone, Copy)]
struct Known {
    score: Score,
    depth: Depth,
    bound: Bound,
}

/// The extension of the move `text`, of which the table knows `known`, at a node that `change` arranges.
fn singular<K: Kind>(
    fen: &str,
    text: &str,
    set: Techniques,
    known: Known,
    change: impl FnOnce(&mut TestSearch, &mut Node),
) -> Option<Depth> {
    with_search(fen, set, |search, board| {
        let candidate = Candidate {
            number: 1,
            ..second(board, text)
        };
        search.store(
            7,
            1,
            Some(candidate.mv),
            known.score,
            None,
            known.depth,
            Some(known.bound),
        );
        let mut node = node(1, 8);
        node.entry = search.probe(board, 7, 1);
        node.hash_move = Some(candidate.mv);
        change(search, &mut node);
        let extension = search.extension::<K>(board, &node, &candidate);
        assert_eq!(
            search.memory.stack.at(1).excluded,
            None,
            "the move is allowed again"
        );
        plies(&extension)
    })
}

const GOOD: Known = Known {
    score: Score::new(100),
    depth: 8,
    bound: Bound::Lower,
};
const SINGULAR: Techniques = Techniques::SINGULAR_EXTENSIONS;

#[test]
fn a_hash_move_without_which_the_score_falls_is_singular() {
    let extension = |set, known, change: &dyn Fn(&mut Node)| {
        singular::<NonPv>(ONLY_MOVE, "e4d5", set, known, |_, node| change(node))
    };
    let same = |_: &mut Node| {};
    assert_eq!(extension(SINGULAR, GOOD, &same), Some(1));
    // The extension is two plies if the score falls farther, and three plies only for a quiet move.
    let more = SINGULAR | Techniques::DOUBLE_EXTENSIONS | Techniques::TRIPLE_EXTENSIONS;
    assert_eq!(extension(more, GOOD, &same), Some(2));
    assert_eq!(extension(Techniques::empty(), GOOD, &same), Some(0));
    // The entry must be a lower bound of nearly the node's depth, and no mate score.
    let known = |depth, bound| Known {
        depth,
        bound,
        ..GOOD
    };
    let least = 8 - params::singular_tt_depth();
    assert_eq!(
        extension(SINGULAR, known(least, Bound::Lower), &same),
        Some(1)
    );
    assert_eq!(
        extension(SINGULAR, known(least - 1, Bound::Lower), &same),
        Some(0)
    );
    assert_eq!(extension(SINGULAR, known(8, Bound::Exact), &same), Some(1));
    assert_eq!(extension(SINGULAR, known(8, Bound::Upper), &same), Some(0));
    let mate = Known {
        score: Score::mate_in(9),
        ..GOOD
    };
    assert_eq!(extension(SINGULAR, mate, &same), Some(0));
    // The node must be deep enough, and not in a singular search itself.
    let depth = params::singular_depth();
    assert_eq!(
        extension(SINGULAR, GOOD, &|node| node.depth = depth),
        Some(1)
    );
    assert_eq!(
        extension(SINGULAR, GOOD, &|node| node.depth = depth - 1),
        Some(0)
    );
    let excluded = |node: &mut Node| node.excluded = node.hash_move;
    assert_eq!(extension(SINGULAR, GOOD, &excluded), Some(0));
    // Only the hash move is extended.
    assert_eq!(
        extension(SINGULAR, GOOD, &|node| node.hash_move = None),
        Some(0)
    );
}

/// A singular search of a node of this depth. The table holds the score `others`, of depth `known`, for every
/// move but the hash move. `Err` if that depth is too small.
fn singular_among<K: Kind>(
    set: Techniques,
    mv: &str,
    depth: Depth,
    beta: Score,
    others: Score,
    known: Depth,
) -> Result<Option<Depth>, ()> {
    let set = set | SINGULAR | Techniques::HASH_CUTOFF;
    with_search(ONLY_MOVE, set, |search, board| {
        let candidate = Candidate {
            number: 1,
            ..second(board, mv)
        };
        for other in &board.legal_moves() {
            if other != candidate.mv {
                know(search, &board.play(other), 2, -others, known);
            }
        }
        let (score, bound) = (GOOD.score, Some(Bound::Lower));
        search.store(7, 1, Some(candidate.mv), score, None, depth, bound);
        let mut node = node(1, depth);
        (node.alpha, node.beta) = (beta - 1, beta);
        node.entry = search.probe(board, 7, 1);
        node.hash_move = Some(candidate.mv);
        // The moves of the node may be played, and no other.
        stop_after(search, board.legal_moves().len() as u64);
        let extension = search.extension::<K>(board, &node, &candidate);
        if search.aborted {
            Err(())
        } else {
            Ok(plies(&extension))
        }
    })
}

/// The score below which all other moves must stay for the hash move to be singular at this depth.
fn bar(depth: Depth) -> Score {
    GOOD.score - depth * params::singular_margin() / 16
}

#[test]
fn the_margin_by_which_a_hash_move_is_singular_grows_with_the_depth() {
    for depth in [8, 13, 16] {
        let plies = |others| {
            let beta = Score::new(2000);
            singular_among::<NonPv>(SINGULAR, "e4d5", depth, beta, others, 60)
        };
        assert_eq!(plies(bar(depth) - 1), Ok(Some(1)), "depth {depth}");
        assert_eq!(plies(bar(depth)), Ok(Some(0)), "depth {depth}");
    }
}

#[test]
fn the_farther_the_others_stay_below_the_more_plies_a_singular_move_gets() {
    let more = Techniques::DOUBLE_EXTENSIONS | Techniques::TRIPLE_EXTENSIONS;
    let (beta, bar) = (Score::new(2000), bar(8));
    let null = |set, mv, below| singular_among::<NonPv>(set, mv, 8, beta, bar - below, 60);
    let open = |below| singular_among::<Pv>(more, "e4e5", 8, beta, bar - below, 60);
    let double = params::singular_double();
    let double_pv = double + params::singular_double_pv();
    let triple = params::singular_triple();
    assert!(double < double_pv && double < triple, "assumed below");
    for mv in ["e4e5", "e4d5"] {
        assert_eq!(null(more, mv, double), Ok(Some(1)));
        assert_eq!(null(more, mv, double + 1), Ok(Some(2)));
        assert_eq!(null(SINGULAR, mv, triple + 1), Ok(Some(1)));
        assert_eq!(
            null(Techniques::TRIPLE_EXTENSIONS, mv, triple + 1),
            Ok(Some(1))
        );
        assert_eq!(
            null(Techniques::DOUBLE_EXTENSIONS, mv, triple + 1),
            Ok(Some(2))
        );
        assert_eq!(null(more, mv, triple), Ok(Some(2)));
    }
    assert_eq!(null(more, "e4e5", triple + 1), Ok(Some(3)), "a quiet move");
    assert_eq!(null(more, "e4d5", triple + 1), Ok(Some(2)), "a capture");
    // On the principal variation a second ply needs more.
    assert_eq!(open(double_pv), Ok(Some(1)));
    let far = if double_pv < triple { 2 } else { 3 };
    assert_eq!(open(double_pv + 1), Ok(Some(far)));
}

#[test]
fn a_singular_search_has_half_the_depth_of_its_node() {
    assert_eq!(params::singular_divisor(), 2, "half");
    for depth in [8, 9, 12] {
        let searched = |known| {
            let others = bar(depth) - 1;
            singular_among::<NonPv>(SINGULAR, "e4d5", depth, Score::new(2000), others, known)
        };
        // The search without the hash move has half of the plies that the node has left. Its first ply is the other
        // move, so that the position after that move is searched a ply less deeply.
        let below = (depth - 1) / 2 - 1;
        assert_eq!(searched(below), Ok(Some(1)), "depth {depth}");
        assert_eq!(searched(below - 1), Err(()), "depth {depth}");
    }
}

#[test]
fn a_singular_search_asks_only_whether_another_move_reaches_the_bar() {
    let depth = 8;
    // A bound on the score of each other move, from the opponent's side, is enough.
    for (score, bound, expected) in [
        (-bar(depth), Bound::Upper, 0),
        (-(bar(depth) - 1), Bound::Lower, 1),
    ] {
        with_search(
            ONLY_MOVE,
            SINGULAR | Techniques::HASH_CUTOFF,
            |search, board| {
                let candidate = Candidate {
                    number: 1,
                    ..second(board, "e4d5")
                };
                for other in board.legal_moves().iter().filter(|&&mv| mv != candidate.mv) {
                    let key = crate::table_key::table_key(&board.play(*other), search.set);
                    search.store(key, 2, None, score, None, 60, Some(bound));
                }
                let known = Some(Bound::Lower);
                search.store(7, 1, Some(candidate.mv), GOOD.score, None, depth, known);
                let mut node = node(1, depth);
                node.entry = search.probe(board, 7, 1);
                node.hash_move = Some(candidate.mv);
                stop_after(search, board.legal_moves().len() as u64);
                let extension = search.extension::<NonPv>(board, &node, &candidate);
                assert!(!search.aborted, "{bound:?}");
                assert_eq!(plies(&extension), Some(expected), "{bound:?}");
            },
        );
    }
}

#[test]
fn a_node_is_cut_if_other_moves_beat_beta_as_well_unless_by_a_mate() {
    let cut = |others, beta| {
        let set = Techniques::MULTI_CUT;
        singular_among::<NonPv>(set, "e4d5", 8, Score::new(beta), others, 60)
    };
    let others = Score::new(300);
    assert_eq!(cut(others, 300), Ok(None));
    assert_eq!(cut(others, 301), Ok(Some(0)));
    assert_eq!(
        cut(Score::mate_in(9), 300),
        Ok(Some(0)),
        "of a shallower search"
    );
}

#[test]
fn on_the_principal_variation_a_singular_search_needs_one_more_ply() {
    let depth = params::singular_depth();
    let on_pv = |depth| {
        singular::<NonPv>(ONLY_MOVE, "e4d5", SINGULAR, GOOD, |search, node| {
            search.memory.stack.at_mut(1).on_pv = true;
            node.depth = depth;
        })
    };
    assert_eq!((on_pv(depth), on_pv(depth + 1)), (Some(0), Some(1)));
    let root = singular::<Root>(ONLY_MOVE, "e4d5", SINGULAR, GOOD, |_, _| {});
    assert_eq!(root, Some(0), "the root is not extended");
}

#[test]
fn a_hash_move_that_is_not_singular_cuts_the_node_or_is_searched_less_deeply() {
    let known = Known {
        score: Score::new(500),
        ..GOOD
    };
    let set = SINGULAR | Techniques::MULTI_CUT | Techniques::NEGATIVE_EXTENSIONS;
    let extension = |set, beta, expect| {
        singular::<NonPv>(MANY_MOVES, "a1a2", set, known, |_, node| {
            node.beta = Score::new(beta);
            node.expect = expect;
        })
    };
    let less = -params::negative_extension();
    // Other moves beat beta as well.
    assert_eq!(extension(set, 400, Expect::Cut), None);
    let without = set - Techniques::MULTI_CUT;
    assert_eq!(
        extension(without, 400, Expect::All),
        Some(less - 1),
        "the score is at beta"
    );
    assert_eq!(extension(without, 500, Expect::All), Some(less - 1));
    // No move is known to beat beta.
    let beta = 5000;
    assert_eq!(
        extension(set, beta, Expect::Cut),
        Some(less),
        "a cut-off is expected"
    );
    assert_eq!(extension(set, beta, Expect::All), Some(0));
    assert_eq!(extension(SINGULAR, beta, Expect::Cut), Some(0));
    // With an open window nothing is cut, and a ply more is left.
    let open = singular::<Pv>(MANY_MOVES, "a1a2", set, known, |_, node| {
        node.beta = Score::new(400);
    });
    assert_eq!(open, Some(less));
}

// Hindsight.

#[test]
fn after_a_reduction_the_evaluations_of_both_sides_give_back_a_ply_or_take_one() {
    let depth = |sum: i32, change: &dyn Fn(&mut TestSearch, &mut Node)| {
        with_search(PREVIOUS, Techniques::HINDSIGHT, |search, _| {
            let parent = search.memory.stack.at_mut(0);
            parent.reduction = params::hindsight_reduction();
            parent.static_eval = Score::new(300);
            let mut node = node(1, 6);
            node.static_eval = Score::new(sum - 300);
            change(search, &mut node);
            search.adjust_depth::<NonPv>(&mut node);
            node.depth
        })
    };
    let same = |_: &mut TestSearch, _: &mut Node| {};
    let margin = params::hindsight_margin();
    // Both sides' evaluations together: below zero, the reduced move turned out well for the side that made it.
    for (sum, expected) in [(-1, 7), (0, 6), (margin, 6), (margin + 1, 5)] {
        assert_eq!(depth(sum, &same), expected, "sum {sum}");
    }
    let reduced_by = |reduction| {
        move |search: &mut TestSearch, _: &mut Node| {
            search.memory.stack.at_mut(0).reduction = reduction;
        }
    };
    let least = params::hindsight_reduction();
    assert_eq!(depth(-1, &reduced_by(least - 1)), 6);
    assert_eq!(depth(margin + 1, &reduced_by(1)), 5);
    assert_eq!(depth(margin + 1, &reduced_by(0)), 6);
    // At depth 1 no ply is taken.
    let at = |depth| move |_: &mut TestSearch, node: &mut Node| node.depth = depth;
    assert_eq!(
        (depth(margin + 1, &at(1)), depth(margin + 1, &at(2))),
        (1, 1)
    );
    // Not in check, not after a check, not in a singular search.
    assert_eq!(depth(-1, &|_, node| node.in_check = true), 6);
    assert_eq!(
        depth(-1, &|search, _| search.memory.stack.at_mut(0).in_check =
            true),
        6
    );
    let excluded = |search: &mut TestSearch, node: &mut Node| {
        node.excluded = Some(search.memory.root.moves[0].mv);
    };
    assert_eq!(depth(-1, &excluded), 6);
}

#[test]
fn a_node_without_a_hash_move_loses_a_ply_where_a_good_move_is_expected() {
    let set = Techniques::INTERNAL_REDUCTION;
    let depth = |depth, expect, has_move: bool| {
        with_search(PREVIOUS, set, |search, board| {
            let mut node = node(1, depth);
            node.expect = expect;
            node.hash_move = has_move.then(|| uci(board, "e1d1"));
            search.adjust_depth::<NonPv>(&mut node);
            node.depth
        })
    };
    let least = params::iir_depth();
    assert_eq!(depth(least, Expect::Cut, false), least - 1);
    assert_eq!(depth(least - 1, Expect::Cut, false), least - 1);
    assert_eq!(depth(least, Expect::Cut, true), least);
    assert_eq!(depth(least, Expect::All, false), least);
}

// The end of a node.

fn found(best: i32, best_move: Option<Move>, bound: Bound) -> Found {
    Found {
        best: Score::new(best),
        best_move,
        bound,
        moves: 1,
    }
}

#[test]
fn a_node_without_moves_is_a_mate_a_stalemate_or_a_singular_search_that_found_nothing() {
    let score = |in_check, excluded: bool| {
        with_search(PREVIOUS, Techniques::DEFAULT, |search, board| {
            let mut node = node(5, 3);
            node.alpha = Score::new(-77);
            node.in_check = in_check;
            node.excluded = excluded.then(|| uci(board, "e1d1"));
            let nothing = Found {
                moves: 0,
                ..found(-900, None, Bound::Upper)
            };
            search.conclude(board, &node, nothing)
        })
    };
    assert_eq!(score(true, false), Score::mated_in(5));
    assert_eq!(score(false, false), Score::DRAW);
    assert_eq!(score(true, true), Score::new(-77));
}

#[test]
fn the_result_of_a_node_is_stored_unless_the_search_is_singular() {
    let stored = |excluded: bool| {
        with_search(PREVIOUS, Techniques::DEFAULT, |search, board| {
            let best = uci(board, "e1d1");
            let mut node = node(5, 6);
            node.key = 7;
            node.excluded = excluded.then(|| uci(board, "b2b6"));
            let found = found(120, Some(best), Bound::Lower);
            assert_eq!(search.conclude(board, &node, found), Score::new(120));
            let entry = search.probe(board, 7, 5);
            entry.map(|entry| {
                (
                    entry.score,
                    entry.depth,
                    entry.bound,
                    entry.mv == Some(best),
                )
            })
        })
    };
    let expected = (Score::new(120), 6, Some(Bound::Lower), true);
    assert_eq!(stored(false), Some(expected));
    assert_eq!(stored(true), None);
}

#[test]
fn a_node_that_fails_low_deep_enough_keeps_the_mark_of_its_parents_principal_variation() {
    let marked = |parent, depth, bound| {
        with_search(PREVIOUS, Techniques::DEFAULT, |search, board| {
            search.memory.stack.at_mut(0).on_pv = parent;
            search.memory.stack.at_mut(1).on_pv = false;
            search.conclude(board, &node(1, depth), found(0, None, bound));
            search.memory.stack.at(1).on_pv
        })
    };
    let least = params::stay_on_pv_depth();
    assert!(marked(true, least, Bound::Upper));
    assert!(!marked(true, least - 1, Bound::Upper));
    assert!(!marked(false, least, Bound::Upper));
    assert!(!marked(true, least, Bound::Lower));
}

// The end of the search.

/// Whether deepening stops after an iteration of this depth and score, by worker `id` after `nodes` nodes.
fn stops(limits: Limits, id: usize, nodes: u64, depth: Depth, score: Score) -> bool {
    with_limited_search(PREVIOUS, Techniques::DEFAULT, limits, |search, board| {
        search.id = id;
        search.nodes = nodes;
        search.context.counters[0].publish(nodes, 0);
        let mut deepening = Deepening::default();
        assert!(!search.stops_deepening(&deepening), "without an answer");
        deepening.add(Best {
            mv: uci(board, "e1d1"),
            score,
            depth,
            pv: crate::Line::new(),
        });
        search.stops_deepening(&deepening)
    })
}

#[test]
fn deepening_stops_at_a_limit_of_nodes_by_the_first_worker() {
    let limited = [
        Limits {
            soft_nodes: Some(100),
            ..Limits::default()
        },
        Limits {
            nodes: Some(100),
            ..Limits::default()
        },
    ];
    for limits in limited {
        let at = |nodes, id| stops(limits.clone(), id, nodes, 5, Score::ZERO);
        assert!(at(100, 0) && !at(99, 0), "{limits:?}");
        assert!(!at(100, 1), "the others go on until they are stopped");
    }
    assert!(
        !stops(Limits::default(), 0, 1 << 40, 5, Score::ZERO),
        "no limit"
    );
}

#[test]
fn deepening_stops_when_the_mate_that_is_asked_for_is_found_for_either_side() {
    let limits = Limits {
        mate: Some(2),
        ..Limits::default()
    };
    let at = |score| stops(limits.clone(), 0, 0, 9, score);
    assert!(at(Score::mate_in(3)) && !at(Score::mate_in(5)));
    assert!(at(Score::mated_in(4)) && !at(Score::mated_in(6)));
    assert!(!at(Score::new(900)));
}

#[test]
fn with_a_clock_deepening_stops_at_a_mate_that_nothing_shorter_can_replace() {
    let timed = Limits {
        move_time: Some(std::time::Duration::from_hours(1)),
        ..Limits::default()
    };
    let mate = Score::mate_in(3);
    let at = |limits: &Limits, depth| stops(limits.clone(), 0, 0, depth, mate);
    // Twice the plies to mate, and six.
    assert!(at(&timed, 13) && !at(&timed, 12));
    assert!(!at(&Limits::default(), 13), "without a clock");
    let ponder = Limits {
        mode: crate::Mode::Ponder,
        ..timed
    };
    assert!(!at(&ponder, 13), "the answer is not wanted yet");
}
