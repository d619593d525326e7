//! Quiescence: who may stand pat, which moves are looked at, and what is stored.

use super::*;
use crate::params;
use crate::table_key::table_key;
use skewer_ordering::see;
use skewer_types::MAX_PLY;

const OPEN: (Score, Score) = (Score::from_raw(-Score::INFINITE.raw()), Score::INFINITE);

/// The score of a quiescence search with this window around the evaluation, and its nodes.
fn quiesced(fen: &str, set: Techniques, window: impl Fn(Score) -> (Score, Score)) -> (Score, u64) {
    with_search(fen, set, |search, board| {
        let (alpha, beta) = window(search.evaluator.evaluate(board));
        let before = search.nodes;
        let score = search.quiesce::<NonPv>(board, 3, alpha, beta);
        (score, search.nodes - before)
    })
}

fn evaluation(fen: &str) -> Score {
    with_search(fen, Techniques::empty(), |search, board| {
        search.evaluator.evaluate(board)
    })
}

/// The knight can take a pawn that nothing defends.
const KNIGHT: &str = "7k/8/8/8/4p3/2N5/P7/K7 w - - 0 1";

#[test]
fn an_evaluation_at_beta_ends_the_search_before_any_move() {
    let plain = Techniques::empty();
    let score = evaluation(KNIGHT);
    assert_eq!(quiesced(KNIGHT, plain, |eval| (eval - 1, eval)), (score, 0));
    let (higher, nodes) = quiesced(KNIGHT, plain, |eval| (eval, eval + 1));
    assert!(higher > score && nodes == 1, "the pawn is taken");
    // What lies above beta counts by half.
    let blend = Techniques::FAIL_HIGH_BLEND;
    let (blended, _) = quiesced(KNIGHT, blend, |eval| (eval - 101, eval - 100));
    assert_eq!(blended, score - 50);
}

#[test]
fn a_side_in_check_may_not_stand_pat() {
    // The knight's check wins the queen.
    let fork = "4k3/8/8/8/8/8/2n5/Q3K3 w - - 0 1";
    let (score, _) = quiesced(fork, Techniques::empty(), |_| OPEN);
    assert!(score < evaluation(fork) - 300, "{score:?}");
}

#[test]
fn mates_count_their_distance_and_the_stalemate_of_a_king_nothing() {
    for set in [Techniques::empty(), Techniques::DEFAULT] {
        let value = |fen| quiesced(fen, set, |_| OPEN).0;
        assert_eq!(
            value("R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1"),
            Score::mated_in(3)
        );
        assert_eq!(value("k7/8/1Q6/8/8/8/8/7K b - - 0 1"), Score::DRAW);
    }
}

#[test]
fn after_an_evasion_that_does_not_lose_no_quiet_evasion_is_looked_at() {
    let (_, nodes) = quiesced(
        "4k3/4r3/8/8/8/8/8/4K3 w - - 0 1",
        Techniques::empty(),
        |_| OPEN,
    );
    assert_eq!(nodes, 1, "the first of four king moves");
}

#[test]
fn a_capture_that_cannot_reach_alpha_is_left_out() {
    let set = Techniques::DELTA_PRUNING;
    let reach = params::delta_margin() + see::value(skewer_movegen::Piece::Pawn);
    let nodes = |fen, short| {
        let window = |eval| (eval + reach + short, eval + reach + short + 1);
        quiesced(fen, set, window)
    };
    let hope = evaluation(KNIGHT) + reach;
    assert_eq!(nodes(KNIGHT, 0), (hope, 0), "what it could reach at best");
    assert_eq!(nodes(KNIGHT, -1).1, 1);
    // A capture that gives check is not left out, and no capture is left out while the best score is a mate.
    let check = "8/8/5k2/8/4p3/2N5/8/K7 w - - 0 1";
    assert!(nodes(check, 500).1 > 0);
    let mate = |_| (Score::mate_in(9), Score::mate_in(8));
    assert_eq!(quiesced(KNIGHT, set, mate).1, 1);
}

/// The queen can take five pawns.
const FIVE: &str = "7k/8/8/1p1p1p2/8/1p1Q1p2/8/K7 w - - 0 1";

