//! Tests of single rules of the search, on a search that has not begun.

mod answers;
mod depths;
mod descent;
mod iteration;
mod learning;
mod moves;
mod nodes;
mod pruning;
mod quiescence;
mod reductions;
mod scaling;
mod shallow;
mod skipping;
mod table;

use std::sync::Mutex;

use skewer_eval::{Evaluator, HandWritten};
use skewer_movegen::{Bitboard, Board, Move};
use skewer_ordering::PlayedMove;
use skewer_tt::{Table, TableSize};
use skewer_types::{Bound, Depth, Ply, Score, Techniques};

use crate::scale::Optimism;
use crate::search::{Expect, Memory, NonPv, Pv, Root, Search};
use crate::state::{Candidate, Found, Node, Tried};
use crate::time::Timer;
use crate::{Context, Counters, Limits, Position, SearchControl, SharedHistories};

type TestSearch<'a> = Search<'a, HandWritten, Techniques>;

/// The memory and tables that no test is using. Making them takes longer than most tests.
static UNUSED: Mutex<Vec<(Memory, Table)>> = Mutex::new(Vec::new());

/// A memory and a table without content, made anew or reset.
fn memory_and_table() -> (Memory, Table) {
    let unused = UNUSED.lock().ok().and_then(|mut unused| unused.pop());
    let (mut memory, mut table) = unused.unwrap_or_else(|| {
        (
            Memory::new(SharedHistories::default()),
            Table::new(TableSize::from_megabytes(1)).expect("a megabyte"),
        )
    });
    memory.clear();
    memory.lines.iter_mut().for_each(crate::Line::clear);
    table.reset();
    (memory, table)
}

/// Calls `test` with a search of `fen` whose root is set up.
fn with_search<R>(
    fen: &str,
    set: Techniques,
    test: impl FnOnce(&mut TestSearch, &Board) -> R,
) -> R {
    with_limited_search(fen, set, Limits::default(), test)
}

/// [`with_search`] with limits.
fn with_limited_search<R>(
    fen: &str,
    set: Techniques,
    limits: Limits,
    test: impl FnOnce(&mut TestSearch, &Board) -> R,
) -> R {
    let board: Board = fen.parse().expect("a legal position");
    let (mut memory, table) = memory_and_table();
    let (control, counters) = (SearchControl::new(limits), Counters::default());
    let context = Context::solo(&table, &control, &counters);
    let mut evaluator = HandWritten::default();
    evaluator.reset(&board);
    memory.root.start(board.legal_moves().iter().copied(), None);
    let mut search = Search {
        set,
        evaluator: &mut evaluator,
        memory: &mut memory,
        context: &context,
        timer: Timer::new(control.limits(), 1, false),
        id: 0,
        diversity: crate::diversity::Diversity::of(0),
        nodes: 0,
        node_limit: u64::MAX,
        tb_hits: 0,
        seldepth: 0,
        root_depth: 8,
        optimism: Optimism::default(),
        hashfull: 0,
        hashfull_due: 0,
        null_from: 0,
        aborted: false,
    };
    search.prepare(&Position::new(board));
    let result = test(&mut search, &board);
    if let Ok(mut unused) = UNUSED.lock() {
        unused.push((memory, table));
    }
    result
}

/// Puts the score of `board` into the table, as the result of a search of this depth that ended at `ply`. The entry
/// settles every search of `board` with a null window that is no deeper.
fn know(search: &TestSearch, board: &Board, ply: Ply, score: Score, depth: Depth) {
    let key = crate::table_key::table_key(board, search.set);
    search.store(key, ply, None, score, None, depth, Some(Bound::Exact));
}

/// Aborts the search after this many further moves.
fn stop_after(search: &mut TestSearch, moves: u64) {
    search.node_limit = search.nodes + moves;
}

fn uci(board: &Board, text: &str) -> Move {
    board.parse_uci(text).expect("a legal move")
}

fn node(ply: Ply, depth: Depth) -> Node {
    Node {
        ply,
        depth,
        alpha: Score::ZERO,
        beta: Score::new(1),
        expect: Expect::All,
        in_check: false,
        excluded: None,
        least: -Score::INFINITE,
        greatest: Score::INFINITE,
        key: 0,
        entry: None,
        hash_move: None,
        raw_eval: None,
        static_eval: Score::ZERO,
        eval: Score::ZERO,
        correction_size: 0,
        improving: false,
        hash_move_is_tactical: false,
    }
}

