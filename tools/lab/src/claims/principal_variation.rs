//! Principal variation search compared with SCOUT, MTD(f), SSS* and alpha-beta.

mod processors;
mod rivals;
mod windows;

use skewer_types::Rng;
use strum::{EnumCount as _, IntoEnumIterator as _};

use super::measure::{laboratory, ratio, tallies_differ, tally};
use super::{Differ, Named, Pace, SameSearch};
use crate::algorithms::{Algorithm, alpha_beta, last_move_null_window, solve};
use crate::chess::game::Chess;
use crate::chess::positions;
use crate::figure::Figure;
use crate::game::{Game, Tally, Value, Window};
use crate::games::rows::Rows;
use crate::games::tree::{Order, Tree, Values};
use crate::laboratory::{Laboratory, Memory, Node, Trace};
use crate::report::{Claim, Need, Source};

/// The sources of claims in the article, with the authors that it names.
const REINEFELD: Source = Source("the article, after Reinefeld 1989");
const PLAAT: Source = Source("the article, after Plaat et al. 1996");
const PEARL: Source = Source("the article, after Pearl 1980");
const FISHBURN: Source = Source("the article, after Fishburn 1980 and 1981");
/// Further sources about the same algorithms.
const PLAAT_HIMSELF: Source = Source("Plaat et al. 1996, not in the article");
const STOCKMAN: Source = Source("the article; Stockman 1979");

pub(super) const MEASURES: &[Named] = &[
    ("values", |pace| Ok(vec![same_values(pace)?])),
    ("subset", |pace| Ok(vec![subset(pace)?])),
    ("orders", orders),
    ("scout", scout),
    ("scout-growth", |pace| Ok(vec![scout_growth(pace)?])),
    ("last-move", last_move),
    ("in-chess", rivals::in_chess),
    ("sss", |pace| Ok(vec![rivals::fewer_than_alpha_beta(pace)?])),
    ("open-list", rivals::open_list),
    ("dominance", |_| rivals::no_dominance()),
    ("null-window", windows::null_window),
    ("tree-split", processors::side_by_side),
];

fn chess() -> Vec<Chess> {
    positions::openings()
        .iter()
        .map(|position| Chess::new(*position.board()))
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
        trees.extend(kinds.map(|values| (Tree::new(branching, height, values), height)));
    }
    trees
}

/// The value by an algorithm, and what it counted.
fn solved(algorithm: Algorithm, game: &impl Game, depth: u32) -> (Value, Tally) {
    let mut laboratory = algorithm.laboratory();
    let value = solve(algorithm, game, depth, &mut laboratory);
    (value, laboratory.tally)
}

/// Refuses an algorithm that visits the nodes of minimax in every case, each case by all algorithms. Returns the fewest
/// cases in which an algorithm differs from minimax. Two other algorithms may visit the same nodes, as both forms of
/// alpha-beta do without a table.
fn all_differ_from_minimax(cases: &[Vec<Tally>]) -> Result<Differ, SameSearch> {
    let is_minimax = |algorithm| algorithm == Algorithm::Minimax;
    let minimax = Algorithm::iter().position(is_minimax);
    let minimax = minimax.expect("one of the algorithms");
    let mut fewest: Option<Differ> = None;
    for (at, algorithm) in Algorithm::iter().enumerate() {
        if at == minimax {
            continue;
        }
        let sides = format!("minimax and {}", algorithm.name());
        let pairs = cases
            .iter()
            .map(|tallies| (&tallies[minimax], &tallies[at]));
        let of = "trees and positions, minimax and the most similar algorithm";
        let differ = tallies_differ(&sides, of, pairs)?;
        fewest = Some(fewest.map_or(differ, |fewest| fewest.or_fewer(differ)));
    }
    Ok(fewest.expect("there are several algorithms"))
}

