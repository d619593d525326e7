//! Principal variation search compared with SCOUT, MTD(f), SSS* and alpha-beta.

use skewer_types::Rng;

use super::Pace;
use super::measure::{laboratory, ratio, tally};
use crate::algorithms::{
    Algorithm, alpha_beta, deepen, last_move_null_window, solution_leaves, solve,
};
use crate::chess::config::Quiescence;
use crate::chess::game::{Chess, MoveOrder};
use crate::chess::positions;
use crate::figure::{Figure, Unit};
use crate::game::{Game as _, Tally, Value, Window};
use crate::games::rows::Rows;
use crate::games::tree::{Order, Tree, Values};
use crate::laboratory::{Laboratory, Memory, Node, Trace};
use crate::report::{Claim, Need};

const REINEFELD: &str = "Reinefeld 1989";
const PLAAT: &str = "Plaat et al. 1996";
const PEARL: &str = "Pearl 1980";
const FISHBURN: &str = "Fishburn 1981";

pub(super) fn claims(pace: Pace) -> Vec<Claim> {
    let mut claims = vec![same_values(pace), subset(pace)];
    claims.extend(orders(pace));
    claims.extend(scout(pace));
    claims.push(last_move(pace));
    claims.extend(in_chess(pace));
    claims.extend(open_list(pace));
    claims.extend(no_dominance());
    claims
}

fn chess(order: MoveOrder) -> Vec<Chess> {
    positions::openings()
        .iter()
        .map(|position| Chess::new(*position.board(), order, Quiescence::Captures))
        .collect()
}

/// Trees of every kind, with their heights.
fn trees(count: u64) -> Vec<(Tree, u32)> {
    let mut rng = Rng::new(1996);
    let mut trees = Vec::new();
    for seed in 0..count {
        let (branching, height) = (2 + rng.below(5) as u16, 2 + rng.below(5) as u32);
        let step = 1 + rng.below(60) as u32;
        let range = 2 + rng.below(500) as u32;
        let kinds = [
            Values::Random { seed, range },
            Values::Incremental {
                seed,
                step,
                order: Order::Unsorted,
            },
            Values::Incremental {
                seed,
                step,
                order: Order::Sorted,
            },
        ];
        let grown = kinds
            .into_iter()
            .filter_map(|v| Tree::new(branching, height, v).ok());
        trees.extend(grown.map(|tree| (tree, height)));
    }
    trees
}

fn same_values(pace: Pace) -> Claim {
    let (mut agree, mut cases) = (0_u32, 0_u32);
    let mut count = |values: Vec<Value>| {
        cases += 1;
        agree += u32::from(values.iter().all(|&value| value == values[0]));
    };
    let value = |algorithm: Algorithm, game: &Tree, depth| {
        solve(algorithm, game, depth, &mut algorithm.laboratory())
    };
    for (tree, height) in trees(pace.pick(10, 100)) {
        count(Algorithm::ALL.map(|a| value(a, &tree, height)).to_vec());
    }
    for chess in chess(MoveOrder::Sorted) {
        let value = |a: Algorithm, depth| solve(a, &chess, depth, &mut a.laboratory());
        // Minimax searches quiescence with a full window, which is slow, so it is compared at a
        // small depth. The others are also compared one ply deeper.
        let depth = pace.pick(1, 2);
        count(Algorithm::ALL.map(|a| value(a, depth)).to_vec());
        let others = Algorithm::ALL
            .into_iter()
            .filter(|a| *a != Algorithm::Minimax);
        count(others.map(|a| value(a, depth + 1)).collect());
    }
    if let Ok(rows) = Rows::new(5, 5, 4) {
        count(
            Algorithm::ALL
                .map(|a| solve(a, &rows, 3, &mut a.laboratory()))
                .to_vec(),
        );
    }
    Claim::new(
        PLAAT,
        "all of these algorithms compute the minimax value",
        Need::AtLeast(1.0),
    )
    .measure(
        Figure::share(agree as usize, cases as usize).counted(),
        format!(
            "{agree} of {cases} trees, chess positions and noughts and crosses have one value by \
             {} algorithms (in chess, minimax two plies deep)",
            Algorithm::ALL.len()
        ),
    )
}

