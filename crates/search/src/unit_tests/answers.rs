//! What a search answers, also if its last iteration was cut short.

use super::iteration::{FEN, root_move};
use super::*;
use crate::Report;
use crate::iterate::{Best, Deepening};

/// The answer after an aborted iteration to depth 9, in which the moves had these scores and the window began at
/// `alpha`. The first move was the best of the iteration before.
fn kept(alpha: i32, scores: &[(usize, Score)], failed_high: Option<Score>) -> (Move, Score, Depth) {
    with_search(FEN, Techniques::DEFAULT, |search, _| {
        let root = &mut search.memory.root;
        for root in &mut root.moves {
            root.score = -Score::INFINITE;
            root.was_searched = false;
        }
        for &(index, score) in scores {
            root.moves[index].score = score;
            root.moves[index].was_searched = true;
        }
        if let Some(score) = failed_high {
            let mut found = root.moves[3].clone();
            found.score = score;
            root.failed_high = Some(found);
        }
        let before = &root.moves[0];
        let mut best = Some(Best {
            mv: before.mv,
            score: Score::ZERO,
            // A worker may have left out the iterations 7 and 8.
            depth: 6,
            pv: before.line(),
        });
        search.keep_from_aborted_iteration(&mut best, Score::new(alpha));
        let best = best.expect("the answer before");
        let index = search
            .memory
            .root
            .find(best.mv)
            .expect("a move of the root");
        assert!(index < 4);
        (search.memory.root.moves[index].mv, best.score, best.depth)
    })
}

#[test]
fn an_aborted_iteration_keeps_its_best_move_above_alpha() {
    let first = (root_move(0), Score::ZERO, 6);
    assert_eq!(kept(-10, &[], None), first);
    let (one, two) = ((1, Score::new(5)), (2, Score::new(7)));
    assert_eq!(
        kept(-10, &[one, two], None),
        (root_move(2), Score::new(7), 6)
    );
    assert_eq!(
        kept(-10, &[two, one], None),
        (root_move(2), Score::new(7), 6)
    );
    assert_eq!(kept(7, &[one, two], None), first, "not above alpha");
    assert_eq!(kept(6, &[one, two], None).0, root_move(2));
}

#[test]
fn a_losing_move_of_an_aborted_iteration_is_not_taken_over() {
    let first = (root_move(0), Score::ZERO, 6);
    for lost in [Score::mated_in(6), Score::tb_loss_in(6)] {
        assert_eq!(kept(-32_000, &[(1, lost)], None), first);
        assert_eq!(kept(-32_000, &[], Some(lost)), first);
    }
    assert_eq!(
        kept(-32_000, &[(1, Score::new(-2000))], None).0,
        root_move(1)
    );
}

#[test]
fn a_move_that_failed_high_is_kept_unless_the_wider_window_has_searched_it() {
    let high = Some(Score::new(40));
    assert_eq!(kept(0, &[], high), (root_move(3), Score::new(40), 6));
    assert_eq!(
        kept(0, &[(1, Score::new(5))], high).0,
        root_move(1),
        "it is above alpha"
    );
    let again = (3, -Score::INFINITE);
    assert_eq!(
        kept(0, &[again], high).0,
        root_move(0),
        "searched again, and no better"
    );
}

/// Both sides have pieces to move and to take.
const OPENING: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";

/// The reports and the result of a search of this many lines that ends after `nodes` nodes.
fn ended_after(nodes: u64, lines: usize) -> (Vec<Report>, crate::SearchResult) {
    let limits = Limits {
        multi_pv: lines,
        ..Limits::default()
    };
    with_limited_search(OPENING, Techniques::DEFAULT, limits, |search, board| {
        search.node_limit = nodes;
        let mut reports = Vec::new();
        let result = search.iterate(&Position::new(*board), &mut |report| {
            reports.push(report.clone());
        });
        (reports, result)
    })
}

#[test]
fn of_several_lines_the_answer_is_the_first_of_the_last_list() {
    for nodes in (200..3000).step_by(400) {
        let (reports, result) = ended_after(nodes, 3);
        assert_eq!(reports.len() % 3, 0, "whole lists");
        let head = &reports[reports.len() - 3];
        assert_eq!(head.multi_pv, 1);
        assert_eq!(result.best, Some(head.pv[0]));
        assert_eq!((result.score, result.depth), (head.score, head.depth));
    }
}

