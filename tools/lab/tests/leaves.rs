//! Which leaves each algorithm looks at, in which order, on trees small enough to be followed by hand. Leaves are
//! written by their values for the root's side.

use skewer_lab::algorithms::{
    Algorithm, Cut, bratko, last_move_null_window, solution_leaves, solve,
};
use skewer_lab::game::{End, INFINITE, Window};
use skewer_lab::games::typed::TypedTree;
use skewer_lab::laboratory::{Laboratory, Memory, Node, Trace};
use skewer_lab::trace::{Recording, Step};

/// The steps of `search` in the tree that `text` describes.
fn record(
    text: &str,
    memory: Memory,
    search: impl FnOnce(&mut Laboratory, &Node<TypedTree>),
) -> Recording {
    let tree: TypedTree = text.parse().expect("a tree");
    let root = Node::root(&tree, tree.height());
    let mut laboratory = Laboratory::new(memory, Trace::Counts);
    laboratory.record();
    laboratory.plant(&root);
    search(&mut laboratory, &root);
    laboratory.recording().expect("recorded")
}

/// The leaves that were evaluated.
fn leaves_of(recording: &Recording) -> String {
    let leaves = recording.steps.iter().filter_map(|step| match *step {
        Step::Leave {
            node,
            end: End::Leaf,
            ..
        } => recording.places[node].value,
        _ => None,
    });
    leaves
        .map(|value| value.to_string())
        .collect::<Vec<_>>()
        .join(" ")
}

fn leaves(algorithm: Algorithm, text: &str) -> String {
    let tree: TypedTree = text.parse().expect("a tree");
    let minimax =
        |laboratory: &mut Laboratory| solve(Algorithm::Minimax, &tree, tree.height(), laboratory);
    let value = minimax(&mut Laboratory::new(Memory::Off, Trace::Counts));
    let recording = record(text, algorithm.memory(), |laboratory, _| {
        let found = solve(algorithm, &tree, tree.height(), laboratory);
        assert_eq!(found, value, "{text}");
    });
    leaves_of(&recording)
}

/// The windows with which the children of the root were entered, for the side to move there.
fn windows_at_ply_one(recording: &Recording) -> Vec<Window> {
    let steps = recording.steps.iter().filter_map(|step| match *step {
        Step::Enter { node, window } => {
            (recording.places[node].parent == Some(0)).then_some(window)
        }
        _ => None,
    });
    steps.collect()
}

fn window(alpha: i32, beta: i32) -> Window {
    Window { alpha, beta }
}

#[test]
fn alpha_beta_leaves_a_node_when_a_reply_refutes_the_move() {
    // After 1 the third move is worth 1 at most, and the second is worth 6.
    let tree = "((3 5) (6 9) (1 2))";
    for algorithm in [Algorithm::AlphaBeta, Algorithm::AlphaBetaSoft] {
        assert_eq!(leaves(algorithm, tree), "3 5 6 9 1");
    }
    assert_eq!(leaves(Algorithm::Minimax, tree), "3 5 6 9 1 2");
    // A reply that makes the move as good as the best known one refutes it too.
    assert_eq!(
        leaves(Algorithm::AlphaBeta, "((6 9) (6 7) (5 8))"),
        "6 9 6 5"
    );
}

#[test]
fn bratkos_maximiser_raises_alpha_and_his_minimiser_lowers_beta() {
    // Two plies: the search leaves the second move after 4, which is less than 5. It does not leave the third, in which
    // the reply is equal to 5.
    let strict = Algorithm::Bratko;
    assert_eq!(leaves(strict, "((5 6) (4 9) (5 1))"), "5 6 4 5 1");
    // Three plies: the minimiser's first reply is worth 3. The minimiser leaves the second reply after 4,
    // but not the third after 3.
    assert_eq!(
        leaves(strict, "(((1 3) (4 9) (3 2) (2 0)))"),
        "1 3 4 3 2 2 0"
    );
    // Bounds are passed down the tree: the root has 5, so minimisers two plies deeper are left as soon as they have
    // less.
    assert_eq!(leaves(strict, "(5 (((4 9) (3 8))))"), "5 4 3");
    assert_eq!(leaves(strict, "(5 ((((4 1) (9 9)))))"), "5 4 1");
}

