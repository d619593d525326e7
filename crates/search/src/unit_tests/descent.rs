//! How a move is searched after it has been played: its windows and depths, and what a late move teaches.

use super::*;
use crate::params;
use crate::reduce::reduction;
use crate::search::Kind;
use crate::table_key::table_key;
use skewer_tt::Entry;

/// Black is a pawn ahead.
const FEN: &str = "4k2r/8/1p6/8/8/8/8/R3K3 w - - 0 1";

/// A move of a node and what is known of it. The score is for the side that moves.
#[derive(Clone, Copy)]
struct Case {
    node: Node,
    number: u32,
    extension: Depth,
    /// The best score of the moves before it.
    best: i32,
}

impl Case {
    fn new(depth: Depth, number: u32) -> Self {
        Self {
            node: node(1, depth),
            number,
            extension: 0,
            best: 0,
        }
    }

    fn candidate(&self, board: &Board) -> Candidate {
        Candidate {
            number: self.number,
            ..second(board, "h8h7")
        }
    }
}

/// Plays White's Kd1 and Black's Rh7, lets `prepare` change the search, and searches Black's move. Then gives the
/// search, the board after the move and the score to `look`.
fn search<K: Kind, R>(
    set: Techniques,
    case: &Case,
    prepare: impl FnOnce(&mut TestSearch, &Board, &mut Candidate),
    look: impl FnOnce(&TestSearch, &Board, i32) -> R,
) -> R {
    with_search(FEN, set, |search, board| {
        let before = search.play(board, uci(board, "e1d1"), 0);
        let mut candidate = case.candidate(&before);
        let after = search.play(&before, candidate.mv, 1);
        prepare(search, &after, &mut candidate);
        let best = Score::new(case.best);
        let score = search.search_move::<K>(&after, &case.node, &candidate, case.extension, best);
        look(search, &after, score.raw())
    })
}

/// The score of the move if an entry of the table with `score` and this depth settles its search; `None` if a move
/// below it is searched. An entry settles only a search with a null window that is no deeper than the entry.
fn settled<K: Kind>(set: Techniques, case: &Case, score: i32, depth: Depth) -> Option<i32> {
    let prepare = |search: &mut TestSearch, after: &Board, _: &mut Candidate| {
        know(search, after, 2, Score::new(-score), depth);
        stop_after(search, 1);
    };
    let set = set | Techniques::HASH_CUTOFF;
    search::<K, _>(set, case, prepare, |search, _, score| {
        (!search.aborted).then_some(score)
    })
}

const PVS: Techniques = Techniques::PRINCIPAL_VARIATION_SEARCH;

#[test]
fn a_later_move_has_a_null_window_and_the_open_window_only_if_it_is_better() {
    let case = |number| {
        let mut case = Case::new(5, number);
        case.node.beta = Score::new(100);
        case
    };
    let settled = |set, number, score| settled::<Pv>(set, &case(number), score, 4);
    for no_better in [0, -7] {
        assert_eq!(settled(PVS, 2, no_better), Some(no_better));
    }
    for better in [1, 99, 100, 500] {
        assert_eq!(settled(PVS, 2, better), None, "{better}");
    }
    assert_eq!(settled(PVS, 1, -7), None, "the first has the open window");
    let without = Techniques::empty();
    assert_eq!(
        settled(without, 2, -7),
        None,
        "so have all moves without the technique"
    );
}

#[test]
fn in_a_node_with_a_null_window_every_move_has_a_null_window() {
    for set in [PVS, Techniques::empty()] {
        for number in [1, 2] {
            for score in [-7, 0, 1, 500] {
                let found = settled::<NonPv>(set, &Case::new(5, number), score, 4);
                assert_eq!(found, Some(score), "move {number}");
            }
        }
    }
}

#[test]
fn a_move_is_searched_a_ply_less_deeply_than_its_node_and_its_extension_deeper() {
    for extension in [-1, 0, 1, 3] {
        let mut case = Case::new(5, 1);
        case.extension = extension;
        let depth = 4 + extension;
        assert_eq!(settled::<NonPv>(PVS, &case, -7, depth), Some(-7));
        assert_eq!(settled::<NonPv>(PVS, &case, -7, depth - 1), None);
    }
}

