//! MTD(f), SSS*, MT-SSS* and alpha-beta compared with `NegaScout`.

use super::super::Pace;
use super::super::measure::{laboratory, ratio, tallies_differ, tally};
use super::super::{Differ, SameSearch};
use super::{PLAAT, PLAAT_HIMSELF, REINEFELD, STOCKMAN, random};
use crate::algorithms::{Algorithm, deepen, solution_leaves, solve};
use crate::chess::game::Chess;
use crate::chess::position::Position;
use crate::figure::{Figure, Unit};
use crate::game::Tally;
use crate::games::tree::{Tree, Values};
use crate::laboratory::{Laboratory, Memory, Node, Trace};
use crate::report::{Claim, Need, Sides};

/// Runs an algorithm as real programs do, with iterative deepening and a table of positions. Returns
/// the counts after the last iteration of each chess position, and the passes of that iteration.
fn with_deepening(algorithm: Algorithm, depth: u32, positions: &[Position]) -> Vec<Tally> {
    positions
        .iter()
        .map(|position| Chess::new(*position.board()))
        .map(|chess| {
            let mut laboratory = Laboratory::new(Memory::Position, Trace::Counts);
            deepen(algorithm, &chess, depth - 1, &mut laboratory);
            let before = laboratory.tally;
            deepen_last(algorithm, &chess, depth, &mut laboratory);
            let after = laboratory.tally;
            Tally {
                passes: after.passes - before.passes,
                ..after
            }
        })
        .collect()
}