#[test]
fn of_a_single_line_the_answer_may_be_of_the_iteration_that_was_cut_short() {
    let mut changed = 0;
    for nodes in (200..3000).step_by(200) {
        let (reports, result) = ended_after(nodes, 1);
        let last = reports.last().expect("the first iteration");
        let own = result.best == Some(last.pv[0]);
        assert!(own, "the answer begins the last line reported");
        changed += u32::from(result.score != last.score);
    }
    assert!(changed > 0);
}

/// Makes the answer of a search, after `change`, and passes the search, the result and the reports to `look`. The last
/// finished iteration found a rook's move with `score`, and the table has an answer to this move.
fn answered(
    lines: usize,
    score: Score,
    change: impl FnOnce(&mut TestSearch, &mut Deepening),
    look: impl FnOnce(&TestSearch, &crate::SearchResult, &[Report]),
) {
    let limits = Limits {
        multi_pv: lines,
        ..Limits::default()
    };
    with_limited_search(FEN, Techniques::DEFAULT, limits, |search, board| {
        let mv = uci(board, "a1a7");
        let after = board.play(mv);
        let answer = Some(uci(&after, "e8f8"));
        let key = crate::table_key::table_key(&after, search.set);
        search.store(key, 1, answer, Score::ZERO, None, 5, Some(Bound::Upper));
        let mut deepening = Deepening::default();
        deepening.add(Best {
            mv,
            score,
            depth: 7,
            pv: [mv].into_iter().collect(),
        });
        change(search, &mut deepening);
        let mut reports = Vec::new();
        let result = search.answer(&Position::new(*board), deepening, &mut |report| {
            reports.push(report.clone());
        });
        look(search, &result, &reports);
    });
}

#[test]
fn a_single_line_of_any_worker_and_the_lines_of_the_first_end_the_search() {
    let ends = |id, lines, aborted| {
        let mut ended = false;
        answered(
            lines,
            Score::ZERO,
            |search, _| (search.id, search.aborted) = (id, aborted),
            |search, _, _| ended = search.context.control.has_ended(),
        );
        ended
    };
    for lines in [1, 3] {
        assert!(ends(0, lines, false) && ends(0, lines, true));
    }
    assert!(ends(1, 1, false) && !ends(1, 3, false));
    assert!(!ends(1, 1, true) && !ends(1, 3, true));
}

#[test]
fn a_line_of_one_move_that_was_cut_short_gets_its_answer_from_the_table_unless_it_mates() {
    let ponder = |lines, aborted, score| {
        let mut found = false;
        answered(
            lines,
            score,
            |search, _| search.aborted = aborted,
            |_, result, _| found = result.ponder.is_some(),
        );
        found
    };
    assert!(ponder(1, true, Score::new(50)));
    assert!(!ponder(1, false, Score::new(50)), "a finished iteration");
    assert!(!ponder(2, true, Score::new(50)), "one of several lines");
    assert!(!ponder(1, true, Score::mate_in(1)));
}

#[test]
fn an_answer_that_was_not_reported_is_reported_with_the_greatest_ply_of_its_search() {
    for other in [false, true] {
        answered(
            1,
            Score::new(30),
            |search, deepening| {
                for (index, root) in search.memory.root.moves.iter_mut().enumerate() {
                    root.seldepth = 10 + index;
                }
                let root = &search.memory.root.moves[4];
                assert_ne!(Some(root.mv), deepening.best.as_ref().map(|best| best.mv));
                if other {
                    deepening.best = Some(Best {
                        mv: root.mv,
                        score: Score::new(40),
                        depth: 8,
                        pv: root.line(),
                    });
                }
            },
            |_, result, reports| {
                let shown: Vec<_> = reports
                    .iter()
                    .map(|report| (report.pv[0], report.score, report.depth, report.seldepth))
                    .collect();
                let best = result.best.expect("a move");
                let own = (best, Score::new(40), 8, 14);
                assert_eq!(shown, if other { vec![own] } else { Vec::new() });
            },
        );
    }
}

#[test]
fn a_finished_game_has_a_score_but_no_move_and_the_first_worker_ends_its_search() {
    for (fen, score) in [
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", Score::mated_in(0)),
        ("k7/8/1Q6/8/8/8/8/7K b - - 0 1", Score::DRAW),
    ] {
        for id in [0, 1] {
            with_search(fen, Techniques::DEFAULT, |search, board| {
                search.id = id;
                let mut reports = Vec::new();
                let result = search.iterate(&Position::new(*board), &mut |report| {
                    reports.push((report.depth, report.score));
                });
                assert_eq!((result.best, result.score), (None, score));
                assert_eq!(reports, [(0, score)]);
                assert_eq!(search.context.control.has_ended(), id == 0);
            });
        }
    }
}
