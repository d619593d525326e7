//! The nodes that each recipe visits: an unintended change of a textbook form changes the counts of some search. Other
//! tests state the rules themselves.
//!
//! `SNAPSHOTS=overwrite cargo test -p skewer-lab --test counts` writes the counts anew. Do so only after a change
//! that is meant to change the counts.

use std::path::PathBuf;

use skewer_lab::algorithms::Algorithm;
use skewer_lab::recipe::{NamedGame, Observe, Question};
use snapbox::{Data, assert_data_eq};
use strum::IntoEnumIterator as _;

/// A tree in which no two algorithms visit the same nodes, a tree with equal leaves, and a tree of
/// uneven depth.
const TREES: [&str; 3] = [
    "(((4 7) (6 8 1)) ((9 2) (3 5)) ((5 0) (8 8)) ((7 6) (9 4)))",
    "(((2 2) (2 1)) ((2 2) (2 3)) ((1 2) (3 2)))",
    "((((1 -2) 3) (4 (5 -6 7))) 8 ((9) (-10 11 (12 13))))",
];

/// Positions, and the depth to which each technique searches them.
const POSITIONS: [(&str, u32); 5] = [
    // Two checks, a passed pawn and a rook.
    ("8/5pk1/4p1p1/1p1pP2p/1P1P3P/2r3P1/5PK1/R7 w - - 0 40", 4),
    // Zugzwang for both sides.
    ("8/8/8/8/8/3k4/2p5/2K5 w - - 0 1", 7),
    // A rook ahead, and mated next move.
    ("6k1/5pp1/7p/8/8/2N2p1q/PPP2P1P/R4RK1 w - - 0 1", 3),
    // The side to move is in check.
    ("r3k3/1p2n3/8/4R3/1b6/2P2N2/6PP/4K2q w - - 0 1", 3),
    // Many pieces, and a pawn to take back.
    (
        "r1b2rk1/1p1nbppp/pq1p4/3B4/P2NP3/2N1p3/1PP3PP/R2Q1R1K w - - 0 17",
        2,
    ),
];

/// Recipes of chess: each technique, alone or with the techniques that it needs to act.
const TECHNIQUES: [&str; 44] = [
    "plain",
    "ordered",
    "full",
    "futility-node",
    "futility-parent",
    "futility",
    "futility+mates-first",
    "check-extension",
    "futility+check-extension",
    "no-quiescence",
    "checking-quiescence",
    "forward-pruning",
    "forward-pruning+no-quiescence",
    "path-draws",
    "buckets",
    "sorted",
    "killers",
    "history",
    "killers+history",
    "hash-move+deepening",
    "hash-value",
    "hash-value+hash-move+deepening",
    "checks-first",
    "early-candidates",
    "ordered+early-candidates",
    "negascout",
    "negascout+hash-value",
    "null-move-1",
    "null-move-2",
    "null-move-3",
    "null-move-4",
    "adaptive-null-move",
    "verified-null-move",
    "verified-null-move+hash-value",
    "null-move-1+two-in-a-row",
    "null-move-1+unlimited-in-a-row+path-draws",
    "null-move+open-window",
    "null-move+needs-pieces",
    "null-move+watch-queen-and-pawn",
    "null-move+extend-queen-and-pawn",
    "null-move+smaller-r-queen-and-pawn",
    "best-at-once",
    "best-at-once+killers+history",
    "full+deepening",
];

fn question(recipe: &str, depth: Option<u32>) -> Question {
    Question {
        recipe: vec![recipe.parse().expect("a recipe")],
        fen: None,
        at_least: None,
        tree: None,
        game: NamedGame::Chess,
        depth,
    }
}

/// A row of the table: what was searched, and what it took.
fn row(name: &str, question: &Question) -> String {
    let (answer, _) = question
        .answer(Observe::Counts)
        .expect("an answer")
        .remove(0);
    let visits = answer.visits;
    let counts = [
        answer.inner,
        answer.leaves,
        answer.quiescence,
        answer.passes,
        answer.researches,
        answer.skipped,
        answer.stored,
        visits.null_windows,
        visits.wide_windows,
    ];
    let counts: Vec<_> = counts
        .iter()
        .chain(&visits.ends)
        .map(u64::to_string)
        .collect();
    let (recipe, value) = (answer.recipe, answer.value);
    format!("{recipe},{name},{value},{}\n", counts.join(","))
}

#[test]
fn every_recipe_visits_as_many_nodes_as_ever() {
    let mut table = String::from(
        "recipe,game,value,inner,leaves,quiescence,passes,researches,skipped,stored,null windows,\
         wide windows,leaf,game over,drawn,known,futile,null move,cut-off,exact,failed low,stopped\n",
    );
    for algorithm in Algorithm::iter() {
        let recipe = algorithm.recipe();
        for tree in TREES {
            let mut question = question(recipe, None);
            question.tree = Some(tree.parse().expect("a tree"));
            table += &row(tree, &question);
        }
        let mut rows = question(recipe, Some(3));
        rows.game = NamedGame::Rows4;
        table += &row("four in a row", &rows);
        let mut pawns = question(recipe, Some(3));
        pawns.game = NamedGame::Pawns;
        table += &row("the pawn race", &pawns);
    }
    for recipe in TECHNIQUES {
        for (fen, depth) in POSITIONS {
            let mut question = question(recipe, Some(depth));
            question.fen = Some(fen.to_owned());
            table += &row(fen, &question);
        }
    }
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/counts.csv");
    assert_data_eq!(table, Data::read_from(&file, None).raw());
}