/// The ratio of the nodes of `a` to the nodes of `b`, over positions; and in how many they differ.
fn nodes_against(a: &[Tally], b: &[Tally]) -> Result<(Figure, Differ), SameSearch> {
    let pairs = || a.iter().zip(b);
    let differ = tallies_differ("two algorithms in chess", "positions", pairs())?;
    let ratios: Vec<f64> = pairs().map(|(a, b)| ratio(a.nodes(), b.nodes())).collect();
    Ok((Figure::ratio(&ratios), differ))
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

pub(super) fn in_chess(pace: Pace) -> Result<Vec<Claim>, SameSearch> {
    let depth = pace.pick(2, 5);
    let positions = pace.sample();
    let run = |algorithm| with_deepening(algorithm, depth, &positions);
    let (negascout, mtd_f) = (run(Algorithm::NegaScout), run(Algorithm::MtdF { guess: 0 }));
    let (mt_sss, alpha_beta) = (run(Algorithm::MtSss), run(Algorithm::AlphaBetaSoft));
    let all = [&alpha_beta, &negascout, &mtd_f, &mt_sss];
    // The most nodes of any algorithm divided by the fewest, by position.
    let spread: Vec<f64> = (0..negascout.len())
        .map(|index| {
            let nodes = all.map(|tallies| tallies[index].nodes());
            let (least, most) = (nodes.iter().min(), nodes.iter().max());
            ratio(*most.unwrap_or(&1), *least.unwrap_or(&1))
        })
        .collect();
    let (by_negascout, negascout_differs) = nodes_against(&negascout, &alpha_beta)?;
    let (by_mtd_f, mtd_f_differs) = nodes_against(&negascout, &mtd_f)?;
    let (by_mt_sss, mt_sss_differs) = nodes_against(&mt_sss, &negascout)?;
    Ok(vec![
        REINEFELD
            .claims("in good order NegaScout is quicker than alpha-beta (chess, with a table)")
            .needs(Need::AtMost(1.0), "quicker at all")
            .measure(
                by_negascout,
                negascout_differs,
                format!("times alpha-beta's nodes at depth {depth}"),
            ),
        PLAAT
            .claims("MTD(f) does better than NegaScout in practice, by a little")
            .needs(Need::Between(1.0, 1.25), "a little is up to a quarter")
            .or_in_part(Need::Between(0.9, 2.0))
            .measure(
                by_mtd_f,
                mtd_f_differs,
                format!(
                    "times MTD(f)'s nodes for NegaScout, chess to depth {depth} with a \
                     table; MTD(f) takes {} passes a search",
                    passes(&mtd_f)
                ),
            ),
        PLAAT
            .claims("MT-SSS* does not beat NegaScout in practice")
            .needs(Need::AtLeast(1.0), "no fewer nodes")
            .measure(
                by_mt_sss,
                mt_sss_differs,
                format!("times NegaScout's nodes at depth {depth}"),
            ),
        PLAAT_HIMSELF
            .claims(
                "coming down from infinity, MT-SSS* needs hundreds of \
                 passes",
            )
            .needs(Need::AtLeast(100.0), "a hundred at least")
            .or_in_part(Need::AtLeast(20.0))
            .measure(
                passes(&mt_sss),
                Sides::One("one algorithm and a number"),
                format!("passes a search for the last iteration, depth {depth}"),
            ),
        PLAAT_HIMSELF
            .claims(
                "in real programs the algorithms differ by less than \
                 20%",
            )
            .needs(Need::AtMost(1.2), "as he says")
            .or_in_part(Need::AtMost(2.0))
            .measure(
                Figure::ratio(&spread),
                negascout_differs
                    .or_fewer(mtd_f_differs)
                    .or_fewer(mt_sss_differs),
                format!(
                    "most nodes against least at depth {depth}, of alpha-beta, \
                     NegaScout, MTD(f) and MT-SSS*"
                ),
            ),
    ])
}

/// SSS* and alpha-beta on random trees.
pub(super) fn fewer_than_alpha_beta(pace: Pace) -> Result<Claim, SameSearch> {
    let (branching, height) = (5, 6);
    let tallies: Vec<_> = (0..pace.pick(5, 100))
        .map(|seed| Tree::new(branching, height, random(seed)))
        .map(|tree| [Algorithm::Sss, Algorithm::AlphaBeta].map(|a| tally(a, &tree, height)))
        .collect();
    let pairs = || tallies.iter().map(|[ours, theirs]| (ours, theirs));
    let differ = tallies_differ("SSS* and alpha-beta", "trees", pairs())?;
    let ratios: Vec<_> = pairs().map(|(a, b)| ratio(a.leaves, b.leaves)).collect();
    let claim = STOCKMAN
        .claims("SSS* can lead to fewer nodes than alpha-beta")
        .needs(Need::AtMost(1.0), "fewer at all")
        .measure(
            Figure::ratio(&ratios),
            differ,
            format!(
                "times alpha-beta's leaves in {} random trees (b={branching}, d={height}); \
                 at most {:.2}",
                ratios.len(),
                ratios.iter().copied().fold(0.0, f64::max)
            ),
        );
    Ok(claim)
}

pub(super) fn open_list(pace: Pace) -> Result<Vec<Claim>, SameSearch> {
    let (mut open, mut proof, mut table) = (0, 0, 0);
    let mut tallies = Vec::new();
    let mut same = 0;
    let count = pace.pick(5, 50);
    for seed in 0..count {
        let (branching, height) = (5, 6);
        let tree = Tree::new(branching, height, Values::Random { seed, range: 1000 });
        let sss = laboratory(Algorithm::Sss, &tree, height);
        let mut mt_sss = laboratory(Algorithm::MtSss, &tree, height);
        let equal = mt_sss.saw_only_leaves_of(&sss) && sss.saw_only_leaves_of(&mt_sss);
        same += u32::from(equal);
        tallies.push((sss.tally, mt_sss.tally));
        open += sss.tally.stored;
        table += mt_sss.tally.stored;
        proof += solution_leaves(&mut mt_sss, &Node::root(&tree, height));
    }
    let pairs = tallies.iter().map(|(one, other)| (one, other));
    let differ = tallies_differ("SSS* and MT-SSS*", "trees", pairs)?;
    Ok(vec![
        PLAAT
            .claims("MT-SSS* is SSS*: null windows with a table see the same leaves")
            .needs(Need::AtLeast(1.0), "every tree")
            .measure(
                Figure::share(same as usize, count as usize).counted(),
                differ,
                format!("the same leaves in {same} of {count} random trees (b=5, d=6)"),
            ),
        PLAAT
            .claims(
                "the part of its table that MT-SSS* needs is as large as \
                 SSS*'s OPEN list",
            )
            .needs(Need::Between(0.99, 1.01), "as large, to a hundredth")
            .measure(
                Figure::exact(ratio(proof, open)).in_unit(Unit::Times),
                differ,
                format!(
                    "leaves of the proof of the last bound against the longest OPEN \
                     list, {:.2} times; the whole table, nothing thrown away, {:.1} \
                     times",
                    ratio(proof, open),
                    ratio(table, open)
                ),
            ),
    ])
}

/// Finds a small tree in which `winner` visits fewer nodes than `loser` (inner nodes and leaves,
/// repeated visits counted) and no more different leaves. Both have the memory that the rivals of `NegaScout`
/// cannot do without: the bounds of every node.
fn counterexample(winner: Algorithm, loser: Algorithm) -> Option<(u64, Tally, Tally)> {
    let (branching, height) = (2, 4);
    (0..5000).find_map(|seed| {
        let tree = Tree::new(branching, height, Values::Random { seed, range: 16 });
        let [won, lost] = [winner, loser].map(|algorithm| {
            let mut laboratory = Laboratory::new(Memory::Path, Trace::Leaves);
            solve(algorithm, &tree, height, &mut laboratory);
            laboratory.tally
        });
        let fewer = won.nodes() < lost.nodes() && won.distinct_leaves <= lost.distinct_leaves;
        fewer.then_some((seed, won, lost))
    })
}

pub(super) fn no_dominance() -> Result<Vec<Claim>, SameSearch> {
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
            let found = one.iter().chain(&other).map(|(_, won, lost)| (won, lost));
            let differ = tallies_differ("NegaScout and its rival", "trees", found)?;
            let claim = PLAAT
                .claims(&format!("neither NegaScout nor {} dominates", rival.name()))
                .needs(Need::AtLeast(2.0), "a tree each way")
                .measure(
                    Figure::exact(f64::from(ways)),
                    differ,
                    format!(
                        "of two ways, both with the bounds of every node in memory: {}; {}",
                        in_words(one, negascout.name(), rival.name()),
                        in_words(other, rival.name(), negascout.name())
                    ),
                );
            Ok(claim)
        })
        .collect()
}