/// The score of a move, the table's entry for the position after it, and the line that follows.
fn result<K: Kind>(set: Techniques, case: &Case) -> (i32, Entry, usize) {
    search::<K, _>(
        set,
        case,
        |_, _, _| {},
        |search, after, score| {
            let entry = search.probe(after, table_key(after, search.set), 2);
            (score, entry.expect("stored"), search.memory.lines[2].len())
        },
    )
}

#[test]
fn the_open_window_gives_the_value_with_its_line_and_the_null_window_a_bound() {
    let search = |set, number, alpha: i32, beta: i32| {
        let mut case = Case::new(4, number);
        (case.node.alpha, case.node.beta) = (Score::new(alpha), Score::new(beta));
        result::<Pv>(set, &case)
    };
    let case = |number, alpha, beta| search(PVS, number, alpha, beta);
    let (value, entry, line) = case(1, -5000, 5000);
    assert_eq!((entry.bound, entry.depth, line), (Some(Bound::Exact), 3, 3));
    let (again, entry, line) = case(2, value - 1, value + 1);
    assert_eq!((again, entry.bound, line), (value, Some(Bound::Exact), 3));
    let (bound, entry, _) = case(2, value, value + 50);
    assert!(bound <= value && entry.bound == Some(Bound::Lower));
    // Without the technique the second move has the open window at once.
    let (open, entry, line) = search(Techniques::empty(), 2, value - 50, value + 50);
    assert_eq!((open, entry.bound, line), (value, Some(Bound::Exact), 3));
    // The window is the parent's: above beta and below alpha a bound is enough.
    let (bound, entry, _) = case(1, value - 50, value - 20);
    assert!(bound >= value - 20 && entry.bound == Some(Bound::Upper));
    let (bound, entry, _) = case(1, value + 20, value + 50);
    assert!(bound <= value + 20 && entry.bound == Some(Bound::Lower));
}

#[test]
fn the_line_of_a_move_that_ends_the_game_is_empty() {
    // Black's move is the hundredth without progress.
    let fen = "4k2r/8/8/8/8/8/8/R3K3 w - - 98 90";
    for number in [1, 2] {
        for set in [PVS, Techniques::empty()] {
            with_search(fen, set, |search, board| {
                let before = search.play(board, uci(board, "e1d1"), 0);
                let mut case = Case::new(5, number);
                (case.node.alpha, case.node.beta) = (Score::new(-50), Score::new(50));
                let candidate = case.candidate(&before);
                let after = search.play(&before, candidate.mv, 1);
                search.memory.lines[2].push(candidate.mv);
                let best = Score::new(-50);
                let score = search.search_move::<Pv>(&after, &case.node, &candidate, 0, best);
                assert_eq!((score, search.memory.lines[2].len()), (Score::DRAW, 0));
            });
        }
    }
}

/// Where a fail-high is expected and no hash move is known, a ply is taken off.
#[test]
fn a_cut_off_is_expected_after_a_move_that_should_not_be_better() {
    let set = PVS | Techniques::INTERNAL_REDUCTION;
    let is_cut = |depth| match depth {
        depth if depth == params::iir_depth() => false,
        depth if depth == params::iir_depth() - 1 => true,
        depth => panic!("depth {depth}"),
    };
    let mut case = Case::new(params::iir_depth() + 1, 1);
    // No move reaches alpha, so that a null window is all there is.
    (case.node.alpha, case.node.beta) = (Score::new(5000), Score::new(5001));
    for (expect, after) in [(Expect::Cut, false), (Expect::All, true)] {
        case.node.expect = expect;
        assert_eq!(is_cut(result::<NonPv>(set, &case).1.depth), after);
    }
    case.number = 2;
    case.node.beta = Score::new(5100);
    for expect in [Expect::Cut, Expect::All] {
        case.node.expect = expect;
        assert!(
            is_cut(result::<Pv>(set, &case).1.depth),
            "in the open window"
        );
    }
}

const LATE: Techniques = PVS.union(Techniques::LATE_MOVE_REDUCTIONS);