#[test]
fn three_captures_are_looked_at() {
    let nodes = |set| quiesced(FIVE, set, |_| OPEN).1;
    assert_eq!(nodes(Techniques::empty()), 5);
    assert_eq!(
        nodes(Techniques::QUIESCENCE_LIMIT),
        params::quiescence_moves() as u64
    );
    let only = quiesced(KNIGHT, Techniques::QUIESCENCE_LIMIT, |_| OPEN).1;
    assert_eq!(only, 1);
}

#[test]
fn a_capture_that_loses_material_is_not_looked_at() {
    let losing = "4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1";
    let nodes = |set| quiesced(losing, set, |_| OPEN).1;
    assert!(nodes(Techniques::empty()) > 0);
    assert_eq!(nodes(Techniques::SEE_QUIESCENCE), 0);
}

#[test]
fn the_result_is_stored_at_depth_0_with_the_move_and_how_it_bounds_the_score() {
    let stored = |above: bool| {
        with_search(KNIGHT, Techniques::HASH_QUIESCENCE, |search, board| {
            let eval = search.evaluator.evaluate(board);
            let alpha = if above { eval + 10 } else { eval + 2000 };
            search.quiesce::<NonPv>(board, 3, alpha, alpha + 1);
            let entry = search.context.table.probe(table_key(board, search.set));
            let entry = entry.expect("stored");
            assert_eq!((entry.depth, entry.eval), (0, Some(eval)));
            (entry.bound, entry.mv.map(|mv| format!("{mv:?}")))
        })
    };
    assert_eq!(stored(true), (Some(Bound::Lower), Some("c3e4".to_owned())));
    assert_eq!(stored(false), (Some(Bound::Upper), None));
}

#[test]
fn a_draw_by_the_fifty_move_rule_ends_a_search_of_captures_too() {
    let value = |clock: u32| {
        let fen = format!("7k/8/8/8/8/8/8/K5Q1 w - - {clock} 90");
        quiesced(&fen, Techniques::empty(), |_| OPEN).0
    };
    assert_eq!(value(100), Score::DRAW);
    assert!(value(99) > Score::new(300));
}

#[test]
fn a_score_of_the_table_ends_a_search_with_a_null_window_alone() {
    let set = Techniques::HASH_QUIESCENCE | Techniques::HASH_CUTOFF;
    with_search(KNIGHT, set, |search, board| {
        let (key, known) = (table_key(board, search.set), Score::new(777));
        search.store(key, 3, None, known, None, 0, Some(Bound::Exact));
        let (alpha, beta) = (Score::new(10), Score::new(11));
        assert_eq!(search.quiesce::<NonPv>(board, 3, alpha, beta), known);
        assert_ne!(search.quiesce::<Pv>(board, 3, alpha, beta), known);
    });
}

/// The nodes of a search with an open window.
fn nodes(fen: &str, set: Techniques) -> u64 {
    quiesced(fen, set, |_| OPEN).1
}

#[test]
fn a_repetition_that_the_next_move_can_bring_is_a_draw_in_a_search_of_captures_too() {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 4 3";
    let score = |set, alpha: i32| {
        with_search(fen, set, |search, board| {
            let mut board = *board;
            for (ply, text) in ["g1f3", "g8f6", "b1c3", "f6g8"].into_iter().enumerate() {
                board = search.play(&board, uci(&board, text), ply);
            }
            // White, a queen down, can play Nc3-b1.
            search.quiesce::<NonPv>(&board, 4, Score::new(alpha), Score::new(alpha + 1))
        })
    };
    // Also where a draw is just enough for beta.
    for alpha in [-3000, -1] {
        let set = Techniques::UPCOMING_REPETITION;
        assert_eq!(score(set, alpha), Score::DRAW);
        assert!(score(Techniques::empty(), alpha) < Score::new(-300));
    }
}

#[test]
fn the_evaluation_is_a_lower_bound_for_the_replies() {
    // The queen takes a pawn. One of two recaptures is enough to show that White should rather have stood still.
    let defended = "4k3/2p1p3/3p4/8/8/8/3Q4/4K3 w - - 0 1";
    assert_eq!(nodes(defended, Techniques::empty()), 2);
}

