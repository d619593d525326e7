//! What a node with a best move teaches, and what the loop over its moves finds.

use super::*;
use crate::learn::{bonus, malus};
use crate::params;
use crate::stack::NOT_IN_ORDER;
use skewer_types::MAX_PLY;

/// White can take a knight or move quietly.
const FEN: &str = "4k3/8/8/3n4/4P3/8/8/R3K3 w - - 0 1";

#[test]
fn a_quiet_move_that_fails_high_is_the_first_killer_and_the_counter_move() {
    with_search(FEN, Techniques::all(), |search, board| {
        let [rook, king, capture] = ["a1a2", "e1f2", "e4d5"].map(|text| uci(board, text));
        let node = node(1, 5);
        let mut context = search.move_context(1, Bitboard::EMPTY);
        context.continuation[0] = skewer_ordering::ContinuationKey::new(board, rook);
        let mut learn = |mv| {
            search.learn_moves(board, &node, false, &context, mv, &Tried::default());
            let counter = search.memory.histories.counter(search.set, &context);
            (search.memory.stack.at(1).killers, counter)
        };
        assert_eq!(learn(capture), ([None; 2], None));
        assert_eq!(learn(rook), ([Some(rook), None], Some(rook)));
        assert_eq!(learn(king), ([Some(king), Some(rook)], Some(king)));
        assert_eq!(
            learn(king),
            ([Some(king), Some(rook)], Some(king)),
            "not twice"
        );
        assert_eq!(learn(capture), ([Some(king), Some(rook)], Some(king)));
    });
}

#[test]
fn the_moves_tried_before_the_best_lose_history_but_quiet_moves_only_if_the_best_is_quiet() {
    let learnt = |best: &str| {
        with_search(FEN, Techniques::all(), |search, board| {
            let [rook, king, capture] = ["a1a2", "e1f2", "e4d5"].map(|text| uci(board, text));
            let context = search.move_context(1, Bitboard::EMPTY);
            let mut tried = Tried::default();
            tried.quiets.push(king);
            tried.captures.push(capture);
            let best = uci(board, best);
            search.learn_moves(board, &node(1, 5), false, &context, best, &tried);
            let histories = &search.memory.histories;
            let quiet = |mv| {
                histories
                    .quiet_sum(search.set, board, mv, &context)
                    .signum()
            };
            let capture = histories
                .capture(search.set, board, capture, &context)
                .signum();
            [quiet(rook), quiet(king), capture]
        })
    };
    assert_eq!(learnt("a1a2"), [1, -1, -1]);
    // A capture says nothing of the quiet moves that came before it.
    let other = with_search(FEN, Techniques::all(), |search, board| {
        let (king, capture) = (uci(board, "e1f2"), uci(board, "e4d5"));
        let context = search.move_context(1, Bitboard::EMPTY);
        let mut tried = Tried::default();
        tried.quiets.push(king);
        search.learn_moves(board, &node(1, 5), false, &context, capture, &tried);
        let histories = &search.memory.histories;
        let quiet = histories.quiet_sum(search.set, board, king, &context);
        (
            quiet,
            histories
                .capture(search.set, board, capture, &context)
                .signum(),
        )
    });
    assert_eq!(other, (0, 1));
}

#[test]
fn the_evaluation_is_corrected_by_a_quiet_result_that_contradicts_it() {
    let correction = |bound, best: Score, best_move: Option<&str>, in_check| {
        with_search(FEN, Techniques::DEFAULT, |search, board| {
            let found = Found {
                best,
                best_move: best_move.map(|text| uci(board, text)),
                bound,
                moves: 1,
            };
            let node = Node {
                in_check,
                ..node(0, 8)
            };
            // The static evaluation of `node` is 0.
            search.learn_correction(board, &node, &found);
            search.correction(board, 0).signum()
        })
    };
    let (up, down) = (Score::new(400), Score::new(-400));
    let quiet = Some("a1a2");
    assert_eq!(correction(Bound::Exact, up, quiet, false), 1);
    assert_eq!(correction(Bound::Exact, down, quiet, false), -1);
    assert_eq!(correction(Bound::Lower, up, quiet, false), 1);
    assert_eq!(
        correction(Bound::Lower, down, quiet, false),
        0,
        "it may be more"
    );
    assert_eq!(correction(Bound::Upper, down, None, false), -1);
    assert_eq!(
        correction(Bound::Upper, up, None, false),
        0,
        "it may be less"
    );
    assert_eq!(
        correction(Bound::Exact, up, Some("e4d5"), false),
        0,
        "a capture"
    );
    assert_eq!(correction(Bound::Exact, up, quiet, true), 0, "in check");
    assert_eq!(
        correction(Bound::Exact, Score::mate_in(9), quiet, false),
        0,
        "a mate"
    );
}

