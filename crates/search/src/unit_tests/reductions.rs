//! Late-move reductions: which moves are reduced, and by how much.

use super::*;
use crate::params;
use crate::reduce::reduction;
use crate::search::Kind;
use skewer_tt::Entry;

const FEN: &str = "4k3/8/8/8/8/8/4P3/R3K2R w - - 0 1";

fn late(board: &Board) -> Candidate {
    Candidate {
        number: 20,
        ..second(board, "a1a2")
    }
}

#[test]
fn all_moves_but_the_first_are_reduced_but_near_the_root_not_the_second_and_third() {
    let set = Techniques::LATE_MOVE_REDUCTIONS;
    let is_late = |set, depth, number, tactical| {
        with_search(FEN, set, |search, board| {
            let candidate = Candidate {
                number,
                tactical,
                ..late(board)
            };
            let node = node(1, depth);
            [
                search.is_late::<NonPv>(&node, &candidate),
                search.is_late::<Pv>(&node, &candidate),
                search.is_late::<Root>(&node, &candidate),
            ]
        })
    };
    let least = params::lmr_depth();
    for (number, expected) in [
        (1, [false, false, false]),
        (2, [true, false, false]),
        (3, [true, true, false]),
        (4, [true, true, true]),
    ] {
        assert_eq!(is_late(set, least, number, false), expected, "{number}");
    }
    assert_eq!(is_late(set, least - 1, 9, false), [false; 3], "shallow");
    assert_eq!(is_late(set, least, 9, true), [false; 3], "a capture");
    let captures = set | Techniques::CAPTURE_REDUCTIONS;
    assert_eq!(is_late(captures, least, 9, true), [true; 3]);
    assert_eq!(is_late(Techniques::empty(), least, 9, false), [false; 3]);
}

#[test]
fn a_reduction_grows_with_the_depth_and_the_place_and_is_less_for_captures() {
    let board: Board = FEN.parse().expect("a legal position");
    let at = |depth, number, tactical| {
        let candidate = Candidate {
            number,
            tactical,
            ..late(&board)
        };
        reduction(depth, &candidate)
    };
    assert!(at(4, 8, false) < at(8, 8, false) && at(8, 8, false) < at(8, 16, false));
    assert!(at(8, 8, true) < at(8, 8, false) && at(8, 8, true) < at(8, 16, true));
    // For the first move or at depth 1, whose logarithm is 0, only the constant is left.
    assert_eq!(at(9, 1, false), params::lmr_base());
    assert_eq!(at(1, 9, true), params::lmr_capture_base());
}

#[test]
fn a_reduction_is_a_constant_and_the_product_of_both_logarithms_by_a_divisor() {
    let board: Board = FEN.parse().expect("a legal position");
    for (tactical, base, divisor) in [
        (false, params::lmr_base(), params::lmr_divisor()),
        (
            true,
            params::lmr_capture_base(),
            params::lmr_capture_divisor(),
        ),
    ] {
        for (depth, number) in [(2, 3), (6, 10), (20, 40)] {
            let candidate = Candidate {
                number,
                tactical,
                ..late(&board)
            };
            let product = f64::from(depth).ln() * f64::from(number).ln();
            let exact = f64::from(base) + 1024.0 * product * 100.0 / f64::from(divisor);
            let found = f64::from(reduction(depth, &candidate));
            // Both logarithms are rounded.
            assert!((found - exact).abs() < 4.0, "{found} {exact}");
        }
    }
}

/// The reduction in 1024ths of a ply, found by how much worse the history must be for one ply more.
fn units<K: Kind>(search: &TestSearch, node: &Node, candidate: &Candidate) -> i32 {
    let full = 60;
    let per_unit = if candidate.tactical {
        params::lmr_capture_history()
    } else {
        params::lmr_history()
    };
    let plies = |added: i32| {
        let candidate = Candidate {
            history: candidate.history - added * per_unit,
            ..*candidate
        };
        full - search.reduced_depths::<K>(node, &candidate, full).reduced
    };
    let now = plies(0);
    let missing = (1..=1024).find(|&added| plies(added) > now);
    (now + 1) * 1024 - missing.expect("a ply more")
}