#[test]
fn in_check_no_evasion_is_left_out_while_the_best_is_lost() {
    // The table says that the opponent mates after each of the four king's moves.
    let fen = "4k3/4r3/8/8/8/8/8/4K3 w - - 0 1";
    let set = Techniques::HASH_QUIESCENCE | Techniques::HASH_CUTOFF;
    with_search(fen, set, |search, board| {
        for mv in &board.legal_moves() {
            know(search, &board.play(mv), 4, Score::mate_in(9), 0);
        }
        let (low, high) = (-Score::INFINITE, Score::INFINITE);
        let score = search.quiesce::<NonPv>(board, 3, low, high);
        assert_eq!((search.nodes, score), (4, Score::mated_in(9)));
    });
    // White can answer the check only by putting the queen between, where it is lost. Such a move is searched,
    // although it loses material, because there is no other.
    let back_rank = "6k1/8/8/8/8/8/3Q2PP/1r5K w - - 0 1";
    let (score, nodes) = quiesced(back_rank, Techniques::SEE_QUIESCENCE, |_| OPEN);
    assert!(nodes >= 3 && score > -Score::INFINITE, "{score:?}");
}

#[test]
fn in_check_an_evasion_that_loses_material_is_left_out_after_a_better_one() {
    // The pawn takes the rook; so can the queen, which is lost then.
    let fen = "4k3/8/8/2n5/1Q2r3/3P4/8/4K3 w - - 0 1";
    let set = Techniques::SEE_QUIESCENCE;
    assert!(nodes(fen, set) < nodes(fen, Techniques::empty()));
}

#[test]
fn in_check_no_capture_comes_too_late_or_wins_too_little() {
    // Five pieces can take the checking pawn, which nothing defends.
    let fen = "7k/8/8/1B6/5N2/3p4/4K3/2NR4 w - - 0 1";
    let board: Board = fen.parse().expect("a legal position");
    let takes = |mv: &&Move| board.is_capture(**mv);
    let captures = board.legal_moves().iter().filter(takes).count() as u64;
    assert!(board.in_check() && captures > params::quiescence_moves() as u64);
    let all = nodes(fen, Techniques::empty());
    assert_eq!(all, captures);
    assert_eq!(nodes(fen, Techniques::QUIESCENCE_LIMIT), all);
    let far = |eval| (eval + 3000, eval + 3001);
    let (_, delta) = quiesced(fen, Techniques::DELTA_PRUNING, far);
    assert_eq!(delta, captures);
}

#[test]
fn a_score_above_beta_that_a_capture_brings_is_averaged_with_beta() {
    let above = |set| quiesced(KNIGHT, set, |eval| (eval + 9, eval + 10)).0;
    let beta = evaluation(KNIGHT) + 10;
    let whole = above(Techniques::empty());
    assert!(whole > beta + 10);
    let half = Score::from_raw(i32::midpoint(whole.raw(), beta.raw()));
    assert_eq!(above(Techniques::FAIL_HIGH_BLEND), half);
}

#[test]
fn the_score_of_the_table_is_stood_on_where_its_bound_tightens_the_evaluation() {
    let score = |set, bound| {
        with_search(KNIGHT, set, |search, board| {
            let eval = search.evaluator.evaluate(board);
            let key = table_key(board, search.set);
            search.store(key, 3, None, eval + 30, None, 0, Some(bound));
            let found = search.quiesce::<NonPv>(board, 3, eval - 1, eval);
            (found - eval, search.nodes)
        })
    };
    let set = Techniques::HASH_QUIESCENCE | Techniques::HASH_EVAL;
    assert_eq!(score(set, Bound::Lower), (30, 0));
    assert_eq!(score(set, Bound::Upper), (0, 0));
    assert_eq!(score(Techniques::HASH_QUIESCENCE, Bound::Lower), (0, 0));
}

/// The first move of a search with an open window in which the table names the move `text`.
fn first(fen: &str, text: &str, set: Techniques) -> Option<Move> {
    with_search(fen, set, |search, board| {
        let (key, mv) = (table_key(board, search.set), uci(board, text));
        search.store(key, 3, Some(mv), Score::ZERO, None, 0, None);
        stop_after(search, 1);
        search.quiesce::<NonPv>(board, 3, OPEN.0, OPEN.1);
        search.memory.stack.at(3).mv
    })
}

