//! Alpha-beta by many processors: the tree split among them, and Lazy SMP.

use super::super::measure::ratio;
use super::super::same::differ;
use super::super::{Pace, SameSearch};
use super::{random, well_ordered};
use crate::algorithms::{Processors, Windows, alpha_beta, lazy_smp, tree_split};
use crate::figure::Figure;
use crate::game::Window;
use crate::games::tree::{Tree, Values};
use crate::laboratory::{Laboratory, Memory, Node, Trace};
use crate::report::{Claim, Need, Sides, Source};

const FISHBURN: Source = Source("the article, after Fishburn, Finkel and Lawless 1980");
const FINKEL: Source = Source("Finkel and Fishburn 1982, not in the article");

/// Branching and height of the trees.
const SHAPE: (u16, u32) = (8, 6);

/// The nodes of alpha-beta on one processor.
fn alone(tree: &Tree) -> u64 {
    let mut lab = Laboratory::new(Memory::Off, Trace::Counts);
    alpha_beta(&mut lab, &Node::root(tree, SHAPE.1), Window::FULL);
    lab.tally.nodes()
}

/// The nodes that the slowest of the processors visits. Each master has two slaves.
fn split(tree: &Tree, height: u32, windows: Windows) -> u64 {
    let root = Node::root(tree, SHAPE.1);
    let processors = Processors { fan_out: 2, height };
    tree_split(&root, Window::FULL, processors, windows).longest
}

/// The nodes that each processor visits.
fn lazy(tree: &Tree, height: u32) -> u64 {
    let root = Node::root(tree, SHAPE.1);
    lazy_smp(&root, 1 << height).1
}

/// The speed-ups over one processor with 2, 4, 8 and 16 processors, in words.
fn speed_ups(trees: &[Tree], by: impl Fn(&Tree, u32) -> u64) -> String {
    let mean = |height| {
        let ratio = |tree| ratio(alone(tree), by(tree, height));
        let ratios: Vec<_> = trees.iter().map(ratio).collect();
        format!("{:.2}", Figure::ratio(&ratios).value)
    };
    (1..=4).map(mean).collect::<Vec<_>>().join(", ")
}

pub(super) fn side_by_side(pace: Pace) -> Result<Vec<Claim>, SameSearch> {
    let (branching, height) = SHAPE;
    let count = pace.pick(2, 40);
    let trees = |values: fn(u64) -> Values| -> Vec<Tree> {
        let tree = |seed| Tree::new(branching, height, values(seed));
        (0..count).map(tree).collect()
    };
    let (ordered, unordered) = (trees(well_ordered), trees(random));
    let open = |tree: &Tree, height| split(tree, height, Windows::Open);
    let null = |tree: &Tree, height| split(tree, height, Windows::Null);
    // Four processors.
    let of_four = |by: &dyn Fn(&Tree, u32) -> u64| -> Vec<u64> {
        ordered.iter().map(|tree| by(tree, 2)).collect()
    };
    let (fours, lazies) = (of_four(&open), of_four(&lazy));
    let ones: Vec<u64> = ordered.iter().map(alone).collect();
    let of_one = || ones.iter().zip(&fours);
    let faster: Vec<_> = of_one().map(|(one, four)| ratio(*one, *four)).collect();
    let of_both = || fours.iter().zip(&lazies);
    let rival: Vec<_> = of_both()
        .map(|(split, lazy)| ratio(*split, *lazy))
        .collect();
    let split_differs = differ(|| "one processor and four".to_owned(), "trees", of_one())?;
    let lazy_differs = differ(
        || "the split tree and Lazy SMP".to_owned(),
        "trees",
        of_both(),
    )?;
    let perfect = Tree::new(branching, height, Values::PerfectOrder);
    let exponents = [1, 2, 3, 4].map(|height| {
        let processors = f64::from(1 << height);
        ratio(alone(&perfect), open(&perfect, height)).ln() / processors.ln()
    });
    let least = exponents.into_iter().fold(f64::INFINITY, f64::min);
    let shape = format!("b={branching}, d={height}");
    Ok(vec![
        FISHBURN
            .claims("split among processors, the tree is searched sooner")
            .needs(Need::AtLeast(1.0), "sooner at all")
            .measure(
                Figure::ratio(&faster),
                split_differs,
                format!(
                    "times fewer nodes on the longest of four processors than on one, {count} well \
                     ordered trees ({shape}); with 2, 4, 8 and 16: {}; {} in random trees; with \
                     null windows {} and {}",
                    speed_ups(&ordered, open),
                    speed_ups(&unordered, open),
                    speed_ups(&ordered, null),
                    speed_ups(&unordered, null),
                ),
            ),
        FINKEL
            .claims("in the best order k processors are at least the square root of k times as fast")
            .needs(Need::AtLeast(0.5), "the exponent of a root")
            .measure(
                Figure::exact(least),
                Sides::One("one tree and a formula"),
                format!(
                    "least exponent of 2, 4, 8 and 16 processors, {least:.3}, in the perfectly \
                     ordered tree ({shape}): {} times as fast",
                    speed_ups(&[perfect], open)
                ),
            ),
        Source("not in the text")
            .claims("Lazy SMP, which replaced it, is faster on the same trees")
            .needs(Need::AtLeast(1.0), "faster at all")
            .measure(
                Figure::ratio(&rival),
                lazy_differs,
                format!(
                    "times the speed-up of the split tree with four processors, {count} well ordered \
                     trees; with 2, 4, 8 and 16: {}; {} in random trees; one depth at once, in step",
                    speed_ups(&ordered, lazy),
                    speed_ups(&unordered, lazy)
                ),
            ),
    ])
}
