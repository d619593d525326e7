//! When a node is cut off without a search of its moves, and what is stored.

use super::*;
use crate::params;
use crate::table_key::table_key;
use skewer_tt::Entry;

/// White is two queens to one up; no move of either side changes that.
const QUEENS: &str = "3qk3/8/8/8/8/8/8/Q2QK3 w - - 0 1";

/// A node at which a null move is tried: far above beta, where a cut-off is expected.
fn hopeful(depth: Depth) -> Node {
    Node {
        expect: Expect::Cut,
        eval: Score::new(900),
        static_eval: Score::new(900),
        ..node(1, depth)
    }
}

/// Whether a null move cuts off `node` in the position `fen`, after a real move and after the
/// changes of `arrange`.
fn null_move_cuts(fen: &str, node: &Node, arrange: impl FnOnce(&mut TestSearch, &Board)) -> bool {
    with_search(fen, Techniques::DEFAULT, |search, board| {
        search.memory.stack.at_mut(0).mv = board.legal_moves().first().copied();
        arrange(search, board);
        search.null_move(board, node).is_some()
    })
}

#[test]
fn a_null_move_does_not_follow_a_null_move() {
    let node = hopeful(5);
    assert!(null_move_cuts(QUEENS, &node, |_, _| {}));
    assert!(!null_move_cuts(QUEENS, &node, |search, _| {
        search.memory.stack.at_mut(0).mv = None;
    }));
}

#[test]
fn a_null_move_needs_a_rook_a_queen_or_two_minor_pieces() {
    for (pieces, allowed) in [
        ("4K3", false),
        ("4KN2", false),
        ("4KB2", false),
        ("4KBN1", true),
        ("4KR2", true),
        ("4KQ2", true),
    ] {
        let fen = format!("4k3/8/8/8/8/8/PPPPPP2/{pieces} w - - 0 1");
        assert_eq!(
            null_move_cuts(&fen, &hopeful(5), |_, _| {}),
            allowed,
            "{pieces}"
        );
    }
    // The opponent's pieces do not count.
    let fen = "r3k3/8/8/8/8/8/PPPPPP2/4K3 w - - 0 1";
    assert!(!null_move_cuts(fen, &hopeful(5), |_, _| {}));
}

#[test]
fn a_null_move_is_tried_only_where_the_evaluations_are_above_beta() {
    let cuts = |depth, eval: i32, static_eval: i32, beta: i32| {
        let node = Node {
            eval: Score::new(eval),
            static_eval: Score::new(static_eval),
            alpha: Score::new(beta - 1),
            beta: Score::new(beta),
            ..hopeful(depth)
        };
        null_move_cuts(QUEENS, &node, |_, _| {})
    };
    let margin = params::null_margin_base();
    assert!(cuts(5, 100, 100 + margin, 100));
    assert!(!cuts(5, 99, 100 + margin, 100), "the evaluation");
    assert!(
        !cuts(5, 100, 99 + margin, 100),
        "the static one, by a margin"
    );
    assert!(cuts(params::null_depth(), 900, 900, 1));
    assert!(!cuts(params::null_depth() - 1, 900, 900, 1), "too shallow");
}

#[test]
fn a_null_move_is_not_tried_in_check_nor_where_beta_or_the_table_says_that_it_fails() {
    let base = hopeful(5);
    let check = "3qk3/8/8/8/8/8/4r3/Q2QK3 w - - 0 1";
    assert!(!null_move_cuts(check, &base, |_, _| {}));
    let lost = Node {
        beta: Score::mated_in(9),
        ..base
    };
    assert!(!null_move_cuts(QUEENS, &lost, |_, _| {}));
    for (bound, score, allowed) in [
        (Some(Bound::Upper), 0, false),
        (Some(Bound::Upper), 1, true),
        (Some(Bound::Lower), 0, true),
        (Some(Bound::Exact), 0, true),
        (None, 0, true),
    ] {
        let node = Node {
            entry: Some(entry(Score::new(score), 1, bound)),
            ..base
        };
        assert_eq!(
            null_move_cuts(QUEENS, &node, |_, _| {}),
            allowed,
            "{bound:?} {score}"
        );
    }
    for (null_from, allowed) in [(1, true), (2, false)] {
        let arrange = |search: &mut TestSearch, _: &Board| search.null_from = null_from;
        assert_eq!(
            null_move_cuts(QUEENS, &base, arrange),
            allowed,
            "{null_from}"
        );
    }
}