fn same_values(pace: Pace) -> Result<Claim, SameSearch> {
    let (mut agree, mut cases, mut by_all) = (0_u32, 0_u32, Vec::new());
    let mut count = |solved: Vec<(Value, Tally)>| {
        cases += 1;
        let (values, tallies): (Vec<_>, Vec<_>) = solved.into_iter().unzip();
        agree += u32::from(values.iter().all(|&value| value == values[0]));
        if tallies.len() == Algorithm::COUNT {
            by_all.push(tallies);
        }
    };
    for (tree, height) in trees(pace.pick(10, 100)) {
        count(
            Algorithm::iter()
                .map(|a| solved(a, &tree, height))
                .collect(),
        );
    }
    for chess in chess() {
        // Minimax searches quiescence with a full window, which is slow, so it is compared at a
        // small depth. The others are also compared one ply deeper.
        let depth = pace.pick(1, 2);
        count(
            Algorithm::iter()
                .map(|a| solved(a, &chess, depth))
                .collect(),
        );
        let others = Algorithm::iter().filter(|a| *a != Algorithm::Minimax);
        count(others.map(|a| solved(a, &chess, depth + 1)).collect());
    }
    let rows = Rows::new(5, 5, 4);
    count(Algorithm::iter().map(|a| solved(a, &rows, 3)).collect());
    let differ = all_differ_from_minimax(&by_all)?;
    let claim = PLAAT_HIMSELF
        .claims("all of these algorithms compute the minimax value")
        .needs(Need::AtLeast(1.0), "every case")
        .measure(
            Figure::share(agree as usize, cases as usize).counted(),
            differ,
            format!(
                "{agree} of {cases} trees, chess positions and noughts and crosses \
                 have one value by {} algorithms (in chess, minimax two plies deep)",
                Algorithm::COUNT
            ),
        );
    Ok(claim)
}

