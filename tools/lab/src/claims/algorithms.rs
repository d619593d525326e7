//! Seed 001 (Bratko, "Prolog Programming for Artificial Intelligence"): minimax, alpha-beta and
//! what makes a game-playing program of them.

use super::Pace;
use super::measure::{duel, look, ratio, tally, think, told};
use crate::algorithms::Algorithm;
use crate::chess::positions;
use crate::chess::recipe::{Ideas, Quiescence, Recipe};
use crate::chess::searcher::Limits;
use crate::games::play::{self, Depths};
use crate::games::tree::{Tree, Values};
use crate::report::{Claim, Need};

const SOURCE: &str = "seed 001";

pub(super) fn claims(pace: Pace) -> Vec<Claim> {
    let mut claims = ordered_trees();
    claims.push(twice_as_deep(pace));
    claims.push(branching(pace));
    claims.push(deeper_is_stronger_in_chess(pace));
    claims.push(deeper_is_stronger_in_rows(pace));
    claims.push(quiet_positions(pace));
    claims.extend(forward_pruning(pace));
    claims.push(deepening(pace));
    claims
}

/// Branching and depth of the trees on which formulas are checked.
const TREES: [(u16, u32); 6] = [(2, 12), (3, 8), (4, 7), (6, 6), (10, 5), (30, 4)];

fn ordered_trees() -> Vec<Claim> {
    let mut worst_share = f64::INFINITY;
    let (mut exact, mut exponents) = (0, Vec::new());
    let mut example = String::new();
    for (branching, height) in TREES {
        let all = u64::from(branching).pow(height);
        let leaves = |values| {
            Tree::new(branching, height, values)
                .map_or(0, |tree| tally(Algorithm::AlphaBeta, &tree, height).leaves)
        };
        worst_share = worst_share.min(ratio(leaves(Values::WorstOrder), all));
        let best = leaves(Values::PerfectOrder);
        exact += usize::from(best == Tree::minimal_leaves(branching, height));
        // An odd depth has a root of N that no tree can show: b^ceil(d/2) dominates.
        if height.is_multiple_of(2) {
            exponents.push((best as f64 / 2.0).ln() / (all as f64).ln());
        }
        example = format!("b={branching}, d={height}: {best} of {all}");
    }
    let exponent = exponents.iter().sum::<f64>() / exponents.len() as f64;
    vec![
        Claim::new(
            SOURCE,
            "in the worst order alpha-beta is minimax",
            Need::AtLeast(1.0),
        )
        .measure(
            worst_share,
            format!(
                "alpha-beta evaluates {:.1}% of the leaves of {} trees ordered worst",
                100.0 * worst_share,
                TREES.len()
            ),
        ),
        Claim::new(
            SOURCE,
            "in the best order alpha-beta evaluates about the square root of N leaves",
            Need::Between(0.49, 0.51),
        )
        .measure(
            exponent,
            format!("leaves = 2 N^{exponent:.3} at even depths ({example})"),
        ),
        Claim::new(
            SOURCE,
            "the best order costs b^ceil(d/2) + b^floor(d/2) - 1 leaves exactly",
            Need::AtLeast(1.0),
        )
        .measure(
            exact as f64 / TREES.len() as f64,
            format!("{exact} of {} trees to the leaf", TREES.len()),
        ),
    ]
}

fn twice_as_deep(pace: Pace) -> Claim {
    let positions = positions::openings();
    let positions = &positions[..pace.pick(2, positions.len())];
    let minimax_depth = 3;
    let mut depths = 0.0;
    for position in positions {
        // What minimax costs to this depth, the nodes that it does not evaluate included.
        let nodes = minimax_nodes(position, minimax_depth);
        let run = think(Recipe::ORDERED, &[*position], Limits::nodes(nodes));
        depths += run.mean_depth();
    }
    let mean = depths / positions.len() as f64;
    let factor = mean / f64::from(minimax_depth);
    Claim::new(
        SOURCE,
        "in the same time alpha-beta searches twice as deep as minimax",
        Need::AtLeast(1.9),
    )
    .or_in_part(Need::AtLeast(1.3))
    .measure(
        factor,
        format!(
            "chess: for the nodes of minimax to depth {minimax_depth}, alpha-beta with all the \
             ordering of seed 002 finishes depth {mean:.1} on average: {factor:.2} times as deep"
        ),
    )
}

/// The nodes of minimax, leaves with their quiescence, counted without searching twice.
fn minimax_nodes(position: &crate::chess::position::Position, depth: i32) -> u64 {
    use crate::chess::game::{Chess, MoveOrder};
    let order = MoveOrder::Generated;
    let chess = Chess::new(*position.board(), order, Quiescence::Off);
    tally(Algorithm::Minimax, &chess, depth as u32).nodes()
}

