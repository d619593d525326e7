//! The order of quiet moves (Kornilov, 2005).

use super::measure::{mean_share, ratio, search_to_depth, think, value};
use super::same::differ;
use super::{Named, Pace, SameSearch};
use crate::chess::config::{Config, Ideas, QuietOrder};
use crate::chess::position::{Position, Terms};
use crate::chess::searcher::Limits;
use crate::figure::Figure;
use crate::report::{Claim, Need, Sides, Source};

const SOURCE: Source = Source("Kornilov 2005");

pub(super) const MEASURES: &[Named] = &[
    ("buckets", buckets),
    ("steps", |pace| Ok(vec![gain_by_steps(pace)])),
    ("material", material_alone),
    ("checks-best", |pace| Ok(vec![best_of_quiets(pace)])),
    ("checks-first", checks_first),
    ("negascout", |pace| Ok(vec![negascout(pace)?])),
    ("heuristics", heuristics),
    ("as-found", as_generated),
    ("best-at-once", |pace| Ok(vec![best_at_once(pace)?])),
];

fn ordered(quiet_order: QuietOrder) -> Config {
    Config {
        quiet_order,
        ..Config::PLAIN
    }
}

fn buckets(pace: Pace) -> Result<Vec<Claim>, SameSearch> {
    let depth = pace.pick(2, 5);
    let positions = pace.sample();
    let runs = |depth| {
        [
            QuietOrder::Generated,
            QuietOrder::Buckets,
            QuietOrder::Sorted,
        ]
        .map(|order| search_to_depth(ordered(order), &positions, depth))
    };
    let [generated, bucketed, sorted] = runs(depth);
    let shallow = runs(depth - 1);
    let before = shallow[0].nodes_against(&shallow[1])?;
    Ok(vec![
        SOURCE
            .claims("three buckets of quiet moves speed the search several-fold")
            .needs(Need::AtLeast(2.0), "several-fold is twice at least")
            .or_in_part(Need::AtLeast(1.0))
            .measure(
                generated.nodes_against(&bucketed)?,
                generated.differ(&bucketed)?,
                format!(
                    "times fewer nodes at depth {depth} than in the generator's order, \
                     captures ordered in both; {before} at depth {}",
                    depth - 1
                ),
            ),
        SOURCE
            .claims("three buckets are usually enough")
            .needs(Need::AtMost(1.1), "a tenth more is no reason to sort")
            .or_in_part(Need::AtMost(2.0))
            .measure(
                bucketed.nodes_against(&sorted)?,
                bucketed.differ(&sorted)?,
                format!("times the nodes of a full sort by the same gain at depth {depth}"),
            ),
    ])
}

/// The cost of knowing a move's gain, by steps and from scratch.
fn gain_by_steps(pace: Pace) -> Claim {
    let sample = pace.sample();
    let ratios: Vec<f64> = sample
        .iter()
        .map(|position| {
            let moves = position.board().legal_moves();
            let counts = moves.iter().map(|&mv| position.look_ups(mv));
            let (steps, scratch): (Vec<_>, Vec<_>) = counts.unzip();
            scratch.iter().sum::<usize>() as f64 / steps.iter().sum::<usize>() as f64
        })
        .collect();
    SOURCE
        .claims(
            "evaluating the position after each generated move is too great a \
             luxury; steps are easy",
        )
        .needs(Need::AtLeast(5.0), "a luxury costs five times as much")
        .measure(
            Figure::ratio(&ratios),
            Sides::One("two evaluations of the same moves"),
            "times as many piece-square values looked up from scratch as by steps, for \
             all moves of a position"
                .to_owned(),
        )
}

/// With an evaluation of material alone, quiet moves have no gain.
fn material_alone(pace: Pace) -> Result<Vec<Claim>, SameSearch> {
    let depth = pace.pick(2, 4);
    let board = |position: &Position| Position::by(*position.board(), Terms::Material);
    let positions: Vec<_> = pace.sample().iter().map(board).collect();
    let run = |config| search_to_depth(config, &positions, depth);
    let none = run(ordered(QuietOrder::Generated));
    let buckets = run(ordered(QuietOrder::Buckets));
    let history = run(ordered(QuietOrder::Generated).with(Ideas::HISTORY));
    Ok(vec![
        SOURCE
            .claims("with material alone, sorting quiet moves by their gain is useless")
            .needs(Need::AtMost(1.0), "useless is no faster")
            .measure(
                none.nodes_against(&buckets)?,
                none.differ(&buckets)?,
                format!(
                    "times fewer nodes at depth {depth} by an evaluation of material \
                     alone, with three buckets by the change of piece-square values"
                ),
            ),
        SOURCE
            .claims(
                "the reason given: with material alone all quiet moves are the \
                 same to alpha-beta",
            )
            .needs(Need::AtMost(1.0), "then no order is faster than another")
            .measure(
                none.nodes_against(&history)?,
                none.differ(&history)?,
                format!(
                    "times fewer nodes at depth {depth} by an evaluation of material \
                     alone, with the history of best moves: equal gains do not make equal \
                     moves"
                ),
            ),
    ])
}