/// The result of the loop over the moves at depth 1, with the fail-highs that the frame has counted and the
/// node's alpha at the end.
fn looped(window: impl Fn(Score) -> (Score, Score)) -> (Found, u16, Score) {
    with_search(FEN, Techniques::empty(), |search, board| {
        let (alpha, beta) = window(search.evaluator.evaluate(board));
        let mut node = Node {
            alpha,
            beta,
            ..node(1, 1)
        };
        let (threats, context) = search.threats_and_context(board, 1);
        let found = search.search_moves::<NonPv>(board, &mut node, &threats, &context);
        (found, search.memory.stack.at(1).cutoffs, node.alpha)
    })
}

#[test]
fn a_node_ends_at_the_first_move_that_reaches_beta_and_raises_alpha_until_then() {
    let (found, cutoffs, _) = looped(|eval| (eval - 900, eval - 800));
    assert_eq!((found.bound, found.moves, cutoffs), (Bound::Lower, 1, 1));
    assert!(found.best_move.is_some());
    let (found, cutoffs, alpha) = looped(|eval| (eval + 900, eval + 1000));
    assert_eq!(
        (found.bound, found.best_move, cutoffs),
        (Bound::Upper, None, 0)
    );
    assert!(
        found.moves > 10 && found.best < alpha,
        "every move was searched"
    );
    let (found, cutoffs, alpha) = looped(|eval| (eval - 900, eval + 900));
    assert_eq!((found.bound, cutoffs, alpha), (Bound::Exact, 0, found.best));
    assert_eq!(
        found.best_move.map(|mv| format!("{mv:?}")).as_deref(),
        Some("e4d5")
    );
}

#[test]
fn a_score_above_beta_is_averaged_with_beta_the_less_the_deeper_it_was_found() {
    let blend = |set, score: Score, beta: Score, depth| {
        with_search(FEN, set, |search, _| search.blend(score, beta, depth))
    };
    let (set, score, beta) = (Techniques::FAIL_HIGH_BLEND, Score::new(100), Score::new(20));
    assert_eq!(
        [0, 1, 3].map(|depth| blend(set, score, beta, depth)),
        [60, 60, 80].map(Score::new)
    );
    assert_eq!(blend(Techniques::empty(), score, beta, 3), score);
    assert_eq!(blend(set, Score::mate_in(9), beta, 3), Score::mate_in(9));
    assert_eq!(blend(set, score, Score::mated_in(9), 3), score);
}

#[test]
fn the_average_of_the_iterations_follows_the_score_by_two_thirds_unless_the_game_is_decided() {
    use crate::root::followed;
    let (old, new) = (Score::new(30), Score::new(60));
    assert_eq!(followed(Some(old), new), Score::new(50));
    assert_eq!(followed(None, new), new);
    let mate = Score::mate_in(9);
    assert_eq!(
        (followed(Some(old), mate), followed(Some(mate), new)),
        (mate, new)
    );
}

#[test]
fn each_of_several_lines_leaves_out_the_moves_of_the_better_lines() {
    with_search(FEN, Techniques::DEFAULT, |search, _| {
        let root = &mut search.memory.root;
        for (index, root) in root.moves.iter_mut().enumerate() {
            root.score = Score::new(index as i32 - 5);
        }
        let (first, best) = (root.moves[0].mv, root.moves.last().expect("moves").mv);
        root.first = 1;
        assert_eq!(root.find(first), None);
        assert_eq!(root.head(), Some(root.moves[1].mv));
        root.sort_from(1);
        assert_eq!((root.moves[0].mv, root.moves[1].mv), (first, best));
        assert_eq!(root.find(best), Some(1));
    });
}

/// What the loop over the moves of `fen` finds at depth 1 with these techniques, after `change`.
fn loop_over(
    fen: &str,
    set: Techniques,
    change: impl FnOnce(&mut TestSearch, &Board, &mut Node),
) -> Found {
    with_search(fen, set, |search, board| {
        let mut node = node(1, 1);
        change(search, board, &mut node);
        let (threats, context) = search.threats_and_context(board, 1);
        search.search_moves::<NonPv>(board, &mut node, &threats, &context)
    })
}