#[test]
fn bratkos_nodes_are_left_with_their_value_for_the_side_to_move() {
    // The third move is left after 1, which is less than 6.
    let text = "((3 5) (6 9) (1 2))";
    let recording = record(text, Memory::Off, |laboratory, root| {
        bratko(laboratory, root, Window::FULL, Cut::Beyond);
    });
    let inner = recording.steps.iter().filter_map(|step| match *step {
        Step::Leave { value, end, .. } if end != End::Leaf => Some((value, end)),
        _ => None,
    });
    assert_eq!(
        inner.collect::<Vec<_>>(),
        [
            (-3, End::Exact),
            (-6, End::Exact),
            (-1, End::Cutoff),
            (6, End::Exact)
        ]
    );
}

#[test]
fn bratkos_program_takes_the_later_of_two_equal_moves() {
    let best = |text: &str, cut| {
        let mut best = None;
        record(text, Memory::Off, |laboratory, root| {
            best = bratko(laboratory, root, Window::FULL, cut).1;
        });
        best
    };
    assert_eq!(best("(5 3 5 4)", Cut::Beyond), Some(2));
    assert_eq!(best("((5 6) (4 9) (5 7))", Cut::Beyond), Some(2));
    // With a cut at the bound, the second move seems as good as the first.
    assert_eq!(best("((5 6) (5 1))", Cut::Beyond), Some(0));
    assert_eq!(best("((5 6) (5 1))", Cut::At), Some(1));
}

#[test]
fn scout_evaluates_a_move_only_if_its_test_says_that_it_is_better() {
    // The second 5 is tested and not evaluated; the first 6 is tested and evaluated, and so is the 7 at the end.
    assert_eq!(leaves(Algorithm::Scout, "(5 5 6 6 7)"), "5 5 6 6 6 7 7");
    // A better move is evaluated from the start; a test ends with the first reply that settles it.
    let tree = "((3 5) (6 9) (1 2))";
    assert_eq!(leaves(Algorithm::Scout, tree), "3 5 6 9 6 9 1");
    // A reply that makes the move as good as the best one settles the test: it is not better.
    assert_eq!(leaves(Algorithm::Scout, "((6 9) (6 7))"), "6 9 6");
}

#[test]
fn a_move_passes_scouts_test_if_the_opponent_stays_below_the_bound() {
    let text = "((3 5) (6 9) (1 2))";
    let tree: TypedTree = text.parse().expect("a tree");
    let recording = record(text, Memory::Off, |laboratory, _| {
        solve(Algorithm::Scout, &tree, 2, laboratory);
    });
    // The first move is evaluated; the second passes the test and is evaluated; the third fails.
    let ends = recording.steps.iter().filter_map(|step| match *step {
        Step::Leave { node, end, .. } if recording.places[node].parent == Some(0) => Some(end),
        _ => None,
    });
    assert_eq!(
        ends.collect::<Vec<_>>(),
        [End::Exact, End::FailLow, End::Exact, End::Cutoff]
    );
}

#[test]
fn fishburns_null_window_is_for_the_last_move_of_the_root_alone() {
    let windows = |text: &str| {
        let recording = record(text, Memory::Off, |laboratory, root| {
            last_move_null_window(laboratory, root);
        });
        windows_at_ply_one(&recording)
    };
    // The windows of the other moves reach from the best value so far to infinity.
    assert_eq!(
        windows("((3 5) (6 9) (1 2))"),
        [
            window(-INFINITE, INFINITE),
            window(-INFINITE, -3),
            window(-7, -6)
        ]
    );
    // A move without alternative has an open window.
    assert_eq!(windows("((3 5))"), [window(-INFINITE, INFINITE)]);
}