/// How quiet checks compare with other quiet moves of the same position, by exact search.
fn best_of_quiets(pace: Pace) -> Claim {
    let depth = pace.pick(1, 4);
    // Late positions have more checks.
    let all = [pace.late(), pace.sample()].concat();
    let shares = all.iter().map(|position| {
        let board = position.board();
        let quiets = board.quiets();
        let (checks, others): (Vec<_>, Vec<_>) =
            quiets.iter().partition(|&&mv| board.gives_check(mv));
        if checks.is_empty() {
            return (0, 0);
        }
        let value = |mv| -value(&position.play(mv), depth - 1);
        let others: Vec<_> = others.into_iter().map(value).collect();
        // Twice, so that equal moves count half.
        let better = |check| {
            let than =
                |&other: &i32| (i64::from(check > other) + i64::from(check >= other)) as usize;
            others.iter().map(than).sum::<usize>()
        };
        let pairs = 2 * checks.len() * others.len();
        (checks.into_iter().map(|mv| better(value(mv))).sum(), pairs)
    });
    let shares: Vec<_> = shares.collect();
    let with_checks = shares.iter().filter(|(_, pairs)| *pairs > 0).count();
    SOURCE
        .claims("checks are undoubtedly the best of quiet moves")
        .needs(
            Need::AtLeast(0.75),
            "a check is better than three in four of the others",
        )
        .or_in_part(Need::AtLeast(0.5))
        .measure(
            mean_share(shares),
            Sides::One("the moves of a position by one search"),
            format!(
                "share of other quiet moves that a quiet check is better than, by a search \
                 of {depth} plies, by position; {with_checks} positions have such checks"
            ),
        )
}

fn checks_first(pace: Pace) -> Result<Vec<Claim>, SameSearch> {
    let depth = pace.pick(2, 5);
    let positions = pace.sample();
    let plain = ordered(QuietOrder::Buckets);
    let first = search_to_depth(plain.with(Ideas::CHECKS_FIRST), &positions, depth);
    let without = search_to_depth(plain, &positions, depth);
    let full = search_to_depth(Config::ORDERED, &positions, depth);
    let on_top = search_to_depth(Config::ORDERED.with(Ideas::CHECKS_FIRST), &positions, depth);
    let tests = first.efforts.iter().map(|e| ratio(e.check_tests, e.nodes));
    Ok(vec![
        SOURCE
            .claims("finding checks is too expensive for what it saves")
            .needs(
                Need::AtLeast(10.0),
                "as many tests a node as a node has moves of one piece or two",
            )
            .measure(
                Figure::ratio(&tests.collect::<Vec<_>>()),
                first.differ(&without)?,
                format!(
                    "moves tested for each node at depth {depth}, to have {} times fewer \
                     nodes with checks before other quiet moves, on top of the buckets",
                    without.nodes_against(&first)?
                ),
            ),
        SOURCE
            .claims("with hash moves, finding checks first matters little")
            .needs(Need::Between(0.95, 1.05), "little is a twentieth")
            .or_in_part(Need::Between(0.8, 1.25))
            .measure(
                full.nodes_against(&on_top)?,
                full.differ(&on_top)?,
                format!(
                    "times fewer nodes at depth {depth}, on top of hash moves, killers \
                     and history"
                ),
            ),
    ])
}

fn negascout(pace: Pace) -> Result<Claim, SameSearch> {
    let depth = pace.pick(2, 5);
    let positions = pace.sample();
    let without = search_to_depth(Config::ORDERED.without(Ideas::NEGASCOUT), &positions, depth);
    let with = search_to_depth(Config::ORDERED, &positions, depth);
    let claim = SOURCE
        .claims("NegaScout speeds the search by 50% at most")
        .needs(Need::AtMost(1.5), "as the text says")
        .measure(
            without.nodes_against(&with)?,
            without.differ(&with)?,
            format!("times fewer nodes at depth {depth}, all ordering in both"),
        );
    Ok(claim)
}