fn subset(pace: Pace) -> Result<Claim, SameSearch> {
    let (mut inside, mut cases, mut fewer) = (0_u32, 0_u32, 0_u32);
    let mut tallies = Vec::new();
    let mut count = |alpha_beta: &Laboratory, negascout: &Laboratory| {
        cases += 1;
        tallies.push((alpha_beta.tally, negascout.tally));
        inside += u32::from(negascout.saw_only_leaves_of(alpha_beta));
        fewer += u32::from(negascout.tally.distinct_leaves < alpha_beta.tally.distinct_leaves);
    };
    for (tree, height) in trees(pace.pick(20, 300)) {
        count(
            &laboratory(Algorithm::AlphaBeta, &tree, height),
            &laboratory(Algorithm::NegaScout, &tree, height),
        );
    }
    for chess in chess() {
        let depth = pace.pick(2, 4);
        count(
            &laboratory(Algorithm::AlphaBeta, &chess, depth),
            &laboratory(Algorithm::NegaScout, &chess, depth),
        );
    }
    let pairs = tallies.iter().map(|(one, other)| (one, other));
    let differ = tallies_differ("NegaScout and alpha-beta", "trees and positions", pairs)?;
    let claim = REINEFELD
        .claims("NegaScout never examines a leaf that alpha-beta prunes")
        .needs(Need::AtLeast(1.0), "every case")
        .measure(
            Figure::share(inside as usize, cases as usize).counted(),
            differ,
            format!("true of {inside} of {cases} trees and positions; fewer leaves in {fewer}"),
        );
    Ok(claim)
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

/// The ratio of an algorithm's nodes to alpha-beta's, over trees, all visits counted; and of different
/// leaves.
fn against_alpha_beta(
    algorithm: Algorithm,
    count: u64,
    values: fn(u64) -> Values,
) -> Result<(Figure, Figure, Differ), SameSearch> {
    let (branching, height) = SHAPE;
    let trees = (0..count).map(|seed| Tree::new(branching, height, values(seed)));
    let tallies: Vec<_> = trees
        .map(|tree| [algorithm, Algorithm::AlphaBeta].map(|a| tally(a, &tree, height)))
        .collect();
    let pairs = || tallies.iter().map(|[ours, theirs]| (ours, theirs));
    let sides = format!("{} and alpha-beta", algorithm.name());
    let differ = tallies_differ(&sides, "trees", pairs())?;
    let ratios = |count: fn(&Tally) -> u64| {
        let ratios: Vec<_> = pairs().map(|(a, b)| ratio(count(a), count(b))).collect();
        Figure::ratio(&ratios)
    };
    Ok((ratios(Tally::nodes), ratios(|t| t.distinct_leaves), differ))
}

fn orders(pace: Pace) -> Result<Vec<Claim>, SameSearch> {
    let count = pace.pick(2, 2000);
    let (lost, lost_distinct, lost_differ) =
        against_alpha_beta(Algorithm::NegaScout, count, random)?;
    let (won, won_distinct, won_differ) =
        against_alpha_beta(Algorithm::NegaScout, count, well_ordered)?;
    Ok(vec![
        REINEFELD
            .claims("in random order NegaScout takes longer than alpha-beta")
            .needs(Need::AtLeast(1.0), "longer at all")
            .measure(
                lost,
                lost_differ,
                format!(
                    "times alpha-beta's nodes, all visits counted, in {count} random trees \
                     (b=12, d=5) without memory; {lost_distinct} times the different \
                     leaves"
                ),
            ),
        REINEFELD
            .claims("in good order NegaScout is quicker than alpha-beta (trees, no memory)")
            .needs(Need::AtMost(1.0), "quicker at all")
            .measure(
                won,
                won_differ,
                format!(
                    "times alpha-beta's nodes, all visits counted, in {count} well ordered trees; \
                     {won_distinct} times the different leaves"
                ),
            ),
    ])
}

fn scout(pace: Pace) -> Result<Vec<Claim>, SameSearch> {
    let count = pace.pick(2, 100);
    let (visits_random, distinct_random, _) = against_alpha_beta(Algorithm::Scout, count, random)?;
    let (visits, distinct, differ) = against_alpha_beta(Algorithm::Scout, count, well_ordered)?;
    Ok(vec![
        PEARL
            .claims("SCOUT was the first to beat alpha-beta (different leaves)")
            .needs(Need::AtMost(1.0), "fewer at all")
            .measure(
                distinct,
                differ,
                format!(
                    "times alpha-beta's different leaves in {count} well ordered trees; \
                     {distinct_random} in random ones"
                ),
            ),
        PEARL
            .claims("SCOUT was the first to beat alpha-beta (all visits, no memory)")
            .needs(Need::AtMost(1.0), "fewer at all")
            .measure(
                visits,
                differ,
                format!(
                    "times alpha-beta's nodes, all visits counted, in {count} well ordered trees; \
                     {visits_random} in random ones"
                ),
            ),
    ])
}

/// Whether SCOUT's leaves grow with depth as alpha-beta's do.
fn scout_growth(pace: Pace) -> Result<Claim, SameSearch> {
    let (branching, low, high) = (4, 4, pace.pick(6, 10));
    let growth = |algorithm, seed| {
        let [low_tally, high_tally] = [low, high].map(|height| {
            let tree = Tree::new(branching, height, random(seed));
            tally(algorithm, &tree, height)
        });
        let times = ratio(high_tally.leaves, low_tally.leaves);
        (times.powf(1.0 / f64::from(high - low)), high_tally)
    };
    let count = pace.pick(3, 60);
    let of = |algorithm| -> (Vec<f64>, Vec<Tally>) {
        (0..count).map(|seed| growth(algorithm, seed)).unzip()
    };
    let (scout, scout_tallies) = of(Algorithm::Scout);
    let (alpha_beta, alpha_beta_tallies) = of(Algorithm::AlphaBeta);
    let pairs = scout_tallies.iter().zip(&alpha_beta_tallies);
    let differ = tallies_differ("SCOUT and alpha-beta", "trees", pairs)?;
    let ratios: Vec<f64> = scout.iter().zip(&alpha_beta).map(|(s, a)| s / a).collect();
    let claim = PEARL
        .claims("SCOUT is asymptotically as good as alpha-beta")
        .needs(Need::AtMost(1.02), "the same growth a ply, to a fiftieth")
        .measure(
            Figure::ratio(&ratios),
            differ,
            format!(
                "times alpha-beta's growth of leaf visits a ply, from depth {low} to \
                 {high} in {count} random trees (b={branching}): {:.2} against {:.2} times \
                 a ply",
                Figure::ratio(&scout).value,
                Figure::ratio(&alpha_beta).value
            ),
        );
    Ok(claim)
}

/// Fishburn's null window for the last move at the root, against alpha-beta at the root.
fn last_move(pace: Pace) -> Result<Vec<Claim>, SameSearch> {
    let (branching, height) = SHAPE;
    let (mut tallies, mut same) = (Vec::new(), 0);
    let count = pace.pick(3, 200);
    for seed in 0..count {
        let tree = Tree::new(branching, height, random(seed));
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
        tallies.push((narrow.tally, open.tally));
    }
    let pairs = || tallies.iter().map(|(narrow, open)| (narrow, open));
    let differ = tallies_differ("the null window and the open one", "trees", pairs())?;
    let ratios: Vec<_> = pairs().map(|(a, b)| ratio(a.leaves, b.leaves)).collect();
    Ok(vec![
        FISHBURN
            .claims("a null window for the last move of the root saves nodes")
            .needs(Need::AtMost(1.0), "fewer at all")
            .measure(
                Figure::ratio(&ratios),
                differ,
                format!("times alpha-beta's leaves in {count} random trees (b=12, d=5)"),
            ),
        FISHBURN
            .claims("a null window for the last move of the root finds a best move")
            .needs(
                Need::AtLeast(0.98),
                "all of two hundred, so far as these can show it",
            )
            .measure(
                Figure::share(same, count as usize),
                differ,
                format!("share of {count} random trees (b=12, d=5)"),
            ),
    ])
}