fn branching(pace: Pace) -> Claim {
    let positions = positions::openings();
    let (low, high) = pace.pick((1, 3), (3, 5));
    let recipe = Recipe {
        quiescence: Quiescence::Off,
        ..Recipe::ORDERED
    };
    let leaves = |depth| {
        think(recipe, &positions, Limits::depth(depth))
            .effort
            .horizons
    };
    // Iterations add up, so the last one alone is the difference of two runs.
    let last = |depth| leaves(depth) - if depth > 1 { leaves(depth - 1) } else { 0 };
    let factor = ratio(last(high), last(low)).powf(1.0 / f64::from(high - low));
    let moves: usize = positions
        .iter()
        .map(|p| p.board().legal_moves().len())
        .sum();
    let moves = moves as f64 / positions.len() as f64;
    Claim::new(
        SOURCE,
        "alpha-beta makes about 6 branches of the 30 of chess",
        Need::Between(4.5, 7.5),
    )
    .or_in_part(Need::Between(3.5, 9.0))
    .measure(
        factor,
        format!("{factor:.1} leaves a ply from depth {low} to {high}, of {moves:.0} moves"),
    )
}

fn deeper_is_stronger_in_chess(pace: Pace) -> Claim {
    let pairs = pace.pick(2, 25);
    let at = |depth| {
        (
            Recipe::ORDERED.with(Ideas::PATH_DRAWS),
            Limits::depth(depth),
        )
    };
    let standing = duel(at(4), at(3), pairs);
    Claim::new(
        SOURCE,
        "the same evaluation plays stronger the deeper it is searched (chess)",
        Need::AtLeast(0.95),
    )
    .measure(
        standing.confidence(),
        format!("depth 4 against depth 3: {}", told(standing)),
    )
}

fn deeper_is_stronger_in_rows(pace: Pace) -> Claim {
    let pairs = pace.pick(10, 100);
    let standing = play::rows_match(
        Depths {
            first: 4,
            second: 2,
        },
        pairs,
        2005,
    );
    Claim::new(
        SOURCE,
        "the same evaluation plays stronger the deeper it is searched (four in a row on 5x5)",
        Need::AtLeast(0.95),
    )
    .measure(
        standing.confidence(),
        format!("depth 4 against depth 2: {}", told(standing)),
    )
}

fn quiet_positions(pace: Pace) -> Claim {
    let pairs = pace.pick(2, 25);
    let limits = Limits::nodes(pace.pick(500, 6000));
    let with = Recipe::ORDERED.with(Ideas::PATH_DRAWS);
    let without = Recipe {
        quiescence: Quiescence::Off,
        ..with
    };
    let standing = duel((with, limits), (without, limits), pairs);
    Claim::new(
        SOURCE,
        "only quiet positions should be evaluated as they stand",
        Need::AtLeast(0.95),
    )
    .measure(
        standing.confidence(),
        format!(
            "with quiescence against without, {} nodes a move: {}",
            limits.nodes,
            told(standing)
        ),
    )
}

fn forward_pruning(pace: Pace) -> [Claim; 2] {
    let positions = positions::varied();
    let limits = Limits::nodes(pace.pick(4000, 100_000));
    let pruned = Recipe::ORDERED.with(Ideas::FORWARD_PRUNING);
    let gain = think(pruned, &positions, limits).mean_depth()
        - think(Recipe::ORDERED, &positions, limits).mean_depth();
    let depth = pace.pick(3, 5);
    let exact = look(Recipe::ORDERED, &positions, depth);
    let cut = look(pruned, &positions, depth);
    let wrong = 1.0 - exact.agreement(&cut);
    [
        Claim::new(
            SOURCE,
            "leaving out the less promising moves reaches a greater depth",
            Need::AtLeast(0.3),
        )
        .or_in_part(Need::AtLeast(0.05))
        .measure(gain, format!("{gain:+.2} plies for {} nodes", limits.nodes)),
        Claim::new(
            SOURCE,
            "leaving moves out risks missing a good one",
            Need::AtLeast(0.01),
        )
        .measure(
            wrong,
            format!(
                "another move than the exact search's in {:.0}% of {} positions at depth {depth}",
                100.0 * wrong,
                positions.len()
            ),
        ),
    ]
}

fn deepening(pace: Pace) -> Claim {
    let positions = positions::openings();
    let depth = pace.pick(3, 6);
    let deepened = think(Recipe::ORDERED, &positions, Limits::depth(depth)).effort;
    let direct = look(Recipe::ORDERED, &positions, depth).effort;
    let factor = ratio(direct.total(), deepened.total());
    Claim::new(
        SOURCE,
        "deepening step by step, as the clock demands, costs little",
        Need::AtLeast(0.8),
    )
    .measure(
        factor,
        format!(
            "depth {depth} at once costs {factor:.2} times the nodes of all depths up to it, hash \
             move and history kept"
        ),
    )
}
