//! The loop over the moves of a node: what is known of each, which are left out, and what the node teaches.

use super::*;
use crate::learn::bonus;
use skewer_ordering::{Checks, ContinuationKey};

/// White can take a knight, check with its rook, or move quietly.
const FEN: &str = "4k3/8/8/3n4/4P3/8/8/R3K3 w - - 0 1";

#[test]
fn a_refutation_is_a_quiet_killer_or_counter_move_that_is_not_the_first() {
    let refutation = |set, text: &str, number, killer: Option<&str>, counter: Option<&str>| {
        with_search(FEN, set, |search, board| {
            let mut context = search.move_context(1, Bitboard::EMPTY);
            context.continuation[0] = ContinuationKey::new(board, uci(board, "a1a2"));
            search.memory.stack.at_mut(1).killers[1] = killer.map(|text| uci(board, text));
            if let Some(counter) = counter {
                let counter = uci(board, counter);
                search.memory.histories.set_counter(&context, counter);
            }
            let (checks, mv) = (Checks::new(board), uci(board, text));
            let candidate = search.candidate(board, &node(1, 5), &context, &checks, mv, number);
            assert_eq!((candidate.mv, candidate.number), (mv, number));
            assert_eq!(candidate.tactical, text == "e4d5");
            assert_eq!(candidate.gives_check, text == "a1a8");
            candidate.refutation
        })
    };
    let set = Techniques::KILLERS | Techniques::COUNTER_MOVES;
    for text in ["a1a3", "a1a8"] {
        assert!(refutation(set, text, 2, Some(text), None));
        assert!(refutation(set, text, 2, None, Some(text)));
        assert!(!refutation(set, text, 2, None, None));
        assert!(!refutation(set, text, 1, Some(text), Some(text)));
        let (killers, counters) = (Techniques::KILLERS, Techniques::COUNTER_MOVES);
        assert!(!refutation(set - killers, text, 2, Some(text), None));
        assert!(!refutation(set - counters, text, 2, None, Some(text)));
    }
    assert!(!refutation(set, "e4d5", 2, Some("e4d5"), Some("e4d5")));
}

#[test]
fn the_history_of_a_move_is_looked_up_unless_it_is_the_first() {
    let set = Techniques::all();
    with_search(FEN, set, |search, board| {
        let context = search.move_context(1, Bitboard::EMPTY);
        let [quiet, capture] = ["a1a3", "e4d5"].map(|text| uci(board, text));
        let histories = &mut search.memory.histories;
        histories.update_quiet(set, board, quiet, &context, 700);
        histories.update_capture(board, capture, &context, -300);
        let known = [
            histories.quiet_sum(set, board, quiet, &context),
            histories.capture(set, board, capture, &context),
        ];
        assert!(known[0] > 0 && known[1] < 0);
        let history = |mv, number| {
            let (node, checks) = (node(1, 5), Checks::new(board));
            let candidate = search.candidate(board, &node, &context, &checks, mv, number);
            candidate.history
        };
        assert_eq!([history(quiet, 2), history(capture, 2)], known);
        assert_eq!([history(quiet, 1), history(capture, 1)], [0, 0]);
    });
}

/// While every move so far is lost, a later one may be the defence.
#[test]
fn no_move_is_left_out_while_the_best_is_lost() {
    let moves = |score| {
        let set = Techniques::LATE_MOVE_PRUNING | Techniques::HASH_CUTOFF;
        with_search(FEN, set, |search, board| {
            for mv in &board.legal_moves() {
                know(search, &board.play(mv), 2, score, 9);
            }
            let mut node = node(1, 2);
            let (threats, context) = search.threats_and_context(board, 1);
            let found = search.search_moves::<NonPv>(board, &mut node, &threats, &context);
            (
                found.best,
                found.moves as usize == board.legal_moves().len(),
            )
        })
    };
    assert_eq!(moves(Score::mate_in(9)), (Score::mated_in(9), true));
    assert_eq!(moves(Score::tb_win_in(9)), (Score::tb_loss_in(9), true));
    assert_eq!(moves(Score::new(2000)), (Score::new(-2000), false));
}

/// Searches the moves of `fen` at depth 1 at a node with this static evaluation, with an alpha that the first
/// score raises. Returns the butterfly history of the best move.
fn learnt(fen: &str, in_check: bool, evaluation: i32) -> i32 {
    let set = Techniques::QUIET_HISTORY;
    with_search(fen, set, |search, board| {
        let mut node = Node {
            alpha: Score::new(-5000),
            beta: Score::new(5000),
            static_eval: Score::new(evaluation),
            in_check,
            ..node(1, 1)
        };
        let (threats, context) = search.threats_and_context(board, 1);
        let found = search.search_moves::<NonPv>(board, &mut node, &threats, &context);
        let best = found.best_move.expect("a move above alpha");
        assert!(!board.is_capture(best) && node.alpha > Score::new(-4000));
        histories_of(search, board, best, &context)
    })
}