/// A window that every move exceeds.
fn low(node: &mut Node) {
    (node.alpha, node.beta) = (Score::new(-5001), Score::new(-5000));
}

#[test]
fn a_node_begins_with_its_own_killer_or_with_a_check() {
    let fen = "4k3/8/8/8/8/8/R7/5K2 w - - 0 1";
    let first = |set, killer: Option<&str>| {
        let found = loop_over(fen, set, |search, board, node| {
            search.memory.stack.at_mut(1).killers[0] = killer.map(|text| uci(board, text));
            low(node);
        });
        format!("{:?}", found.best_move.expect("the first move fails high"))
    };
    for killer in ["f1g1", "a2b2"] {
        assert_eq!(first(Techniques::KILLERS, Some(killer)), killer);
    }
    let check = first(Techniques::CHECK_ORDERING, None);
    assert!(["a2a8", "a2e2"].contains(&&*check), "{check}");
}

#[test]
fn no_move_is_left_out_where_only_pawns_and_the_king_move() {
    // At depth 1 late-move pruning leaves out most quiet moves, if the side to move has a piece besides pawns and king.
    let moves = |fen: &str| {
        let found = loop_over(fen, Techniques::LATE_MOVE_PRUNING, |_, _, node| {
            (node.alpha, node.beta) = (Score::new(5000), Score::new(5001));
        });
        let board: Board = fen.parse().expect("a legal position");
        (found.moves as usize, board.legal_moves().len())
    };
    let (given, all) = moves("4k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1");
    assert_eq!(given, all);
    let (given, all) = moves("4k3/8/8/8/8/8/PPPPPPPP/4KN2 w - - 0 1");
    assert!(given < all);
}

#[test]
fn the_result_of_a_node_is_not_outside_the_bounds_of_the_endgame_tables() {
    let result = |least: Score, greatest: Score, alpha| {
        loop_over(FEN, Techniques::empty(), |_, _, node| {
            (node.least, node.greatest) = (least, greatest);
            (node.alpha, node.beta) = (Score::new(alpha), Score::new(alpha + 1));
        })
        .best
    };
    let open = (-Score::INFINITE, Score::INFINITE);
    assert_eq!(result(Score::new(4000), open.1, 5000), Score::new(4000));
    assert_eq!(result(open.0, Score::new(-4000), -5000), Score::new(-4000));
}

#[test]
fn a_best_capture_gains_history() {
    let set = Techniques::CAPTURE_HISTORY;
    with_search(FEN, set, |search, board| {
        let mut node = Node {
            alpha: Score::new(-5000),
            beta: Score::new(5000),
            ..node(1, 1)
        };
        let (threats, context) = search.threats_and_context(board, 1);
        let found = search.search_moves::<NonPv>(board, &mut node, &threats, &context);
        assert_eq!(
            (found.bound, found.best_move),
            (Bound::Exact, Some(uci(board, "e4d5")))
        );
        let histories = &search.memory.histories;
        assert!(histories.capture(set, board, uci(board, "e4d5"), &context) > 0);
    });
}

#[test]
fn a_root_move_has_a_score_if_it_is_the_first_or_raises_alpha_and_keeps_its_nodes() {
    with_search(FEN, Techniques::empty(), |search, board| {
        for (alpha, beta, scored) in [(4000, 5000, 1), (-5000, -4000, 1)] {
            let before: u64 = search.memory.root.moves.iter().map(|root| root.nodes).sum();
            for root in &mut search.memory.root.moves {
                (root.score, root.was_searched) = (-Score::INFINITE, false);
            }
            let (alpha, beta) = (Score::new(alpha), Score::new(beta));
            search.node::<Root>(board, 0, alpha, beta, 2, Expect::All);
            let moves = &search.memory.root.moves;
            let count = moves.iter().filter(|root| root.score > -Score::INFINITE);
            assert_eq!(count.count(), scored);
            // With the high window every move is searched, with the low window the first is enough.
            let searched = moves.iter().filter(|root| root.was_searched).count();
            let all = if beta > Score::ZERO { moves.len() } else { 1 };
            assert_eq!(searched, all);
            let nodes: u64 = moves.iter().map(|root| root.nodes).sum();
            assert!(
                nodes > before && nodes == search.nodes,
                "{nodes} of {}",
                search.nodes
            );
        }
    });
}