#[test]
fn wins_beyond_the_fifty_move_limit_become_evaluations() {
    use crate::table_key::from_table;
    for (score, plies) in [(Score::mate_in(18), 18), (Score::tb_win_in(18), 18)] {
        let clock = 100 - plies;
        assert_eq!(from_table(score, 0, clock), score);
        assert_eq!(from_table(score, 0, clock + 1), Score::MAX_EVAL);
        assert_eq!(from_table(-score, 0, clock), -score);
        assert_eq!(from_table(-score, 0, clock + 1), -Score::MAX_EVAL);
    }
}

#[test]
fn an_entry_whose_move_is_not_legal_is_of_another_position() {
    with_search(
        Board::STARTPOS.to_string().as_str(),
        Techniques::DEFAULT,
        |search, board| {
            for (mv, is_found) in [("e2e4", true), ("e2e5", false)] {
                let squares = [&mv[..2], &mv[2..]].map(|name| name.parse().expect("a square"));
                let mv = Move::normal(squares[0], squares[1]);
                search.store(7, 0, Some(mv), Score::ZERO, None, 3, Some(Bound::Exact));
                assert_eq!(search.probe(board, 7, 0).is_some(), is_found, "{mv:?}");
            }
        },
    );
}

/// White takes the pawn with the bishop, which fails high against a window far below the truth. The
/// last iteration preferred a king move.
#[test]
fn a_fail_high_counts_when_the_wider_search_is_aborted() {
    let fen = "4k3/8/8/3p4/8/8/6B1/4K3 w - - 0 1";
    let depth = 6;
    let wins = |board: &Board| uci(board, "g2d5");
    let first_window = |search: &mut TestSearch, board: &Board| {
        let moves = &mut search.memory.root.moves;
        let place = moves.iter().position(|root| root.mv == wins(board));
        moves.swap(0, place.expect("a legal move"));
        moves[0].average = Some(Score::new(-900));
    };
    let set = Techniques::DEFAULT;
    // The nodes of the first window alone.
    let nodes = with_search(fen, set, |search, board| {
        first_window(search, board);
        let score = search.node::<Root>(
            board,
            0,
            Score::new(-950),
            Score::new(-850),
            depth,
            Expect::All,
        );
        assert!(score >= Score::new(-850), "{score:?}");
        search.nodes
    });
    with_search(fen, set, |search, board| {
        first_window(search, board);
        search.node_limit = nodes + 2;
        let alpha = search.search_line(board, depth, 0, 1, &mut |_| {});
        assert!(search.aborted);
        let mut best = Some(crate::iterate::Best {
            mv: uci(board, "e1d1"),
            score: Score::ZERO,
            depth: depth - 1,
            pv: crate::Line::new(),
        });
        search.keep_from_aborted_iteration(&mut best, alpha);
        assert_eq!(best.map(|best| best.mv), Some(wins(board)));
    });
}

#[test]
fn an_aborted_fail_high_reports_no_mate_without_its_line() {
    let fen = "4k3/8/8/8/8/8/8/R3K2R w - - 0 1";
    with_search(fen, Techniques::DEFAULT, |search, _| {
        let mut failed_high = search.memory.root.moves[0].clone();
        failed_high.score = Score::mate_in(35);
        failed_high.pv.clear();
        failed_high.pv.push(failed_high.mv);
        search.memory.root.failed_high = Some(failed_high);
        for root in &mut search.memory.root.moves {
            root.score = -Score::INFINITE;
            root.was_searched = false;
        }
        let mut best = None;
        search.keep_from_aborted_iteration(&mut best, Score::ZERO);
        assert_eq!(best.map(|best| best.score), Some(Score::MAX_EVAL));
    });
}

#[test]
fn the_key_to_prefetch_is_the_key_of_the_position_after_the_move() {
    // No castling right is left, and the next quiet move changes the fifty-move bucket.
    let fen = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2N1PN2/PP2BPPP/R2Q1RK1 w - - 23 10";
    with_search(fen, Techniques::DEFAULT, |search, board| {
        for mv in &board.legal_moves() {
            assert_eq!(
                crate::table_key::likely_key_after(board, mv, search.set),
                crate::table_key::table_key(&board.play(mv), search.set),
                "{mv:?}"
            );
        }
    });
}