fn entry(score: Score, depth: Depth, bound: Option<Bound>) -> Entry {
    Entry {
        mv: None,
        score,
        eval: None,
        depth,
        bound,
        was_pv: false,
    }
}

/// A deep cut-off counts only if the search that verifies it fails high as well. Here the hash table holds the
/// result of that search.
#[test]
fn a_deep_cut_off_counts_only_if_its_verification_fails_high() {
    let cuts = |set, depth, null_from, found: i32, bound| {
        with_search(QUEENS, set, |search, board| {
            search.memory.stack.at_mut(0).mv = board.legal_moves().first().copied();
            search.null_from = null_from;
            let key = table_key(board, search.set);
            search.store(key, 1, None, Score::new(found), None, 30, Some(bound));
            let cuts = search.null_move(board, &hopeful(depth)).is_some();
            assert_eq!(search.null_from, null_from, "as before");
            cuts
        })
    };
    let deep = params::null_verify_depth();
    let set = Techniques::DEFAULT;
    assert!(cuts(set, deep, 0, 1, Bound::Lower), "verified");
    assert!(!cuts(set, deep, 0, 0, Bound::Upper), "refuted");
    // Not verified: shallow cut-offs, cut-offs inside a verification, and all cut-offs without the
    // technique.
    assert!(cuts(set, deep - 1, 0, 0, Bound::Upper));
    assert!(cuts(set, deep, 1, 0, Bound::Upper));
    let without = set - Techniques::NULL_MOVE_VERIFICATION;
    assert!(cuts(without, deep, 0, 0, Bound::Upper));
}

/// Black is mated on the back rank if White may move twice.
#[test]
fn a_mate_found_after_a_null_move_counts_as_beta() {
    let fen = "6k1/5ppp/8/8/8/8/Q4PPP/R5K1 b - - 0 1";
    with_search(fen, Techniques::DEFAULT, |search, board| {
        let after = board.play(uci(board, "h7h6"));
        search.evaluator.reset(&after);
        search.memory.stack.at_mut(0).mv = Some(uci(board, "h7h6"));
        // White passes, and mates after Black's move.
        let score = search.null_move(&after, &hopeful(9));
        let score = score.expect("a cut-off");
        assert!(!score.is_decisive(), "{score:?}");
    });
}

/// The capture of the queen brings the score far above beta: a shallow search of the capture is enough.
#[test]
fn probcut_is_stored_a_ply_deeper_than_its_search() {
    let fen = "4k3/8/8/3q4/4P3/8/8/R3K3 w - - 0 1";
    let probcut = |depth, beta: i32, improving, known: Option<Entry>| {
        let set = Techniques::DEFAULT - Techniques::RAZORING - Techniques::REVERSE_FUTILITY;
        with_search(fen, set, |search, board| {
            let node = Node {
                key: table_key(board, search.set),
                alpha: Score::new(beta - 1),
                beta: Score::new(beta),
                improving,
                entry: known,
                // No null move is tried where no cut-off is expected.
                expect: Expect::All,
                ..node(1, depth)
            };
            let score = search.prune_node::<NonPv>(board, &node);
            let stored = search.context.table.probe(node.key);
            (score, stored.filter(|entry| entry.bound.is_some()))
        })
    };
    for depth in params::probcut_depth()..9 {
        let (score, stored) = probcut(depth, 0, false, None);
        let stored = stored.expect("stored");
        assert_eq!(stored.depth, depth - params::probcut_reduction() + 1);
        assert_eq!(stored.bound, Some(Bound::Lower));
        assert_eq!(
            stored.mv.map(|mv| format!("{mv:?}")).as_deref(),
            Some("e4d5")
        );
        assert_eq!(score, Some(stored.score - params::probcut_margin()));
    }
    assert_eq!(probcut(params::probcut_depth() - 1, 0, false, None).0, None);
    assert_eq!(
        probcut(6, 3000, false, None).0,
        None,
        "a queen is not enough"
    );
    // The hash table knows of a search as deep that stays below the target.
    let target = params::probcut_margin();
    let shallow = 6 - params::probcut_reduction();
    for (score, depth, bound, tried) in [
        (target - 1, shallow, Some(Bound::Exact), false),
        (target, shallow, Some(Bound::Exact), true),
        (target - 1, shallow - 1, Some(Bound::Exact), true),
        (target - 1, shallow, None, true),
    ] {
        let known = entry(Score::new(score), depth, bound);
        assert_eq!(
            probcut(6, 0, false, Some(known)).0.is_some(),
            tried,
            "{score} {depth}"
        );
    }
    // When improving, less is enough.
    let improving = target - params::probcut_improving();
    let known = Some(entry(Score::new(improving), shallow, Some(Bound::Exact)));
    assert!(probcut(6, 0, true, known).0.is_some() && probcut(6, 0, false, known).0.is_none());
}

