//! Seed 000 (after Heinz and Kornilov): futility pruning in the last two plies.

use super::Pace;
use super::measure::{duel, look, ratio, told};
use crate::chess::positions;
use crate::chess::recipe::{Ideas, Quiescence, Recipe};
use crate::chess::searcher::Limits;
use crate::params::chess as params;
use crate::report::{Claim, Need};

const SOURCE: &str = "seed 000";

/// Both listings of the text.
const FUTILITY: Ideas = Ideas::FUTILITY_NODE.union(Ideas::FUTILITY_PARENT);

/// What futility pruning is added to: the text has selective extensions, so checks extend.
const BASE: Recipe = Recipe::ORDERED.with(Ideas::CHECK_EXTENSION);

pub(super) fn claims(pace: Pace) -> Vec<Claim> {
    vec![
        saves_quiescence(pace, Ideas::FUTILITY_NODE, "node form"),
        saves_quiescence(pace, Ideas::FUTILITY_PARENT, "parent form"),
        saves_quiescence(pace, FUTILITY, "both forms"),
        no_loss(pace),
        pays(pace),
        heavier_quiescence(pace),
        half_a_pawn(pace),
    ]
}

fn saves_quiescence(pace: Pace, ideas: Ideas, form: &str) -> Claim {
    let positions = positions::varied();
    let depth = pace.pick(3, 5);
    let plain = look(BASE, &positions, depth).effort;
    let pruned = look(BASE.with(ideas), &positions, depth).effort;
    let saved = 1.0 - ratio(pruned.horizons, plain.horizons);
    Claim::new(
        SOURCE,
        &format!("many quiescence searches are saved ({form})"),
        Need::AtLeast(0.3),
    )
    .or_in_part(Need::AtLeast(0.1))
    .measure(
        saved,
        format!(
            "{:.0}% fewer quiescence searches, {:.0}% fewer nodes at depth {depth}",
            100.0 * saved,
            100.0 * (1.0 - ratio(pruned.total(), plain.total()))
        ),
    )
}

fn no_loss(pace: Pace) -> Claim {
    let depth = pace.pick(2, 4);
    let base = BASE.with(Ideas::PATH_DRAWS);
    let limits = Limits::depth(depth);
    let pairs = pace.pick(2, 40);
    let standing = duel((base.with(FUTILITY), limits), (base, limits), pairs);
    Claim::new(
        SOURCE,
        "without a practical loss of quality at the same depth",
        Need::AtLeast(0.05),
    )
    .measure(
        standing.confidence(),
        format!("both at depth {depth}: {}", told(standing)),
    )
}

fn pays(pace: Pace) -> Claim {
    let base = BASE.with(Ideas::PATH_DRAWS);
    let limits = Limits::nodes(pace.pick(500, 8000));
    let pairs = pace.pick(2, 40);
    let standing = duel((base.with(FUTILITY), limits), (base, limits), pairs);
    Claim::new(
        SOURCE,
        "its effect is not bad at all: for the same nodes it plays better",
        Need::AtLeast(0.95),
    )
    .or_in_part(Need::AtLeast(0.5))
    .measure(
        standing.confidence(),
        format!(
            "both with {} nodes a move: {}",
            limits.nodes,
            told(standing)
        ),
    )
}

fn heavier_quiescence(pace: Pace) -> Claim {
    let positions = positions::varied();
    let depth = pace.pick(3, 4);
    let speedup = |quiescence| {
        let base = Recipe { quiescence, ..BASE };
        let plain = look(base, &positions, depth).effort.total();
        ratio(
            plain,
            look(base.with(FUTILITY), &positions, depth).effort.total(),
        )
    };
    let none = speedup(Quiescence::Off);
    let light = speedup(Quiescence::Captures);
    let heavy = speedup(Quiescence::Checks);
    Claim::new(
        SOURCE,
        "the heavier the quiescence search, the more is gained",
        Need::AtLeast(1.02),
    )
    .or_in_part(Need::AtLeast(0.98))
    .measure(
        heavy / light,
        format!(
            "all nodes fall by a factor of {none:.2} without quiescence, {light:.2} with captures, \
             {heavy:.2} with captures and checks"
        ),
    )
}

fn half_a_pawn(pace: Pace) -> Claim {
    let positions = positions::varied();
    let depth = pace.pick(3, 5);
    let exact = look(BASE, &positions, depth);
    let mut told = Vec::new();
    let mut agreements = Vec::new();
    for margin in [0, params::FUTILITY_MARGIN, 2 * params::FUTILITY_MARGIN, 300] {
        let recipe = Recipe { margin, ..BASE }.with(FUTILITY);
        let run = look(recipe, &positions, depth);
        let agreement = exact.agreement(&run);
        agreements.push(agreement);
        told.push(format!(
            "margin {margin}: {:.0}% of moves kept, {:.0}% of nodes",
            100.0 * agreement,
            100.0 * ratio(run.effort.total(), exact.effort.total())
        ));
    }
    let widest = agreements.last().copied().unwrap_or(1.0);
    Claim::new(
        SOURCE,
        "a margin of half a pawn is enough",
        Need::AtLeast(0.95),
    )
    .or_in_part(Need::AtLeast(0.8))
    .measure(agreements[1] / widest.max(0.01), told.join("; "))
}