fn heuristics(pace: Pace) -> Result<Vec<Claim>, SameSearch> {
    let depth = pace.pick(2, 5);
    let all = Ideas::KILLERS | Ideas::HISTORY | Ideas::HASH_MOVE;
    let positions = pace.sample();
    let deepened = |ideas| {
        let config = ordered(QuietOrder::Buckets).with(ideas);
        think(config, &positions, Limits::depth(depth))
    };
    let base = deepened(Ideas::empty());
    let full = deepened(all);
    let faster = |idea, name: &str| -> Result<Claim, SameSearch> {
        let alone = deepened(idea);
        let last = deepened(all.difference(idea)).nodes_against(&full)?;
        let claim = SOURCE
            .claims(&format!("{name} speed the search further"))
            .needs(Need::AtLeast(1.0), "further is faster at all")
            .measure(
                base.nodes_against(&alone)?,
                base.differ(&alone)?,
                format!(
                    "times fewer nodes to depth {depth} on top of the buckets; {last} as \
                     the last of the three to be added"
                ),
            );
        Ok(claim)
    };
    Ok(vec![
        faster(Ideas::KILLERS, "killers")?,
        faster(Ideas::HISTORY, "histories of best moves")?,
        faster(Ideas::HASH_MOVE, "hash moves with deepening")?,
    ])
}

fn as_generated(pace: Pace) -> Result<Vec<Claim>, SameSearch> {
    let depth = pace.pick(2, 5);
    let positions = pace.sample();
    let all = search_to_depth(Config::ORDERED, &positions, depth);
    let early = search_to_depth(
        Config::ORDERED.with(Ideas::EARLY_CANDIDATES),
        &positions,
        depth,
    );
    Ok(vec![
        SOURCE
            .claims("searching good moves as they are found saves generating the others")
            .needs(Need::AtLeast(1.2), "a fifth is worth the nested functions")
            .or_in_part(Need::AtLeast(1.0))
            .measure(
                Figure::ratio(&all.costs_against(&early, |effort| effort.generated)?),
                all.differ(&early)?,
                format!(
                    "times fewer moves generated at depth {depth}, with the text's early \
                     candidates: the last mover taken, the sibling's best move, the queen \
                     near the king, passed pawns; the generator makes all quiet moves at \
                     once"
                ),
            ),
        SOURCE
            .claims(
                "generation is to be sensible and fast at once: that order needs \
                 hardly more nodes",
            )
            .needs(Need::AtMost(1.2), "a fifth, the least that it is to save")
            .measure(
                early.nodes_against(&all)?,
                early.differ(&all)?,
                format!("times the nodes at depth {depth}"),
            ),
    ])
}

/// The best bucket searched at once, without a list, compared with three buckets after all moves are generated: the
/// nodes and their order are the same, and fewer moves are generated.
fn best_at_once(pace: Pace) -> Result<Claim, SameSearch> {
    let depth = pace.pick(2, 5);
    let positions = pace.sample();
    let [listed, at_once] = [QuietOrder::Buckets, QuietOrder::BestAtOnce]
        .map(|order| search_to_depth(ordered(order), &positions, depth));
    let pairs = || listed.efforts.iter().zip(&at_once.efforts);
    // The nodes are the same by design, so the moves that were generated have to differ.
    let generated = || pairs().map(|(a, b)| (a.generated, b.generated));
    let differ = differ(
        || "the best bucket at once and in a list".to_owned(),
        "positions, by moves generated",
        generated(),
    )?;
    let ratios: Vec<_> = generated().map(|(a, b)| ratio(a, b)).collect();
    // Quiet moves, where their generation has begun.
    let spared = at_once.efforts.iter().map(|effort| {
        let spared = effort.spared as usize;
        (spared, spared + effort.generated as usize)
    });
    let spared = mean_share(spared);
    let same = pairs().filter(|(a, b)| a.total() == b.total()).count();
    let claim = SOURCE
        .claims(
            "the best bucket needs no list: a move that gains is searched as soon as it is found",
        )
        .needs(
            Need::AtLeast(1.2),
            "a fifth fewer generated moves is worth a generator in the search",
        )
        .or_in_part(Need::AtLeast(1.0))
        .measure(
            Figure::ratio(&ratios),
            differ,
            format!(
                "times fewer moves generated at depth {depth} than by three lists, for the same \
                 nodes in {same} of {} positions; a share of {spared} of the moves is spared after \
                 the first quiet move is generated, the rest where a capture fails high",
                positions.len()
            ),
        );
    Ok(claim)
}