#[test]
fn the_last_move_is_chosen_only_if_it_is_better() {
    let best = |text: &str| {
        let mut best = None;
        record(text, Memory::Off, |laboratory, root| {
            best = last_move_null_window(laboratory, root);
        });
        best
    };
    assert_eq!(best("((3 5) (6 9) (7 8))"), Some(2));
    assert_eq!(best("((3 5) (6 9) (6 8))"), Some(1));
    assert_eq!(best("((3 5) (2 9) (1 8))"), Some(0));
}

#[test]
fn a_move_that_fails_high_is_searched_again_from_its_value_or_with_the_full_window() {
    // The second move is tested above 3 and is worth 6; the third is tested above 6.
    let windows = |algorithm| {
        let text = "((3 5) (6 9) (1 2))";
        let tree: TypedTree = text.parse().expect("a tree");
        let recording = record(text, Memory::Off, |laboratory, _| {
            solve(algorithm, &tree, 2, laboratory);
        });
        windows_at_ply_one(&recording)
    };
    let (full, test) = (window(-INFINITE, INFINITE), window(-4, -3));
    let last = window(-7, -6);
    assert_eq!(
        windows(Algorithm::NegaScout),
        [full, test, window(-INFINITE, -6), last]
    );
    // The article's inner nodes return alpha at least, so that the test says 4.
    for algorithm in [Algorithm::Pvs, Algorithm::PvsHard] {
        let again = window(-INFINITE, -3);
        assert_eq!(windows(algorithm), [full, test, again, last]);
    }
    let printed = windows(Algorithm::NegaScout1983);
    assert_eq!(printed, [full, test, window(-INFINITE, -4), last]);
}

#[test]
fn a_solution_tree_has_the_reply_that_proves_the_bound() {
    for (text, leaves) in [
        ("(((9 8 7) (2)))", 1),
        ("(((2) (9 8 7)))", 1),
        // The first reply to the second move is low enough.
        ("(((4 3) (9 8 7)) ((1) (0 0 0 0)))", 3),
    ] {
        let tree: TypedTree = text.parse().expect("a tree");
        let mut laboratory = Laboratory::new(Algorithm::MtSss.memory(), Trace::Counts);
        solve(Algorithm::MtSss, &tree, 3, &mut laboratory);
        let root = Node::root(&tree, 3);
        assert_eq!(solution_leaves(&mut laboratory, &root), leaves, "{text}");
    }
}

#[test]
fn each_second_search_of_a_move_is_counted() {
    let researches = |algorithm: Algorithm, text: &str| {
        let tree: TypedTree = text.parse().expect("a tree");
        let mut laboratory = Laboratory::new(algorithm.memory(), Trace::Counts);
        solve(algorithm, &tree, tree.height(), &mut laboratory);
        laboratory.tally.researches
    };
    for algorithm in [
        Algorithm::NegaScout,
        Algorithm::NegaScout1983,
        Algorithm::Pvs,
        Algorithm::PvsHard,
        Algorithm::Scout,
    ] {
        // In the first two trees the second move is better than the first. The third move is better than the second in
        // the second tree alone. In the last tree the first move is the best.
        assert_eq!(researches(algorithm, "((3 5) (6 9) (1 2))"), 1);
        assert_eq!(researches(algorithm, "((3 5) (6 9) (7 8))"), 2);
        assert_eq!(researches(algorithm, "((6 9) (3 5) (1 2))"), 0);
    }
}

#[test]
fn a_move_that_equals_alpha_or_beta_is_not_searched_again() {
    // The second move is worth as much as the first, which is alpha.
    for algorithm in [
        Algorithm::NegaScout,
        Algorithm::NegaScout1983,
        Algorithm::Pvs,
        Algorithm::PvsHard,
    ] {
        assert_eq!(leaves(algorithm, "((5) (5))"), "5 5");
        // The second move is tested against 5. Its first reply leaves 7, and its second leaves 5, which is beta for the
        // side that replies: the test ends there.
        let tree = "((5) ((7) (5) (4)))";
        assert_eq!(leaves(algorithm, tree), "5 7 5", "{}", algorithm.name());
    }
}