fn subset(pace: Pace) -> Claim {
    let (mut inside, mut cases, mut fewer) = (0_u32, 0_u32, 0_u32);
    let mut count = |alpha_beta: &Laboratory, negascout: &Laboratory| {
        cases += 1;
        inside += u32::from(negascout.saw_only_leaves_of(alpha_beta));
        fewer += u32::from(negascout.tally.distinct_leaves < alpha_beta.tally.distinct_leaves);
    };
    for (tree, height) in trees(pace.pick(20, 300)) {
        count(
            &laboratory(Algorithm::AlphaBeta, &tree, height),
            &laboratory(Algorithm::NegaScout, &tree, height),
        );
    }
    for chess in chess(MoveOrder::Sorted) {
        let depth = pace.pick(2, 4);
        count(
            &laboratory(Algorithm::AlphaBeta, &chess, depth),
            &laboratory(Algorithm::NegaScout, &chess, depth),
        );
    }
    Claim::new(
        REINEFELD,
        "NegaScout never examines a leaf that alpha-beta prunes",
        Need::AtLeast(1.0),
    )
    .measure(
        Figure::share(inside as usize, cases as usize).counted(),
        format!("true of {inside} of {cases} trees and positions; fewer leaves in {fewer}"),
    )
}

fn random(seed: u64) -> Values {
    Values::Random {
        seed,
        range: 10_000,
    }
}

fn well_ordered(seed: u64) -> Values {
    Values::Incremental {
        seed,
        step: 100,
        order: Order::Sorted,
    }
}

/// Branching and height of the trees without memory.
const SHAPE: (u16, u32) = (12, 5);

/// The ratio of an algorithm's leaves to alpha-beta's, over trees: of all visits, and of different
/// leaves.
fn against_alpha_beta(
    algorithm: Algorithm,
    count: u64,
    values: fn(u64) -> Values,
) -> (Figure, Figure) {
    let (branching, height) = SHAPE;
    let trees = (0..count).filter_map(|seed| Tree::new(branching, height, values(seed)).ok());
    let (visits, distinct): (Vec<f64>, Vec<f64>) = trees
        .map(|tree| {
            let ours = tally(algorithm, &tree, height);
            let theirs = tally(Algorithm::AlphaBeta, &tree, height);
            (
                ratio(ours.leaves, theirs.leaves),
                ratio(ours.distinct_leaves, theirs.distinct_leaves),
            )
        })
        .unzip();
    (Figure::ratio(&visits), Figure::ratio(&distinct))
}

fn orders(pace: Pace) -> [Claim; 2] {
    let count = pace.pick(2, 60);
    let (lost, lost_distinct) = against_alpha_beta(Algorithm::NegaScout, count, random);
    let (won, won_distinct) = against_alpha_beta(Algorithm::NegaScout, count, well_ordered);
    [
        Claim::new(
            REINEFELD,
            "in random order NegaScout takes longer than alpha-beta",
            Need::AtLeast(1.0),
        )
        .measure(
            lost,
            format!(
                "times alpha-beta's leaf visits in {count} random trees (b=12, d=5) without memory; \
                 {lost_distinct} times the different leaves"
            ),
        ),
        Claim::new(
            REINEFELD,
            "in good order NegaScout is quicker than alpha-beta (trees, no memory)",
            Need::AtMost(1.0),
        )
        .measure(
            won,
            format!(
                "times alpha-beta's leaf visits in {count} well ordered trees; {won_distinct} times \
                 the different leaves"
            ),
        ),
    ]
}

fn scout(pace: Pace) -> [Claim; 2] {
    let count = pace.pick(2, 60);
    let (visits_random, distinct_random) = against_alpha_beta(Algorithm::Scout, count, random);
    let (visits, distinct) = against_alpha_beta(Algorithm::Scout, count, well_ordered);
    [
        Claim::new(
            PEARL,
            "SCOUT was the first to beat alpha-beta (different leaves)",
            Need::AtMost(1.0),
        )
        .measure(
            distinct,
            format!(
                "times alpha-beta's different leaves in {count} well ordered trees; \
                 {distinct_random} in random ones"
            ),
        ),
        Claim::new(
            PEARL,
            "SCOUT was the first to beat alpha-beta (all visits, no memory)",
            Need::AtMost(1.0),
        )
        .measure(
            visits,
            format!(
                "times alpha-beta's leaf visits in {count} well ordered trees; {visits_random} in \
                 random ones"
            ),
        ),
    ]
}