#[test]
fn reverse_futility_returns_a_score_between_beta_and_the_evaluation() {
    let set = Techniques::REVERSE_FUTILITY;
    let cut = |set, depth, eval: i32, improving, beta: Score| {
        with_search(QUEENS, set, |search, board| {
            let node = Node {
                eval: Score::new(eval),
                improving,
                beta,
                ..node(1, depth)
            };
            search.prune_node::<NonPv>(board, &node)
        })
    };
    let beta = Score::new(10);
    for depth in [1, 4, params::rfp_depth()] {
        let margin = params::rfp_margin() * depth;
        assert_eq!(
            cut(set, depth, 9 + margin, false, beta),
            None,
            "depth {depth}"
        );
        let score = beta + margin / params::rfp_blend();
        assert_eq!(cut(set, depth, 10 + margin, false, beta), Some(score));
        // When the evaluation rises, less is enough.
        let less = margin - params::rfp_improving();
        assert_eq!(cut(set, depth, 9 + less, true, beta), None);
        assert!(cut(set, depth, 10 + less, true, beta).is_some());
    }
    assert_eq!(cut(set, params::rfp_depth() + 1, 5000, false, beta), None);
    assert_eq!(cut(set, 1, 5000, false, Score::mated_in(9)), None);
    assert_eq!(cut(Techniques::empty(), 1, 5000, false, beta), None);
}

#[test]
fn razoring_returns_what_quiescence_finds_below_alpha() {
    let cut = |fen: &str, depth, eval: i32, alpha: Score| {
        with_search(fen, Techniques::RAZORING, |search, board| {
            let node = Node {
                eval: Score::new(eval),
                alpha,
                beta: alpha + 1,
                ..node(1, depth)
            };
            search.prune_node::<NonPv>(board, &node)
        })
    };
    // White is a queen down and has nothing to take.
    let lost = "3qk3/8/8/8/8/8/8/4K2R w - - 0 1";
    let alpha = Score::new(100);
    for depth in 1..=params::razor_depth() {
        let margin = params::razor_base() + params::razor_slope() * depth;
        assert!(cut(lost, depth, 100 - margin, alpha).is_some_and(|score| score <= alpha));
        assert_eq!(cut(lost, depth, 101 - margin, alpha), None, "depth {depth}");
    }
    assert_eq!(cut(lost, params::razor_depth() + 1, -5000, alpha), None);
    assert_eq!(cut(lost, 1, -5000, Score::mate_in(9)), None);
    // Quiescence takes the queen and so is above alpha.
    let wins = "4k3/8/8/8/8/8/8/3qK2R w - - 0 1";
    assert_eq!(cut(wins, 1, -5000, Score::new(-900)), None);
}

#[test]
fn nothing_is_cut_off_on_the_principal_variation_in_check_or_in_a_singular_search() {
    with_search(QUEENS, Techniques::REVERSE_FUTILITY, |search, board| {
        let cut = Node {
            eval: Score::new(5000),
            ..node(1, 1)
        };
        assert!(search.prune_node::<NonPv>(board, &cut).is_some());
        assert_eq!(search.prune_node::<Pv>(board, &cut), None);
        let in_check = Node {
            in_check: true,
            ..cut
        };
        assert_eq!(search.prune_node::<NonPv>(board, &in_check), None);
        let excluded = Node {
            excluded: board.legal_moves().first().copied(),
            ..cut
        };
        assert_eq!(search.prune_node::<NonPv>(board, &excluded), None);
    });
}