#[test]
fn a_line_of_one_move_gets_its_answer_from_the_table() {
    let fen = "4k3/8/8/8/8/8/8/R3K2R w - - 0 1";
    with_search(fen, Techniques::DEFAULT, |search, board| {
        let mv = uci(board, "a1a7");
        let after = board.play(mv);
        let answer = uci(&after, "e8f8");
        let key = crate::table_key::table_key(&after, search.set);
        let (eval, depth, bound) = (Score::ZERO, 5, Some(Bound::Upper));
        search.store(key, 1, Some(answer), eval, None, depth, bound);
        let mut line: crate::Line = [mv].into_iter().collect();
        search.add_answer_of_table(&Position::new(*board), &mut line);
        assert_eq!(line[..], [mv, answer]);
        search.add_answer_of_table(&Position::new(*board), &mut line);
        assert_eq!(line[..], [mv, answer]);
    });
}

const PREVIOUS: &str = "4k3/8/1n6/8/3n4/8/1R6/4K1B1 w - - 0 1";

/// The histories of the root move `text` after `learn` was called at the node below it: the capture
/// history, or the butterfly and pawn histories.
fn histories_of_previous(text: &str, learn: impl FnOnce(&mut TestSearch)) -> [i32; 2] {
    let set = Techniques::all() - Techniques::THREAT_HISTORY;
    with_search(PREVIOUS, set, |search, board| {
        let mv = uci(board, text);
        search.play(board, mv, 0);
        learn(search);
        let context = search.move_context(0, search.memory.stack.at(0).attacked);
        let histories = &search.memory.histories;
        if PlayedMove::new(board, mv).is_tactical() {
            return [histories.capture(set, board, mv, &context), 0];
        }
        [Techniques::QUIET_HISTORY, Techniques::PAWN_HISTORY]
            .map(|set| histories.quiet_sum(set, board, mv, &context))
    })
}

#[test]
fn a_fail_low_rewards_the_previous_move_in_its_own_histories() {
    let histories = |text, expect| {
        histories_of_previous(text, |search| {
            let node = Node {
                expect,
                ..node(1, 6)
            };
            search.reward_previous_move(&node, Score::ZERO);
        })
    };
    let capture = histories("b2b6", Expect::Cut);
    assert!(capture[0] > 0, "{capture:?}");
    let quiet = histories("b2b4", Expect::Cut);
    assert!(quiet[0] > 0 && quiet[1] > 0, "{quiet:?}");
    assert_eq!(histories("b2b4", Expect::All), [0, 0], "it was expected");
}

#[test]
fn a_fail_high_punishes_an_early_quiet_previous_move() {
    let continuation = |number| {
        with_search(PREVIOUS, Techniques::all(), |search, board| {
            let after = search.play(board, uci(board, "e1d1"), 0);
            let mv = uci(&after, "e8d8");
            search.play(&after, mv, 1);
            search.memory.stack.at_mut(1).number = number;
            search.punish_previous_move(&node(2, 6));
            let context = search.move_context(1, after.occupied());
            let set = Techniques::CONTINUATION_HISTORY;
            let histories = &search.memory.histories;
            histories.quiet_sum(set, &after, mv, &context)
        })
    };
    assert!(continuation(1) < 0);
    assert_eq!(continuation(9), 0);
}

#[test]
fn a_cut_off_that_the_evaluation_did_not_foresee_gets_a_larger_bonus() {
    let bonus = |surprise| {
        with_search(PREVIOUS, Techniques::all(), |search, board| {
            let mv = uci(board, "e1d1");
            let context = search.move_context(0, Bitboard::EMPTY);
            let tried = Tried::default();
            search.learn_moves(board, &node(0, 4), surprise, &context, mv, &tried);
            let histories = &search.memory.histories;
            histories.quiet_sum(Techniques::QUIET_HISTORY, board, mv, &context)
        })
    };
    assert!(bonus(true) > bonus(false) && bonus(false) > 0);
}

#[test]
fn the_previous_move_is_rewarded_more_for_a_score_below_the_evaluation() {
    let reward = |best| {
        histories_of_previous("b2b4", |search| {
            search.reward_previous_move(&node(1, 6), Score::new(best));
        })[0]
    };
    assert!(reward(-300) > reward(0));
}

#[test]
fn a_multi_cut_teaches_no_correction() {
    let correction = |best: i32, best_move: Option<&str>, bound| {
        with_search(PREVIOUS, Techniques::DEFAULT, |search, board| {
            let found = Found {
                best: Score::new(best),
                best_move: best_move.map(|text| uci(board, text)),
                bound,
                moves: 1,
            };
            search.conclude(board, &node(0, 8), found);
            search.correction(board, 0)
        })
    };
    assert!(correction(500, Some("e1d1"), Bound::Lower) > 0);
    assert_eq!(correction(500, None, Bound::Lower), 0);
    assert!(correction(-500, None, Bound::Upper) < 0, "a fail-low");
}