/// The depth of a late move of `case` with its reduction.
fn reduced(case: &Case) -> Depth {
    let board: Board = FEN.parse().expect("a legal position");
    let board = board.play(uci(&board, "e1d1"));
    (case.node.depth - 1 - reduction(case.node.depth, &case.candidate(&board)) / 1024).max(1)
}

#[test]
fn a_late_move_is_searched_less_deeply_and_again_only_if_it_is_better() {
    let case = Case::new(8, 20);
    let (full, reduced) = (7, reduced(&case));
    assert!(reduced < full - 1);
    for no_better in [0, -7] {
        let settled = |depth| settled::<NonPv>(LATE, &case, no_better, depth);
        assert_eq!(settled(reduced), Some(no_better));
        assert_eq!(settled(reduced - 1), None);
    }
    for better in [1, 500] {
        let settled = |depth| settled::<NonPv>(LATE, &case, better, depth);
        assert_eq!((settled(full), settled(full - 1)), (Some(better), None));
    }
}

#[test]
fn the_second_search_is_a_ply_deeper_for_a_great_surplus_and_a_ply_less_deep_for_a_small_one() {
    let set = LATE | Techniques::RESEARCH_DEPTH;
    let full = 7;
    let great = params::deeper_margin() + params::deeper_slope() * full;
    let small = params::shallower_margin();
    for (surplus, depth) in [
        (1, full - 1),
        (small - 1, full - 1),
        (small, full),
        (great, full),
        (great + 1, full + 1),
    ] {
        let case = Case::new(8, 20);
        let settled = |set, depth| settled::<NonPv>(set, &case, surplus, depth);
        assert_eq!(settled(set, depth), Some(surplus));
        assert_eq!(settled(set, depth - 1), None, "surplus {surplus}");
        assert_eq!(settled(LATE, full), Some(surplus));
    }
    // The surplus is over the best score of the moves before.
    let mut case = Case::new(8, 20);
    case.best = -100;
    assert_eq!(settled::<NonPv>(set, &case, 1, full + 1), Some(1));
    assert_eq!(settled::<NonPv>(set, &case, 1, full), None);
    // A move reduced by one ply is not searched a ply less deeply again: the first search had that depth.
    let case = Case::new(8, 2);
    assert_eq!(reduced(&case), full - 1);
    assert_eq!(settled::<NonPv>(set, &case, 1, full - 1), Some(1));
}

#[test]
fn the_second_search_of_a_late_move_expects_a_cut_off_below_an_all_node_alone() {
    let set = LATE | Techniques::INTERNAL_REDUCTION;
    let full = params::iir_depth();
    let mut case = Case::new(full + 1, 20);
    assert!(reduced(&case) < full);
    // The move is better than alpha, so that it is searched again.
    (case.node.alpha, case.node.beta) = (Score::new(-5001), Score::new(-5000));
    for (expect, depth) in [(Expect::Cut, full), (Expect::All, full - 1)] {
        case.node.expect = expect;
        assert_eq!(result::<NonPv>(set, &case).1.depth, depth);
    }
}

/// The continuation history of Black's move after the move was searched, where the table has `known` for the position
/// after the move.
fn learnt(
    set: Techniques,
    case: &Case,
    known: (i32, Depth),
    change: impl FnOnce(&mut TestSearch, &mut Candidate),
) -> i32 {
    let prepare = |search: &mut TestSearch, after: &Board, candidate: &mut Candidate| {
        know(search, after, 2, Score::new(-known.0), known.1);
        change(search, candidate);
    };
    let set = set | Techniques::HASH_CUTOFF;
    search::<NonPv, _>(set, case, prepare, |search, _, _| {
        let board: Board = FEN.parse().expect("a legal position");
        let before = board.play(uci(&board, "e1d1"));
        let context = search.move_context(1, Bitboard::EMPTY);
        let wanted = Techniques::CONTINUATION_HISTORY;
        let histories = &search.memory.histories;
        histories.quiet_sum(wanted, &before, uci(&before, "h8h7"), &context)
    })
}