fn histories_of(
    search: &TestSearch,
    board: &Board,
    mv: Move,
    context: &skewer_ordering::MoveContext,
) -> i32 {
    let histories = &search.memory.histories;
    histories.quiet_sum(Techniques::QUIET_HISTORY, board, mv, context)
}

#[test]
fn a_best_move_is_a_surprise_if_the_evaluation_was_not_above_the_first_alpha() {
    let quiet = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    let surprise = bonus(1 + crate::params::bonus_surprise());
    assert!(surprise > bonus(1));
    // Alpha rises above each of these evaluations but the last.
    assert_eq!(learnt(quiet, false, -5001), surprise);
    assert_eq!(learnt(quiet, false, -5000), surprise);
    assert_eq!(learnt(quiet, false, -4999), bonus(1));
    assert_eq!(learnt(quiet, false, 4000), bonus(1));
    // In check there is no evaluation to compare with.
    let evades = "4k3/4r3/8/8/8/8/8/R3K3 w - - 0 1";
    assert_eq!(learnt(evades, true, -5001), bonus(1));
}

#[test]
fn the_move_before_a_node_learns_whether_its_replies_fail_low_or_high() {
    let set = Techniques::all() - Techniques::THREAT_HISTORY;
    let before = |alpha: i32| {
        with_search(PREVIOUS, set, |search, board| {
            let mv = uci(board, "b2b4");
            let after = search.play(board, mv, 0);
            search.memory.stack.at_mut(0).number = 1;
            let mut node = Node {
                alpha: Score::new(alpha),
                beta: Score::new(alpha + 1),
                expect: Expect::Cut,
                ..node(1, 1)
            };
            let (threats, context) = search.threats_and_context(&after, 1);
            search.search_moves::<NonPv>(&after, &mut node, &threats, &context);
            let context = search.move_context(0, search.memory.stack.at(0).attacked);
            let histories = &search.memory.histories;
            histories.quiet_sum(set, board, mv, &context)
        })
    };
    assert!(before(5000) > 0, "every reply fails low");
    assert!(before(-5000) <= 0);
}

#[test]
fn an_early_quiet_move_before_a_best_reply_is_punished() {
    let continuation = |set| {
        with_search(PREVIOUS, set, |search, board| {
            let after = search.play(board, uci(board, "e1d1"), 0);
            let mv = uci(&after, "e8d8");
            let then = search.play(&after, mv, 1);
            search.memory.stack.at_mut(1).number = 1;
            let best = uci(&then, "b2b4");
            let reply = search.move_context(2, Bitboard::EMPTY);
            search.learn_moves(&then, &node(2, 6), false, &reply, best, &Tried::default());
            let context = search.move_context(1, after.occupied());
            let wanted = Techniques::CONTINUATION_HISTORY;
            let histories = &search.memory.histories;
            histories.quiet_sum(wanted, &after, mv, &context)
        })
    };
    assert!(continuation(Techniques::all()) < 0);
    let without = Techniques::all() - Techniques::PREVIOUS_MOVE_HISTORY;
    assert_eq!(continuation(without), 0);
}

#[test]
fn the_change_of_the_evaluation_says_nothing_of_a_capture_after_a_check_or_in_a_singular_search() {
    let change = |text: &str, change: &dyn Fn(&mut TestSearch, &mut Node)| {
        histories_of_previous(text, |search| {
            let mut node = node(1, 6);
            node.static_eval = Score::new(-100);
            change(search, &mut node);
            search.credit_evaluation_change(&node);
        })
    };
    assert!(change("b2b4", &|_, _| {})[0] > 0);
    let in_check: &dyn Fn(&mut TestSearch, &mut Node) =
        &|search, _| search.memory.stack.at_mut(0).in_check = true;
    assert_eq!(change("b2b4", in_check), [0, 0]);
    let excluded: &dyn Fn(&mut TestSearch, &mut Node) =
        &|search, node| node.excluded = Some(search.memory.root.moves[0].mv);
    assert_eq!(change("b2b4", excluded), [0, 0]);
    let butterfly = with_search(PREVIOUS, Techniques::all(), |search, board| {
        let mv = uci(board, "b2b6");
        search.play(board, mv, 0);
        let mut node = node(1, 6);
        node.static_eval = Score::new(-100);
        search.credit_evaluation_change(&node);
        let context = search.move_context(0, search.memory.stack.at(0).attacked);
        histories_of(search, board, mv, &context)
    });
    assert_eq!(butterfly, 0, "a capture");
}

