//! Minimax, alpha-beta and their use in a game-playing program (Bratko, "Prolog Programming for
//! Artificial Intelligence").

use super::measure::{Duel, duel, ratio, search_to_depth, tallies_differ, tally, think, value};
use super::{Named, Pace, SameSearch};
use crate::algorithms::{Algorithm, Cut, bratko, minimax};
use crate::chess::config::{Config, Ideas, Quiescence};
use crate::chess::position::Position;
use crate::chess::positions;
use crate::chess::searcher::{Limits, Searcher};
use crate::figure::{Figure, Unit};
use crate::game::Window;
use crate::games::perfect;
use crate::games::play;
use crate::games::tree::{Tree, Values};
use crate::laboratory::{Laboratory, Memory, Node, Trace};
use crate::report::{Claim, Need, Sides, Source};

const SOURCE: Source = Source("Bratko");
const SLAGLE: Source = Source("Slagle and Dixon 1969; Knuth and Moore 1975");

pub(super) const MEASURES: &[Named] = &[
    ("ordered-trees", |_| Ok(ordered_trees())),
    ("strict-comparison", |_| Ok(vec![strict_comparison()?])),
    ("perfect-evaluation", |pace| {
        Ok(vec![perfect_evaluation(pace)])
    }),
    ("twice-as-deep", |pace| Ok(vec![twice_as_deep(pace)])),
    ("branching", |pace| Ok(vec![branching(pace)])),
    ("deeper-in-chess", |pace| {
        Ok(vec![deeper_is_stronger_in_chess(pace)?])
    }),
    ("deeper-in-rows", |pace| {
        Ok(vec![deeper_is_stronger_in_rows(pace)?])
    }),
    ("quiet-positions", |pace| Ok(vec![quiet_positions(pace)?])),
    ("forward-pruning", forward_pruning),
    ("deepening", |pace| Ok(vec![deepening(pace)?])),
];

const WITHOUT_QUIESCENCE: Config = Config {
    quiescence: Quiescence::Off,
    ..Config::ORDERED
};

/// Branching and depth of the trees on which formulas are checked.
const TREES: [(u16, u32); 6] = [(2, 12), (3, 8), (4, 7), (6, 6), (10, 5), (30, 4)];

fn ordered_trees() -> Vec<Claim> {
    let mut worst_share = f64::INFINITY;
    let (mut exact, mut exponents) = (0, Vec::new());
    let mut example = String::new();
    for (branching, height) in TREES {
        let all = u64::from(branching).pow(height);
        let leaves = |values| {
            let tree = Tree::new(branching, height, values);
            tally(Algorithm::AlphaBeta, &tree, height).leaves
        };
        worst_share = worst_share.min(ratio(leaves(Values::WorstOrder), all));
        let best = leaves(Values::PerfectOrder);
        exact += usize::from(best == Tree::minimal_leaves(branching, height));
        // At odd depths the best order needs about b^ceil(d/2) leaves, more than the square root.
        if height.is_multiple_of(2) {
            exponents.push((best as f64 / 2.0).ln() / (all as f64).ln());
        }
        example = format!("b={branching}, d={height}: {best} of {all}");
    }
    let exponent = exponents.iter().sum::<f64>() / exponents.len() as f64;
    vec![
        SOURCE
            .claims("in the worst order alpha-beta is minimax")
            .needs(Need::AtLeast(1.0), "every leaf")
            .measure(
                Figure::exact(worst_share).in_unit(Unit::Share),
                Sides::One("alpha-beta and the number of leaves"),
                format!(
                    "alpha-beta evaluates {:.1}% of the leaves of {} trees ordered worst",
                    100.0 * worst_share,
                    TREES.len()
                ),
            ),
        SOURCE
            .claims("in the best order alpha-beta evaluates about the square root of N leaves")
            .needs(
                Need::Between(0.49, 0.51),
                "the exponent of a root, to a hundredth",
            )
            .measure(
                Figure::exact(exponent),
                Sides::One("alpha-beta and a formula"),
                format!("leaves = 2 N^{exponent:.3} at even depths ({example})"),
            ),
        SLAGLE
            .claims("the best order costs b^ceil(d/2) + b^floor(d/2) - 1 leaves exactly")
            .needs(Need::AtLeast(1.0), "every tree")
            .measure(
                Figure::share(exact, TREES.len()).counted(),
                Sides::One("alpha-beta and a formula"),
                format!("{exact} of {} trees to the leaf", TREES.len()),
            ),
    ]
}

