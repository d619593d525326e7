//! Properties that the texts prove, tested on these implementations of the algorithms.

use proptest::prelude::*;
use skewer_lab::algorithms::{Algorithm, Cut, bratko, deepen, solution_leaves, solve};
use skewer_lab::game::{Game, Tally, Value, Window};
use skewer_lab::games::rows::Rows;
use skewer_lab::games::tree::{Order, Tree, Values};
use skewer_lab::games::typed::TypedTree;
use skewer_lab::laboratory::{Laboratory, Memory, Node, Trace};
use strum::IntoEnumIterator as _;

fn run(algorithm: Algorithm, game: &impl Game, depth: u32) -> (Value, Laboratory) {
    let mut laboratory = algorithm.laboratory();
    let value = solve(algorithm, game, depth, &mut laboratory);
    (value, laboratory)
}

fn tally(algorithm: Algorithm, game: &impl Game, depth: u32) -> Tally {
    run(algorithm, game, depth).1.tally
}

/// Checks that every algorithm finds the value of minimax, and that algorithms that use a memory find it
/// also by iterative deepening with a hash table.
fn check_all_agree(game: &impl Game, depth: u32) {
    let (expected, _) = run(Algorithm::Minimax, game, depth);
    for algorithm in Algorithm::iter() {
        let (value, _) = run(algorithm, game, depth);
        assert_eq!(value, expected, "{} at depth {depth}", algorithm.name());
    }
    for guess in [expected - 3, expected, expected + 1] {
        assert_eq!(run(Algorithm::MtdF { guess }, game, depth).0, expected);
    }
    for algorithm in [
        Algorithm::AlphaBetaSoft,
        Algorithm::NegaScout,
        Algorithm::MtdF { guess: 0 },
        Algorithm::MtSss,
    ] {
        let mut laboratory = Laboratory::new(Memory::Position, Trace::Counts);
        let value = deepen(algorithm, game, depth, &mut laboratory);
        assert_eq!(value, expected, "{} deepening", algorithm.name());
    }
}