#[test]
fn the_move_of_the_table_comes_first_but_a_quiet_move_in_check_alone() {
    let quiet = "7k/8/8/8/8/8/P7/K7 w - - 0 1";
    let check = "4k3/4r3/8/8/8/8/8/4K3 w - - 0 1";
    for set in [Techniques::empty(), Techniques::SEE_QUIESCENCE] {
        let set = set | Techniques::HASH_QUIESCENCE | Techniques::HASH_MOVE;
        let name = |fen, text| first(fen, text, set).map(|mv| format!("{mv:?}"));
        assert_eq!(name(quiet, "a2a4"), None);
        for text in ["e1d1", "e1f2"] {
            assert_eq!(name(check, text).as_deref(), Some(text));
        }
        for text in ["d3b3", "d3d5", "d3f5"] {
            assert_eq!(name(FIVE, text).as_deref(), Some(text));
        }
    }
}

#[test]
fn a_capture_may_lose_a_little_material() {
    // A bishop for a knight, which a pawn defends.
    let fen = "4k3/2p5/3n4/8/5B2/8/8/4K3 w - - 0 1";
    let piece = |piece| see::value(piece);
    let loss = piece(skewer_movegen::Piece::Bishop) - piece(skewer_movegen::Piece::Knight);
    assert!(loss > 0 && loss <= params::quiescence_see());
    assert!(nodes(fen, Techniques::SEE_QUIESCENCE) > 0);
}

#[test]
fn a_stalemate_is_looked_for_with_nothing_but_a_king_and_pawns() {
    let value = |fen| quiesced(fen, Techniques::empty(), |_| OPEN).0;
    // White's king has no square, and its pawn is blocked.
    assert_eq!(value("8/8/8/8/7p/6kP/6r1/7K w - - 0 1"), Score::DRAW);
    // The bishop is pinned, so White is stalemated. With a piece, stalemate is not looked for, and
    // the evaluation is returned.
    let pinned = "8/8/8/8/8/6k1/8/r5BK w - - 0 1";
    let board: Board = pinned.parse().expect("a legal position");
    assert!(!board.has_legal_moves() && !board.in_check());
    assert_eq!(value(pinned), evaluation(pinned));
}

#[test]
fn a_capture_takes_back_only_where_the_move_before_took() {
    // White's pawn has moved to d5, where Black, a queen down, can take it.
    let fen = "4k3/8/4p3/8/3P4/8/8/3QK3 w - - 0 1";
    let set = Techniques::DEFAULT;
    with_search(fen, set, |search, board| {
        let after = search.play(board, uci(board, "d4d5"), 0);
        let before = search.nodes;
        search.quiesce::<NonPv>(&after, 1, Score::new(300), Score::new(301));
        assert_eq!(search.nodes, before, "too little to gain");
    });
}

#[test]
fn the_last_ply_is_evaluated() {
    for (ply, nodes) in [(MAX_PLY - 1, 1), (MAX_PLY, 0)] {
        with_search(KNIGHT, Techniques::empty(), |search, board| {
            search.quiesce::<NonPv>(board, ply, OPEN.0, OPEN.1);
            assert_eq!(search.nodes, nodes, "ply {ply}");
        });
    }
}

#[test]
fn without_the_technique_a_search_of_captures_stores_nothing() {
    // One search ends by its evaluation, the other looks at the capture.
    for above in [-100, 10] {
        let stored = |set| {
            with_search(KNIGHT, set, |search, board| {
                let alpha = search.evaluator.evaluate(board) + above;
                search.quiesce::<NonPv>(board, 3, alpha, alpha + 1);
                search.context.table.probe(table_key(board, search.set))
            })
        };
        assert_eq!(stored(Techniques::empty()), None);
        assert!(stored(Techniques::HASH_QUIESCENCE).is_some());
    }
}

#[test]
fn the_principal_variation_of_captures_has_nothing_of_an_earlier_line() {
    with_search(KNIGHT, Techniques::empty(), |search, board| {
        let takes = uci(board, "c3e4");
        for line in &mut search.memory.lines[..9] {
            line.push(takes);
        }
        search.quiesce::<Pv>(board, 3, OPEN.0, OPEN.1);
        assert_eq!(search.memory.lines[3][..], [takes]);
    });
}