/// Bratko's program, with its comparison and with the comparison that prunes more.
fn strict_comparison() -> Result<Claim, SameSearch> {
    let (count, height) = (1000_u64, 4);
    let (mut wrong, mut tallies) = ([0; 2], Vec::new());
    for seed in 0..count {
        let tree = Tree::new(3, height, Values::Random { seed, range: 10 });
        let root = Node::root(&tree, height);
        let cuts = [Cut::Beyond, Cut::At];
        tallies.push([0, 1].map(|form| {
            let mut laboratory = Laboratory::new(Memory::Off, Trace::Counts);
            let (value, best) = bratko(&mut laboratory, &root, Window::FULL, cuts[form]);
            let tally = laboratory.tally;
            let child = best.map(|number| root.nth_child(number.into()));
            wrong[form] +=
                usize::from(child.is_none_or(|child| -minimax(&mut laboratory, &child) != value));
            tally
        }));
    }
    let pairs = tallies.iter().map(|[beyond, at]| (beyond, at));
    let differ = tallies_differ("the two comparisons", "trees", pairs)?;
    let claim = Source("not in the text")
        .claims(
            "the program, which takes the later of two equal \
             moves, must cut on > alone",
        )
        .needs(Need::AtLeast(0.01), "some moves are wrong with >=")
        .measure(
            Figure::share(wrong[1], count as usize),
            differ,
            format!(
                "share of {count} random trees (b=3, d=4) in which the move is wrong with \
                 >=; {} are with >; the values are right with both",
                wrong[0]
            ),
        );
    Ok(claim)
}

fn perfect_evaluation(pace: Pace) -> Claim {
    let starts = pace.pick(20, 200);
    let (kept, games) = perfect::one_ply_games(starts, 1986);
    SOURCE
        .claims("with a perfect evaluation, one ply of search is enough")
        .needs(Need::AtLeast(1.0), "every position")
        .measure(
            Figure::share(kept, games).counted(),
            Sides::One("one ply of search and the solved game"),
            format!(
                "noughts and crosses, solved: one ply with the perfect evaluation \
                 keeps the value of {kept} of {games} positions against every defence"
            ),
        )
}

fn twice_as_deep(pace: Pace) -> Claim {
    let positions = positions::openings();
    let positions = &positions[..pace.pick(2, positions.len())];
    // No quiescence, because plain minimax has none.
    let times_as_deep = |minimax_depth: u32| {
        let factors: Vec<f64> = positions
            .iter()
            .map(|position| {
                let nodes = minimax_nodes(position, minimax_depth);
                let run = think(WITHOUT_QUIESCENCE, &[*position], Limits::nodes(nodes));
                run.mean_depth() / f64::from(minimax_depth)
            })
            .collect();
        Figure::mean(&factors).in_unit(Unit::Times)
    };
    let deepest = pace.pick(3, 4);
    let factor = times_as_deep(deepest);
    let before = times_as_deep(deepest - 1);
    SOURCE
        .claims("in the same time alpha-beta searches twice as deep as minimax")
        .needs(Need::AtLeast(1.9), "twice, to a twentieth")
        .or_in_part(Need::AtLeast(1.2))
        .measure(
            factor,
            Sides::One("two depths for as many nodes"),
            format!(
                "times as deep in chess, for the nodes of minimax to depth {deepest}, \
                 no quiescence in either; {before} for depth {}: it grows with depth",
                deepest - 1
            ),
        )
}

/// The nodes of minimax to a depth, the root and the leaves among them.
fn minimax_nodes(position: &Position, depth: u32) -> u64 {
    (0..=depth)
        .map(|depth| skewer_movegen::perft(position.board(), depth))
        .sum()
}

fn branching(pace: Pace) -> Claim {
    let positions = positions::openings();
    let (low, high) = pace.pick((2, 3), (3, 5));
    let runs: Vec<_> = (low - 1..=high)
        .map(|depth| think(WITHOUT_QUIESCENCE, &positions, Limits::depth(depth)))
        .collect();
    // A run counts all its iterations, so the difference of two runs is the last iteration alone.
    let factors: Vec<f64> = (0..positions.len())
        .map(|index| {
            let leaves = |run: usize| runs[run].efforts[index].horizons;
            let last = |depth: usize| leaves(depth) - leaves(depth - 1);
            let deep = last((high - low + 1) as usize);
            ratio(deep, last(1)).powf(1.0 / f64::from(high - low))
        })
        .collect();
    let moves: usize = positions
        .iter()
        .map(|p| p.board().legal_moves().len())
        .sum();
    let moves = moves as f64 / positions.len() as f64;
    SOURCE
        .claims("alpha-beta makes about 6 branches of the 30 of chess")
        .needs(Need::Between(4.5, 7.5), "about 6 is within a quarter")
        .or_in_part(Need::Between(3.5, 9.0))
        .measure(
            Figure::ratio(&factors),
            Sides::One("one search and a number"),
            format!("leaves a ply from depth {low} to {high}, of {moves:.0} moves"),
        )
}