fn any_values() -> impl Strategy<Value = Values> {
    prop_oneof![
        (any::<u64>(), 2_u32..1000).prop_map(|(seed, range)| Values::Random { seed, range }),
        Just(Values::PerfectOrder),
        Just(Values::WorstOrder),
        (any::<u64>(), 1_u32..100, any::<bool>()).prop_map(|(seed, step, sorted)| {
            let order = if sorted {
                Order::Sorted
            } else {
                Order::Unsorted
            };
            Values::Incremental { seed, step, order }
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_algorithms_agree_on_trees(branching in 1_u16..6, height in 0_u32..6, values in any_values()) {
        let tree = Tree::new(branching, height, values);
        check_all_agree(&tree, height);
    }

    #[test]
    fn negascout_visits_no_leaf_that_alpha_beta_does_not(
        branching in 2_u16..6,
        height in 1_u32..7,
        values in any_values(),
    ) {
        let tree = Tree::new(branching, height, values);
        let (_, alpha_beta) = run(Algorithm::AlphaBeta, &tree, height);
        for algorithm in [
            Algorithm::NegaScout,
            Algorithm::NegaScout1983,
            Algorithm::Pvs,
            Algorithm::PvsHard,
            Algorithm::AlphaBetaSoft,
        ] {
            let (_, laboratory) = run(algorithm, &tree, height);
            prop_assert!(laboratory.saw_only_leaves_of(&alpha_beta), "{}", algorithm.name());
        }
    }

    #[test]
    fn mt_sss_visits_the_leaves_of_sss(
        branching in 2_u16..5,
        height in 1_u32..7,
        values in any_values(),
    ) {
        let tree = Tree::new(branching, height, values);
        let (_, sss) = run(Algorithm::Sss, &tree, height);
        let (_, mt_sss) = run(Algorithm::MtSss, &tree, height);
        prop_assert!(mt_sss.saw_only_leaves_of(&sss) && sss.saw_only_leaves_of(&mt_sss));
        // Stockman (1979): SSS* evaluates no leaf that alpha-beta skips.
        let (_, alpha_beta) = run(Algorithm::AlphaBeta, &tree, height);
        prop_assert!(sss.saw_only_leaves_of(&alpha_beta));
    }
}

#[test]
fn the_best_order_costs_the_square_root_and_the_worst_everything() {
    for (branching, height) in [(2, 9), (3, 6), (5, 5), (6, 4), (30, 3)] {
        let all = u64::from(branching).pow(height);
        let best = Tree::minimal_leaves(branching, height);
        let perfect = Tree::new(branching, height, Values::PerfectOrder);
        let worst = Tree::new(branching, height, Values::WorstOrder);
        for algorithm in [Algorithm::AlphaBeta, Algorithm::AlphaBetaSoft] {
            assert_eq!(tally(algorithm, &perfect, height).leaves, best);
            assert_eq!(tally(algorithm, &worst, height).leaves, all);
        }
        assert_eq!(tally(Algorithm::NegaScout, &perfect, height).leaves, best);
        assert_eq!(tally(Algorithm::Minimax, &perfect, height).leaves, all);
    }
}

#[test]
fn the_open_list_is_as_large_as_the_solution_tree() {
    for (branching, height) in [(3, 6), (4, 5), (5, 4)] {
        let seed = 11;
        let tree = Tree::new(branching, height, Values::Random { seed, range: 1000 });
        let expected = u64::from(branching).pow(height.div_ceil(2));
        let open = tally(Algorithm::Sss, &tree, height).stored;
        assert_eq!(open, expected);
        let (_, mut mt_sss) = run(Algorithm::MtSss, &tree, height);
        let solution = solution_leaves(&mut mt_sss, &Node::root(&tree, height));
        assert_eq!(solution, expected);
    }
}

/// The move of Bratko's program with a comparison, and its value.
fn bratkos_move(tree: &Tree, height: u32, cut: Cut) -> (Value, usize) {
    let mut laboratory = Laboratory::new(Memory::Off, Trace::Counts);
    let root = Node::root(tree, height);
    let (value, best) = bratko(&mut laboratory, &root, Window::FULL, cut);
    (value, best.expect("a root with moves").into())
}

#[test]
fn bratkos_program_needs_its_strict_comparison_for_the_right_move() {
    let height = 4;
    let (mut wrong, mut leaves) = (0, [0; 2]);
    for seed in 0..5000 {
        let tree = Tree::new(3, height, Values::Random { seed, range: 10 });
        let (expected, _) = run(Algorithm::Minimax, &tree, height);
        let is_best = |mv: usize| {
            let child = tree.play(tree.moves()[mv]);
            -run(Algorithm::Minimax, &child, height - 1).0 == expected
        };
        let (value, mv) = bratkos_move(&tree, height, Cut::Beyond);
        assert!(value == expected && is_best(mv), "seed {seed}");
        let (value, mv) = bratkos_move(&tree, height, Cut::At);
        assert_eq!(value, expected, "seed {seed}");
        wrong += usize::from(!is_best(mv));
        leaves[0] += tally(Algorithm::Bratko, &tree, height).leaves;
        leaves[1] += tally(Algorithm::AlphaBeta, &tree, height).leaves;
    }

    assert!(
        (100..1500).contains(&wrong),
        "{wrong} of 5000 moves are wrong"
    );
    assert!(
        leaves[0] > leaves[1],
        "the strict comparison prunes less: {leaves:?}"
    );
}

#[test]
fn literal_forms_search_fewer_leaves_again() {
    // The fail-hard PVS limits the value of a leaf to the window, so that a leaf that fails high is searched again; the
    // printed PVS sees the leaf's value at once. The printed NegaScout never searches a leaf again.
    let researches = |algorithm| {
        let trees = (0..200).map(|seed| {
            let tree = Tree::new(6, 4, Values::Random { seed, range: 1000 });
            tally(algorithm, &tree, 4).researches
        });
        trees.sum::<u64>()
    };
    assert!(researches(Algorithm::Pvs) < researches(Algorithm::PvsHard));
    assert!(researches(Algorithm::NegaScout1983) < researches(Algorithm::NegaScout));
    // On the last ply alone, the printed NegaScout has nothing to search again.
    let tree = Tree::new(
        30,
        1,
        Values::Random {
            seed: 1,
            range: 1000,
        },
    );
    assert_eq!(tally(Algorithm::NegaScout1983, &tree, 1).leaves, 30);
    assert!(tally(Algorithm::PvsHard, &tree, 1).leaves > 30);
}

#[test]
fn all_algorithms_agree_on_typed_trees() {
    for (text, value) in [
        ("((3 5) (6 9) (1 2))", 6),
        ("7", 7),
        ("((((1 2) 3) (4 (5 -6 7))) 8 ((9) (-10 11 (12 13))))", 9),
    ] {
        let tree: TypedTree = text.parse().unwrap();
        assert_eq!(
            run(Algorithm::Minimax, &tree, tree.height()).0,
            value,
            "{text}"
        );
        check_all_agree(&tree, tree.height());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    /// No text makes the parser panic; what it accepts can be searched.
    #[test]
    fn any_text_is_a_tree_or_an_error(text in "[ ()0-9,x-]{0,40}|(\\(|\\)|[0-9] ){0,60}|.{0,20}") {
        if let Ok(tree) = text.parse::<TypedTree>() {
            check_all_agree(&tree, tree.height());
        }
    }
}

#[test]
fn all_algorithms_agree_on_noughts_and_crosses() {
    let mut position = Rows::new(4, 4, 4);
    let mut rng = skewer_types::Rng::new(5);
    while !position.over() {
        check_all_agree(&position, 3);
        let moves = position.moves();
        position = position.play(moves[rng.below(moves.len())]);
    }
    check_all_agree(&Rows::new(5, 5, 4), 3);
}

#[test]
fn minimax_counts_every_node_once() {
    let tree = Tree::new(3, 4, Values::PerfectOrder);
    let tally = tally(Algorithm::Minimax, &tree, 4);
    assert_eq!((tally.interior, tally.leaves), (1 + 3 + 9 + 27, 81));
    assert_eq!(tally.distinct_leaves, 81);
    assert_eq!(
        (tally.passes, tally.researches, tally.quiescence),
        (1, 0, 0)
    );
}

#[test]
fn a_tree_without_height_is_its_own_leaf() {
    let tree = Tree::new(4, 0, Values::Random { seed: 2, range: 9 });
    check_all_agree(&tree, 0);
    assert_eq!(tally(Algorithm::Sss, &tree, 0).leaves, 1);
}