#[test]
fn the_second_search_of_a_late_quiet_move_teaches_whether_it_is_good() {
    let case = Case::new(4, 30);
    let (full, reduced) = (3, reduced(&case));
    assert!((1..full).contains(&reduced));
    let same = |_: &mut TestSearch, _: &mut Candidate| {};
    assert!(learnt(LATE, &case, (500, full), same) > 0, "better");
    // The first search finds a score of 6000 in the table, and the second search does not find it.
    let mut high = case;
    (high.node.alpha, high.node.beta) = (Score::new(5000), Score::new(5001));
    assert!(learnt(LATE, &high, (6000, reduced), same) < 0, "no better");
    // Without a second search the histories stay as they were.
    assert_eq!(learnt(LATE, &case, (0, full), same), 0);
    assert_eq!(learnt(LATE, &Case::new(4, 1), (500, full), same), 0);
    let good = |_: &mut TestSearch, candidate: &mut Candidate| candidate.history = 1_000_000;
    let set = LATE | Techniques::REDUCTION_ADJUSTERS;
    assert_eq!(learnt(set, &case, (500, full), good), 0, "not reduced");
    let stop = |search: &mut TestSearch, _: &mut Candidate| stop_after(search, 1);
    assert_eq!(learnt(LATE, &high, (6000, reduced), stop), 0, "aborted");
    let capture = |_: &mut TestSearch, candidate: &mut Candidate| candidate.tactical = true;
    let set = LATE | Techniques::CAPTURE_REDUCTIONS;
    assert_eq!(learnt(set, &case, (500, full), capture), 0, "a capture");
}

/// A node that was reduced by enough plies gets one back if its side stands badly in both evaluations.
#[test]
fn the_node_below_knows_the_reduction_of_the_first_search_and_that_alone() {
    let set = LATE | Techniques::HINDSIGHT;
    let depth_below = |case: &Case| {
        let badly = |search: &mut TestSearch, _: &Board, _: &mut Candidate| {
            search.memory.stack.at_mut(1).static_eval = Score::new(-3000);
            // Left over from an earlier move.
            search.memory.stack.at_mut(1).reduction = 9;
        };
        search::<NonPv, _>(set, case, badly, |search, after, _| {
            assert_eq!(search.memory.stack.at(1).reduction, 0);
            let entry = search.probe(after, table_key(after, search.set), 2);
            let entry = entry.expect("stored");
            let is_low = case.node.alpha > Score::ZERO;
            let bound = if is_low { Bound::Lower } else { Bound::Upper };
            assert_eq!(entry.bound, Some(bound), "a null window");
            entry.depth
        })
    };
    let case = |depth, number| {
        let mut case = Case::new(depth, number);
        (case.node.alpha, case.node.beta) = (Score::new(5000), Score::new(5001));
        case
    };
    let much = case(5, 200);
    assert!(4 - reduced(&much) >= params::hindsight_reduction());
    assert_eq!(depth_below(&much), reduced(&much) + 1);
    // Three plies of seven are as much as three of four.
    let least = params::hindsight_reduction();
    let deep = (2..200).map(|number| case(8, number));
    let deep = { deep }.find(|case| 7 - reduced(case) == least).unwrap();
    assert_eq!(depth_below(&deep), reduced(&deep) + 1);
    let little = case(4, 2);
    assert!((1..params::hindsight_reduction()).contains(&(3 - reduced(&little))));
    assert_eq!(depth_below(&little), reduced(&little));
    assert_eq!(depth_below(&case(4, 1)), 3);
    // The second search is not reduced.
    let mut again = much;
    (again.node.alpha, again.node.beta) = (Score::new(-5001), Score::new(-5000));
    assert_eq!(depth_below(&again), 4);
}

#[test]
fn a_move_that_is_as_good_as_the_best_before_is_no_better() {
    // The table knows the first search and what every reply to the move leads to.
    let case = Case::new(4, 30);
    let replies = |search: &mut TestSearch, _: &mut Candidate| {
        let board: Board = FEN.parse().expect("a legal position");
        let before = board.play(uci(&board, "e1d1"));
        let after = before.play(uci(&before, "h8h7"));
        for reply in &after.legal_moves() {
            know(search, &after.play(reply), 3, Score::ZERO, 60);
        }
    };
    assert!(learnt(LATE, &case, (50, reduced(&case)), replies) < 0);
}
