//! The effect of each technique on a search: every test fails without its technique (`tools/dev/protected`
//! checks that). The order of moves is tested in `skewer-ordering`, time management in `src/time.rs`.

mod common;

use common::{Engine, board, position, uci};
use skewer_eval::Evaluation;
use skewer_movegen::Board;
use skewer_search::bench::POSITIONS;
use skewer_search::{Limits, Position, Solo};
use skewer_tt::TableSize;
use skewer_types::{Depth, Score, Techniques};

/// The nodes of a search of the bench positions to `depth` by the built-in network.
fn nodes(techniques: Techniques, depth: Depth) -> u64 {
    let network = Evaluation::built_in_network().expect("a build with a network");
    let mut solo = Solo::new(network, TableSize::from_megabytes(4))
        .expect("four megabytes")
        .with_techniques(techniques);
    let fens = POSITIONS.iter().step_by(2);
    fens.map(|fen| {
        solo.clear();
        solo.search(&position(fen), &Limits::depth(depth)).nodes
    })
    .sum()
}

/// Each technique below, except the hash move, saves at least a twentieth of the nodes to a depth.
/// The first measured ratios of nodes were 1.13 to 3.1.
#[test]
fn pruning_and_reductions_save_nodes() {
    let depth = 10;
    let all = nodes(Techniques::DEFAULT, depth);
    for (name, technique) in [
        ("hash move", Techniques::HASH_MOVE),
        ("aspiration windows", Techniques::ASPIRATION_WINDOWS),
        ("late-move reductions", Techniques::LATE_MOVE_REDUCTIONS),
        ("reverse futility", Techniques::REVERSE_FUTILITY),
        ("late-move pruning", Techniques::LATE_MOVE_PRUNING),
        ("exchange pruning", Techniques::SEE_PRUNING),
        ("exchanges in quiescence", Techniques::SEE_QUIESCENCE),
    ] {
        let without = nodes(Techniques::DEFAULT - technique, depth);
        let saved = 1.0 - all as f64 / without as f64;
        let expected = if technique == Techniques::HASH_MOVE {
            // Without hash moves, internal reductions would act at every node.
            without != all
        } else {
            saved >= 0.05
        };
        assert!(expected, "{name}: {all} nodes with, {without} without");
    }
}

/// Where only kings move, most orders of moves lead to the same positions (Fine, 1941, no. 70).
#[test]
fn hash_cutoffs_save_nodes_where_moves_transpose() {
    let [with, without] = [Techniques::empty(), Techniques::HASH_CUTOFF].map(|off| {
        let limits = Limits::depth(14);
        Engine::without(off)
            .search_fen("8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1", &limits)
            .nodes
    });
    assert!(2 * with < without, "{with} nodes with, {without} without");
}

/// Null windows give the same score as open ones with fewer nodes.
#[test]
fn principal_variation_search_saves_nodes_at_the_same_score() {
    // Switch off all other techniques whose result depends on the window.
    let exact = Techniques::HASH_MOVE
        | Techniques::QUIET_HISTORY
        | Techniques::KILLERS
        | Techniques::SEE_ORDERING;
    let with_pvs = exact | Techniques::PRINCIPAL_VARIATION_SEARCH;
    let (mut with, mut without) = (0, 0);
    for fen in &POSITIONS[1..12] {
        let limits = Limits::depth(5);
        let narrow = Engine::without(Techniques::all() - with_pvs).search_fen(fen, &limits);
        let open = Engine::without(Techniques::all() - exact).search_fen(fen, &limits);
        assert_eq!(narrow.score, open.score, "{fen}");
        (with, without) = (with + narrow.nodes, without + open.nodes);
    }
    assert!(with < without, "{with} nodes with, {without} without");
}

#[test]
fn quiescence_finds_recaptures() {
    // The queen can take a defended pawn, which looks like a gain at the horizon.
    let fen = "6k1/5pp1/4p3/3p4/8/8/3Q1PPP/6K1 w - - 0 1";
    let root = board(fen);
    let search = |without| {
        let limits = Limits {
            search_moves: vec![uci(&root, "d2d5")],
            ..Limits::depth(1)
        };
        Engine::without(without).search_fen(fen, &limits).score
    };
    let lost = search(Techniques::empty());
    let blind = search(Techniques::QUIESCENCE);
    assert!(blind - lost > 500, "{lost:?} with, {blind:?} without");
}

#[test]
fn mate_distance_pruning_ends_the_search_of_a_mate() {
    // A mate in two: lines longer than it need no search.
    let fen = "r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 10";
    let search = |without| Engine::without(without).search_fen(fen, &Limits::depth(12));
    let with = search(Techniques::empty());
    let without = search(Techniques::MATE_DISTANCE_PRUNING);
    assert_eq!(with.score, Score::mate_in(3));
    assert!(
        2 * with.nodes < without.nodes,
        "{} nodes with, {} without",
        with.nodes,
        without.nodes
    );
}

#[test]
fn positions_near_the_fifty_move_rule_have_entries_of_their_own() {
    let with_clock =
        |clock: u32| -> Board { board(&format!("8/5pk1/6p1/8/3R4/6P1/5PK1/3r4 w - - {clock} 90")) };
    let stored_under_plain_key = |clock, without| {
        let mut engine = Engine::without(without);
        let root = with_clock(clock);
        engine.search(&Position::new(root), &Limits::depth(5));
        engine.table.probe(root.key()).is_some()
    };
    assert!(stored_under_plain_key(0, Techniques::empty()));
    assert!(!stored_under_plain_key(60, Techniques::empty()));
    assert!(stored_under_plain_key(60, Techniques::FIFTY_MOVE_BUCKET));
}

/// In this position a rook move puts Black into zugzwang: passing would hold, so a null move fails
/// high where every real move loses. Verification acts from
/// [`null_verify_depth`](skewer_search::params) on, so it changes only deep searches.
#[test]
fn verification_searches_null_move_cutoffs_again() {
    let network = Evaluation::built_in_network().expect("a build with a network");
    let search = |techniques: Techniques, depth| {
        let mut solo = Solo::new(&network, TableSize::from_megabytes(16))
            .expect("sixteen megabytes")
            .with_techniques(techniques);
        let zugzwang = position("8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1");
        solo.search(&zugzwang, &Limits::depth(depth))
    };
    let unverified = Techniques::DEFAULT - Techniques::NULL_MOVE_VERIFICATION;
    // Below the depth of verification.
    assert_eq!(
        search(Techniques::DEFAULT, 12).nodes,
        search(unverified, 12).nodes
    );
    assert_ne!(
        search(Techniques::DEFAULT, 20).nodes,
        search(unverified, 20).nodes
    );
    let deep = search(Techniques::DEFAULT, 22);
    assert_eq!(
        deep.best.map(|mv| format!("{mv:?}")).as_deref(),
        Some("e1f1")
    );
}