fn deeper_is_stronger_in_chess(pace: Pace) -> Result<Claim, SameSearch> {
    let pairs = pace.pick(2, 25);
    let at = |depth| {
        (
            Config::ORDERED.with(Ideas::PATH_DRAWS),
            Limits::depth(depth),
        )
    };
    let results = duel(at(4), at(3), pairs)?;
    let claim = SOURCE
        .claims("the same evaluation plays stronger the deeper it is searched (chess)")
        .needs(Need::AtLeast(0.0), "stronger at all")
        .measure_games(&results, "depth 4 against depth 3");
    Ok(claim)
}

fn deeper_is_stronger_in_rows(pace: Pace) -> Result<Claim, SameSearch> {
    let pairs = pace.pick(10, 100);
    let played = play::rows_match([4, 2], pairs, 2005);
    let results = Duel::of(&played, || "two depths".to_owned())?;
    let claim = SOURCE
        .claims(
            "the same evaluation plays stronger the deeper it is searched (four in a row on 5x5)",
        )
        .needs(Need::AtLeast(0.0), "stronger at all")
        .measure_games(&results, "depth 4 against depth 2");
    Ok(claim)
}

fn quiet_positions(pace: Pace) -> Result<Claim, SameSearch> {
    let pairs = pace.pick(2, 25);
    let limits = Limits::nodes(pace.pick(500, 6000));
    let with = Config::ORDERED.with(Ideas::PATH_DRAWS);
    let without = WITHOUT_QUIESCENCE.with(Ideas::PATH_DRAWS);
    let results = duel((with, limits), (without, limits), pairs)?;
    let claim = SOURCE
        .claims("only quiet positions should be evaluated as they stand")
        .needs(Need::AtLeast(0.0), "stronger at all")
        .measure_games(
            &results,
            &format!(
                "with quiescence against without, {} nodes a move",
                limits.nodes
            ),
        );
    Ok(claim)
}

fn forward_pruning(pace: Pace) -> Result<Vec<Claim>, SameSearch> {
    let positions = pace.sample();
    let limits = Limits::nodes(pace.pick(4000, 100_000));
    let pruned = Config::ORDERED.with(Ideas::FORWARD_PRUNING);
    let narrow = think(pruned, &positions, limits);
    let whole = think(Config::ORDERED, &positions, limits);
    let gain = narrow.deeper_than(&whole)?;
    let all = &positions;
    let depth = pace.pick(2, 4);
    // Worse by half a pawn, by the exact search of the same depth.
    let misses = |position: &Position| {
        let best = value(position, depth);
        let chosen = Searcher::new(pruned).search_to_depth(position, depth).best;
        chosen.is_some_and(|mv| -value(&position.play(mv), depth - 1) <= best - 50)
    };
    let missed = all.iter().filter(|position| misses(position)).count();
    Ok(vec![
        SOURCE
            .claims("leaving out the less promising moves reaches a greater depth")
            .needs(Need::AtLeast(0.25), "a ply in one position of four")
            .or_in_part(Need::AtLeast(0.0))
            .measure(
                gain,
                narrow.differ(&whole)?,
                format!("plies more for {} nodes", limits.nodes),
            ),
        SOURCE
            .claims("leaving moves out risks missing a good one")
            .needs(Need::AtLeast(0.02), "a risk is one move in fifty")
            .measure(
                Figure::share(missed, all.len()),
                search_to_depth(pruned, all, depth).differ(&search_to_depth(
                    Config::ORDERED,
                    all,
                    depth,
                ))?,
                format!(
                    "share of positions in which the move is worse by half a pawn or more, \
                     by the exact search of the same {depth} plies: {missed} of {}",
                    all.len()
                ),
            ),
    ])
}

fn deepening(pace: Pace) -> Result<Claim, SameSearch> {
    let positions = positions::openings();
    let depth = pace.pick(3, 6);
    let deepened = think(Config::ORDERED, &positions, Limits::depth(depth));
    let direct = search_to_depth(Config::ORDERED, &positions, depth);
    let claim = SOURCE
        .claims("iterative deepening, which a clock requires, costs little")
        .needs(Need::AtMost(1.25), "little is a quarter")
        .measure(
            deepened.nodes_against(&direct)?,
            deepened.differ(&direct)?,
            format!(
                "times the nodes of depth {depth} at once, for all depths up to it; hash moves and \
                 history are kept"
            ),
        );
    Ok(claim)
}
