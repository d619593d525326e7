//! Seed 002 (Kornilov): the order of quiet moves.

use super::Pace;
use super::measure::{look, ratio, think};
use crate::chess::positions;
use crate::chess::recipe::{Ideas, QuietOrder, Recipe};
use crate::chess::searcher::Limits;
use crate::report::{Claim, Need};

const SOURCE: &str = "seed 002";

pub(super) fn claims(pace: Pace) -> Vec<Claim> {
    let mut claims = buckets(pace);
    claims.push(negascout(pace));
    claims.extend(heuristics(pace));
    claims.push(as_generated(pace));
    claims
}

fn nodes(recipe: Recipe, depth: i32) -> u64 {
    look(recipe, &positions::varied(), depth).effort.total()
}

fn buckets(pace: Pace) -> Vec<Claim> {
    let depth = pace.pick(3, 5);
    let ordered = |quiet_order| {
        let recipe = Recipe {
            quiet_order,
            ..Recipe::PLAIN
        };
        nodes(recipe, depth)
    };
    let generated = ordered(QuietOrder::Generated);
    let bucketed = ordered(QuietOrder::Buckets);
    let sorted = ordered(QuietOrder::Sorted);
    vec![
        Claim::new(
            SOURCE,
            "three buckets of quiet moves speed the search several-fold",
            Need::AtLeast(2.0),
        )
        .or_in_part(Need::AtLeast(1.1))
        .measure(
            ratio(generated, bucketed),
            format!(
                "{:.2} times fewer nodes at depth {depth} than in the generator's order, captures \
                 ordered in both",
                ratio(generated, bucketed)
            ),
        ),
        Claim::new(
            SOURCE,
            "three buckets are as a rule enough",
            Need::AtMost(1.1),
        )
        .or_in_part(Need::AtMost(1.5))
        .measure(
            ratio(bucketed, sorted),
            format!(
                "{:.2} times the nodes of a full sort by the same gain",
                ratio(bucketed, sorted)
            ),
        ),
    ]
}

fn negascout(pace: Pace) -> Claim {
    let depth = pace.pick(3, 5);
    let base = Recipe::ORDERED.without(Ideas::NEGASCOUT);
    let gain = ratio(nodes(base, depth), nodes(Recipe::ORDERED, depth));
    Claim::new(
        SOURCE,
        "NegaScout speeds the search by 50% at most",
        Need::Between(1.0, 1.5),
    )
    .or_in_part(Need::AtMost(1.5))
    .measure(
        gain,
        format!(
            "{:+.0}% at depth {depth}, all ordering in both",
            100.0 * (gain - 1.0)
        ),
    )
}

fn heuristics(pace: Pace) -> Vec<Claim> {
    let depth = pace.pick(3, 5);
    let bucketed = Recipe {
        quiet_order: QuietOrder::Buckets,
        ..Recipe::PLAIN
    };
    let all = Ideas::KILLERS | Ideas::HISTORY | Ideas::HASH_MOVE;
    let positions = positions::varied();
    let deepened = |ideas| {
        let limits = Limits::depth(depth);
        let run = think(bucketed.with(ideas), &positions, limits);
        run.effort.total()
    };
    let base = deepened(Ideas::empty());
    let full = deepened(all);
    let faster = |idea, name: &str| {
        let (alone, last) = (
            ratio(base, deepened(idea)),
            ratio(deepened(all.difference(idea)), full),
        );
        Claim::new(
            SOURCE,
            &format!("{name} order quiet moves further"),
            Need::AtLeast(1.05),
        )
        .or_in_part(Need::AtLeast(1.0))
        .measure(
            alone,
            format!(
                "{alone:.2} times fewer nodes to depth {depth} on top of the buckets, {last:.2} \
                 as the last of the three to be added"
            ),
        )
    };
    vec![
        faster(Ideas::KILLERS, "killers"),
        faster(Ideas::HISTORY, "the history of best moves"),
        faster(Ideas::HASH_MOVE, "hash moves with deepening"),
    ]
}

fn as_generated(pace: Pace) -> Claim {
    let depth = pace.pick(3, 5);
    let positions = positions::varied();
    let all = look(Recipe::ORDERED, &positions, depth).effort;
    let early = Recipe::ORDERED.with(Ideas::EARLY_CANDIDATES);
    let early = look(early, &positions, depth).effort;
    let saved = ratio(all.generated * early.nodes, early.generated * all.nodes);
    Claim::new(
        SOURCE,
        "searching good moves as they are found saves generating the others",
        Need::AtLeast(1.2),
    )
    .measure(
        saved,
        format!(
            "{saved:.2} times fewer moves generated a node; {:.2} times the nodes with the text's \
             early candidates",
            ratio(early.total(), all.total())
        ),
    )
}