#[test]
fn the_printed_negascout_does_not_search_leaves_again() {
    assert_eq!(leaves(Algorithm::NegaScout1983, "(3 5 7 6)"), "3 5 7 6");
    assert_eq!(leaves(Algorithm::NegaScout, "(3 5 7 6)"), "3 5 5 7 7 6");
    // A game that ends early has a leaf with plies left.
    assert_eq!(
        leaves(Algorithm::NegaScout1983, "(3 5 (7 8))"),
        "3 5 7 8 7 8"
    );
}

#[test]
fn mtd_f_places_each_null_window_at_the_last_bound() {
    let passes = |algorithm| {
        let text = "((3 5) (6 9) (1 2))";
        let tree: TypedTree = text.parse().expect("a tree");
        let recording = record(text, Memory::Path, |laboratory, _| {
            assert_eq!(solve(algorithm, &tree, 2, laboratory), 6);
        });
        let passes = recording.steps.iter().filter_map(|step| match *step {
            Step::Pass(window) => Some(window.beta),
            _ => None,
        });
        passes.collect::<Vec<_>>()
    };
    // A guess equal to the value takes two passes: one shows that the value is reached, one that it
    // is not exceeded.
    assert_eq!(passes(Algorithm::MtdF { guess: 6 }), [6, 7]);
    // From below and from above.
    assert_eq!(passes(Algorithm::MtdF { guess: 4 }), [4, 7]);
    assert_eq!(passes(Algorithm::MtdF { guess: 10 }), [10, 6]);
    assert_eq!(passes(Algorithm::MtSss)[0], INFINITE);
}

#[test]
fn sss_opens_all_moves_of_the_maximiser_and_one_of_the_minimiser_best_merit_first() {
    // Every first reply is evaluated; the merits are 3, 6 and 1. The second move goes on: 9 is more than 6, so 6
    // is its value, which no other merit exceeds.
    assert_eq!(leaves(Algorithm::Sss, "((3 5) (6 9) (1 2))"), "3 6 1 9");
    // Of equal merits the left one goes first.
    assert_eq!(leaves(Algorithm::Sss, "((5 5) (5 7))"), "5 5 5");
    // A merit falls with each reply: the first move sinks to 2, and the second is taken up.
    assert_eq!(
        leaves(Algorithm::Sss, "((8 2 1) (6 7 6) (4 9 9))"),
        "8 6 4 2 7 6"
    );
    // When the 8 has solved the maximiser's node, its 7 is of no use any more, although it is more than the 3 to which
    // the merit sinks. What is known of the second move stays.
    let tree = "(((8 7) (3 2)) ((6 5) (9 4)))";
    assert_eq!(leaves(Algorithm::Sss, tree), "8 7 6 5 3 2 9");
    // The leaves are after moves of the maximiser.
    assert_eq!(leaves(Algorithm::Sss, "(3 9 4)"), "3 9 4");
    // The same leaves as MT-SSS*, in the same order.
    assert_eq!(
        leaves(Algorithm::MtSss, "((8 2 1) (6 7 6) (4 9 9))"),
        "8 6 4 2 7 6"
    );
}

#[test]
fn sss_solves_a_node_when_its_leaf_is_evaluated_or_its_last_reply_is_solved() {
    let recording = record("((3 5) (6 9))", Memory::Off, |laboratory, root| {
        solve(Algorithm::Sss, &root.game, 2, laboratory);
    });
    let merits = recording.steps.iter().filter_map(|step| match *step {
        Step::Push {
            solved: true,
            merit,
            ..
        } => Some(merit),
        _ => None,
    });
    // The leaf 3; the leaf 6; the leaf 9, whose merit stays 6; the node above it; and the root.
    assert_eq!(merits.collect::<Vec<_>>(), [3, 6, 6, 6, 6]);
}