#[test]
fn a_root_in_check_has_an_evaluation_to_compare_with() {
    // White is in check and a queen up.
    let fen = "4k3/8/8/8/8/4r3/8/Q2QK3 w - - 0 1";
    with_search(fen, Techniques::DEFAULT, |search, board| {
        let mut node = node(0, 4);
        node.in_check = true;
        search.evaluate_node(board, &mut node);
        assert!(node.static_eval > Score::new(300), "{:?}", node.static_eval);
    });
}

/// The null move's verification begins with a depth that has been adjusted.
#[test]
fn a_node_that_is_verified_keeps_its_depth() {
    let depth = |null_from| {
        with_search(PREVIOUS, Techniques::DEFAULT, |search, _| {
            search.null_from = null_from;
            let parent = search.memory.stack.at_mut(0);
            parent.reduction = 5;
            parent.static_eval = Score::new(-200);
            let mut node = node(1, 16);
            search.adjust_depth::<NonPv>(&mut node);
            node.depth
        })
    };
    assert_eq!([0, 1, 2, 9].map(depth), [17, 17, 16, 16]);
}

/// White has taken a pawn, and Black, a queen down, can take it back.
#[test]
fn quiescence_does_not_skip_a_recapture() {
    let nodes = |set: Techniques| {
        with_search(
            "4k3/8/4p3/3p4/4P3/8/8/3QK3 w - - 0 1",
            set,
            |search, board| {
                let after = search.play(board, uci(board, "e4d5"), 0);
                let before = search.nodes;
                search.quiesce::<NonPv>(&after, 1, Score::new(300), Score::new(301));
                search.nodes - before
            },
        )
    };
    assert!(nodes(Techniques::DEFAULT) > 0);
    assert_eq!(nodes(Techniques::DEFAULT - Techniques::RECAPTURES), 0);
}

#[test]
fn the_change_of_the_evaluation_is_credited_to_the_quiet_move_before() {
    let change = |evaluation: i32| {
        histories_of_previous("b2b4", |search| {
            search.memory.stack.at_mut(0).static_eval = Score::ZERO;
            let mut node = node(1, 6);
            // For the opponent, who is to move.
            node.static_eval = Score::new(evaluation);
            search.credit_evaluation_change(&node);
        })[0]
    };
    assert!(change(-100) > 0 && change(100) < 0);
}

/// White is a queen up: even if it passes, it stays above beta.
#[test]
fn a_null_move_cuts_off_a_node_far_above_beta() {
    let cut_off = |set: Techniques, expect| {
        with_search("3qk3/8/8/8/8/8/8/Q2QK3 w - - 0 1", set, |search, board| {
            search.memory.stack.at_mut(0).mv = Some(uci(board, "e1e2"));
            let node = Node {
                expect,
                eval: Score::new(900),
                static_eval: Score::new(900),
                ..node(1, 5)
            };
            search.null_move(board, &node).is_some()
        })
    };
    assert!(cut_off(Techniques::DEFAULT, Expect::Cut));
    assert!(!cut_off(
        Techniques::DEFAULT - Techniques::NULL_MOVE,
        Expect::Cut
    ));
    assert!(!cut_off(Techniques::DEFAULT, Expect::All));
}

/// White can move a knight back and so repeat the position after its first move.
#[test]
fn a_repetition_that_the_next_move_can_bring_is_a_draw() {
    let bound = |set: Techniques| {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 3";
        with_search(fen, set, |search, board| {
            let mut board = *board;
            for (ply, text) in ["g1f3", "g8f6", "b1c3", "f6g8"].into_iter().enumerate() {
                board = search.play(&board, uci(&board, text), ply);
            }
            // White can play Nc3-b1, which repeats the position after Ng1-f3.
            search.raise_to_draw(&board, 4, -Score::INFINITE)
        })
    };
    assert_eq!(bound(Techniques::DEFAULT), Score::DRAW);
    let without = Techniques::DEFAULT - Techniques::UPCOMING_REPETITION;
    assert_eq!(bound(without), -Score::INFINITE);
}

/// A move of `board` that comes second in the order.
fn second(board: &Board, text: &str) -> Candidate {
    let mv = uci(board, text);
    Candidate {
        mv,
        number: 2,
        tactical: board.is_capture(mv) || mv.is_promotion(),
        gives_check: board.gives_check(mv),
        refutation: false,
        history: 0,
    }
}