#[test]
fn a_bonus_grows_with_the_depth_up_to_a_bound_and_is_never_a_malus() {
    for (amount, greatest) in [
        (bonus as fn(Depth) -> i32, params::bonus_max()),
        (malus, params::malus_max()),
    ] {
        assert!(amount(2) > amount(1) && amount(1) > 0);
        assert_eq!((amount(0), amount(100)), (0, greatest));
    }
}

#[test]
fn a_mate_is_reported_with_the_line_that_leads_to_it() {
    with_search(FEN, Techniques::DEFAULT, |search, board| {
        let root = &mut search.memory.root.moves[0];
        let mv = uci(board, "a1a2");
        let mut score = |score, line: usize| {
            root.score = score;
            root.pv = vec![mv; line];
            root.score_within_line()
        };
        let mate = Score::mate_in(3);
        assert_eq!((score(mate, 3), score(mate, 2)), (mate, Score::MAX_EVAL));
        assert_eq!(score(Score::new(50), 1), Score::new(50));
        // What the endgame tables say of the root is shown, unless the search has found a mate.
        let known = Score::tb_win_in(8);
        search.memory.root.known = Some(known);
        let shown = [Score::new(50), mate].map(|score| search.memory.root.shown(score));
        assert_eq!(shown, [known, mate]);
    });
}

#[test]
fn the_line_of_a_root_move_is_the_move_alone_or_the_whole_line_to_the_last_ply() {
    with_search(FEN, Techniques::DEFAULT, |search, board| {
        let root = &mut search.memory.root.moves[0];
        assert_eq!(root.line()[..], [root.mv]);
        let mv = uci(board, "a1a2");
        for (length, kept) in [
            (2, 2),
            (MAX_PLY + 1, MAX_PLY + 1),
            (MAX_PLY + 9, MAX_PLY + 1),
        ] {
            root.pv = vec![mv; length];
            assert_eq!(root.line()[..], root.pv[..kept]);
        }
    });
}

/// What the move before a node and the node itself are like when every reply has failed low.
#[derive(Clone, Copy)]
struct FailLow {
    depth: Depth,
    /// The place of the previous move in the order of moves of its node.
    number: u32,
    expect: Expect,
    /// The evaluations of the node and of the node before it.
    evaluations: [i32; 2],
    /// Whether these two nodes are in check.
    in_check: [bool; 2],
    best: i32,
}

/// A fail-low for which no rule enlarges the share of the move before.
const PLAIN: FailLow = FailLow {
    depth: 5,
    number: 1,
    expect: Expect::Cut,
    evaluations: [0; 2],
    in_check: [false; 2],
    best: 0,
};

/// The history that the quiet move before a node gains.
fn gained(case: FailLow) -> i32 {
    histories_of_previous("b2b4", |search| {
        let before = search.memory.stack.at_mut(0);
        before.number = case.number;
        before.static_eval = Score::new(case.evaluations[1]);
        before.in_check = case.in_check[1];
        let node = Node {
            expect: case.expect,
            static_eval: Score::new(case.evaluations[0]),
            in_check: case.in_check[0],
            ..node(1, case.depth)
        };
        search.reward_previous_move(&node, Score::new(case.best));
    })[0]
}

/// The bonus of this depth, in a share of this many sixteenths.
fn share(depth: Depth, sixteenths: i32) -> i32 {
    bonus(depth) * sixteenths / 16
}

#[test]
fn the_share_of_the_move_before_is_larger_after_a_deep_search_and_for_a_late_move() {
    let own = params::previous_bonus();
    assert_eq!(gained(PLAIN), share(5, own));
    let deep = params::previous_bonus_depth() + 1;
    for (depth, added) in [(deep - 1, 0), (deep, params::previous_bonus_deep())] {
        let case = FailLow { depth, ..PLAIN };
        assert_eq!(gained(case), share(depth, own + added), "depth {depth}");
    }
    let last = params::previous_bonus_moves() as u32;
    let late = params::previous_bonus_late();
    // A move that has no place in the order is not late.
    for (number, added) in [(last, 0), (last + 1, late), (NOT_IN_ORDER, 0)] {
        let case = FailLow { number, ..PLAIN };
        assert_eq!(gained(case), share(5, own + added), "place {number}");
    }
}