/// What `change` adds to the reduction at a node whose alpha is 0.
fn adjustment(change: impl Fn(&mut TestSearch, &mut Node, &mut Candidate)) -> i32 {
    with_search(FEN, Techniques::REDUCTION_ADJUSTERS, |search, board| {
        let (mut node, mut candidate) = (node(1, 20), late(board));
        node.improving = true;
        let plain = units::<NonPv>(search, &node, &candidate);
        change(search, &mut node, &mut candidate);
        units::<NonPv>(search, &node, &candidate) - plain
    })
}

#[test]
fn the_state_of_a_node_makes_a_reduction_larger_or_smaller_by_its_parameter() {
    assert_eq!(adjustment(|_, _, _| {}), 0);
    let marked = adjustment(|search, _, _| search.memory.stack.at_mut(1).on_pv = true);
    assert_eq!(marked, -params::lmr_tt_pv());
    let cut = adjustment(|_, node, _| node.expect = Expect::Cut);
    assert_eq!(cut, params::lmr_cut());
    let falling = adjustment(|_, node, _| node.improving = false);
    assert_eq!(falling, params::lmr_not_improving());
    let corrected = adjustment(|_, node, _| node.correction_size = 10);
    assert_eq!(corrected, -10 * params::lmr_complexity());
    let cutoffs = |count: i32| {
        adjustment(|search, _, _| search.memory.stack.at_mut(2).cutoffs = count as u16)
    };
    let many = params::cutoffs_many();
    assert_eq!(
        (cutoffs(many), cutoffs(many + 1)),
        (0, params::lmr_cutoffs())
    );
    // The score of the table, if it has one, above alpha.
    for (score, bound, expected) in [
        (1, Some(Bound::Upper), -params::lmr_tt_above()),
        (0, Some(Bound::Lower), 0),
        (1, None, 0),
    ] {
        let entry = Entry {
            mv: None,
            score: Score::new(score),
            eval: None,
            depth: 1,
            bound,
            was_pv: false,
        };
        let known = adjustment(|_, node, _| node.entry = Some(entry));
        assert_eq!(known, expected, "{score} {bound:?}");
    }
}

#[test]
fn a_check_a_killer_and_a_good_history_are_reduced_less_and_a_quiet_move_beside_a_capture_more() {
    let check = adjustment(|_, _, candidate| candidate.gives_check = true);
    assert_eq!(check, -params::lmr_check());
    let killer = adjustment(|_, _, candidate| candidate.refutation = true);
    assert_eq!(killer, -params::lmr_refutation());
    for share in [100, -100] {
        let history = share * params::lmr_history();
        let known = adjustment(|_, _, candidate| candidate.history = history);
        assert_eq!(known, -share);
    }
    let beside = adjustment(|_, node, _| node.hash_move_is_tactical = true);
    assert_eq!(beside, params::lmr_tt_capture());
    with_search(FEN, Techniques::REDUCTION_ADJUSTERS, |search, board| {
        let (node, candidate) = (node(1, 20), late(board));
        let open = units::<Pv>(search, &node, &candidate);
        let null = units::<NonPv>(search, &node, &candidate);
        assert_eq!(open - null, -params::lmr_pv(), "the principal variation");
        // That the hash move is a capture does not increase the reduction of another capture.
        let capture = Candidate {
            tactical: true,
            ..candidate
        };
        let tactical = Node {
            hash_move_is_tactical: true,
            ..node
        };
        assert_eq!(
            units::<NonPv>(search, &node, &capture),
            units::<NonPv>(search, &tactical, &capture)
        );
    });
}

#[test]
fn a_reduced_search_has_a_ply_at_least_and_no_more_than_the_full_one() {
    with_search(FEN, Techniques::REDUCTION_ADJUSTERS, |search, board| {
        let depths = |full, history| {
            let candidate = Candidate {
                history,
                ..late(board)
            };
            search
                .reduced_depths::<NonPv>(&node(1, 8), &candidate, full)
                .reduced
        };
        let much = 1_000_000;
        assert_eq!((depths(7, -much), depths(7, much)), (1, 7));
        assert_eq!((depths(1, -much), depths(1, much)), (1, 1));
        assert_eq!(depths(0, -much), 0);
    });
    // Without adjusters the place and the depth alone count.
    with_search(FEN, Techniques::empty(), |search, board| {
        let candidate = late(board);
        let depths = search.reduced_depths::<Pv>(&node(1, 8), &candidate, 9);
        assert_eq!(
            (depths.full, depths.reduced),
            (9, 9 - reduction(8, &candidate) / 1024)
        );
    });
}