#[test]
fn a_singular_search_teaches_nothing_of_the_move_before() {
    let histories = |excluded: bool| {
        histories_of_previous("b2b4", |search| {
            let mut node = Node {
                expect: Expect::Cut,
                ..node(1, 6)
            };
            node.excluded = excluded.then(|| search.memory.root.moves[0].mv);
            search.reward_previous_move(&node, Score::ZERO);
        })
    };
    assert!(histories(false)[0] > 0);
    assert_eq!(histories(true), [0, 0]);
}

#[test]
fn the_averages_follow_the_moves_that_have_a_score() {
    with_search(FEN, Techniques::DEFAULT, |search, _| {
        let root = &mut search.memory.root;
        root.moves[0].score = Score::new(60);
        root.moves[0].average = Some(Score::new(30));
        root.moves[1].average = Some(Score::new(30));
        root.settle_averages();
        let averages = [0, 1, 2].map(|index| root.moves[index].average.map(Score::raw));
        assert_eq!(averages, [Some(50), Some(30), None]);
    });
}

/// What the loop over the moves finds in the window from 0 to 20 at this depth, if the table says that each move is
/// worth `score`.
fn loop_of_equals(set: Techniques, depth: Depth, score: i32) -> Found {
    with_search(FEN, set | Techniques::HASH_CUTOFF, |search, board| {
        for mv in &board.legal_moves() {
            know(search, &board.play(mv), 2, Score::new(-score), 60);
        }
        let mut node = node(1, depth);
        node.beta = Score::new(20);
        let (threats, context) = search.threats_and_context(board, 1);
        search.search_moves::<NonPv>(board, &mut node, &threats, &context)
    })
}

#[test]
fn a_score_at_alpha_is_no_best_move_and_a_score_at_beta_ends_the_node() {
    let set = Techniques::empty();
    let found = loop_of_equals(set, 2, 0);
    assert_eq!((found.bound, found.best_move), (Bound::Upper, None));
    let found = loop_of_equals(set, 2, 20);
    assert_eq!((found.bound, found.moves), (Bound::Lower, 1));
    let found = loop_of_equals(set, 2, 19);
    assert!(found.bound == Bound::Exact && found.moves > 10);
}

#[test]
fn a_fail_high_alone_is_averaged_with_beta() {
    let best = |depth, score| loop_of_equals(Techniques::FAIL_HIGH_BLEND, depth, score).best;
    assert_eq!(best(3, 100), Score::new((100 * 3 + 20) / 4));
    assert_eq!([best(3, -100), best(3, 10)], [-100, 10].map(Score::new));
}

#[test]
fn a_root_move_that_is_as_good_as_alpha_has_no_score() {
    let set = Techniques::PRINCIPAL_VARIATION_SEARCH | Techniques::HASH_CUTOFF;
    with_search(FEN, set, |search, board| {
        for mv in &board.legal_moves() {
            know(search, &board.play(mv), 1, Score::new(-5000), 60);
        }
        let (alpha, beta) = (Score::new(5000), Score::new(5100));
        search.node::<Root>(board, 0, alpha, beta, 2, Expect::All);
        let moves = &search.memory.root.moves;
        assert!(moves.iter().all(|root| root.was_searched));
        let scored = moves.iter().filter(|root| root.score > -Score::INFINITE);
        assert_eq!(scored.count(), 1, "the first");
    });
}

#[test]
fn a_move_that_leaves_no_reply_learns_nothing_from_the_replies() {
    // The rook mates, or the queen's move stalemates.
    for (fen, text) in [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8"),
        ("k7/8/8/1Q6/8/8/8/7K w - - 0 1", "b5b6"),
    ] {
        let set = Techniques::all() - Techniques::THREAT_HISTORY;
        with_search(fen, set, |search, board| {
            let mv = uci(board, text);
            let after = search.play(board, mv, 0);
            search.memory.stack.at_mut(0).number = 1;
            let mut node = Node {
                expect: Expect::Cut,
                in_check: after.in_check(),
                ..node(1, 6)
            };
            let (threats, context) = search.threats_and_context(&after, 1);
            let found = search.search_moves::<NonPv>(&after, &mut node, &threats, &context);
            assert_eq!(found.moves, 0);
            let context = search.move_context(0, search.memory.stack.at(0).attacked);
            let histories = &search.memory.histories;
            assert_eq!(histories.quiet_sum(set, board, mv, &context), 0, "{text}");
        });
    }
}
