//! What ends a node before its moves, and what it leaves in the frames around it.

use super::*;
use crate::params;
use crate::search::Kind;
use crate::table_key::table_key;
use crate::{TablebaseRules, TablebaseUse};
use skewer_syzygy::Tables;
use skewer_types::MAX_PLY;

const FEN: &str = "4k3/8/8/3n4/4P3/8/8/R3K3 w - - 0 1";
const MATED: &str = "R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1";

/// The score of a node with an open window, and whether it ended before its moves.
fn ended(fen: &str, ply: Ply, depth: Depth, set: Techniques) -> (Score, bool) {
    with_search(fen, set, |search, board| {
        let (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
        let score = search.node::<NonPv>(board, ply, alpha, beta, depth, Expect::All);
        (score, search.nodes == 0)
    })
}

fn evaluation(fen: &str) -> Score {
    with_search(fen, Techniques::empty(), |search, board| {
        search.evaluator.evaluate(board)
    })
}

#[test]
fn without_quiescence_the_horizon_is_a_draw_a_mate_or_the_evaluation() {
    let plain = Techniques::empty();
    let fifty = "4k3/8/8/3n4/4P3/8/8/R3K3 w - - 100 90";
    let in_check = "4k3/4r3/8/8/8/8/P7/4K3 w - - 0 1";
    for depth in [0, -1] {
        let value = |fen| ended(fen, 3, depth, plain);
        assert_eq!(value(FEN), (evaluation(FEN), true), "depth {depth}");
        assert_eq!(value(in_check), (evaluation(in_check), true));
        assert_eq!(value(fifty), (Score::DRAW, true));
        assert_eq!(value(MATED), (Score::mated_in(3), true));
    }
    assert!(!ended(FEN, 3, 1, plain).1);
    with_search(FEN, plain, |search, board| {
        search.aborted = true;
        let (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
        let score = search.node::<NonPv>(board, 3, alpha, beta, 0, Expect::All);
        assert_eq!(score, Score::DRAW, "an aborted search");
    });
}

#[test]
fn the_last_ply_is_evaluated_and_a_draw_in_check() {
    let value = |fen| ended(fen, MAX_PLY, 1, Techniques::empty());
    assert_eq!(value(FEN), (evaluation(FEN), true));
    let in_check = "4k3/4r3/8/8/8/8/P7/4K3 w - - 0 1";
    assert_eq!(value(in_check), (Score::DRAW, true));
    assert!(!ended(FEN, MAX_PLY - 1, 1, Techniques::empty()).1);
}

#[test]
fn a_node_whose_window_no_mate_can_reach_ends() {
    let ends = |set, alpha: Score| {
        with_search(FEN, set, |search, board| {
            let score = search.node::<NonPv>(board, 3, alpha, alpha + 1, 1, Expect::All);
            (search.nodes == 0).then_some(score)
        })
    };
    let set = Techniques::MATE_DISTANCE_PRUNING;
    // The side to move mates with its next move at best, at ply 4.
    let best = Score::mate_in(4);
    assert_eq!(ends(set, best), Some(best));
    assert_eq!(ends(set, best - 1), None);
    assert_eq!(ends(Techniques::empty(), best), None);
    // At worst it is mated, at ply 3.
    let worst = Score::mated_in(3);
    assert_eq!(ends(set, worst - 1), Some(worst));
    assert_eq!(ends(set, worst), None);
}

#[test]
fn a_node_ends_as_a_draw_by_repetition_or_if_its_side_can_bring_one_about() {
    // White, a queen down, moves its knights out, and Black one out and back.
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 4 3";
    let score = |set, moves: &[&str]| {
        with_search(fen, set, |search, board| {
            let mut board = *board;
            for (ply, text) in moves.iter().enumerate() {
                board = search.play(&board, uci(&board, text), ply);
            }
            let (alpha, before) = (Score::new(-3000), search.nodes);
            let score = search.node::<NonPv>(&board, moves.len(), alpha, alpha + 1, 1, Expect::All);
            (score, search.nodes == before)
        })
    };
    let set = Techniques::UPCOMING_REPETITION;
    let can = ["g1f3", "g8f6", "b1c3", "f6g8"];
    assert_eq!(score(set, &can), (Score::DRAW, true));
    assert!(!score(Techniques::empty(), &can).1);
    let repeats = ["g1f3", "g8f6", "b1c3", "f6g8", "c3b1"];
    assert_eq!(score(Techniques::empty(), &repeats), (Score::DRAW, true));
}

#[test]
fn a_node_begins_with_clean_frames_below_it() {
    with_search(FEN, Techniques::empty(), |search, board| {
        let killer = Some(uci(board, "a1a2"));
        for ply in 0..6 {
            let frame = search.memory.stack.at_mut(ply);
            frame.killers = [killer; 2];
            frame.cutoffs = 7;
        }
        search.memory.stack.at_mut(2).excluded = killer;
        let (alpha, beta) = (Score::new(-5001), Score::new(-5000));
        search.node::<NonPv>(board, 1, alpha, beta, 1, Expect::All);
        let frame = |ply| {
            let frame = search.memory.stack.at(ply);
            (frame.killers, frame.cutoffs)
        };
        // The grandchildren at ply 3 start afresh; the node itself has one fail-high more.
        assert_eq!(frame(3), ([None; 2], 0));
        assert_eq!([0, 2, 4].map(|ply| frame(ply).1), [7; 3]);
        assert_eq!((frame(1).1, frame(2).0), (8, [killer; 2]));
        assert_eq!(search.memory.stack.at(2).excluded, None);
    });
}

#[test]
fn a_node_is_marked_that_is_or_was_on_a_principal_variation() {
    let marked = |pv: bool, was_pv: bool, excluded: bool| {
        with_search(FEN, Techniques::empty(), |search, board| {
            search.memory.stack.at_mut(1).on_pv = was_pv;
            know(search, board, 1, Score::ZERO, 1);
            search.memory.stack.at_mut(1).on_pv = false;
            if excluded {
                search.memory.stack.at_mut(1).excluded = Some(uci(board, "e4d5"));
            }
            let (alpha, beta) = (Score::new(-5001), Score::new(-5000));
            if pv {
                search.node::<Pv>(board, 1, alpha, beta, 1, Expect::All);
            } else {
                search.node::<NonPv>(board, 1, alpha, beta, 1, Expect::All);
            }
            search.memory.stack.at(1).on_pv
        })
    };
    assert!(!marked(false, false, false));
    assert!(marked(true, false, false) && marked(false, true, false));
    // A singular search leaves the mark as it is.
    assert!(!marked(false, true, true));
}

/// The histories after the table has ended a node below Black's early move: of the hash move, and of Black's move.
fn learnt_from_the_table(hash_move: &str, score: i32) -> [i32; 2] {
    let set = Techniques::all() - Techniques::THREAT_HISTORY;
    with_search(FEN, set, |search, board| {
        let before = search.play(board, uci(board, "e1d1"), 0);
        let earlier = uci(&before, "e8f8");
        let after = search.play(&before, earlier, 1);
        search.memory.stack.at_mut(1).number = 1;
        let mv = uci(&after, hash_move);
        let key = table_key(&after, search.set);
        let exact = Some(Bound::Exact);
        search.store(key, 2, Some(mv), Score::new(score), None, 9, exact);
        let nodes = search.nodes;
        let (alpha, beta) = (Score::ZERO, Score::new(1));
        search.node::<NonPv>(&after, 2, alpha, beta, 5, Expect::Cut);
        assert_eq!(search.nodes, nodes, "the table ends it");
        let histories = &search.memory.histories;
        let context = search.move_context(2, Bitboard::EMPTY);
        let own = histories.quiet_sum(Techniques::QUIET_HISTORY, &after, mv, &context);
        let context = search.move_context(1, Bitboard::EMPTY);
        let continuation = Techniques::CONTINUATION_HISTORY;
        let other = histories.quiet_sum(continuation, &before, earlier, &context);
        [own.signum(), other.signum()]
    })
}

#[test]
fn a_fail_high_of_the_table_teaches_as_a_fail_high_of_a_search() {
    assert_eq!(learnt_from_the_table("a1a3", 1), [1, -1]);
    assert_eq!(learnt_from_the_table("a1a3", 0), [0, 0], "no fail-high");
    assert_eq!(learnt_from_the_table("e4d5", 1), [0, -1], "a capture");
}

#[test]
fn the_evaluation_is_stored_where_the_table_knows_nothing() {
    let stored = |known: Option<Depth>, excluded: bool| {
        with_search(FEN, Techniques::DEFAULT, |search, board| {
            let mut node = node(1, 4);
            node.key = 7;
            if let Some(depth) = known {
                let bound = Some(Bound::Exact);
                search.store(7, 1, None, Score::new(5), None, depth, bound);
                node.entry = search.probe(board, 7, 1);
            }
            node.excluded = excluded.then(|| uci(board, "e4d5"));
            search.evaluate_node(board, &mut node);
            assert_eq!(node.raw_eval, Some(search.evaluator.evaluate(board)));
            let entry = search.probe(board, 7, 1);
            entry.map(|entry| (entry.eval == node.raw_eval, entry.bound.is_some()))
        })
    };
    assert_eq!(stored(None, false), Some((true, false)));
    for depth in [1, 9] {
        let kept = Some((false, true));
        assert_eq!(stored(Some(depth), false), kept, "kept as it is");
    }
    assert_eq!(stored(None, true), None, "in a singular search");
}

#[test]
fn a_node_improves_if_its_evaluation_is_above_the_evaluation_of_two_plies_before() {
    let improving = |set, ply: Ply, before: i32| {
        with_search(FEN, set, |search, board| {
            let eval = search.evaluator.evaluate(board);
            search.memory.stack.at_mut(1).static_eval = eval + before;
            let mut node = node(ply, 4);
            search.evaluate_node(board, &mut node);
            node.improving
        })
    };
    let set = Techniques::IMPROVING;
    assert!(improving(set, 3, -1) && !improving(set, 3, 0) && !improving(set, 3, 1));
    assert!(!improving(Techniques::empty(), 3, -1));
    // Before ply 2 there is nothing to compare with.
    assert!(!improving(set, 1, -1) && evaluation(FEN) > Score::ZERO);
}

#[test]
fn a_root_that_leaves_out_moves_stores_nothing() {
    let stored = |ply, first| {
        with_search(FEN, Techniques::empty(), |search, board| {
            search.memory.root.first = first;
            let mut node = node(ply, 6);
            node.key = 7;
            let found = Found {
                best: Score::new(120),
                best_move: None,
                bound: Bound::Exact,
                moves: 1,
            };
            search.conclude(board, &node, found);
            search.probe(board, 7, ply).is_some()
        })
    };
    assert!(stored(0, 0) && !stored(0, 1));
    assert!(stored(1, 0) && stored(1, 1));
}

#[test]
fn the_threats_against_a_node_are_the_squares_that_the_opponent_attacks() {
    with_search(FEN, Techniques::DEFAULT, |search, board| {
        let (threats, context) = search.threats_and_context(board, 1);
        let attacked = board.attacks_by(!board.turn(), board.occupied());
        assert_eq!((threats.all, context.attacked), (attacked, attacked));
    });
    assert!(params::stay_on_pv_depth() > 1, "assumed above");
}

/// What the endgame tables do to a node with the window from 10 to 20 (or a null window below 20): the score that
/// settles it, or the bounds and alpha that it goes on with.
fn outcome<K: Kind>(score: i32, bound: Bound) -> Result<Score, [i32; 3]> {
    with_search(FEN, Techniques::empty(), |search, board| {
        let mut node = node(2, 6);
        node.key = 7;
        node.alpha = Score::new(if K::PV { 10 } else { 19 });
        node.beta = Score::new(20);
        let score = search.take_outcome::<K>(&mut node, Score::new(score), bound);
        let entry = search.probe(board, 7, 2);
        if let Some(score) = score {
            let entry = entry.expect("stored");
            let depth = 6 + params::tb_depth_bonus();
            assert_eq!((entry.score, entry.bound), (score, Some(bound)));
            assert_eq!((entry.depth, entry.mv), (depth, None));
            return Ok(score);
        }
        assert_eq!(entry, None);
        Err([node.least, node.greatest, node.alpha].map(Score::raw))
    })
}

#[test]
fn an_outcome_of_the_endgame_tables_settles_a_node_or_bounds_it_in_an_open_window() {
    let none = Score::INFINITE.raw();
    let null = |score, bound| outcome::<NonPv>(score, bound);
    let open = |score, bound| outcome::<Pv>(score, bound);
    for score in [0, 15, 30] {
        assert_eq!(null(score, Bound::Exact), Ok(Score::new(score)));
        assert_eq!(open(score, Bound::Exact), Ok(Score::new(score)));
    }
    assert_eq!(null(20, Bound::Lower), Ok(Score::new(20)));
    assert_eq!(null(19, Bound::Lower), Err([-none, none, 19]));
    assert_eq!(null(19, Bound::Upper), Ok(Score::new(19)));
    assert_eq!(null(20, Bound::Upper), Err([-none, none, 19]));
    assert_eq!(open(20, Bound::Lower), Ok(Score::new(20)));
    assert_eq!(open(19, Bound::Lower), Err([19, none, 19]));
    assert_eq!(open(5, Bound::Lower), Err([5, none, 10]));
    assert_eq!(open(10, Bound::Upper), Ok(Score::new(10)));
    assert_eq!(open(11, Bound::Upper), Err([-none, 11, 10]));
}

/// The tables of the prober's own tests.
const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../syzygy/tests/data");

#[test]
fn the_endgame_tables_settle_a_node_but_neither_the_root_nor_a_singular_search() {
    const BETA: Score = Score::new(1);
    static OPENED: std::sync::LazyLock<Tables> =
        std::sync::LazyLock::new(|| Tables::open(TABLES).expect("tables of four pieces"));
    let fen = "8/8/8/8/1k6/8/3P4/3K2B1 w - - 0 1";
    let moves = |visit: fn(&mut TestSearch, &Board) -> Score| {
        with_search(fen, Techniques::DEFAULT, |search, board| {
            // The context must live as long as what it refers to.
            search.context = Box::leak(Box::new(Context {
                tablebases: Some(TablebaseUse {
                    tables: &OPENED,
                    rules: TablebaseRules::default(),
                }),
                ..*search.context
            }));
            let score = visit(search, board);
            (search.nodes > 0, score.is_win())
        })
    };
    let inside =
        moves(|search, board| search.node::<NonPv>(board, 1, BETA - 1, BETA, 2, Expect::Cut));
    assert_eq!(inside, (false, true), "a win without a move");
    let (root, _) =
        moves(|search, board| search.node::<Root>(board, 0, BETA - 1, BETA, 2, Expect::All));
    assert!(root);
    let (singular, _) = moves(|search, board| {
        search.memory.stack.at_mut(1).excluded = Some(uci(board, "d2d4"));
        search.node::<NonPv>(board, 1, BETA - 1, BETA, 2, Expect::Cut)
    });
    assert!(singular);
}
