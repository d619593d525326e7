//! Seed 004: principal variation search and its rivals.

use super::Pace;
use super::measure::{laboratory, ratio, tally};
use crate::algorithms::{Algorithm, deepen, solution_leaves, solve};
use crate::chess::game::{Chess, MoveOrder};
use crate::chess::positions;
use crate::chess::recipe::Quiescence;
use crate::game::Value;
use crate::games::rows::Rows;
use crate::games::tree::{Order, Tree, Values};
use crate::laboratory::{Laboratory, Memory, Node, Tally, Trace};
use crate::report::{Claim, Need};
use crate::rng::Rng;

const SOURCE: &str = "seed 004";

pub(super) fn claims(pace: Pace) -> Vec<Claim> {
    let mut claims = vec![same_values(pace), subset(pace)];
    claims.extend(orders(pace));
    claims.extend(scout(pace));
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
        let depth = pace.pick(2, 3);
        let quick = Algorithm::ALL
            .into_iter()
            .filter(|&a| a != Algorithm::Minimax);
        count(
            quick
                .map(|a| solve(a, &chess, depth, &mut a.laboratory()))
                .collect(),
        );
    }
    if let Ok(rows) = Rows::new(5, 5, 4) {
        count(
            Algorithm::ALL
                .map(|a| solve(a, &rows, 3, &mut a.laboratory()))
                .to_vec(),
        );
    }
    Claim::new(
        SOURCE,
        "all of these algorithms compute the minimax value",
        Need::AtLeast(1.0),
    )
    .measure(
        f64::from(agree) / f64::from(cases),
        format!(
            "{agree} of {cases} trees, chess positions and noughts and crosses have one value by \
             {} algorithms",
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
        SOURCE,
        "NegaScout never examines a leaf that alpha-beta prunes",
        Need::AtLeast(1.0),
    )
    .measure(
        f64::from(inside) / f64::from(cases),
        format!("true of {inside} of {cases} trees and positions; fewer leaves in {fewer}"),
    )
}

