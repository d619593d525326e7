//! The order of quiet moves (Kornilov, 2005).

use super::Pace;
use super::measure::{Run, search_to_depth, think};
use crate::chess::config::{Config, Ideas, QuietOrder};
use crate::chess::positions;
use crate::chess::searcher::Limits;
use crate::report::{Claim, Need};

const SOURCE: &str = "Kornilov 2005";

pub(super) fn claims(pace: Pace) -> Vec<Claim> {
    let mut claims = buckets(pace);
    claims.extend(checks(pace));
    claims.push(negascout(pace));
    claims.extend(heuristics(pace));
    claims.extend(as_generated(pace));
    claims
}

fn run(config: Config, depth: i32) -> Run {
    search_to_depth(config, &positions::varied(), depth)
}

fn ordered(quiet_order: QuietOrder) -> Config {
    Config {
        quiet_order,
        ..Config::PLAIN
    }
}

fn buckets(pace: Pace) -> Vec<Claim> {
    let depth = pace.pick(3, 5);
    let runs = |depth| {
        [
            QuietOrder::Generated,
            QuietOrder::Buckets,
            QuietOrder::Sorted,
        ]
        .map(|order| run(ordered(order), depth))
    };
    let [generated, bucketed, sorted] = runs(depth);
    let shallow = runs(depth - 1);
    let before = shallow[0].nodes_against(&shallow[1]);
    vec![
        Claim::new(
            SOURCE,
            "three buckets of quiet moves speed the search several-fold",
            Need::AtLeast(2.0),
        )
        .or_in_part(Need::AtLeast(1.0))
        .measure(
            generated.nodes_against(&bucketed),
            format!(
                "times fewer nodes at depth {depth} than in the generator's order, captures ordered \
                 in both; {before} at depth {}",
                depth - 1
            ),
        ),
        Claim::new(
            SOURCE,
            "three buckets are usually enough",
            Need::AtMost(1.1),
        )
        .or_in_part(Need::AtMost(2.0))
        .measure(
            bucketed.nodes_against(&sorted),
            format!("times the nodes of a full sort by the same gain at depth {depth}"),
        ),
    ]
}

fn checks(pace: Pace) -> [Claim; 2] {
    let depth = pace.pick(3, 5);
    let plain = ordered(QuietOrder::Buckets);
    let first = run(plain.with(Ideas::CHECKS_FIRST), depth);
    let without = run(plain, depth);
    let full = run(Config::ORDERED, depth);
    let on_top = run(Config::ORDERED.with(Ideas::CHECKS_FIRST), depth);
    let asked: u64 = first.efforts.iter().map(|e| e.check_tests).sum();
    let nodes: u64 = first.efforts.iter().map(|e| e.nodes).sum();
    [
        Claim::new(
            SOURCE,
            "checks are the best quiet moves, but expensive to find",
            Need::AtLeast(1.0),
        )
        .measure(
            without.nodes_against(&first),
            format!(
                "times fewer nodes at depth {depth} with checks before other quiet moves, on top of \
                 the buckets; {:.1} moves a node are tested for it",
                asked as f64 / nodes as f64
            ),
        ),
        Claim::new(
            SOURCE,
            "with hash moves, finding checks first matters little",
            Need::Between(0.95, 1.05),
        )
        .or_in_part(Need::Between(0.8, 1.25))
        .measure(
            full.nodes_against(&on_top),
            format!("times fewer nodes at depth {depth}, on top of hash moves, killers and history"),
        ),
    ]
}

fn negascout(pace: Pace) -> Claim {
    let depth = pace.pick(3, 5);
    let without = run(Config::ORDERED.without(Ideas::NEGASCOUT), depth);
    let gain = without.nodes_against(&run(Config::ORDERED, depth));
    Claim::new(
        SOURCE,
        "NegaScout speeds the search by 50% at most",
        Need::AtMost(1.5),
    )
    .measure(
        gain,
        format!("times fewer nodes at depth {depth}, all ordering in both"),
    )
}

fn heuristics(pace: Pace) -> Vec<Claim> {
    let depth = pace.pick(3, 5);
    let all = Ideas::KILLERS | Ideas::HISTORY | Ideas::HASH_MOVE;
    let positions = positions::varied();
    let deepened = |ideas| {
        let config = ordered(QuietOrder::Buckets).with(ideas);
        think(config, &positions, Limits::depth(depth))
    };
    let base = deepened(Ideas::empty());
    let full = deepened(all);
    let faster = |idea, name: &str| {
        let alone = base.nodes_against(&deepened(idea));
        let last = deepened(all.difference(idea)).nodes_against(&full);
        Claim::new(
            SOURCE,
            &format!("{name} order quiet moves further"),
            Need::AtLeast(1.0),
        )
        .measure(
            alone,
            format!(
                "times fewer nodes to depth {depth} on top of the buckets; {last} as the last of the \
                 three to be added"
            ),
        )
    };
    vec![
        faster(Ideas::KILLERS, "killers"),
        faster(Ideas::HISTORY, "the history of best moves"),
        faster(Ideas::HASH_MOVE, "hash moves with deepening"),
    ]
}

fn as_generated(pace: Pace) -> [Claim; 2] {
    let depth = pace.pick(3, 5);
    let all = run(Config::ORDERED, depth);
    let early = run(Config::ORDERED.with(Ideas::EARLY_CANDIDATES), depth);
    let nodes = early.nodes_against(&all);
    [
        Claim::new(
            SOURCE,
            "searching good moves as they are found saves generating the others",
            Need::AtLeast(1.2),
        )
        .or_in_part(Need::AtLeast(1.0))
        .measure(
            all.cost_against(&early, |effort| effort.generated),
            format!(
                "times fewer moves generated at depth {depth}, with the text's early candidates: the \
                 last mover taken, the sibling's best move, the queen near the king, passed pawns"
            ),
        ),
        Claim::new(
            SOURCE,
            "that order needs no more nodes",
            Need::AtMost(1.0),
        )
        .or_in_part(Need::AtMost(1.25))
        .measure(nodes, format!("times the nodes at depth {depth}")),
    ]
}