/// Fishburn's null window for the last move at the root, against alpha-beta at the root.
fn last_move(pace: Pace) -> Claim {
    let (branching, height) = SHAPE;
    let (mut ratios, mut same) = (Vec::new(), 0);
    let count = pace.pick(3, 60);
    for seed in 0..count {
        let Ok(tree) = Tree::new(branching, height, random(seed)) else {
            continue;
        };
        let root = Node::root(&tree, height);
        let mut narrow = Laboratory::new(Memory::Off, Trace::Leaves);
        let best = last_move_null_window(&mut narrow, &root);
        let mut open = Laboratory::new(Memory::Off, Trace::Leaves);
        let value = alpha_beta(&mut open, &root, Window::FULL);
        // The move is right if its subtree has the value of the root.
        let child = best.map(|number| tree.play(tree.moves()[number]));
        let mut check = Laboratory::new(Memory::Off, Trace::Counts);
        same += usize::from(child.is_some_and(|child| {
            -alpha_beta(&mut check, &Node::root(&child, height - 1), Window::FULL) == value
        }));
        ratios.push(ratio(narrow.tally.leaves, open.tally.leaves));
    }
    Claim::new(
        FISHBURN,
        "a null window for the last move of the root saves nodes and finds the same move",
        Need::AtMost(1.0),
    )
    .measure(
        Figure::ratio(&ratios),
        format!(
            "times alpha-beta's leaves in {count} random trees (b=12, d=5); the move is best in \
             {same} of {count}"
        ),
    )
}

/// Runs an algorithm as real programs do, with iterative deepening and a table of positions. Returns
/// the counts after the last iteration of each chess position, and the passes of that iteration.
fn with_deepening(algorithm: Algorithm, depth: u32) -> Vec<Tally> {
    chess(MoveOrder::Sorted)
        .iter()
        .map(|chess| {
            let mut laboratory = Laboratory::new(Memory::Position, Trace::Counts);
            deepen(algorithm, chess, depth - 1, &mut laboratory);
            let before = laboratory.tally;
            deepen_last(algorithm, chess, depth, &mut laboratory);
            let after = laboratory.tally;
            Tally {
                passes: after.passes - before.passes,
                ..after
            }
        })
        .collect()
}

/// The ratio of the nodes of `a` to those of `b`, over positions.
fn nodes_against(a: &[Tally], b: &[Tally]) -> Figure {
    let pairs = a.iter().zip(b);
    let ratios: Vec<f64> = pairs.map(|(a, b)| ratio(a.nodes(), b.nodes())).collect();
    Figure::ratio(&ratios)
}

/// The mean number of passes of a search.
fn passes(tallies: &[Tally]) -> Figure {
    let passes: Vec<f64> = tallies.iter().map(|tally| tally.passes as f64).collect();
    Figure::mean(&passes).in_unit(Unit::Passes)
}

/// Runs the last iteration. The first guess of MTD(f) is the value two plies less deep.
fn deepen_last(algorithm: Algorithm, chess: &Chess, depth: u32, laboratory: &mut Laboratory) {
    let algorithm = match algorithm {
        Algorithm::MtdF { .. } => {
            let mut other = Laboratory::new(Memory::Position, Trace::Counts);
            let guess = deepen(Algorithm::AlphaBetaSoft, chess, depth - 2, &mut other);
            Algorithm::MtdF { guess }
        }
        other => other,
    };
    solve(algorithm, chess, depth, laboratory);
}

fn in_chess(pace: Pace) -> Vec<Claim> {
    let depth = pace.pick(3, 5);
    let negascout = with_deepening(Algorithm::NegaScout, depth);
    let mtd_f = with_deepening(Algorithm::MtdF { guess: 0 }, depth);
    let mt_sss = with_deepening(Algorithm::MtSss, depth);
    let alpha_beta = with_deepening(Algorithm::AlphaBetaSoft, depth);
    let all = [&alpha_beta, &negascout, &mtd_f, &mt_sss];
    // The most nodes of any algorithm divided by the fewest, by position.
    let spread: Vec<f64> = (0..negascout.len())
        .map(|index| {
            let nodes = all.map(|tallies| tallies[index].nodes());
            let (least, most) = (nodes.iter().min(), nodes.iter().max());
            ratio(*most.unwrap_or(&1), *least.unwrap_or(&1))
        })
        .collect();
    vec![
        Claim::new(
            REINEFELD,
            "in good order NegaScout is quicker than alpha-beta (chess, with a table)",
            Need::AtMost(1.0),
        )
        .measure(
            nodes_against(&negascout, &alpha_beta),
            format!("times alpha-beta's nodes at depth {depth}"),
        ),
        Claim::new(
            PLAAT,
            "MTD(f) does better than NegaScout in practice, by a little",
            Need::Between(1.0, 1.25),
        )
        .or_in_part(Need::Between(0.9, 2.0))
        .measure(
            nodes_against(&negascout, &mtd_f),
            format!(
                "times MTD(f)'s nodes for NegaScout, chess to depth {depth} with a table; MTD(f) \
                 takes {} passes a search",
                passes(&mtd_f)
            ),
        ),
        Claim::new(
            PLAAT,
            "MT-SSS* does not beat NegaScout in practice",
            Need::AtLeast(1.0),
        )
        .measure(
            nodes_against(&mt_sss, &negascout),
            format!("times NegaScout's nodes at depth {depth}"),
        ),
        Claim::new(
            PLAAT,
            "coming down from infinity, MT-SSS* needs hundreds of passes",
            Need::AtLeast(100.0),
        )
        .or_in_part(Need::AtLeast(20.0))
        .measure(
            passes(&mt_sss),
            format!("passes a search for the last iteration, depth {depth}"),
        ),
        Claim::new(
            PLAAT,
            "in real programs the algorithms differ by less than 20%",
            Need::AtMost(1.2),
        )
        .or_in_part(Need::AtMost(2.0))
        .measure(
            Figure::ratio(&spread),
            format!(
                "most nodes against least at depth {depth}, of alpha-beta, NegaScout, MTD(f) and \
                 MT-SSS*"
            ),
        ),
    ]
}