#[test]
fn the_share_of_the_move_before_is_larger_for_each_evaluation_that_promised_the_replies_more() {
    let own = params::previous_bonus();
    let fall = params::previous_bonus_fall();
    let [here, before] = [
        params::previous_bonus_fall_here(),
        params::previous_bonus_fall_before(),
    ];
    // The evaluation before is the opponent's.
    for (evaluations, falls) in [
        ([here, 0], 1),
        ([here - 1, 0], 0),
        ([0, -before], 1),
        ([0, 1 - before], 0),
        ([0, before], 0),
        ([here, -before], 2),
    ] {
        for best in [0, -30] {
            let case = FailLow {
                evaluations: [evaluations[0] + best, evaluations[1] - best],
                best,
                ..PLAIN
            };
            assert_eq!(
                gained(case),
                share(5, own + falls * fall),
                "{evaluations:?}"
            );
        }
        // A node in check has no evaluation.
        let case = FailLow {
            evaluations,
            in_check: [true; 2],
            ..PLAIN
        };
        assert_eq!(gained(case), share(5, own));
    }
}

#[test]
fn an_expected_fail_low_rewards_only_a_late_move_or_one_worth_more_than_the_evaluation_says() {
    let expected = FailLow {
        expect: Expect::All,
        ..PLAIN
    };
    let late = params::previous_bonus_moves() as u32 + 1;
    let here = params::previous_bonus_fall_here();
    for (number, evaluation, rewarded) in [
        (1, 0, false),
        (late - 1, here - 1, false),
        (NOT_IN_ORDER, 0, false),
        (late, 0, true),
        (1, here, true),
    ] {
        let case = FailLow {
            number,
            evaluations: [evaluation, 0],
            ..expected
        };
        assert_eq!(gained(case) > 0, rewarded, "{number} {evaluation}");
    }
}

#[test]
fn the_first_and_the_second_quiet_move_lose_half_the_malus_where_they_are_refuted() {
    let continuation = |learn: &dyn Fn(&mut TestSearch, &skewer_ordering::MoveContext)| {
        with_search(PREVIOUS, Techniques::all(), |search, board| {
            let after = search.play(board, uci(board, "e1d1"), 0);
            let mv = uci(&after, "e8d8");
            search.play(&after, mv, 1);
            let context = search.move_context(1, Bitboard::EMPTY);
            learn(search, &context);
            let wanted = Techniques::CONTINUATION_HISTORY;
            let histories = &search.memory.histories;
            // The continuation history of the move in two contexts: at ply 1, before it is played, and at ply 2,
            // after it.
            [1, 2].map(|ply| {
                let context = search.move_context(ply, Bitboard::EMPTY);
                histories.quiet_sum(wanted, &after, mv, &context)
            })
        })
    };
    let punished = |number| {
        continuation(&|search, _| {
            search.memory.stack.at_mut(1).number = number;
            search.punish_previous_move(&node(2, 4));
        })
    };
    let half = continuation(&|search, context| {
        let played = search.memory.stack.at(1).continuation;
        let amount = malus(4) / params::previous_malus_divisor();
        let histories = &mut search.memory.histories;
        histories.update_continuation(played, context, -amount);
    });
    assert!(half[0] < 0);
    let last = params::previous_malus_moves() as u32;
    assert_eq!([1, last, last + 1].map(punished), [half, half, [0, 0]]);
}

#[test]
fn a_quiet_move_is_credited_in_proportion_to_what_it_changes_within_bounds() {
    let change = |set, rise: i32| {
        with_search(PREVIOUS, set, |search, board| {
            let mv = uci(board, "b2b4");
            search.play(board, mv, 0);
            search.memory.stack.at_mut(0).static_eval = Score::new(20);
            let mut node = node(1, 6);
            // For the opponent.
            node.static_eval = Score::new(-20 - rise);
            search.credit_evaluation_change(&node);
            let context = search.move_context(0, search.memory.stack.at(0).attacked);
            let histories = &search.memory.histories;
            histories.quiet_sum(Techniques::QUIET_HISTORY, board, mv, &context)
        })
    };
    let set = Techniques::EVALUATION_HISTORY | Techniques::QUIET_HISTORY;
    let [slope, base, most] = [
        params::evaluation_history_slope(),
        params::evaluation_history_base(),
        params::evaluation_history_max(),
    ];
    for rise in [-40, -1, 0, 30] {
        assert_eq!(change(set, rise), slope * rise + base, "{rise}");
    }
    assert_eq!([change(set, 900), change(set, -900)], [most, -most]);
    assert_eq!(change(Techniques::QUIET_HISTORY, 30), 0);
}
