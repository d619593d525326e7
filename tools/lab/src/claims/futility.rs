//! Futility pruning in the last two plies (Kornilov, 2005, after Heinz, 1998).

use skewer_common::stats::Pairs;

use super::Pace;
use super::measure::{duel, in_words, search_to_depth};
use crate::chess::config::{Config, Ideas, Quiescence};
use crate::chess::positions;
use crate::chess::searcher::Limits;
use crate::figure::Figure;
use crate::params::chess as params;
use crate::report::{Claim, Need};

const SOURCE: &str = "Kornilov 2005";

/// Both listings of the text.
const FUTILITY: Ideas = Ideas::FUTILITY_NODE.union(Ideas::FUTILITY_PARENT);

/// The configuration to which futility pruning is added. It has check extensions, as in the text.
const BASE: Config = Config::ORDERED.with(Ideas::CHECK_EXTENSION);

pub(super) fn claims(pace: Pace) -> Vec<Claim> {
    vec![
        saves_quiescence(pace, Ideas::FUTILITY_NODE, "node form"),
        saves_quiescence(pace, Ideas::FUTILITY_PARENT, "parent form"),
        saves_quiescence(pace, FUTILITY, "both forms"),
        no_loss(pace),
        pays(pace),
        heavier_quiescence(pace),
        half_a_pawn(pace),
        mates_first(pace),
    ]
}

fn saves_quiescence(pace: Pace, ideas: Ideas, form: &str) -> Claim {
    let positions = positions::varied();
    let depth = pace.pick(3, 5);
    let plain = search_to_depth(BASE, &positions, depth);
    let pruned = search_to_depth(BASE.with(ideas), &positions, depth);
    let saved = pruned.cost_against(&plain, |effort| effort.horizons);
    let nodes = pruned.nodes_against(&plain);
    Claim::new(
        SOURCE,
        &format!("many quiescence searches are saved ({form})"),
        Need::AtLeast(0.3),
    )
    .or_in_part(Need::AtLeast(0.1))
    .measure(
        saved.map(|share| 1.0 - share),
        format!("share of quiescence searches saved at depth {depth}; {nodes} times the nodes"),
    )
}

/// A match of the search with futility pruning against the search without.
fn match_without(limits: Limits, pace: Pace) -> Pairs {
    let base = BASE.with(Ideas::PATH_DRAWS);
    duel(
        (base.with(FUTILITY), limits),
        (base, limits),
        pace.pick(2, 60),
    )
}

fn no_loss(pace: Pace) -> Claim {
    let depth = pace.pick(2, 4);
    let pairs = match_without(Limits::depth(depth), pace);
    Claim::new(
        SOURCE,
        "without a practical loss of quality at the same depth",
        Need::AtLeast(-20.0),
    )
    .measure(
        Figure::elo(&pairs),
        format!("both at depth {depth}: {}", in_words(&pairs)),
    )
}

fn pays(pace: Pace) -> Claim {
    let limits = Limits::nodes(pace.pick(500, 8000));
    let pairs = match_without(limits, pace);
    Claim::new(
        SOURCE,
        "its effect is not bad at all: for the same nodes it plays better",
        Need::AtLeast(0.0),
    )
    .measure(
        Figure::elo(&pairs),
        format!(
            "both with {} nodes a move: {}",
            limits.nodes,
            in_words(&pairs)
        ),
    )
}

fn heavier_quiescence(pace: Pace) -> Claim {
    let positions = positions::varied();
    let depth = pace.pick(3, 4);
    // The share of nodes that is left with futility pruning, by position.
    let left = |quiescence| -> Vec<f64> {
        let base = Config { quiescence, ..BASE };
        let plain = search_to_depth(base, &positions, depth);
        let pruned = search_to_depth(base.with(FUTILITY), &positions, depth);
        let pairs = pruned.efforts.iter().zip(&plain.efforts);
        pairs
            .map(|(pruned, plain)| pruned.total() as f64 / plain.total() as f64)
            .collect()
    };
    let (none, light, heavy) = (
        left(Quiescence::Off),
        left(Quiescence::Captures),
        left(Quiescence::Checks),
    );
    let gains: Vec<f64> = light.iter().zip(&heavy).map(|(l, h)| l / h).collect();
    let factor = |left: &[f64]| Figure::ratio(left).map(|share| 1.0 / share);
    Claim::new(
        SOURCE,
        "the heavier the quiescence search, the more is gained",
        Need::AtLeast(1.0),
    )
    .measure(
        Figure::ratio(&gains),
        format!(
            "gain with checks in quiescence against the gain with captures alone at depth {depth}; \
             nodes fall by {} without quiescence, {} with captures, {} with checks",
            factor(&none),
            factor(&light),
            factor(&heavy)
        ),
    )
}

fn half_a_pawn(pace: Pace) -> Claim {
    let positions = positions::varied();
    let depth = pace.pick(3, 5);
    let exact = search_to_depth(BASE, &positions, depth);
    let mut parts = Vec::new();
    let mut half = Figure::UNKNOWN;
    for margin in [0, params::FUTILITY_MARGIN, 2 * params::FUTILITY_MARGIN, 300] {
        let run = search_to_depth(Config { margin, ..BASE }.with(FUTILITY), &positions, depth);
        let kept = run.same_moves(&exact);
        if margin == params::FUTILITY_MARGIN {
            half = Figure::share(kept, positions.len());
        }
        parts.push(format!(
            "margin {margin}: {kept} of {}, {} times the nodes",
            positions.len(),
            run.nodes_against(&exact)
        ));
    }
    Claim::new(
        SOURCE,
        "a margin of half a pawn is enough",
        Need::AtLeast(0.9),
    )
    .or_in_part(Need::AtLeast(0.7))
    .measure(
        half,
        format!(
            "share of best moves kept at depth {depth}; {}",
            parts.join("; ")
        ),
    )
}

fn mates_first(pace: Pace) -> Claim {
    let positions = positions::varied();
    let depth = pace.pick(3, 5);
    let plain = search_to_depth(BASE.with(FUTILITY), &positions, depth);
    let careful = search_to_depth(BASE.with(FUTILITY | Ideas::MATES_FIRST), &positions, depth);
    let same = careful.same_moves(&plain);
    Claim::new(
        SOURCE,
        "whether to prune before mates are settled is a matter of taste",
        Need::Between(0.95, 1.05),
    )
    .measure(
        careful.nodes_against(&plain),
        format!(
            "times the nodes at depth {depth} when nothing is pruned while alpha or beta is a mate; \
             {same} of {} moves are the same",
            positions.len()
        ),
    )
}