fn open_list(pace: Pace) -> Vec<Claim> {
    let (mut open, mut proof, mut table) = (0, 0, 0);
    let mut same = 0;
    let count = pace.pick(5, 50);
    for seed in 0..count {
        let (branching, height) = (5, 6);
        let Ok(tree) = Tree::new(branching, height, Values::Random { seed, range: 1000 }) else {
            continue;
        };
        let sss = laboratory(Algorithm::Sss, &tree, height);
        let mut mt_sss = laboratory(Algorithm::MtSss, &tree, height);
        let equal = mt_sss.saw_only_leaves_of(&sss) && sss.saw_only_leaves_of(&mt_sss);
        same += u32::from(equal);
        open += sss.tally.stored;
        table += mt_sss.tally.stored;
        proof += solution_leaves(&mut mt_sss, &Node::root(&tree, height));
    }
    vec![
        Claim::new(
            PLAAT,
            "MT-SSS* is SSS*: null windows with a table see the same leaves",
            Need::AtLeast(1.0),
        )
        .measure(
            Figure::share(same as usize, count as usize).counted(),
            format!("the same leaves in {same} of {count} random trees (b=5, d=6)"),
        ),
        Claim::new(
            PLAAT,
            "the part of its table that MT-SSS* needs is as large as SSS*'s OPEN list",
            Need::Between(0.99, 1.01),
        )
        .measure(
            Figure::exact(ratio(proof, open)).in_unit(Unit::Times),
            format!(
                "leaves of the proof of the last bound against the longest OPEN list, {:.2} times; \
                 the whole table, nothing thrown away, {:.1} times",
                ratio(proof, open),
                ratio(table, open)
            ),
        ),
    ]
}

/// Finds a small tree in which `winner` visits fewer nodes than `loser` (inner nodes and leaves,
/// repeated visits counted) and no more different leaves.
fn counterexample(winner: Algorithm, loser: Algorithm) -> Option<(u64, Tally, Tally)> {
    let (branching, height) = (2, 4);
    (0..5000).find_map(|seed| {
        let tree = Tree::new(branching, height, Values::Random { seed, range: 16 }).ok()?;
        let won = tally(winner, &tree, height);
        let lost = tally(loser, &tree, height);
        let fewer = won.nodes() < lost.nodes() && won.distinct_leaves <= lost.distinct_leaves;
        fewer.then_some((seed, won, lost))
    })
}

fn no_dominance() -> Vec<Claim> {
    let negascout = Algorithm::NegaScout;
    [Algorithm::MtdF { guess: 8 }, Algorithm::MtSss]
        .into_iter()
        .map(|rival| {
            let one = counterexample(negascout, rival);
            let other = counterexample(rival, negascout);
            let in_words = |found: Option<(u64, Tally, Tally)>, winner: &str, loser: &str| {
                found.map_or_else(
                    || format!("no tree where {winner} beats {loser}"),
                    |(seed, won, lost)| {
                        format!(
                            "random tree {seed}: {winner} {} nodes, {loser} {}",
                            won.nodes(),
                            lost.nodes()
                        )
                    },
                )
            };
            let ways = u32::from(one.is_some()) + u32::from(other.is_some());
            Claim::new(
                PLAAT,
                &format!("neither NegaScout nor {} dominates", rival.name()),
                Need::AtLeast(2.0),
            )
            .measure(
                Figure::exact(f64::from(ways)),
                format!(
                    "of two ways: {}; {}",
                    in_words(one, negascout.name(), rival.name()),
                    in_words(other, rival.name(), negascout.name())
                ),
            )
        })
        .collect()
}
