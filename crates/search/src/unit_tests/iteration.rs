//! What is kept from one iteration, and one search, to the next.

use super::*;
use crate::iterate::Best;
use crate::params;

const FEN: &str = "4k3/8/8/8/8/8/8/R3K2R w - - 0 1";

/// The answer after an iteration to depth 9 was aborted, whose moves had these scores and whose window began at
/// `alpha`; the first move was best before.
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
            depth: 8,
            pv: before.line(),
        });
        search.keep_from_aborted_iteration(&mut best, Score::new(alpha), 9);
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

fn root_move(index: usize) -> Move {
    let board: Board = FEN.parse().expect("a legal position");
    board.legal_moves()[index]
}

#[test]
fn an_aborted_iteration_keeps_its_best_move_above_alpha() {
    let first = (root_move(0), Score::ZERO, 8);
    assert_eq!(kept(-10, &[], None), first);
    let (one, two) = ((1, Score::new(5)), (2, Score::new(7)));
    assert_eq!(
        kept(-10, &[one, two], None),
        (root_move(2), Score::new(7), 8)
    );
    assert_eq!(
        kept(-10, &[two, one], None),
        (root_move(2), Score::new(7), 8)
    );
    assert_eq!(kept(7, &[one, two], None), first, "not above alpha");
    assert_eq!(kept(6, &[one, two], None).0, root_move(2));
}

#[test]
fn a_losing_move_of_an_aborted_iteration_is_not_taken_over() {
    let first = (root_move(0), Score::ZERO, 8);
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
    assert_eq!(kept(0, &[], high), (root_move(3), Score::new(40), 8));
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

#[test]
fn a_search_begins_with_histories_that_have_aged_and_none_by_ply() {
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

/// The windows around a score of `average`, each left at its lower (-1) or upper (1) end.
fn windows(average: i32, id: usize, ends: &[i32]) -> Vec<(i32, i32)> {
    let mut window =
        crate::window::Window::around(Score::new(average), &crate::diversity::Diversity::of(id));
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
    assert_eq!(width, 14, "the numbers below are made from it");
    // It grows by 45 hundredths, rounded down: 14, 20, 29, 42.
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
    let up = windows(0, 0, &[1; 14]);
    assert_eq!(up.last(), Some(&(-14, open)));
    // From 600 on: the widths are 14, 20, 29, 42, 60, 87, 126, 182, 263, 381, 552, 800.
    assert_eq!(up.iter().filter(|window| window.1 == open).count(), 3);
    let down = windows(0, 0, &[-1; 14]);
    assert_eq!(down.last().map(|window| window.0), Some(-open));
    let mut window =
        crate::window::Window::around(Score::ZERO, &crate::diversity::Diversity::of(0));
    window.raise(Score::mate_in(7));
    assert_eq!(window.beta, Score::INFINITE);
    window.lower(Score::mated_in(7));
    assert_eq!(window.alpha, -Score::INFINITE);
    let edge =
        crate::window::Window::around(Score::mate_in(0), &crate::diversity::Diversity::of(0));
    assert_eq!(edge.beta, Score::INFINITE);
    let edge =
        crate::window::Window::around(Score::mated_in(0), &crate::diversity::Diversity::of(0));
    assert_eq!(edge.alpha, -Score::INFINITE);
}