/// Leaves over a family of trees without any memory: `(visits, different ones)`.
fn leaves(algorithm: Algorithm, count: u64, values: fn(u64) -> Values) -> (u64, u64) {
    let (branching, height) = (12, 5);
    (0..count)
        .filter_map(|seed| Tree::new(branching, height, values(seed)).ok())
        .map(|tree| tally(algorithm, &tree, height))
        .fold((0, 0), |(visits, distinct), tally| {
            (visits + tally.leaves, distinct + tally.distinct_leaves)
        })
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

/// Leaves against alpha-beta's: `(visits, different ones)`.
fn against_alpha_beta(algorithm: Algorithm, count: u64, values: fn(u64) -> Values) -> (f64, f64) {
    let (visits, distinct) = leaves(algorithm, count, values);
    let (of_visits, of_distinct) = leaves(Algorithm::AlphaBeta, count, values);
    (ratio(visits, of_visits), ratio(distinct, of_distinct))
}

fn orders(pace: Pace) -> [Claim; 2] {
    let count = pace.pick(2, 30);
    let (lost, lost_distinct) = against_alpha_beta(Algorithm::NegaScout, count, random);
    let (won, won_distinct) = against_alpha_beta(Algorithm::NegaScout, count, well_ordered);
    [
        Claim::new(
            SOURCE,
            "in random order NegaScout takes longer than alpha-beta",
            Need::AtLeast(1.01),
        )
        .or_in_part(Need::AtLeast(0.95))
        .measure(
            lost,
            format!(
                "{lost:.2} times alpha-beta's leaf visits in {count} random trees (b=12, d=5) \
                 without memory; {lost_distinct:.2} times the different leaves"
            ),
        ),
        Claim::new(
            SOURCE,
            "in good order NegaScout is quicker than alpha-beta (trees, no memory)",
            Need::AtMost(0.97),
        )
        .or_in_part(Need::AtMost(1.0))
        .measure(
            won,
            format!(
                "{won:.2} times alpha-beta's leaf visits in {count} well ordered trees; \
                 {won_distinct:.2} times the different leaves"
            ),
        ),
    ]
}

fn scout(pace: Pace) -> [Claim; 2] {
    let count = pace.pick(2, 30);
    let (visits_random, distinct_random) = against_alpha_beta(Algorithm::Scout, count, random);
    let (visits, distinct) = against_alpha_beta(Algorithm::Scout, count, well_ordered);
    [
        Claim::new(
            SOURCE,
            "SCOUT was the first to beat alpha-beta (different leaves)",
            Need::AtMost(0.99),
        )
        .or_in_part(Need::AtMost(1.0))
        .measure(
            distinct,
            format!(
                "{distinct:.2} times alpha-beta's different leaves in well ordered trees, \
                 {distinct_random:.2} in random ones"
            ),
        ),
        Claim::new(
            SOURCE,
            "SCOUT was the first to beat alpha-beta (all visits, no memory)",
            Need::AtMost(0.99),
        )
        .or_in_part(Need::AtMost(1.0))
        .measure(
            visits,
            format!(
                "{visits:.2} times alpha-beta's leaf visits in well ordered trees, \
                 {visits_random:.2} in random ones"
            ),
        ),
    ]
}

/// The algorithms as real programs run them: deepening, with a table of positions.
fn real(algorithm: Algorithm, depth: u32) -> Tally {
    let mut all = Tally::default();
    for chess in chess(MoveOrder::Sorted) {
        let mut laboratory = Laboratory::new(Memory::Position, Trace::Counts);
        deepen(algorithm, &chess, depth - 1, &mut laboratory);
        let before = laboratory.tally;
        deepen_last(algorithm, &chess, depth, &mut laboratory);
        let after = laboratory.tally;
        all.interior += after.interior;
        all.leaves += after.leaves;
        all.quiescence += after.quiescence;
        all.passes += after.passes - before.passes;
    }
    all
}

/// The last iteration alone; MTD(f) guesses the value of the one before the last.
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
    let negascout = real(Algorithm::NegaScout, depth);
    let mtd_f = real(Algorithm::MtdF { guess: 0 }, depth);
    let mt_sss = real(Algorithm::MtSss, depth);
    let alpha_beta = real(Algorithm::AlphaBetaSoft, depth);
    let games = positions::openings().len() as f64;
    let nodes = [
        ("alpha-beta", alpha_beta.nodes()),
        ("NegaScout", negascout.nodes()),
        ("MTD(f)", mtd_f.nodes()),
        ("MT-SSS*", mt_sss.nodes()),
    ];
    let least = nodes.iter().map(|(_, n)| *n).min().unwrap_or(1);
    let most = nodes.iter().map(|(_, n)| *n).max().unwrap_or(1);
    let told: Vec<_> = nodes
        .iter()
        .map(|(name, n)| format!("{name} {:.2}", ratio(*n, negascout.nodes())))
        .collect();
    let quicker = ratio(negascout.nodes(), alpha_beta.nodes());
    let better = ratio(negascout.nodes(), mtd_f.nodes());
    let passes = mt_sss.passes as f64 / games;
    vec![
        Claim::new(
            SOURCE,
            "in good order NegaScout is quicker than alpha-beta (chess, with a table)",
            Need::AtMost(0.97),
        )
        .or_in_part(Need::AtMost(1.0))
        .measure(
            quicker,
            format!("{quicker:.2} times alpha-beta's nodes at depth {depth}"),
        ),
        Claim::new(
            SOURCE,
            "MTD(f) does better than NegaScout in practice, by a little",
            Need::Between(1.0, 1.25),
        )
        .or_in_part(Need::Between(0.9, 2.0))
        .measure(
            better,
            format!(
                "chess to depth {depth} with a table: NegaScout needs {better:.2} times the nodes; \
                 {:.1} passes a search",
                mtd_f.passes as f64 / games
            ),
        ),
        Claim::new(
            SOURCE,
            "MT-SSS* does not beat NegaScout in practice",
            Need::AtLeast(1.0),
        )
        .measure(
            ratio(mt_sss.nodes(), negascout.nodes()),
            format!("nodes against NegaScout's: {}", told.join(", ")),
        ),
        Claim::new(
            SOURCE,
            "coming down from infinity, MT-SSS* needs hundreds of passes",
            Need::AtLeast(100.0),
        )
        .or_in_part(Need::AtLeast(20.0))
        .measure(
            passes,
            format!("{passes:.0} passes for the last iteration, depth {depth}, on average"),
        ),
        Claim::new(
            "Plaat et al. 1996",
            "in real programs the algorithms differ by less than 20%",
            Need::AtMost(1.2),
        )
        .or_in_part(Need::AtMost(1.5))
        .measure(
            ratio(most, least),
            format!(
                "most against least of {}: {:.2}",
                nodes.map(|(name, _)| name).join(", "),
                ratio(most, least)
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
            SOURCE,
            "MT-SSS* is SSS*: null windows with a table see the same leaves",
            Need::AtLeast(1.0),
        )
        .measure(
            f64::from(same) / count as f64,
            format!("the same leaves in {same} of {count} random trees (b=5, d=6)"),
        ),
        Claim::new(
            SOURCE,
            "the part of its table that MT-SSS* needs is as large as SSS*'s OPEN list",
            Need::Between(0.99, 1.01),
        )
        .measure(
            ratio(proof, open),
            format!(
                "the proof of the last bound has {:.2} times the leaves of the longest OPEN list; \
                 the whole table, nothing thrown away, {:.1} times",
                ratio(proof, open),
                ratio(table, open)
            ),
        ),
    ]
}

/// Searches small trees for one where `winner` visits fewer nodes than each of `losers`, interior
/// nodes and leaves, repeated visits too.
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
            let told = |found: Option<(u64, Tally, Tally)>, winner: &str, loser: &str| {
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
                SOURCE,
                &format!("neither NegaScout nor {} dominates", rival.name()),
                Need::AtLeast(2.0),
            )
            .measure(
                f64::from(ways),
                format!(
                    "{}; {}",
                    told(one, negascout.name(), rival.name()),
                    told(other, rival.name(), negascout.name())
                ),
            )
        })
        .collect()
}