#[test]
fn a_capture_as_good_as_beta_ends_the_search_and_one_as_good_as_alpha_is_no_best_move() {
    // The knight can take either pawn.
    let fen = "7k/8/8/1p6/4p3/2N5/P7/K7 w - - 0 1";
    let set = Techniques::HASH_QUIESCENCE;
    let search = |alpha: Score| {
        with_search(fen, set, |search, board| {
            let score = search.quiesce::<NonPv>(board, 3, alpha, alpha + 1);
            let entry = search.context.table.probe(table_key(board, search.set));
            let entry = entry.expect("stored");
            (score, search.nodes, entry.bound, entry.mv.is_some())
        })
    };
    // Both captures exceed this window, and so the first ends the search.
    let (first, nodes, ..) = search(evaluation(fen));
    assert_eq!(nodes, 1);
    assert_eq!(search(first - 1), (first, 1, Some(Bound::Lower), true));
    let (best, _) = quiesced(fen, set, |_| OPEN);
    assert_eq!(search(best), (best, 2, Some(Bound::Upper), false));
}

#[test]
fn of_the_captures_that_are_left_out_the_one_that_could_gain_most_bounds_the_score() {
    // The knight can take another knight or a pawn.
    let fen = "7k/8/8/1n6/4p3/2N5/P7/K7 w - - 0 1";
    let knight = see::value(skewer_movegen::Piece::Knight);
    let far = |eval| (eval + 3000, eval + 3001);
    let hope = evaluation(fen) + params::delta_margin() + knight;
    assert_eq!(quiesced(fen, Techniques::DELTA_PRUNING, far), (hope, 0));
}

#[test]
fn captures_that_come_too_late_do_not_raise_the_score() {
    let score = |set| quiesced(FIVE, set, |_| OPEN).0;
    assert!(score(Techniques::QUIESCENCE_LIMIT) <= score(Techniques::empty()));
}

/// The last move that a search of evasions looks at, if the table names `text` and so it comes first.
fn last_evasion(fen: &str, text: &str, set: Techniques) -> String {
    let set = set | Techniques::HASH_QUIESCENCE | Techniques::HASH_MOVE;
    with_search(fen, set, |search, board| {
        let (key, mv) = (table_key(board, search.set), uci(board, text));
        search.store(key, 3, Some(mv), Score::ZERO, None, 0, None);
        search.quiesce::<NonPv>(board, 3, OPEN.0, OPEN.1);
        let last = search.memory.stack.at(3).mv;
        format!("{:?}", last.expect("an evasion"))
    })
}

#[test]
fn in_check_a_promotion_that_loses_the_pawn_is_left_out_after_a_better_evasion() {
    // The pawn can stop the check by its promotion, where the rook takes it.
    let fen = "2K4r/4P3/8/8/8/8/8/k7 w - - 0 1";
    let last = |set| last_evasion(fen, "c8d7", set);
    assert_eq!(last(Techniques::SEE_QUIESCENCE), "c8d7");
    assert_ne!(last(Techniques::empty()), "c8d7");
}

#[test]
fn in_check_an_equal_exchange_is_looked_at_after_another_evasion() {
    // A pawn defends the checking knight, which White's knight can take.
    let fen = "4k3/8/8/8/3N2p1/5n2/8/4K3 w - - 0 1";
    let last = last_evasion(fen, "e1f1", Techniques::SEE_QUIESCENCE);
    assert_eq!(last, "d4f3");
}

#[test]
fn the_history_of_a_capture_of_a_defended_piece_orders_the_captures() {
    // Both pawns that the queen can take are defended.
    let fen = "7k/8/4p3/1p1p4/2p5/3Q4/8/K7 w - - 0 1";
    for text in ["d3c4", "d3d5"] {
        with_search(fen, Techniques::CAPTURE_HISTORY, |search, board| {
            let attacked = board.attacks_by(!board.turn(), board.occupied());
            let (context, mv) = (search.move_context(3, attacked), uci(board, text));
            let histories = &mut search.memory.histories;
            histories.update_capture(board, mv, &context, 2000);
            stop_after(search, 1);
            search.quiesce::<NonPv>(board, 3, OPEN.0, OPEN.1);
            assert_eq!(search.memory.stack.at(3).mv, Some(mv));
        });
    }
}
